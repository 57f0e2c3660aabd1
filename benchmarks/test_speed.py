"""The measurements of ``azul-ai profile`` as pytest-benchmark cases, to look at one at a time.

    pytest benchmarks/test_speed.py -k apply
    pytest benchmarks/test_speed.py --benchmark-autosave --benchmark-compare

A case of a primitive runs it on all states of a sample, a hundred times over.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from azul_ai import bench, engine, evaluation, game, games, jit, rng
from azul_ai.position import load, to_state
from azul_ai.profiling.engines import WORK
from azul_ai.profiling.primitives import PRIMITIVES, Primitive, Workbench
from azul_ai.profiling.timing import QUICK, Stopwatch
from azul_ai.settings import Limit, make_searcher

PLAYERS = (2, 3, 4)
ROUNDS = 100
GAMES = 100


def opening(players: int) -> Any:
    """The state of the bench's opening."""
    loaded = map(load, bench.positions())
    return to_state(next(position for position in loaded if len(position.players) == players))


@pytest.fixture(scope="module")
def workbench() -> Workbench:
    """The primitives on an opening of two players, compiled."""
    model = evaluation.load("azul").model
    made = Workbench(opening(2), model, Stopwatch(QUICK))
    jit.prepare(made.kernels())
    return made


@pytest.mark.parametrize("primitive", PRIMITIVES, ids=lambda primitive: primitive.name)
def test_primitive(benchmark: BenchmarkFixture, workbench: Workbench, primitive: Primitive) -> None:
    """A hundred times over the states of the sample."""
    states, moves = workbench.cases(primitive.name)
    benchmark.extra_info["operations"] = ROUNDS * len(states)
    benchmark(workbench.repeat, primitive.number, states, moves, ROUNDS)


@pytest.mark.parametrize("players", PLAYERS)
def test_random_games(benchmark: BenchmarkFixture, players: int) -> None:
    """Whole games of uniformly random moves."""
    state = games.load("azul").new_state(players)
    pool = np.zeros(2, dtype=state.dtype)
    pool[0] = state
    totals = np.zeros(3 + game.MAX_PLAYERS, dtype=np.int64)
    benchmark.extra_info["operations"] = GAMES
    benchmark(lambda: game.play_randomly(pool, rng.new(1), GAMES, totals))


@pytest.mark.parametrize("players", PLAYERS)
def test_perft(benchmark: BenchmarkFixture, players: int) -> None:
    """Sequences of three moves from an opening."""
    pool = np.zeros(4, dtype=games.load("azul").STATE)
    pool[0] = opening(players)
    moves = np.zeros((3, game.MAX_MOVES), dtype=np.int64)
    benchmark.extra_info["operations"] = int(game.perft_leaves(pool, 3, moves))
    benchmark(game.perft_leaves, pool, 3, moves)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("name", list(WORK))
def test_engine(benchmark: BenchmarkFixture, name: str, players: int) -> None:
    """The search of an opening that a profile makes, on one thread."""
    state = opening(players)
    moves = np.zeros(game.MAX_MOVES, dtype=np.int64)
    moves = moves[: game.list_moves(state, moves, True)]
    searcher = make_searcher(name, {})
    problem = engine.make_problem(state, evaluation.load("azul").model, moves, WORK[name])
    jit.prepare(searcher.kernels(problem))
    run = benchmark.pedantic(engine.run, (searcher, problem, Limit(), 1), rounds=5, warmup_rounds=1)
    benchmark.extra_info["operations"] = run.found.nodes
