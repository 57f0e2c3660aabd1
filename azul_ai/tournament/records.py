"""Games on record: JSON Lines, a header and one line a game, appended and flushed.

A record survives the end of the program at any moment: a line that was not finished is
recognized by its missing line break and cut off when the tournament goes on.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from azul_ai.files import write_whole
from azul_ai.tournament import settings as settings_module
from azul_ai.tournament.referee import Failure
from azul_ai.tournament.settings import Settings
from azul_ai.version import __version__

SCHEMA = "azul-games/1"
SYNC_SECONDS = 1.0
"""What is written is forced to the disk at most so often: it guards against a power cut."""


class RecordError(Exception):
    """A record cannot be read or written; ``place`` is the file, with a line number if known."""

    def __init__(self, place: str, reason: str, hint: str = "") -> None:
        super().__init__(f"{place}: {reason}" + (f" ({hint})" if hint else ""))
        self.place, self.reason, self.hint = place, reason, hint


class WriteError(RecordError):
    """A record cannot be written; what it holds already is kept."""


@dataclass(frozen=True)
class Game:
    """A game on record; lists are by seat.

    ``game`` is its id, ``group`` the number of its group of ``group_size`` games, ``seed``
    the seed of its deal and of all chance. ``players``: name, engine and options. ``first``:
    the seat that moved first. ``start``: a position's code, "" for a new game. ``deals``: the
    displays of each deal, as ``azul-ai move --deal`` takes them. ``points``: None after a
    failure. ``ranks`` count from 1, equals sharing the mean; ``shares``: of the win.
    ``seconds``: what each seat thought.
    """

    game: int
    group: int
    group_size: int
    rules: str
    seed: int
    players: list[dict[str, str]]
    first: int
    start: str
    deals: list[str]
    moves: list[str]
    points: list[int] | None
    ranks: list[float]
    shares: list[float]
    failure: Failure | None
    seconds: list[float]

    @property
    def names(self) -> list[str]:
        """Who sat where."""
        return [player["name"] for player in self.players]

    def to_line(self) -> str:
        """The line of the record, without its line break."""
        return json.dumps(asdict(self), ensure_ascii=False, allow_nan=False)


def game_from_dict(document: Mapping[str, Any]) -> Game:
    """The game of a line; keys that are not known are ignored.

    :raises KeyError, TypeError: it is not a game.
    """
    values = {name: document[name] for name in Game.__dataclass_fields__}
    failure = values["failure"]
    values["failure"] = None if failure is None else Failure(**failure)
    return Game(**values)


@dataclass(frozen=True)
class Record:
    """What a file holds: settings and games by id. ``size``: bytes without a torn last line."""

    settings: Settings
    version: str
    games: dict[int, Game]
    size: int


def read(path: Path) -> Record:
    """Read a record; a torn last line is left out.

    :raises RecordError: it cannot be read, or is no record.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        raise RecordError(str(path), f"cannot be read: {error.strerror}") from None
    whole = text[: text.rfind(b"\n") + 1]
    lines = whole.splitlines()
    if not lines:
        raise RecordError(str(path), "is empty", "start the tournament anew")
    settings, version = _read_header(str(path), lines[0])
    games: dict[int, Game] = {}
    for number, line in enumerate(lines[1:], 2):
        try:
            game = game_from_dict(json.loads(line))
        except (ValueError, KeyError, TypeError):
            raise RecordError(f"{path}, line {number}", "is not a game on record") from None
        games.setdefault(game.game, game)
    return Record(settings, version, games, len(whole))


def _read_header(place: str, line: bytes) -> tuple[Settings, str]:
    try:
        header = json.loads(line)
        schema = header["schema"]
        if schema == SCHEMA:
            return settings_module.from_dict(header["settings"]), str(header["version"])
    except (ValueError, KeyError, TypeError):
        schema = None
    reason = "has no header of a tournament" if schema is None else f"has the schema {schema!r}"
    raise RecordError(place, reason, f"its first line must be of the schema {SCHEMA}")


class Writer:
    """Appends games to a file. A context manager; whatever ends it, the file is readable."""

    def __init__(self, path: Path, size: int) -> None:
        """Go on with a file of which the first ``size`` bytes are whole lines."""
        self._path = path
        self._size = size
        self._synced = time.monotonic()
        try:
            self._file = os.open(path, os.O_WRONLY | getattr(os, "O_BINARY", 0))
            os.truncate(self._file, size)
            os.lseek(self._file, size, os.SEEK_SET)
        except OSError as error:
            raise WriteError(str(path), f"cannot be written: {error.strerror}") from None

    def add(self, games: Iterable[Game]) -> None:
        """Write the games of a group, all or none.

        :raises WriteError: the disk is full, for example. What was written before is kept.
        """
        data = "".join(game.to_line() + "\n" for game in games).encode()
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(self._file, view) :]
        except OSError as error:
            os.truncate(self._file, self._size)
            reason = f"cannot be written: {error.strerror}"
            hint = f"all games before are kept; make room and go on with --resume {self._path}"
            raise WriteError(str(self._path), reason, hint) from None
        self._size += len(data)
        if time.monotonic() - self._synced > SYNC_SECONDS:
            self._sync()

    def _sync(self) -> None:
        os.fsync(self._file)
        self._synced = time.monotonic()

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        self._sync()
        os.close(self._file)


def create(path: Path, settings: Settings) -> Writer:
    """Begin a record. The file appears with its whole header or not at all.

    :raises RecordError: there is such a file already.
    :raises WriteError: it cannot be written.
    """
    if path.exists():
        hint = f"go on with it by --resume {path}, or choose another name"
        raise RecordError(str(path), "exists already", hint)
    header = {"schema": SCHEMA, "version": __version__, "settings": settings.to_dict()}
    data = (json.dumps(header, ensure_ascii=False, allow_nan=False) + "\n").encode()
    try:
        write_whole(path, data)
    except OSError as error:
        raise WriteError(str(path), f"cannot be written: {error.strerror}") from None
    return Writer(path, len(data))


def resume(path: Path) -> tuple[Record, Writer]:
    """Go on with a record, cutting off a torn last line.

    :raises RecordError: it is no record, or was begun by another version of the program.
    """
    record = read(path)
    if record.version != __version__:
        reason = f"was begun by version {record.version}; this is {__version__}"
        raise RecordError(str(path), reason, "the bots may differ: start a new record")
    return record, Writer(path, record.size)


def complete_groups(games: Iterable[Game]) -> list[list[Game]]:
    """The groups of which every game is on record, by number, each in the order of its games."""
    by_group: dict[int, list[Game]] = {}
    for game in games:
        by_group.setdefault(game.group, []).append(game)
    whole: Sequence[int] = [g for g, found in by_group.items() if len(found) == found[0].group_size]
    return [sorted(by_group[number], key=lambda game: game.game) for number in sorted(whole)]
