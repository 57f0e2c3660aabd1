"""Hand-made evaluation of Azul with the gray wall, as a search uses it."""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.evaluation import score
from azul_ai.evaluation.gray_rating import rate_differing
from azul_ai.evaluation.gray_terms import MODEL, board_value, model
from azul_ai.evaluation.gray_tiling import board_worth, conclude_quickly
from azul_ai.evaluation.interface import (
    as_they_are,
    correct,
    foresee,
    outlook,
    rate_last_moves,
    value_at_end,
    value_of,
)
from azul_ai.games import gray_walls
from azul_ai.games.gray import STATE
from azul_ai.jit import jit

__all__ = ["model"]

board_worth.register(MODEL)(board_value)
correct.register(MODEL)(as_they_are)
foresee.register(MODEL)(value_at_end)


@outlook.register(MODEL)
@jit
def outlook_gray(model: Any, state: Any, move: int, memo: Any, values: Any) -> bool:
    """Play on a copy; the players' ways to tile their walls are looked up."""
    value_after(model, state, move, memo, values, np.empty(1, dtype=STATE))
    return True


@jit
def value_after(model: Any, state: Any, move: int, memo: Any, values: Any, pool: Any) -> None:
    """:func:`outlook_gray`, on a copy in ``pool[0]``.

    The caller holds the array: a record does not keep the memory of the one it was taken from.
    """
    pool[0] = state
    after = pool[0]
    game.apply(after, move)
    if after.stage == game.DECISION:
        conclude_quickly(after, model, memo)
    value_of(model, after, values)


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
    return float(board.score + gray_walls.bonus(board))
