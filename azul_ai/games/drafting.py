"""The factory offer, pattern lines and floor line: what Azul's two kinds of wall share.

Players, lines and columns count from 0 here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.bits import count, nth
from azul_ai.games import hashing, rounds, supply
from azul_ai.games.rounds import IN_CENTER
from azul_ai.games.supply import COLORS, FIELD, SOURCE_FIELD, SOURCE_MASK
from azul_ai.games.walls import complete_rows
from azul_ai.jit import jit
from azul_ai.rng import below

LINES = 5
FLOOR = 5
"""The floor as a target of a move, behind lines 0-4."""
FLOOR_SPACES = 7
MARKER = 6
"""The starting player marker in a floor field."""
DEFAULT_ROUND_CAP = 20

BOARD_FIELDS: list[Any] = [
    ("lines", "i8"),  # line r in the 6-bit field at 6r: three bits tiles, then three bits color
    ("open", "i8"),  # bit 6c + r: line r takes color c; bit 6c + 5, the floor, is always set
    ("floor", "i8"),  # seven 3-bit fields from the left: 0 empty, color + 1, or MARKER
    ("score", "i8"),  # the score track
]
"""Fields that the record of every player's board has."""

OPEN_FIELD = 6
OPEN_MASK = 63
ONE_TARGET = sum(1 << OPEN_FIELD * color for color in range(COLORS))
ALL_OPEN = ONE_TARGET * OPEN_MASK

FLOOR_FIELD = 3
FLOOR_PENALTIES = np.array([0, 1, 2, 4, 6, 8, 11, 14], dtype=np.int64)
"""Points lost by the number of occupied floor spaces."""
_FLOOR_ONES = sum(1 << FLOOR_FIELD * space for space in range(FLOOR_SPACES))


def new_record(state_type: np.dtype[Any], players: int, round_cap: int) -> Any:
    """A record of a game before its first deal, with empty boards.

    :raises ValueError: ``players`` is not 2, 3 or 4.
    """
    state = rounds.new_record(state_type, players)
    state.round_cap = round_cap
    for player in range(players):
        state.boards[player]["open"] = ALL_OPEN
    return state


def register(state_type: np.dtype[Any]) -> None:
    """Make the drafting moves all the moves of the game with this record type."""
    game.legal_moves.register(state_type)(legal_moves)
    game.is_legal.register(state_type)(is_legal)
    game.count_moves.register(state_type)(count_moves)
    game.random_move.register(state_type)(random_move)
    game.move_key.register(state_type)(move_key)
    game.moves_left.register(state_type)(moves_left)


def register_result(state_type: np.dtype[Any]) -> None:
    """Make complete rows end the game with this record type, and decide between equals."""
    game.tie_break.register(state_type)(tie_break)
    game.conclusive.register(state_type)(conclusive)


# --- moves ------------------------------------------------------------------------------


@jit
def encode(source: int, color: int, line: int) -> int:
    """A move: take ``color`` (0-4) from ``source`` (0 the center) to ``line`` (5 the floor)."""
    return source << 6 | color << 3 | line


@jit
def source_of(move: int) -> int:
    """The source of a move."""
    return move >> 6


@jit
def color_of(move: int) -> int:
    """The color of a move."""
    return move >> 3 & 7


@jit
def line_of(move: int) -> int:
    """The line of a move, or FLOOR."""
    return move & 7


@jit
def legal_moves(state: Any, moves: Any, distinct: bool) -> int:
    """Every color of every source, to every open line of the mover, then to the floor."""
    presence = supply.distinct_presence(state) if distinct else state.presence
    open_lines = state.boards[state.mover].open
    number = 0
    for color in range(COLORS):
        sources = presence >> SOURCE_FIELD * color & SOURCE_MASK
        targets = open_lines >> OPEN_FIELD * color & OPEN_MASK
        while sources:
            source = nth(sources, 0)
            sources &= sources - 1
            left = targets
            while left:
                moves[number] = encode(source, color, nth(left, 0))
                left &= left - 1
                number += 1
    return number


@jit
def is_legal(state: Any, move: int) -> bool:
    """Whether the source has the color and the line takes it."""
    color = color_of(move)
    here = state.presence >> SOURCE_FIELD * color + source_of(move) & 1
    there = state.boards[state.mover].open >> OPEN_FIELD * color + line_of(move) & 1
    return here + there == 2


@jit
def count_moves(state: Any) -> int:
    """Per color, sources holding it times targets taking it."""
    open_lines = state.boards[state.mover].open
    number = 0
    for color in range(COLORS):
        sources = count(state.presence >> SOURCE_FIELD * color & SOURCE_MASK)
        number += sources * count(open_lines >> OPEN_FIELD * color & OPEN_MASK)
    return number


@jit
def random_move(state: Any, rng: Any) -> int:
    """Chosen by counting bits; the moves are never listed."""
    index = below(rng, count_moves(state))
    open_lines = state.boards[state.mover].open
    for color in range(COLORS):
        sources = state.presence >> SOURCE_FIELD * color & SOURCE_MASK
        targets = open_lines >> OPEN_FIELD * color & OPEN_MASK
        width = count(targets)
        here = count(sources) * width
        if index < here:
            row = index // width
            return encode(nth(sources, row), color, nth(targets, index - row * width))
        index -= here
    return -1


@jit
def move_key(state: Any, move: int) -> int:
    """Color, number of tiles, line, and whether it takes the marker."""
    source, color = source_of(move), color_of(move)
    tiles = supply.of_color(state.sources[source], color)
    marker = source == 0 and state.holder == IN_CENTER
    return (tiles << 1 | marker) << 6 | color << 3 | line_of(move)


@jit
def take_turn(state: Any, move: int) -> None:
    """Take, place what fits, drop the rest; whose turn is next is the game's affair."""
    source, color, line = source_of(move), color_of(move), line_of(move)
    board = state.boards[state.mover]
    if source == 0 and state.holder == IN_CENTER:
        state.holder = state.mover
        drop(state, board, MARKER, 1)
    tiles = supply.take(state, source, color)
    if line != FLOOR:
        tiles -= add_to_line(board, line, color, tiles)
    if tiles:
        drop(state, board, color + 1, tiles)


@jit
def add_to_line(board: Any, line: int, color: int, tiles: int) -> int:
    """Put as many tiles as fit into an open line; return how many did."""
    board.lines, fit = with_tiles(board.lines, line, color, tiles)
    board.open &= ~(ONE_TARGET << line)
    if board.lines >> 6 * line & 7 <= line:
        board.open |= 1 << OPEN_FIELD * color + line
    return fit


@jit
def with_tiles(lines: int, line: int, color: int, tiles: int) -> tuple[int, int]:
    """The lines word after adding as many tiles as fit to a line, and how many did."""
    before = lines >> 6 * line & 7
    fit = min(tiles, line + 1 - before)
    return lines & ~(63 << 6 * line) | (color << 3 | before + fit) << 6 * line, fit


@jit
def drop(state: Any, board: Any, content: int, pieces: int) -> None:
    """Put pieces (a color + 1, or MARKER) on the leftmost free floor spaces, excess to the lid."""
    occupied = floor_count(board)
    fit = min(pieces, FLOOR_SPACES - occupied)
    row = content * _FLOOR_ONES & (1 << FLOOR_FIELD * fit) - 1
    board.floor |= row << FLOOR_FIELD * occupied
    if content != MARKER:
        state.lid += (pieces - fit) << FIELD * (content - 1)


@jit
def floor_count(board: Any) -> int:
    """Number of occupied floor spaces."""
    return count((board.floor | board.floor >> 1 | board.floor >> 2) & _FLOOR_ONES)


@jit
def preview(state: Any, move: int) -> tuple[int, int, int]:
    """What a move makes of the mover's board, without playing it.

    :returns: his lines, the number of occupied spaces on his floor, and who would start the
        next round if this one ended then.
    """
    source, color, line = source_of(move), color_of(move), line_of(move)
    board = state.boards[state.mover]
    lines, occupied = board.lines, floor_count(board)
    starter = rounds.next_starter(state)
    if source == 0 and state.holder == IN_CENTER:
        starter = state.mover
        occupied += 1
    tiles = supply.of_color(state.sources[source], color)
    if line != FLOOR:
        lines, fit = with_tiles(lines, line, color, tiles)
        tiles -= fit
    return lines, min(FLOOR_SPACES, occupied + tiles), starter


@jit
def takes_all(state: Any, move: int) -> bool:
    """Whether a move takes all that is left on the table."""
    source, color = source_of(move), color_of(move)
    return state.presence == 1 << SOURCE_FIELD * color + source


# --- the end of a round -----------------------------------------------------------------


@jit
def full_color(lines: int, row: int) -> int:
    """The color of a line that is full, -1 if it is not."""
    line = lines >> 6 * row & 63
    return line >> 3 if line & 7 == row + 1 else -1


@jit
def empty_line(board: Any, row: int) -> None:
    """Take all tiles off a line."""
    board.lines &= ~(63 << 6 * row)


@jit
def pay_floor(state: Any, board: Any) -> None:
    """Subtract the floor's penalty, never below 0, and clear the floor into the lid."""
    board.score = max(0, board.score - FLOOR_PENALTIES[floor_count(board)])
    floor = board.floor
    while floor:
        if floor & 7 != MARKER:
            state.lid += 1 << FIELD * ((floor & 7) - 1)
        floor >>= FLOOR_FIELD
    board.floor = 0


# The tiles, as a supply word, on three floor spaces of the nine bits of their fields.
_FLOOR_TILES = np.array(
    [
        sum(
            1 << FIELD * ((word >> FLOOR_FIELD * space & 7) - 1)
            for space in range(3)
            if 0 < word >> FLOOR_FIELD * space & 7 < MARKER
        )
        for word in range(1 << 3 * FLOOR_FIELD)
    ],
    dtype=np.int64,
)


@jit
def floor_tiles(floor: int) -> int:
    """The tiles of a floor as a supply word."""
    low, middle, high = floor & 511, floor >> 9 & 511, floor >> 18
    return _FLOOR_TILES[low] + _FLOOR_TILES[middle] + _FLOOR_TILES[high]


@jit
def table_key(state: Any) -> int:
    """The part of a hash key for everything but the walls and the lengths of the floors.

    The floors' tiles count as if they lay in the lid already.
    """
    lid, key = state.lid, 0
    for player in range(state.players):
        board = state.boards[player]
        lid += floor_tiles(board.floor)
        role = hashing.OWN + 3 * player
        key = key + hashing.mix(board.lines, role + 1) & hashing.MASK
        key = key + hashing.mix(board.score, role + 2) & hashing.MASK
    key = key + hashing.turn_key(state) & hashing.MASK
    return key + hashing.supply_key(state, lid) & hashing.MASK


@jit
def moves_left(state: Any) -> int:
    """Colors on sources: every take removes one at least, and lines that do no more exist."""
    return count(state.presence)


# --- the end of the game ----------------------------------------------------------------


@jit
def tie_break(state: Any, player: int) -> int:
    """More complete rows win."""
    return complete_rows(state.boards[player].wall)


@jit
def conclusive(state: Any) -> bool:
    """Whether some wall has a complete row."""
    for player in range(state.players):
        if complete_rows(state.boards[player].wall):
            return True
    return False
