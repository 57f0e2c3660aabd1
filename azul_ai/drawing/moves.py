"""The legal moves of a position, drawn for people."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from azul_ai import game, notation
from azul_ai.drawing.tiles import tile
from azul_ai.position import Position

_SOURCES = ("F", "C")
"""How a move begins that takes tiles."""


def moves(position: Position, state: Any) -> RenderableType:
    """By source and color, those from identical displays together; others below."""
    buffer = np.zeros(game.MAX_MOVES, dtype=np.int64)
    total = game.list_moves(state, buffer, False)
    number = game.list_moves(state, buffer, True)
    named = [notation.names(state, int(move)) for move in buffer[:number]]
    takes = [names for names in named if names[0].startswith(_SOURCES)]
    others = [names[0] for names in named if names not in takes]
    title = Text(f"{total} legal moves", "bold")
    parts: list[RenderableType] = [title]
    if takes:
        title.append(f", written From-Color-To such as {takes[0][0]}")
        parts += ["", _table(position, takes)]
    if others:
        parts += ["", Text(" ".join(others))]
    return Group(*parts)


def _table(position: Position, takes: list[list[str]]) -> Table:
    rows: dict[tuple[str, str], list[list[str]]] = {}
    for names in takes:
        source, color, _ = names[0].split("-", 2)
        rows.setdefault((source, color), []).append(names)
    table = Table("From", "Color", "To", box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for (source, color), same in sorted(rows.items()):
        taken = [tile(color)] * _contents(position, source).count(color)
        sources = " = ".join(name.split("-")[0] for name in same[0])
        targets = " ".join(names[0].split("-", 2)[2] for names in same)
        table.add_row(sources, Text.assemble(*taken), targets)
    return table


def _contents(position: Position, source: str) -> str:
    """The tiles on a source, by its name in a move."""
    return position.factories[int(source[1:]) - 1] if source[1:] else position.center
