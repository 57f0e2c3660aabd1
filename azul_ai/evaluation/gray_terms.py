"""Hand-made evaluation of Azul with the gray wall; see :mod:`azul_ai.evaluation.walls`."""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai.bits import count
from azul_ai.evaluation.gray_rating import columns_of
from azul_ai.evaluation.interface import POINTS, evaluate
from azul_ai.evaluation.walls import (
    COUNT_FIELD,
    MODEL_FIELDS,
    finish,
    new_model,
    rounds_left,
    wall_value,
)
from azul_ai.games.pattern_lines import LINES
from azul_ai.games.supply import COLORS
from azul_ai.games.walls import ROW_MASK, placement_points
from azul_ai.jit import jit

MODEL = np.dtype((np.record, [*MODEL_FIELDS, ("gray", "i8")]))  # the last: a type of its own

STUCK = 1.0
"""Points off for each space of a begun line whose color no cell of its row takes."""


def model() -> Any:
    """The numbers of the hand-made evaluation, as one record of dtype MODEL."""
    return new_model(MODEL)


@evaluate.register(MODEL)
@jit
def evaluate_gray(model: Any, state: Any, values: Any) -> None:
    """Fill the values of all players of a scored round."""
    phase = rounds_left(state)
    for player in range(state.players):
        values[player, POINTS] = board_value(model, state.boards[player], phase)
    values[state.mover, POINTS] += model.start[phase]
    finish(model, state, phase, values)


@jit
def board_value(model: Any, board: Any, phase: int) -> float:
    """Expected final points of a board, less what all players have to come alike."""
    wall = wall_value(model, board.wall, color_counts(board), phase)
    return board.score + wall + lines_value(model, board, phase)


@jit
def color_counts(board: Any) -> int:
    """The packed numbers of tiles by color."""
    counts = 0
    for color in range(COLORS):
        counts |= count(board.colors[color]) << COUNT_FIELD * color
    return counts


@jit
def lines_value(model: Any, board: Any, phase: int) -> float:
    """What the begun lines are worth, each in proportion to how full it is."""
    points = 0.0
    for row in range(LINES):
        line = board.lines >> 6 * row & 63
        tiles = line & 7
        if tiles:
            gain = best_gain(board, row, line >> 3)
            if gain:
                points += model.line[phase] * gain * tiles / (row + 1)
            else:
                points -= STUCK * (row + 1)
    return points


@jit
def best_gain(board: Any, row: int, color: int) -> int:
    """The most that a tile of a color can score in a row; 0 if no cell takes it."""
    columns = ROW_MASK & ~(board.wall >> LINES * row | columns_of(board.colors[color]))
    best = 0
    for column in range(LINES):
        if columns >> column & 1:
            best = max(best, placement_points(board.wall, row, column))
    return best
