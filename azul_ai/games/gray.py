"""Azul with the gray wall: a full line's tile may go to any cell of its row that lacks its color.

Source: the Azul rulebook's variant (Michael Kiesling, Plan B Games, 2017). Drafting is Azul's.
In wall-tiling, players choose without seeing each other's choices. So a choice is only noted
in the chooser's ``plan``; all boards stay as they were when the phase began, until the last
decision of all carries every plan out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.bits import count, nth
from azul_ai.game import DEAL, OVER
from azul_ai.games import drafting, hashing, rounds
from azul_ai.games.drafting import DEFAULT_ROUND_CAP
from azul_ai.games.gray_walls import (
    BOARD,
    PLAN_FIELD,
    bonus,
    legal_columns,
    next_row,
    planned_column,
    tile_wall,
)
from azul_ai.games.pattern_lines import LINES, OPEN_FIELD, floor_count, full_color, pay_floor
from azul_ai.games.supply import COLORS
from azul_ai.games.walls import ROW_MASK, complete_rows
from azul_ai.jit import jit
from azul_ai.rng import below

NAME = "azul-gray"

STATE = np.dtype(
    (
        np.record,
        [("boards", BOARD, (game.MAX_PLAYERS,)), *rounds.FIELDS, ("round_cap", "i8")],
    )
)

WALL_MOVE = 1 << 12
"""Set in a move that places a tile; no drafting move, nor the key of one, is so large."""


def new_state(players: int, round_cap: int = DEFAULT_ROUND_CAP) -> Any:
    """A game before its first deal, player 0 to start, as a record of dtype STATE.

    :raises ValueError: ``players`` is not 2, 3 or 4.
    """
    return drafting.new_record(STATE, players, round_cap)


rounds.register(STATE)


# --- wall-tiling ------------------------------------------------------------------------


@jit
def go_on_tiling(state: Any) -> None:
    """Turn to the next decision: the mover's next line, then other players' by seat.

    With nothing left to decide, the round ends.
    """
    if next_row(state.boards[state.mover]) >= 0:
        return
    for player in range(state.players):
        if next_row(state.boards[player]) >= 0:
            state.mover = player
            return
    end_round(state)


@game.end_round.register(STATE)
@jit
def end_round(state: Any) -> None:
    """Carry out all plans, pay the floors; then the game ends, or a deal is pending.

    A line that nobody decided about goes where it scores most, leftmost among equals.
    """
    ends = state["round"] >= state.round_cap
    for player in range(state.players):
        board = state.boards[player]
        tile_wall(state, board)
        pay_floor(state, board)
        ends |= complete_rows(board.wall) > 0
    state.mover = rounds.next_starter(state)
    state.stage = OVER if ends else DEAL


# --- moves ------------------------------------------------------------------------------


@jit
def encode_wall(row: int, column: int) -> int:
    """The move that places the tile of the full line ``row`` in ``column``."""
    return WALL_MOVE | row << 3 | column


@jit
def wall_row(move: int) -> int:
    """The row of a move that places a tile."""
    return move >> 3 & 7


@jit
def wall_column(move: int) -> int:
    """The column of a move that places a tile."""
    return move & 7


@game.legal_moves.register(STATE)
@jit
def legal_moves(state: Any, moves: Any, distinct: bool) -> int:
    """Azul's drafting moves; in wall-tiling the cells for the mover's next line."""
    if state.presence:
        return drafting.legal_moves(state, moves, distinct)
    board = state.boards[state.mover]
    row = next_row(board)
    columns = legal_columns(board, row)
    number = 0
    while columns:
        moves[number] = encode_wall(row, nth(columns, 0))
        columns &= columns - 1
        number += 1
    return number


@game.is_legal.register(STATE)
@jit
def is_legal(state: Any, move: int) -> bool:
    """A drafting move while there is something to take, else a cell for the mover's next line."""
    if state.presence:
        return not move & WALL_MOVE and drafting.is_legal(state, move)
    if not move & WALL_MOVE:
        return False
    board = state.boards[state.mover]
    row = next_row(board)
    return wall_row(move) == row and legal_columns(board, row) >> wall_column(move) & 1 == 1


@game.count_moves.register(STATE)
@jit
def count_moves(state: Any) -> int:
    """Without listing them."""
    if state.presence:
        return drafting.count_moves(state)
    board = state.boards[state.mover]
    return count(legal_columns(board, next_row(board)))


@game.random_move.register(STATE)
@jit
def random_move(state: Any, rng: Any) -> int:
    """Chosen by counting bits."""
    if state.presence:
        return drafting.random_move(state, rng)
    board = state.boards[state.mover]
    row = next_row(board)
    columns = legal_columns(board, row)
    return encode_wall(row, nth(columns, below(rng, count(columns))))


@game.move_key.register(STATE)
@jit
def move_key(state: Any, move: int) -> int:
    """A placement is its own key."""
    return move if move & WALL_MOVE else drafting.move_key(state, move)


@game.apply.register(STATE)
@jit
def apply(state: Any, move: int) -> None:
    """A drafting turn, or a choice for the wall; the last choice of all ends the round."""
    if move & WALL_MOVE:
        board = state.boards[state.mover]
        board.plan |= (wall_column(move) + 1) << PLAN_FIELD * wall_row(move)
        go_on_tiling(state)
        return
    drafting.take_turn(state, move)
    if state.presence:
        state.mover = rounds.next_player(state)
    else:
        state.mover = 0
        go_on_tiling(state)


@game.is_secret.register(STATE)
@jit
def is_secret(state: Any) -> bool:
    """Wall-tiling is."""
    return state.presence == 0 and state.stage == game.DECISION


@game.conceal.register(STATE)
@jit
def conceal(state: Any) -> None:
    """Forget the other players' plans."""
    for player in range(state.players):
        if player != state.mover:
            state.boards[player].plan = 0


# --- the end of the game ----------------------------------------------------------------


@game.final_points.register(STATE)
@jit
def final_points(state: Any, player: int) -> int:
    """The score track plus the end bonuses."""
    board = state.boards[player]
    return board.score + bonus(board)


drafting.register_result(STATE)


# --- what a search looks up -------------------------------------------------------------

_COLORS_ROLE = hashing.OWN + 3 * game.MAX_PLAYERS
"""The first of the roles of the players' colors; those before are the drafting's."""


@game.hash_key.register(STATE)
@jit
def hash_key(state: Any) -> int:
    """As in Azul, with the colors of the walls and the plans."""
    key = drafting.table_key(state)
    for player in range(state.players):
        board = state.boards[player]
        word = board.plan | floor_count(board) << PLAN_FIELD * LINES
        key = key + hashing.mix(word, hashing.OWN + 3 * player) & hashing.MASK
        for color in range(COLORS):
            word = board.colors[color] | color << LINES * LINES
            key = key + hashing.mix(word, _COLORS_ROLE + player) & hashing.MASK
    return key


@game.moves_left.register(STATE)
@jit
def moves_left(state: Any) -> int:
    """As in Azul; a secret phase counts as one decision."""
    return drafting.moves_left(state) if state.presence else 1


@game.ends_game.register(STATE)
@jit
def ends_game(state: Any) -> bool:
    """Whether a full line is bound to complete a row: whatever its owner does above it."""
    for player in range(state.players):
        board = state.boards[player]
        for row in range(LINES):
            color = full_color(board.lines, row)
            last = color >= 0 and count(board.wall >> LINES * row & ROW_MASK) == LINES - 1
            if last and (planned_column(board, row) >= 0 or is_sure(state, board, row, color)):
                return True
    return False


@jit
def is_sure(state: Any, board: Any, row: int, color: int) -> bool:
    """Whether the last cell of a row takes its line's color and no line above can bar it."""
    if not legal_columns(board, row):
        return False
    column = nth(ROW_MASK & ~(board.wall >> LINES * row), 0)
    for above in range(row):
        if board.wall >> LINES * above + column & 1 or planned_column(board, above) >= 0:
            continue
        takes = state.presence and board.open >> OPEN_FIELD * color + above & 1
        if takes or full_color(board.lines, above) == color:
            return False
    return True
