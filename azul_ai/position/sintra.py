"""Positions of Stained Glass of Sintra as files and codes.

A code's first fields are those of :mod:`azul_ai.position.fields`, the tower where others have
the lid; then come: side, with a ``c`` if losses stop at 0 points; indicator; window points;
track; ornaments, as pairs of digits; then a field a player. The parts of that, separated by
commas, are: score, glazier, broken, lost, eight windows, eight strips. A strip is written
``BYOGj.GGPBY.f.B-Y--``: front, back, whether the front or the back (``b``) is up, and the panes
on that side; ``j`` is a joker, ``-`` an empty space.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from azul_ai.games.components import Components, default
from azul_ai.games.palace import PLACES
from azul_ai.games.strips import SPACES
from azul_ai.position import document, fields, table
from azul_ai.position.faults import Fault, PositionError
from azul_ai.position.schema import (
    Key,
    Reader,
    Schema,
    counts,
    flag,
    integer,
    tables,
    text,
    texts,
)
from azul_ai.position.sintra_checks import check
from azul_ai.position.sintra_facts import EMPTY, JOKER, KIND, LETTERS, normal_strip
from azul_ai.position.sintra_model import BACK, FRONT, Palace, SintraPosition, Strip
from azul_ai.position.sintra_prints import PRINT_SCHEMA, prints
from azul_ai.position.sintra_state import from_state, to_state
from azul_ai.position.sintra_template import template

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

STRIP_SCHEMA: Schema = {
    "front": Key(text, EMPTY),
    "back": Key(text, EMPTY),
    "up": Key(text, FRONT),
    "filled": Key(text, EMPTY * SPACES),
}


def _strips(reader: Reader, raw: Any, path: str) -> tuple[Strip | None, ...] | None:
    """Eight tables, or "" for a strip that is gone."""
    if not isinstance(raw, list) or len(raw) != PLACES:
        size = f"has {len(raw)}" if isinstance(raw, list) else "is none"
        reason = f"This needs a list of {PLACES} strips; it {size}."
        reader.unreadable(path, reason, 'Write "" for a strip that is gone.')
        return None
    return tuple(_strip(reader, item, f"{path}[{index}]") for index, item in enumerate(raw))


def _strip(reader: Reader, raw: Any, path: str) -> Strip | None:
    if raw == "":
        return None
    if not isinstance(raw, dict):
        hint = '{ front = "BYOGP", back = "PGOYB", up = "front", filled = "....." }'
        reader.unreadable(path, "This is no strip.", f'Write {hint}, or "" if it is gone.')
        return None
    return Strip(**reader.table(raw, STRIP_SCHEMA, path))


PLAYER_SCHEMA: Schema = {
    "name": Key(text, "", required=False),
    "score": Key(integer, 0),
    "glazier": Key(integer, 1),
    "broken": Key(integer, 0),
    "lost": Key(integer, 0),
    "windows": Key(texts(number=PLACES), ("",) * PLACES),
    "strips": Key(_strips, (None,) * PLACES),
}
SCHEMA: Schema = document.schema(
    LETTERS,
    tower=Key(counts(LETTERS), required=False),
    side=Key(text, ""),
    clamp=Key(flag, False, required=False),
    indicator=Key(text, ""),
    **PRINT_SCHEMA,
    players=Key(tables(PLAYER_SCHEMA), ()),
)


def read(
    raw: Mapping[str, Any], check_counts: bool, components: Components | None = None
) -> SintraPosition:
    """The position of a document's keys, in normal form.

    :param components: whose prints stand in for those left out, by default the package's.
    :raises PositionError: with every fault.
    """
    reader = Reader()
    values = reader.table(raw, SCHEMA)
    tower = values.pop("tower")
    if tower is not None and values["lid"] is not None:
        hint = "Leave out lid: in this game it is the tower."
        reader.faults.append(Fault("lid", "Both lid and tower are given.", hint))
    absent = [key for key in PRINT_SCHEMA if values[key] is None]
    components = components or default()
    printed = prints(values, components.prints)
    own = {key: value for key, value in values.items() if key not in PRINT_SCHEMA}
    own["players"] = tuple(Palace(**player) for player in own["players"])
    own["lid"] = own["lid"] if tower is None else tower
    position = SintraPosition(**own, prints=printed)
    faults = reader.faults + check(position, reader.gaps, check_counts)
    if faults:
        raise PositionError(faults)
    players = tuple(map(_normal_player, position.players))
    position = cast("SintraPosition", table.normal(replace(position, players=players), KIND))
    notes = table.warnings(position, KIND)
    if components is default():
        notes += _assumed(absent)
    return replace(position, warnings=notes)


def _assumed(absent: list[str]) -> tuple[str, ...]:
    """What is said where a position does not bring its own prints."""
    if not absent or default().official:
        return ()
    keys = ", ".join(absent)
    return (f"Not given, and taken from the package's components, which are not official: {keys}.",)


def _normal_player(player: Palace) -> Palace:
    """Every strip filled from the left."""
    return replace(player, strips=tuple(strip and normal_strip(strip) for strip in player.strips))


def to_dict(position: SintraPosition) -> dict[str, Any]:
    """The document of a position; what is None or an empty name is left out."""
    keys = {key: SCHEMA[key] for key in SCHEMA if key not in (*PRINT_SCHEMA, "tower", "clamp")}
    raw = document.of(position, keys, _player_dict)
    players = raw.pop("players")
    if "lid" in raw:
        raw["tower"] = raw.pop("lid")
    if position.clamp:
        raw["clamp"] = True
    return raw | position.prints.to_document() | {"players": players}


def _player_dict(player: Palace) -> dict[str, Any]:
    values: dict[str, Any] = {"name": player.name} if player.name else {}
    return values | {
        "score": player.score,
        "glazier": player.glazier,
        "broken": player.broken,
        "lost": player.lost,
        "windows": list(player.windows),
        "strips": [dict(vars(strip)) if strip else "" for strip in player.strips],
    }


def to_toml(position: SintraPosition) -> str:
    """The document as TOML."""
    return document.to_toml(to_dict(position))


# --- code -----------------------------------------------------------------------------------

_OWN_FIELDS = 5
_PLAYER_NUMBERS = ("score", "glazier", "broken", "lost")
_CODE_SIGNS = str.maketrans(JOKER + EMPTY, "j-")
_FILE_SIGNS = str.maketrans("j-", JOKER + EMPTY)
_SIDE_UP = {"f": FRONT, "b": BACK}


def to_fields(position: SintraPosition) -> str:
    """The fields of a position's code; see the module's text."""
    printed = position.prints
    own = [
        position.side + "c" * position.clamp,
        position.indicator,
        ",".join(map(str, printed.window_points)),
        ",".join(map(str, printed.track)),
        ",".join("".join(map(str, pair)) for pair in printed.ornaments),
    ]
    return "/".join([*fields.write(position), *own, *map(_board_field, position.players)])


def _board_field(player: Palace) -> str:
    parts = [str(getattr(player, key)) for key in _PLAYER_NUMBERS]
    return ",".join([*parts, *player.windows, *map(_strip_field, player.strips)])


def _strip_field(strip: Strip | None) -> str:
    if strip is None:
        return ""
    return ".".join(
        [
            strip.front.translate(_CODE_SIGNS),
            strip.back.translate(_CODE_SIGNS),
            strip.up[0],
            strip.filled.translate(_CODE_SIGNS),
        ]
    )


def from_fields(game: str, code: str) -> dict[str, Any]:
    """The document of a code's fields.

    :raises PositionError: the fields are not of this form.
    """
    parts = code.split("/")
    raw = fields.read(game, parts)
    if len(parts) < fields.NUMBER + _OWN_FIELDS:
        raise fields.damaged()
    own, players = parts[fields.NUMBER :][:_OWN_FIELDS], parts[fields.NUMBER + _OWN_FIELDS :]
    side, indicator, window_points, track, ornaments = own
    raw["side"], raw["clamp"] = side.removesuffix("c"), side.endswith("c")
    raw["indicator"] = indicator
    raw["window_points"], raw["track"] = _numbers(window_points), _numbers(track)
    raw["ornaments"] = [list(map(fields.number, pair)) for pair in ornaments.split(",")]
    raw["players"] = list(map(_player_document, players))
    return raw


def _numbers(field: str) -> list[int | str]:
    return list(map(fields.number, field.split(",")))


def _player_document(field: str) -> dict[str, Any]:
    parts = field.split(",")
    if len(parts) != len(_PLAYER_NUMBERS) + 2 * PLACES:
        raise fields.damaged()
    player: dict[str, Any] = dict(zip(_PLAYER_NUMBERS, map(fields.number, parts), strict=False))
    player["windows"] = parts[len(_PLAYER_NUMBERS) : -PLACES]
    player["strips"] = list(map(_strip_document, parts[-PLACES:]))
    return player


def _strip_document(field: str) -> dict[str, str] | str:
    if not field:
        return ""
    match field.split("."):
        case [front, back, up, filled]:
            return {
                "front": front.translate(_FILE_SIGNS),
                "back": back.translate(_FILE_SIGNS),
                "up": _SIDE_UP.get(up, up),
                "filled": filled.translate(_FILE_SIGNS),
            }
    raise fields.damaged()
