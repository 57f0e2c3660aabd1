"""Everything that can be wrong with an Azul position whose values could be read.

Each check yields the faults it finds, and all checks always run. A fault that consists in
something missing is reported only where everything could be read: a tile with a mistyped
letter is one fault, not two.
"""

from __future__ import annotations

from collections.abc import Iterator

from azul_ai.game import MAX_PLAYERS
from azul_ai.games.azul import FLOOR_SPACES
from azul_ai.games.supply import DISPLAY_SIZE, DISPLAYS, FIELD_MASK, TILES_PER_COLOR
from azul_ai.position.azul_facts import (
    EMPTY,
    FILLED,
    LETTERS,
    PALETTE,
    WALL,
    Phase,
    bag_size,
    complete_rows,
    emptied_displays,
    implied_start,
    marker_places,
    may_be_short,
    phase,
    places,
    seen,
    unseen,
    wall_tiles,
)
from azul_ai.position.faults import Fault
from azul_ai.position.model import Position
from azul_ai.position.words import MARKER

MIN_PLAYERS = 2
MAX_ROUND = 999
"""No real game comes near it."""

# fmt: off
MAX_PLACEMENT_POINTS = (
    0, 1, 3, 6, 10, 15, 18, 22, 28, 33, 40, 44, 50, 55, 62, 70, 76, 81, 88, 96, 105, 111, 118,
    126, 135, 145,
)
"""The most that placing so many wall tiles, in the best order, can have scored."""
# fmt: on

Faults = Iterator[Fault]


def check(position: Position, complete: bool, check_counts: bool) -> list[Fault]:
    """All faults of a position.

    :param complete: whether every value of the document could be read.
    :param check_counts: whether tiles must add up to 20 of each color.
    """
    unreadable = [*_letters(position), *_cells(position)]
    complete = complete and not unreadable
    faults = [*unreadable, *_numbers(position), *_displays(position), *_boards(position)]
    if MIN_PLAYERS <= len(position.players) <= MAX_PLAYERS:
        faults += [*_center(position), *_full_rows(position), *_markers(position, complete)]
        faults += [*_start(position, complete), *_dealt(position, complete, check_counts)]
    faults += _conservation(position, complete, check_counts)
    return faults


# --- readable texts -----------------------------------------------------------------------


def _letters(position: Position) -> Faults:
    for place in places(position):
        known = LETTERS
        if place.field == "center" or place.field.endswith("floor"):
            known += MARKER
        for letter in dict.fromkeys(place.tiles):
            if letter not in known:
                yield _bad_letter(place.field, place.name, letter)


def _bad_letter(field: str, name: str, letter: str) -> Fault:
    legend = f"The colors are {PALETTE.legend()}."
    if letter == "?":
        return Fault(field, f"{name} is not filled in yet.", f"Replace the ?. {legend}")
    if letter == MARKER:
        reason = f"{name} holds the starting player marker."
        return Fault(field, reason, "The marker lies in the center or on a floor.")
    capital = letter.upper()
    hint = f'Write the capital letter "{capital}".' if capital in LETTERS else legend
    return Fault(field, f'{name} holds "{letter}", which is no color.', hint)


def _cells(position: Position) -> Faults:
    for index, player in enumerate(position.players):
        for row, cells in enumerate(player.wall):
            field, name = f"players[{index}].wall[{row}]", f"row {row + 1} of player {index + 1}"
            if len(cells) != len(WALL[row]):
                reason = f"The wall has {len(cells)} cells in {name}, not {len(WALL[row])}."
                yield Fault(field, reason, f'Write a letter or "{EMPTY}" for each cell.')
                continue
            for column, cell in enumerate(cells):
                printed = WALL[row][column]
                if cell not in (EMPTY, FILLED, printed):
                    yield Fault(
                        field,
                        f'The wall has "{cell}" in {name}, column {column + 1}.',
                        f'Only {PALETTE.name(printed)} belongs there: write "{printed}", '
                        f'"{FILLED}" or "{EMPTY}". The row is printed {WALL[row]}.',
                    )


# --- numbers, displays, boards --------------------------------------------------------------


def _numbers(position: Position) -> Faults:
    number = len(position.players)
    if not MIN_PLAYERS <= number <= MAX_PLAYERS:
        reason = f"There are {number} players."
        yield Fault("players", reason, "Azul is for 2-4: write a [[players]] table for each.")
    for field in ("to_move", "start", "next_start"):
        player = getattr(position, field)
        if number and player is not None and not 1 <= player <= number:
            reason = f"There is no player {player}."
            yield Fault(field, reason, f"Write a number from 1 to {number}.")
    untouched = phase(position) is Phase.SETTLED and not any(
        number for tiles in seen(position).values() for number in tiles.values()
    )
    if position.round == 0 and not untouched:
        yield Fault("round", "The round is 0, but tiles are out.", "Rounds count from 1.")
    if not 0 <= position.round <= MAX_ROUND:
        reason = f"There is no round {position.round}."
        yield Fault("round", reason, f"Write a number from 1 to {MAX_ROUND}.")


def _displays(position: Position) -> Faults:
    number, players = len(position.factories), len(position.players)
    if MIN_PLAYERS <= players <= MAX_PLAYERS and number > DISPLAYS[players]:
        reason = f"There are {number} displays; {players} players use {DISPLAYS[players]}."
        yield Fault("factories", reason, "Leave out those that are not on the table.")
    short = []
    for index, tiles in enumerate(position.factories):
        field, name = f"factories[{index}]", f"Display {index + 1}"
        if len(tiles) > DISPLAY_SIZE:
            reason = f"{name} holds {len(tiles)} tiles; it has room for {DISPLAY_SIZE}."
            yield Fault(field, reason, "Leave out what lies elsewhere.")
        elif 0 < len(tiles) < DISPLAY_SIZE:
            short.append(
                Fault(
                    field,
                    f"{name} holds {len(tiles)} tiles; a display has {DISPLAY_SIZE}, or none once "
                    "a player took from it.",
                    "Only one display may be short, and only if bag and lid ran out in the deal.",
                )
            )
    if len(short) > 1 or not may_be_short(position):
        yield from short


def _boards(position: Position) -> Faults:
    for index, player in enumerate(position.players):
        for row, tiles in enumerate(player.lines):
            yield from _line(f"players[{index}]", index, row, tiles, player.wall[row])
        if len(player.floor) > FLOOR_SPACES:
            yield Fault(
                f"players[{index}].floor",
                f"The floor of player {index + 1} holds {len(player.floor)} pieces; it has "
                f"{FLOOR_SPACES} spaces.",
                "What does not fit lies in the lid.",
            )
        most = MAX_PLACEMENT_POINTS[sum(1 for _ in wall_tiles(player))]
        if not 0 <= player.score <= most:
            yield Fault(
                f"players[{index}].score",
                f"Player {index + 1} cannot have {player.score} points: with these wall tiles "
                f"the score track shows 0 to {most}.",
                "Enter the score before any end bonus, and all wall tiles.",
            )


def _line(field: str, index: int, row: int, tiles: str, cells: str) -> Faults:
    field, name = f"{field}.lines[{row}]", f"Line {row + 1} of player {index + 1}"
    if len(tiles) > row + 1:
        reason = f"{name} holds {len(tiles)} tiles; it has {row + 1} spaces."
        yield Fault(field, reason, "What does not fit lies on the floor.")
    colors = [letter for letter in LETTERS if letter in tiles]
    names = [PALETTE.name(letter) for letter in colors]
    if len(colors) > 1:
        yield Fault(field, f"{name} holds {' and '.join(names)}.", "A line has one color.")
    for letter, color in zip(colors, names, strict=True):
        column = WALL[row].index(letter)
        if cells[column : column + 1] in (letter, FILLED):
            reason = f"{name} holds {color}, but row {row + 1} of the wall already has it."
            yield Fault(field, reason, "Correct the line or the wall.")


# --- what must fit together -----------------------------------------------------------------


def _center(position: Position) -> Faults:
    tiles, emptied = sum(map(position.center.count, LETTERS)), emptied_displays(position)
    most = (DISPLAY_SIZE - 1) * max(0, emptied)
    if tiles > most:
        yield Fault(
            "center",
            f"The center holds {tiles} tiles, but from {emptied} emptied displays at most "
            f"{most} can have come there.",
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


def _dealt(position: Position, complete: bool, check_counts: bool) -> Faults:
    size = bag_size(position)
    if position.bag is not None or position.lid is not None or size is None:
        return
    left = sum(unseen(position).values())
    if check_counts and complete and left < size:
        total = TILES_PER_COLOR * len(LETTERS)
        yield Fault(
            "round",
            f"{total - left} tiles are in view, but up to round {position.round} only "
            f"{total - size} have been dealt.",
            "Correct the round.",
        )


def _conservation(position: Position, complete: bool, check_counts: bool) -> Faults:
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
