"""What a network sees of Azul with the gray wall after a round.

All colors are alike on this wall, so no input is one color's own: what is learned of one holds
for all. What tells colors apart, where a tile may still go and what the bag has, is worked out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai.bits import count, lowest
from azul_ai.evaluation import gray_terms, network
from azul_ai.evaluation.gray_rating import columns_of
from azul_ai.evaluation.gray_terms import best_gain
from azul_ai.evaluation.walls import FITS, PHASES, rounds_left
from azul_ai.games import supply
from azul_ai.games.gray import STATE
from azul_ai.games.pattern_lines import LINES
from azul_ai.games.supply import COLORS, TILES_PER_COLOR
from azul_ai.games.walls import FULL_COLUMN, ROW_MASK, placement_points
from azul_ai.jit import jit

_ROUNDS = 8

# Inputs of the table, by place: which round was played (the last place also later ones), the
# rounds in which some player can complete a row, and how full the bag is.
_ROUND, _PHASE, _BAG = 0, _ROUNDS, _ROUNDS + PHASES
TABLE = _BAG + 1

# Inputs of a board: its wall cells; free cells that no color can fill any more; lines 1-4 (from
# 0) by their number of tiles. Of begun lines, as far as they are full: what the best cell scores,
# the line's color by how many tiles of it are on the wall, the fullest column that takes it; and
# lines whose color no cell takes. Rows, columns and colors by their number of tiles, 1-5, those
# that can still be completed before those that can't. The score; what the best cell of each row
# would score; what the begun lines' cells would, as far as these are full, and that by how much
# more of their colors than of all the bag holds; and what the hand-made terms say of wall and lines
# in each phase, from which a network learns much sooner what all of this comes to.
_WALL, _BARRED, _TILES = 0, 25, 50
_GAIN = _TILES + 10
_LINE_COLOR = _GAIN + LINES - 1
_LINE_COLUMN = _LINE_COLOR + COLORS
_STUCK = _LINE_COLUMN + LINES
_ROWS = _STUCK + LINES - 1
_COLUMNS, _COLORS = _ROWS + 2 * LINES, _ROWS + 4 * LINES
_SCORE = _COLORS + 2 * COLORS
_POTENTIAL, _BEGUN, _SUPPLY = _SCORE + 1, _SCORE + 2, _SCORE + 3
_VALUES, _VALUED = _SCORE + 4, len(FITS)
BOARD = _VALUES + _VALUED
LAYOUT = network.Layout(TABLE, BOARD)
FEATURES = "azul-gray-2"
"""Names what the places mean; networks trained for other meanings are refused."""

_ONE, _COUNT, _SCORE_UNIT, _GAIN_UNIT = (np.float32(x) for x in (1.0, 0.5, 0.02, 0.1))
"""Scales that keep inputs near one."""
TERMS = np.array([gray_terms.model()], dtype=gray_terms.MODEL)
"""The hand-made terms, in an array of one."""


@network.table_features.register(STATE)
@jit
def table_features_gray(state: Any, places: Any, amounts: Any) -> int:
    """The round, the phase and the bag."""
    return table_inputs(state.bag, state["round"], rounds_left(state), places, amounts)


@jit
def table_inputs(bag: int, played: int, phase: int, places: Any, amounts: Any) -> int:
    """The table's inputs, from the bag, the rounds played, and the phase."""
    places[0] = _ROUND + min(max(played, 1), _ROUNDS) - 1
    places[1] = _PHASE + phase
    places[2] = _BAG
    amounts[0], amounts[1] = _ONE, _ONE
    amounts[2] = np.float32(supply.total(bag) / (COLORS * TILES_PER_COLOR))
    return 3


@network.board_features.register(STATE)
@jit
def board_features_gray(state: Any, player: int, seat: int, places: Any, amounts: Any) -> int:
    """Wall, lines and score."""
    return board_inputs(state.boards[player], state.bag, TABLE + BOARD * seat, places, amounts)


@jit
def board_inputs(board: Any, bag: int, start: int, places: Any, amounts: Any) -> int:
    """A board's inputs, from its first place on."""
    barred = barred_cells(board)
    number = cell_inputs(board.wall, start + _WALL, places, amounts, 0)
    number = cell_inputs(barred, start + _BARRED, places, amounts, number)
    number = count_inputs(board, barred, start, places, amounts, number)
    number = line_inputs(board, bag, start, places, amounts, number)
    places[number], amounts[number] = start + _SCORE, _SCORE_UNIT * np.float32(board.score)
    places[number + 1] = start + _POTENTIAL
    amounts[number + 1] = _GAIN_UNIT * np.float32(potential(board.wall, barred))
    return value_inputs(board, start, places, amounts, number + 2)


@jit
def value_inputs(board: Any, start: int, places: Any, amounts: Any, number: int) -> int:
    """Add what the hand-made terms say of a board, less its score, in each phase."""
    for index in range(_VALUED):
        value = gray_terms.board_value(TERMS[0], board, index + 1) - board.score
        places[number + index] = start + _VALUES + index
        amounts[number + index] = _GAIN_UNIT * np.float32(value)
    return number + _VALUED


@jit
def barred_cells(board: Any) -> int:
    """The free cells whose row and column together hold all colors."""
    rows = columns = 0  # bit 5r + c: the row, or the column, lacks color c
    for color in range(COLORS):
        cells = board.colors[color]
        taken = columns_of(cells)
        for index in range(LINES):
            if not cells >> LINES * index & ROW_MASK:
                rows |= 1 << COLORS * index + color
            if not taken >> index & 1:
                columns |= 1 << COLORS * index + color
    barred = 0
    for row in range(LINES):
        free = ROW_MASK & ~(board.wall >> LINES * row)
        while free:
            column = lowest(free)
            free &= free - 1
            if not rows >> COLORS * row & columns >> COLORS * column & ROW_MASK:
                barred |= 1 << LINES * row + column
    return barred


@jit
def cell_inputs(cells: int, start: int, places: Any, amounts: Any, number: int) -> int:
    """Add an input for each cell of a word."""
    while cells:
        places[number], amounts[number] = start + lowest(cells), _ONE
        cells &= cells - 1
        number += 1
    return number


@jit
def count_inputs(
    board: Any, barred: int, start: int, places: Any, amounts: Any, number: int
) -> int:
    """Add an input for each row, column and color that is begun."""
    for index in range(LINES):
        tiles = count(board.wall >> LINES * index & ROW_MASK)
        lost = barred >> LINES * index & ROW_MASK != 0
        number = count_input(tiles, lost, start + _ROWS, places, amounts, number)
        tiles = count(board.wall & FULL_COLUMN << index)
        lost = barred & FULL_COLUMN << index != 0
        number = count_input(tiles, lost, start + _COLUMNS, places, amounts, number)
        tiles = count(board.colors[index])
        lost = is_lost(board, index)
        number = count_input(tiles, lost, start + _COLORS, places, amounts, number)
    return number


@jit
def count_input(tiles: int, lost: bool, start: int, places: Any, amounts: Any, number: int) -> int:
    """Add an input for a row, column or color with some tiles."""
    if not tiles:
        return number
    places[number], amounts[number] = start + LINES * lost + tiles - 1, _COUNT
    return number + 1


@jit
def is_lost(board: Any, color: int) -> bool:
    """Whether some row can't get its tile of a color any more."""
    cells = board.colors[color]
    columns = ROW_MASK & ~columns_of(cells)
    for row in range(LINES):
        if not cells >> LINES * row & ROW_MASK and not columns & ~(board.wall >> LINES * row):
            return True
    return False


@jit
def line_inputs(board: Any, bag: int, start: int, places: Any, amounts: Any, number: int) -> int:
    """Add the inputs of the begun lines; full ones are not seen, they are tiled."""
    begun = supplied = 0.0
    for row in range(1, LINES):
        line = board.lines >> 6 * row & 63
        tiles, color = line & 7, line >> 3
        if tiles == 0 or tiles > row:
            continue
        places[number] = start + _TILES + row * (row - 1) // 2 + tiles - 1
        amounts[number] = _ONE
        gain = best_gain(board, row, color)
        if gain == 0:
            places[number + 1], amounts[number + 1] = start + _STUCK + row - 1, _ONE
            number += 2
            continue
        part = tiles / (row + 1)
        begun += part * gain
        supplied += part * gain * surplus(bag, color)
        places[number + 1] = start + _GAIN + row - 1
        amounts[number + 1] = _GAIN_UNIT * np.float32(part * gain)
        places[number + 2] = start + _LINE_COLOR + count(board.colors[color])
        places[number + 3] = start + _LINE_COLUMN + fullest_column(board, row, color)
        amounts[number + 2] = amounts[number + 3] = np.float32(part)
        number += 4
    places[number], amounts[number] = start + _BEGUN, _GAIN_UNIT * np.float32(begun)
    places[number + 1], amounts[number + 1] = start + _SUPPLY, _GAIN_UNIT * np.float32(supplied)
    return number + 2


@jit
def surplus(bag: int, color: int) -> float:
    """How much more of a color the bag holds than of all on average, as a part; empty: 0."""
    tiles = supply.total(bag)
    return COLORS * supply.of_color(bag, color) / tiles - 1.0 if tiles else 0.0


@jit
def fullest_column(board: Any, row: int, color: int) -> int:
    """The most tiles in a column whose cell of a row takes a color."""
    columns = ROW_MASK & ~(board.wall >> LINES * row | columns_of(board.colors[color]))
    most = 0
    while columns:
        most = max(most, count(board.wall & FULL_COLUMN << lowest(columns)))
        columns &= columns - 1
    return most


@jit
def potential(wall: int, barred: int) -> int:
    """Points that the best cell of each row would score, summed; cells that are barred don't."""
    points = 0
    for row in range(LINES):
        cells, best = ROW_MASK & ~((wall | barred) >> LINES * row), 0
        while cells:
            best = max(best, placement_points(wall, row, lowest(cells)))
            cells &= cells - 1
        points += best
    return points
