"""Azul (2017), colored wall: state, rules and scoring, compiled.

Source: the Azul rulebook (Michael Kiesling, Plan B Games, 2017); where it is silent, the
README's table of rulings. A board's words are those of :mod:`azul_ai.games.pattern_lines` and
:mod:`azul_ai.games.walls`; players, lines and columns count from 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.game import DEAL, OVER
from azul_ai.games import drafting, hashing, rounds
from azul_ai.games.drafting import DEFAULT_ROUND_CAP
from azul_ai.games.pattern_lines import (
    BOARD_FIELDS,
    LINES,
    OPEN_FIELD,
    empty_line,
    floor_count,
    full_color,
    pay_floor,
)
from azul_ai.games.supply import COLORS, FIELD
from azul_ai.games.walls import (
    COLOR_BONUS,
    COLUMN_BONUS,
    FULL_COLUMN,
    ROW_BONUS,
    ROW_MASK,
    complete_rows,
    placement_points,
)
from azul_ai.jit import jit

NAME = "azul"

BOARD = np.dtype([("wall", "i8"), *BOARD_FIELDS])
STATE = np.dtype(
    (
        np.record,
        [
            ("boards", BOARD, (game.MAX_PLAYERS,)),
            *rounds.FIELDS,
            ("round_cap", "i8"),
            ("colored_wall", "i8"),  # unused: makes the record type this game's own
        ],
    )
)

FULL_COLOR = np.array(
    [
        sum(1 << LINES * row + (color + row) % COLORS for row in range(LINES))
        for color in range(COLORS)
    ],
    dtype=np.int64,
)
"""Wall bits of all five cells of a color."""

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


def new_state(players: int, round_cap: int = DEFAULT_ROUND_CAP) -> Any:
    """A game before its first deal, player 0 to start, as a record of dtype STATE.

    :raises ValueError: ``players`` is not 2, 3 or 4.
    """
    return drafting.new_record(STATE, players, round_cap)


rounds.register(STATE)
rounds.register_open_choices(STATE)
drafting.register(STATE)


# --- the end of a round -----------------------------------------------------------------


@game.apply.register(STATE)
@jit
def apply(state: Any, move: int) -> None:
    """A turn; the last tile off the table ends the round."""
    drafting.take_turn(state, move)
    if state.presence:
        state.mover = rounds.next_player(state)
    else:
        end_round(state)


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
    state.mover = rounds.next_starter(state)
    state.stage = OVER if ends else DEAL


@jit
def tile_wall(state: Any, board: Any) -> None:
    """Move a tile of every full line to the wall, the rest of it to the lid, and score."""
    board.wall, points = tiled(board.wall, board.lines)
    board.score += points
    for row in range(LINES):
        color = full_color(board.lines, row)
        if color >= 0:
            state.lid += row << FIELD * color
            empty_line(board, row)
            board.open |= _ROW_OPEN[row, board.wall >> LINES * row & ROW_MASK]


@jit
def tiled(wall: int, lines: int) -> tuple[int, int]:
    """The wall with a tile of every full line, top to bottom, and the points they score."""
    points = 0
    for row in range(LINES):
        color = full_color(lines, row)
        if color >= 0:
            column = (color + row) % COLORS
            wall |= 1 << LINES * row + column
            points += placement_points(wall, row, column)
    return wall, points


# --- the end of the game ----------------------------------------------------------------


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


drafting.register_result(STATE)


# --- what a search looks up -------------------------------------------------------------


@game.hash_key.register(STATE)
@jit
def hash_key(state: Any) -> int:
    """Floors count by their length, and their tiles as if they lay in the lid already."""
    key = drafting.table_key(state)
    for player in range(state.players):
        board = state.boards[player]
        word = board.wall | floor_count(board) << 25
        key = key + hashing.mix(word, hashing.OWN + 3 * player) & hashing.MASK
    return key


@game.ends_game.register(STATE)
@jit
def ends_game(state: Any) -> bool:
    """Whether a full line is bound to complete a row: there is no other way to be sure."""
    for player in range(state.players):
        board = state.boards[player]
        for row in range(LINES):
            color = full_color(board.lines, row)
            if color >= 0:
                cell = 1 << (color + row) % COLORS
                if board.wall >> LINES * row & ROW_MASK | cell == ROW_MASK:
                    return True
    return False
