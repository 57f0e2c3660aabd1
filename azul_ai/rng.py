"""Random numbers: splitmix64, one word of state, passed explicitly (the only user of uint64).

Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014).
A generator is a uint64 array of shape (1,); equal seeds give equal numbers everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np

from azul_ai.jit import jit

F = TypeVar("F", bound=Callable[..., Any])

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)

Rng = Any
"""A uint64 array of shape (1,)."""


def new(*seed: int) -> Rng:
    """A generator seeded by any number of integers; each list of them has its own stream."""
    rng = np.zeros(1, dtype=np.uint64)
    for part in seed:
        rng[0] = _mix_python(int(rng[0]) ^ (part & 0xFFFFFFFFFFFFFFFF))
    return rng


def _mix_python(word: int) -> int:
    """One step of splitmix64 in plain integers."""
    mask = 0xFFFFFFFFFFFFFFFF
    word = (word + int(_GOLDEN)) & mask
    word = ((word ^ (word >> 30)) * int(_MIX_1)) & mask
    word = ((word ^ (word >> 27)) * int(_MIX_2)) & mask
    return word ^ (word >> 31)


def _wrapping(function: F) -> F:
    """Words wrap around on purpose; without compilation numpy would warn of it."""
    return np.errstate(over="ignore")(function) if numba.config.DISABLE_JIT else function


@_wrapping
@jit
def step(rng: Rng) -> Any:
    """The next 64 random bits as uint64."""
    rng[0] += _GOLDEN
    word = rng[0]
    word = (word ^ (word >> _30)) * _MIX_1
    word = (word ^ (word >> _27)) * _MIX_2
    return word ^ (word >> _31)


@jit
def below(rng: Rng, n: int) -> Any:
    """An int64 of 0 … n-1, for 1 <= n < 2**31 (bias below n / 2**32, not removed)."""
    return np.int64(((step(rng) >> _32) * np.uint64(n)) >> _32)  # int() would keep it unsigned


@jit
def unit(rng: Rng) -> float:
    """A number of 0 <= x < 1, a multiple of 2**-32."""
    return float(step(rng) >> _32) * 2.0**-32
