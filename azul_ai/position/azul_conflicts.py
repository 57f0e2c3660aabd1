"""What in an Azul position contradicts something else in it.

Like :mod:`azul_ai.position.azul_checks`, whose second half this is.
"""

from __future__ import annotations

from collections.abc import Iterator

from azul_ai.games.pattern_lines import FLOOR_SPACES
from azul_ai.position import table_checks
from azul_ai.position.azul_facts import (
    GRAY,
    KIND,
    complete_rows,
    implied_start,
    marker_places,
    phase,
)
from azul_ai.position.faults import Fault
from azul_ai.position.model import Position
from azul_ai.position.table import Phase, emptied_displays, may_be_short
from azul_ai.position.words import MARKER

Faults = Iterator[Fault]


def table_conflicts(position: Position, complete: bool, check_counts: bool) -> Faults:
    """Faults between displays, center, marker and round, for a valid number of players.

    :param complete: whether everything could be read.
    """
    yield from table_checks.center(position, KIND)
    yield from _full_rows(position)
    yield from _markers(position, complete)
    yield from _start(position, complete)
    if check_counts and complete:
        yield from table_checks.dealt(position, KIND)


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
    now = phase(position)
    if now is Phase.SETTLED:
        wrong = MARKER in position.center and turns != 0
    elif now is Phase.TILING and position.game == GRAY:
        wrong = False
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


def _lower(name: str) -> str:
    return name[0].lower() + name[1:]
