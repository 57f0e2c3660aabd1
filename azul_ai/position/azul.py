"""Azul positions (colored wall) as files and codes.

The fields of a code, separated by ``/``, are: round; to_move; displays; center; bag; lid;
start; next_start; then one field a player. What has several parts separates them by commas.
A player's parts are: score, five lines, five wall rows, floor. Numbers of tiles are written
``B12Y11``; wall rows with a digit for that many empty cells, ``2R2``; what is not given,
``-``. Players and rounds count as in a file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from azul_ai.games.drafting import LINES
from azul_ai.games.supply import DISPLAYS
from azul_ai.position import toml
from azul_ai.position.azul_checks import check
from azul_ai.position.azul_facts import (
    EMPTY,
    FILLED,
    LETTERS,
    PALETTE,
    WALL,
    Phase,
    phase,
    unseen,
    warnings,
)
from azul_ai.position.azul_state import from_state, to_state
from azul_ai.position.faults import Fault, PositionError
from azul_ai.position.model import Player, Position
from azul_ai.position.schema import (
    Key,
    Reader,
    Schema,
    counts,
    counts_text,
    integer,
    tables,
    text,
    texts,
)
from azul_ai.position.words import MARKER

__all__ = [
    "from_fields",
    "from_state",
    "read",
    "template",
    "to_dict",
    "to_fields",
    "to_state",
    "to_toml",
]

NOT_GIVEN = "-"
"""In a code, a field of a key that a file would leave out."""

PLAYER_SCHEMA: Schema = {
    "name": Key(text, "", required=False),
    "score": Key(integer, 0),
    "lines": Key(texts(number=LINES), ("",) * LINES),
    "wall": Key(texts(neutral=EMPTY * LINES, number=LINES), (EMPTY * LINES,) * LINES),
    "floor": Key(text, ""),
}
SCHEMA: Schema = {
    "game": Key(text),
    "round": Key(integer, 1),
    "to_move": Key(integer, 1),
    "factories": Key(texts(), ()),
    "center": Key(text, ""),
    "bag": Key(counts(LETTERS), required=False),
    "lid": Key(counts(LETTERS), required=False),
    "start": Key(integer, required=False),
    "next_start": Key(integer, required=False),
    "players": Key(tables(PLAYER_SCHEMA), ()),
}


def read(document: Mapping[str, Any], check_counts: bool) -> Position:
    """The position of a document's keys, in normal form.

    :raises PositionError: with every fault.
    """
    reader = Reader()
    values = reader.table(document, SCHEMA)
    values["players"] = tuple(Player(**player) for player in values["players"])
    position = Position(**values)
    faults = reader.faults + check(position, reader.gaps, check_counts)
    if faults:
        raise PositionError(faults)
    return _normal(position)


def _normal(position: Position) -> Position:
    """All displays, tiles in the order of colors, bag and lid both or neither, no marks."""
    players = tuple(
        replace(
            player,
            wall=tuple(
                "".join(
                    printed if cell == FILLED else cell
                    for cell, printed in zip(cells, WALL[row], strict=True)
                )
                for row, cells in enumerate(player.wall)
            ),
        )
        for player in position.players
    )
    empty = ("",) * (DISPLAYS[len(players)] - len(position.factories))
    position = replace(
        position,
        factories=tuple(map(PALETTE.ordered, position.factories)) + empty,
        center=PALETTE.ordered(position.center),
        players=players,
        next_start=None if phase(position) is Phase.SETTLED else position.next_start,
    )
    bag, lid, left = position.bag, position.lid, unseen(position)
    if bag is None and lid is not None:
        bag = _difference(left, lid)
    elif lid is None and bag is not None:
        lid = _difference(left, bag)
    position = replace(position, bag=bag, lid=lid)
    return replace(position, warnings=warnings(position))


def _difference(tiles: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    """What is left of each color, never less than nothing, also where tiles are not counted."""
    return {letter: max(0, number - other[letter]) for letter, number in tiles.items()}


def to_dict(position: Position) -> dict[str, Any]:
    """The document of a position; what is None or an empty name is left out."""
    values = {key: getattr(position, key) for key in SCHEMA}
    for key in ("bag", "lid"):
        if values[key] is not None:
            values[key] = {letter: number for letter, number in values[key].items() if number}
    values["factories"] = list(position.factories)
    values["players"] = [_player_dict(player) for player in position.players]
    return {key: value for key, value in values.items() if value is not None}


def _player_dict(player: Player) -> dict[str, Any]:
    values = {"name": player.name} if player.name else {}
    return values | {
        "score": player.score,
        "lines": list(player.lines),
        "wall": list(player.wall),
        "floor": player.floor,
    }


def to_toml(position: Position) -> str:
    """The document as TOML, with bag and lid as texts."""
    document = to_dict(position)
    for key in ("bag", "lid"):
        if key in document:
            document[key] = counts_text(document[key])
    return toml.write(document)


# --- code -----------------------------------------------------------------------------------


def to_fields(position: Position) -> str:
    """The fields of a position's code; see the module's text."""
    supplies = [
        NOT_GIVEN if tiles is None else counts_text(tiles, "")
        for tiles in (position.bag, position.lid)
    ]
    starts = [
        NOT_GIVEN if player is None else str(player)
        for player in (position.start, position.next_start)
    ]
    table = [str(position.round), str(position.to_move), ",".join(position.factories)]
    boards = [_board_field(player) for player in position.players]
    return "/".join([*table, position.center, *supplies, *starts, *boards])


def _board_field(player: Player) -> str:
    rows = [re.sub(r"\.+", lambda run: str(len(run[0])), cells) for cells in player.wall]
    return ",".join([str(player.score), *player.lines, *rows, player.floor])


def from_fields(fields: str) -> dict[str, Any]:
    """The document of a code's fields.

    :raises PositionError: the fields are not of this form.
    """
    head, players = fields.split("/")[:8], fields.split("/")[8:]
    parts = [player.split(",") for player in players]
    if len(head) < 8 or any(len(part) != 2 + 2 * LINES for part in parts):
        raise PositionError([Fault("", "The code lacks fields.", "Copy the code again.")])
    document: dict[str, Any] = {"game": "azul", "factories": head[2].split(","), "center": head[3]}
    numbers = {"round": head[0], "to_move": head[1], "start": head[6], "next_start": head[7]}
    document |= {key: _number(value) for key, value in numbers.items() if value != NOT_GIVEN}
    supplies = {"bag": head[4], "lid": head[5]}
    document |= {key: value for key, value in supplies.items() if value != NOT_GIVEN}
    document["players"] = [
        {
            "score": _number(score),
            "lines": rest[:LINES],
            "wall": [
                re.sub(r"[0-9]", lambda run: EMPTY * int(run[0]), row) for row in rest[LINES:-1]
            ],
            "floor": rest[-1],
        }
        for score, *rest in parts
    ]
    return document


def _number(digits: str) -> int | str:
    """A number, or what stands in its place, for the schema to report."""
    return int(digits) if re.fullmatch(r"-?[0-9]{1,9}", digits) else digits


# --- template -------------------------------------------------------------------------------


def template(players: int) -> str:
    """An empty position as commented TOML; ``?`` marks what must be filled in."""
    displays = ", ".join(['"????"'] * DISPLAYS[players])
    boards = "".join(
        _PLAYER_TEMPLATE.format(number=number, wall=", ".join([f'"{EMPTY * LINES}"'] * LINES))
        for number in range(1, players + 1)
    )
    return _TEMPLATE.format(colors=PALETTE.legend(), displays=displays, marker=MARKER) + boards


_TEMPLATE = """\
# An Azul position. Colors: {colors}.
game = "azul"
round = 1
to_move = 1  # player 1 is the first [[players]] below
# Replace ???? by the four tiles of each display; "" where a player took from it.
factories = [{displays}]
# The tiles in the center, such as "YYK{marker}"; {marker} is the starting player marker.
center = "{marker}"
# What you know of the bag and the lid; with neither, they are worked out as far as possible.
# bag = "B12 Y11 R16 K18 W15"
# lid = ""
# Only if the marker was taken and lies on no floor, because that floor was full:
# next_start = 2
"""

_PLAYER_TEMPLATE = """
[[players]]  # player {number}
# name = ""
score = 0  # the score track, before any end bonus
lines = ["", "", "", "", ""]  # tiles in the pattern lines, from the top, such as "YY"
wall = [{wall}]  # the color's letter, or x, for a tile
floor = ""  # from the left, such as "1BY"
"""
