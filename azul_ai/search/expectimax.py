"""Expectimax: exact inside the round, honest at its end.

Depth-first with iterative deepening: alpha-beta for two players, max^n or the paranoid view
for more. What a search to a fixed depth finds is a function of the position alone, whatever
the number of threads, the table, or how time is cut.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from azul_ai import game
from azul_ai.evaluation.interface import WIN, new_memo
from azul_ai.jit import Call, kernel
from azul_ai.search import alphabeta, maxn
from azul_ai.search.deals import ALL, MAX_DEALS, new_deals
from azul_ai.search.depthfirst import advance
from azul_ai.search.scores import INFINITE, WIN_BOUND
from azul_ai.search.searcher import Found, Problem, RootMove, share
from azul_ai.search.stack import MAX_DEPTH, NONE, PLIES, ROW
from azul_ai.search.table import grown, new_table

MULTIPLAYER = ("maxn", "paranoid")
CHUNK = 1 << 14
"""Nodes between looks at the clock: some milliseconds."""
_UNLIMITED = 1 << 62


@kernel
def horizon(state: Any, deals: Any) -> int:
    """The depth at which every line of play has come to its end, at most MAX_DEPTH."""
    if deals is None or game.ends_game(state):
        return min(MAX_DEPTH, game.moves_left(state))
    return MAX_DEPTH


@dataclass(frozen=True, slots=True)
class Expectimax:
    """The searcher; its fields are the settings of ``--set``."""

    chance: str = "0"
    """At the end of a round: 0 values the position before the deal, a number searches on
    through so many deals drawn once, ``all`` through every possible deal."""
    multiplayer: str = MULTIPLAYER[0]
    """With three or four players: ``maxn``, or ``paranoid`` (all others against the mover)."""

    name: ClassVar[str] = "expectimax"
    limits: ClassVar[frozenset[str]] = frozenset({"nodes", "depth"})

    def __post_init__(self) -> None:
        if self.multiplayer not in MULTIPLAYER:
            known = " or ".join(MULTIPLAYER)
            raise ValueError(f"multiplayer must be {known}, not {self.multiplayer!r}")
        if self.chance != "all" and not (self.chance.isdecimal() and int(self.chance) <= MAX_DEALS):
            raise ValueError(f"chance must be all or 0-{MAX_DEALS}, not {self.chance!r}")

    @property
    def deals(self) -> int:
        """Number of deals looked at after a round, or ALL."""
        return ALL if self.chance == "all" else int(self.chance)

    def kernels(self, problem: Problem) -> Sequence[Call]:
        """The kernels of one task."""
        task = ExpectimaxTask(self, problem, 1, 0)
        return [
            (horizon, (task.pool[0], task.deals)),
            (advance, (*task.arguments(), 1)),
        ]

    def begin(self, problem: Problem, threads: int) -> Sequence[ExpectimaxTask]:
        """Tasks that share the root moves, each with a table of its own.

        All have searched every move to depth 1, so there is an answer from the beginning.
        """
        tasks = [ExpectimaxTask(self, problem, threads, thread) for thread in range(threads)]
        for task in tasks:
            task.start()
        return tasks

    def found(self, problem: Problem, tasks: Sequence[ExpectimaxTask]) -> Found:
        """Rank what all tasks have finished, and what they found of the next depth."""
        depth = min(task.depth for task in tasks)
        rows = _at_depth(tasks, depth)
        deeper = [row for row in _at_depth(tasks, depth + 1) if row["exact"]]
        deeper.sort(key=_merit)
        seen = {int(row["move"]) for row in deeper}
        exact = sorted((row for row in rows if row["exact"]), key=_merit)[: problem.top]
        ranked = {int(row["move"]) for row in exact}
        rest = [row for row in rows if int(row["move"]) not in ranked]
        rest.sort(key=lambda row: int(row["index"]))
        found = [
            _root_move(row, row, problem, tasks[0].horizon)
            for row in [*deeper, *(row for row in exact if int(row["move"]) not in seen)]
        ]
        found += [
            _root_move(row, exact[-1], problem, tasks[0].horizon)
            for row in rest
            if int(row["move"]) not in seen
        ]
        memory = sum(task.memory() for task in tasks)
        return Found(found, sum(task.nodes for task in tasks), memory)


def _merit(row: Any) -> tuple[int, int]:
    """Sorts rows best first, equal scores by their place among the candidates."""
    return -int(row["score"]), int(row["index"])


def _at_depth(tasks: Sequence[ExpectimaxTask], depth: int) -> list[Any]:
    """All rows that some task has searched to a depth."""
    if depth == 1:
        return list(tasks[0].finished[0])
    return [row for task in tasks for row in task.rows_at(depth)]


def _root_move(row: Any, valued: Any, problem: Problem, horizon: int) -> RootMove:
    """A row with its own values, or with those of the row that bounds it."""
    players = int(problem.state["players"])
    exact = row is valued
    line = row["line"][: row["length"]] if exact else [row["move"]]
    return RootMove(
        move=int(row["move"]),
        values=valued["values"][:players].copy(),
        visits=int(row["nodes"]),
        depth=int(row["depth"]),
        exact=exact,
        proven=bool(exact and row["certain"] and row["depth"] >= horizon),
        pv=tuple(int(move) for move in line),
    )


class ExpectimaxTask:
    """One thread's part of the root moves, deepened until a limit or the end is reached."""

    def __init__(self, settings: Expectimax, problem: Problem, threads: int, thread: int) -> None:
        state = problem.state
        players = int(state["players"])
        self.nodes = 0
        self.finished: list[Any] = []
        """Rows after each depth, the first being depth 1."""
        self.horizon = 0
        self._threads, self._thread = threads, thread
        self._limit = share(problem.nodes, threads, thread) or _UNLIMITED
        self._depth_limit = min(problem.depth or MAX_DEPTH, MAX_DEPTH)
        self._problem = problem
        self._kind = maxn if players > 2 and settings.multiplayer == "maxn" else alphabeta
        self._memory = problem.memory // threads
        self.pool = np.zeros(PLIES + 1, dtype=state.dtype)
        self.pool[0] = state
        self.table = new_table(self._kind.PAIR, self._memory)
        self.deals = new_deals(settings.deals, problem.seed) if settings.deals else None
        self._memo = new_memo()
        self._rows = np.zeros(len(problem.moves), dtype=ROW)
        self._rows["move"] = problem.moves
        self._rows["index"] = np.arange(len(problem.moves))
        self._in_progress = self._rows[:0]
        self._search = self._new_search(problem, players)

    def _new_search(self, problem: Problem, players: int) -> Any:
        search = np.zeros(1, dtype=self._kind.SEARCH)[0]
        search.hero = problem.state["mover"]
        search.players = players
        search.objective = problem.objective
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
        """The depth to which all of the task's moves are searched."""
        return len(self.finished)

    def arguments(self) -> tuple[Any, ...]:
        """What :func:`advance` takes, but for the limit."""
        problem = self._problem
        return (
            self.pool,
            problem.model,
            self._search,
            self._rows,
            self.table,
            self.deals,
            self._memo,
        )

    def start(self) -> None:
        """Search every move to depth 1, then keep this thread's part of them."""
        self.horizon = horizon(self.pool[0], self.deals)
        self._depth_limit = min(self._depth_limit, self.horizon)
        self._begin_depth()
        while not advance(*self.arguments(), _UNLIMITED):
            self._grow()
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
        return int(self.table.nbytes + self._search.nbytes + self._memo.nbytes + self.pool.nbytes)

    def _is_finished(self) -> bool:
        return self.depth >= self._depth_limit or self.nodes >= self._limit or not len(self._rows)

    def _begin_depth(self) -> None:
        """Set the root's frame to search all rows one deeper."""
        search = self._search
        root = search.frames[0]
        root.depth = search.age = self.depth + 1
        root.index = root.again = search.ranked = 0
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
