"""The first fields of every game's code, separated by ``/``.

They are: round; to_move; displays; center; bag; lid (or tower); start; next_start. What has
several parts separates them by commas; numbers of tiles are written ``B12Y11``; what is not
given, ``-``. Players and rounds count as in a file.
"""

from __future__ import annotations

import re
from typing import Any

from azul_ai.position.faults import Fault, PositionError
from azul_ai.position.model import Position
from azul_ai.position.schema import counts_text

NOT_GIVEN = "-"
"""In a code, a field of a key that a file would leave out."""
NUMBER = 8
"""How many fields these are."""


def write(position: Position) -> list[str]:
    """The fields of a position."""
    supplies = [
        NOT_GIVEN if tiles is None else counts_text(tiles, "")
        for tiles in (position.bag, position.lid)
    ]
    starts = [
        NOT_GIVEN if player is None else str(player)
        for player in (position.start, position.next_start)
    ]
    table = [str(position.round), str(position.to_move), ",".join(position.factories)]
    return [*table, position.center, *supplies, *starts]


def read(game: str, fields: list[str]) -> dict[str, Any]:
    """The keys of a document that the first fields stand for.

    :raises PositionError: there are not enough of them.
    """
    if len(fields) < NUMBER:
        raise damaged()
    round_, to_move, factories, center, bag, lid, start, next_start = fields[:NUMBER]
    document: dict[str, Any] = {"game": game, "factories": factories.split(","), "center": center}
    numbers = {"round": round_, "to_move": to_move, "start": start, "next_start": next_start}
    document |= {key: number(value) for key, value in numbers.items() if value != NOT_GIVEN}
    supplies = {"bag": bag, "lid": lid}
    return document | {key: value for key, value in supplies.items() if value != NOT_GIVEN}


def number(digits: str) -> int | str:
    """A number, or what stands in its place, for the schema to report."""
    return int(digits) if re.fullmatch(r"-?[0-9]{1,9}", digits) else digits


def damaged() -> PositionError:
    """What to raise for a code that is not of the form of its game."""
    return PositionError([Fault("", "The code lacks fields.", "Copy the code again.")])
