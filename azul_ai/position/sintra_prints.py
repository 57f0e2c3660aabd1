"""What is printed on Sintra's components, as keys of a file: reading, and what can be wrong.

A position and a file of components have the same keys for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from azul_ai.games.components import Prints
from azul_ai.games.palace import ORNAMENTS, PLACES, TRACK_END
from azul_ai.games.strips import SPACES
from azul_ai.position.faults import Fault
from azul_ai.position.schema import Key, Kind, Reader, Schema, integer
from azul_ai.position.sintra_facts import JOKER, PALETTE, PRINTS
from azul_ai.position.words import counted

TRACK_VALUE = -18
"""What the last space of the broken glass track costs."""
MOST_POINTS = 99
"""No window scores nearly as much."""
MAX_JOKERS = 2
"""Joker spaces among a player's strips, all on one side."""

Faults = Iterator[Fault]


def numbers(number: int, what: str) -> Kind:
    """A list of exactly so many whole numbers."""

    def read(reader: Reader, raw: Any, path: str) -> tuple[int, ...] | None:
        if not isinstance(raw, list) or len(raw) != number:
            size = f"has {len(raw)}" if isinstance(raw, list) else "is none"
            reason = f"This needs a list of {number} {what}; it {size}."
            reader.unreadable(path, reason, f"Write {number} numbers in brackets.")
            return None
        values = [integer(reader, item, f"{path}[{index}]") for index, item in enumerate(raw)]
        return tuple(value for value in values if value is not None) if None not in values else None

    return read


def pairs(reader: Reader, raw: Any, path: str) -> tuple[tuple[int, ...], ...] | None:
    """The pair of windows around each ornament."""
    if not isinstance(raw, list) or len(raw) != ORNAMENTS:
        reason = f"There are {ORNAMENTS} ornaments, each between a pair of windows."
        reader.unreadable(path, reason, "Write [[1, 2], [3, 4], [5, 6], [7, 8]] or other pairs.")
        return None
    pair = numbers(2, "windows")
    read = [pair(reader, item, f"{path}[{index}]") for index, item in enumerate(raw)]
    return tuple(tuple(sorted(each)) for each in read) if None not in read else None


PRINT_SCHEMA: Schema = {
    "window_points": Key(numbers(PLACES, "window points"), required=False),
    "track": Key(numbers(TRACK_END + 1, "values from the top of the track"), required=False),
    "ornaments": Key(pairs, required=False),
}


def prints(values: Mapping[str, Any], instead: Prints) -> Prints:
    """What the keys say; for one that is absent, what stands in."""
    given = {
        key: getattr(instead, key) if values[key] is None else values[key] for key in PRINT_SCHEMA
    }
    return Prints(**given)


# --- faults -------------------------------------------------------------------------------


def prints_faults(printed: Prints) -> Faults:
    """Numbers that cannot be printed there."""
    for index, points in enumerate(printed.window_points):
        if not 0 <= points <= MOST_POINTS:
            reason = f"Window {index + 1} cannot be worth {points} points."
            yield Fault(
                f"window_points[{index}]", reason, f"Write a number from 0 to {MOST_POINTS}."
            )
    track = printed.track
    if (track[0], track[-1]) != (0, TRACK_VALUE):
        reason = f"The broken glass track goes from {track[0]} to {track[-1]}."
        yield Fault("track", reason, f"It goes from 0 to {TRACK_VALUE}.")
    elif sorted(track, reverse=True) != list(track):
        reason = "The values on the broken glass track do not fall from space to space."
        yield Fault("track", reason, "Write them from the top, as printed: 0, -1, -2 ….")
    around = [window for pair in printed.ornaments for window in pair]
    if sorted(around) != list(range(1, PLACES + 1)):
        reason = "The ornaments do not stand between pairs of the eight windows."
        yield Fault("ornaments", reason, "Every window from 1 to 8 belongs to one pair.")


def print_faults(field: str, name: str, signs: str) -> Faults:
    """A side of a strip that is not five letters or jokers."""
    if len(signs) != SPACES:
        reason = f"{name} has {counted(len(signs), 'space')}, not {SPACES}."
        yield Fault(field, reason, f'Write a letter for each space, "{JOKER}" for a joker.')
    for sign in dict.fromkeys(signs):
        if sign not in PRINTS:
            if sign == "?":
                reason = f"{name} is not filled in yet."
            else:
                reason = f'{name} has "{sign}", which is no color.'
            hint = f'The colors are {PALETTE.legend()}; "{JOKER}" is a joker space.'
            yield Fault(field, reason, hint)


def joker_faults(field: str, owner: str, sides: list[str]) -> Faults:
    """More joker spaces than one side with two."""
    jokers = [side.count(JOKER) for side in sides if JOKER in side]
    if len(jokers) > 1 or sum(jokers) > MAX_JOKERS:
        reason = f"{owner} {sum(jokers)} joker spaces on {counted(len(jokers), 'side')}."
        hint = f"One side of one strip has jokers, {MAX_JOKERS} of them."
        yield Fault(field, reason, hint)
