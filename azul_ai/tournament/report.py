"""Counts the games of a tournament: figures for every player and every two of them.

Only whole groups count, since only they balance the luck of the seats. Games that a failure
ended count for the score, but have no points.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from azul_ai.tournament import ratings, statistics
from azul_ai.tournament.figures import PairFigures, PlayerFigures, Report
from azul_ai.tournament.ratings import Rating, Result
from azul_ai.tournament.records import Game, Record, complete_groups
from azul_ai.tournament.sprt import SequentialTest
from azul_ai.tournament.statistics import Estimate, Floats


class _Clusters:
    """Observations summed by cluster."""

    def __init__(self) -> None:
        self._sums: dict[Hashable, list[float]] = defaultdict(lambda: [0.0, 0.0])

    def add(self, cluster: Hashable, value: float) -> None:
        sums = self._sums[cluster]
        sums[0] += value
        sums[1] += 1

    def estimate(self) -> Estimate:
        sums = list(self._sums.values())
        return statistics.clustered_mean([s for s, _ in sums], [n for _, n in sums])

    def means(self) -> Floats:
        return np.array([total / number for total, number in self._sums.values()])


@dataclass(frozen=True)
class _Counted:
    """A game that counts, and the deal whose luck it shares with others."""

    deal: Hashable
    game: Game

    def share(self, name: str) -> float:
        """A player's share of the win, over all seats he has."""
        pairs = zip(self.game.names, self.game.shares, strict=True)
        return sum(share for player, share in pairs if player == name)

    def points(self, name: str) -> list[int]:
        """A player's points by his seats; [] after a failure."""
        points = self.game.points or []
        return [points[seat] for seat in self.seats(name) if points]

    def seats(self, name: str) -> list[int]:
        """Where a player sat."""
        return [seat for seat, player in enumerate(self.game.names) if player == name]

    def lead(self, seat: int) -> int | None:
        """A seat's points less the best other seat's; None after a failure."""
        points = self.game.points
        if points is None:
            return None
        return points[seat] - max(points[:seat] + points[seat + 1 :])


def pair_score(games: Sequence[Game], a: str, b: str) -> float:
    """Mean score of ``a`` against ``b`` in a group; see :class:`PairFigures`."""
    counted = [_Counted(None, game) for game in games]
    return sum((1 + c.share(a) - c.share(b)) / 2 for c in counted) / len(games)


def of_records(records: Mapping[str, Record], *, final: bool = True) -> Report:
    """The report of one or several records, by the names of their files.

    :param final: False: leave out what takes long, the test and the errors of the ratings.
    """
    counted: list[_Counted] = []
    everything: list[Game] = []
    test = None
    for source, record in records.items():
        groups = complete_groups(record.games.values())
        if final and len(records) == 1:
            test, groups = _decided(record, groups)
        counted += [_Counted((source, game.seed), game) for games in groups for game in games]
        everything += record.games.values()
    order = [entrant.name for record in records.values() for entrant in record.settings.players]
    return _report(counted, list(dict.fromkeys(order)), everything, test, final)


def _decided(
    record: Record, groups: list[list[Game]]
) -> tuple[SequentialTest | None, list[list[Game]]]:
    """The record's test, and the groups that count: up to the one that decided, in order.

    So the result does not depend on how many workers were busy at that moment.
    """
    hypotheses = record.settings.sprt
    if hypotheses is None:
        return None, groups
    a, b = (entrant.name for entrant in record.settings.players)
    test = SequentialTest(hypotheses)
    for number, games in enumerate(groups):
        if games[0].group != number or test.decision is not None:
            break
        test.add(pair_score(games, a, b))
    return test, groups[: test.groups] if test.decision else groups


def _report(
    counted: Sequence[_Counted],
    names: Sequence[str],
    everything: Sequence[Game],
    test: SequentialTest | None,
    final: bool,
) -> Report:
    results = [Result(c.deal, c.game.names, c.game.shares) for c in counted]
    rated = ratings.rate(results, ratings.SAMPLES if final else 0)
    failures = [
        {"game": game.game, "player": game.names[game.failure.seat], "reason": game.failure.reason}
        for game in everything
        if game.failure is not None
    ]
    failed = [str(failure["player"]) for failure in failures]
    first_score, first_diff = _Clusters(), _Clusters()
    for c in counted:
        first_score.add(c.deal, c.game.shares[c.game.first])
        lead = c.lead(c.game.first)
        if lead is not None:
            first_diff.add(c.deal, lead)
    tables = [len(c.game.players) for c in counted]
    return Report(
        players=[
            _player(counted, name, rated.get(name, Rating(0.0, None)), failed.count(name))
            for name in names
        ],
        pairs=_pairs(counted, names),
        sprt=test,
        first_score=first_score.estimate(),
        first_even=sum(1 / table for table in tables) / len(tables) if tables else None,
        first_diff=first_diff.estimate(),
        failures=failures,
        games=len(counted),
        incomplete=len(everything) - len(counted),
    )


def _player(counted: Iterable[_Counted], name: str, rating: Rating, failures: int) -> PlayerFigures:
    score, points, diff, rank = _Clusters(), _Clusters(), _Clusters(), _Clusters()
    games = wins = losses = held = 0
    seconds = even = 0.0
    for c in counted:
        seats = c.seats(name)
        if not seats:
            continue
        share = c.share(name)
        games += 1
        wins += share == 1
        losses += share == 0
        even += len(seats) / len(c.game.players)
        score.add(c.deal, share)
        for seat in seats:
            held += 1
            seconds += c.game.seconds[seat]
            rank.add(c.deal, c.game.ranks[seat])
            lead = c.lead(seat)
            if lead is not None and c.game.points is not None:
                points.add(c.deal, c.game.points[seat])
                diff.add(c.deal, lead)
    return PlayerFigures(
        name=name,
        games=games,
        wins=wins,
        losses=losses,
        ties=games - wins - losses,
        score=score.estimate(),
        even=even / games if games else 0.5,
        interval=statistics.score_interval(score.means()),
        points=points.estimate(),
        diff=diff.estimate(),
        rank=rank.estimate(),
        rating=rating,
        failures=failures,
        seconds=seconds / held if held else 0.0,
    )


def _pairs(counted: Sequence[_Counted], names: Sequence[str]) -> list[PairFigures]:
    figures = []
    for a, b in itertools.combinations(names, 2):
        together = [c for c in counted if c.seats(a) and c.seats(b)]
        if together:
            figures.append(_pair(together, a, b))
    return figures


def _pair(together: Sequence[_Counted], a: str, b: str) -> PairFigures:
    score, diff = _Clusters(), _Clusters()
    for c in together:
        score.add(c.deal, (1 + c.share(a) - c.share(b)) / 2)
        points_a, points_b = c.points(a), c.points(b)
        if points_a:
            diff.add(c.deal, float(np.mean(points_a) - np.mean(points_b)))
    groups = score.means()
    alone = all(set(c.game.names) == {a, b} for c in together)
    pairs = alone and all(c.game.group_size == 2 for c in together)
    return PairFigures(
        a=a,
        b=b,
        games=len(together),
        score=score.estimate(),
        groups=groups,
        interval=statistics.score_interval(groups),
        los=statistics.superiority(groups),
        diff=diff.estimate(),
        pentanomial=statistics.pentanomial(groups) if pairs else None,
        alone=alone,
    )
