"""The learned evaluation of Azul with the gray wall, as a search uses it."""

from __future__ import annotations

from typing import Any

import numpy as np

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
from azul_ai.evaluation.gray_rating import fill_worths, play_takes
from azul_ai.evaluation.gray_tiling import (
    GO_ON,
    board_worth,
    choice,
    final_points,
    has,
    is_bound_to_end,
    phase_after,
    plan_of,
    survey,
)
from azul_ai.evaluation.interface import (
    MEMO_SLOT,
    MEMO_SLOTS,
    outlook,
    register_memo,
    value_at_end,
)
from azul_ai.evaluation.network import FIRST
from azul_ai.evaluation.vectors import sum_rows
from azul_ai.game import MAX_PLAYERS
from azul_ai.games import drafting, gray, gray_walls, hashing
from azul_ai.games.pattern_lines import LINES, MARKER, drop, floor_count, pay_floor
from azul_ai.games.supply import COLORS
from azul_ai.games.walls import ROW_MASK
from azul_ai.jit import jit

__all__ = ["FEATURES", "LAYOUT", "MEMO", "MODEL"]

MODEL = network.model_dtype("gray", LAYOUT)

# A slot holds a board before the end of a round, and the bag, by their hash, and what the board
# is after it: the player's ways to tile his wall, and if he goes on his fullest row and what
# network.value_found reads. The vector is that of a seat.
MEMO = memo_dtype(
    gray.STATE,
    [("key", "i8"), ("most", "i8"), ("ways", MEMO_SLOT)],
    [
        ("board", gray_walls.BOARD, (1,)),  # a wall is tiled here
        ("ways", MEMO_SLOT, (MAX_PLAYERS,)),  # by player
    ],
)
register_memo(MODEL, MEMO)

_LINES, _SCORE, _BAG = range(COLORS, COLORS + 3)
"""Roles of what a board's hash is made of; those before are the colors'."""
_FLOOR, _PHASE, _KEYED, _SHIFT = 3, 16, 1, 24


@board_worth.register(MODEL)
@jit
def worth_by_terms(model: Any, board: Any, phase: int) -> float:  # noqa: ARG001
    """A network values whole states; a player's own ways to tile are told apart by the terms."""
    return gray_terms.board_value(TERMS[0], board, phase)


@jit
def foresee_gray(model: Any, state: Any, values: Any) -> None:
    """As :func:`azul_ai.evaluation.network.foresee_network`, but the policy tiles no walls.

    Who has what to place decides like whoever plays by the hand-made terms, so that what is said
    of a game's end is exact.
    """
    if network.plays_on(state):
        play_takes(state, np.empty(1, dtype=np.uint64), 0.0)
    value_at_end(model, state, values)


network.register(MODEL, foresee_gray)


@outlook.register(MODEL)
@jit
def outlook_gray(model: Any, state: Any, move: int, memo: Any, values: Any) -> bool:
    """Look up every board after the round, to whose last take the policy may play."""
    if not state.presence:
        return False
    memo.after[0] = state
    after = memo.after[0]
    if network.plays_on(state):
        for player in range(state.players):
            key = wall_key(state.boards[player])
            if memo.walls[player] != key:
                memo.walls[player] = key
                fill_worths(state.boards[player], memo.worths[player])
        move = play_to_last_take(after, move, memo)
    value_last_take(model, after, move, memo, values)
    return True


@jit
def value_last_take(model: Any, state: Any, move: int, memo: Any, values: Any) -> None:
    """Look up every board after the round, or find out what it is then; changes the state."""
    lines, occupied, starter = drafting.preview(state, move)
    board = state.boards[state.mover]
    board.lines, board.floor = lines, 0
    drop(state, board, MARKER, occupied)  # only their number counts
    phase = phase_after(state)
    most, player = 0, starter
    for seat in range(state.players):
        key = key_of(state.boards[player], state.bag, phase)
        part = MAX_PLAYERS * player + seat
        memo.found[seat] = part * MEMO_SLOTS + (key >> _SHIFT & MEMO_SLOTS - 1)
        slot = memo.slots[memo.found[seat]]
        if slot.key != key:
            slot.key = key
            learn(model, state, player, phase, TABLE + BOARD * seat, memo, slot)
        memo.ways[player] = slot.ways
        most = max(most, slot.most)
        player = 0 if player + 1 == state.players else player + 1
    over = decide(state, memo, starter)
    if not over:
        number = table_inputs(state.bag, state["round"], LINES - most, memo.places, memo.amounts)
        sum_rows(model.first, memo.places, memo.amounts, number, memo.part)
        for unit in range(FIRST):
            memo.units[unit] = model.first_bias[unit] + memo.part[unit]
    network.value_found(model, memo, state, starter, over, values)


@jit
def decide(state: Any, memo: Any, starter: int) -> bool:
    """Write everybody's final points by what he chooses; whether the game is over then."""
    ends = over = is_bound_to_end(state, memo.ways)
    player = starter
    for seat in range(state.players):
        kind = choice(state, memo.ways, player, ends)
        memo.slots[memo.found[seat]].final = final_points(memo.ways[player], kind)
        over |= kind != GO_ON
        player = 0 if player + 1 == state.players else player + 1
    return over


@jit
def wall_key(board: Any) -> int:
    """A hash of the wall's colors, never 0."""
    key = 0
    for color in range(COLORS):
        key = key + hashing.mix(board.colors[color], color) & hashing.MASK
    return key | _KEYED


@jit
def key_of(board: Any, bag: int, phase: int) -> int:
    """A hash of a board before wall-tiling, of the bag, and of the phase after it, never 0."""
    key = wall_key(board) + hashing.mix(board.lines, _LINES) & hashing.MASK
    word = phase << _PHASE | board.score << _FLOOR | floor_count(board)
    key = key + hashing.mix(word, _SCORE) & hashing.MASK
    return key + hashing.mix(bag, _BAG) & hashing.MASK | _KEYED


@jit
def learn(
    model: Any, state: Any, player: int, phase: int, start: int, memo: Any, slot: Any
) -> None:
    """Work out a player's ways to tile his wall, and what his board is if he goes on."""
    slot.ways.word, slot.most = 0, 0
    survey(model, state, player, phase, slot.ways)
    if not has(slot.ways, GO_ON):
        return
    memo.board[0] = state.boards[player]
    after = memo.board[0]
    after.plan = plan_of(slot.ways, GO_ON)
    gray_walls.tile_wall(state, after)
    pay_floor(state, after)
    for row in range(LINES):
        slot.most = max(slot.most, count(after.wall >> LINES * row & ROW_MASK))
    slot.score = after.score
    number = board_inputs(after, state.bag, start, memo.places, memo.amounts)
    sum_rows(model.first, memo.places, memo.amounts, number, slot.vector)
