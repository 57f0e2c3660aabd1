"""Azul's walls, as rows of five: a cell is a letter, or None where it is free."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from azul_ai.position import Position

Name = tuple[Any, ...]
Seen = dict[Name, float]
Wall = list[list[str | None]]

CELLS = [(row, column) for row in range(5) for column in range(5)]
TILES = [("tiles", row, number) for row in range(1, 5) for number in range(1, row + 1)]


def wall_of(player: Any) -> Wall:
    """A player's wall."""
    return [[None if cell == "." else cell for cell in row] for row in player.wall]


def column_of(wall: Wall, column: int) -> list[str | None]:
    """The cells of a column, from the top."""
    return [row[column] for row in wall]


def points_of(wall: Wall, row: int, column: int) -> int:
    """What a tile in a free cell scores: the lengths of the runs through it."""

    def run(cells: Sequence[str | None], at: int) -> int:
        low = high = at
        while low > 0 and cells[low - 1]:
            low -= 1
        while high < 4 and cells[high + 1]:
            high += 1
        return high - low + 1

    lengths = [run(wall[row], column), run(column_of(wall, column), row)]
    return sum(length for length in lengths if length > 1) or 1


def number(cells: Sequence[str | None]) -> int:
    """How many tiles there are in a row or column."""
    return sum(cell is not None for cell in cells)


def phase(position: Position) -> int:
    """The fewest rounds in which a row can be filled."""
    return 5 - max(number(row) for player in position.players for row in wall_of(player))
