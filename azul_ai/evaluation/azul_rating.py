"""The rating of Azul's moves; see :mod:`azul_ai.evaluation.drafting_rating`."""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.bits import count
from azul_ai.evaluation.drafting_rating import COLOR_STEP, COLUMN_STEP, best_rated, rate_all
from azul_ai.evaluation.interface import conclude, play_policy, rate_moves
from azul_ai.games import supply
from azul_ai.games.azul import FULL_COLOR, STATE
from azul_ai.games.pattern_lines import LINES
from azul_ai.games.supply import COLORS
from azul_ai.games.walls import FULL_COLUMN, placement_points
from azul_ai.jit import jit


@jit
def fill_worths(wall: int, worths: Any) -> None:
    """Write the worth of each wall cell by line and color, shape (LINES, COLORS)."""
    for color in range(COLORS):
        in_color = COLOR_STEP[min(count(wall & FULL_COLOR[color]), COLORS - 1)]
        for line in range(LINES):
            column = (color + line) % COLORS
            in_column = min(count(wall & FULL_COLUMN << column), LINES - 1)
            points = placement_points(wall, line, column)
            worths[line, color] = points + COLUMN_STEP[in_column] + in_color


@rate_moves.register(STATE)
@jit
def rate_moves_azul(state: Any, moves: Any, ratings: Any) -> int:
    """Rate the distinct legal moves."""
    worths = np.empty((LINES, COLORS))
    board = state.boards[state.mover]
    fill_worths(board.wall, worths)
    return rate_all(state, board, worths, supply.distinct_presence(state), moves, ratings)


@play_policy.register(STATE)
@jit
def play_policy_azul(state: Any, generator: Any, noise: float) -> None:
    """Play the best-rated move, the first among equals, until the round ends.

    Walls do not change meanwhile, so their cells' worths are computed once.
    """
    worths = np.empty((game.MAX_PLAYERS, LINES, COLORS))
    for player in range(state.players):
        fill_worths(state.boards[player].wall, worths[player])
    while state.stage == game.DECISION:
        board = state.boards[state.mover]
        game.apply(state, best_rated(state, board, worths[state.mover], generator, noise))


@conclude.register(STATE)
@jit
def conclude_azul(state: Any, model: Any) -> None:  # noqa: ARG001
    """Nothing is left to choose."""
    game.end_round(state)
