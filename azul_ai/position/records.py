"""The part of a record that all games share, from and to a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from azul_ai.games.supply import DISPLAYS, FIELD, FIELD_MASK, SOURCE_FIELD
from azul_ai.position import table
from azul_ai.position.model import Position
from azul_ai.position.table import Counts, Kind


def write(state: Any, position: Position, kind: Kind) -> None:
    """Fill in round, mover, displays, center, bag and lid; the rest is the game's affair."""
    letters = kind.palette.letters
    state["round"] = position.round  # as an attribute it would be numpy's method
    state.mover = position.to_move - 1
    held = table.supplies(position, kind)
    state.bag, state.lid = pack(held.rest, letters), pack(held.lid, letters)
    state.hidden = held.hidden
    for source, tiles in enumerate((position.center, *position.factories)):
        for color, letter in enumerate(letters):
            if letter in tiles:
                state.sources[source] += tiles.count(letter) << FIELD * color
                state.presence |= 1 << SOURCE_FIELD * color + source


def read(state: Any, letters: str) -> dict[str, Any]:
    """The fields of a position that :func:`write` fills in, the center without the marker.

    Where some of the unseen tiles are hidden, bag and lid are left out altogether: a
    position knows no half-known lid.
    """
    known, number = not state.hidden, int(state.players)
    return {
        "round": int(state["round"]),
        "to_move": int(state.mover) + 1,
        "factories": tuple(tiles(state.sources[1 + i], letters) for i in range(DISPLAYS[number])),
        "center": tiles(state.sources[0], letters),
        "bag": unpack(state.bag, letters) if known else None,
        "lid": unpack(state.lid, letters) if known else None,
    }


def pack(numbers: Mapping[str, int], letters: str) -> int:
    """The supply word of numbers of tiles."""
    return sum(numbers.get(letter, 0) << FIELD * color for color, letter in enumerate(letters))


def unpack(word: int, letters: str) -> Counts:
    """Numbers of tiles of a supply word."""
    word = int(word)
    return {letter: word >> FIELD * color & FIELD_MASK for color, letter in enumerate(letters)}


def tiles(word: int, letters: str) -> str:
    """The tiles of a supply word as text."""
    return "".join(letter * number for letter, number in unpack(word, letters).items())
