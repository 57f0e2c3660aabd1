"""Values as whole numbers that alpha-beta can compare exactly.

A score is a value seen by one player, the hero, who maximizes it while all others minimize
it: with two players the hero's utility minus the opponent's, otherwise (the paranoid view)
the hero's utility. It counts in units of 1e-12, so that two neighboring scores leave no room
between them for a third, and a search with such a window answers yes or no.
"""

from __future__ import annotations

import math
from typing import Any

from azul_ai.evaluation.interface import MAX_DIFF, POINT_WEIGHT, POINTS, WIN, utility
from azul_ai.jit import jit

UNIT = 1e12
INFINITE = 1 << 61

TIE = 1e3
"""Weight of one of the hero's points among equals: less than any difference that counts on
finished games. With it a position's value has one set of points, not several equally good."""

WIN_BOUND = int(UNIT * (1.0 + 2.0 * POINT_WEIGHT * MAX_DIFF) + TIE * 4.0 * MAX_DIFF)
"""No score is farther from 0 than this with the objective WIN."""


@jit
def score(values: Any, hero: int, players: int, objective: int) -> int:
    """The score of values of shape (MAX_PLAYERS, 3)."""
    worth = utility(values, hero, objective)
    if players == 2:
        worth -= utility(values, 1 - hero, objective)
    return math.floor(UNIT * worth + TIE * values[hero, POINTS] + 0.5)


@jit
def bound(objective: int) -> int:
    """What no score exceeds in size, or INFINITE where that is not known."""
    return WIN_BOUND if objective == WIN else INFINITE
