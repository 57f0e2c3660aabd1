"""From expected points of the players to shares of the win and expected differences.

Only square roots are used, no exponentials: those differ in their last bit between
machines, and search results must not.
"""

from __future__ import annotations

import math
from typing import Any

from azul_ai.evaluation.interface import DIFF, POINTS, WIN
from azul_ai.jit import jit

ROW = 0.125
"""A complete row beside the final points, as the tie-break counts it."""


@jit
def beats(lead: float, spread: float) -> float:
    """Probability of finishing ahead with an expected lead, an algebraic sigmoid.

    :param spread: points, the standard deviation of the lead; a lead of one spread wins 84 %,
        as it does for a normal distribution.
    """
    return 0.5 + 0.5 * lead / math.sqrt(lead * lead + 1.1 * spread * spread)


@jit
def fill_shares(values: Any, players: int, spread: float) -> None:
    """Fill WIN and DIFF from POINTS.

    A player's share is the product of his chances against each other player, normalized.
    The best of the others is taken as a smooth maximum, from the highest down: the larger of
    two uncertain numbers is on average larger than both expectations.
    """
    if players == 2:
        lead = values[0, POINTS] - values[1, POINTS]
        share = beats(lead, spread)
        values[0, WIN], values[1, WIN] = share, 1.0 - share
        values[0, DIFF], values[1, DIFF] = lead, -lead
        return
    total = 0.0
    for player in range(players):
        points = values[player, POINTS]
        share = 1.0
        high, low, middle = -math.inf, math.inf, -math.inf
        for other in range(players):
            if other != player:
                theirs = values[other, POINTS]
                share *= beats(points - theirs, spread)
                middle = max(middle, min(high, theirs))
                high, low = max(high, theirs), min(low, theirs)
        best = smooth_max(high, middle, spread)
        if players == 4:
            best = smooth_max(best, low, spread)
        values[player, WIN] = share
        values[player, DIFF] = points - best
        total += share
    for player in range(players):
        values[player, WIN] /= total


@jit
def smooth_max(a: float, b: float, spread: float) -> float:
    """Expectation of the larger of two numbers, about, whose difference spreads so much."""
    gap = a - b
    return 0.5 * (a + b + math.sqrt(gap * gap + 0.5 * spread * spread))


@jit
def settle(players: int, values: Any) -> None:
    """Fill the exact values of a finished game from final points with rows as their fraction."""
    best, second, sharing = -1.0, -1.0, 0
    for player in range(players):
        points = values[player, POINTS]
        sharing = sharing + 1 if points == best else 1 if points > best else sharing
        second = min(best, points) if points > best else max(second, points)
        best = max(best, points)
    for player in range(players):
        points = values[player, POINTS]
        values[player, WIN] = 1.0 / sharing if points == best else 0.0
        values[player, POINTS] = math.floor(points)
        others = second if points == best else best
        values[player, DIFF] = values[player, POINTS] - math.floor(others)
