"""What a network sees of the colored wall."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from azul_ai.position import Position
from tests.seeing.walls import (
    CELLS,
    TILES,
    Name,
    Seen,
    column_of,
    number,
    phase,
    points_of,
    wall_of,
)

COLORS = "BYRKW"
TABLE: list[Name] = [
    *(("bag", color) for color in COLORS),
    *(("round", played) for played in range(1, 7)),
    *(("phase", rounds) for rounds in range(6)),
]
BOARD: list[Name] = [
    *(("wall", *cell) for cell in CELLS),
    *(("line", row, color) for row in range(5) for color in COLORS),
    *TILES,
    *(("row", n) for n in range(1, 5)),
    *((kind, n) for kind in ("column", "color") for n in range(1, 6)),
    ("score",),
    ("potential",),
    ("begun",),
]


def table(position: Position) -> Seen:
    """The bag, the round and the phase."""
    assert position.bag is not None
    seen: Seen = {("bag", color): tiles / 20 for color, tiles in position.bag.items()}
    seen["round", min(position.round, 6)] = 1
    seen["phase", phase(position)] = 1
    return seen


def board(position: Position, player: Any) -> Seen:  # noqa: ARG001
    """Wall, lines and score."""
    wall, seen = wall_of(player), defaultdict[Name, float](float)
    begun = 0.0
    for row, column in CELLS:
        seen["wall", row, column] += wall[row][column] is not None
    for row, line in enumerate(player.lines):
        if line:
            part = len(line) / (row + 1)
            seen["line", row, line[0]] += part
            seen["tiles", row, len(line)] += 1
            begun += points_of(wall, row, (COLORS.index(line[0]) + row) % 5) * part
    for index, color in enumerate(COLORS):
        seen["row", number(wall[index])] += 0.5
        seen["column", number(column_of(wall, index))] += 0.5
        seen["color", sum(row.count(color) for row in wall)] += 0.5
    best = [
        max(points_of(wall, row, column) for column in range(5) if not wall[row][column])
        for row in range(5)
    ]
    seen["score",] = player.score / 50
    seen["potential",] = sum(best) / 10
    seen["begun",] = begun / 10
    return seen
