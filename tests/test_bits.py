"""Small fields in int64 words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from azul_ai import bits

pytestmark = pytest.mark.nojit

WORDS = st.integers(0, (1 << 62) - 1)


def set_bits(word: int) -> list[int]:
    """The indices of the set bits, lowest first, read off the binary digits."""
    return [index for index, digit in enumerate(reversed(f"{word:b}")) if digit == "1"]


@given(WORDS)
def test_count(word: int) -> None:
    assert bits.count(word) == len(set_bits(word))


@given(WORDS.filter(bool))
def test_lowest(word: int) -> None:
    assert bits.lowest(word) == set_bits(word)[0]


@given(WORDS)
def test_nth(word: int) -> None:
    assert [bits.nth(word, n) for n in range(len(set_bits(word)))] == set_bits(word)


@pytest.mark.parametrize("index", range(62))
def test_every_single_bit(index: int) -> None:
    word = 1 << index
    assert (bits.count(word), bits.lowest(word), bits.nth(word, 0)) == (1, index, index)
    assert bits.count(word - 1) == index
