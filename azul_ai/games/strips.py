"""Pattern strips of Stained Glass of Sintra, as words.

A word holds three times five 3-bit fields, from the left space: the panes on the side that is
up (0 empty, color + 1), the prints of that side's spaces, and those of the other side (color +
1, or JOKER); then a bit that says that the back is up. 0 is a strip that is gone.
"""

from __future__ import annotations

from azul_ai.bits import count
from azul_ai.games.supply import COLORS
from azul_ai.jit import jit

SPACES = 5
PANE = 3
PANE_MASK = 7
JOKER = COLORS + 1
"""The print of a space that takes any color."""

SIDE = PANE * SPACES
SIDE_MASK = (1 << SIDE) - 1
BACK_UP = 1 << 3 * SIDE
_ONES = sum(1 << PANE * space for space in range(SPACES))


@jit
def used(fields: int, ones: int) -> int:
    """The bits of ``ones``, one at the bottom of each 3-bit field, whose fields are not 0."""
    return (fields | fields >> 1 | fields >> 2) & ones


@jit
def count_used(fields: int, ones: int) -> int:
    """Number of 3-bit fields that are not 0."""
    return count(used(fields, ones))


@jit
def spaces_for(strip: int, printed: int) -> int:
    """The empty spaces with a print, as bits at the bottom of their fields."""
    other_print = (strip >> SIDE ^ printed * _ONES) & SIDE_MASK
    return _ONES & ~used(other_print | strip & SIDE_MASK, _ONES)


@jit
def room(strip: int, color: int) -> int:
    """How many panes of a color still fit."""
    return count(spaces_for(strip, color + 1)) + count(spaces_for(strip, JOKER))


@jit
def panes_on(strip: int) -> int:
    """Number of panes on a strip."""
    return count_used(strip & SIDE_MASK, _ONES)


@jit
def of_color(strip: int, color: int) -> int:
    """Number of panes of a color on a strip."""
    return SPACES - count_used(strip & SIDE_MASK ^ (color + 1) * _ONES, _ONES)


@jit
def filled(strip: int, color: int, panes: int) -> int:
    """The strip after as many as fit of some panes: color spaces first, from the left."""
    for printed in (color + 1, JOKER):
        free = spaces_for(strip, printed)
        while free and panes:
            strip |= (color + 1) * (free & -free)
            free &= free - 1
            panes -= 1
    return strip


@jit
def completes(strip: int, color: int, panes: int) -> bool:
    """Whether these panes fill all that is empty."""
    empty = SPACES - panes_on(strip)
    return panes >= empty and room(strip, color) == empty


@jit
def turned(strip: int) -> int:
    """The other side up, and empty."""
    up, down = strip >> SIDE & SIDE_MASK, strip >> 2 * SIDE & SIDE_MASK
    return down << SIDE | up << 2 * SIDE | strip & BACK_UP ^ BACK_UP
