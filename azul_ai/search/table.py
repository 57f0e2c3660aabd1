"""Transposition table: what is known of positions already searched, in bounded memory.

A value at a fixed depth is a function of the position and that depth alone, so an entry
answers only for its own depth. Depths are counted so that a position searched to the end of
its round has one depth, however much deeper it was allowed to look.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai.jit import jit

LOWER, UPPER, EXACT = 1, 2, 3
"""The score is at most the value; at least the value; the value."""

_FIELDS = [
    ("key", "i8"),  # 0: empty
    ("score", "i8"),
    ("move", "i4"),
    ("depth", "i2"),
    ("bound", "i1"),
    ("age", "i1"),  # the iteration that stored it
]

FIRST_PAIRS = 1 << 12


def pair_dtype(*more: Any) -> np.dtype[Any]:
    """Two entries, with ``more`` fields each: one worth keeping, and the last that was not."""
    entry = np.dtype((np.record, [*_FIELDS, *more]))
    return np.dtype((np.record, [("kept", entry), ("last", entry)]))


def new_table(dtype: np.dtype[Any], memory: int) -> Any:
    """A small empty table: pairs, a power of two of them, in at most ``memory`` bytes."""
    pairs = max(1, memory // dtype.itemsize)
    return np.zeros(min(FIRST_PAIRS, 1 << pairs.bit_length() - 1), dtype=dtype)


def grown(table: Any, memory: int) -> Any:
    """The table with four times, or twice, the room, or itself if ``memory`` is too small.

    Small searches stay in the processor's caches this way. No entry is lost: all positions
    of a pair go to different pairs or stay together.
    """
    for factor in (4, 2):
        if factor * table.nbytes <= memory:
            larger = np.zeros(factor * len(table), dtype=table.dtype)
            for side in table.dtype.names:
                entries = table[side][table[side]["key"] != 0]
                larger[side][entries["key"] & len(larger) - 1] = entries
            return larger
    return table


@jit
def entry_for(pair: Any, key: int, depth: int, age: int) -> Any:
    """The entry of a pair to write to: the same position's, or an older or shallower one's."""
    kept = pair.kept
    if kept.key == key or kept.age != age or kept.depth <= depth:
        return kept
    return pair.last
