"""What results establish: means with errors over groups, Elo differences, likelihoods.

The games of a group share their deals and swap the seats, so they are not independent;
groups are. Every error here comes from the spread of groups (or of deals, where several
groups share one), never from that of single games.

Sources: Cochran, "Sampling Techniques" (3rd ed. 1977), chapter 6, for the error of a ratio;
Elo, "The Rating of Chessplayers" (1978), for the logistic scale; Student's t as the
posterior of a mean with unknown spread, e.g. Gelman et al., "Bayesian Data Analysis" (3rd
ed. 2013), section 3.2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

Floats = npt.NDArray[np.float64]

ELO_SCALE = 400 / math.log(10)
"""Elo points per unit of log odds."""

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A mean and its standard error.

    ``mean`` is None without observations, ``se`` None with fewer than two independent ones.
    """

    mean: float | None
    se: float | None


def clustered_mean(totals: Sequence[float], counts: Sequence[float]) -> Estimate:
    """The mean of observations that are independent only between clusters.

    :param totals: sum of the observations of each cluster.
    :param counts: number of observations of each cluster, all above 0.
    """
    if not len(totals):
        return Estimate(None, None)
    sums, sizes = np.asarray(totals, dtype=np.float64), np.asarray(counts, dtype=np.float64)
    mean = float(sums.sum() / sizes.sum())
    clusters = len(sums)
    if clusters < 2:
        return Estimate(mean, None)
    residuals = sums - mean * sizes
    variance = clusters / (clusters - 1) * float(residuals @ residuals) / float(sizes.sum()) ** 2
    return Estimate(mean, math.sqrt(variance))


def expected_score(elo: float) -> float:
    """The score between two players that an Elo difference stands for."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_difference(score: float, even: float = 0.5) -> float | None:
    """The Elo difference that a score stands for; None (infinite) for 0 and 1.

    :param even: the score of equally strong players: 1/n for one seat among n. With more
        than two seats the scale is that of Luce's choice model, in which a player wins with
        a probability proportional to 10 ** (elo / 400).
    """
    if not 0 < score < 1:
        return None
    return ELO_SCALE * (math.log(score / (1 - score)) - math.log(even / (1 - even)))


def score_interval(groups: Floats) -> tuple[float, float] | None:
    """A 95 % interval for the expected score; None for fewer than two groups.

    Student's t over the groups. If all groups were won, or all lost, their spread says
    nothing: then the exact binomial interval (Clopper and Pearson 1934) over the groups.

    :param groups: mean score of each group, 0 … 1.
    """
    number = len(groups)
    if number < 2:
        return None
    mean = float(groups.mean())
    if mean in (0.0, 1.0):
        exact = stats.binomtest(round(mean * number), number).proportion_ci(CONFIDENCE, "exact")
        return float(exact.low), float(exact.high)
    reach = float(stats.t.ppf((1 + CONFIDENCE) / 2, number - 1) * stats.sem(groups))
    return max(0.0, mean - reach), min(1.0, mean + reach)


def superiority(groups: Floats) -> float | None:
    """Probability that the true score exceeds 1/2; None for fewer than two groups.

    :param groups: mean score of each group, 0 … 1. If they do not differ at all, a won or
        lost group counts as a coin's toss, with a uniform prior.
    """
    number = len(groups)
    if number < 2:
        return None
    lead = float(groups.mean()) - 0.5
    error = float(stats.sem(groups))
    if error > 0:
        return float(stats.t.cdf(lead / error, number - 1))
    all_alike: float = 0.5 if lead == 0 else 1 - 0.5 ** (number + 1)
    return all_alike if lead >= 0 else 1 - all_alike


def pentanomial(pairs: Floats) -> list[int]:
    """Numbers of game pairs that scored 0, 1/2, 1, 3/2 and 2 points.

    :param pairs: mean score of each pair of games, a multiple of 1/4.
    """
    quarters = np.rint(pairs * 4).astype(np.int64)
    return [int(number) for number in np.bincount(quarters, minlength=5)]
