"""What comes out of the bag: drawn in advance, so that luck is the same for every seating.

The order of the whole bag follows from the group's seed before the first move, so with two
players rounds 1-5 do not depend on the moves. The order of the lid after a refill follows
from the seed and the number of the refill: each tile has a key of its own, and those that
are there come in the order of their keys, so lids that differ little give orders that do.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from azul_ai import rng
from azul_ai.games import supply

SEED_BITS = 53
"""Seeds are below 2**53, so that every JSON reader keeps them exactly."""

_BAG, _MOVE, _HIDDEN = range(3)
"""Purposes of random numbers: streams of a group that must not meet."""


def derive(*parts: int) -> int:
    """A seed from several integers."""
    return int(rng.new(*parts)[0]) >> (64 - SEED_BITS)


def move_seed(seed: int, seat: int, ply: int) -> int:
    """The seed of a bot's move: from the deal, the seat and the ply, never from the bot."""
    return derive(seed, _MOVE, seat, ply)


def hidden_generator(seed: int) -> Any:
    """The generator that draws what a start position leaves hidden."""
    return rng.new(seed, _HIDDEN)


class BagOrder:
    """The order in which the tiles of one game come out of the bag.

    :param state: the state at the start, whose bag is put into an order.
    :param given: colors (0-4) that come first, in this order, as far as the bag reaches.
    :raises ValueError: ``given`` holds more tiles of a color than the bag.
    """

    def __init__(self, state: Any, seed: int, given: Sequence[int] = ()) -> None:
        rest = int(state["bag"])
        for color in given:
            if not count(rest, color):
                raise ValueError(f"the bag holds too few tiles of color {color + 1}")
            rest -= 1 << supply.FIELD * color
        self._seed = seed
        self._refills = 0
        self._queue = [*given, *_shuffled(rest, seed, 0)][::-1]

    def deal(self, state: Any) -> npt.NDArray[np.int64]:
        """The displays of the next round, as supply words, shape (number of displays,).

        :param state: in stage DEAL; its lid is what a refill puts into the bag.
        """
        displays = np.zeros(supply.DISPLAYS[int(state["players"])], dtype=np.int64)
        lid = int(state["lid"])
        for display in range(len(displays)):
            for _ in range(supply.DISPLAY_SIZE):
                if not self._queue:
                    self._refills += 1
                    self._queue = _shuffled(lid, self._seed, self._refills)[::-1]
                    lid = 0
                    if not self._queue:
                        return displays
                displays[display] += 1 << supply.FIELD * self._queue.pop()
        return displays


def count(word: int, color: int) -> int:
    """Number of tiles of a color in a supply word, in plain Python."""
    return int(word) >> supply.FIELD * color & supply.FIELD_MASK


def _shuffled(word: int, seed: int, refill: int) -> list[int]:
    """The tiles of a supply word, each order with the same probability."""
    keys = random.Random(derive(seed, _BAG, refill))
    tiles = []
    for color in range(supply.COLORS):
        present = count(word, color)
        for index in range(supply.TILES_PER_COLOR):
            key = keys.random()
            if index < present:
                tiles.append((key, color))
    return [color for _, color in sorted(tiles)]


def to_text(displays: Iterable[int], letters: str) -> str:
    """Displays as people write them: ``BBYR,KKWW,…``, an empty one as nothing."""
    return ",".join(
        "".join(letters[c] * count(int(word), c) for c in range(supply.COLORS)) for word in displays
    )
