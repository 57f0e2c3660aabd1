"""Azul (2017), colored wall: state, rules and scoring, compiled.

Source: the Azul rulebook (Michael Kiesling, Plan B Games, 2017); where it is silent, the
README's table of rulings. Players, lines and columns count from 0 here.

A board's words:

- ``wall``: bit 5r + k is the cell in row r, column k.
- ``lines``: line r in the 6-bit field at 6r: three bits tiles, then three bits color.
- ``open``: bit 6c + r says that line r takes color c; bit 6c + 5, the floor, is always set.
- ``floor``: seven 3-bit fields from the left: 0 empty, color + 1, or ``MARKER``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.bits import count, nth
from azul_ai.game import DEAL, DECISION, OVER
from azul_ai.games import hashing, supply
from azul_ai.games.supply import COLORS, FIELD, ONE_SOURCE, SOURCE_FIELD, SOURCE_MASK
from azul_ai.jit import jit

NAME = "azul"
LINES = 5
FLOOR = 5
"""The floor as a target of a move, behind lines 0-4."""
FLOOR_SPACES = 7
MARKER = 6
"""The starting player marker in a floor field."""
IN_CENTER = -1
"""Value of ``holder`` while nobody has taken the starting player marker."""
DEFAULT_ROUND_CAP = 20

BOARD = np.dtype(
    [("wall", "i8"), ("lines", "i8"), ("open", "i8"), ("floor", "i8"), ("score", "i8")]
)
STATE = np.dtype(
    (
        np.record,
        [
            ("boards", BOARD, (game.MAX_PLAYERS,)),
            ("sources", "i8", (supply.MAX_SOURCES,)),
            ("presence", "i8"),
            ("bag", "i8"),
            ("lid", "i8"),
            ("hidden", "i8"),  # tiles of the bag word that lie in the lid, which ones unknown
            ("players", "i8"),
            ("mover", "i8"),
            ("start", "i8"),  # who started the round
            ("holder", "i8"),  # who has the marker, or IN_CENTER
            ("round", "i8"),  # read as state["round"]: the attribute is numpy's method
            ("round_cap", "i8"),
            ("stage", "i8"),
            ("colored_wall", "i8"),  # unused: makes the record type this game's own
        ],
    )
)

OPEN_FIELD = 6
OPEN_MASK = 63
ONE_TARGET = sum(1 << OPEN_FIELD * color for color in range(COLORS))
ALL_OPEN = ONE_TARGET * OPEN_MASK

FLOOR_FIELD = 3
FLOOR_PENALTIES = np.array([0, 1, 2, 4, 6, 8, 11, 14], dtype=np.int64)
"""Points lost by the number of occupied floor spaces."""
_FLOOR_ONES = sum(1 << FLOOR_FIELD * space for space in range(FLOOR_SPACES))

ROW_BONUS, COLUMN_BONUS, COLOR_BONUS = 2, 7, 10
ROW_MASK = 31
FULL_COLUMN = sum(1 << LINES * row for row in range(LINES))
FULL_COLOR = np.array(
    [sum(1 << LINES * row + (color + row) % COLORS for row in range(LINES)) for color in range(COLORS)],
    dtype=np.int64,
)
"""Wall bits of all five cells of a color."""


def _run_length(occupied: int, position: int) -> int:
    """Length of the run of set bits of a 5-bit word through a position counted as set."""
    low = high = position
    while low > 0 and occupied >> (low - 1) & 1:
        low -= 1
    while high < LINES - 1 and occupied >> (high + 1) & 1:
        high += 1
    return high - low + 1


_RUN = np.array(
    [[_run_length(word, position) for position in range(LINES)] for word in range(1 << LINES)],
    dtype=np.int64,
)
_ROW_OPEN = np.array(
    [
        [
            sum(
                1 << OPEN_FIELD * color + row
                for color in range(COLORS)
                if not word >> (color + row) % COLORS & 1
            )
            for word in range(1 << LINES)
        ]
        for row in range(LINES)
    ],
    dtype=np.int64,
)
"""Open bits of an empty line, by row and the 5-bit word of its wall row."""

# Gathers every fifth bit of a wall into the top five bits of a 25-bit word.
_COLUMN_GATHER = 1 | 1 << 4 | 1 << 8 | 1 << 12 | 1 << 16
_COLUMN_SHIFT = 16


def new_state(players: int, round_cap: int = DEFAULT_ROUND_CAP) -> Any:
    """A game before its first deal, player 0 to start, as a record of dtype STATE.

    :raises ValueError: ``players`` is not 2, 3 or 4.
    """
    if not 2 <= players <= game.MAX_PLAYERS:
        raise ValueError(f"a game has 2-4 players, not {players}")
    state = np.zeros(1, dtype=STATE)[0]
    state.players = players
    state.round_cap = round_cap
    state.bag = supply.TILES_PER_COLOR * supply.ONES
    state.holder = IN_CENTER
    state.stage = DEAL
    for player in range(players):
        state.boards[player]["open"] = ALL_OPEN
    return state


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


@game.legal_moves.register(STATE)
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


@game.count_moves.register(STATE)
@jit
def count_moves(state: Any) -> int:
    """Per color, sources holding it times targets taking it."""
    open_lines = state.boards[state.mover].open
    number = 0
    for color in range(COLORS):
        sources = count(state.presence >> SOURCE_FIELD * color & SOURCE_MASK)
        number += sources * count(open_lines >> OPEN_FIELD * color & OPEN_MASK)
    return number


@game.random_move.register(STATE)
@jit
def random_move(state: Any, rng: Any) -> int:
    """Chosen by counting bits; the moves are never listed."""
    index = supply.below(rng, count_moves(state))
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


@game.move_key.register(STATE)
@jit
def move_key(state: Any, move: int) -> int:
    """Color, number of tiles, line, and whether it takes the marker."""
    source, color = source_of(move), color_of(move)
    tiles = supply.of_color(state.sources[source], color)
    marker = source == 0 and state.holder == IN_CENTER
    return (tiles << 1 | marker) << 6 | color << 3 | line_of(move)


@game.apply.register(STATE)
@jit
def apply(state: Any, move: int) -> None:
    """Take, place what fits, drop the rest; the last tile off the table ends the round."""
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
    if state.presence:
        state.mover += 1
        if state.mover == state.players:
            state.mover = 0
    else:
        end_round(state)


@jit
def add_to_line(board: Any, line: int, color: int, tiles: int) -> int:
    """Put as many tiles as fit into an open line; return how many did."""
    before = board.lines >> 6 * line & 7
    fit = min(tiles, line + 1 - before)
    after = before + fit
    board.lines = board.lines & ~(63 << 6 * line) | (color << 3 | after) << 6 * line
    board.open &= ~(ONE_TARGET << line)
    if after <= line:
        board.open |= 1 << OPEN_FIELD * color + line
    return fit


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


# --- the end of a round -----------------------------------------------------------------


@game.end_round.register(STATE)
@jit
def end_round(state: Any) -> None:
    """Wall-tiling of all players, then either the end of the game or a pending deal."""
    ends = state["round"] >= state.round_cap
    for player in range(state.players):
        board = state.boards[player]
        tile_wall(state, board)
        pay_floor(state, board)
        ends |= complete_rows(board.wall) > 0
    state.mover = state.start if state.holder == IN_CENTER else state.holder
    state.stage = OVER if ends else DEAL


@jit
def tile_wall(state: Any, board: Any) -> None:
    """Move a tile of every full line to the wall, top to bottom, scoring each at once."""
    for row in range(LINES):
        line = board.lines >> 6 * row & 63
        if line & 7 == row + 1:
            color = line >> 3
            column = (color + row) % COLORS
            board.wall |= 1 << LINES * row + column
            board.score += placement_points(board.wall, row, column)
            state.lid += row << FIELD * color
            board.lines &= ~(63 << 6 * row)
            board.open |= _ROW_OPEN[row, board.wall >> LINES * row & ROW_MASK]


@jit
def placement_points(wall: int, row: int, column: int) -> int:
    """Points of a tile just placed: the runs through it, or 1 if it touches nothing."""
    across = _RUN[wall >> LINES * row & ROW_MASK, column]
    down = _RUN[column_of(wall, column), row]
    if across > 1 and down > 1:
        return across + down
    return max(across, down)


@jit
def column_of(wall: int, column: int) -> int:
    """The cells of a column as a 5-bit word, row 0 lowest."""
    return (wall >> column & FULL_COLUMN) * _COLUMN_GATHER >> _COLUMN_SHIFT & ROW_MASK


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


@game.deal.register(STATE)
@jit
def deal(state: Any, rng: Any) -> None:
    """Prepare the next round. A round in which nothing can be dealt ends the game."""
    state.stage = DECISION if supply.fill_displays(state, rng) else OVER
    begin_round(state)


@game.deal_given.register(STATE)
@jit
def deal_given(state: Any, contents: Any) -> None:
    """Prepare the next round with given displays."""
    state.stage = DECISION if supply.lay_displays(state, contents) else OVER
    begin_round(state)


@jit
def begin_round(state: Any) -> None:
    """What changes at the start of a round beside the displays."""
    state["round"] += 1
    state.start = state.mover
    state.holder = IN_CENTER


@game.determinize.register(STATE)
@jit
def determinize(state: Any, rng: Any) -> None:
    """Draw which of the unseen tiles lie in the lid."""
    if state.hidden:
        drawn = supply.move_random_tiles(state.bag, state.hidden, rng)
        state.bag -= drawn
        state.lid += drawn
        state.hidden = 0


# --- the end of the game ----------------------------------------------------------------


@jit
def complete_rows(wall: int) -> int:
    """Number of complete horizontal rows."""
    rows = 0
    for row in range(LINES):
        rows += wall >> LINES * row & ROW_MASK == ROW_MASK
    return rows


@jit
def bonus(wall: int) -> int:
    """End bonuses of a wall: complete rows, columns and colors."""
    points = ROW_BONUS * complete_rows(wall)
    for index in range(COLORS):
        column = FULL_COLUMN << index
        points += COLUMN_BONUS * (wall & column == column)
        points += COLOR_BONUS * (wall & FULL_COLOR[index] == FULL_COLOR[index])
    return points


@game.final_points.register(STATE)
@jit
def final_points(state: Any, player: int) -> int:
    """The score track plus the end bonuses."""
    board = state.boards[player]
    return board.score + bonus(board.wall)


@game.tie_break.register(STATE)
@jit
def tie_break(state: Any, player: int) -> int:
    """More complete rows win."""
    return complete_rows(state.boards[player].wall)


@game.conclusive.register(STATE)
@jit
def conclusive(state: Any) -> bool:
    """Whether some wall has a complete row."""
    for player in range(state.players):
        if complete_rows(state.boards[player].wall):
            return True
    return False


# --- what a search looks up -------------------------------------------------------------

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


@game.hash_key.register(STATE)
@jit
def hash_key(state: Any) -> int:
    """Floors count by their length, and their tiles as if they lay in the lid already."""
    lid, key = state.lid, 0
    for player in range(state.players):
        board = state.boards[player]
        lid += floor_tiles(board.floor)
        role = hashing.OWN + 3 * player
        key = key + hashing.mix(board.wall | floor_count(board) << 25, role) & hashing.MASK
        key = key + hashing.mix(board.lines, role + 1) & hashing.MASK
        key = key + hashing.mix(board.score, role + 2) & hashing.MASK
    turn = state.mover | (state.holder + 1) << 2 | state.start << 5 | state.stage << 7
    turn |= state["round"] << 9 | state.hidden << 18
    key = key + hashing.mix(turn, 0) & hashing.MASK
    return key + hashing.supply_key(state, lid) & hashing.MASK


@game.moves_left.register(STATE)
@jit
def moves_left(state: Any) -> int:
    """Colors on sources: every take removes one at least, and lines that do no more exist."""
    return count(state.presence)


@game.ends_game.register(STATE)
@jit
def ends_game(state: Any) -> bool:
    """Whether a full line is bound to complete a row: there is no other way to be sure."""
    for player in range(state.players):
        board = state.boards[player]
        for row in range(LINES):
            line = board.lines >> 6 * row & 63
            if line & 7 == row + 1:
                cell = 1 << ((line >> 3) + row) % COLORS
                if board.wall >> LINES * row & ROW_MASK | cell == ROW_MASK:
                    return True
    return False


@game.next_deal.register(STATE)
@jit
def next_deal(state: Any, cursor: Any, contents: Any) -> float:
    """See :func:`azul_ai.games.supply.next_contents`."""
    return supply.next_contents(state, cursor, contents)
