"""How players place their tiles on the gray wall where a search does not look itself.

Each player sees the others' boards only as they were when wall-tiling began. So each tries
all ways to place his own full lines and takes, if the game is bound to end, the one with the
most points and then rows; else the better of the best way that goes on and the best that ends
the game, the others taken to go on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.bits import lowest
from azul_ai.evaluation.interface import MEMO_SLOT, MEMO_SLOTS, conclude
from azul_ai.evaluation.shares import ROW, beats
from azul_ai.evaluation.walls import rounds_left
from azul_ai.games import gray_walls, hashing
from azul_ai.games.gray import STATE
from azul_ai.games.gray_walls import PLAN_FIELD, PLAN_MASK
from azul_ai.games.pattern_lines import LINES, floor_count, pay_floor
from azul_ai.games.supply import COLORS
from azul_ai.games.walls import complete_rows
from azul_ai.generic import generic
from azul_ai.jit import jit


@generic
def board_worth(model: Any, board: Any, phase: int) -> float:  # type: ignore[empty-body]
    """What a gray board is worth after wall-tiling if the game goes on, in points."""


# A slot holds a board as it was when wall-tiling began. ``word``: the best plan of each kind in
# 15 bits, and which kinds there are; ``numbers`` by kind: what the plan is compared by, and the
# final points of the plan that goes on.
GO_ON, _END, _BEST = range(3)
_FINAL = 3
_PLAN_BITS = PLAN_FIELD * LINES
_ALL_BITS = (1 << _PLAN_BITS) - 1
_KINDS = 3 * _PLAN_BITS
_ROWS = 8
"""Points count so much more than rows."""

_TRIAL = np.dtype((np.record, gray_walls.BOARD.descr))
_KEYED = 1 << 62
_SHIFT = 24

# Uncertainty of a lead, in points: when the game goes on, and when a player ends it while the
# others have not shown what they place.
_GO_ON_SPREAD, _END_SPREAD = 14.0, 2.0


@conclude.register(STATE)
@jit
def conclude_gray(state: Any, model: Any) -> None:
    """Everybody decides about his wall, then the round ends."""
    slots = np.zeros(game.MAX_PLAYERS, dtype=MEMO_SLOT)
    phase = phase_after(state)
    for player in range(state.players):
        survey(model, state, player, phase, slots[player])
    choose_plans(state, slots)
    game.end_round(state)


@jit
def conclude_quickly(state: Any, model: Any, memo: Any) -> None:
    """:func:`conclude_gray`, looking up the boards that were met before."""
    slots = np.empty(game.MAX_PLAYERS, dtype=MEMO_SLOT)
    phase = phase_after(state)
    for player in range(state.players):
        key = key_of(state.boards[player], phase)
        slot = memo.slots[player * MEMO_SLOTS + (key >> _SHIFT & MEMO_SLOTS - 1)]
        if slot.key != key:
            slot.key, slot.word = key, 0
            survey(model, state, player, phase, slot)
        slots[player] = slot
    choose_plans(state, slots)
    game.end_round(state)


@jit
def phase_after(state: Any) -> int:
    """The phase by which players who go on compare their plans."""
    return max(1, rounds_left(state) - 1)


@jit
def key_of(board: Any, phase: int) -> int:
    """A hash of a board before wall-tiling, never 0."""
    word = board.plan | floor_count(board) << _PLAN_BITS | phase << _PLAN_BITS + 3
    key = hashing.mix(board.lines, 0) + hashing.mix(word, 1) & hashing.MASK
    key = key + hashing.mix(board.score, 2) & hashing.MASK
    for color in range(COLORS):
        key = key + hashing.mix(board.colors[color], 3 + color) & hashing.MASK
    return key | _KEYED


# --- one player's ways --------------------------------------------------------------------


@jit
def survey(model: Any, state: Any, player: int, phase: int, slot: Any) -> None:
    """Try every way to place a player's full lines; keep the best of each kind."""
    board, before, lid = state.boards[player], state.boards[player].plan, state.lid
    trial = np.empty(1, dtype=_TRIAL)
    rows, left = np.zeros(LINES, dtype=np.int64), np.zeros(LINES, dtype=np.int64)
    level = -1
    while True:
        row = gray_walls.next_row(board)
        if row >= 0:
            level += 1
            rows[level], left[level] = row, gray_walls.legal_columns(board, row)
        else:
            trial[0] = board
            gray_walls.tile_wall(state, trial[0])
            pay_floor(state, trial[0])
            keep_best(model, trial[0], board.plan, phase, slot)
        while level >= 0 and left[level] == 0:
            board.plan &= ~(PLAN_MASK << PLAN_FIELD * rows[level])
            level -= 1
        if level < 0:
            break
        field = PLAN_FIELD * rows[level]
        column = lowest(left[level])
        left[level] &= left[level] - 1
        board.plan = board.plan & ~(PLAN_MASK << field) | column + 1 << field
    board.plan, state.lid = before, lid


@jit
def keep_best(model: Any, board: Any, plan: int, phase: int, slot: Any) -> None:
    """Compare a plan, carried out on ``board``, with the best so far."""
    rows, points = complete_rows(board.wall), board.score + gray_walls.bonus(board)
    rank = float(points * _ROWS + rows)
    if rows:
        keep_better(slot, _END, plan, rank)
    elif keep_better(slot, GO_ON, plan, board_worth(model, board, phase)):
        slot.numbers[_FINAL] = points
    keep_better(slot, _BEST, plan, rank)


@jit
def keep_better(slot: Any, kind: int, plan: int, number: float) -> bool:
    """Keep a plan if there is none of its kind, or only one of a lower number."""
    if has(slot, kind) and number <= slot.numbers[kind]:
        return False
    field = _PLAN_BITS * kind
    slot.word = slot.word & ~(_ALL_BITS << field) | plan << field | 1 << _KINDS + kind
    slot.numbers[kind] = number
    return True


@jit
def has(slot: Any, kind: int) -> bool:
    """Whether a board has a plan of a kind."""
    return slot.word >> _KINDS + kind & 1 == 1


# --- what everybody chooses ---------------------------------------------------------------


@jit
def choose_plans(state: Any, slots: Any) -> None:
    """Write a plan for all full lines of all players.

    :param slots: what is known of the players' ways, shape (MAX_PLAYERS,).
    """
    ends = is_bound_to_end(state, slots)
    for player in range(state.players):
        state.boards[player].plan = plan_of(slots[player], choice(state, slots, player, ends))


@jit
def plan_of(slot: Any, kind: int) -> int:
    """A player's best plan of a kind that he has."""
    return slot.word >> _PLAN_BITS * kind & _ALL_BITS


@jit
def is_bound_to_end(state: Any, slots: Any) -> bool:
    """Whether the game ends after this round, whatever is chosen."""
    ends = state["round"] >= state.round_cap
    for player in range(state.players):
        ends |= not has(slots[player], GO_ON)
    return ends


@jit
def choice(state: Any, slots: Any, player: int, ends: bool) -> int:
    """The kind of plan that a player chooses.

    :param ends: what :func:`is_bound_to_end` says.
    """
    if ends:
        return _BEST
    if has(slots[player], _END) and prefers_end(state, slots, player):
        return _END
    return GO_ON


@jit
def final_points(slot: Any, kind: int) -> float:
    """Final points by a plan, with complete rows as their fraction.

    As :func:`azul_ai.evaluation.shares.settle` takes them.
    """
    if kind == GO_ON:
        return slot.numbers[_FINAL]
    rank = int(slot.numbers[kind])
    return rank // _ROWS + rank % _ROWS * ROW


@jit
def prefers_end(state: Any, slots: Any, player: int) -> bool:
    """Whether a player has better chances ending the game than going on, the others going on."""
    end, go_on = 1.0, 1.0
    for other in range(state.players):
        if other != player:
            lead = slots[player].numbers[_END] / _ROWS - slots[other].numbers[_FINAL]
            end *= beats(lead, _END_SPREAD)
            lead = slots[player].numbers[GO_ON] - slots[other].numbers[GO_ON]
            go_on *= beats(lead, _GO_ON_SPREAD)
    return end > go_on
