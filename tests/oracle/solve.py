"""Exact values of positions from which every line ends the game before another deal.

A full search without pruning: every line is looked at. Two to four players: the player to
move maximizes his own utility; among moves equal for him he takes the one whose utilities,
for the players after him in turn order, are lexicographically smallest (max^n). For two
players that is minimax.

Gray wall: a tiling phase must certainly end the game, whatever is chosen in it. Then each
player chooses for himself alone (:func:`gray.tile_best`), since the choices are hidden.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.oracle import games, gray
from tests.oracle.supply import DEAL, OVER

RoundEnd = Callable[[Any], list[float]]
"""Every player's utility of a state that waits for a deal."""


class NotTheLastRoundError(ValueError):
    """A line of play does not end the game."""


@dataclass(frozen=True)
class Outcome:
    """How the game ends under best play, per player.

    The utilities are unique. Lines of equal utility may differ in their points (all players
    three points more, say); the points here are those of one such line.
    """

    utilities: tuple[float, ...]
    points: tuple[int, ...]
    shares: tuple[float, ...] | None  # of the win; None where the round's end was valued


def solve(
    state: Any, objective: str = "win", round_end: RoundEnd | None = None
) -> dict[str, Outcome]:
    """For every legal move, the outcome of the game when all play on as well as they can.

    :param objective: ``win`` (u = share of the win + difference / 10000, the difference
        limited to ±400) or ``diff`` (own points minus those of the best other).
    :param round_end: the value of states that wait for a deal. Without it such a state raises
        NotTheLastRoundError.
    """
    rules = games.of(state)
    solver = Solver(objective, round_end)
    return {move: solver.value(rules.play(state, move)) for move in rules.legal_moves(state)}


class Solver:
    """Values of states, each computed once."""

    def __init__(self, objective: str, round_end: RoundEnd | None) -> None:
        self.utilities = UTILITIES[objective]
        self.round_end = round_end
        self.known: dict[Any, Outcome] = {}

    def value(self, state: Any) -> Outcome:
        key = games.of(state).key(state)
        if key not in self.known:
            self.known[key] = self.computed_value(state)
        return self.known[key]

    def computed_value(self, state: Any) -> Outcome:
        rules = games.of(state)
        if state.stage == OVER:
            points, shares = rules.final_points(state), rules.win_shares(state)
            return Outcome(tuple(self.utilities(points, shares)), tuple(points), tuple(shares))
        if state.stage == DEAL:
            if self.round_end is None:
                raise NotTheLastRoundError(rules.to_dict(state))
            points = rules.final_points(state)
            return Outcome(tuple(self.round_end(state)), tuple(points), None)
        if rules is gray and gray.is_tiling(state):
            if not gray.certainly_ends(state):
                raise NotTheLastRoundError(rules.to_dict(state))
            return self.value(gray.tile_best(state))
        outcomes = [self.value(rules.play(state, move)) for move in rules.legal_moves(state)]
        return best(outcomes, state.mover)


def best(outcomes: list[Outcome], mover: int) -> Outcome:
    """What the mover chooses."""

    def preference(outcome: Outcome) -> tuple[float, ...]:
        own, *others = in_turn_order(outcome.utilities, mover)
        return (-own, *others)

    return min(outcomes, key=preference)


def in_turn_order(values: tuple[float, ...], mover: int) -> tuple[float, ...]:
    """The values beginning with the mover's."""
    return values[mover:] + values[:mover]


def differences(points: list[int]) -> list[float]:
    """Every player's points minus those of the best other."""
    return [own - max(points[:player] + points[player + 1 :]) for player, own in enumerate(points)]


def win_utilities(points: list[int], shares: list[float]) -> list[float]:
    """The share of the win first, the difference second."""
    return [
        share + max(-400, min(400, difference)) / 10000
        for share, difference in zip(shares, differences(points), strict=True)
    ]


UTILITIES: dict[str, Callable[[list[int], list[float]], list[float]]] = {
    "win": win_utilities,
    "diff": lambda points, _shares: differences(points),
}
