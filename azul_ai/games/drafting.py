"""Taking from the factory offer to a pattern line or the floor, on both kinds of Azul's walls."""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.bits import count, nth
from azul_ai.games import hashing, rounds, supply
from azul_ai.games.pattern_lines import (
    ALL_OPEN,
    FLOOR,
    FLOOR_SPACES,
    MARKER,
    OPEN_FIELD,
    OPEN_MASK,
    add_to_line,
    drop,
    floor_count,
    floor_tiles,
    with_tiles,
)
from azul_ai.games.rounds import IN_CENTER
from azul_ai.games.supply import COLORS, SOURCE_FIELD, SOURCE_MASK
from azul_ai.games.walls import complete_rows
from azul_ai.jit import jit
from azul_ai.rng import below

DEFAULT_ROUND_CAP = 20


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


# --- what a search looks up -------------------------------------------------------------


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
