"""What is known of bag and lid where a position does not say what lies in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from azul_ai.games.supply import FIELD, FIELD_MASK


@dataclass(frozen=True, slots=True)
class Supplies:
    """The tiles that do not lie face up, as numbers by color.

    ``lid``: those that certainly lie in the lid; ``rest``: all others; ``hidden``: how many of
    the rest lie in the lid too, nobody knows which. The bag holds the others.
    """

    lid: Mapping[str, int]
    rest: Mapping[str, int]
    hidden: int = 0

    @property
    def in_bag(self) -> int:
        """Tiles in the bag."""
        return sum(self.rest.values()) - self.hidden

    @property
    def in_lid(self) -> int:
        """Tiles in the lid."""
        return sum(self.lid.values()) + self.hidden

    def bounds(self) -> dict[str, tuple[int, int]]:
        """The fewest and the most tiles of each color that the bag can hold."""
        return {
            color: (max(0, tiles - self.hidden), min(tiles, self.in_bag))
            for color, tiles in self.rest.items()
        }


def infer(unseen: Mapping[str, int], bag_size: int | None, proven: Mapping[str, int]) -> Supplies:
    """What follows from the tiles in view.

    :param unseen: tiles that do not lie face up, by color.
    :param bag_size: tiles in the bag, or None where the lid has been put into it: then no more
        can be told, and all unseen tiles count as the bag.
    :param proven: tiles that must lie in the lid, by color. Where the tiles do not add up
        (uncounted positions), no more of them than are unseen.
    """
    if bag_size is None:
        return Supplies(dict.fromkeys(unseen, 0), unseen)
    if bag_size == 0:
        return Supplies(unseen, dict.fromkeys(unseen, 0))
    lid = {color: min(tiles, proven[color]) for color, tiles in unseen.items()}
    rest = {color: tiles - lid[color] for color, tiles in unseen.items()}
    return Supplies(lid, rest, max(0, sum(rest.values()) - bag_size))


def of_state(state: Any, letters: str) -> Supplies:
    """The supplies of a record, with the letters of its colors in their order."""
    lid, rest = (
        {letter: int(word) >> FIELD * color & FIELD_MASK for color, letter in enumerate(letters)}
        for word in (state["lid"], state["bag"])
    )
    return Supplies(lid, rest, int(state["hidden"]))
