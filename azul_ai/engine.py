"""Running a searcher: slices, threads, progress. The only module with threads.

A search is cut into slices of some milliseconds of compiled code, so a time limit, Ctrl-C
and progress are handled here, in Python, for every searcher alike.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

import numpy as np

from azul_ai import game, jit
from azul_ai.evaluation.interface import DIFF, WIN
from azul_ai.search.searcher import Found, Problem, Searcher
from azul_ai.settings import Limit, check_evaluation, check_limits, make_searcher, split_settings

OBJECTIVES = {"win": WIN, "diff": DIFF}
DEFAULT_SEED = 1
DEFAULT_MEMORY = 256 << 20
SLICE_SECONDS = 0.02
PROGRESS_SECONDS = 0.1
MIN_MEMORY = 1 << 20


@dataclass(frozen=True, slots=True)
class Progress:
    """What a running search reports: seconds and nodes so far, and what it found."""

    seconds: float
    nodes: int
    found: Found


@dataclass(frozen=True, slots=True)
class Run:
    """A finished search: what it found, seconds, what stopped it, and whether by Ctrl-C."""

    found: Found
    seconds: float
    interrupted: bool


def local_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def default_threads(limit: Limit) -> int:
    """All cores under a time limit; otherwise one, so that results repeat anywhere."""
    return local_cores() if limit.time is not None else 1


def run(
    searcher: Searcher,
    problem: Problem,
    limit: Limit,
    threads: int,
    on_progress: Callable[[Progress], None] | None = None,
) -> Run:
    """Search until the first limit is reached or Ctrl-C is pressed, on threads of its own."""
    start = time.perf_counter()
    deadline = start + limit.time if limit.time is not None else float("inf")
    tasks = searcher.begin(problem, threads)
    stopped = False

    def work(task: Any) -> None:
        while not stopped and time.perf_counter() < deadline:
            if task.run(min(SLICE_SECONDS, deadline - time.perf_counter())):
                break

    interrupted = False
    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(work, task) for task in tasks]
        try:
            while True:
                done, waiting = wait(futures, PROGRESS_SECONDS, return_when=FIRST_EXCEPTION)
                if not waiting or any(future.exception() for future in done):
                    break
                if on_progress:
                    found = searcher.found(problem, tasks)
                    on_progress(Progress(time.perf_counter() - start, found.nodes, found))
        except KeyboardInterrupt:
            interrupted = True
        finally:
            stopped = True
    for future in futures:
        future.result()
    seconds = time.perf_counter() - start
    return Run(searcher.found(problem, tasks), seconds, interrupted)


class Player:
    """A searcher that chooses moves with little overhead, on the calling thread.

    :raises SettingError: unknown engine, setting or limit.
    """

    def __init__(
        self,
        game_name: str,
        engine: str,
        limit: Limit,
        settings: Mapping[str, Any] | None = None,
        objective: str = "win",
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        self._game, self._settings = game_name, dict(settings or {})
        rest = {key: value for key, value in self._settings.items() if key != "evaluation"}
        check_evaluation(game_name, self._settings)
        self._searcher = make_searcher(engine, rest)
        self._limit = limit.or_default()
        check_limits(self._searcher, self._limit)
        self._evaluations: dict[int, Any] = {}  # by number of players
        self._objective = OBJECTIVES[objective]
        self._memory = memory
        self._moves = np.zeros(game.MAX_MOVES, dtype=np.int64)

    def evaluation(self, players: int) -> Any:
        """What it values positions with, the Evaluation for so many players.

        :raises SettingError: there is none.
        """
        if players not in self._evaluations:
            loaded = split_settings(self._game, self._settings, players)[1]
            self._evaluations[players] = loaded
        return self._evaluations[players]

    def problem(self, state: Any, seed: int) -> Problem:
        """The search problem of a state in stage DECISION.

        :raises SettingError: there is no such evaluation for its number of players.
        """
        number = game.list_moves(state, self._moves, True)
        return make_problem(
            state,
            self.evaluation(int(state["players"])).model,
            self._moves[:number].copy(),
            self._limit,
            objective=self._objective,
            seed=seed,
            memory=self._memory,
        )

    def prepare(self, state: Any) -> None:
        """Compile what :meth:`choose` needs."""
        jit.prepare(self._searcher.kernels(self.problem(state, 0)))

    def choose(self, state: Any, seed: int) -> int:
        """The best move found for the player to move; a forced move at once."""
        return self.search(state, seed).moves[0].move

    def search(self, state: Any, seed: int) -> Found:
        """As :meth:`choose`, with all that was found."""
        start = time.perf_counter()
        problem = self.problem(state, seed)
        tasks = self._searcher.begin(problem, 1)
        limit = self._limit.time
        finished = False
        while not finished:
            left = SLICE_SECONDS
            if limit is not None:
                left = min(left, limit - (time.perf_counter() - start))
                if left <= 0 and tasks[0].nodes:
                    break
            finished = tasks[0].run(max(left, 1e-4)) or len(problem.moves) == 1
        return self._searcher.found(problem, tasks)


def make_problem(
    state: Any,
    model: Any,
    moves: Any,
    limit: Limit,
    *,
    objective: int = WIN,
    seed: int = DEFAULT_SEED,
    memory: int = DEFAULT_MEMORY,
    top: int = 1,
) -> Problem:
    """A search problem with the countable limits of ``limit``."""
    return Problem(
        state,
        model,
        moves,
        objective,
        seed,
        memory,
        iterations=limit.iterations,
        nodes=limit.nodes,
        depth=limit.depth,
        top=top,
    )
