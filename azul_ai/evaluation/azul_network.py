"""The learned evaluation of Azul (colored wall), as a search uses it."""

from __future__ import annotations

from typing import Any

from azul_ai.evaluation import network
from azul_ai.evaluation.azul_features import (
    BOARD,
    FEATURES,
    LAYOUT,
    TABLE,
    board_inputs,
    table_inputs,
)
from azul_ai.evaluation.azul_outlook import (
    ROUNDS_MASK,
    ROUNDS_SHIFT,
    after_round,
    final_points,
    find_board,
)
from azul_ai.evaluation.azul_rating import fill_worths
from azul_ai.evaluation.drafting_network import memo_dtype, play_to_last_take
from azul_ai.evaluation.interface import outlook, register_memo
from azul_ai.evaluation.network import FIRST
from azul_ai.evaluation.vectors import sum_rows
from azul_ai.evaluation.walls import PHASES
from azul_ai.game import MAX_PLAYERS
from azul_ai.games import azul, drafting
from azul_ai.games.pattern_lines import floor_count
from azul_ai.jit import jit

__all__ = ["FEATURES", "LAYOUT", "MEMO", "MODEL"]

MODEL = network.model_dtype("azul", LAYOUT)
network.register(MODEL)

# As for the hand-made evaluation (azul_outlook) a slot holds a board before the end of a
# round; here also what it is after it: final points, score, and its vector of the first layer, by
# the player's seat after the starter, since the network has weights for each seat.
MEMO = memo_dtype(
    azul.STATE,
    [("key", "i8"), ("word", "i8")],
    [
        ("table", "f4", (PHASES, FIRST)),  # the table's vectors by phase, of this table:
        ("bag", "i8"),
        ("played", "i8"),
    ],
)
register_memo(MODEL, MEMO)
_KNOWN = 1 << 25
"""Marks a wall that was looked at: without tiles its word would be 0, as before."""


@outlook.register(MODEL)
@jit
def outlook_azul(model: Any, state: Any, move: int, memo: Any, values: Any) -> bool:
    """Look up every board after the round, to whose end the policy may play."""
    if not network.plays_on(state) or drafting.takes_all(state, move):
        value_last_move(model, state, move, memo, values)
        return True
    memo.after[0] = state
    after = memo.after[0]
    for player in range(state.players):
        wall = state.boards[player].wall
        if memo.walls[player] != wall | _KNOWN:
            memo.walls[player] = wall | _KNOWN
            fill_worths(wall, memo.worths[player])
    value_last_move(model, after, play_to_last_take(after, move, memo), memo, values)
    return True


@jit
def value_last_move(model: Any, state: Any, move: int, memo: Any, values: Any) -> None:
    """Look up every board after the round; only layers after the first are worked out anew."""
    lines, occupied, starter = drafting.preview(state, move)
    phase, player = PHASES, starter
    for seat in range(state.players):
        board, part = state.boards[player], MAX_PLAYERS * player + seat
        if player == state.mover:
            place = find_board(memo, part, board, lines, occupied)
        else:
            place = find_board(memo, part, board, board.lines, floor_count(board))
        memo.found[seat] = place
        slot = memo.slots[place]
        if not slot.word & 1:
            learn(model, memo, slot, TABLE + BOARD * seat)
        phase = min(phase, slot.word >> ROUNDS_SHIFT & ROUNDS_MASK)
        player = 0 if player + 1 == state.players else player + 1
    over = phase == 0 or state["round"] >= state.round_cap
    if not over:
        add_table(model, state, memo, phase)
    network.value_found(model, memo, state, starter, over, values)


@jit
def add_table(model: Any, state: Any, memo: Any, phase: int) -> None:
    """Begin the sums of the first layer with the table's vector."""
    if memo.bag != state.bag or memo.played != state["round"]:
        learn_table(model, state, memo)
    for unit in range(FIRST):
        memo.units[unit] = memo.table[phase, unit]


@jit
def learn_table(model: Any, state: Any, memo: Any) -> None:
    """Work out the table's vectors."""
    memo.bag, memo.played = state.bag, state["round"]
    for phase in range(1, PHASES):
        number = table_inputs(memo.bag, memo.played, phase, memo.places, memo.amounts)
        sum_rows(model.first, memo.places, memo.amounts, number, memo.part)
        for unit in range(FIRST):
            memo.table[phase, unit] = model.first_bias[unit] + memo.part[unit]


@jit
def learn(model: Any, memo: Any, slot: Any, start: int) -> None:
    """Work out what the board of a slot is after the round."""
    wall, lines, score = after_round(slot.key, slot.word)
    slot.score = score
    slot.final = final_points(wall, score)
    number = board_inputs(wall, lines, score, start, memo.places, memo.amounts)
    sum_rows(model.first, memo.places, memo.amounts, number, slot.vector)
    slot.word |= 1
