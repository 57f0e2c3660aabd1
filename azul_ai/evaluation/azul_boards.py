"""What a board of Azul is worth after a round; see :mod:`azul_ai.evaluation.walls`."""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai.bits import count
from azul_ai.evaluation.walls import COUNT_FIELD, MODEL_FIELDS, wall_value
from azul_ai.games import azul
from azul_ai.games.pattern_lines import LINES
from azul_ai.games.supply import COLORS
from azul_ai.games.walls import placement_points
from azul_ai.jit import jit

MODEL = np.dtype(
    (
        np.record,
        [
            *MODEL_FIELDS,
            ("azul", "i8"),  # unused: makes the record type this game's own
        ],
    )
)


@jit
def board_value(model: Any, board: Any, phase: int) -> float:
    """Expected final points of a board, less what all players have to come alike."""
    wall = wall_value(model, board.wall, color_counts(board.wall), phase)
    return board.score + wall + lines_value(model, board.wall, board.lines, phase)


@jit
def color_counts(wall: int) -> int:
    """The packed numbers of tiles by color."""
    counts = 0
    for color in range(COLORS):
        counts |= count(wall & azul.FULL_COLOR[color]) << COUNT_FIELD * color
    return counts


@jit
def lines_value(model: Any, wall: int, lines: int, phase: int) -> float:
    """What the lines that are begun but not full are worth, in proportion to how full."""
    points = 0.0
    for row in range(LINES):
        line = lines >> 6 * row & 63
        tiles = line & 7
        if 0 < tiles <= row:
            column = ((line >> 3) + row) % COLORS
            gain = placement_points(wall, row, column)
            points += model.line[phase] * gain * tiles / (row + 1)
    return points
