"""Moves of Azul as text: source, color and line, and why one is not legal."""

from __future__ import annotations

import re

from azul_ai import game
from azul_ai.game import State
from azul_ai.games.pattern_lines import FLOOR, LINES
from azul_ai.games.rounds import IN_CENTER
from azul_ai.games.supply import DISPLAYS
from azul_ai.position.azul_facts import LETTERS, PALETTE
from azul_ai.position.azul_state import from_state
from azul_ai.position.faults import MoveError

_FORM = re.compile(r"(?:(C|0)|F([0-9]{1,3}))-([A-Z])-(?:([0-9]{1,3})|FLOOR)")


def format_move(move: int) -> str:
    """The name of a move: the layout of its bits is that of ``games.drafting.encode``."""
    source, color, line = move >> 6, move >> 3 & 7, move & 7
    place = f"F{source}" if source else "C"
    return f"{place}-{LETTERS[color]}-{'floor' if line == FLOOR else line + 1}"


def names(state: State, move: int) -> list[str]:
    """The move's names from all displays with the same tiles, or from the center."""
    source, rest = move >> 6, move & 63
    contents = [int(tiles) for tiles in state["sources"]]
    same = [
        other for other in range(1, len(contents)) if source and contents[other] == contents[source]
    ]
    return [format_move(other << 6 | rest) for other in same or [source]]


def parse_move(state: State, text: str) -> int:
    """The move that a text names.

    :raises MoveError: it is not understood or not legal.
    """
    form = _FORM.fullmatch(text.strip().upper())
    if form is None:
        raise MoveError(
            f'"{text}" is no move: write source, color and line, such as F3-B-2 or C-K-floor.'
        )
    center, display, letter, line = form.groups()
    source = 0 if center else int(display)
    number = None if line is None else int(line)
    reason = _why_not(state, center is not None, source, letter, number)
    if reason:
        raise MoveError(f"{text.strip()} is not legal: {reason}.")
    target = FLOOR if number is None else number - 1
    return source << 6 | LETTERS.index(letter) << 3 | target


def _why_not(state: State, center: bool, source: int, letter: str, line: int | None) -> str:
    """Why a move to a line (from 1) or the floor (None) is not legal, or "" if it is."""
    if state["stage"] != game.DECISION:
        over = state["stage"] == game.OVER
        return "the game is over" if over else "the round is over and the next deal is pending"
    displays = DISPLAYS[state["players"]]
    if not center and not 1 <= source <= displays:
        return f"there is no display {source}; they are numbered 1-{displays}, the center is C"
    if letter not in LETTERS:
        return f'there is no color "{letter}"; the colors are {PALETTE.legend()}'
    return _not_there(state, source, letter) or _does_not_fit(state, letter, line)


def _not_there(state: State, source: int, letter: str) -> str:
    """Why a color cannot be taken from a source, or ""."""
    position = from_state(state)
    tiles = (position.center, *position.factories)[source]
    place = f"display {source}" if source else "the center"
    if letter in tiles:
        return ""
    if tiles and state["holder"] == IN_CENTER and not source:
        tiles = tiles[:-1]
        if not tiles:
            return "the center holds only the marker, which is never taken alone"
    return f"{place} has no {PALETTE.name(letter)}, only {tiles}" if tiles else f"{place} is empty"


def _does_not_fit(state: State, letter: str, line: int | None) -> str:
    """Why the mover's line (from 1; the floor is None) does not take a color, or ""."""
    if line is None:
        return ""
    if not 1 <= line <= LINES:
        return f"there is no line {line}; write 1-{LINES} or floor"
    player, owner = from_state(state).players[state["mover"]], f"player {state['mover'] + 1}"
    tiles = player.lines[line - 1]
    if len(tiles) == line:
        return f"line {line} of {owner} is full"
    if tiles and tiles[0] != letter:
        return f"line {line} of {owner} holds {PALETTE.name(tiles[0])}"
    if letter in player.wall[line - 1]:
        return f"row {line} of {owner}'s wall already has {PALETTE.name(letter)}"
    return ""
