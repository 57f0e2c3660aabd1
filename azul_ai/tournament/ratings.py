"""A rating list: how strong each player is, on one scale, from who beat whom.

Bradley and Terry, "Rank analysis of incomplete block designs" (1952), in Luce's form for any
number of seats ("Individual choice behavior", 1959): each seat wins with a probability
proportional to 10 ** (rating / 400) of its player, and a shared win counts in shares. Every
two players who met count one more, tied game against each other, so that a player who won
all games has a finite rating. Errors come from a bootstrap over deals (Efron 1979).
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import optimize

from azul_ai.tournament.statistics import ELO_SCALE, Floats

SAMPLES = 400
"""Bootstrap samples: the error of an error is then 4 %."""

SEED = 1
"""Seed of the bootstrap, so that a record always gives the same list."""


@dataclass(frozen=True)
class Result:
    """What ratings need of a game: the luck it shares with others, and by seat who and how."""

    deal: Hashable
    players: Sequence[str]
    shares: Sequence[float]


@dataclass(frozen=True)
class Rating:
    """Elo points above the mean of all players, and the error; None where it is not known.

    It is not known for a player who won or lost everything, and with fewer than two deals.
    """

    elo: float
    se: float | None


@dataclass(frozen=True)
class _Tally:
    """Results summed over equal lineups.

    ``seats``: (lineups, players), how many seats each player has; ``games``: (deals,
    lineups); ``wins``: (deals, lineups, players).
    """

    seats: Floats
    games: Floats
    wins: Floats

    def sums(self, weights: Floats) -> tuple[Floats, Floats]:
        """Games by lineup, and wins by player, with a weight for each deal."""
        return weights @ self.games, np.einsum("d,dlp->p", weights, self.wins)


def rate(results: Sequence[Result], samples: int) -> dict[str, Rating]:
    """The ratings of all players, in the order in which they first appear.

    :param samples: bootstrap samples; 0: no errors.
    """
    names = list(dict.fromkeys(name for result in results for name in result.players))
    if not names:
        return {}
    tally = _tally(results, names)
    deals = len(tally.games)
    log_strengths = _fit(tally, np.ones(deals), np.zeros(len(names)))
    errors: list[float | None] = [None] * len(names)
    if deals > 1 and samples:
        generator = np.random.default_rng(SEED)
        draws = generator.multinomial(deals, np.full(deals, 1 / deals), samples)
        fits = [_fit(tally, draw.astype(np.float64), log_strengths) for draw in draws]
        spreads = ELO_SCALE * np.std(fits, axis=0, ddof=1)
        wins = tally.wins.sum(axis=(0, 1))
        played = tally.games.sum(axis=0) @ (tally.seats > 0)
        for index, spread in enumerate(spreads):
            if 0 < wins[index] < played[index]:
                errors[index] = float(spread)
    elos = ELO_SCALE * (log_strengths - log_strengths.mean())
    return {
        name: Rating(float(elo), error)
        for name, elo, error in zip(names, elos, errors, strict=True)
    }


def _tally(results: Sequence[Result], names: Sequence[str]) -> _Tally:
    lineups = {tuple(sorted(result.players)): 0 for result in results}
    lineups = {lineup: index for index, lineup in enumerate(lineups)}
    deals = {deal: index for index, deal in enumerate(dict.fromkeys(r.deal for r in results))}
    number = {name: index for index, name in enumerate(names)}
    seats = np.zeros((len(lineups), len(names)))
    for lineup, index in lineups.items():
        for name, held in Counter(lineup).items():
            seats[index, number[name]] = held
    games = np.zeros((len(deals), len(lineups)))
    wins = np.zeros((len(deals), len(lineups), len(names)))
    for result in results:
        deal, lineup_index = deals[result.deal], lineups[tuple(sorted(result.players))]
        games[deal, lineup_index] += 1
        for name, share in zip(result.players, result.shares, strict=True):
            wins[deal, lineup_index, number[name]] += share
    return _Tally(seats, games, wins)


def _fit(tally: _Tally, weights: Floats, start: Floats) -> Floats:
    """The likeliest natural logarithms of the strengths, their sum that of ``start``."""
    games, wins = tally.sums(weights)
    pairs = _tied_pairs(tally.seats)
    seats = np.vstack([tally.seats, pairs])
    games = np.concatenate([games, np.ones(len(pairs))])
    wins = wins + pairs.sum(axis=0) / 2

    def cost(log_strengths: Floats) -> tuple[float, Floats]:
        shift = log_strengths.max()
        weighted = seats * np.exp(log_strengths - shift)
        totals = weighted.sum(axis=1)
        expected = games @ (weighted / totals[:, None])
        likelihood = wins @ log_strengths - games @ (np.log(totals) + shift)
        return -float(likelihood), expected - wins

    # The gradient's sum is 0, so the solver keeps the sum, which the likelihood leaves open.
    fitted: Floats = optimize.minimize(cost, start, jac=True, method="BFGS").x
    return fitted


def _tied_pairs(seats: Floats) -> Floats:
    """A lineup of two for every two players who met, shape (pairs, players)."""
    met = (seats > 0).astype(np.int64)
    together = met.T @ met
    pairs = [pair for pair in itertools.combinations(range(len(together)), 2) if together[pair] > 0]
    lineups = np.zeros((len(pairs), seats.shape[1]))
    for index, pair in enumerate(pairs):
        lineups[index, list(pair)] = 1
    return lineups
