"""Everything that can be wrong with an Azul position whose values could be read.

Each check yields the faults it finds, and all checks always run; those that concern one place
are here, those between places in :mod:`azul_ai.position.azul_conflicts`. A fault that consists in
something missing is reported only where everything could be read: a tile with a mistyped
letter is one fault, not two.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from azul_ai.game import MAX_PLAYERS
from azul_ai.games.drafting import FLOOR_SPACES
from azul_ai.games.supply import DISPLAY_SIZE, DISPLAYS
from azul_ai.position.azul_conflicts import conservation, table_conflicts
from azul_ai.position.azul_facts import (
    EMPTY,
    FILLED,
    LETTERS,
    PALETTE,
    WALL,
    Phase,
    may_be_short,
    phase,
    places,
    seen,
    wall_tiles,
)
from azul_ai.position.faults import Fault
from azul_ai.position.model import Position
from azul_ai.position.words import MARKER, counted

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


def check(position: Position, gaps: Sequence[str], check_counts: bool) -> list[Fault]:
    """All faults of a position.

    :param gaps: fields whose values could not be read and were replaced by nothing.
    :param check_counts: whether tiles must add up to 20 of each color.
    """
    unreadable = [*_letters(position), *_cells(position)]
    gaps = [*gaps, *(fault.field for fault in unreadable)]
    faults = [
        *unreadable,
        *_names(position),
        *_numbers(position),
        *_displays(position),
        *_boards(position),
        *_scores(position, gaps),
    ]
    if MIN_PLAYERS <= len(position.players) <= MAX_PLAYERS:
        faults += table_conflicts(position, not gaps, check_counts)
    faults += conservation(position, not gaps, check_counts)
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


def _names(position: Position) -> Faults:
    for index, player in enumerate(position.players):
        if any(unicodedata.category(letter) in ("Cc", "Cs") for letter in player.name):
            reason = f"The name of player {index + 1} has a control character."
            yield Fault(f"players[{index}].name", reason, "Write letters and signs only.")


def _cells(position: Position) -> Faults:
    for index, player in enumerate(position.players):
        for row, cells in enumerate(player.wall):
            field, name = f"players[{index}].wall[{row}]", f"row {row + 1} of player {index + 1}"
            if len(cells) != len(WALL[row]):
                reason = (
                    f"The wall has {counted(len(cells), 'cell')} in {name}, not {len(WALL[row])}."
                )
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
        reason = f"The number of players is {number}."
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
        reason = f"{players} players use {DISPLAYS[players]} displays; here are {number}."
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
                    f"{name} holds {counted(len(tiles), 'tile')}; a display has {DISPLAY_SIZE}, "
                    "or none once a player took from it.",
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


def _scores(position: Position, gaps: Sequence[str]) -> Faults:
    for index, player in enumerate(position.players):
        if any(gap.startswith(f"players[{index}].wall") for gap in gaps):
            continue
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
        reason = f"{name} holds {len(tiles)} tiles; it has {counted(row + 1, 'space')}."
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
