"""Random numbers: the published generator, everywhere the same, and evenly spread."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from azul_ai import rng

pytestmark = pytest.mark.nojit

# The first numbers of splitmix64, as its authors' C program prints them.
PUBLISHED = {
    0: [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC],
    1234567: [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ],
}


def generator(state: int) -> Any:
    """A generator with this word as its state."""
    return np.array([state], dtype=np.uint64)


def draws(state: int, number: int) -> list[int]:
    """Splitmix64 in plain integers."""
    mask, found = (1 << 64) - 1, []
    for _ in range(number):
        state = state + 0x9E3779B97F4A7C15 & mask
        word = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & mask
        word = (word ^ word >> 27) * 0x94D049BB133111EB & mask
        found.append(word ^ word >> 31)
    return found


@pytest.mark.parametrize("seed", PUBLISHED)
def test_published_numbers(seed: int) -> None:
    source = generator(seed)
    numbers = [int(rng.step(source)) for _ in PUBLISHED[seed]]
    assert numbers == PUBLISHED[seed] == draws(seed, len(numbers))


@given(st.integers(0, (1 << 64) - 1), st.integers(1, (1 << 31) - 1))
def test_below(state: int, n: int) -> None:
    """The upper half of each number, scaled to 0 … n-1."""
    source = generator(state)
    numbers = [rng.below(source, n) for _ in range(3)]
    assert numbers == [(word >> 32) * n >> 32 for word in draws(state, 3)]
    assert all(0 <= number < n for number in numbers)


@given(st.integers(0, (1 << 64) - 1))
def test_unit(state: int) -> None:
    source = generator(state)
    numbers = [rng.unit(source) for _ in range(3)]
    assert numbers == [(word >> 32) / 2**32 for word in draws(state, 3)]
    assert all(0 <= number < 1 for number in numbers)


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="types of compiled code")
def test_nothing_unsigned_leaves_the_module() -> None:
    """An unsigned number beside a signed one would silently become a float."""
    assert rng.below(rng.new(1), 2) in {0, 1}
    returned = {signature.return_type for signature in rng.below.nopython_signatures}
    assert returned == {numba.int64}


@pytest.mark.parametrize("n", [2, 3, 5, 20, 90])
def test_below_is_even(n: int) -> None:
    source = rng.new(n)
    seen = Counter(rng.below(source, n) for _ in range(200 * n))
    assert stats.chisquare([seen[number] for number in range(n)]).pvalue > 1e-4


@given(st.lists(st.integers(-(1 << 70), 1 << 70), max_size=3))
def test_a_seed_has_one_stream(seed: list[int]) -> None:
    assert rng.new(*seed) == rng.new(*seed)
    assert (rng.new(*seed).dtype, rng.new(*seed).shape) == (np.uint64, (1,))


def test_other_seeds_have_other_streams() -> None:
    seeds = [(), *((a,) for a in range(-20, 20)), *((a, b) for a in range(20) for b in range(20))]
    states = {int(rng.new(*seed)[0]) for seed in seeds}
    assert len(states) == len(seeds)
    # Nor does one begin where another arrives soon.
    reached = set()
    for seed in seeds:
        source = rng.new(*seed)
        for _ in range(100):
            rng.step(source)
            reached.add(int(source[0]))
    assert not states & reached
