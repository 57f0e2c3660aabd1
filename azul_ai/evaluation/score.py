"""The plainest evaluation, for any game: the points as they stand, as if the game ended now.

It makes the end of a round its own purpose, and is the yardstick of tests and solvers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai.evaluation.interface import (
    as_they_are,
    correct,
    evaluate,
    foresee,
    outcome,
    outlook,
    rate_last_moves,
    rate_moves,
    value_at_end,
)
from azul_ai.jit import jit

MODEL = np.dtype((np.record, [("score", "i8")]))  # the field makes the record type its own

correct.register(MODEL)(as_they_are)
foresee.register(MODEL)(value_at_end)


def model() -> Any:
    """The model, which holds no numbers."""
    return np.zeros(1, dtype=MODEL)[0]


@evaluate.register(MODEL)
@jit
def evaluate_score(model: Any, state: Any, values: Any) -> None:  # noqa: ARG001
    """Final points, end bonuses included, and who would have won by them."""
    outcome(state, values)


@outlook.register(MODEL)
@jit
def outlook_score(model: Any, state: Any, move: int, memo: Any, values: Any) -> bool:  # noqa: ARG001
    """There is no quicker way."""
    return False


@rate_last_moves.register(MODEL)
@jit
def rate_last_moves_score(model: Any, state: Any, memo: Any, moves: Any, ratings: Any) -> int:  # noqa: ARG001
    """All of them, as at any other time."""
    memo.looked_at = rate_moves(state, moves, ratings)
    return memo.looked_at
