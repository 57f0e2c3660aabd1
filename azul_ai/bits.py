"""Small fields in an int64 word, at most 62 bits used.

int64, because ``uint64 & 1`` silently becomes int64 in numba, and plain Python disagrees.
"""

from __future__ import annotations

from azul_ai.jit import jit


@jit
def count(word: int) -> int:
    """Number of set bits of a word >= 0 (LLVM turns this loop into one instruction)."""
    number = 0
    while word:
        word &= word - 1
        number += 1
    return number


@jit
def lowest(word: int) -> int:
    """Index of the lowest set bit of a word > 0."""
    return count((word & -word) - 1)


@jit
def nth(word: int, n: int) -> int:
    """Index of the set bit number ``n`` (from 0, lowest first) of a word with more than n."""
    while n:
        word &= word - 1
        n -= 1
    return count((word & -word) - 1)
