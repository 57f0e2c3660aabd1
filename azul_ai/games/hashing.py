"""Hash keys of positions: sums of mixed words, from 0 to below 2**62.

The key of a display is that of its whole contents, not a sum over colors: {BB, YY} is not
{BBYY, nothing}. Keys of displays are added, so their order does not matter.
"""

from __future__ import annotations

from typing import Any

from azul_ai.games.supply import DISPLAYS
from azul_ai.jit import jit

MASK = (1 << 62) - 1

# Odd factors below 2**31: a product with a word below 2**31 fits in 62 bits, and a sum of two
# keys in 63, so nothing overflows and plain Python agrees.
_FIRST, _SECOND = 0x5851F42D, 0x6C078965
_HALF = (1 << 31) - 1

# What a word means; each role has keys of its own.
_DISPLAY, _CENTER, _BAG, _LID = range(1, 5)
OWN = 5
"""The first role that a game may use for its own words."""


@jit
def mix(word: int, role: int) -> int:
    """The key of a word below 2**30 in a role below 32."""
    spread = (word ^ role << 26) * _FIRST
    high = spread >> 31
    return ((spread ^ high) & _HALF) * _SECOND + high * _FIRST & MASK


@jit
def supply_key(state: Any, lid: int) -> int:
    """The key of displays, center, bag, and of a lid that may differ from the state's own."""
    key = mix(state.sources[0], _CENTER) + mix(state.bag, _BAG) & MASK
    key = key + mix(lid, _LID) & MASK
    for source in range(1, DISPLAYS[state.players] + 1):
        if state.sources[source]:
            key = key + mix(state.sources[source], _DISPLAY) & MASK
    return key
