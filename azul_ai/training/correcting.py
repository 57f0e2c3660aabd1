"""The correction that makes a network true of games that it plays by itself.

It was fitted to games of weaker players, and to what searches told, which leaves it too cautious
in some rounds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai.evaluation.correction import ODDS, ROUNDS, no_correction
from azul_ai.evaluation.interface import DIFF, POINTS, WIN
from azul_ai.training.fitting import Seen, targets
from azul_ai.training.layers import LEAST_SHARE, Floats, Layers, columns, forward, win_shares
from azul_ai.training.samples import Samples

_FACTORS = np.geomspace(0.5, 2.0, 141)
"""Of the outputs for the win, a hundredth apart."""
_FACTOR_SPREAD, _ODDS_SPREAD, _NO_POINTS = 0.2, 0.1, 100
"""What is known before: the spread of the logarithms of the factor and of that of the odds; so
many players without correction."""
_STEPS = 8
"""Of Newton's method, which begins near enough."""


def correct(numbers: Layers, samples: Samples, seen: Seen) -> Any:
    """The correction for what a network says of samples, (ROUNDS, 4), by round.

    The factors are the most likely ones; where a round is rare they stay near one, as normal
    distributions of their logarithms have it, and points unchanged.
    See :data:`azul_ai.evaluation.correction.CORRECTION`.
    """
    players = samples.outcomes.shape[1]
    happened = targets(samples, seen, 0.0)
    outputs = forward(numbers, seen.inputs)[-1]
    shares, _ = win_shares(outputs[:, columns(WIN, players)])
    rounds = np.clip(samples.states["round"], 1, ROUNDS) - 1
    correction = no_correction()
    for place in range(ROUNDS):
        here = rounds == place
        found = [_most_likely(factor, shares[here], happened.shares[here]) for factor in _FACTORS]
        _, correction[place, WIN], correction[place, ODDS] = min(found)
        for column, wanted in ((POINTS, happened.points), (DIFF, happened.diffs)):
            missing = wanted[here] - outputs[here, columns(column, players)]
            correction[place, column] = missing.sum() / (missing.size + _NO_POINTS)
    return correction


def _most_likely(factor: float, shares: Floats, won: Floats) -> tuple[float, float, float]:
    """How unlikely, in nats, what happened is with a factor, the factor, and that of the odds.

    Every player is told his chance by itself (:func:`azul_ai.evaluation.correction.sharpen`): that
    he wins or not counts half, since with two players one says what the other does.
    """
    others = shares.shape[1] - 1
    share = np.clip(shares.astype(np.float64), LEAST_SHARE, 1 - LEAST_SHARE)
    times_even = (others + 1) * share, (others + 1) * (1 - share) / others
    own, theirs = (np.arcsinh(factor * (times - 1 / times) / 2) for times in times_even)
    logs, odds = own - theirs - np.log(others), 0.0
    for _ in range(_STEPS if others > 1 else 0):
        told = 1 / (1 + np.exp(-logs - odds))
        slope = (told - won).sum() / 2 + odds / _ODDS_SPREAD**2
        odds -= slope / ((told * (1 - told)).sum() / 2 + 1 / _ODDS_SPREAD**2)
    logs += odds
    happened = (np.logaddexp(0, -logs) * won + np.logaddexp(0, logs) * (1 - won)).sum() / 2
    before = (np.log(factor) / _FACTOR_SPREAD) ** 2 + (odds / _ODDS_SPREAD) ** 2
    return float(happened + before / 2), float(factor), float(np.exp(odds))
