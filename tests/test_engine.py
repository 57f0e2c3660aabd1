"""Running searchers: limits, settings, threads, progress, interruption, players."""

from __future__ import annotations

import itertools
import math
import os
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest

from azul_ai import engine, game, games, rng
from azul_ai.engine import Player
from azul_ai.evaluation.interface import DIFF, WIN
from azul_ai.search.searcher import Found
from azul_ai.settings import (
    DEFAULT_TIME,
    ENGINES,
    Limit,
    SettingError,
    check_limits,
    fits,
    make_searcher,
    split_settings,
)
from tests.playing import legal_moves, random_states

# --- limits -----------------------------------------------------------------------------


@pytest.mark.nojit
@pytest.mark.parametrize("name", ["time", "iterations", "nodes", "depth"])
@pytest.mark.parametrize("value", [0, -1, -0.5, math.nan, math.inf])
def test_limits_are_positive_numbers(name: str, value: float) -> None:
    with pytest.raises(SettingError, match="positive") as raised:
        Limit(**{name: value})
    assert raised.value.field == name


@pytest.mark.nojit
def test_without_a_limit_there_is_a_time() -> None:
    assert Limit().given() == {}
    assert Limit().or_default() == Limit(time=DEFAULT_TIME)
    given = Limit(nodes=5, depth=2)
    assert given.or_default() == given
    assert given.given() == {"nodes": 5, "depth": 2}


@pytest.mark.nojit
@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("limit", ["iterations", "nodes", "depth"])
def test_a_limit_that_an_engine_does_not_know(name: str, limit: str) -> None:
    searcher = make_searcher(name, {})
    check_limits(searcher, Limit(time=1))
    if limit in searcher.limits:
        check_limits(searcher, Limit(**{limit: 1}))
        return
    with pytest.raises(SettingError, match=f"{name} engine has no such limit") as raised:
        check_limits(searcher, Limit(**{limit: 1}))
    assert raised.value.field == limit
    assert raised.value.hint == "use " + ", ".join(["time", *sorted(searcher.limits)])


@pytest.mark.nojit
def test_only_under_a_time_limit_all_cores_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: {0, 3, 5}, raising=False)
    assert engine.default_threads(Limit(time=1)) == 3
    assert engine.default_threads(Limit(iterations=10)) == 1
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert engine.default_threads(Limit(time=1)) == 7
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert engine.default_threads(Limit(time=1)) == 1


# --- engines and settings ---------------------------------------------------------------


@pytest.mark.nojit
def test_settings_may_be_text() -> None:
    written = make_searcher("ismcts", {"exploration": "0.5", "horizon": "2"})
    assert written == make_searcher("ismcts", {"exploration": 0.5, "horizon": 2})
    assert (written.exploration, written.horizon) == (0.5, 2)


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("name", "settings", "where", "words"),
    [
        ("ismtcs", {}, "engine", ["ismtcs", "Did you mean 'ismcts'?"]),
        ("stockfish", {}, "engine", ["Choose from ismcts, expectimax, greedy"]),
        ("ismcts", {"explration": 1}, "set.explration", ["Did you mean 'exploration'?"]),
        ("ismcts", {"evalution": "x"}, "set.evalution", ["Did you mean 'evaluation'?"]),
        ("greedy", {"leaf": "round"}, "set.leaf", ["greedy engine has no such setting"]),
        ("ismcts", {"horizon": "1.5"}, "set.horizon", ["'1.5' is not of type int"]),
        ("ismcts", {"exploration": "much"}, "set.exploration", ["'much' is not of type float"]),
        ("ismcts", {"exploration": "nan"}, "set", ["exploration"]),
        ("ismcts", {"leaf": "deep"}, "set", ["leaf must be one of round, static, game, random"]),
    ],
)
def test_what_cannot_be_set(
    name: str, settings: dict[str, Any], where: str, words: Sequence[str]
) -> None:
    with pytest.raises(SettingError) as raised:
        make_searcher(name, settings)
    assert raised.value.field == where
    for word in words:
        assert word in str(raised.value)


@pytest.mark.nojit
def test_what_fits() -> None:
    assert fits("ismcts", Limit(iterations=5), {"leaf": "game"})
    assert not fits("ismcts", Limit(depth=5), {"leaf": "game"})
    assert not fits("expectimax", Limit(depth=5), {"leaf": "game"})
    assert not fits("ismcts", Limit(), {"leaf": "deep"})


@pytest.mark.nojit
def test_the_evaluation_is_a_setting_of_every_engine() -> None:
    rest, chosen = split_settings("azul", {"leaf": "game", "evaluation": "handmade"}, 2)
    assert rest == {"leaf": "game"}
    assert chosen.id == "handmade-azul"
    assert split_settings("azul", {}, 2)[1].id.startswith("learned-azul-2-")
    assert split_settings("azul-gray", {}, 3)[1].id.startswith("learned-azul-gray-3-")
    assert split_settings("azul-gray", {}, 4)[1].id == "handmade-azul-gray"
    with pytest.raises(SettingError, match=r"(?s)set.evaluation.*'learnt'.*handmade"):
        split_settings("azul", {"evaluation": "learnt"}, 2)


# --- running, with a searcher that only counts ------------------------------------------


@dataclass
class Counting:
    """A task that counts its slices, one a millisecond; nothing is compiled."""

    slices: int | None = None
    fault: Exception | None = None
    together: threading.Barrier | None = None
    """Where the first slice waits for those of other tasks."""
    nodes: int = 0
    asked: list[float] = field(default_factory=list)
    threads: set[int] = field(default_factory=set)

    def run(self, seconds: float) -> bool:
        self.asked.append(seconds)
        self.threads.add(threading.get_ident())
        if self.together and not self.nodes:
            self.together.wait(timeout=60)
        time.sleep(0.001)
        self.nodes += 1
        if self.fault and self.nodes == 3:
            raise self.fault
        return self.slices is not None and self.nodes >= self.slices


@dataclass
class Counters:
    """A searcher with these tasks; what it finds is the number of slices of each."""

    tasks: list[Counting]
    name: ClassVar[str] = "counters"
    limits: ClassVar[frozenset[str]] = frozenset()

    def begin(self, _problem: Any, threads: int) -> list[Counting]:
        assert threads == len(self.tasks)
        return self.tasks

    def found(self, _problem: Any, tasks: list[Counting]) -> Found:
        return Found([task.nodes for task in tasks], sum(task.nodes for task in tasks), 0)


def run(*tasks: Counting, limit: Limit | None = None, **others: Any) -> engine.Run:
    """Run tasks, which need no problem, on as many threads."""
    searcher: Any = Counters(list(tasks))
    nothing: Any = None
    return engine.run(searcher, nothing, limit or Limit(depth=1), len(tasks), **others)


@pytest.mark.nojit
def test_it_ends_when_every_task_is_done() -> None:
    together = threading.Barrier(3)
    tasks = [Counting(slices=number, together=together) for number in (3, 40, 7)]
    finished = run(*tasks)
    assert (finished.found.moves, finished.found.nodes) == ([3, 40, 7], 50)
    assert not finished.interrupted
    assert finished.seconds >= 0.04
    idents = [ident for task in tasks for ident in task.threads]
    assert len(idents) == len(set(idents)) == 3  # every task has a thread of its own
    assert threading.get_ident() not in idents


@pytest.mark.nojit
def test_a_time_limit_is_kept() -> None:
    tasks = [Counting(), Counting(slices=2)]
    finished = run(*tasks, limit=Limit(time=0.15))
    assert 0.15 <= finished.seconds < 1
    assert tasks[1].nodes == 2
    for task in tasks:
        assert max(task.asked) <= engine.SLICE_SECONDS
    assert tasks[0].asked[-1] < engine.SLICE_SECONDS  # the last slice is cut to what is left


@pytest.mark.nojit
def test_progress_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "PROGRESS_SECONDS", 0.02)
    seen: list[engine.Progress] = []
    finished = run(Counting(slices=150), Counting(slices=150), on_progress=seen.append)
    assert len(seen) >= 3
    for before, after in itertools.pairwise(seen):
        assert before.seconds + 0.01 < after.seconds
        assert before.nodes <= after.nodes == after.found.nodes
    assert seen[-1].seconds <= finished.seconds
    assert seen[0].nodes < finished.found.nodes == 300


@pytest.mark.nojit
def test_ctrl_c_stops_all_threads_and_keeps_what_was_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine, "PROGRESS_SECONDS", 0.02)

    def press(_progress: engine.Progress) -> None:
        raise KeyboardInterrupt

    tasks = [Counting(), Counting()]
    finished = run(*tasks, on_progress=press)
    assert finished.interrupted
    assert finished.found.nodes == sum(task.nodes for task in tasks) > 0
    stopped_at = finished.found.nodes
    time.sleep(0.02)
    assert sum(task.nodes for task in tasks) == stopped_at


@pytest.mark.nojit
def test_a_fault_in_one_thread_ends_all_and_is_told() -> None:
    tasks = [Counting(), Counting(fault=ZeroDivisionError("odd"))]
    with pytest.raises(ZeroDivisionError, match="odd"):
        run(*tasks)
    assert tasks[1].nodes == 3
    stopped_at = tasks[0].nodes
    time.sleep(0.02)
    assert tasks[0].nodes == stopped_at


# --- players ----------------------------------------------------------------------------


def decision(players: int, moves: range) -> Any:
    """A decision of a random game among so many distinct moves."""
    for seed in range(100):
        for state in random_states(players, seed):
            if state.stage == game.DECISION and len(legal_moves(state, distinct=True)) in moves:
                return state
    raise AssertionError("no such decision")


@pytest.mark.parametrize("name", ["greedy", "ismcts"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_players_play_legal_moves_that_follow_from_the_seed(name: str, players: int) -> None:
    limit = Limit(iterations=100) if name == "ismcts" else Limit(time=1)
    one, other = (Player("azul", name, limit) for _ in range(2))
    state, generator = games.load("azul").new_state(players), rng.new(1)
    for seed in range(25):
        if state.stage == game.DEAL:
            game.deal_round(state, generator)
        kept = state.copy()
        move = one.choose(state, seed)
        assert state == kept
        assert move in legal_moves(state)
        assert other.choose(state, seed) == move
        game.play(state, move)


def test_a_player_keeps_the_count() -> None:
    found = Player("azul", "ismcts", Limit(iterations=321)).search(decision(2, range(20, 60)), 1)
    assert found.nodes == sum(move.visits for move in found.moves) == 321


@pytest.mark.parametrize("seconds", [1e-6, 0.1])
def test_a_player_keeps_the_time(seconds: float) -> None:
    player, state = Player("azul", "ismcts", Limit(time=seconds)), decision(2, range(20, 60))
    player.prepare(state)
    start = time.perf_counter()
    found = player.search(state, 1)
    spent = time.perf_counter() - start
    assert seconds <= spent < seconds + 1
    assert found.nodes > 0


def test_a_forced_move_is_played_at_once() -> None:
    player, state = Player("azul", "ismcts", Limit(time=60)), decision(2, range(1, 2))
    player.prepare(state)
    start = time.perf_counter()
    assert [player.choose(state, 1)] == legal_moves(state, distinct=True)
    assert time.perf_counter() - start < 5


def test_settings_objective_and_memory_reach_the_search() -> None:
    state = decision(2, range(20, 60))
    plain = Player("azul", "ismcts", Limit(iterations=50)).problem(state, 9)
    assert (plain.objective, plain.seed, plain.memory) == (WIN, 9, engine.DEFAULT_MEMORY)
    assert sorted(plain.moves.tolist()) == sorted(legal_moves(state, distinct=True))
    limit = Limit(iterations=200)
    other = Player("azul", "ismcts", limit, {"leaf": "random"}, "diff", memory=1 << 20)
    problem = other.problem(state, 9)
    assert (problem.objective, problem.memory, problem.iterations) == (DIFF, 1 << 20, 200)
    first = other.search(state, 1).moves[0]
    assert (
        first.values.tolist()
        != Player("azul", "ismcts", limit).search(state, 1).moves[0].values.tolist()
    )


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("arguments", "where"),
    [
        (("azul", "deep", Limit()), "engine"),
        (("azul", "greedy", Limit(iterations=5)), "iterations"),
        (("azul", "ismcts", Limit(), {"leaff": "x"}), "set.leaff"),
        (("azul", "ismcts", Limit(), {"evaluation": "x"}), "set.evaluation"),
    ],
)
def test_players_that_cannot_be(arguments: tuple[Any, ...], where: str) -> None:
    with pytest.raises(SettingError) as raised:
        Player(*arguments)
    assert raised.value.field == where
