"""Files with one's own components of Sintra, in the form of the one that comes with the package."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from azul_ai.games import components
from azul_ai.games.components import Components
from azul_ai.games.palace import PLACES
from azul_ai.position import source
from azul_ai.position.faults import Fault, PositionError
from azul_ai.position.schema import Key, Kind, Reader, Schema, flag, tables, text
from azul_ai.position.sintra_facts import LETTERS
from azul_ai.position.sintra_prints import (
    PRINT_SCHEMA,
    joker_faults,
    print_faults,
    prints,
    prints_faults,
)
from azul_ai.position.words import counted

WANTED = source.Wanted(
    "component file",
    "Give a file like azul_ai/games/sintra.toml of this program.",
    "Write it like azul_ai/games/sintra.toml of this program.",
)

_STRIP_SCHEMA: Schema = {"front": Key(text, ""), "back": Key(text, "")}
_COLOR_SCHEMA: Schema = {letter: Key(text, "") for letter in LETTERS}


def load_components(path: str) -> Components:
    """The components in a file.

    :param path: of a TOML or JSON file, or ``-`` for standard input.
    :raises PositionError: it cannot be read or is not valid; has every fault.
    """
    reader = Reader()
    values = reader.table(source.document(source.read(path, WANTED), WANTED), _schema())
    faults = [*reader.faults, *_faults(values, reader.gaps)]
    if faults:
        raise PositionError(faults)
    return Components(
        colors=dict(values["colors"]),
        strips=tuple((strip["front"], strip["back"]) for strip in values["strips"]),
        prints=prints(values, components.default().prints),
        official=values["official"],
    )


def _schema() -> Schema:
    required = {key: Key(entry.kind) for key, entry in PRINT_SCHEMA.items()}
    return {
        "official": Key(flag, False),
        **required,
        "colors": Key(_table(_COLOR_SCHEMA)),
        "strips": Key(tables(_STRIP_SCHEMA)),
    }


def _table(schema: Schema) -> Kind:
    """A table of this schema."""

    def read(reader: Reader, raw: Any, path: str) -> dict[str, Any] | None:
        if isinstance(raw, dict):
            return reader.table(raw, schema, path)
        reader.unreadable(path, "This is no table.", f"Write [{path}] and a line for each key.")
        return None

    return read


def _faults(values: dict[str, Any], gaps: list[str]) -> Iterator[Fault]:
    """What is wrong with values that could be read."""
    yield from prints_faults(prints(values, components.default().prints))
    strips = values["strips"]
    if strips is None:
        return
    if len(strips) != PLACES:
        reason = f"There are {counted(len(strips), 'strip')}; each player has {PLACES}."
        yield Fault("strips", reason, f"Write {PLACES} [[strips]] tables.")
    for index, strip in enumerate(strips):
        for side in _STRIP_SCHEMA:
            field = f"strips[{index}].{side}"
            if field not in gaps:
                name = f"The {side} of strip {index + 1}"
                yield from print_faults(field, name, strip[side])
    sides = [strip[side] for strip in strips for side in _STRIP_SCHEMA]
    yield from joker_faults("strips", "The strips have", sides)
