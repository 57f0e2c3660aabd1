"""Iterative deepening of a thread's part of the root moves, in slices."""

from __future__ import annotations

import time
from types import ModuleType
from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.evaluation.interface import WIN, new_memo
from azul_ai.jit import kernel
from azul_ai.search import maxn
from azul_ai.search.depthfirst import advance
from azul_ai.search.scores import INFINITE, WIN_BOUND
from azul_ai.search.searcher import Problem, share
from azul_ai.search.stack import MAX_DEPTH, NONE, PLIES, ROW
from azul_ai.search.table import grown, new_table

CHUNK = 1 << 14
"""Nodes between looks at the clock: some milliseconds."""
_UNLIMITED = 1 << 62


@kernel
def horizon(state: Any, deals: Any) -> int:
    """The depth at which every line of play has come to its end, at most MAX_DEPTH."""
    if deals is None or game.ends_game(state):
        return min(MAX_DEPTH, game.moves_left(state))
    return MAX_DEPTH


class Deepening:
    """One thread's search; ``kind`` is the module :mod:`alphabeta` or :mod:`maxn`.

    ``pool``: states, the first being the position, the others on the stack. ``finished``: rows
    (:data:`azul_ai.search.stack.ROW`) after each depth, the first being depth 1, of all moves
    there, of this thread's part afterwards. ``horizon``: the depth at which nothing is left to
    search.
    """

    def __init__(
        self, kind: ModuleType, problem: Problem, deals: Any, threads: int, thread: int
    ) -> None:
        self.nodes = 0
        self.finished: list[Any] = []
        self.horizon = 0
        self._kind = kind
        self._problem = problem
        self._deals = deals
        self._threads, self._thread = threads, thread
        self._limit = share(problem.nodes, threads, thread) or _UNLIMITED
        self._depth_limit = min(problem.depth or MAX_DEPTH, MAX_DEPTH)
        self._memory = problem.memory // threads
        self._memo = new_memo(problem.model)
        self.pool = np.zeros(PLIES + 1, dtype=problem.state.dtype)
        self.pool[0] = problem.state
        self._rows = np.zeros(len(problem.moves), dtype=ROW)
        self._rows["move"] = problem.moves
        self._rows["index"] = np.arange(len(problem.moves))
        self._in_progress = self._rows[:0]
        self.table = new_table(kind.PAIR, self._memory)
        self._search = self._new_search(problem)

    def _new_search(self, problem: Problem) -> Any:
        search = np.zeros(1, dtype=self._kind.SEARCH)[0]
        search.hero, search.players = problem.state["mover"], problem.state["players"]
        search.objective = problem.objective
        search.selfish = search.players == 2 or self._kind is maxn
        search.bound = WIN_BOUND if problem.objective == WIN else INFINITE
        search.top = problem.top
        search.room = len(self.table)
        search.killers[:] = NONE
        root = search.frames[0]
        root.mover = search.hero
        root.maximizing = root.wanted = root.listed = 1
        root.low = root.alpha = -INFINITE
        root.high = root.beta = INFINITE
        return search

    @property
    def depth(self) -> int:
        """The depth to which all of this thread's moves are searched."""
        return len(self.finished)

    @property
    def is_idle(self) -> bool:
        """Whether there were fewer moves than threads, and none for this one."""
        return not len(self._rows)

    def arguments(self) -> tuple[Any, ...]:
        """What :func:`advance` takes, but for the limit."""
        return (
            self.pool,
            self._problem.model,
            self._search,
            self._rows,
            self.table,
            self._deals,
            self._memo,
        )

    def start(self) -> None:
        """Search every move to depth 1, then keep this thread's part of them."""
        self.horizon = horizon(self._problem.state, self._deals)
        self._depth_limit = min(self._depth_limit, self.horizon)
        self._begin_depth()
        advance(*self.arguments(), _UNLIMITED)
        self.finished.append(self._rows.copy())
        self._rows = self._best_first()[self._thread :: self._threads].copy()
        self._begin_depth()
        self.nodes = int(self._search.nodes)

    def run(self, seconds: float) -> bool:
        """Search for about so long; True at the depth or node limit, or when all is known."""
        end = time.perf_counter() + seconds
        while not self._is_finished():
            if advance(*self.arguments(), min(self.nodes + CHUNK, self._limit)):
                self.finished.append(self._rows.copy())
                self._rows = self._best_first()
                self._begin_depth()
            elif self._search.stored >= self._search.room:
                self._grow()
            self.nodes = int(self._search.nodes)
            if time.perf_counter() >= end:
                break
        self._in_progress = self._rows[self._rows["depth"] > self.depth]
        return self._is_finished()

    def rows_at(self, depth: int) -> Any:
        """The rows that are searched to a depth, as far as that has come."""
        if depth <= self.depth:
            return self.finished[depth - 1]
        return self._in_progress[self._in_progress["depth"] == depth]

    def memory(self) -> int:
        """Bytes in use."""
        parts = (self.table, self._search, self._memo, self.pool)
        return sum(int(part.nbytes) for part in parts)

    def _is_finished(self) -> bool:
        return self.depth >= self._depth_limit or self.nodes >= self._limit or self.is_idle

    def _begin_depth(self) -> None:
        """Set the root's frame to search all rows one deeper."""
        root = self._search.frames[0]
        root.depth = self._search.age = self.depth + 1
        root.index = root.again = self._search.ranked = 0
        root.number = len(self._rows)

    def _best_first(self) -> Any:
        """The rows by what is known of them: exact scores, then bounds."""
        rows = self._rows
        return rows[np.lexsort((rows["index"], -rows["score"], -rows["exact"]))]

    def _grow(self) -> None:
        """Give the table more room; where memory allows no more, it replaces from now on."""
        larger = grown(self.table, self._memory)
        self._search.room = len(larger) if larger is not self.table else _UNLIMITED
        self.table = larger
