"""The learned evaluation of Azul with the gray wall, as a search uses it."""

from __future__ import annotations

from typing import Any

from azul_ai.bits import count
from azul_ai.evaluation import gray_terms, network
from azul_ai.evaluation.drafting_network import memo_dtype, play_to_last_take
from azul_ai.evaluation.gray_features import (
    BOARD,
    FEATURES,
    LAYOUT,
    TABLE,
    TERMS,
    board_inputs,
    table_inputs,
)
from azul_ai.evaluation.gray_rating import best_placement, fill_worths
from azul_ai.evaluation.gray_tiling import board_worth
from azul_ai.evaluation.interface import MEMO_SLOTS, outlook, register_memo
from azul_ai.evaluation.network import FIRST
from azul_ai.evaluation.shares import ROW
from azul_ai.evaluation.vectors import sum_rows
from azul_ai.game import MAX_PLAYERS
from azul_ai.games import drafting, gray, hashing
from azul_ai.games.drafting import LINES, MARKER
from azul_ai.games.gray import PLAN_FIELD
from azul_ai.games.supply import COLORS
from azul_ai.games.walls import ROW_MASK, complete_rows
from azul_ai.jit import jit

__all__ = ["FEATURES", "LAYOUT", "MEMO", "MODEL"]

MODEL = network.model_dtype("gray", LAYOUT)
network.register(MODEL)

# A slot holds a board before the end of a round, and the bag, by their hash, and what the board
# is after it: its fullest row, and what network.value_found reads. The vector is that of a seat.
MEMO = memo_dtype(
    gray.STATE,
    [("key", "i8"), ("most", "i8")],
    [("board", gray.BOARD, (1,))],  # the policy tiles a wall here
)
register_memo(MODEL, MEMO)

_LINES, _SCORE, _BAG = range(COLORS, COLORS + 3)
"""Roles of what a board's hash is made of; those before are the colors'."""
_FLOOR, _KEYED, _SHIFT = 3, 1, 24


@board_worth.register(MODEL)
@jit
def worth_by_terms(model: Any, board: Any, phase: int) -> float:  # noqa: ARG001
    """A network values whole states; a player's own ways to tile are told apart by the terms."""
    return gray_terms.board_value(TERMS[0], board, phase)


@outlook.register(MODEL)
@jit
def outlook_gray(model: Any, state: Any, move: int, memo: Any, values: Any) -> bool:
    """Let the policy play to the last take of the round, and look up every board after it.

    With more players there is no policy (:func:`azul_ai.evaluation.network.foresee_network`), and
    how walls are tiled then is not looked up.
    """
    if state.players > 2 or not state.presence:
        return False
    for player in range(state.players):
        key = wall_key(state.boards[player])
        if memo.walls[player] != key:
            memo.walls[player] = key
            fill_worths(state.boards[player], memo.worths[player])
    memo.after[0] = state
    after = memo.after[0]
    value_last_take(model, after, play_to_last_take(after, move, memo), memo, values)
    return True


@jit
def value_last_take(model: Any, state: Any, move: int, memo: Any, values: Any) -> None:
    """Look up every board after the round, or find out what it is then; changes the state."""
    lines, occupied, starter = drafting.preview(state, move)
    board = state.boards[state.mover]
    board.lines, board.floor = lines, 0
    drafting.drop(state, board, MARKER, occupied)  # only their number counts
    most, player = 0, starter
    for seat in range(state.players):
        board = state.boards[player]
        key = key_of(board, state.bag)
        part = MAX_PLAYERS * player + seat
        memo.found[seat] = part * MEMO_SLOTS + (key >> _SHIFT & MEMO_SLOTS - 1)
        slot = memo.slots[memo.found[seat]]
        if slot.key != key:
            slot.key = key
            learn(model, state, board, TABLE + BOARD * seat, memo, slot)
        most = max(most, slot.most)
        player = 0 if player + 1 == state.players else player + 1
    over = most == LINES or state["round"] >= state.round_cap
    number = table_inputs(state.bag, state["round"], LINES - most, memo.places, memo.amounts)
    sum_rows(model.first, memo.places, memo.amounts, number, memo.part)
    for unit in range(FIRST):
        memo.units[unit] = model.first_bias[unit] + memo.part[unit]
    network.value_found(model, memo, state, starter, over, values)


@jit
def wall_key(board: Any) -> int:
    """A hash of the wall's colors, never 0."""
    key = 0
    for color in range(COLORS):
        key = key + hashing.mix(board.colors[color], color) & hashing.MASK
    return key | _KEYED


@jit
def key_of(board: Any, bag: int) -> int:
    """A hash of a board before wall-tiling, and of the bag, never 0."""
    key = wall_key(board) + hashing.mix(board.lines, _LINES) & hashing.MASK
    word = board.score << _FLOOR | drafting.floor_count(board)
    key = key + hashing.mix(word, _SCORE) & hashing.MASK
    return key + hashing.mix(bag, _BAG) & hashing.MASK | _KEYED


@jit
def learn(model: Any, state: Any, board: Any, start: int, memo: Any, slot: Any) -> None:
    """Work out what a board is after the round, as the policy tiles its wall."""
    memo.board[0] = board
    after = memo.board[0]
    row = gray.next_row(after)
    while row >= 0:
        column = gray.wall_column(best_placement(after, memo.dice, 0.0))
        after.plan |= column + 1 << PLAN_FIELD * row
        row = gray.next_row(after)
    gray.tile_wall(state, after)
    drafting.pay_floor(state, after)
    slot.most = 0
    for row in range(LINES):
        slot.most = max(slot.most, count(after.wall >> LINES * row & ROW_MASK))
    slot.score = after.score
    slot.final = after.score + gray.bonus(after) + complete_rows(after.wall) * ROW
    number = board_inputs(after, state.bag, start, memo.places, memo.amounts)
    sum_rows(model.first, memo.places, memo.amounts, number, slot.vector)
