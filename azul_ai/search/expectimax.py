"""Expectimax: exact inside the round, honest at its end.

Depth-first with iterative deepening: alpha-beta for two players, max^n or the paranoid view
for more. What a search to a fixed depth finds is a function of the position alone, whatever
the number of threads, the table, or how time is cut.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from azul_ai.evaluation.interface import correct_all, new_values, share_rest, told
from azul_ai.jit import Call
from azul_ai.search import alphabeta, maxn
from azul_ai.search.deals import ALL, MAX_DEALS, new_deals
from azul_ai.search.deepening import Deepening, horizon
from azul_ai.search.depthfirst import advance, follow
from azul_ai.search.searcher import Found, Problem, RootMove
from azul_ai.search.stack import ROW

MULTIPLAYER = ("maxn", "paranoid")
STAGES = (1, 2)
"""The earlier values that are given: of searches one and two moves less deep."""


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

    def kernels(self, problem: Problem) -> Sequence[Call]:
        """The kernels of one task."""
        (task,) = self._tasks(problem, 1)
        arguments, deals = task.arguments(), self._deals(problem)
        calls: list[Call] = [(horizon, (problem.state, deals)), (advance, (*arguments, 1))]
        if deals is None:  # past deals leaves are corrected inside the search
            calls.append((correct_all, (problem.model, problem.state, new_values()[None])))
        if self._kind(problem) is maxn:
            calls.append((follow, (arguments[0], np.zeros(1, dtype=ROW)[0], task.table)))
        return calls

    def begin(self, problem: Problem, threads: int) -> Sequence[Deepening]:
        """Tasks that share the root moves, each with a table of its own.

        All have searched every move to depth 1, so there is an answer from the beginning.
        """
        tasks = self._tasks(problem, threads)
        for task in tasks:
            task.start()
        return tasks

    def found(self, problem: Problem, tasks: Sequence[Deepening]) -> Found:
        """Rank what all tasks have finished, the best of it replaced by what is known deeper.

        Moves that need no true values have those of the last that does, as their bound.
        """
        depth = min(task.depth for task in tasks if not task.is_idle)
        rows = _rows_at(tasks, depth)
        exact = sorted((row for row in rows if row["exact"]), key=_merit)[: problem.top]
        deeper = sorted((row for row in _rows_at(tasks, depth + 1) if row["exact"]), key=_merit)
        ranked: dict[int, Any] = {}
        for row in deeper + exact:
            ranked.setdefault(int(row["move"]), row)
        bounded = [row for row in rows if int(row["move"]) not in ranked]
        bounded.sort(key=lambda row: int(row["index"]))
        valued = list(ranked.values())
        if self._kind(problem) is maxn:
            valued = [_whole_line(row, problem, tasks) for row in valued]
        tell = self._tell(problem)
        last, bound = tasks[0].horizon, tell(exact[-1])
        moves = [
            dataclasses.replace(
                _root_move(row, tell(row), last), earlier=_earlier(row, tell, tasks)
            )
            for row in valued
        ]
        moves += [_bounded_move(row, bound) for row in bounded]
        memory = sum(task.memory() for task in tasks)
        return Found(moves, sum(task.nodes for task in tasks), memory)

    def _tasks(self, problem: Problem, threads: int) -> list[Deepening]:
        kind = self._kind(problem)
        return [
            Deepening(kind, problem, self._deals(problem), threads, thread)
            for thread in range(threads)
        ]

    def _kind(self, problem: Problem) -> ModuleType:
        if int(problem.state["players"]) > 2 and self.multiplayer == "maxn":
            return maxn
        return alphabeta

    def _tell(self, problem: Problem) -> Callable[[Any], Any]:
        """What makes the values of a row those that are told; past deals its leaves have been."""
        past_deals = self._deals(problem) is not None
        players, mover = int(problem.state["players"]), int(problem.state["mover"])

        def tell(row: Any) -> Any:
            values = row["values"][None]
            if past_deals:
                return share_rest(values, mover)[0, :players]
            return told(problem.model, problem.state, values)[0, :players]

        return tell

    def _deals(self, problem: Problem) -> Any:
        """The deals to look at after a round, or None to stop there."""
        if self.chance == "all":
            return new_deals(ALL, problem.seed)
        number = int(self.chance)
        return new_deals(number, problem.seed) if number else None


def _merit(row: Any) -> tuple[int, int]:
    """Sorts rows best first, equal scores by their place among the candidates."""
    return -int(row["score"]), int(row["index"])


def _rows_at(tasks: Sequence[Deepening], depth: int) -> list[Any]:
    """All rows that some task has searched to a depth."""
    if depth == 1:
        return list(tasks[0].finished[0])
    return [row for task in tasks for row in task.rows_at(depth)]


def _earlier(row: Any, tell: Callable[[Any], Any], tasks: Sequence[Deepening]) -> tuple[Any, ...]:
    """The row's values in less deep searches, None where it had only a bound."""
    rows = [_valued_at(tasks, int(row["depth"]) - less, int(row["move"])) for less in STAGES]
    return tuple(None if earlier is None else tell(earlier) for earlier in rows)


def _valued_at(tasks: Sequence[Deepening], depth: int, move: int) -> Any:
    """The row of a move at a depth, None if it has no true value there."""
    parts = [task.rows_at(depth) for task in tasks] if depth > 1 else [tasks[0].finished[0]]
    for rows in parts if depth > 0 else ():
        places = np.flatnonzero((rows["move"] == move) & (rows["exact"] == 1))
        if len(places):
            return rows[places[0]]
    return None


def _whole_line(row: Any, problem: Problem, tasks: Sequence[Deepening]) -> Any:
    """The row with its line led on by the table of the task that searched it."""
    row = row.copy()
    for task in tasks:
        if row["move"] in task.rows_at(int(row["depth"]))["move"]:
            pool = np.array([problem.state, problem.state])
            follow(pool, row, task.table)
            break
    return row


def _root_move(row: Any, values: Any, last: int) -> RootMove:
    """A row that was searched for its value; ``last``: the depth at which nothing is left."""
    complete = bool(row["depth"] >= last)
    return RootMove(
        move=int(row["move"]),
        values=values,
        visits=int(row["nodes"]),
        depth=int(row["depth"]),
        exact=True,
        proven=complete and bool(row["certain"]),
        pv=tuple(int(move) for move in row["line"][: row["length"]]) or (int(row["move"]),),
        complete=complete,
    )


def _bounded_move(row: Any, bound: Any) -> RootMove:
    """A row of which no more is known than that it is worth no more than those values."""
    move = int(row["move"])
    return RootMove(move, bound, int(row["nodes"]), int(row["depth"]), False, False, (move,))
