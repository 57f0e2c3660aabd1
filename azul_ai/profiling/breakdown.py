"""Where a search's time goes: how often it did what, times what that costs.

Inside one compiled kernel there is no clock. The counts are read off the finished search,
the costs are measured on like states; what they do not explain is shown as ``other``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from azul_ai.profiling.timing import Timing

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


def by_part(known: Sequence[Share]) -> dict[str, float]:
    """The share of every part, in a fixed order, those of which nothing is known with 0."""
    sums = dict.fromkeys((*PARTS, OTHER), 0.0)
    for share in known:
        sums[share.part] += share.share
    return sums
