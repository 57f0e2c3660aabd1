"""What in an Azul position contradicts something else in it.

Like :mod:`azul_ai.position.azul_checks`, whose second half this is.
"""

from __future__ import annotations

from collections.abc import Iterator

from azul_ai.games.drafting import FLOOR_SPACES
from azul_ai.games.supply import DISPLAY_SIZE, FIELD_MASK, TILES_PER_COLOR
from azul_ai.position.azul_facts import (
    LETTERS,
    PALETTE,
    Phase,
    bag_size,
    complete_rows,
    emptied_displays,
    implied_start,
    marker_places,
    may_be_short,
    phase,
    seen,
    unseen,
)
from azul_ai.position.faults import Fault
from azul_ai.position.model import Position
from azul_ai.position.words import MARKER, counted

Faults = Iterator[Fault]


def table_conflicts(position: Position, complete: bool, check_counts: bool) -> Faults:
    """Faults between displays, center, marker and round, for a valid number of players.

    :param complete: whether everything could be read.
    """
    yield from _center(position)
    yield from _full_rows(position)
    yield from _markers(position, complete)
    yield from _start(position, complete)
    if check_counts and complete:
        yield from _dealt(position)


def _center(position: Position) -> Faults:
    tiles, emptied = sum(map(position.center.count, LETTERS)), emptied_displays(position)
    most = (DISPLAY_SIZE - 1) * max(0, emptied)
    if tiles > most:
        yield Fault(
            "center",
            f"The center holds {counted(tiles, 'tile')}, but at most {most} can have come there "
            f"from {counted(emptied, 'emptied display')}.",
            'Write "" for every display that a player took from.',
        )


def _full_rows(position: Position) -> Faults:
    rows = [
        (f"players[{index}].wall[{row}]", f"row {row + 1} of player {index + 1}")
        for index, player in enumerate(position.players)
        for row in complete_rows(player)
    ]
    if rows and phase(position) is Phase.DRAFTING:
        reason = f"The wall is complete in {' and '.join(name for _, name in rows)}"
        yield Fault(
            rows[0][0],
            f"{reason}, but tiles are still on offer: the game ended with that round.",
            "Correct the wall, or take the tiles off the displays and the center.",
        )


def _markers(position: Position, complete: bool) -> Faults:
    found, settled = marker_places(position), phase(position) is Phase.SETTLED
    given = position.next_start
    if len(found) > 1:
        names = " and ".join(_lower(place.name) for place in found)
        reason = f"The starting player marker lies in {len(found)} places: {names}."
        yield Fault(found[1].field, reason, f'There is one: write "{MARKER}" once.')
    elif not found and given is None and not settled and complete:
        yield Fault(
            "center",
            "The starting player marker is nowhere.",
            f'Write "{MARKER}" in the center or on a floor; next_start says who has it if it '
            "came to a full floor.",
        )
    if given is None:
        return
    if found:
        reason = f"The marker lies in {_lower(found[0].name)}, which says who starts next."
        yield Fault("next_start", reason, "Leave next_start out.")
    elif settled and given != position.to_move:
        reason = f"Player {given} starts next, but player {position.to_move} is to move."
        yield Fault("next_start", reason, "Between rounds both are the same.")
    elif 1 <= given <= len(position.players):
        free = FLOOR_SPACES - len(position.players[given - 1].floor)
        if free > 0 and phase(position) is Phase.DRAFTING:
            reason = f"Player {given} has the marker, but it is not among the floor's pieces."
            yield Fault("next_start", reason, f'Write "{MARKER}" on that floor instead.')


def _start(position: Position, complete: bool) -> Faults:
    given, number = position.start, len(position.players)
    if given is None or not complete or not 1 <= given <= number:
        return
    turns = (position.to_move - given) % number
    if phase(position) is Phase.SETTLED:
        wrong = MARKER in position.center and turns != 0
    else:
        wrong = MARKER in position.center and given != implied_start(position) + 1
        wrong = wrong and not (may_be_short(position) and turns <= emptied_displays(position))
    if wrong:
        yield Fault(
            "start",
            f"Player {given} cannot have started: by the emptied displays and to_move it was "
            f"player {implied_start(position) + 1}.",
            "Leave start out, or correct to_move or the displays.",
        )


def _dealt(position: Position) -> Faults:
    size = bag_size(position)
    if position.bag is not None or position.lid is not None or size is None:
        return
    left = sum(unseen(position).values())
    if left < size:
        total = TILES_PER_COLOR * len(LETTERS)
        yield Fault(
            "round",
            f"{total - left} tiles are in view, but up to round {position.round} only "
            f"{total - size} have been dealt.",
            "Correct the round.",
        )


def conservation(position: Position, complete: bool, check_counts: bool) -> Faults:
    """20 of each color; uncounted, what the packed state has room for."""
    room = TILES_PER_COLOR if check_counts else FIELD_MASK
    given = {"bag": position.bag, "lid": position.lid}
    groups = {name: tiles for name, tiles in given.items() if tiles is not None}
    groups |= seen(position)
    missing = {}
    for letter in LETTERS:
        where = {name: tiles[letter] for name, tiles in groups.items() if tiles[letter]}
        number = sum(where.values())
        if number > room:
            listed = ", ".join(f"{name} {tiles}" for name, tiles in where.items())
            reason = f"There are {number} {PALETTE.name(letter)} tiles, more than {room}"
            yield Fault(_field(next(iter(where))), f"{reason}: {listed}.", "Count them again.")
        elif number < room:
            missing[letter] = room - number
    if check_counts and complete and missing and None not in given.values():
        listed = ", ".join(f"{number} {PALETTE.name(key)}" for key, number in missing.items())
        yield Fault(
            "bag",
            f"{sum(missing.values())} of {room * len(LETTERS)} tiles are missing: {listed}.",
            "Count bag and lid again; leave out one of them, and it follows from the rest.",
        )


def _field(group: str) -> str:
    """The field of a group of places."""
    fields = {"displays": "factories", "lines": "players", "floors": "players", "walls": "players"}
    return fields.get(group, group)


def _lower(name: str) -> str:
    return name[0].lower() + name[1:]
