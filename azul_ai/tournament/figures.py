"""The figures of a tournament, as plain dataclasses and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from azul_ai.tournament import statistics
from azul_ai.tournament.ratings import Rating
from azul_ai.tournament.sprt import SequentialTest
from azul_ai.tournament.statistics import Estimate, Floats

SCHEMA = "azul-tournament/1"


@dataclass(frozen=True)
class Elo:
    """An Elo difference: value, error, and the ends of its 95 % interval.

    None is infinite where the score's value or end is 0 or 1, and otherwise not known.
    """

    mean: float | None = None
    se: float | None = None
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, score: Estimate, interval: tuple[float, float] | None, even: float) -> Elo:
        """The difference that a score stands for, its error propagated linearly.

        :param even: the score of equals.
        """
        if score.mean is None:
            return cls()
        mean = statistics.elo_difference(score.mean, even)
        se = None
        if mean is not None and score.se is not None:
            se = statistics.ELO_SCALE * score.se / (score.mean * (1 - score.mean))
        low, high = interval or (0.0, 1.0)
        return cls(
            mean, se, statistics.elo_difference(low, even), statistics.elo_difference(high, even)
        )

    def to_dict(self) -> dict[str, float | None]:
        """The four keys in a player's or a pair's JSON."""
        return {"elo": self.mean, "elo_se": self.se, "elo_low": self.low, "elo_high": self.high}


@dataclass(frozen=True)
class PlayerFigures:
    """A player's results.

    ``score``: share of the win, of one game; ``even``: what it would be among equals;
    ``interval``: 95 %, of the score. ``points``: own final points; ``diff``: to the best other
    seat. ``seconds``: thought in a game.
    """

    name: str
    games: int
    wins: int
    losses: int
    ties: int
    score: Estimate
    even: float
    interval: tuple[float, float] | None
    points: Estimate
    diff: Estimate
    rank: Estimate
    rating: Rating
    failures: int
    seconds: float

    @property
    def elo(self) -> Elo:
        """The difference to the average of the field that the score stands for."""
        return Elo.of(self.score, self.interval, self.even)

    def to_dict(self) -> dict[str, Any]:
        """The object in ``players`` of the tournament's JSON."""
        return {
            "name": self.name,
            "games": self.games,
            "wins": self.wins,
            "losses": self.losses,
            "ties": self.ties,
            **_named("score", self.score),
            **self.elo.to_dict(),
            "rating": self.rating.elo,
            "rating_se": self.rating.se,
            "points_mean": self.points.mean,
            "points_se": self.points.se,
            "diff_mean": self.diff.mean,
            "diff_se": self.diff.se,
            "rank_mean": self.rank.mean,
            "rank_se": self.rank.se,
            "failures": self.failures,
            "seconds_mean": self.seconds,
        }


@dataclass(frozen=True)
class PairFigures:
    """Player ``a`` against player ``b`` in the games both played.

    ``score``: (1 + a's share of the win - b's) / 2; with two at the table just a's share.
    ``groups``: the mean of each group, in order. ``alone``: nobody else sat at the table.
    ``pentanomial``: None unless it has two seats.
    """

    a: str
    b: str
    games: int
    score: Estimate
    groups: Floats
    interval: tuple[float, float] | None
    los: float | None
    diff: Estimate
    pentanomial: list[int] | None
    alone: bool

    @property
    def elo(self) -> Elo:
        """The difference that the score stands for; not known if others sat at the table."""
        return Elo.of(self.score, self.interval, 0.5) if self.alone else Elo()

    def to_dict(self) -> dict[str, Any]:
        """The object in ``pairs`` of the tournament's JSON."""
        return {
            "a": self.a,
            "b": self.b,
            "games": self.games,
            **_named("score", self.score),
            **self.elo.to_dict(),
            "diff_mean": self.diff.mean,
            "diff_se": self.diff.se,
            "pentanomial": self.pentanomial,
            "los": self.los,
        }


@dataclass(frozen=True)
class Report:
    """All figures of a tournament; ``games`` of whole groups and ``incomplete`` others."""

    players: list[PlayerFigures]
    pairs: list[PairFigures]
    sprt: SequentialTest | None
    first_score: Estimate
    first_even: float | None
    first_diff: Estimate
    failures: list[dict[str, Any]]
    games: int
    incomplete: int

    def to_dict(self) -> dict[str, Any]:
        """The tournament's JSON."""
        return {
            "schema": SCHEMA,
            "games": self.games,
            "incomplete": self.incomplete,
            "players": [player.to_dict() for player in self.players],
            "pairs": [pair.to_dict() for pair in self.pairs],
            "sprt": None if self.sprt is None else self.sprt.to_dict(),
            "first_player": {
                **_named("score", self.first_score),
                "even": self.first_even,
                "diff_mean": self.first_diff.mean,
                "diff_se": self.first_diff.se,
            },
            "failures": self.failures,
        }


def _named(name: str, estimate: Estimate) -> dict[str, float | None]:
    return {name: estimate.mean, f"{name}_se": estimate.se}
