"""What a network sees of the gray wall."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from azul_ai.evaluation.walls import FITS, Fit
from azul_ai.position import Position
from tests.seeing.walls import (
    CELLS,
    TILES,
    Name,
    Seen,
    Wall,
    column_of,
    number,
    phase,
    points_of,
    wall_of,
)

COLORS = "BYRKW"
TABLE: list[Name] = [
    *(("round", played) for played in range(1, 9)),
    *(("phase", rounds) for rounds in range(6)),
    ("bag",),
]
BOARD: list[Name] = [
    *(("wall", *cell) for cell in CELLS),
    *(("barred", *cell) for cell in CELLS),
    *TILES,
    *(("gain", row) for row in range(1, 5)),
    *(("line's color", n) for n in range(5)),
    *(("line's column", n) for n in range(5)),
    *(("stuck", row) for row in range(1, 5)),
    *(
        (kind, lost, n)
        for kind in ("row", "column", "color")
        for lost in (False, True)
        for n in range(1, 6)
    ),
    ("score",),
    ("potential",),
    ("begun",),
    ("supplied",),
    *(("hand-made", rounds) for rounds in FITS),
]


def table(position: Position) -> Seen:
    """The round, the phase and the bag."""
    assert position.bag is not None
    return {
        ("round", min(position.round, 8)): 1,
        ("phase", phase(position)): 1,
        ("bag",): sum(position.bag.values()) / 100,
    }


def takes(wall: Wall, row: int, column: int, color: str) -> bool:
    """Whether a color may go to a cell."""
    free = wall[row][column] is None
    return free and color not in wall[row] and color not in column_of(wall, column)


def is_barred(wall: Wall, row: int, column: int) -> bool:
    """Whether a cell is free but takes no color."""
    free = wall[row][column] is None
    return free and not any(takes(wall, row, column, color) for color in COLORS)


def is_lost(wall: Wall, color: str) -> bool:
    """Whether a row without a color has no cell for it."""
    return any(
        color not in wall[row] and not any(takes(wall, row, column, color) for column in range(5))
        for row in range(5)
    )


def board(position: Position, player: Any) -> Seen:
    """Wall, lines and score."""
    wall, seen = wall_of(player), defaultdict[Name, float](float)
    for row, column in CELLS:
        seen["wall", row, column] += wall[row][column] is not None
        seen["barred", row, column] += is_barred(wall, row, column)
    for index, color in enumerate(COLORS):
        lost = any(is_barred(wall, index, column) for column in range(5))
        seen["row", lost, number(wall[index])] += 0.5
        lost = any(is_barred(wall, row, index) for row in range(5))
        seen["column", lost, number(column_of(wall, index))] += 0.5
        seen["color", is_lost(wall, color), sum(row.count(color) for row in wall)] += 0.5
    see_lines(position, player, wall, seen)
    best = [
        [
            points_of(wall, row, column)
            for column in range(5)
            if wall[row][column] is None and not is_barred(wall, row, column)
        ]
        for row in range(5)
    ]
    seen["score",] = player.score / 50
    seen["potential",] = sum(max(points, default=0) for points in best) / 10
    for rounds, fit in FITS.items():
        seen["hand-made", rounds] = hand_made(fit, player, wall) / 10
    return seen


def hand_made(fit: Fit, player: Any, wall: Wall) -> float:
    """What the hand-made terms say of a wall and its lines."""
    row_points, column_points, color_points = (
        (0.0, *points, bonus)
        for points, bonus in ((fit.row, 2.0), (fit.column, 7.0), (fit.color, 10.0))
    )
    value = 0.0
    for index, color in enumerate(COLORS):
        value += row_points[number(wall[index])] + column_points[number(column_of(wall, index))]
        value += color_points[sum(row.count(color) for row in wall)]
        free = [column for column in range(5) if wall[index][column] is None]
        value += fit.potential * max((points_of(wall, index, c) for c in free), default=0)
    for row, line in enumerate(player.lines):
        if line:
            cells = [column for column in range(5) if takes(wall, row, column, line[0])]
            best = max((points_of(wall, row, column) for column in cells), default=None)
            part = len(line) / (row + 1)
            value += -(row + 1) if best is None else fit.line * best * part
    return value


def see_lines(position: Position, player: Any, wall: Wall, seen: Seen) -> None:
    """Add what is seen of the lines."""
    bag = position.bag
    assert bag is not None
    for row, line in enumerate(player.lines):
        if not line:
            continue
        color, part = line[0], len(line) / (row + 1)
        cells = [column for column in range(5) if takes(wall, row, column, color)]
        seen["tiles", row, len(line)] += 1
        if not cells:
            seen["stuck", row] += 1
            continue
        gain = part * max(points_of(wall, row, column) for column in cells) / 10
        seen["gain", row] += gain
        seen["line's color", sum(other.count(color) for other in wall)] += part
        seen["line's column", max(number(column_of(wall, column)) for column in cells)] += part
        seen["begun",] += gain
        if sum(bag.values()):
            seen["supplied",] += gain * (bag[color] / (sum(bag.values()) / 5) - 1)
