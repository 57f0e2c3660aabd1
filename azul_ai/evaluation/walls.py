"""What the hand-made evaluations of Azul's two walls share.

Per player, expected final points = score + what the wall, the lines begun and the start of
the next round are worth, by phase. The phase is the smallest number of rounds in which some
player can complete a row: 0 for a finished game, 5 at its beginning.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from azul_ai.bits import count
from azul_ai.evaluation.interface import POINTS
from azul_ai.evaluation.shares import fill_shares
from azul_ai.game import MAX_PLAYERS
from azul_ai.games.drafting import LINES
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


def fill_model(record: Any, fits: Mapping[int, Fit]) -> None:
    """Write the numbers of the phases into a model's record.

    :param fits: by phase, from 1.
    """
    for phase in range(1, PHASES):
        fit = fits[min(phase, max(fits))]  # before any tile is placed: as after the first
        record["row"][phase] = (0.0, *fit.row, ROW_BONUS)
        record["column"][phase] = (0.0, *fit.column, COLUMN_BONUS)
        record["color"][phase] = (0.0, *fit.color, COLOR_BONUS)
        record["potential"][phase] = fit.potential
        record["line"][phase] = fit.line
        record["start"][phase] = fit.start
        record["future"][phase, 2:] = fit.future
        record["spread"][phase, 2:] = fit.spread


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
        best = 0
        for column in range(LINES):
            if not wall >> LINES * index + column & 1:
                best = max(best, placement_points(wall, index, column))
        points += model.potential[phase] * best
    return points
