"""A profile: everything that was measured on a position, as dataclasses and as JSON."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from azul_ai import evaluation, game, jit
from azul_ai.game import DECISION
from azul_ai.position import Fault, Position, PositionError, to_state
from azul_ai.profiling import breakdown, machine
from azul_ai.profiling.engines import EngineBench, Rate
from azul_ai.profiling.machine import Machine
from azul_ai.profiling.primitives import Line, Workbench
from azul_ai.profiling.timing import FULL, Plan, Stopwatch, Timing

SCHEMA = "azul-profile/1"


@dataclass(frozen=True)
class Profile:
    """What was measured, and what had to be waited for before.

    ``position``: its code. ``quick``: the figures are too rough to use. ``compile_s``: seconds
    of compiling what no earlier process compiled; ``load_s``: of loading the rest;
    ``warmup_s``: of first runs. ``calibration``: nanoseconds of a step of it.
    """

    position: str
    players: int
    quick: bool
    machine: Machine
    compile_s: float
    load_s: float
    warmup_s: float
    calibration: float
    primitives: Sequence[Line]
    engines: Sequence[Rate]

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of schema ``azul-profile/1``."""
        return {
            "schema": SCHEMA,
            "position": self.position,
            "players": self.players,
            "quick": self.quick,
            "machine": dataclasses.asdict(self.machine),
            "compile_s": self.compile_s,
            "load_s": self.load_s,
            "warmup_s": self.warmup_s,
            "calibration": self.calibration,
            "primitives": [
                {"name": line.name, **_figures(line.timing)} for line in self.primitives
            ],
            "engines": [_engine(rate) for rate in self.engines],
        }


def _figures(timing: Timing) -> dict[str, float]:
    return {**dataclasses.asdict(timing), "per_s": timing.per_s}


def _engine(rate: Rate) -> dict[str, Any]:
    document = {
        "name": rate.engine,
        "threads": rate.threads,
        f"{rate.unit}_per_s": rate.per_s,
        "efficiency": rate.efficiency,
        "depth": rate.depth,
        "nodes": rate.nodes,
        "memory_mb": rate.memory / 1e6,
        **dataclasses.asdict(rate.timing),
    }
    if rate.shares:
        document["shares"] = breakdown.by_part(rate.shares)
        document["breakdown"] = [dataclasses.asdict(share) for share in rate.shares]
    return document


def profile(
    position: Position,
    engines: Sequence[str],
    threads: Sequence[int],
    plan: Plan = FULL,
    on_step: Callable[[str], None] = lambda _: None,
    on_compile: Callable[[str], None] | None = None,
) -> Profile:
    """Measure primitives and engines on a position.

    :param engines: names, of those in :data:`azul_ai.profiling.engines.WORK`.
    :param on_step: told what is being measured.
    :param on_compile: told what is being compiled, at the first use only.
    :raises PositionError: nobody is to move in the position.
    """
    state = to_state(position)
    if state["stage"] != DECISION:
        reason, hint = "nobody is to move: there is nothing to search", "fill in the displays"
        raise PositionError([Fault("factories", reason, hint)])
    players = int(state["players"])
    chosen = evaluation.load(position.game, players=players)
    start = time.perf_counter()
    stopwatch = Stopwatch(plan)
    workbench = Workbench(state, chosen.model, stopwatch)
    compile_s = jit.prepare(workbench.kernels(), on_compile)
    moves = np.zeros(game.MAX_MOVES, dtype=np.int64)
    moves = moves[: game.list_moves(state, moves, True)].copy()
    benches = [EngineBench(name, workbench, chosen, moves) for name in engines]
    compile_s += jit.prepare([call for bench in benches for call in bench.kernels()], on_compile)
    load_s = time.perf_counter() - start - compile_s
    lines = list(workbench.lines(on_step))
    rates = [rate for bench in benches for rate in bench.rates(threads, on_step)]
    return Profile(
        position=position.code,
        players=players,
        quick=plan != FULL,
        machine=machine.describe(),
        compile_s=compile_s,
        load_s=load_s,
        warmup_s=stopwatch.warmup_s,
        calibration=stopwatch.calibration,
        primitives=lines,
        engines=rates,
    )
