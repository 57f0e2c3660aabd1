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
    Fit,
    fill_model,
    finish,
    rounds_left,
    wall_value,
)
from azul_ai.games.drafting import LINES
from azul_ai.games.supply import COLORS
from azul_ai.games.walls import ROW_MASK, placement_points
from azul_ai.jit import jit

MODEL = np.dtype((np.record, [*MODEL_FIELDS, ("gray", "i8")]))  # the last: a type of its own

STUCK = 1.0
"""Points off for each space of a begun line whose color no cell of its row takes."""

_FITS = {
    1: Fit(
        row=(1.8, 2.6, 2.9, 3.1),
        column=(0.2, 0.8, 1.1, 1.2),
        color=(0.8, 0.9, 1.1, 1.8),
        potential=0.37,
        line=0.38,
        start=1.7,
        future=(-18.8, -17.1, -16.3),
        spread=(13.5, 9.7, 9.5),
    ),
    2: Fit(
        row=(2.3, 2.9, 3.5, 0.0),
        column=(0.9, 1.6, 1.9, 1.8),
        color=(0.7, 1.6, 2.1, 2.8),
        potential=0.43,
        line=0.61,
        start=1.2,
        future=(-16.0, -12.1, -9.7),
        spread=(16.7, 12.9, 12.1),
    ),
    3: Fit(
        row=(2.6, 3.8, 0.0, 0.0),
        column=(1.3, 2.1, 2.2, 2.5),
        color=(0.4, 0.8, 0.4, 1.7),
        potential=0.42,
        line=0.81,
        start=1.1,
        future=(-4.5, 2.0, 6.2),
        spread=(20.0, 14.6, 13.3),
    ),
    4: Fit(
        row=(1.9, 0.0, 0.0, 0.0),
        column=(0.7, 1.0, 1.8, -1.6),
        color=(0.2, 0.9, -0.0, 0.0),
        potential=0.59,
        line=1.07,
        start=1.2,
        future=(10.2, 19.6, 25.1),
        spread=(22.3, 15.5, 14.1),
    ),
}


def model() -> Any:
    """The numbers of the hand-made evaluation, as one record of dtype MODEL."""
    record = np.zeros(1, dtype=MODEL)[0]
    fill_model(record, _FITS)
    return record


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
