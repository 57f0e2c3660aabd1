"""Hand-made evaluation of Stained Glass of Sintra, as a search uses it."""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai.evaluation.interface import (
    POINTS,
    as_they_are,
    correct,
    evaluate,
    foresee,
    outlook,
    rate_last_moves,
    value_at_end,
)
from azul_ai.evaluation.shares import fill_shares
from azul_ai.evaluation.sintra_rating import rate_differing
from azul_ai.evaluation.sintra_terms import START, board_value, rounds_to_come
from azul_ai.game import MAX_PLAYERS
from azul_ai.games.palace import PLACES
from azul_ai.games.sintra import ROUNDS
from azul_ai.jit import jit

MODEL = np.dtype(
    (
        np.record,
        [
            # points still to come beside a board's value, by side, rounds and players
            ("future", "f8", (2, ROUNDS, MAX_PLAYERS + 1)),
            # standard deviation of what two players' difference will change, likewise
            ("spread", "f8", (2, ROUNDS, MAX_PLAYERS + 1)),
        ],
    )
)


correct.register(MODEL)(as_they_are)
foresee.register(MODEL)(value_at_end)

# Fitted by `python benchmarks/fit_sintra.py --games 80 --iterations 300 --seed 1`; by side, then
# by rounds to come from 1: future and spread, for 2-4 players.
_FITS = (
    (
        ((-15.2, -15.1, -13.8), (15.1, 13.6, 13.1)),
        ((-9.2, -11.1, -14.6), (16.4, 16.1, 14.3)),
        ((3.2, -3.2, -8.7), (18.5, 15.8, 16.1)),
        ((19.1, 10.1, 2.3), (20.1, 16.5, 16.4)),
        ((40.9, 30.6, 19.4), (20.8, 16.4, 18.0)),
    ),
    (
        ((-14.2, -14.5, -14.1), (13.7, 13.2, 13.3)),
        ((-9.1, -15.0, -16.4), (17.0, 14.1, 14.7)),
        ((1.6, -8.3, -13.1), (17.1, 15.8, 16.3)),
        ((16.2, 4.9, -3.2), (18.7, 16.6, 16.6)),
        ((39.2, 22.9, 14.8), (18.1, 15.8, 17.1)),
    ),
)


def model() -> Any:
    """The numbers of the hand-made evaluation, as one record of dtype MODEL."""
    record = np.zeros(1, dtype=MODEL)[0]
    for side, fits in enumerate(_FITS):
        for to_come, (future, spread) in enumerate(fits, 1):
            record["future"][side, to_come, 2:] = future
            record["spread"][side, to_come, 2:] = spread
    return record


@evaluate.register(MODEL)
@jit
def evaluate_sintra(model: Any, state: Any, values: Any) -> None:
    """Fill the values of all players of a scored round."""
    worths = np.empty(PLACES)
    to_come, side = rounds_to_come(state), state.side_b
    for player in range(state.players):
        points = board_value(state, state.boards[player], worths)
        values[player, POINTS] = points + model.future[side, to_come, state.players]
    values[state.mover, POINTS] += START
    fill_shares(values, state.players, model.spread[side, to_come, state.players])


@outlook.register(MODEL)
@jit
def outlook_sintra(model: Any, state: Any, move: int, memo: Any, values: Any) -> bool:  # noqa: ARG001
    """There is no quicker way."""
    return False


@rate_last_moves.register(MODEL)
@jit
def rate_last_moves_sintra(model: Any, state: Any, memo: Any, moves: Any, ratings: Any) -> int:  # noqa: ARG001
    """One of the moves that come to the same."""
    memo.looked_at = rate_differing(state, moves, ratings)
    return memo.looked_at
