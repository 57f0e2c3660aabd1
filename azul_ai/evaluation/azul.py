"""Hand-made evaluation of Azul (colored wall); see :mod:`azul_ai.evaluation.walls`."""

from __future__ import annotations

from typing import Any

import numpy as np

import azul_ai.evaluation.azul_rating  # noqa: F401  (a searcher needs the moves rated, too)
from azul_ai.bits import count
from azul_ai.evaluation.interface import (
    POINTS,
    evaluate,
    outcome,
    outlook,
)
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
from azul_ai.game import end_round
from azul_ai.games import azul, rounds
from azul_ai.games.drafting import LINES, floor_count, pay_floor
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
    return board.score + wall + lines_value(model, board, phase)


@jit
def color_counts(wall: int) -> int:
    """The packed numbers of tiles by color."""
    counts = 0
    for color in range(COLORS):
        counts |= count(wall & azul.FULL_COLOR[color]) << COUNT_FIELD * color
    return counts


@jit
def lines_value(model: Any, board: Any, phase: int) -> float:
    """What the begun lines are worth, each in proportion to how full it is."""
    points = 0.0
    for row in range(LINES):
        line = board.lines >> 6 * row & 63
        tiles = line & 7
        if tiles:
            column = ((line >> 3) + row) % COLORS
            gain = placement_points(board.wall, row, column)
            points += model.line[phase] * gain * tiles / (row + 1)
    return points


# --- what a search asks at its leaves --------------------------------------------------

# A memo slot holds a board as it was before the end of the round: ``key`` packs its wall,
# lines and floor, ``word`` its score, the rounds left to it, and a bit for each of the
# ``numbers`` that is known: the worth of the board after the round, by phase.
_KEYED = 1 << 58
_SCORE, _ROUNDS, _KNOWN = 16, 8, (1 << PHASES) - 1
_HASH, _HASH_MASK, _HASH_SHIFT = 0x5851F42D, (1 << 31) - 1, 18


@outlook.register(MODEL)
@jit
def outlook_azul(model: Any, state: Any, memo: Any, values: Any) -> None:
    """Look the boards up; only those not met before are tiled and valued."""
    phase = PHASES
    for player in range(state.players):
        phase = min(phase, memo[slot_of(state, player, memo)].word >> _ROUNDS & 7)
    if phase == 0 or state["round"] >= state.round_cap:
        end_round(state)
        outcome(state, values)
        return
    for player in range(state.players):
        slot = memo[slot_of(state, player, memo)]
        if not slot.word >> phase & 1:
            board = state.boards[player]
            azul.tile_wall(state, board)
            pay_floor(state, board)
            slot.numbers[phase] = board_value(model, board, phase)
            slot.word |= 1 << phase
        values[player, POINTS] = slot.numbers[phase]
    starter = rounds.next_starter(state)
    values[starter, POINTS] += model.start[phase]
    finish(model, state, phase, values)


@jit
def slot_of(state: Any, player: int, memo: Any) -> int:
    """The memo slot of a player's board, filled in if another board was there."""
    board = state.boards[player]
    key = _KEYED | floor_count(board) << 55 | board.lines << 25 | board.wall
    hashed = ((key ^ key >> 29) & _HASH_MASK) * _HASH
    index = (hashed >> _HASH_SHIFT << 2 | player) & len(memo) - 1
    slot = memo[index]
    if slot.key != key or slot.word >> _SCORE != board.score:
        most = 0
        for row in range(LINES):
            line = board.lines >> 6 * row & 63
            most = max(most, count(board.wall >> LINES * row & ROW_MASK) + (line & 7 == row + 1))
        slot.key = key
        slot.word = board.score << _SCORE | LINES - most << _ROUNDS
    return index
