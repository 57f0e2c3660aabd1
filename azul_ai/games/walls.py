"""The wall's geometry: cells, runs, rows and columns, whatever the colors.

A wall is a word: bit 5r + k is the cell in row r, column k, both from 0.
"""

from __future__ import annotations

import numpy as np

from azul_ai.jit import jit

SIZE = 5
ROW_BONUS, COLUMN_BONUS, COLOR_BONUS = 2, 7, 10
ROW_MASK = 31
FULL_COLUMN = sum(1 << SIZE * row for row in range(SIZE))


def _run_length(occupied: int, position: int) -> int:
    """Length of the run of set bits of a 5-bit word through a position counted as set."""
    low = high = position
    while low > 0 and occupied >> (low - 1) & 1:
        low -= 1
    while high < SIZE - 1 and occupied >> (high + 1) & 1:
        high += 1
    return high - low + 1


_RUN = np.array(
    [[_run_length(word, position) for position in range(SIZE)] for word in range(1 << SIZE)],
    dtype=np.int64,
)
# Gathers every fifth bit of a wall into the top five bits of a 25-bit word.
_COLUMN_GATHER = 1 | 1 << 4 | 1 << 8 | 1 << 12 | 1 << 16
_COLUMN_SHIFT = 16


@jit
def placement_points(wall: int, row: int, column: int) -> int:
    """Points of a tile just placed: the runs through it, or 1 if it touches nothing."""
    across = _RUN[wall >> SIZE * row & ROW_MASK, column]
    down = _RUN[column_of(wall, column), row]
    if across > 1 and down > 1:
        return across + down
    return max(across, down)


@jit
def column_of(wall: int, column: int) -> int:
    """The cells of a column as a 5-bit word, row 0 lowest."""
    return (wall >> column & FULL_COLUMN) * _COLUMN_GATHER >> _COLUMN_SHIFT & ROW_MASK


@jit
def complete_rows(wall: int) -> int:
    """Number of complete horizontal rows."""
    rows = 0
    for row in range(SIZE):
        rows += wall >> SIZE * row & ROW_MASK == ROW_MASK
    return rows
