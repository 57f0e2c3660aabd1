from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import optimize, stats

from azul_ai.tournament import ratings, sprt, statistics
from azul_ai.tournament.hypotheses import Hypotheses
from azul_ai.tournament.ratings import Result
from azul_ai.tournament.sprt import SequentialTest

QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)

scores = st.lists(st.sampled_from(QUARTERS), min_size=2, max_size=40).map(np.array)


def groups_of(pentanomial: tuple[int, ...]) -> np.ndarray:
    return np.repeat(QUARTERS, pentanomial)


# --- means and intervals ----------------------------------------------------------------


@given(scores)
def test_error_of_equal_clusters_is_that_of_their_means(values: np.ndarray) -> None:
    estimate = statistics.clustered_mean(6 * values, np.full(len(values), 6))
    assert estimate.mean == pytest.approx(values.mean())
    assert estimate.se == pytest.approx(stats.sem(values), abs=1e-12)


@given(st.integers(0, 10**6), st.integers(3, 30))
def test_error_of_unequal_clusters_is_that_of_a_ratio(seed: int, clusters: int) -> None:
    generator = np.random.default_rng(seed)
    counts = generator.integers(1, 6, clusters)
    totals = counts * generator.random(clusters)
    estimate = statistics.clustered_mean(totals, counts)
    # The variance of a ratio from the variances and the covariance of its two parts.
    ratio = totals.sum() / counts.sum()
    parts = np.cov(totals, counts)
    variance = parts[0, 0] + ratio**2 * parts[1, 1] - 2 * ratio * parts[0, 1]
    assert estimate.mean == pytest.approx(ratio)
    assert estimate.se == pytest.approx(math.sqrt(variance * clusters) / counts.sum())


def test_what_is_not_known_is_none() -> None:
    assert statistics.clustered_mean([], []) == statistics.Estimate(None, None)
    assert statistics.clustered_mean([1.5], [2]) == statistics.Estimate(0.75, None)
    assert statistics.score_interval(np.array([0.5])) is None
    assert statistics.superiority(np.array([0.5])) is None


@given(scores)
def test_interval_and_superiority_are_those_of_a_t_test(values: np.ndarray) -> None:
    assume(values.std() > 0)
    test = stats.ttest_1samp(values, 0.5)
    low, high = test.confidence_interval(0.95)
    interval = statistics.score_interval(values)
    assert interval == pytest.approx((max(0, low), min(1, high)))
    above = stats.ttest_1samp(values, 0.5, alternative="greater")
    assert statistics.superiority(values) == pytest.approx(1 - above.pvalue)


def test_groups_all_won_leave_a_doubt() -> None:
    low, high = statistics.score_interval(np.ones(20)) or (0, 0)
    assert low**20 == pytest.approx(0.025)  # a weaker player wins 20 of 20 that seldom
    assert high == 1
    assert statistics.superiority(np.ones(3)) == pytest.approx(stats.beta(4, 1).sf(0.5))
    assert statistics.superiority(np.zeros(3)) == pytest.approx(stats.beta(1, 4).sf(0.5))
    assert statistics.superiority(np.full(3, 0.5)) == 0.5
    assert statistics.score_interval(np.full(3, 0.5)) == (0.5, 0.5)


@pytest.mark.parametrize(
    ("pentanomial", "elo", "reach"),
    [  # as printed by OpenBench, whose intervals are normal ones
        ((1400, 4234, 7874, 4238, 1373), -0.45, 2.49),
        ((34, 635, 1322, 712, 50), 6.88, 5.07),
        ((49, 947, 2132, 1094, 33), 4.70, 3.89),
    ],
)
def test_published_elo_differences(pentanomial: tuple[int, ...], elo: float, reach: float) -> None:
    groups = groups_of(pentanomial)
    low, high = statistics.score_interval(groups) or (0, 0)
    assert statistics.elo_difference(groups.mean()) == pytest.approx(elo, abs=0.005)
    found = [statistics.elo_difference(end) or 0 for end in (low, high)]
    assert (found[1] - found[0]) / 2 == pytest.approx(reach, abs=0.01)
    assert statistics.pentanomial(groups) == list(pentanomial)


def test_elo_of_scores() -> None:
    # 10 ** (400 / 400) : 1 are the odds of 10 : 1; 76 of 78 games are +631.91 (fastchess).
    assert statistics.elo_difference(10 / 11) == pytest.approx(400)
    assert statistics.elo_difference(76 / 78) == pytest.approx(631.91, abs=0.005)
    assert statistics.elo_difference(0) is None
    assert statistics.elo_difference(1) is None
    # Among four, 1/4 is even; twice the strength of each other one wins 2 of 2 + 3.
    assert statistics.elo_difference(0.25, even=0.25) == 0
    assert statistics.elo_difference(2 / 5, even=0.25) == pytest.approx(400 * math.log10(2))


@given(st.floats(-800, 800))
def test_elo_and_score_are_inverse(elo: float) -> None:
    score = statistics.expected_score(elo)
    assert statistics.elo_difference(score) == pytest.approx(elo, abs=1e-6)


# --- the sequential test ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("pentanomial", "elo0", "elo1", "llr"),
    [  # from Stockfish's pull requests 2493, 2920, 2950, 2951, 2971 and 3017, as fishtest had them
        ((1284, 17437, 55536, 18085, 1292), 0.0, 2.0, 2.94),
        ((665, 4806, 9333, 4893, 747), -0.5, 1.5, 2.95),
        ((328, 4564, 15580, 4789, 371), 0.25, 1.75, 2.98),
        ((149, 4748, 32785, 5063, 159), 0.25, 1.75, 2.95),
        ((59, 754, 2467, 865, 75), -0.5, 1.5, 2.95),
        ((17, 253, 1042, 337, 39), -0.5, 1.5, 2.96),
        ((11, 407, 3238, 513, 11), 0.25, 1.75, 2.93),
        ((174, 2658, 10273, 2713, 178), -1.5, 0.5, 2.96),
        ((40, 1272, 12142, 1300, 30), -1.5, 0.5, 3.01),
    ],
)
def test_published_likelihood_ratios(
    pentanomial: tuple[int, ...], elo0: float, elo1: float, llr: float
) -> None:
    counts = dict(zip(QUARTERS, pentanomial, strict=True))
    found = sprt.log_likelihood_ratio(counts, elo0, elo1)
    assert found == pytest.approx(llr, abs=0.0051)


def likeliest(values: np.ndarray, counts: np.ndarray, expectation: float) -> float:
    """The largest log likelihood of a distribution with an expectation, by a general solver."""
    start = np.full(len(values), 1 / len(values))
    constraints = [
        {"type": "eq", "fun": lambda p: p.sum() - 1},
        {"type": "eq", "fun": lambda p: p @ values - expectation},
    ]
    found = optimize.minimize(
        lambda p: -counts @ np.log(p) / counts.sum(),
        start,
        bounds=[(1e-9, 1)] * len(values),
        constraints=constraints,
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-14},
    )
    assert found.success
    return -float(found.fun) * counts.sum()


@pytest.mark.parametrize(
    "counts",
    [(3, 8, 20, 9, 5), (30, 2, 1, 2, 40), (1, 1, 1, 1, 60)],
)
def test_likelihood_ratio_against_a_general_solver(counts: tuple[int, ...]) -> None:
    numbers = np.array(counts, dtype=float)
    values = np.array(QUARTERS)
    elo0, elo1 = -30.0, 60.0
    expected = likeliest(values, numbers, statistics.expected_score(elo1)) - likeliest(
        values, numbers, statistics.expected_score(elo0)
    )
    found = sprt.log_likelihood_ratio(dict(zip(QUARTERS, counts, strict=True)), elo0, elo1)
    assert found == pytest.approx(expected, abs=1e-4)


def test_bounds_are_walds() -> None:
    tested = Hypotheses(alpha=0.05, beta=0.10)
    assert tested.upper == pytest.approx(math.log(0.90 / 0.05))
    assert tested.lower == pytest.approx(math.log(0.10 / 0.95))


@pytest.mark.parametrize(
    "wrong",
    [{"elo0": 5, "elo1": 5}, {"alpha": 0}, {"beta": 0.5}, {"elo1": float("nan")}],
)
def test_impossible_hypotheses_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="|".join(wrong)):
        Hypotheses(**wrong)


@pytest.mark.parametrize(("elo", "right"), [(0.0, "H0"), (100.0, "H1")])
def test_the_error_rates_hold(elo: float, right: str) -> None:
    # Pairs of games whose scores have the expectation that the Elo difference stands for.
    generator = np.random.default_rng(17)
    score = statistics.expected_score(elo)
    runs, wrong, most = 100, 0, 0
    for _ in range(runs):
        test = SequentialTest(Hypotheses(0, 100, 0.05, 0.05))
        while test.decision is None:
            test.add(generator.binomial(4, score) / 4)
        wrong += test.decision != right
        most = max(most, test.groups)
    # At a rate of 5 % more than 12 of 100 happen once in 1,500 such tests.
    assert wrong <= 12
    assert most < 300


def test_nothing_counts_after_the_decision() -> None:
    test = SequentialTest(Hypotheses(0, 200))
    while test.decision is None:
        test.add(1.0)
    before = test.to_dict()
    test.add(0.0)
    assert test.to_dict() == before
    assert before["decision"] == "H1"


# --- ratings ----------------------------------------------------------------------------


def duels(won: int, lost: int) -> list[Result]:
    results = [Result(deal, ("a", "b"), (1.0, 0.0)) for deal in range(won)]
    return results + [Result(won + deal, ("b", "a"), (1.0, 0.0)) for deal in range(lost)]


def test_two_players_are_as_far_apart_as_their_odds() -> None:
    rated = ratings.rate(duels(30, 10), samples=0)
    # The tied game that every pair is given adds half a win to both.
    assert rated["a"].elo - rated["b"].elo == pytest.approx(400 * math.log10(30.5 / 10.5))
    assert rated["a"].elo + rated["b"].elo == pytest.approx(0, abs=1e-9)


def test_rating_errors_are_those_of_the_odds() -> None:
    won, lost = 300, 100
    rated = ratings.rate(duels(won, lost), samples=400)
    # Half the standard error of a log odds ratio, as each of two stands half the way off.
    expected = statistics.ELO_SCALE * math.sqrt(1 / won + 1 / lost) / 2
    assert rated["a"].se == pytest.approx(expected, rel=0.15)
    assert rated["b"].se == pytest.approx(rated["a"].se)


def test_who_won_everything_has_a_finite_rating_of_unknown_error() -> None:
    rated = ratings.rate(duels(20, 0), samples=50)
    assert rated["a"].elo - rated["b"].elo == pytest.approx(400 * math.log10(20.5 / 0.5), abs=0.1)
    assert rated["a"].se is None
    assert rated["b"].se is None


def test_several_players_and_seats_against_hunters_iteration() -> None:
    # Random results of three-seat games between four players of different strength.
    generator = np.random.default_rng(5)
    names = ["a", "b", "c", "d"]
    strength = np.array([8.0, 4.0, 2.0, 1.0])
    results = []
    for deal in range(400):
        seats = generator.choice(4, 3, replace=False)
        shares = np.zeros(3)
        chances = strength[seats] / strength[seats].sum()
        if deal % 10 == 0:
            shares[generator.choice(3, 2, replace=False)] = 0.5
        else:
            shares[generator.choice(3, p=chances)] = 1
        results.append(Result(deal, [names[i] for i in seats], shares.tolist()))
    # Hunter, "MM algorithms for generalized Bradley-Terry models" (2004), the tied games added.
    seated, wins = np.zeros((406, 4)), np.zeros(4)
    for game, result in enumerate(results):
        for name, share in zip(result.players, result.shares, strict=True):
            seated[game, names.index(name)] = 1
            wins[names.index(name)] += share
    for game, pair in enumerate(itertools.combinations(range(4), 2), len(results)):
        seated[game, list(pair)] = 1
        wins[list(pair)] += 0.5
    gamma = np.ones(4)
    for _ in range(2000):
        gamma = wins / (seated.T @ (1 / (seated @ gamma)))
    expected = statistics.ELO_SCALE * (np.log(gamma) - np.log(gamma).mean())
    rated = ratings.rate(results, samples=20)
    assert [rated[name].elo for name in names] == pytest.approx(expected, abs=0.05)
    assert all(5 < (rated[name].se or 0) < 60 for name in names)


def test_a_list_repeats() -> None:
    assert ratings.rate(duels(7, 5), samples=30) == ratings.rate(duels(7, 5), samples=30)
    assert ratings.rate([], samples=30) == {}
