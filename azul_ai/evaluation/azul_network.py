"""The learned evaluation of Azul (colored wall), as a search uses it."""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai.evaluation import network
from azul_ai.evaluation.azul_features import (
    BOARD,
    BOARDS,
    FEATURES,
    INPUTS,
    board_inputs,
    left_inputs,
    on_table,
    table_inputs,
)
from azul_ai.evaluation.azul_outlook import (
    ROUNDS_MASK,
    ROUNDS_SHIFT,
    after_round,
    find_board,
    settle,
)
from azul_ai.evaluation.azul_rating import rate_differing
from azul_ai.evaluation.interface import (
    MEMO_SLOTS,
    POINTS,
    outlook,
    rate_last_moves,
    register_memo,
)
from azul_ai.evaluation.network import FIRST
from azul_ai.evaluation.vectors import sum_rows
from azul_ai.evaluation.walls import PHASES
from azul_ai.game import MAX_PLAYERS
from azul_ai.games import azul, drafting, rounds, supply
from azul_ai.games.supply import FIELD
from azul_ai.games.walls import complete_rows
from azul_ai.jit import jit

__all__ = ["FEATURES", "INPUTS", "MEMO", "MODEL"]

MODEL = network.model_dtype("azul", INPUTS)
network.register(MODEL)

# As for the hand-made evaluation (azul_outlook) a slot holds a board before the end of a
# round; here also what it is after it: final points, score, and its vector of the first layer, by
# the player's seat after the starter, since the network has weights for each seat.
_SLOT = np.dtype(
    (
        np.record,
        [
            ("key", "i8"),
            ("word", "i8"),
            ("final", "f8"),
            ("score", "i8"),
            ("vector", "f4", (FIRST,)),
        ],
    )
)
MEMO = np.dtype(
    (
        np.record,
        [
            ("slots", _SLOT, (MAX_PLAYERS * MAX_PLAYERS * MEMO_SLOTS,)),
            ("found", "i8", (MAX_PLAYERS,)),  # by seat
            ("looked_at", "i8"),
            ("table", "f4", (PHASES, FIRST)),  # the table's vectors by phase, of this table:
            ("bag", "i8"),
            ("played", "i8"),
            *network.WORK_FIELDS,
        ],
    )
)
register_memo(MODEL, MEMO)
_ROW = 0.125
"""A complete row beside the final points, as the tie-break counts it."""


@outlook.register(MODEL)
@jit
def outlook_azul(model: Any, state: Any, move: int, memo: Any, values: Any) -> bool:
    """Look up every board as it would be; only layers after the first are worked out anew."""
    lines, occupied, starter = drafting.preview(state, move)
    phase, player = PHASES, starter
    for seat in range(state.players):
        board, part = state.boards[player], MAX_PLAYERS * player + seat
        if player == state.mover:
            place = find_board(memo, part, board, lines, occupied)
        else:
            place = find_board(memo, part, board, board.lines, drafting.floor_count(board))
        memo.found[seat] = place
        slot = memo.slots[place]
        if not slot.word & 1:
            learn(model, memo, slot, BOARDS + BOARD * seat)
        values[player, POINTS] = slot.score
        phase = min(phase, slot.word >> ROUNDS_SHIFT & ROUNDS_MASK)
        player = 0 if player + 1 == state.players else player + 1
    number = look_at_rest(state, move, starter, memo)
    if number == 0 and (phase == 0 or state["round"] >= state.round_cap):
        finish_game(state.players, starter, memo, values)
        return True
    add_vectors(model, state, memo, phase, number)
    network.finish(model, memo, state.players, starter, values)
    return True


@jit
def look_at_rest(state: Any, move: int, starter: int, memo: Any) -> int:
    """The inputs of what a move leaves to take; their number, 0 if the round is over."""
    tiles, displays = on_table(state)
    source, color = drafting.source_of(move), drafting.color_of(move)
    tiles -= supply.of_color(state.sources[source], color) << FIELD * color
    mover = rounds.next_player(state)
    return left_inputs(
        tiles,
        displays - (source != 0),
        source != 0 and state.holder == rounds.IN_CENTER,
        (mover - starter) % state.players,
        memo.places,
        memo.amounts,
    )


@jit
def finish_game(players: int, starter: int, memo: Any, values: Any) -> None:
    """The exact values of a finished game."""
    player = starter
    for seat in range(players):
        values[player, POINTS] = memo.slots[memo.found[seat]].final
        player = 0 if player + 1 == players else player + 1
    settle(players, values)


@jit
def add_vectors(model: Any, state: Any, memo: Any, phase: int, left: int) -> None:
    """The sums of the first layer: the table's vector, what is left, and the boards found."""
    if memo.bag != state.bag or memo.played != state["round"]:
        learn_table(model, state, memo)
    for unit in range(FIRST):
        memo.units[unit] = memo.table[phase, unit]
    network.add_rows(model, left, memo)
    for seat in range(state.players):
        slot = memo.slots[memo.found[seat]]
        for unit in range(FIRST):
            memo.units[unit] += slot.vector[unit]


@jit
def learn_table(model: Any, state: Any, memo: Any) -> None:
    """Work out the table's vectors; what is left to take stays as it is in the memo."""
    scratch = np.empty(1, dtype=network.WORK)
    work = scratch[0]
    memo.bag, memo.played = state.bag, state["round"]
    for phase in range(PHASES):
        number = table_inputs(memo.bag, memo.played, phase, work.places, work.amounts)
        sum_rows(model.first, work.places, work.amounts, number, work.part)
        for unit in range(FIRST):
            memo.table[phase, unit] = model.first_bias[unit] + work.part[unit]


@jit
def learn(model: Any, memo: Any, slot: Any, start: int) -> None:
    """Work out what the board of a slot is after the round."""
    wall, lines, score = after_round(slot.key, slot.word)
    slot.score = score
    slot.final = score + azul.bonus(wall) + complete_rows(wall) * _ROW
    number = board_inputs(wall, lines, score, start, memo.places, memo.amounts)
    sum_rows(model.first, memo.places, memo.amounts, number, slot.vector)
    slot.word |= 1


@rate_last_moves.register(MODEL)
@jit
def rate_last_moves_azul(model: Any, state: Any, memo: Any, moves: Any, ratings: Any) -> int:  # noqa: ARG001
    """One of the moves that come to the same."""
    memo.looked_at = rate_differing(state, moves, ratings)
    return memo.looked_at
