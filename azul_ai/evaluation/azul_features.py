"""What a network sees of Azul (colored wall) after a round."""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai.bits import count, lowest
from azul_ai.evaluation import network
from azul_ai.evaluation.azul_boards import color_counts
from azul_ai.evaluation.walls import COUNT_FIELD, COUNT_MASK, PHASES, best_gain, rounds_left
from azul_ai.games.azul import STATE
from azul_ai.games.pattern_lines import LINES
from azul_ai.games.supply import COLORS, FIELD, TILES_PER_COLOR
from azul_ai.games.walls import FULL_COLUMN, ROW_MASK, placement_points
from azul_ai.jit import jit

_ROUNDS = 6
_FIELD_MASK = (1 << FIELD) - 1

# Inputs of the table, by place: tiles of each color in the bag, which round was played
# (the last place also later ones), and the rounds in which some player can complete a row.
_BAG, _ROUND, _PHASE = 0, COLORS, COLORS + _ROUNDS
TABLE = COLORS + _ROUNDS + PHASES

# Inputs of a board: its wall cells; how full a line is, by line and color; lines 1-4 (from 0) by
# their number of tiles; how many rows hold 1-4 tiles, columns and colors 1-5; the score; what the
# best cell of each row would score, and the cells of begun lines, as far as they are full.
_WALL, _LINE, _TILES = 0, 25, 50
_ROWS = _TILES + 10
_COLUMNS, _COLORS = _ROWS + LINES - 1, _ROWS + 2 * LINES - 1
_SCORE = _COLORS + COLORS
_POTENTIAL, _BEGUN = _SCORE + 1, _SCORE + 2
BOARD = _SCORE + 3
LAYOUT = network.Layout(TABLE, BOARD)
FEATURES = "azul-3"
"""Names what the places mean; networks trained for other meanings are refused."""

_ONE, _COUNT, _SCORE_UNIT, _GAIN_UNIT = (np.float32(x) for x in (1.0, 0.5, 0.02, 0.1))
"""Scales that keep inputs near one."""


@jit
def table_inputs(bag: int, played: int, phase: int, places: Any, amounts: Any) -> int:
    """The table's inputs, from the bag, the rounds played, and the phase."""
    for color in range(COLORS):
        places[color] = _BAG + color
        amounts[color] = np.float32((bag >> FIELD * color & _FIELD_MASK) / TILES_PER_COLOR)
    places[COLORS] = _ROUND + min(max(played, 1), _ROUNDS) - 1
    places[COLORS + 1] = _PHASE + phase
    amounts[COLORS], amounts[COLORS + 1] = _ONE, _ONE
    return COLORS + 2


@jit
def board_inputs(wall: int, lines: int, score: int, start: int, places: Any, amounts: Any) -> int:
    """A board's inputs, from its first place on; its full lines are not seen, they are tiled."""
    number = 0
    cells = wall
    while cells:
        places[number], amounts[number] = start + _WALL + lowest(cells), _ONE
        cells &= cells - 1
        number += 1
    begun = 0.0
    for row in range(LINES):
        line = lines >> 6 * row & 63
        tiles, color = line & 7, line >> 3
        if 0 < tiles <= row:
            part = tiles / (row + 1)
            begun += part * placement_points(wall, row, (color + row) % COLORS)
            places[number] = start + _LINE + LINES * row + color
            amounts[number] = np.float32(part)
            places[number + 1] = start + _TILES + row * (row - 1) // 2 + tiles - 1
            amounts[number + 1] = _ONE
            number += 2
    number = count_inputs(wall, start, places, amounts, number)
    places[number], amounts[number] = start + _SCORE, _SCORE_UNIT * np.float32(score)
    places[number + 1] = start + _POTENTIAL
    amounts[number + 1] = _GAIN_UNIT * np.float32(potential(wall))
    places[number + 2], amounts[number + 2] = start + _BEGUN, _GAIN_UNIT * np.float32(begun)
    return number + 3


@jit
def count_inputs(wall: int, start: int, places: Any, amounts: Any, number: int) -> int:
    """Add an input for each row, column and color that is begun, of rows not complete ones."""
    counts = color_counts(wall)
    for index in range(LINES):
        row = count(wall >> LINES * index & ROW_MASK)
        column = count(wall & FULL_COLUMN << index)
        color = counts >> COUNT_FIELD * index & COUNT_MASK
        if 0 < row < LINES:
            places[number], amounts[number] = start + _ROWS + row - 1, _COUNT
            number += 1
        if column:
            places[number], amounts[number] = start + _COLUMNS + column - 1, _COUNT
            number += 1
        if color:
            places[number], amounts[number] = start + _COLORS + color - 1, _COUNT
            number += 1
    return number


@jit
def potential(wall: int) -> int:
    """Points that the best free cell of each row would score, summed."""
    points = 0
    for row in range(LINES):
        points += best_gain(wall, row)
    return points


@network.table_features.register(STATE)
@jit
def table_features_azul(state: Any, places: Any, amounts: Any) -> int:
    """The bag, the round and the phase."""
    return table_inputs(state.bag, state["round"], rounds_left(state), places, amounts)


@network.board_features.register(STATE)
@jit
def board_features_azul(state: Any, player: int, seat: int, places: Any, amounts: Any) -> int:
    """Wall, lines and score."""
    board = state.boards[player]
    start = TABLE + BOARD * seat
    return board_inputs(board.wall, board.lines, board.score, start, places, amounts)
