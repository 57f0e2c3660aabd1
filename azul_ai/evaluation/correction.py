"""What makes a network's chances true of what happens in games: a correction, by round.

A search thinks with chances as they are (:mod:`azul_ai.evaluation.network`) and tells them
corrected; the correction is fitted by :mod:`azul_ai.training.correcting`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from azul_ai.evaluation.interface import WIN
from azul_ai.jit import jit

ROUNDS = 6
"""Rounds with corrections of their own; the last one's hold for later ones, too."""
CORRECTION = "correction"
"""The field that makes values true of what happened, (ROUNDS, 4): by the round just played, a
factor of WIN, what is added to POINTS and DIFF, and a factor of the odds to win, beside that of
WIN (:func:`sharpen`). Two factors are Platt's ("Probabilistic outputs for support vector
machines", 1999); with two players the odds have none, as their chances add up to one."""
ODDS = 3
"""The column of the correction that multiplies odds."""
SHAPE = (ROUNDS, 4)
"""Of a correction."""


def no_correction() -> Any:
    """A correction that changes nothing."""
    correction = np.zeros(SHAPE, dtype=np.float32)
    correction[:, WIN] = correction[:, ODDS] = 1
    return correction


@jit
def weight(logit: float) -> float:
    """exp(asinh(logit)), to which a share of the win is proportional."""
    root = math.sqrt(1.0 + logit * logit)
    return root + logit if logit > 0.0 else 1.0 / (root - logit)


@jit
def place_of(state: Any) -> int:
    """The row of the corrections for the round just played."""
    return min(max(state["round"], 1), ROUNDS) - 1


@jit
def sharpen(share: float, players: int, factor: float, odds: float) -> float:
    """A share of the win with its logit multiplied, an even share having 0, and then its odds.

    The others are taken to share the rest evenly. It grows with the share; 0 and 1 stay.
    """
    if share <= 0.0 or share >= 1.0:
        return share
    others = players - 1
    own = odds * weight(factor * logit(players * share))
    theirs = weight(factor * logit(players * (1.0 - share) / others))
    return own / (own + others * theirs)


@jit
def logit(times_even: float) -> float:
    """Of which :func:`weight` is so many times that of an even share."""
    return (times_even - 1.0 / times_even) / 2.0


@jit
def correct_network(model: Any, state: Any, values: Any) -> None:
    """Sharpen everybody's share of the win by itself, but for exact ones."""
    correction, players = model.correction[place_of(state)], state.players
    factor, odds = float(correction[WIN]), float(correction[ODDS])
    if (factor != 1.0 or odds != 1.0) and not is_exact(values, players):
        for player in range(players):
            values[player, WIN] = sharpen(values[player, WIN], players, factor, odds)


@jit
def is_exact(values: Any, players: int) -> bool:
    """Whether shares are those of a finished game: somebody has none, or all the same.

    Estimates are above 0, and never all the same but by accident.
    """
    even = True
    for player in range(players):
        if values[player, WIN] <= 0.0:
            return True
        even = even and values[player, WIN] == values[0, WIN]
    return even
