"""How fast the engines are, how that grows with threads, and where their time goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from azul_ai import engine
from azul_ai.engine import Run
from azul_ai.evaluation import Evaluation
from azul_ai.jit import Call
from azul_ai.profiling import breakdown, pieces
from azul_ai.profiling.breakdown import Share
from azul_ai.profiling.primitives import Workbench
from azul_ai.profiling.timing import Plan, Timing
from azul_ai.search.searcher import Problem, Searcher
from azul_ai.settings import Limit, make_searcher

WORK = {"ismcts": Limit(iterations=50_000), "expectimax": Limit(nodes=2_000_000)}
"""What each thread of an engine does in a run, under a full plan: the same work every time."""

ENOUGH = 0.95
"""The recommended number of threads is the smallest that reaches this part of the best rate."""


@dataclass(frozen=True)
class Rate:
    """An engine's speed with a number of threads.

    ``unit``: what is counted, "iterations" or "nodes"; ``timing``: of one of them, threads
    together. ``efficiency``: the rate, as a part of so many times that of one thread; None
    if one thread was not measured. ``depth``: of the best move's line. ``nodes`` and
    ``memory``: what one run counted and used, in bytes. ``shares``: where the time of one
    thread goes; empty with more.
    """

    engine: str
    unit: str
    threads: int
    timing: Timing
    efficiency: float | None
    depth: int
    nodes: int
    memory: int
    shares: Sequence[Share]

    @property
    def per_s(self) -> float:
        """Iterations or nodes per second."""
        return self.timing.per_s


class EngineBench:
    """Runs one engine on the position of a workbench."""

    def __init__(self, name: str, workbench: Workbench, chosen: Evaluation, moves: Any) -> None:
        self._name, self._workbench = name, workbench
        self._searcher: Searcher = make_searcher(name, {})
        self._model, self._moves = chosen.model, moves

    def kernels(self) -> list[Call]:
        """The kernels that this needs."""
        problem = self._problem(1)
        task = self._searcher.begin(problem, 1)[0]
        return [*self._searcher.kernels(problem), *pieces.kernels_for(self._name, task)]

    def rates(self, threads: Sequence[int], on_step: Callable[[str], None]) -> Iterator[Rate]:
        """Measure with each number of threads, in ascending order."""
        single: Timing | None = None
        for number in sorted(threads):
            on_step(f"{self._name}, {number} thread{'s' * (number > 1)}")
            rate = self._rate(number, single)
            if number == 1:
                single = rate.timing
            yield rate

    def _rate(self, threads: int, single: Timing | None) -> Rate:
        runs: list[Run] = []
        problem = self._problem(threads)

        def search() -> None:
            runs.append(engine.run(self._searcher, problem, Limit(), threads))

        stopwatch = self._workbench.stopwatch
        stopwatch.warm_up(search)
        found = runs[-1].found
        timing = stopwatch.time_once(search, found.nodes)
        shares: Sequence[Share] = ()
        if threads == 1:
            single = timing
            task = self._searcher.begin(problem, 1)[0]
            known = pieces.of(self._name, task, self._workbench)
            shares = breakdown.weigh(known, task.nodes, timing)
        return Rate(
            engine=self._name,
            unit=next(iter(WORK[self._name].given())),
            threads=threads,
            timing=timing,
            efficiency=single.ns / (timing.ns * threads) if single else None,
            depth=found.moves[0].depth,
            nodes=found.nodes,
            memory=found.memory,
            shares=shares,
        )

    def _problem(self, threads: int) -> Problem:
        work = _scaled(WORK[self._name], self._workbench.stopwatch.plan, threads)
        return engine.make_problem(self._workbench.position, self._model, self._moves, work)


def _scaled(work: Limit, plan: Plan, threads: int) -> Limit:
    """The work of a run: as much for each thread."""
    amounts = {name: threads * max(1, round(plan.search * n)) for name, n in work.given().items()}
    return Limit(**amounts)


def recommended(rates: Sequence[Rate]) -> Rate:
    """Of one engine's rates the one with the fewest threads that is about as good as the best."""
    best = max(rate.per_s for rate in rates)
    return min((r for r in rates if r.per_s >= ENOUGH * best), key=lambda rate: rate.threads)
