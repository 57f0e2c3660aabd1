"""Hash keys of positions: sums of mixed words, from 0 to below 2**62.

The key of a display is that of its whole contents, not a sum over colors: {BB, YY} is not
{BBYY, nothing}. Keys of displays are added, so their order does not matter.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai import rng
from azul_ai.games.supply import DISPLAYS
from azul_ai.jit import jit

MASK = (1 << 62) - 1

# What a word means; each role has keys of its own.
_TURN, _DISPLAY, _CENTER, _BAG, _LID = range(5)
OWN = 5
"""The first role that a game may use for its own words."""
ROLES = 48

# Odd factors below 2**31: a product with a word below 2**31 fits in 62 bits, and a sum of two
# keys in 63, so nothing overflows and plain Python agrees. Each role has two of its own, so
# that two words that change places do not have the same sum of keys.
_SPREAD = 0x5851F42D
_HALF = (1 << 31) - 1
_FACTORS = np.array(
    [[int(rng.new(role, part)[0]) & _HALF | 1 for part in range(2)] for role in range(ROLES)],
    dtype=np.int64,
)


@jit
def mix(word: int, role: int) -> int:
    """The key of a word below 2**30 in a role below ROLES."""
    spread = word * _SPREAD
    high = spread >> 31
    low = (spread ^ high) & _HALF
    return low * _FACTORS[role, 0] + high * _FACTORS[role, 1] & MASK


@jit
def supply_key(state: Any, lid: int) -> int:
    """The key of displays, center, bag, and of a lid that may differ from the state's own."""
    key = mix(state.sources[0], _CENTER) + mix(state.bag, _BAG) & MASK
    key = key + mix(lid, _LID) & MASK
    for source in range(1, DISPLAYS[state.players] + 1):
        if state.sources[source]:
            key = key + mix(state.sources[source], _DISPLAY) & MASK
    return key


@jit
def turn_key(state: Any) -> int:
    """The key of whose turn it is, in which round and stage."""
    turn = state.mover | (state.holder + 1) << 2 | state.start << 5 | state.stage << 7
    return mix(turn | state["round"] << 9 | state.hidden << 18, _TURN)
