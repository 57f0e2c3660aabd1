"""Moves of Sintra as text: ``F3-B-5``, ``F3-B-5-O``, ``F3-B-break``, ``glazier``."""

from __future__ import annotations

import re
from typing import NamedTuple

from azul_ai import game
from azul_ai.game import State
from azul_ai.games.palace import PLACES
from azul_ai.games.rounds import IN_CENTER
from azul_ai.games.sintra_moves import BREAK, COLOR, GLAZIER, PLACE, SOURCE
from azul_ai.games.supply import DISPLAYS
from azul_ai.position.faults import MoveError
from azul_ai.position.sintra_facts import EMPTY, JOKER, LETTERS, PALETTE
from azul_ai.position.sintra_model import Palace, SintraPosition, Strip
from azul_ai.position.sintra_state import from_state
from azul_ai.position.words import MARKER

_GLAZIER, _BREAK = "glazier", "break"
_FORM = re.compile(r"(?:(C|0)|F([0-9]{1,3}))-([A-Z])-(?:([0-9]{1,3})(?:-([A-Z]))?|BREAK)")


class _Take(NamedTuple):
    """A move as its text says it; ``place``, from 1, and ``kept`` are None where not said."""

    source: int
    letter: str
    place: int | None
    kept: str | None


class _Table(NamedTuple):
    """Where a move is to be played: the position, and the mover's board."""

    position: SintraPosition
    board: Palace

    @property
    def owner(self) -> str:
        """The mover, in a sentence."""
        return f"player {self.position.to_move}"

    def panes(self, source: int) -> str:
        """The panes on a display, or in the center (0)."""
        return (self.position.center.replace(MARKER, ""), *self.position.factories)[source]


def format_move(move: int) -> str:
    """The name of a move: the layout of its bits is that of ``games.sintra_moves.encode``."""
    if move == GLAZIER:
        return _GLAZIER
    source, color = move >> SOURCE, move >> COLOR & 7
    place, kept = move >> PLACE & 15, move & 7
    parts = [f"F{source}" if source else "C", LETTERS[color]]
    parts.append(_BREAK if place == BREAK else str(place + 1))
    return "-".join([*parts, LETTERS[kept - 1]] if kept else parts)


def names(state: State, move: int) -> list[str]:
    """The move's names from all displays with the same panes; others have one."""
    source, rest = move >> SOURCE, move & (1 << SOURCE) - 1
    if move == GLAZIER or not source:
        return [format_move(move)]
    contents = [int(panes) for panes in state["sources"]]
    same = [other for other in range(1, len(contents)) if contents[other] == contents[source]]
    return [format_move(other << SOURCE | rest) for other in same]


def parse_move(state: State, text: str) -> int:
    """The move that a text names.

    :raises MoveError: it is not understood or not legal.
    """
    name = text.strip()
    form = _FORM.fullmatch(name.upper())
    if form is None and name.lower() != _GLAZIER:
        raise MoveError(
            f'"{name}" is no move: write source, color and strip, such as F3-B-5, F3-B-5-O to '
            f"keep the orange pane, or C-B-{_BREAK}; or {_GLAZIER}."
        )
    take = None
    if form is not None:
        center, display, letter, place, kept = form.groups()
        # There is no display 0.
        source = 0 if center else int(display) or -1
        take = _Take(source, letter, None if place is None else int(place), kept)
    reason = _why_not(state, take)
    if reason:
        raise MoveError(f"{name} is not legal: {reason}.")
    if take is None:
        return GLAZIER
    target = BREAK if take.place is None else take.place - 1
    value = LETTERS.index(take.kept) + 1 if take.kept else 0
    return take.source << SOURCE | LETTERS.index(take.letter) << COLOR | target << PLACE | value


def _why_not(state: State, take: _Take | None) -> str:
    """Why a move (None: the glazier's) is not legal, or "" if it is."""
    if state["stage"] == game.OVER:
        return "the game is over"
    if state["stage"] == game.DEAL:
        return "the round is over and the next deal is pending"
    position = from_state(state)
    table = _Table(position, position.players[state["mover"]])
    if take is None:
        return _stays(table)
    displays = DISPLAYS[state["players"]]
    if not 0 <= take.source <= displays:
        number = max(take.source, 0)
        return f"there is no display {number}; they are numbered 1-{displays}, the center is C"
    for letter in (take.letter, *(take.kept or "")):
        if letter not in LETTERS:
            return f'there is no color "{letter}"; the colors are {PALETTE.legend()}'
    return _not_there(state, table, take) or _does_not_go(table, take)


def _stays(table: _Table) -> str:
    """Why the glazier cannot go back, or ""."""
    places = [place for place, strip in enumerate(table.board.strips, 1) if strip]
    if not places:
        return f"{table.owner} has no strip left"
    if table.board.glazier == places[0]:
        return f"the glazier of {table.owner} stands above the leftmost strip already"
    return ""


def _not_there(state: State, table: _Table, take: _Take) -> str:
    """Why a color cannot be taken from a source, or ""."""
    panes, color = table.panes(take.source), PALETTE.name(take.letter)
    place = f"display {take.source}" if take.source else "the center"
    if take.letter in panes:
        return ""
    if not panes and not take.source and state["holder"] == IN_CENTER:
        return "the center holds only the starting tile, which is never taken alone"
    return f"{place} has no {color}, only {panes}" if panes else f"{place} is empty"


def _does_not_go(table: _Table, take: _Take) -> str:
    """Why the panes taken cannot go where the move says, or ""."""
    color, board = PALETTE.name(take.letter), table.board
    open_places = [
        place
        for place, strip in enumerate(board.strips, 1)
        if strip and place >= board.glazier and _room(strip, take.letter)
    ]
    listed = f"strip {' or '.join(map(str, open_places))}"
    if take.place is None:
        return f"{color} must go to {listed}, where it fits" if open_places else ""
    if take.place in open_places:
        strip = board.strips[take.place - 1]
        assert strip is not None
        return _keeps(table, take, strip)
    if not 1 <= take.place <= PLACES:
        return f"there is no strip {take.place}; write 1-{PLACES}, or {_BREAK}"
    strip = board.strips[take.place - 1]
    if strip is None:
        reason = f"strip {take.place} of {table.owner} is gone"
    elif take.place < board.glazier:
        reason = f"strip {take.place} is left of the glazier of {table.owner}"
    else:
        reason = f"strip {take.place} of {table.owner} has no empty space for {color}"
    return reason if open_places else f"{reason}, nor has any in reach: write {_BREAK}"


def _keeps(table: _Table, take: _Take, strip: Strip) -> str:
    """Why the pane that stays is not rightly named, or ""."""
    panes = table.panes(take.source).count(take.letter)
    room = _room(strip, take.letter)
    on_strip = strip.filled.replace(EMPTY, "")
    completes = table.position.side == "B" and panes >= room == strip.filled.count(EMPTY)
    if take.kept is None:
        example = f"{take.letter}-{take.place}-{take.letter}"
        if completes:
            return f"it completes the strip; add the color of the pane to keep, as in {example}"
        return ""
    if table.position.side != "B":
        return "on side A which pane stays is no choice: leave out its color"
    if not completes:
        return f"strip {take.place} does not get full: leave out the color to keep"
    if take.kept not in on_strip + take.letter:
        return f"there is no {PALETTE.name(take.kept)} pane on strip {take.place} to keep"
    return ""


def _room(strip: Strip, letter: str) -> int:
    """How many panes of a color still fit on a strip."""
    spaces = zip(strip.prints, strip.filled, strict=True)
    return sum(pane == EMPTY and sign in (letter, JOKER) for sign, pane in spaces)
