"""What each engine does, how often, and what that costs."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from azul_ai.engine import SLICE_SECONDS
from azul_ai.jit import Call
from azul_ai.profiling import kernels, steps, walks
from azul_ai.profiling.breakdown import Piece
from azul_ai.profiling.primitives import Workbench
from azul_ai.profiling.timing import Timing
from azul_ai.search import tree

PROBES = 1 << 16
"""Random keys that are looked up in a table, more than a processor's nearest caches hold."""


def of(engine: str, task: Any, workbench: Workbench) -> list[Piece]:
    """Run an engine's task, that for one thread, and explain what it did."""
    return list(_ENGINES[engine].pieces(task, workbench))


def kernels_for(engine: str, task: Any) -> list[Call]:
    """The kernels that this needs beside those of a workbench and of the engine."""
    return _ENGINES[engine].kernels(task)


def _ismcts(task: Any, workbench: Workbench) -> Iterator[Piece]:
    """Every iteration walks down a path, may add a node, and records its result upward.

    Counts from the finished tree; timed at the places and states of the search itself.
    """
    while not task.run(SLICE_SECONDS):
        pass
    _, _, nodes, control, work, sums, _ = task.arguments
    places = walks.reachable(nodes)
    steps = int(nodes["visits"][places[1:]].astype(np.int64).sum())
    grown = len(places) - 1 - len(sums)
    drawn = walks.draw(workbench.position, nodes)
    sandbox = nodes[: int(places.max()) + 1].copy()
    sandbox["behind"] = tree.EXHAUSTED

    def at_nodes(operation: int, states: Any, at: Any) -> Timing:
        return workbench.stopwatch.time(
            lambda rounds: kernels.visit(operation, rounds, states, at, sandbox, control, work),
            len(at),
        )

    ends, playouts = drawn.ends, drawn.playouts
    choose = at_nodes(kernels.CHOOSE, drawn.states, drawn.places)
    find = at_nodes(kernels.UNTRIED, drawn.states[ends], drawn.places[ends])
    record = at_nodes(kernels.RECORD, drawn.states, drawn.places)
    policy = workbench.time("play_policy", playouts, np.zeros(len(playouts), dtype=np.int64))
    played = task.nodes * len(playouts) / len(drawn.leaves)
    yield from _timed(
        ("selection", "choose", steps, choose),
        ("selection", "apply", steps, workbench.cost("apply")),
        ("selection", "copy", task.nodes, workbench.cost("copy")),
        ("expansion", "next_untried", grown, find),
        ("playout", "play_policy", played, policy),
        ("evaluation", "evaluate", task.nodes, workbench.cost("evaluate")),
        ("chance", "determinize", task.nodes, workbench.cost("determinize")),
        ("backup", "record", steps + task.nodes, record),
    )


def _ismcts_kernels(task: Any) -> list[Call]:
    _, _, nodes, control, work, _, _ = task.arguments
    states, places = np.zeros(1, dtype=task.pool.dtype), np.zeros(1, dtype=np.int64)
    return [(kernels.visit, (0, 0, states, places, nodes, control, work))]


def _expectimax(task: Any, workbench: Workbench) -> Iterator[Piece]:
    """Frames list their moves, pick the best of the rest, and value or search their children.

    Counts from the record of the search; timed on positions that it met.
    """
    met = steps.search(task)
    used = _used(task)
    record, stopwatch = used[1], workbench.stopwatch
    leaves, compared, probes, opened, lists = (
        int(record[name]) for name in ("leaves", "compared", "probes", "opened", "lists")
    )
    children = int(record["nodes"]) - compared
    keys = np.random.default_rng(1).integers(1, 1 << 62, PROBES)

    def order(picks: int, rounds: int) -> int:
        return int(kernels.order(rounds, met.opened, met.depths, picks, *used))

    begin, list_all = functools.partial(order, -1), functools.partial(order, 0)
    pick = functools.partial(order, max(1, round(children / max(1, opened))))
    beginning = listing = picking = None
    if len(met.opened):
        beginning = stopwatch.time(begin, len(met.opened))
        listing = stopwatch.time(list_all, len(met.opened), begin)
    if picked := pick(1):
        picking = stopwatch.time(pick, picked, list_all)
    leaf = workbench.time("outlook", met.last, met.last_moves)
    probe = stopwatch.time(lambda rounds: kernels.look_up(rounds, keys, task.table), len(keys))
    yield from _timed(
        ("selection", "next_move", children, picking),
        ("expansion", "list_early", opened, beginning),
        ("expansion", "list_others", lists, listing),
        ("expansion", "copy", children - leaves, workbench.cost("copy")),
        ("expansion", "apply", children - leaves, workbench.cost("apply")),
        ("evaluation", "outlook", leaves, leaf),
        ("table", "hash_key", probes, workbench.cost("hash_key")),
        ("table", "look_up", probes, probe),
    )


def _expectimax_kernels(task: Any) -> list[Call]:
    states, numbers = np.zeros(1, dtype=task.pool.dtype), np.zeros(1, dtype=np.int64)
    return [
        (kernels.order, (0, states, numbers, 0, *_used(task))),
        (kernels.look_up, (0, numbers, task.table)),
    ]


def _used(task: Any) -> tuple[Any, ...]:
    """What ordering needs of a task: the model, the record of the search, and the memo."""
    _, model, search, _, _, _, memo = task.arguments()
    return model, search, memo


def _timed(*pieces: tuple[str, str, float, Timing | None]) -> Iterator[Piece]:
    """Pieces by part, name, count and time; not those that never come up."""
    for part, name, count, timing in pieces:
        if timing is not None:
            yield Piece(part, name, float(count), timing)


@dataclass(frozen=True)
class _Explained:
    """How an engine's time is explained: its pieces, and the kernels that time them."""

    pieces: Callable[[Any, Workbench], Iterator[Piece]]
    kernels: Callable[[Any], list[Call]]


_ENGINES = {
    "ismcts": _Explained(_ismcts, _ismcts_kernels),
    "expectimax": _Explained(_expectimax, _expectimax_kernels),
}
