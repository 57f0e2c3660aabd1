"""Hand-made evaluation of Azul (colored wall); see :mod:`azul_ai.evaluation.walls`."""

from __future__ import annotations

from typing import Any

import numpy as np

import azul_ai.evaluation.azul_outlook
import azul_ai.evaluation.azul_rating  # noqa: F401  (what else a searcher asks)
from azul_ai.evaluation.azul_boards import MODEL, board_value
from azul_ai.evaluation.interface import POINTS, evaluate
from azul_ai.evaluation.walls import Fit, fill_model, finish, rounds_left
from azul_ai.jit import jit

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
