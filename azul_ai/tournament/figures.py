"""The figures of a tournament, as plain dataclasses and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from azul_ai.tournament import statistics
from azul_ai.tournament.ratings import Rating
from azul_ai.tournament.sprt import SequentialTest
from azul_ai.tournament.statistics import Estimate

SCHEMA = "azul-tournament/1"
NOT_KNOWN = Estimate(None, None)


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

    def to_dict(self) -> dict[str, Any]:
        """The object in ``players`` of the tournament's JSON."""
        return {
            "name": self.name,
            "games": self.games,
            "wins": self.wins,
            "losses": self.losses,
            "ties": self.ties,
            **_named("score", self.score),
            **_elo(self.score, self.interval, self.even),
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
    ``pentanomial`` and the Elo difference are None with more than two players at the table.
    """

    a: str
    b: str
    games: int
    score: Estimate
    interval: tuple[float, float] | None
    los: float | None
    diff: Estimate
    pentanomial: list[int] | None
    alone: bool

    def to_dict(self) -> dict[str, Any]:
        """The object in ``pairs`` of the tournament's JSON."""
        return {
            "a": self.a,
            "b": self.b,
            "games": self.games,
            **_named("score", self.score),
            **_elo(self.score if self.alone else NOT_KNOWN, self.interval, 0.5),
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


def _elo(
    score: Estimate, interval: tuple[float, float] | None, even: float
) -> dict[str, float | None]:
    """The Elo difference of a score, its error by linear propagation, and its 95 % interval."""
    if score.mean is None:
        return dict.fromkeys(("elo", "elo_se", "elo_low", "elo_high"))
    elo = statistics.elo_difference(score.mean, even)
    known = elo is not None and score.se is not None
    slope = score.mean * (1 - score.mean)
    low, high = interval or (0.0, 1.0)
    return {
        "elo": elo,
        "elo_se": statistics.ELO_SCALE * (score.se or 0.0) / slope if known else None,
        "elo_low": statistics.elo_difference(low, even),
        "elo_high": statistics.elo_difference(high, even),
    }
