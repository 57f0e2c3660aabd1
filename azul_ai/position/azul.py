"""Azul positions, with the colored and the gray wall, as files and codes.

A code's first fields are those of :mod:`azul_ai.position.fields`; then comes one a player. Its
parts, separated by commas, are: score, five lines, five wall rows, floor. Wall rows have a
digit for that many empty cells, ``2R2``. With the gray wall, a last part has the cells chosen
in the present wall-tiling: ``1-3.2-5``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from azul_ai.games.pattern_lines import LINES
from azul_ai.position import document, fields, gray, table
from azul_ai.position.azul_checks import check
from azul_ai.position.azul_facts import EMPTY, FILLED, GRAY, KIND, LETTERS, WALL
from azul_ai.position.azul_state import from_state, to_state
from azul_ai.position.azul_template import template
from azul_ai.position.faults import PositionError
from azul_ai.position.model import Player, Position
from azul_ai.position.schema import Key, Reader, Schema, integer, tables, text, texts

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

PLAYER_SCHEMA: Schema = {
    "name": Key(text, "", required=False),
    "score": Key(integer, 0),
    "lines": Key(texts(number=LINES), ("",) * LINES),
    "wall": Key(texts(neutral=EMPTY * LINES, number=LINES), (EMPTY * LINES,) * LINES),
    "floor": Key(text, ""),
}
_PLACED = Key(texts(), (), required=False)
SCHEMAS: Mapping[str, Schema] = {
    "azul": document.schema(LETTERS, players=Key(tables(PLAYER_SCHEMA), ())),
    GRAY: document.schema(LETTERS, players=Key(tables({**PLAYER_SCHEMA, "placed": _PLACED}), ())),
}
"""By game id."""


def read(raw: Mapping[str, Any], check_counts: bool) -> Position:
    """The position of a document's keys, in normal form.

    :raises PositionError: with every fault.
    """
    reader = Reader()
    values = reader.table(raw, SCHEMAS[raw["game"]])
    values["players"] = tuple(Player(**player) for player in values["players"])
    position = Position(**values)
    faults = reader.faults + check(position, reader.gaps, check_counts)
    if faults:
        raise PositionError(faults)
    players = tuple(map(_normal_player, position.players))
    position = table.normal(replace(position, players=players), KIND)
    return replace(position, warnings=table.warnings(position, KIND))


def _normal_player(player: Player) -> Player:
    """Every wall cell with its letter."""
    wall = tuple(
        "".join(
            printed if cell == FILLED else cell
            for cell, printed in zip(cells, WALL[row], strict=True)
        )
        for row, cells in enumerate(player.wall)
    )
    return replace(player, wall=wall, placed=tuple(map(str.lower, player.placed)))


def to_dict(position: Position) -> dict[str, Any]:
    """The document of a position; what is None or an empty name is left out."""
    return document.of(position, SCHEMAS[position.game], _player_dict)


def _player_dict(player: Player) -> dict[str, Any]:
    values = {"name": player.name} if player.name else {}
    return values | {
        "score": player.score,
        "lines": list(player.lines),
        "wall": list(player.wall),
        "floor": player.floor,
        **({"placed": list(player.placed)} if player.placed else {}),
    }


def to_toml(position: Position) -> str:
    """The document as TOML."""
    return document.to_toml(to_dict(position))


# --- code -----------------------------------------------------------------------------------


def to_fields(position: Position) -> str:
    """The fields of a position's code; see the module's text."""
    boards = [_board_field(player, position.game) for player in position.players]
    return "/".join([*fields.write(position), *boards])


def _board_field(player: Player, game: str) -> str:
    rows = [re.sub(r"\.+", lambda run: str(len(run[0])), cells) for cells in player.wall]
    parts = [str(player.score), *player.lines, *rows, player.floor]
    if game == GRAY:
        parts.append(".".join(text.removeprefix(gray.PREFIX) for text in player.placed))
    return ",".join(parts)


def from_fields(game: str, code: str) -> dict[str, Any]:
    """The document of a code's fields.

    :raises PositionError: the fields are not of this form.
    """
    parts = code.split("/")
    raw = fields.read(game, parts)
    raw["players"] = [_player_document(game, part) for part in parts[fields.NUMBER :]]
    return raw


def _player_document(game: str, field: str) -> dict[str, Any]:
    score, *parts = field.split(",")
    placed = parts.pop() if game == GRAY and parts else ""
    if len(parts) != 2 * LINES + 1:
        raise fields.damaged()
    *rows, floor = parts[LINES:]
    player = {
        "score": fields.number(score),
        "lines": parts[:LINES],
        "wall": [re.sub(r"[0-9]", lambda run: EMPTY * int(run[0]), row) for row in rows],
        "floor": floor,
    }
    if placed:
        player["placed"] = [gray.PREFIX + cell for cell in placed.split(".")]
    return player
