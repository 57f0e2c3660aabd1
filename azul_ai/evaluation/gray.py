"""Hand-made evaluation of Azul with the gray wall, as a search uses it."""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.evaluation import score
from azul_ai.evaluation.gray_rating import rate_differing
from azul_ai.evaluation.gray_terms import MODEL, board_value, model
from azul_ai.evaluation.gray_tiling import board_worth, conclude_quickly
from azul_ai.evaluation.interface import foresee, outlook, rate_last_moves, value_at_end, value_of
from azul_ai.games import gray
from azul_ai.games.gray import STATE
from azul_ai.jit import jit

__all__ = ["model"]

board_worth.register(MODEL)(board_value)
foresee.register(MODEL)(value_at_end)


@outlook.register(MODEL)
@jit
def outlook_gray(model: Any, state: Any, move: int, memo: Any, values: Any) -> bool:
    """Play on a copy; the players' ways to tile their walls are looked up."""
    after = np.empty(1, dtype=STATE)
    after[0] = state
    game.apply(after[0], move)
    if after[0].stage == game.DECISION:
        conclude_quickly(after[0], model, memo)
    value_of(model, after[0], values)
    return True


@rate_last_moves.register(MODEL)
@jit
def rate_last_moves_gray(model: Any, state: Any, memo: Any, moves: Any, ratings: Any) -> int:  # noqa: ARG001
    """One of the moves that come to the same."""
    memo.looked_at = rate_differing(state, moves, ratings)
    return memo.looked_at


@board_worth.register(score.MODEL)
@jit
def points_now(model: Any, board: Any, phase: int) -> float:  # noqa: ARG001
    """What counts by the evaluation "score": the points as they stand."""
    return float(board.score + gray.bonus(board))
