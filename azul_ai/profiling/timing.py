"""Timing: repeated runs, their median and spread, each beside a calibration.

A processor may be slow or busy. Before every run a fixed chain of arithmetic is timed; a run
divided by it says how much work something is, much the same on a busy or a slower machine.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from azul_ai import rng
from azul_ai.profiling import kernels

Rounds = Callable[[int], object]
"""Repeats something so many times."""

MIN_RUNS = 3
FINEST = 0.1
"""Nanoseconds: the difference of two measurements counts as at least this much."""


@dataclass(frozen=True)
class Plan:
    """How long to measure: until ``runs`` runs are done, or ``seconds`` have gone and three are.

    :param run_seconds: a run repeats what it measures for about so long.
    :param search: part of the full work of a search that one run does.
    """

    runs: int = 10
    seconds: float = 3.0
    run_seconds: float = 0.1
    search: float = 1.0


FULL = Plan()
QUICK = Plan(runs=3, seconds=0.3, run_seconds=0.002, search=0.02)
"""To see that everything works; too short for figures."""


@dataclass(frozen=True)
class Timing:
    """What one operation takes.

    ``ns``: median, nanoseconds; ``spread``: half the range of the middle half of the runs,
    nanoseconds; ``relative``: median in steps of the calibration timed just before each run.
    """

    ns: float
    spread: float
    relative: float
    runs: int

    @property
    def per_s(self) -> float:
        """Operations per second."""
        return 1e9 / self.ns


class Stopwatch:
    """Times runs by a plan, and remembers what the calibrations and the warming up took."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.warmup_s = 0.0
        self._steps: list[float] = []
        self._generator = rng.new(1)
        self._calibration_steps = max(10_000, round(plan.run_seconds * 1e7))

    @property
    def calibration(self) -> float:
        """Nanoseconds of a step of the calibration, the median so far."""
        return float(np.median(self._steps))

    def time(self, run: Rounds, operations: int, baseline: Rounds | None = None) -> Timing:
        """Time ``run(rounds)``, which does ``operations`` in each of its rounds.

        :param baseline: does what else is in a round of ``run``; timed beside it, and subtracted.
        """
        rounds = self._rounds_for(run)
        return self._time(
            functools.partial(run, rounds),
            operations * rounds,
            functools.partial(baseline, rounds) if baseline else None,
        )

    def time_once(self, run: Callable[[], object], operations: int) -> Timing:
        """Time ``run()``, which does ``operations``."""
        return self._time(run, operations, None)

    def _time(
        self, run: Callable[[], object], operations: int, baseline: Callable[[], object] | None
    ) -> Timing:
        nanoseconds: list[float] = []
        relative: list[float] = []
        start = time.perf_counter()
        while len(nanoseconds) < self.plan.runs and (
            len(nanoseconds) < MIN_RUNS or time.perf_counter() - start < self.plan.seconds
        ):
            step = self._calibrate()
            seconds = _seconds(run) - (_seconds(baseline) if baseline else 0.0)
            nanoseconds.append(max(FINEST, 1e9 * seconds / operations))
            relative.append(nanoseconds[-1] / step)
        low, middle, high = np.quantile(nanoseconds, (0.25, 0.5, 0.75))
        spread = float(high - low) / 2
        return Timing(float(middle), spread, float(np.median(relative)), len(nanoseconds))

    def warm_up(self, run: Callable[[], object]) -> float:
        """Run something for the first time, unmeasured; return the seconds it took."""
        seconds = _seconds(run)
        self.warmup_s += seconds
        return seconds

    def _rounds_for(self, run: Rounds) -> int:
        """The number of rounds that fills a run."""
        self.warm_up(lambda: run(1))
        rounds, seconds = 1, 0.0
        while seconds < self.plan.run_seconds / 4:
            rounds *= 2
            seconds = self.warm_up(functools.partial(run, rounds))
        return max(1, round(rounds * self.plan.run_seconds / seconds))

    def _calibrate(self) -> float:
        """Nanoseconds of a step of the calibration, now."""
        steps = self._calibration_steps
        seconds = _seconds(lambda: kernels.spin(self._generator, steps))
        self._steps.append(1e9 * seconds / steps)
        return self._steps[-1]


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start
