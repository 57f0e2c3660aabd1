"""Pattern lines and floor line of a player's board, as Azul's two kinds of wall share them.

Lines and floor spaces count from 0 here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai.bits import count
from azul_ai.games.supply import COLORS, FIELD
from azul_ai.jit import jit

LINES = 5
FLOOR = 5
"""The floor as a target of a move, behind lines 0-4."""
FLOOR_SPACES = 7
MARKER = 6
"""The starting player marker in a floor field."""

BOARD_FIELDS: list[Any] = [
    ("lines", "i8"),  # line r in the 6-bit field at 6r: three bits tiles, then three bits color
    ("open", "i8"),  # bit 6c + r: line r takes color c; bit 6c + 5, the floor, is always set
    ("floor", "i8"),  # seven 3-bit fields from the left: 0 empty, color + 1, or MARKER
    ("score", "i8"),  # the score track
]
"""Fields that the record of every player's board has."""

OPEN_FIELD = 6
OPEN_MASK = 63
ONE_TARGET = sum(1 << OPEN_FIELD * color for color in range(COLORS))
ALL_OPEN = ONE_TARGET * OPEN_MASK

FLOOR_FIELD = 3
FLOOR_PENALTIES = np.array([0, 1, 2, 4, 6, 8, 11, 14], dtype=np.int64)
"""Points lost by the number of occupied floor spaces."""
_FLOOR_ONES = sum(1 << FLOOR_FIELD * space for space in range(FLOOR_SPACES))


@jit
def add_to_line(board: Any, line: int, color: int, tiles: int) -> int:
    """Put as many tiles as fit into an open line; return how many did."""
    board.lines, fit = with_tiles(board.lines, line, color, tiles)
    board.open &= ~(ONE_TARGET << line)
    if board.lines >> 6 * line & 7 <= line:
        board.open |= 1 << OPEN_FIELD * color + line
    return fit


@jit
def with_tiles(lines: int, line: int, color: int, tiles: int) -> tuple[int, int]:
    """The lines word after adding as many tiles as fit to a line, and how many did."""
    before = lines >> 6 * line & 7
    fit = min(tiles, line + 1 - before)
    return lines & ~(63 << 6 * line) | (color << 3 | before + fit) << 6 * line, fit


@jit
def drop(state: Any, board: Any, content: int, pieces: int) -> None:
    """Put pieces (a color + 1, or MARKER) on the leftmost free floor spaces, excess to the lid."""
    occupied = floor_count(board)
    fit = min(pieces, FLOOR_SPACES - occupied)
    row = content * _FLOOR_ONES & (1 << FLOOR_FIELD * fit) - 1
    board.floor |= row << FLOOR_FIELD * occupied
    if content != MARKER:
        state.lid += (pieces - fit) << FIELD * (content - 1)


@jit
def floor_count(board: Any) -> int:
    """Number of occupied floor spaces."""
    return count((board.floor | board.floor >> 1 | board.floor >> 2) & _FLOOR_ONES)


@jit
def full_color(lines: int, row: int) -> int:
    """The color of a line that is full, -1 if it is not."""
    line = lines >> 6 * row & 63
    return line >> 3 if line & 7 == row + 1 else -1


@jit
def empty_line(board: Any, row: int) -> None:
    """Take all tiles off a line."""
    board.lines &= ~(63 << 6 * row)


@jit
def pay_floor(state: Any, board: Any) -> None:
    """Subtract the floor's penalty, never below 0, and clear the floor into the lid."""
    board.score = max(0, board.score - FLOOR_PENALTIES[floor_count(board)])
    floor = board.floor
    while floor:
        if floor & 7 != MARKER:
            state.lid += 1 << FIELD * ((floor & 7) - 1)
        floor >>= FLOOR_FIELD
    board.floor = 0


# The tiles, as a supply word, on three floor spaces of the nine bits of their fields.
_FLOOR_TILES = np.array(
    [
        sum(
            1 << FIELD * ((word >> FLOOR_FIELD * space & 7) - 1)
            for space in range(3)
            if 0 < word >> FLOOR_FIELD * space & 7 < MARKER
        )
        for word in range(1 << 3 * FLOOR_FIELD)
    ],
    dtype=np.int64,
)


@jit
def floor_tiles(floor: int) -> int:
    """The tiles of a floor as a supply word."""
    low, middle, high = floor & 511, floor >> 9 & 511, floor >> 18
    return _FLOOR_TILES[low] + _FLOOR_TILES[middle] + _FLOOR_TILES[high]
