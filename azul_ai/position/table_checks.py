"""What can be wrong with the part of a position that all games share.

Each check yields the faults it finds. A fault that consists in something missing is reported
only where everything could be read: a tile with a mistyped letter is one fault, not two.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from azul_ai.game import MAX_PLAYERS
from azul_ai.games.supply import DISPLAY_SIZE, DISPLAYS, FIELD_MASK, TILES_PER_COLOR
from azul_ai.position import table
from azul_ai.position.faults import Fault
from azul_ai.position.model import Position
from azul_ai.position.table import Kind, Phase
from azul_ai.position.words import MARKER, counted

MIN_PLAYERS = 2

Faults = Iterator[Fault]


def has_players(position: Position) -> bool:
    """Whether so many can play."""
    return MIN_PLAYERS <= len(position.players) <= MAX_PLAYERS


# --- readable texts -----------------------------------------------------------------------


def letters(position: Position, kind: Kind) -> Faults:
    """Letters that are no colors."""
    known = kind.palette.letters
    for place in kind.places(position):
        holds_marker = place.field.endswith(kind.marker_fields)
        for letter in dict.fromkeys(place.tiles):
            if letter not in known + MARKER * holds_marker:
                yield _bad_letter(place.field, place.name, letter, kind)


def _bad_letter(field: str, name: str, letter: str, kind: Kind) -> Fault:
    legend = f"The colors are {kind.palette.legend()}."
    if letter == "?":
        return Fault(field, f"{name} is not filled in yet.", f"Replace the ?. {legend}")
    if letter == MARKER:
        return Fault(field, f"{name} holds the starting player marker.", kind.marker_hint)
    capital = letter.upper()
    known = capital in kind.palette.letters
    hint = f'Write the capital letter "{capital}".' if known else legend
    return Fault(field, f'{name} holds "{letter}", which is no color.', hint)


def names(position: Position) -> Faults:
    """Names that cannot be printed."""
    for index, player in enumerate(position.players):
        if any(unicodedata.category(letter) in ("Cc", "Cs") for letter in player.name):
            reason = f"The name of player {index + 1} has a control character."
            yield Fault(f"players[{index}].name", reason, "Write letters and signs only.")


# --- numbers and displays -----------------------------------------------------------------


def numbers(position: Position, kind: Kind, last_round: int) -> Faults:
    """Players and rounds that there are not."""
    number = len(position.players)
    if not has_players(position):
        reason = f"The number of players is {number}."
        hint = f"{kind.title} is for 2-4: write a [[players]] table for each."
        yield Fault("players", reason, hint)
    for field in ("to_move", "start", "next_start"):
        player = getattr(position, field)
        if number and player is not None and not 1 <= player <= number:
            reason = f"There is no player {player}."
            yield Fault(field, reason, f"Write a number from 1 to {number}.")
    before_first = kind.phase(position) is Phase.SETTLED and not table.is_begun(position, kind)
    if position.round == 0 and not before_first:
        reason = f"The round is 0, but {kind.palette.piece}s are out."
        yield Fault("round", reason, "Rounds count from 1.")
    if not 0 <= position.round <= last_round:
        reason = f"There is no round {position.round}."
        yield Fault("round", reason, f"Write a number from 1 to {last_round}.")


def displays(position: Position, kind: Kind) -> Faults:
    """Too many displays, or displays of a size that cannot be."""
    number, players = len(position.factories), len(position.players)
    if has_players(position) and number > DISPLAYS[players]:
        reason = f"{players} players use {DISPLAYS[players]} displays; here are {number}."
        yield Fault("factories", reason, "Leave out those that are not on the table.")
    short, piece = [], kind.palette.piece
    for index, tiles in enumerate(position.factories):
        field, name = f"factories[{index}]", f"Display {index + 1}"
        if len(tiles) > DISPLAY_SIZE:
            reason = f"{name} holds {len(tiles)} {piece}s; it has room for {DISPLAY_SIZE}."
            yield Fault(field, reason, "Leave out what lies elsewhere.")
        elif 0 < len(tiles) < DISPLAY_SIZE:
            short.append(
                Fault(
                    field,
                    f"{name} holds {counted(len(tiles), piece)}; a display has {DISPLAY_SIZE}, "
                    "or none once a player took from it.",
                    f"Only one display may be short, and only if bag and {kind.palette.lid} ran "
                    "out in the deal.",
                )
            )
    if len(short) > 1 or not table.may_be_short(position):
        yield from short


def center(position: Position, kind: Kind) -> Faults:
    """More in the center than can have come there."""
    tiles = sum(map(position.center.count, kind.palette.letters))
    emptied = table.emptied_displays(position)
    most = (DISPLAY_SIZE - 1) * max(0, emptied)
    if tiles > most:
        yield Fault(
            "center",
            f"The center holds {counted(tiles, kind.palette.piece)}, but at most {most} can have "
            f"come there from {counted(emptied, 'emptied display')}.",
            'Write "" for every display that a player took from.',
        )


# --- numbers of tiles ---------------------------------------------------------------------


def dealt(position: Position, kind: Kind) -> Faults:
    """More tiles in view than were dealt."""
    size = table.bag_size(position, kind)
    if position.bag is not None or position.lid is not None or size is None:
        return
    left = sum(table.unseen(position, kind).values())
    if left < size:
        total = TILES_PER_COLOR * len(kind.palette.letters)
        yield Fault(
            "round",
            f"{total - left} {kind.palette.piece}s are in view, but up to round "
            f"{position.round} only {total - size} have been dealt.",
            "Correct the round.",
        )


def conservation(position: Position, kind: Kind, complete: bool, check_counts: bool) -> Faults:
    """20 of each color; uncounted, what the packed state has room for.

    :param complete: whether everything could be read.
    """
    palette, lid = kind.palette, kind.palette.lid
    room = TILES_PER_COLOR if check_counts else FIELD_MASK
    given = {"bag": position.bag, lid: position.lid}
    groups = {name: tiles for name, tiles in given.items() if tiles is not None}
    groups |= kind.seen(position)
    missing = {}
    for letter in palette.letters:
        where = {name: tiles[letter] for name, tiles in groups.items() if tiles[letter]}
        number = sum(where.values())
        if number > room:
            listed = ", ".join(f"{name} {tiles}" for name, tiles in where.items())
            field = next(iter(where))
            reason = f"There are {number} {palette.name(letter)} {palette.piece}s, more than {room}"
            yield Fault(kind.fields.get(field, field), f"{reason}: {listed}.", "Count them again.")
        elif number < room:
            missing[letter] = room - number
    if check_counts and complete and missing and None not in given.values():
        listed = ", ".join(f"{number} {palette.name(key)}" for key, number in missing.items())
        total = room * len(palette.letters)
        yield Fault(
            "bag",
            f"{sum(missing.values())} of {total} {palette.piece}s are missing: {listed}.",
            f"Count bag and {lid} again; leave out one of them, and it follows from the rest.",
        )
