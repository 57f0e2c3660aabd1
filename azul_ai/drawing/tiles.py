"""Tiles as letters on their color, and where several things stand side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from azul_ai.position import Position
from azul_ai.position.words import MARKER

TILE_STYLES = {
    "B": "bold bright_white on blue3",
    "Y": "bold black on gold1",
    "R": "bold bright_white on red3",
    "K": "bold bright_white on grey27",
    "W": "bold black on light_cyan1",
    "O": "bold black on dark_orange",
    "G": "bold bright_white on green4",
    "P": "bold black on orchid1",
    MARKER: "bold bright_white on magenta",
}
"""Letter and ground of a tile, and of the starting player marker."""

EMPTY_SPACE = Text(" · ", "dim")
CELL = 3
"""Width of a tile in characters."""


def tile(letter: str) -> Text:
    """A tile."""
    return Text(f" {letter} ", TILE_STYLES[letter])


def tiles(letters: str, spaces: int = 0, *, from_right: bool = False) -> list[Text]:
    """Tiles, and dots for the free ones of ``spaces``."""
    filled = [tile(letter) for letter in letters]
    free = [EMPTY_SPACE] * (spaces - len(filled))
    return free + filled if from_right else filled + free


def counts(numbers: dict[str, int]) -> str:
    """Numbers of tiles, in all and by color."""
    colors = " ".join(f"{letter}{number}" for letter, number in numbers.items() if number)
    return f"{sum(numbers.values())} ({colors})" if colors else "empty"


def label(position: Position, index: int) -> str:
    """A player, with his name if he has one."""
    name = position.players[index].name
    return f"Player {index + 1} ({name})" if name else f"Player {index + 1}"


class Balanced:
    """Items of one width in as few rows as fit, each row with about the same number."""

    def __init__(self, items: Sequence[RenderableType], width: int, gap: int) -> None:
        self._items, self._width, self._gap = items, width, gap

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        fit = max(1, (options.max_width + self._gap) // (self._width + self._gap))
        rows = math.ceil(len(self._items) / fit)
        columns = math.ceil(len(self._items) / rows)
        grid = Table.grid(padding=(0, self._gap, 0, 0))
        for _column in range(columns):
            grid.add_column(width=self._width)
        for start in range(0, len(self._items), columns):
            grid.add_row(*self._items[start : start + columns])
        yield grid
