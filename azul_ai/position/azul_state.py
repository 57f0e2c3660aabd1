"""Between an Azul position and the packed record that the rules and searches work on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from azul_ai import game
from azul_ai.games import azul
from azul_ai.games.drafting import FLOOR, FLOOR_FIELD, FLOOR_SPACES, LINES, OPEN_FIELD
from azul_ai.games.rounds import IN_CENTER
from azul_ai.games.supply import COLORS, DISPLAYS, FIELD, FIELD_MASK, SOURCE_FIELD
from azul_ai.position.azul_facts import (
    EMPTY,
    LETTERS,
    WALL,
    Phase,
    implied_start,
    is_over,
    marker_owner,
    phase,
    supplies,
    warnings,
)
from azul_ai.position.model import Player, Position
from azul_ai.position.words import MARKER

# The contents of a floor field, by value.
_FLOOR_LETTERS = EMPTY + LETTERS + MARKER


def to_state(position: Position) -> game.State:
    """The record of a valid position in normal form, a finished round scored."""
    state = azul.new_state(len(position.players))
    state["round"] = position.round  # as an attribute it would be numpy's method
    state.mover = position.to_move - 1
    state.holder = _holder(position)
    state.start = implied_start(position) if position.start is None else position.start - 1
    held = supplies(position)
    state.bag, state.lid, state.hidden = _pack(held.rest), _pack(held.lid), held.hidden
    for source, tiles in enumerate((position.center, *position.factories)):
        for color, letter in enumerate(LETTERS):
            if letter in tiles:
                state.sources[source] += tiles.count(letter) << FIELD * color
                state.presence |= 1 << SOURCE_FIELD * color + source
    for index, player in enumerate(position.players):
        _write_board(state.boards[index], player)
    match phase(position):
        case Phase.DRAFTING:
            state.stage = game.DECISION
        case Phase.TILING:
            game.close_round(state)
        case Phase.SETTLED:
            state.stage = game.OVER if is_over(position) else game.DEAL
    return state


def _holder(position: Position) -> int:
    """Who has the marker; between rounds, whoever starts the next, unless nobody took it."""
    if MARKER in position.center:
        return IN_CENTER
    owner = marker_owner(position)
    return (position.next_start or position.to_move) - 1 if owner is None else owner


def _pack(numbers: Mapping[str, int]) -> int:
    """The supply word of numbers of tiles."""
    return sum(numbers.get(letter, 0) << FIELD * color for color, letter in enumerate(LETTERS))


def _write_board(board: Any, player: Player) -> None:
    """Fill one board's words."""
    wall = lines = opened = floor = 0
    for row in range(LINES):
        cells, tiles = player.wall[row], player.lines[row]
        for column, cell in enumerate(cells):
            wall |= (cell != EMPTY) << LINES * row + column
        if tiles:
            lines |= (LETTERS.index(tiles[0]) << 3 | len(tiles)) << 6 * row
        for color, letter in enumerate(LETTERS):
            takes = tiles[0] == letter if tiles else letter not in cells
            opened |= (takes and len(tiles) <= row) << OPEN_FIELD * color + row
    for color in range(COLORS):
        opened |= 1 << OPEN_FIELD * color + FLOOR
    for space, letter in enumerate(player.floor):
        floor |= _FLOOR_LETTERS.index(letter) << FLOOR_FIELD * space
    board["wall"], board["lines"], board["open"] = wall, lines, opened
    board["floor"], board["score"] = floor, player.score


def from_state(state: game.State, names: Sequence[str] = ()) -> Position:
    """The position of a record.

    Where some of the unseen tiles are hidden, bag and lid are left out altogether: a
    position knows no half-known lid.
    """
    number = int(state.players)
    known = not state.hidden
    marker = MARKER if state.holder == IN_CENTER else ""
    players = tuple(
        _read_board(state.boards[index], names[index] if index < len(names) else "")
        for index in range(number)
    )
    position = Position(
        game=azul.NAME,
        round=int(state["round"]),
        to_move=int(state.mover) + 1,
        factories=tuple(_tiles(state.sources[1 + index]) for index in range(DISPLAYS[number])),
        center=_tiles(state.sources[0]) + marker,
        players=players,
        bag=_unpack(state.bag) if known else None,
        lid=_unpack(state.lid) if known else None,
    )
    if state.stage == game.DECISION and not marker and marker_owner(position) is None:
        position = replace(position, next_start=int(state.holder) + 1)
    if state.start != implied_start(position):
        position = replace(position, start=int(state.start) + 1)
    return replace(position, warnings=warnings(position))


def _unpack(word: int) -> dict[str, int]:
    """Numbers of tiles of a supply word."""
    word = int(word)
    return {letter: word >> FIELD * color & FIELD_MASK for color, letter in enumerate(LETTERS)}


def _tiles(word: int) -> str:
    """The tiles of a supply word as text."""
    return "".join(letter * number for letter, number in _unpack(word).items())


def _read_board(board: Any, name: str) -> Player:
    """One board's texts."""
    wall, lines, floor = int(board["wall"]), int(board["lines"]), int(board["floor"])
    fields = [lines >> 6 * row & 63 for row in range(LINES)]
    return Player(
        name=name,
        score=int(board["score"]),
        lines=tuple(LETTERS[field >> 3] * (field & 7) for field in fields),
        wall=tuple(
            "".join(
                printed if wall >> LINES * row + column & 1 else EMPTY
                for column, printed in enumerate(WALL[row])
            )
            for row in range(LINES)
        ),
        floor="".join(
            _FLOOR_LETTERS[floor >> FLOOR_FIELD * space & 7] for space in range(FLOOR_SPACES)
        ).rstrip(EMPTY),
    )
