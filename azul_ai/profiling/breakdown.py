"""Where a search's time goes: how often it did what, times what that costs.

Inside one compiled kernel there is no clock. The counts are read off the finished search,
the costs are measured on like states; what they do not explain is shown as ``other``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from azul_ai.jit import Call
from azul_ai.profiling import kernels, walks
from azul_ai.profiling.primitives import Workbench
from azul_ai.profiling.timing import Timing
from azul_ai.search import tree

PARTS = ("selection", "expansion", "playout", "evaluation", "chance", "table", "backup")
"""What a search does. ``backup``: recording results on the way back to the root."""
OTHER = "other"


@dataclass(frozen=True)
class Share:
    """A piece of a search: ``count`` times per iteration or node at ``ns`` nanoseconds each.

    ``share`` is its part of the whole time. ``other`` has no count: it is what is left.
    """

    part: str
    piece: str
    count: float
    ns: float
    share: float


@dataclass(frozen=True)
class Piece:
    """Something that a search did ``count`` times."""

    part: str
    piece: str
    count: float
    timing: Timing


def shares(engine: str, task: Any, workbench: Workbench, whole: Timing) -> Sequence[Share]:
    """The shares of a finished search on one thread.

    :param task: the searcher's task.
    :param whole: of an iteration or node.
    """
    return weigh(list(_ENGINES[engine].pieces(task, workbench)), task.nodes, whole)


def weigh(pieces: Sequence[Piece], nodes: int, whole: Timing) -> Sequence[Share]:
    """The shares of pieces and of the rest in ``nodes`` times the whole.

    Times relative to the calibration are compared, since they were not measured at the same
    moment. Where a processor overlaps pieces so much that together they exceed the whole, all
    are scaled down.
    """
    parts = [piece.count / nodes * piece.timing.relative for piece in pieces]
    total = max(whole.relative, sum(parts))
    rest = (total - sum(parts)) / total
    known = [
        Share(piece.part, piece.piece, piece.count / nodes, piece.timing.ns, part / total)
        for piece, part in zip(pieces, parts, strict=True)
    ]
    return (*known, Share(OTHER, OTHER, 1.0, rest * whole.ns, rest))


def kernels_for(engine: str, task: Any) -> list[Call]:
    """The kernels that explaining such a task's time needs, beside a workbench's."""
    return _ENGINES[engine].kernels(task)


def by_part(known: Sequence[Share]) -> dict[str, float]:
    """The share of every part, in a fixed order, those of which nothing is known with 0."""
    sums = dict.fromkeys((*PARTS, OTHER), 0.0)
    for share in known:
        sums[share.part] += share.share
    return sums


def _ismcts(task: Any, workbench: Workbench) -> Iterator[Piece]:
    """Every iteration walks down a path, may add a node, and records its result upward.

    Timed at the places and states of the search itself, with its tree as it was at the end.
    """
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

    ends = drawn.ends
    choose = at_nodes(kernels.CHOOSE, drawn.states, drawn.places)
    find = at_nodes(kernels.UNTRIED, drawn.states[ends], drawn.places[ends])
    record = at_nodes(kernels.RECORD, drawn.states, drawn.places)
    yield Piece("selection", "choose", steps, choose)
    yield from _primitives(
        workbench, ("selection", "apply", steps), ("selection", "copy", task.nodes)
    )
    yield Piece("expansion", "next_untried", grown, find)
    policy = workbench.time("play_policy", drawn.playouts, drawn.places)
    if policy is not None:
        played = task.nodes * len(drawn.playouts) / len(drawn.leaves)
        yield Piece("playout", "play_policy", played, policy)
    yield from _primitives(
        workbench, ("evaluation", "evaluate", task.nodes), ("chance", "determinize", task.nodes)
    )
    yield Piece("backup", "record", steps + task.nodes, record)


def _ismcts_kernels(task: Any) -> list[Call]:
    _, _, nodes, control, work, _, _ = task.arguments
    states = np.zeros(1, dtype=task.pool.dtype)
    return [(kernels.visit, (0, 0, states, np.zeros(1, dtype=np.int64), nodes, control, work))]


def _primitives(workbench: Workbench, *wanted: tuple[str, str, int]) -> Iterator[Piece]:
    """Pieces that are primitives: part, name and count; not those that cannot be timed."""
    for part, name, count in wanted:
        cost = workbench.cost(name)
        if cost is not None:
            yield Piece(part, name, count, cost)


@dataclass(frozen=True)
class _Explained:
    """How an engine's time is explained: its pieces, and the kernels that time them."""

    pieces: Callable[[Any, Workbench], Iterator[Piece]]
    kernels: Callable[[Any], list[Call]]


_ENGINES = {"ismcts": _Explained(_ismcts, _ismcts_kernels)}
