"""Hand-made evaluation of Azul (colored wall); see :mod:`azul_ai.evaluation.walls`."""

from __future__ import annotations

from typing import Any

import numpy as np

import azul_ai.evaluation.azul_rating  # noqa: F401  (a searcher needs the moves rated, too)
from azul_ai.bits import count
from azul_ai.evaluation.interface import MEMO_PARTS, MEMO_SLOTS, POINTS, evaluate, outlook
from azul_ai.evaluation.walls import (
    COUNT_FIELD,
    MODEL_FIELDS,
    PHASES,
    Fit,
    fill_model,
    finish,
    rounds_left,
    wall_value,
)
from azul_ai.games import azul, drafting
from azul_ai.games.drafting import LINES
from azul_ai.games.supply import COLORS
from azul_ai.games.walls import ROW_MASK, placement_points
from azul_ai.jit import jit

MODEL = np.dtype(
    (
        np.record,
        [
            *MODEL_FIELDS,
            ("azul", "i8"),  # unused: makes the record type this game's own
        ],
    )
)


# Fitted by `python benchmarks/fit_handmade.py --games 600 --iterations 300 --seed 1`.
_FITS = {
    1: Fit(
        row=(1.8, 2.6, 2.9, 3.1),
        column=(0.2, 0.8, 1.1, 1.2),
        color=(0.8, 0.9, 1.1, 1.8),
        potential=0.37,
        line=0.38,
        start=1.7,
        future=(-18.8, -17.1, -16.3),
        spread=(13.5, 9.7, 9.5),
    ),
    2: Fit(
        row=(2.3, 2.9, 3.5, 0.0),
        column=(0.9, 1.6, 1.9, 1.8),
        color=(0.7, 1.6, 2.1, 2.8),
        potential=0.43,
        line=0.61,
        start=1.2,
        future=(-16.0, -12.1, -9.7),
        spread=(16.7, 12.9, 12.1),
    ),
    3: Fit(
        row=(2.6, 3.8, 0.0, 0.0),
        column=(1.3, 2.1, 2.2, 2.5),
        color=(0.4, 0.8, 0.4, 1.7),
        potential=0.42,
        line=0.81,
        start=1.1,
        future=(-4.5, 2.0, 6.2),
        spread=(20.0, 14.6, 13.3),
    ),
    4: Fit(
        row=(1.9, 0.0, 0.0, 0.0),
        column=(0.7, 1.0, 1.8, -1.6),
        color=(0.2, 0.9, -0.0, 0.0),
        potential=0.59,
        line=1.07,
        start=1.2,
        future=(10.2, 19.6, 25.1),
        spread=(22.3, 15.5, 14.1),
    ),
}


def model() -> Any:
    """The numbers of the hand-made evaluation, as one record of dtype MODEL."""
    record = np.zeros(1, dtype=MODEL)[0]
    fill_model(record, _FITS)
    return record


@evaluate.register(MODEL)
@jit
def evaluate_azul(model: Any, state: Any, values: Any) -> None:
    """Fill the values of all players of a scored round."""
    phase = rounds_left(state)
    for player in range(state.players):
        board = state.boards[player]
        values[player, POINTS] = board_value(model, board, phase)
    values[state.mover, POINTS] += model.start[phase]
    finish(model, state, phase, values)


@jit
def board_value(model: Any, board: Any, phase: int) -> float:
    """Expected final points of a board, less what all players have to come alike."""
    wall = wall_value(model, board.wall, color_counts(board.wall), phase)
    return board.score + wall + lines_value(model, board.wall, board.lines, phase)


@jit
def color_counts(wall: int) -> int:
    """The packed numbers of tiles by color."""
    counts = 0
    for color in range(COLORS):
        counts |= count(wall & azul.FULL_COLOR[color]) << COUNT_FIELD * color
    return counts


@jit
def lines_value(model: Any, wall: int, lines: int, phase: int) -> float:
    """What the lines that are begun but not full are worth, in proportion to how full."""
    points = 0.0
    for row in range(LINES):
        line = lines >> 6 * row & 63
        tiles = line & 7
        if 0 < tiles <= row:
            column = ((line >> 3) + row) % COLORS
            gain = placement_points(wall, row, column)
            points += model.line[phase] * gain * tiles / (row + 1)
    return points


# --- what a search asks at its leaves --------------------------------------------------

# A slot of the memo holds a board as it was before the end of the round: ``key`` packs its
# wall, lines and number of floor pieces; ``word`` its score, the rounds left to it, and a bit
# for each phase whose entry in ``numbers``, the board's value after the round, is known. The
# slots of all players hold walls and what they are worth: ``key`` the wall, ``word`` the bits.
_KEYED = 1 << 58
_FLOOR, _LINES, _SCORE, _ROUNDS = 55, 25, 16, 8
_HASH, _HASH_MASK, _HASH_SHIFT = 0x5851F42D, (1 << 31) - 1, 40
_WALLS = MEMO_PARTS - 1


@outlook.register(MODEL)
@jit
def outlook_azul(model: Any, state: Any, move: int, memo: Any, values: Any) -> bool:
    """Look up every board as it would be, and value those not met before."""
    lines, occupied, starter = drafting.preview(state, move)
    phase = PHASES
    for player in range(state.players):
        board = state.boards[player]
        if player == state.mover:
            place = find_board(memo, player, board, lines, occupied)
        else:
            place = find_board(memo, player, board, board.lines, drafting.floor_count(board))
        memo.found[player] = place
        phase = min(phase, memo.slots[place].word >> _ROUNDS & 7)
    if phase == 0 or state["round"] >= state.round_cap:
        return False
    for player in range(state.players):
        slot = memo.slots[memo.found[player]]
        if not slot.word >> phase & 1:
            learn(model, memo, slot, phase)
        values[player, POINTS] = slot.numbers[phase]
    values[starter, POINTS] += model.start[phase]
    finish(model, state, phase, values)
    return True


@jit
def place_of(key: int, part: int) -> int:
    """Where in a part of the memo a key belongs."""
    hashed = ((key ^ key >> 29) & _HASH_MASK) * _HASH
    return (hashed >> _HASH_SHIFT & MEMO_SLOTS - 1) + part * MEMO_SLOTS


@jit
def find_board(memo: Any, player: int, board: Any, lines: int, occupied: int) -> int:
    """The place of a board with other lines and floor, begun if another was there."""
    key = _KEYED | occupied << _FLOOR | lines << _LINES | board.wall
    place = place_of(key, player)
    slot = memo.slots[place]
    if slot.key != key or slot.word >> _SCORE != board.score:
        most = 0
        for row in range(LINES):
            full = drafting.full_color(lines, row) >= 0
            most = max(most, count(board.wall >> LINES * row & ROW_MASK) + full)
        slot.key = key
        slot.word = board.score << _SCORE | LINES - most << _ROUNDS
    return place


@jit
def learn(model: Any, memo: Any, slot: Any, phase: int) -> None:
    """Work out what the board of a slot is worth after the round."""
    lines = slot.key >> _LINES & (1 << _FLOOR - _LINES) - 1
    wall, points = azul.tiled(slot.key & (1 << _LINES) - 1, lines)
    floor = drafting.FLOOR_PENALTIES[slot.key >> _FLOOR & 7]
    score = max(0, (slot.word >> _SCORE) + points - floor)
    worth = wall_worth(model, memo.slots[place_of(wall, _WALLS)], wall, phase)
    slot.numbers[phase] = score + worth + lines_value(model, wall, lines, phase)
    slot.word |= 1 << phase


@jit
def wall_worth(model: Any, slot: Any, wall: int, phase: int) -> float:
    """The value of a wall, looked up in its slot."""
    if slot.key != wall:
        slot.key, slot.word = wall, 0
    if not slot.word >> phase & 1:
        slot.numbers[phase] = wall_value(model, wall, color_counts(wall), phase)
        slot.word |= 1 << phase
    return slot.numbers[phase]
