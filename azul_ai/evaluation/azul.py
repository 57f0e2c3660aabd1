"""Hand-made evaluation of Azul (colored wall).

Per player, expected final points = score + what the wall, the lines begun and the start of
the next round are worth, by phase. The phase is the smallest number of rounds in which some
player can complete a row: 0 for a finished game, 5 at its beginning.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import azul_ai.evaluation.azul_rating  # noqa: F401  (a searcher needs the moves rated, too)
from azul_ai.bits import count
from azul_ai.evaluation.interface import (
    POINTS,
    evaluate,
    outcome,
    outlook,
)
from azul_ai.evaluation.shares import fill_shares
from azul_ai.game import MAX_PLAYERS, end_round
from azul_ai.games import azul, drafting, rounds, walls
from azul_ai.games.drafting import LINES
from azul_ai.games.supply import COLORS
from azul_ai.games.walls import ROW_MASK
from azul_ai.jit import jit

PHASES = 6

MODEL = np.dtype(
    (
        np.record,
        [
            # points by phase and number of tiles in the row, column or color
            ("row", "f8", (PHASES, LINES + 1)),
            ("column", "f8", (PHASES, LINES + 1)),
            ("color", "f8", (PHASES, COLORS + 1)),
            # weight of the points that the best cell of each row would score
            ("potential", "f8", (PHASES,)),
            # weight of the points of a begun line's cell, times how full the line is
            ("line", "f8", (PHASES,)),
            # points for starting the next round
            ("start", "f8", (PHASES,)),
            # points still to come beside these, by number of players
            ("future", "f8", (PHASES, MAX_PLAYERS + 1)),
            # standard deviation of what two players' difference will change, by players
            ("spread", "f8", (PHASES, MAX_PLAYERS + 1)),
            ("azul", "i8"),  # unused: makes the record type this game's own
        ],
    )
)


class _Fit(NamedTuple):
    """A phase's numbers: by tiles 1-4, or for 2-4 players; see MODEL."""

    row: tuple[float, ...]
    column: tuple[float, ...]
    color: tuple[float, ...]
    potential: float
    line: float
    start: float
    future: tuple[float, ...]
    spread: tuple[float, ...]


# Fitted by `python benchmarks/fit_handmade.py --games 600 --iterations 300 --seed 1`.
_FITS = {
    1: _Fit(
        row=(1.8, 2.6, 2.9, 3.1),
        column=(0.2, 0.8, 1.1, 1.2),
        color=(0.8, 0.9, 1.1, 1.8),
        potential=0.37,
        line=0.38,
        start=1.7,
        future=(-18.8, -17.1, -16.3),
        spread=(13.5, 9.7, 9.5),
    ),
    2: _Fit(
        row=(2.3, 2.9, 3.5, 0.0),
        column=(0.9, 1.6, 1.9, 1.8),
        color=(0.7, 1.6, 2.1, 2.8),
        potential=0.43,
        line=0.61,
        start=1.2,
        future=(-16.0, -12.1, -9.7),
        spread=(16.7, 12.9, 12.1),
    ),
    3: _Fit(
        row=(2.6, 3.8, 0.0, 0.0),
        column=(1.3, 2.1, 2.2, 2.5),
        color=(0.4, 0.8, 0.4, 1.7),
        potential=0.42,
        line=0.81,
        start=1.1,
        future=(-4.5, 2.0, 6.2),
        spread=(20.0, 14.6, 13.3),
    ),
    4: _Fit(
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
    for phase in range(1, PHASES):
        fit = _FITS[min(phase, max(_FITS))]  # before any tile is placed: as after the first
        record["row"][phase] = (0.0, *fit.row, walls.ROW_BONUS)
        record["column"][phase] = (0.0, *fit.column, walls.COLUMN_BONUS)
        record["color"][phase] = (0.0, *fit.color, walls.COLOR_BONUS)
        record["potential"][phase] = fit.potential
        record["line"][phase] = fit.line
        record["start"][phase] = fit.start
        record["future"][phase, 2:] = fit.future
        record["spread"][phase, 2:] = fit.spread
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
def rounds_left(state: Any) -> int:
    """The smallest number of rounds in which some player can complete a row, 1-5."""
    most = 0
    for player in range(state.players):
        wall = state.boards[player].wall
        for row in range(LINES):
            most = max(most, count(wall >> LINES * row & ROW_MASK))
    return LINES - most


@jit
def board_value(model: Any, board: Any, phase: int) -> float:
    """Expected final points of a board, less what all players have to come alike."""
    wall, lines = wall_value(model, board.wall, phase), lines_value(model, board, phase)
    return board.score + wall + lines


@jit
def finish(model: Any, state: Any, phase: int, values: Any) -> None:
    """Add what all players have to come alike, then fill shares and differences."""
    for player in range(state.players):
        values[player, POINTS] += model.future[phase, state.players]
    fill_shares(values, state.players, model.spread[phase, state.players])


@jit
def wall_value(model: Any, wall: int, phase: int) -> float:
    """Progress of rows, columns and colors, and what the next tiles could score."""
    points = 0.0
    for index in range(LINES):
        points += model.row[phase, count(wall >> LINES * index & ROW_MASK)]
        points += model.column[phase, count(wall & walls.FULL_COLUMN << index)]
        points += model.color[phase, count(wall & azul.FULL_COLOR[index])]
        best = 0
        for column in range(LINES):
            if not wall >> LINES * index + column & 1:
                best = max(best, walls.placement_points(wall, index, column))
        points += model.potential[phase] * best
    return points


@jit
def lines_value(model: Any, board: Any, phase: int) -> float:
    """What the begun lines are worth, each in proportion to how full it is."""
    points = 0.0
    for row in range(LINES):
        line = board.lines >> 6 * row & 63
        tiles = line & 7
        if tiles:
            column = ((line >> 3) + row) % COLORS
            gain = walls.placement_points(board.wall, row, column)
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
            drafting.pay_floor(state, board)
            slot.numbers[phase] = board_value(model, board, phase)
            slot.word |= 1 << phase
        values[player, POINTS] = slot.numbers[phase]
    starter = state.start if state.holder == rounds.IN_CENTER else state.holder
    values[starter, POINTS] += model.start[phase]
    finish(model, state, phase, values)


@jit
def slot_of(state: Any, player: int, memo: Any) -> int:
    """The memo slot of a player's board, filled in if another board was there."""
    board = state.boards[player]
    key = _KEYED | drafting.floor_count(board) << 55 | board.lines << 25 | board.wall
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
