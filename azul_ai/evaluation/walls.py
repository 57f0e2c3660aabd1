"""What the hand-made evaluations of Azul's two walls share.

Per player, expected final points = score + what the wall, the lines begun and the start of
the next round are worth, by phase. The phase is the smallest number of rounds in which some
player can complete a row: 0 for a finished game, 5 at its beginning.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from azul_ai.bits import count
from azul_ai.evaluation.interface import POINTS
from azul_ai.evaluation.shares import fill_shares
from azul_ai.game import MAX_PLAYERS
from azul_ai.games.pattern_lines import LINES
from azul_ai.games.supply import COLORS
from azul_ai.games.walls import (
    COLOR_BONUS,
    COLUMN_BONUS,
    FULL_COLUMN,
    ROW_BONUS,
    ROW_MASK,
    placement_points,
)
from azul_ai.jit import jit

PHASES = 6

MODEL_FIELDS: list[Any] = [
    # points by phase and number of tiles in the row, column or color
    ("row", "f8", (PHASES, LINES + 1)),
    ("column", "f8", (PHASES, LINES + 1)),
    ("color", "f8", (PHASES, COLORS + 1)),
    # weight of the points that the best cell of each row would score
    ("potential", "f8", (PHASES,)),
    # weight of the points of a begun line's cell, times how full the line is
    ("line", "f8", (PHASES,)),
    # points for starting the next round
    ("start", "f8", (PHASES,)),
    # points still to come beside these, by number of players
    ("future", "f8", (PHASES, MAX_PLAYERS + 1)),
    # standard deviation of what two players' difference will change, by players
    ("spread", "f8", (PHASES, MAX_PLAYERS + 1)),
]

COUNT_FIELD, COUNT_MASK = 3, 7
"""Numbers of tiles by color are packed: color c in the 3-bit field at 3c."""


class Fit(NamedTuple):
    """A phase's numbers: by tiles 1-4, or for 2-4 players; see MODEL_FIELDS."""

    row: tuple[float, ...]
    column: tuple[float, ...]
    color: tuple[float, ...]
    potential: float
    line: float
    start: float
    future: tuple[float, ...]
    spread: tuple[float, ...]


# Fitted by `python benchmarks/fit_handmade.py --games 600 --iterations 300 --seed 1`.
FITS = {
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
"""By phase; the gray wall has those of the colored one."""


def new_model(dtype: np.dtype[Any]) -> Any:
    """A model's record with the fitted numbers.

    :param dtype: a record dtype that begins with the MODEL_FIELDS.
    """
    record = np.zeros(1, dtype=dtype)[0]
    for phase in range(1, PHASES):
        fit = FITS[min(phase, max(FITS))]  # before any tile is placed: as after the first
        record["row"][phase] = (0.0, *fit.row, ROW_BONUS)
        record["column"][phase] = (0.0, *fit.column, COLUMN_BONUS)
        record["color"][phase] = (0.0, *fit.color, COLOR_BONUS)
        record["potential"][phase] = fit.potential
        record["line"][phase] = fit.line
        record["start"][phase] = fit.start
        record["future"][phase, 2:] = fit.future
        record["spread"][phase, 2:] = fit.spread
    return record


@jit
def rounds_left(state: Any) -> int:
    """The smallest number of rounds in which some player can complete a row, 1-5."""
    most = 0
    for player in range(state.players):
        wall = state.boards[player].wall
        for row in range(LINES):
            most = max(most, count(wall >> LINES * row & ROW_MASK))
    return LINES - most


@jit
def finish(model: Any, state: Any, phase: int, values: Any) -> None:
    """Add what all players have to come alike, then fill shares and differences."""
    for player in range(state.players):
        values[player, POINTS] += model.future[phase, state.players]
    fill_shares(values, state.players, model.spread[phase, state.players])


@jit
def wall_value(model: Any, wall: int, colors: int, phase: int) -> float:
    """Progress of rows, columns and colors, and what the next tiles could score.

    :param colors: the packed numbers of tiles by color.
    """
    points = 0.0
    for index in range(LINES):
        points += model.row[phase, count(wall >> LINES * index & ROW_MASK)]
        points += model.column[phase, count(wall & FULL_COLUMN << index)]
        points += model.color[phase, colors >> COUNT_FIELD * index & COUNT_MASK]
        points += model.potential[phase] * best_gain(wall, index)
    return points


@jit
def best_gain(wall: int, row: int) -> int:
    """Points that the best free cell of a row would score; 0 in a complete row."""
    best = 0
    for column in range(LINES):
        if not wall >> LINES * row + column & 1:
            best = max(best, placement_points(wall, row, column))
    return best
