"""A cheap rating of drafting moves, in points: priors, move ordering, and the playout policy.

A move's rating is what its tiles do in their line (the *worth* of the wall cell, in part if
the line does not get full), less the floor points of what falls, plus the start if it takes
the marker. What a cell is worth is the wall's affair. Constants were found by looking at games.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai.bits import lowest
from azul_ai.games import drafting, supply
from azul_ai.games.pattern_lines import (
    FLOOR,
    FLOOR_PENALTIES,
    FLOOR_SPACES,
    LINES,
    OPEN_FIELD,
    OPEN_MASK,
    floor_count,
)
from azul_ai.games.rounds import IN_CENTER
from azul_ai.games.supply import COLORS, SOURCE_FIELD, SOURCE_MASK
from azul_ai.jit import jit
from azul_ai.rng import unit

_COMPLETED = 1.0
"""Worth of a completed line beyond its tile."""
_BEGUN = 0.6
"""Part of its share of a cell's worth that a tile in a line not yet full counts."""
_MISSING = 0.1
"""Points off for each tile that a line still misses."""
_START = 1.2
"""Worth of starting the next round."""
COLUMN_STEP = np.array([0.2, 0.5, 1.0, 2.0, 5.0])
COLOR_STEP = np.array([0.2, 0.5, 1.2, 2.5, 7.0])
"""Worth of one more tile in a column or color that holds so many."""

MOST = LINES
"""More tiles than fit into the longest line rate as so many, but for those that fall."""


def _line_tables() -> tuple[Any, Any]:
    """Factor of the worth, and addend, by line, tiles in it, and tiles added (up to MOST)."""
    factor = np.zeros((LINES, LINES + 1, MOST + 1))
    addend = np.zeros((LINES, LINES + 1, MOST + 1))
    for line in range(LINES):
        size = line + 1
        for before in range(size):
            for tiles in range(1, MOST + 1):
                after = min(size, before + tiles)
                full = after == size
                factor[line, before, tiles] = 1 if full else _BEGUN * (after - before) / size
                addend[line, before, tiles] = _COMPLETED if full else -_MISSING * (size - after)
    return factor, addend


_FACTOR, _ADDEND = _line_tables()

_FALL = np.array(
    [
        [
            FLOOR_PENALTIES[min(FLOOR_SPACES, occupied + pieces)] - FLOOR_PENALTIES[occupied]
            for pieces in range(supply.TILES_PER_COLOR + 2)
        ]
        for occupied in range(FLOOR_SPACES + 1)
    ],
    dtype=np.float64,
)
"""Points lost by dropping pieces on a floor with some spaces occupied."""


@jit
def rating(
    board: Any, worths: Any, line: int, color: int, tiles: int, falls: Any, fixed: int
) -> float:
    """Rating of adding tiles to a line, or dropping them; ``fixed``: pieces that fall anyway."""
    if line == FLOOR:
        return -falls[tiles + fixed]
    before = board.lines >> 6 * line & 7
    fit = min(tiles, MOST)
    dropped = max(0, before + tiles - line - 1)
    gain = worths[line, color] * _FACTOR[line, before, fit] + _ADDEND[line, before, fit]
    return gain - falls[dropped + fixed]


@jit
def rate_all(state: Any, board: Any, worths: Any, presence: int, moves: Any, ratings: Any) -> int:
    """Write moves and ratings of what is in ``presence``, color by color, source by source."""
    falls = _FALL[floor_count(board)]
    number = 0
    for color in range(COLORS):
        sources = presence >> SOURCE_FIELD * color & SOURCE_MASK
        targets = board.open >> OPEN_FIELD * color & OPEN_MASK
        while sources:
            source = lowest(sources)
            sources &= sources - 1
            tiles = supply.of_color(state.sources[source], color)
            marker = source == 0 and state.holder == IN_CENTER
            left = targets
            while left:
                line = lowest(left)
                left &= left - 1
                here = rating(board, worths, line, color, tiles, falls, int(marker))
                moves[number] = drafting.encode(source, color, line)
                ratings[number] = here + _START if marker else here
                number += 1
    return number


@jit
def best_rated(state: Any, board: Any, worths: Any, generator: Any, noise: float) -> int:
    """The move of the highest rating, each raised by a random part of ``noise``."""
    falls = _FALL[floor_count(board)]
    best, best_rating = -1, -1e9
    for color in range(COLORS):
        sources = state.presence >> SOURCE_FIELD * color & SOURCE_MASK
        targets = board.open >> OPEN_FIELD * color & OPEN_MASK
        seen = 0
        while sources:
            source = lowest(sources)
            sources &= sources - 1
            tiles = supply.of_color(state.sources[source], color)
            marker = source == 0 and state.holder == IN_CENTER
            if not marker:
                if seen >> tiles & 1:
                    continue  # as many tiles of the color from another source rate the same
                seen |= 1 << tiles
            left = targets
            while left:
                line = lowest(left)
                left &= left - 1
                here = rating(board, worths, line, color, tiles, falls, int(marker))
                if marker:
                    here += _START
                if noise > 0.0:
                    here += noise * unit(generator)
                if here > best_rating:
                    best, best_rating = drafting.encode(source, color, line), here
    return best
