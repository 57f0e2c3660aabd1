"""Information Set Monte Carlo tree search, for any game of the interface: the searcher.

The iterations themselves are in :mod:`azul_ai.search.iteration`. Several threads grow a tree
each, with random numbers of their own; visits and values are summed at the end.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from azul_ai import rng
from azul_ai.evaluation import interface as evaluation
from azul_ai.game import MAX_MOVES, MAX_PLAYERS
from azul_ai.jit import Call
from azul_ai.search import tree
from azul_ai.search.iteration import CONTROL, LEAVES, MAX_PATH, grow, principal_variation
from azul_ai.search.searcher import Found, Problem, RootMove, share

_UTILITY_UNIT = {evaluation.WIN: 1.0, evaluation.DIFF: 40.0}
"""How much of an objective's unit corresponds to a whole chance to win, for the settings."""

STAGES = (2, 4)
"""The stages whose values are kept: after a half and a quarter of the iterations."""
_Stage = tuple[int, Any, Any]
"""Iterations, and by root move visits and sums."""
_FIRST_STAGE, _STAGE_RATIO, _STAGES_KEPT = 16, 2**0.5, 6
"""Sums are noted after these iterations, each number so many times the one before; the last few
reach back to a quarter."""


@dataclass(frozen=True, slots=True)
class Ismcts:
    """The searcher; its fields are the settings of ``--set``."""

    exploration: float = 0.1
    """Weight of the exploration term, in chances to win."""
    rating_weight: float = 0.01
    """How much of a chance to win a point of a move's rating is worth before it is tried."""
    prior_visits: float = 1.0
    """As how many visits that prior counts."""
    noise: float = 0.5
    """Points of randomness in the policy's ratings: leaves differ, and so do threads."""
    leaf: str = LEAVES[0]
    """One of :data:`LEAVES`."""
    horizon: int = 0
    """How many deals the tree looks past."""

    name: ClassVar[str] = "ismcts"
    limits: ClassVar[frozenset[str]] = frozenset({"iterations"})

    def __post_init__(self) -> None:
        if self.leaf not in LEAVES:
            raise ValueError(f"leaf must be one of {', '.join(LEAVES)}, not {self.leaf!r}")
        if self.horizon < 0:
            raise ValueError(f"horizon must not be negative, not {self.horizon}")
        if not 0 <= self.exploration < math.inf or not 0 < self.prior_visits < math.inf:
            raise ValueError("exploration must be a number from 0, prior_visits one above 0")
        if not 0 <= self.noise < math.inf or not math.isfinite(self.rating_weight):
            raise ValueError("noise must be a number from 0, rating_weight a number")

    def kernels(self, problem: Problem) -> Sequence[Call]:
        """The kernels of one task."""
        task = IsmctsTask(self, problem, 1, 0)
        return [
            (grow, (*task.arguments, 1)),
            (principal_variation, (task.line_pool, task.nodes_array, 0, task.line, 1)),
        ]

    def begin(self, problem: Problem, threads: int) -> Sequence[IsmctsTask]:
        """A tree of its own for each thread."""
        return [IsmctsTask(self, problem, threads, thread) for thread in range(threads)]

    def found(self, problem: Problem, tasks: Sequence[IsmctsTask]) -> Found:
        """Sum the trees' visits and values; moves by visits, then what the search thinks."""
        visits = np.sum([task.root_visits() for task in tasks], axis=0)
        sums = np.sum([task.sums for task in tasks], axis=0)
        thought = np.sum([task.root_visits() * task.root_values() for task in tasks], axis=0)
        best_first = np.lexsort((-thought, -visits))
        players, mover = int(problem.state["players"]), int(problem.state["mover"])
        means = evaluation.share_rest(_means(sums, visits), mover)
        stages = [_values_at(tasks, part, mover) for part in STAGES]
        found = []
        for order, index in enumerate(best_first.tolist()):
            move, number = int(problem.moves[index]), int(visits[index])
            values = means[index, :players]
            wanted = number and order < problem.top
            pv = _best_line(tasks, index) if wanted else (move,)
            earlier = tuple(
                before[index, :players] if 0 < then[index] < number else None
                for then, before in stages
            )
            found.append(RootMove(move, values, number, len(pv), True, False, pv, earlier=earlier))
        memory = sum(task.memory() for task in tasks)
        return Found(found, sum(task.nodes for task in tasks), memory)


def _best_line(tasks: Sequence[IsmctsTask], index: int) -> tuple[int, ...]:
    """The principal variation of a root move, from the tree that visited it most."""
    best = max(tasks, key=lambda task: int(task.root_visits()[index]))
    return best.principal_variation(index)


def _means(sums: Any, visits: Any) -> Any:
    """The mean values of all root moves, 0 without visits."""
    return sums / np.maximum(visits, 1)[:, None, None]


def _values_at(tasks: Sequence[IsmctsTask], part: int, mover: int) -> tuple[Any, Any]:
    """The visits of all root moves at an earlier stage, and the values as told to the mover."""
    stages = [task.stage(part) for task in tasks]
    visits = np.sum([visits for _, visits, _ in stages], axis=0)
    sums = np.sum([sums for *_, sums in stages], axis=0)
    return visits, evaluation.share_rest(_means(sums, visits), mover)


class IsmctsTask:
    """One tree, grown in slices."""

    def __init__(self, settings: Ismcts, problem: Problem, threads: int, thread: int) -> None:
        self.nodes = 0
        self._limit = share(problem.iterations, threads, thread)
        self._rate = 1000.0
        roots = len(problem.moves)
        room = problem.memory // threads // tree.NODE.itemsize
        if self._limit is not None:
            # Blocks are at most half empty, and what doubling left behind is as much again.
            room = min(room, 4 * (self._limit + roots + 1))
        self.nodes_array, self._store = tree.new_tree(max(room, 4 * roots))
        self.pool = np.zeros(2, dtype=problem.state.dtype)
        self.pool[0] = problem.state
        self.line_pool = self.pool.copy()  # the search may be running meanwhile
        self.sums = np.zeros((roots, MAX_PLAYERS, 3))
        self.line = np.zeros(MAX_PATH, dtype=np.int64)
        self._stages: tuple[_Stage, ...] = ((0, np.zeros(roots, dtype=np.int64), self.sums.copy()),)
        self._next_stage = _FIRST_STAGE
        unit = _UTILITY_UNIT[problem.objective]
        self._control = np.zeros(1, dtype=CONTROL)[0]
        self._control.objective = problem.objective
        self._control.leaf = LEAVES.index(settings.leaf)
        self._control.horizon = settings.horizon
        self._control.exploration = settings.exploration * unit
        self._control.rating_weight = settings.rating_weight * unit
        players = int(problem.state["players"])
        self._control.prior = unit / players if problem.objective == evaluation.WIN else 0.0
        self._control.prior_visits = settings.prior_visits
        self._control.noise = settings.noise
        work = (
            self._store,
            np.zeros((MAX_PATH, 2), dtype=np.int64),
            np.zeros(MAX_MOVES, dtype=np.int64),
            np.zeros(MAX_MOVES),
            evaluation.new_values(),
            rng.new(problem.seed, thread),
        )
        self.arguments = (
            self.pool,
            problem.model,
            self.nodes_array,
            self._control,
            work,
            self.sums,
            problem.moves,
        )

    def run(self, seconds: float) -> bool:
        """Grow the tree for about so long, at the rate of the slice before."""
        number = min(max(1, int(self._rate * seconds)), self._next_stage - self.nodes)
        if self._limit is not None:
            number = min(number, self._limit - self.nodes)
        start = time.perf_counter()
        grow(*self.arguments, number)
        self.nodes += number
        self._rate = number / max(time.perf_counter() - start, 1e-6)
        if self.nodes == self._next_stage:
            noted = (self.nodes, self.root_visits(), self.sums.copy())
            self._stages = (*self._stages, noted)[-_STAGES_KEPT:]
            self._next_stage = int(self._next_stage * _STAGE_RATIO)
        return self._limit is not None and self.nodes >= self._limit

    def root_visits(self) -> Any:
        """Visits by root move, int64 of shape (root moves,)."""
        return self._root_moves()["visits"].astype(np.int64)

    def root_values(self) -> Any:
        """What the tree thinks the root moves are worth for their mover, float64, same shape."""
        return self._root_moves()["value"]

    def _root_moves(self) -> Any:
        first = int(self.nodes_array[tree.ROOT].first)
        return self.nodes_array[first : first + len(self.sums)]

    def stage(self, part: int) -> _Stage:
        """What was noted last before 1 / ``part`` of the iterations was over."""
        noted = (stage for stage in reversed(self._stages) if part * stage[0] <= self.nodes)
        return next(noted, self._stages[0])

    def principal_variation(self, index: int) -> tuple[int, ...]:
        """The most visited line that begins with a root move."""
        enough = max(2, self.nodes // 5000)
        length = principal_variation(self.line_pool, self.nodes_array, index, self.line, enough)
        return tuple(int(move) for move in self.line[:length])

    def memory(self) -> int:
        """Bytes of the tree in use."""
        return int(self._store.used) * tree.NODE.itemsize
