"""Who plays: a name, an engine, a limit, settings; as text, TOML or JSON."""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from azul_ai.settings import Limit, SettingError

NAME, ENGINE = "name", "engine"
_LIMITS = {"time": float, "iterations": int, "nodes": int, "depth": int}

# CSV knows quotes only around a whole field: move that of key="value" in front of the key.
_QUOTED_VALUE = re.compile(r'(^|,)\s*([\w.-]+=)"')


@dataclass(frozen=True)
class Entrant:
    """A player of a tournament.

    ``options`` are the limit and the settings of the engine, as pairs of texts, sorted.
    Two entrants that differ in nothing but the name play alike.
    """

    name: str
    engine: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def limit(self) -> Limit:
        """How long it may search.

        :raises SettingError: a limit is not a positive number.
        """
        values: dict[str, Any] = {}
        for key, text in self.options:
            if key in _LIMITS:
                try:
                    values[key] = _LIMITS[key](text)
                except ValueError:
                    kind = "a number of seconds" if key == "time" else "a whole number"
                    raise SettingError(key, f"{text!r} is not {kind}") from None
        return Limit(**values)

    @property
    def settings(self) -> dict[str, str]:
        """The settings of the engine, without the limit."""
        return {key: value for key, value in self.options if key not in _LIMITS}

    def to_dict(self) -> dict[str, str]:
        """All keys of the entrant as one flat object."""
        return {NAME: self.name, ENGINE: self.engine, **dict(self.options)}


def from_dict(keys: Mapping[str, object], field: str = "player") -> Entrant:
    """The entrant of a flat object of keys, as in TOML and JSON.

    :raises SettingError: the engine is missing, or a value is neither a text nor a number.
    """
    texts: dict[str, str] = {}
    for key, value in keys.items():
        if not isinstance(value, str | int | float):
            raise SettingError(f"{field}.{key}", "must be a text or a number", f'{key} = "…"')
        texts[key] = str(value).lower() if isinstance(value, bool) else str(value)
    engine = texts.pop(ENGINE, "")
    if not engine:
        raise SettingError(f"{field}.engine", "is missing", "add engine=ismcts, for example")
    name = texts.pop(NAME, "") or " ".join([engine, *(f"{k}={texts[k]}" for k in sorted(texts))])
    return Entrant(name, engine, tuple(sorted(texts.items())))


def parse(text: str, field: str = "player") -> Entrant:
    """The entrant of ``name=…,engine=…,KEY=VALUE…``, one CSV record, so values may be quoted.

    Both ``command="a, b"`` and ``"command=a, b"`` are understood.

    :raises SettingError: an item is not KEY=VALUE, or a key is given twice.
    """
    record = next(csv.reader([_QUOTED_VALUE.sub(r'\1"\2', text)], skipinitialspace=True), [])
    keys: dict[str, str] = {}
    for item in record:
        key, equals, value = item.partition("=")
        if not equals or not key.strip():
            raise SettingError(field, f"{item!r} is not KEY=VALUE", "engine=greedy,name=G")
        if key.strip() in keys:
            raise SettingError(f"{field}.{key.strip()}", "is given twice")
        keys[key.strip()] = value.strip()
    return from_dict(keys, field)


def load(path: Path) -> list[Entrant]:
    """The entrants of a TOML file: its tables ``[[players]]``, with the same keys.

    :raises SettingError: it is not TOML, or has no such tables.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise SettingError(str(path), f"is not valid TOML: {error}") from None
    tables = document.get("players")
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise SettingError(str(path), "has no players", 'add tables [[players]] engine = "…"')
    return [from_dict(table, f"players[{index}]") for index, table in enumerate(tables)]


def check(entrants: Sequence[Entrant]) -> None:
    """Raise SettingError unless there are two or more entrants, all of different names."""
    if len(entrants) < 2:
        raise SettingError("player", "a tournament needs two or more players", "--player … twice")
    twice = _first_repeated(entrant.name for entrant in entrants)
    if twice is not None:
        raise SettingError("player.name", f"two players are called {twice!r}", "give name=…")


def _first_repeated(names: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None
