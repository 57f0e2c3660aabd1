"""Azul's boards, with the colored and the gray wall, and its moves, drawn for people."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from azul_ai import game
from azul_ai.drawing.tiles import CELL, EMPTY_SPACE, TILE_STYLES, label, tile, tiles
from azul_ai.games.pattern_lines import FLOOR_PENALTIES, LINES
from azul_ai.position import Player, Position, gray
from azul_ai.position.azul_facts import EMPTY, GRAY, WALL
from azul_ai.position.words import MARKER
from azul_ai.projection import Projection, project

WIDTH = 2 * CELL * LINES + len("1 ") + len("│ ") + len("│   │")
"""Of a board, in characters."""

EMPTY_STYLES = {
    "B": "cornflower_blue",
    "Y": "dark_goldenrod",
    "R": "indian_red",
    "K": "grey50",
    "W": "dark_cyan",
}
"""The pale letter of an empty wall cell: middle tones, for light and dark terminals."""


def legend(position: Position) -> str:
    """What the signs mean that are not colors."""
    signs = [f"{MARKER} starting player marker"]
    if position.game != GRAY:
        signs.append("lower case empty wall cell")
    if any(player.placed for player in position.players):
        signs.append("(B) cell chosen, to be filled when all have chosen")
    return ", ".join(signs)


def table_lines(position: Position) -> list[Text]:  # noqa: ARG001
    """Nothing else lies on the table."""
    return []


def boards(position: Position, state: Any) -> list[Panel]:
    """Every player's board, and what he would score if the round ended now."""
    return [
        _board(position, player, Text("\n").join(_outlook(projection, state)))
        for player, projection in enumerate(project(state))
    ]


def _board(position: Position, index: int, outlook: Text) -> Panel:
    player = position.players[index]
    grid = Table.grid(padding=0)
    for row, line in enumerate(player.lines):
        indent = " " * CELL * (LINES - row - 1)
        cells = tiles(line, row + 1, from_right=True)
        grid.add_row(
            Text.assemble((f"{row + 1} ", "bold"), indent, *cells, ("│ ", "dim")),
            Text.assemble(*_wall_row(position.game, player, row)),
        )
    floor = _floor(player)
    title = f"{label(position, index)}: {player.score} points"
    return Panel(Group(grid, "", floor, "", outlook), title=title, title_align="left")


def _wall_row(game_name: str, player: Player, row: int) -> list[Text]:
    """Tiles; in an empty cell the pale letter of the color that belongs there, or a dot."""
    cells = []
    for column, cell in enumerate(player.wall[row]):
        printed = WALL[row][column]
        if cell != EMPTY:
            cells.append(tile(cell))
        elif game_name != GRAY:
            cells.append(Text(f" {printed.lower()} ", EMPTY_STYLES[printed]))
        elif gray.plan_of(player).get(row) == column:
            cells.append(Text(f"({player.lines[row][0]})", TILE_STYLES[player.lines[row][0]]))
        else:
            cells.append(EMPTY_SPACE)
    return cells


def _floor(player: Player) -> RenderableType:
    """The floor line with the penalty of each space below it."""
    steps = np.diff(FLOOR_PENALTIES)
    name = "floor "
    spaces = Text.assemble((name, "bold"), *tiles(player.floor, len(steps)))
    penalties = " " * len(name) + "".join(f"{-step:^{CELL}}" for step in steps)
    return Group(spaces, Text(penalties, "dim"))


def _outlook(projection: Projection, state: Any) -> list[Text]:
    """What the score would be if the round ended now, or at the end of the game, and why."""
    if state["stage"] == game.DEAL:
        return []
    bonuses = projection.bonuses or ()
    bonus = "".join(f" + {points} {name}" for points, name in bonuses) or ", no bonus"
    final = (str(projection.final), "bold")
    if state["stage"] == game.OVER:
        return [Text.assemble("Final score: ", final), Text(f"{projection.score}{bonus}", "dim")]
    lines = [
        Text.assemble("If the round ended now: ", final),
        Text(f"{projection.score} + {projection.wall} wall - {projection.floor} floor", "dim"),
    ]
    if projection.clamped:
        lines[1].append(", at least 0")
    if projection.bonuses is not None:
        lines.append(Text(f"{bonus.lstrip(', ')} (game over)", "dim"))
    return lines
