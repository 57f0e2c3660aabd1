"""The rating of moves with the gray wall; see :mod:`azul_ai.evaluation.drafting_rating`.

A line is worth what the best cell for its color is worth that is still legal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.bits import count
from azul_ai.evaluation.drafting_rating import COLOR_STEP, COLUMN_STEP, best_rated, rate_all
from azul_ai.evaluation.interface import play_policy, rate_moves
from azul_ai.games import gray, gray_walls, supply
from azul_ai.games.gray import STATE
from azul_ai.games.pattern_lines import LINES, full_color
from azul_ai.games.supply import COLORS
from azul_ai.games.walls import FULL_COLUMN, ROW_MASK, placement_points
from azul_ai.jit import jit
from azul_ai.rng import unit

_STRANDED = 1.5
"""Points off, for each of its tiles, for a line whose color no cell of its row takes."""


@jit
def columns_of(cells: int) -> int:
    """A 5-bit word of the columns with a set cell."""
    columns = 0
    for row in range(LINES):
        columns |= cells >> LINES * row & ROW_MASK
    return columns


@jit
def cell_worth(wall: int, row: int, column: int) -> float:
    """What a tile in an empty cell does for its runs and its column."""
    in_column = min(count(wall & FULL_COLUMN << column), LINES - 1)
    return placement_points(wall, row, column) + COLUMN_STEP[in_column]


@jit
def fill_worths(board: Any, worths: Any) -> None:
    """Write the worth of each line by color, shape (LINES, COLORS)."""
    for line in range(LINES):
        free = ROW_MASK & ~(board.wall >> LINES * line)
        for color in range(COLORS):
            columns = free & ~columns_of(board.colors[color])
            best = 0.0
            for column in range(LINES):
                if columns >> column & 1:
                    best = max(best, cell_worth(board.wall, line, column))
            if best > 0.0:
                best += COLOR_STEP[min(count(board.colors[color]), COLORS - 1)]
            else:
                best = -_STRANDED * (line + 1)
            worths[line, color] = best


@rate_moves.register(STATE)
@jit
def rate_moves_gray(state: Any, moves: Any, ratings: Any) -> int:
    """Rate the distinct legal moves."""
    if not state.presence:
        return rate_placements(state, moves, ratings)
    return rate_takes(state, supply.distinct_presence(state), moves, ratings)


@jit
def rate_differing(state: Any, moves: Any, ratings: Any) -> int:
    """Of equally many tiles of a color on displays, only those of the first display."""
    if not state.presence:
        return rate_placements(state, moves, ratings)
    return rate_takes(state, supply.distinct_counts(state), moves, ratings)


@jit
def rate_takes(state: Any, presence: int, moves: Any, ratings: Any) -> int:
    """Rate the drafting moves of what is in ``presence``."""
    worths = np.empty((LINES, COLORS))
    board = state.boards[state.mover]
    fill_worths(board, worths)
    return rate_all(state, board, worths, presence, moves, ratings)


@jit
def rate_placements(state: Any, moves: Any, ratings: Any) -> int:
    """Rate the cells for the mover's next line."""
    board = state.boards[state.mover]
    number = game.legal_moves(state, moves, True)
    wall = gray_walls.planned_wall(board)
    for index in range(number):
        row, column = gray.wall_row(moves[index]), gray.wall_column(moves[index])
        ratings[index] = cell_worth(wall, row, column) - barring(board, row, column)
    return number


@jit
def barring(board: Any, row: int, column: int) -> float:
    """Points off for a cell that leaves a full line of the same color below it less choice."""
    color, points = full_color(board.lines, row), 0.0
    for below in range(row + 1, LINES):
        if full_color(board.lines, below) == color:
            columns = gray_walls.legal_columns(board, below)
            if columns >> column & 1:
                points += _STRANDED * (below + 1) if columns == 1 << column else 0.5
    return points


@play_policy.register(STATE)
@jit
def play_policy_gray(state: Any, generator: Any, noise: float) -> None:
    """Play the best-rated move, the first among equals, until the round ends."""
    play_takes(state, generator, noise)
    while state.stage == game.DECISION:
        game.apply(state, best_placement(state.boards[state.mover], generator, noise))


@jit
def play_takes(state: Any, generator: Any, noise: float) -> None:
    """The policy as far as there is something to take.

    Walls do not change before the last choice, so the lines' worths are computed once.
    """
    worths = np.empty((game.MAX_PLAYERS, LINES, COLORS))
    for player in range(state.players):
        fill_worths(state.boards[player], worths[player])
    while state.stage == game.DECISION and state.presence:
        board = state.boards[state.mover]
        game.apply(state, best_rated(state, board, worths[state.mover], generator, noise))


@jit
def best_placement(board: Any, generator: Any, noise: float) -> int:
    """The highest-rated cell for a player's next line, each raised by a part of ``noise``."""
    row, wall = gray_walls.next_row(board), gray_walls.planned_wall(board)
    columns = gray_walls.legal_columns(board, row)
    best, best_rating = -1, -1e9
    for column in range(LINES):
        if columns >> column & 1:
            here = cell_worth(wall, row, column) - barring(board, row, column)
            if noise > 0.0:
                here += noise * unit(generator)
            if here > best_rating:
                best, best_rating = column, here
    return gray.encode_wall(row, best)
