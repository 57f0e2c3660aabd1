"""The keys that positions of all games have as TOML or JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from azul_ai.position import toml
from azul_ai.position.model import Position
from azul_ai.position.schema import Key, Schema, counts, counts_text, integer, text, texts

_SUPPLIES = ("bag", "lid", "tower")


def schema(letters: str, **own: Key) -> Schema:
    """The schema of a game with these colors, its ``own`` keys last."""
    return {
        "game": Key(text),
        "round": Key(integer, 1),
        "to_move": Key(integer, 1),
        "factories": Key(texts(), ()),
        "center": Key(text, ""),
        "bag": Key(counts(letters), required=False),
        "lid": Key(counts(letters), required=False),
        "start": Key(integer, required=False),
        "next_start": Key(integer, required=False),
        **own,
    }


def of(
    position: Position, keys: Schema, of_player: Callable[[Any], dict[str, Any]]
) -> dict[str, Any]:
    """The document of a position; what is None is left out.

    :param of_player: makes the table of a player.
    """
    values = {key: getattr(position, key) for key in keys if key != "players"}
    raw = {key: _plain(value) for key, value in values.items() if value is not None}
    return raw | {"players": [of_player(player) for player in position.players]}


def _plain(value: Any) -> Any:
    """As JSON has it: lists for tuples, and only colors of which there are tiles."""
    match value:
        case tuple():
            return [_plain(item) for item in value]
        case dict():
            return {letter: number for letter, number in value.items() if number}
    return value


def to_toml(raw: Mapping[str, Any]) -> str:
    """A document as TOML, with bag and lid as texts."""
    short = {key: counts_text(raw[key]) for key in _SUPPLIES if key in raw}
    return toml.write({key: short.get(key, value) for key, value in raw.items()})
