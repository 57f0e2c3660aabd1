"""Where a position comes from: a path, standard input or a code; TOML, JSON or a code."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from azul_ai.position import code
from azul_ai.position.faults import Fault, PositionError

MAX_BYTES = 1 << 20
"""No position is nearly as long; what is longer is some other file."""

STDIN = "-"


class Wanted(NamedTuple):
    """What should be in a file: its name, and advice if there is no such file, or nothing in it."""

    name: str
    give: str
    write: str


POSITION = Wanted(
    "position",
    "Give a position file, - for standard input, or a code such as azul:1:….",
    '"azul-ai new --empty" writes a template to fill in.',
)


def read(argument: str, wanted: Wanted = POSITION) -> str:
    """The text that a command's argument stands for.

    :param argument: a path, ``-`` for standard input, or a one-line code.
    :raises PositionError: there is nothing readable there.
    """
    if code.is_code(argument):
        return argument
    name = "standard input" if argument == STDIN else f'"{argument}"'
    try:
        raw = _read_bytes(argument)
    except (OSError, ValueError) as error:  # ValueError: a null character in a path
        reason = getattr(error, "strerror", None) or error
        _fail(f"Cannot read {name}: {reason}.", wanted.give)
    if len(raw) > MAX_BYTES:
        _fail(f"{name} is longer than {MAX_BYTES} bytes.", wanted.give)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        _fail(f"{name} is not UTF-8 text (byte {error.start + 1}).", "Save it as UTF-8.")


def document(text: str, wanted: Wanted = POSITION) -> dict[str, Any]:
    """The keys and values of a TOML or JSON text, told apart by the first character.

    :raises PositionError: it is empty or neither, with the line where reading stopped.
    """
    if not text.strip():
        _fail(f"The {wanted.name} is empty.", wanted.write)
    is_json = text.lstrip().startswith("{")
    name = "JSON" if is_json else "TOML"
    try:
        return _parse_json(text) if is_json else tomllib.loads(text)
    except RecursionError:
        _fail(f"This {name} is nested too deeply.", wanted.write)
    except ValueError as error:
        _fail(f"This is not valid {name}: {error}.", "Correct that place.")


def _read_bytes(argument: str) -> bytes:
    if argument == STDIN:
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    with Path(argument).open("rb") as file:
        return file.read(MAX_BYTES + 1)


def _parse_json(text: str) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(text, object_pairs_hook=_unique)
    return parsed


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object's values; like TOML, a key given twice is an error."""
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f'the key "{twice}" is given twice')
    return values


def _fail(reason: str, hint: str) -> NoReturn:
    raise PositionError([Fault("", reason, hint)]) from None
