"""Reads the keys of a TOML or JSON document by a table of what each should be.

A schema maps the name of a key to a :class:`Key`. What cannot be read is reported and
replaced by the key's neutral value, so that everything else is still checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from azul_ai.position.faults import Fault
from azul_ai.suggest import did_you_mean

Kind = Callable[["Reader", Any, str], Any]
"""Turns a raw value into a clean one, or reports a fault and returns None."""


@dataclass(frozen=True)
class Key:
    """What a key's value should be, and what stands in for one that is absent or unreadable."""

    kind: Kind
    neutral: Any = None
    required: bool = True


Schema = Mapping[str, Key]


@dataclass
class Reader:
    """Collects faults while a document is read.

    ``gaps`` are the paths of the values that could not be read.
    """

    faults: list[Fault] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)

    def unreadable(self, path: str, reason: str, hint: str) -> None:
        """Report a value that cannot be used."""
        self.faults.append(Fault(path, reason, hint))
        self.gaps.append(path)

    def table(self, raw: Mapping[str, Any], schema: Schema, path: str = "") -> dict[str, Any]:
        """The clean values of all keys of a schema."""
        prefix = f"{path}." if path else ""
        for name in raw:
            if name not in schema:
                reason = f'There is no key "{name}" here.'
                self.faults.append(Fault(prefix + name, reason, did_you_mean(name, schema)))
        return {name: self._value(raw, name, key, prefix) for name, key in schema.items()}

    def _value(self, raw: Mapping[str, Any], name: str, key: Key, prefix: str) -> Any:
        if name in raw:
            value = key.kind(self, raw[name], prefix + name)
            return key.neutral if value is None else value
        if key.required:
            self.unreadable(prefix + name, f'The key "{name}" is missing.', f"Add {name} = ….")
        return key.neutral


def integer(reader: Reader, raw: Any, path: str) -> int | None:
    """A whole number."""
    if isinstance(raw, int) and not isinstance(raw, bool):
        return raw
    _wrong_type(reader, raw, path, "a whole number")
    return None


def flag(reader: Reader, raw: Any, path: str) -> bool | None:
    """True or false."""
    if isinstance(raw, bool):
        return raw
    _wrong_type(reader, raw, path, "true or false")
    return None


def text(reader: Reader, raw: Any, path: str) -> str | None:
    """A text."""
    if isinstance(raw, str):
        return raw
    _wrong_type(reader, raw, path, 'a text in quotes, such as "BBYR"')
    return None


def texts(neutral: str = "", number: int | None = None) -> Kind:
    """A list of texts, exactly ``number`` of them if given."""

    def read(reader: Reader, raw: Any, path: str) -> tuple[str, ...] | None:
        if not isinstance(raw, list):
            _wrong_type(reader, raw, path, "a list of texts in brackets")
            return None
        if number is not None and len(raw) != number:
            reason = f"This list needs {number} entries; it has {len(raw)}."
            reader.unreadable(path, reason, f"Write {number} texts in brackets.")
            return None
        values = [text(reader, item, f"{path}[{index}]") for index, item in enumerate(raw)]
        return tuple(neutral if value is None else value for value in values)

    return read


def tables(schema: Schema) -> Kind:
    """A list of tables of the same schema."""

    def read(reader: Reader, raw: Any, path: str) -> tuple[dict[str, Any], ...] | None:
        if not isinstance(raw, list) or not all(isinstance(item, dict) for item in raw):
            _wrong_type(reader, raw, path, f"a list of tables ([[{path}]] in TOML)")
            return None
        return tuple(
            reader.table(item, schema, f"{path}[{index}]") for index, item in enumerate(raw)
        )

    return read


def counts(letters: str) -> Kind:
    """Numbers of tiles by color, as a text ("B12 Y11") or a table ({B = 12, Y = 11})."""

    def read(reader: Reader, raw: Any, path: str) -> dict[str, int] | None:
        match raw:
            case str():
                pairs = _pairs(raw)
            case dict() if all(type(number) is int for number in raw.values()):
                pairs = list(raw.items())
            case _:
                pairs = None
        if pairs is None:
            _wrong_type(reader, raw, path, 'numbers of tiles such as "B12 Y11"')
            return None
        problem = _problem(pairs, letters)
        if problem:
            reader.unreadable(path, problem, f"Write each of {', '.join(letters)} at most once.")
            return None
        given = dict(pairs)
        return {letter: given.get(letter, 0) for letter in letters}

    return read


def counts_text(numbers: Mapping[str, int], separator: str = " ") -> str:
    """Numbers of tiles as text, colors without a tile left out."""
    return separator.join(f"{letter}{number}" for letter, number in numbers.items() if number)


def _pairs(raw: str) -> list[tuple[str, int]] | None:
    """The letters and numbers of a text like "B12 Y11", or None if it is not one."""
    if not re.fullmatch(r"(?:[A-Za-z][0-9]{1,4}|[\s,])*", raw):
        return None
    return [(letter, int(number)) for letter, number in re.findall(r"([A-Za-z])([0-9]+)", raw)]


def _problem(pairs: list[tuple[str, int]], letters: str) -> str:
    """What is wrong with numbers of tiles, or "" if nothing is."""
    seen = [letter for letter, _ in pairs]
    for letter, number in pairs:
        if letter not in letters or len(letter) != 1:
            return f'There is no color "{letter}".'
        if seen.count(letter) > 1:
            return f'The color "{letter}" is counted twice.'
        if number < 0:
            return f'There cannot be {number} tiles of color "{letter}".'
    return ""


def _wrong_type(reader: Reader, raw: Any, path: str, wanted: str) -> None:
    shown = repr(raw) if isinstance(raw, (str, int, float)) else f"a {type(raw).__name__}"
    if len(shown) > 40:
        shown = shown[:39] + "…"
    reader.unreadable(path, f"This is {shown}, not {wanted}.", f"Write {wanted}.")
