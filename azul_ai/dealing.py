"""A deal as people write it, "BBYR,KKWW,…": one group of letters a display.

Reads and checks a deal against what can come out of the bag, so that a slip of the pen is
named instead of played; and draws one where chance is to decide.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from azul_ai import game, games, rng
from azul_ai.games import supply
from azul_ai.position.words import PALETTES, Palette


class DealError(ValueError):
    """A deal cannot have happened; ``reasons`` says everything that is wrong with it."""

    def __init__(self, reasons: list[str]) -> None:
        self.reasons = tuple(reasons)
        super().__init__(" ".join(reasons))


def parse_deal(state: Any, text: str) -> Any:
    """The supply words of a deal's displays, int64 of shape (number of displays,).

    :param state: a record in stage DEAL.
    :raises DealError: the text is no deal, or one that this bag and lid cannot give.
    """
    palette = PALETTES[games.of(state).NAME]
    displays = ["".join(group.split()).upper() for group in text.split(",")]
    reasons = _misspelled(displays, palette) or _impossible(state, displays, palette)
    if reasons:
        raise DealError(reasons)
    contents = np.zeros(supply.DISPLAYS[state["players"]], dtype=np.int64)
    for index, tiles in enumerate(displays):
        contents[index] = _pack(tiles, palette)
    return contents


def random_deal(state: Any, generator: Any) -> Any:
    """Draw a deal; what the state leaves open about bag and lid stays open in it.

    :param state: a record in stage DEAL; not changed.
    :returns: as :func:`parse_deal`.
    """
    drawn = state.copy()
    game.draw_hidden(drawn, generator)
    game.deal_round(drawn, generator)
    return drawn["sources"][1 : supply.DISPLAYS[state["players"]] + 1].copy()


def deal_generator(state: Any, seed: int) -> Any:
    """The random numbers for the deal that a state waits for: each round has its own."""
    return rng.new(seed, int(state["round"]) + 1)


def _misspelled(displays: list[str], palette: Palette) -> list[str]:
    strange = sorted(set("".join(displays)) - set(palette.letters))
    return [f"There is no color {letter!r}; there are {palette.legend()}." for letter in strange]


def _impossible(state: Any, displays: list[str], palette: Palette) -> list[str]:
    """Every way in which the displays disagree with the players, the bag or the lid."""
    number = supply.DISPLAYS[state["players"]]
    if len(displays) > number:
        return [f"There are {len(displays)} displays here and {number} on the table."]
    reasons = [
        f"Display {index} has {_tiles(len(tiles), palette)}; "
        f"at most {supply.DISPLAY_SIZE} lie on one."
        for index, tiles in enumerate(displays, 1)
        if len(tiles) > supply.DISPLAY_SIZE
    ]
    bag, lid = _unpack(state["bag"], palette), _unpack(state["lid"], palette)
    in_bag = bag.total() - int(state["hidden"])
    available = in_bag + int(state["hidden"]) + lid.total()
    expected = min(number * supply.DISPLAY_SIZE, available)
    dealt = Counter("".join(displays))
    refilled = dealt.total() > in_bag
    for letter, tiles in dealt.items():
        left = bag[letter] + (lid[letter] if refilled else 0)
        if tiles > left:
            reasons.append(_too_many(palette, letter, tiles, left, refilled))
    if refilled and not state["hidden"]:
        before = f"The bag is used up before the {palette.lid}"
        reasons += [
            f"{before}: {_tiles(bag[letter], palette, palette.name(letter))} left in it, "
            f"{dealt[letter] or 'none'} dealt."
            for letter in palette.letters
            if dealt[letter] < bag[letter]
        ]
    if dealt.total() != expected and not reasons:
        reasons.append(f"{_tiles(dealt.total(), palette)} dealt instead of {expected}.")
    return reasons


def _too_many(palette: Palette, letter: str, dealt: int, left: int, refilled: bool) -> str:
    where = f"bag and {palette.lid} together" if refilled else "the bag"
    tiles = _tiles(dealt, palette, palette.name(letter))
    return f"{tiles} dealt but {f'only {left}' if left else 'none'} left in {where}."


def _tiles(number: int, palette: Palette, color: str = "") -> str:
    """How many tiles, in words: "1 blue tile"."""
    words = [str(number), color, palette.piece if number == 1 else f"{palette.piece}s"]
    return " ".join(word for word in words if word)


def _pack(tiles: str, palette: Palette) -> int:
    """The supply word of some tiles."""
    return sum(1 << supply.FIELD * palette.letters.index(tile) for tile in tiles)


def _unpack(word: int, palette: Palette) -> Counter[str]:
    """How many tiles of each color a supply word holds."""
    return Counter(
        {
            letter: int(word) >> supply.FIELD * color & supply.FIELD_MASK
            for color, letter in enumerate(palette.letters)
        }
    )
