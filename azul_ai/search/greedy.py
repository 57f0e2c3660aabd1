"""The one-ply player: the move after which the round, ended at once, looks best.

A yardstick for the searchers, and a fast opponent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from azul_ai import game
from azul_ai.evaluation import interface as evaluation
from azul_ai.game import MAX_PLAYERS
from azul_ai.jit import Call, kernel
from azul_ai.search.searcher import Found, Problem, RootMove


@kernel
def look_ahead(pool: Any, model: Any, memo: Any, moves: Any, values: Any) -> None:
    """Evaluate each move from ``pool[0]``, the round ended right after it.

    :param pool: states, shape (2,); the second is overwritten.
    :param memo: what :func:`evaluation.new_memo` made for this model, perhaps used before.
    :param moves: int64, shape (n,).
    :param values: float64, shape (n, MAX_PLAYERS, 3), written.
    """
    state = pool[1]
    pool[1] = pool[0]
    game.conceal(state)
    for index in range(len(moves)):
        if not evaluation.outlook(model, state, moves[index], memo, values[index]):
            game.apply(state, moves[index])
            evaluation.look(model, state, values[index])
            pool[1] = pool[0]
            game.conceal(state)


@dataclass(frozen=True, slots=True)
class Greedy:
    """The searcher; it has no settings and needs no limit."""

    name: ClassVar[str] = "greedy"
    limits: ClassVar[frozenset[str]] = frozenset()

    def kernels(self, problem: Problem) -> Sequence[Call]:
        """Both kernels."""
        task = GreedyTask(problem)
        told = (problem.model, problem.state, task.values)
        return [(look_ahead, task.arguments), (evaluation.correct_all, told)]

    def begin(self, problem: Problem, threads: int) -> Sequence[GreedyTask]:
        """One task does it all; the other threads stay idle."""
        del threads
        return [GreedyTask(problem)]

    def found(self, problem: Problem, tasks: Sequence[GreedyTask]) -> Found:
        """Moves by utility; all have one visit."""
        players, values = int(problem.state["players"]), tasks[0].values
        best_first = np.argsort(-_utilities(problem, values), kind="stable")
        told = evaluation.told(problem.model, problem.state, values)
        found = [
            RootMove(move, told[index, :players], 1, 1, True, False, (move,))
            for index, move in zip(best_first, problem.moves[best_first].tolist(), strict=True)
        ]
        return Found(found, tasks[0].nodes, 0)


def best_move(problem: Problem, memo: Any) -> int:
    """The best move alone, for callers in a hurry; ``memo`` may be that of earlier positions."""
    task = GreedyTask(problem, memo)
    task.run(0.0)
    return int(problem.moves[np.argmax(_utilities(problem, task.values))])


def _utilities(problem: Problem, values: Any) -> Any:
    """What the moves are worth for the mover."""
    return evaluation.utilities(values, int(problem.state["mover"]), problem.objective)


class GreedyTask:
    """One look at every move; ``values`` are those of the moves, of shape (n, MAX_PLAYERS, 3)."""

    def __init__(self, problem: Problem, memo: Any = None) -> None:
        self.nodes = 0
        memo = evaluation.new_memo(problem.model) if memo is None else memo
        pool = np.zeros(2, dtype=problem.state.dtype)
        pool[0] = problem.state
        self.values = np.zeros((len(problem.moves), MAX_PLAYERS, 3))
        self.arguments = (pool, problem.model, memo, problem.moves, self.values)

    def run(self, seconds: float) -> bool:
        """Everything at once."""
        del seconds
        look_ahead(*self.arguments)
        self.nodes = len(self.values)
        return True
