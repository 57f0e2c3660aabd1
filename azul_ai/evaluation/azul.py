"""Hand-made evaluation of Azul (colored wall); see :mod:`azul_ai.evaluation.walls`."""

from __future__ import annotations

from typing import Any

import azul_ai.evaluation.azul_outlook
import azul_ai.evaluation.azul_rating  # noqa: F401  (what else a searcher asks)
from azul_ai.evaluation.azul_boards import MODEL, board_value
from azul_ai.evaluation.interface import (
    POINTS,
    as_they_are,
    correct,
    evaluate,
    foresee,
    value_at_end,
)
from azul_ai.evaluation.walls import finish, new_model, rounds_left
from azul_ai.jit import jit

correct.register(MODEL)(as_they_are)
foresee.register(MODEL)(value_at_end)


def model() -> Any:
    """The numbers of the hand-made evaluation, as one record of dtype MODEL."""
    return new_model(MODEL)


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
