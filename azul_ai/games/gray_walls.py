"""Boards with a gray wall: where the tile of a full line may go, plans, and carrying them out."""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai.bits import count
from azul_ai.games.pattern_lines import (
    BOARD_FIELDS,
    LINES,
    OPEN_FIELD,
    drop,
    empty_line,
    full_color,
)
from azul_ai.games.supply import COLORS, FIELD
from azul_ai.games.walls import (
    COLOR_BONUS,
    COLUMN_BONUS,
    FULL_COLUMN,
    ROW_BONUS,
    ROW_MASK,
    complete_rows,
    placement_points,
)
from azul_ai.jit import jit

BOARD = np.dtype(
    [
        ("wall", "i8"),  # the occupied cells, whatever their colors
        ("colors", "i8", (COLORS,)),  # the cells of each color
        ("plan", "i8"),  # column + 1 for the line of row r in the 3-bit field at 3r, 0 undecided
        *BOARD_FIELDS,
    ]
)

PLAN_FIELD = 3
PLAN_MASK = 7


@jit
def planned_column(board: Any, row: int) -> int:
    """The column chosen for a full line, -1 if none is."""
    return (board.plan >> PLAN_FIELD * row & PLAN_MASK) - 1


@jit
def next_row(board: Any) -> int:
    """The topmost full line that can be placed and is not decided yet, -1 if there is none."""
    for row in range(LINES):
        undecided = full_color(board.lines, row) >= 0 and planned_column(board, row) < 0
        if undecided and legal_columns(board, row):
            return row
    return -1


@jit
def legal_columns(board: Any, row: int) -> int:
    """A 5-bit word of the columns that take the tile of a full line, by the plan so far."""
    color = full_color(board.lines, row)
    barred = board.wall >> LINES * row & ROW_MASK
    for other in range(LINES):
        barred |= board.colors[color] >> LINES * other & ROW_MASK
        column = planned_column(board, other)
        if column >= 0 and full_color(board.lines, other) == color:
            barred |= 1 << column
    return ROW_MASK & ~barred


@jit
def planned_wall(board: Any) -> int:
    """The occupied cells once the plan so far is carried out."""
    wall = board.wall
    for row in range(LINES):
        column = planned_column(board, row)
        if column >= 0:
            wall |= 1 << LINES * row + column
    return wall


@jit
def tile_wall(state: Any, board: Any) -> None:
    """Place a tile of every full line, top to bottom, scoring each at once.

    A line without a legal cell falls to the floor, all of it.
    """
    for row in range(LINES):
        color = full_color(board.lines, row)
        if color >= 0:
            column = planned_column(board, row)
            if column < 0:
                column = best_column(board, row)
            empty_line(board, row)
            if column >= 0:
                cell = 1 << LINES * row + column
                board.wall |= cell
                board.colors[color] |= cell
                board.score += placement_points(board.wall, row, column)
                state.lid += row << FIELD * color
            else:
                drop(state, board, color + 1, row + 1)
            board.open |= open_colors(board, row)
    board.plan = 0


@jit
def best_column(board: Any, row: int) -> int:
    """The legal column that scores most for a full line, -1 if there is none."""
    columns = legal_columns(board, row)
    best, most = -1, 0
    for column in range(LINES):
        if columns >> column & 1:
            points = placement_points(board.wall, row, column)
            if points > most:
                best, most = column, points
    return best


@jit
def open_colors(board: Any, row: int) -> int:
    """Open bits of an empty line: the colors that its wall row lacks."""
    opened = 0
    for color in range(COLORS):
        if not board.colors[color] >> LINES * row & ROW_MASK:
            opened |= 1 << OPEN_FIELD * color + row
    return opened


@jit
def bonus(board: Any) -> int:
    """End bonuses: complete rows, columns and colors."""
    points = ROW_BONUS * complete_rows(board.wall)
    for index in range(COLORS):
        column = FULL_COLUMN << index
        points += COLUMN_BONUS * (board.wall & column == column)
        points += COLOR_BONUS * (count(board.colors[index]) == LINES)
    return points
