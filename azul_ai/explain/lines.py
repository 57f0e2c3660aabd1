"""Lines of play, led on to the end of the round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from azul_ai import game, games
from azul_ai.engine import Player
from azul_ai.evaluation.interface import new_memo
from azul_ai.jit import Call
from azul_ai.search.greedy import best_move
from azul_ai.settings import Limit, make_searcher

GREEDY = "greedy"
"""Who plays on where a search's line ends."""


@dataclass(frozen=True, slots=True)
class Played:
    """A line of play: ``states[k]`` is the record before ``moves[k]``, the last one the end.

    The first ``searched`` moves are a search's; where they do not end the round, the one-ply
    player plays on.
    """

    states: tuple[Any, ...]
    moves: tuple[int, ...]
    searched: int

    @property
    def end(self) -> Any:
        """The record after the last move: the round is scored."""
        return self.states[-1]


def kernels(state: Any) -> list[Call]:
    """What playing out a state calls."""
    points = np.zeros(game.MAX_PLAYERS, dtype=np.int64)
    return [
        (game.play, (state, 0)),
        (game.result, (state, points, points)),
        *make_searcher(GREEDY, {}).kernels(_greedy(state).problem(state, 0)),
    ]


class PlayingOut:
    """Plays out lines from a state in stage DECISION; what is looked up for one serves all."""

    def __init__(self, state: Any) -> None:
        self._state = state
        self._greedy = _greedy(state)
        self._memo = new_memo(self._greedy.evaluation(int(state["players"])).model)

    def play(self, moves: Sequence[int]) -> Played:
        """Play moves, and on to the end of the round."""
        states: list[Any] = [self._state.copy()]
        played: list[int] = []
        while states[-1]["stage"] == game.DECISION:
            known = len(played) < len(moves)
            move = moves[len(played)] if known else self._best_move(states[-1])
            following = states[-1].copy()
            game.play(following, move)
            states.append(following)
            played.append(int(move))
        return Played(tuple(states), tuple(played), min(len(moves), len(played)))

    def _best_move(self, state: Any) -> int:
        return best_move(self._greedy.problem(state, 0), self._memo)


def _greedy(state: Any) -> Player:
    return Player(games.of(state).NAME, GREEDY, Limit())
