"""Sequential test of two Elo differences, stopping as soon as the games decide.

The generalized sequential probability ratio test over the scores of groups, with no model of
their distribution: for either hypothesis, the likeliest distribution over the scores that has
the expectation it claims. For two players that is the pentanomial test of Stockfish's
fishtest.

Source: Van den Bergh, "Maximum likelihood estimation of a multinomial distribution with a
given expectation" (support_MLE_multinomial.pdf of the Fishtest mathematics).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal

import numpy as np
from scipy import optimize

from azul_ai.tournament.hypotheses import Hypotheses
from azul_ai.tournament.statistics import Floats, expected_score

UNSEEN = 1e-3
"""Weight of a possible score that no group had (of a group), so that no claim is impossible."""

_PENTANOMIAL = (0.0, 0.25, 0.5, 0.75, 1.0)
_DIGITS = 9
"""Group scores that agree so far are the same score."""

Decision = Literal["H0", "H1"]


def log_likelihood_ratio(groups: Mapping[float, int], elo0: float, elo1: float) -> float:
    """Log likelihood of ``elo1`` less that of ``elo0``, each in its likeliest form.

    :param groups: how many groups had each mean score, 0 … 1.
    """
    seen = {**dict.fromkeys(_PENTANOMIAL, UNSEEN), **groups}
    support = np.array(sorted(seen))
    weights = np.array([seen[score] for score in support])
    log_0 = np.log(_tilt(support, weights, expected_score(elo0)))
    log_1 = np.log(_tilt(support, weights, expected_score(elo1)))
    return float(weights @ (log_0 - log_1))


def _tilt(support: Floats, weights: Floats, expectation: float) -> Floats:
    """What the likeliest distribution with an expectation divides the observed weights by.

    Lagrange's condition gives p_i = weight_i / (1 + t (support_i - expectation)) up to a
    constant; t is the one root that keeps every p_i positive.
    """
    offsets = support - expectation
    lowest, highest = -1 / offsets[-1], -1 / offsets[0]
    margin = 1e-9 * (highest - lowest)

    def excess(t: float) -> float:
        return float(np.sum(weights * offsets / (1 + t * offsets)))

    root = optimize.brentq(excess, lowest + margin, highest - margin, xtol=1e-12)
    tilt: Floats = 1 + root * offsets
    return tilt


class SequentialTest:
    """A test that is given the score of one group after another, up to the one that decides.

    ``llr`` is the log likelihood ratio after ``groups`` groups; ``decision`` is None while
    neither hypothesis is accepted.
    """

    def __init__(self, hypotheses: Hypotheses) -> None:
        self.hypotheses = hypotheses
        self.llr = 0.0
        self.decision: Decision | None = None
        self._groups: Counter[float] = Counter()

    @property
    def groups(self) -> int:
        """Number of groups that count."""
        return self._groups.total()

    def add(self, score: float) -> None:
        """Count a group's mean score, 0 … 1; after the decision nothing counts any more."""
        if self.decision is not None:
            return
        tested = self.hypotheses
        self._groups[round(score, _DIGITS)] += 1
        self.llr = log_likelihood_ratio(self._groups, tested.elo0, tested.elo1)
        if self.llr <= tested.lower:
            self.decision = "H0"
        elif self.llr >= tested.upper:
            self.decision = "H1"

    def to_dict(self) -> dict[str, object]:
        """The keys of ``sprt`` in the tournament's JSON."""
        tested = self.hypotheses
        return {
            "elo0": tested.elo0,
            "elo1": tested.elo1,
            "alpha": tested.alpha,
            "beta": tested.beta,
            "llr": self.llr,
            "lower": tested.lower,
            "upper": tested.upper,
            "groups": self.groups,
            "decision": self.decision,
        }
