"""A position drawn for people: color and letters, readable without color.

A tile is its letter on its color. On a wall, tiles are upper-case letters, and empty cells
show the color that belongs there as a pale lower-case letter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from azul_ai import game, notation
from azul_ai.games import supply
from azul_ai.games.drafting import FLOOR_PENALTIES
from azul_ai.position import Player, Position, from_state, to_state
from azul_ai.position.supplies import Supplies, of_state
from azul_ai.position.words import MARKER, PALETTES
from azul_ai.projection import Projection, project

TITLES = {"azul": "Azul"}

TILE_STYLES = {
    "B": "bold bright_white on blue3",
    "Y": "bold black on gold1",
    "R": "bold bright_white on red3",
    "K": "bold bright_white on grey27",
    "W": "bold black on light_cyan1",
    MARKER: "bold bright_white on magenta",
}
"""Letter and ground of a tile, and of the starting player marker."""

EMPTY_STYLES = {
    "B": "cornflower_blue",
    "Y": "dark_goldenrod",
    "R": "indian_red",
    "K": "grey50",
    "W": "dark_cyan",
}
"""The pale letter of an empty wall cell: middle tones, for light and dark terminals."""

EMPTY_SPACE = Text(" · ", "dim")
CELL = 3
"""Width of a tile in characters."""


def draw(position: Position, *, moves: bool = False) -> RenderableType:
    """The whole position: header, displays, center, supply, boards, and moves if wanted."""
    state = to_state(position)
    position = from_state(state, [player.name for player in position.players])
    parts: list[RenderableType] = [headline(position), "", _displays(position), _center(position)]
    parts += ["", _supply(position, state), "", _boards(position, state), _legend(position)]
    if moves and state["stage"] == game.DECISION:
        parts += ["", _moves(position, state)]
    return Group(*parts)


# --- what all players share -------------------------------------------------------------


def headline(position: Position) -> Text:
    """The game, the round, and what happens next."""
    place = f"{TITLES[position.game]}, {len(position.players)} players, round {position.round}"
    return Text.assemble((place, "bold"), "   ", (_what_next(position), "bold green"))


def _what_next(position: Position) -> str:
    state = to_state(position)
    mover = _label(position, int(state["mover"]))
    match int(state["stage"]):
        case game.DECISION:
            return f"{mover} to move"
        case game.DEAL:
            return f"round scored; next a deal, then {mover} to move"
    winners = [_label(position, player) for player in _winners(state)]
    return f"game over; {' and '.join(winners)} {'win' if winners[1:] else 'wins'}"


def _winners(state: Any) -> list[int]:
    points = np.zeros(game.MAX_PLAYERS, dtype=np.int64)
    ties = np.zeros(game.MAX_PLAYERS, dtype=np.int64)
    game.result(state, points, ties)
    results = list(zip(points, ties, strict=True))[: state["players"]]
    return [player for player, result in enumerate(results) if result == max(results)]


def _displays(position: Position) -> RenderableType:
    return _Balanced(
        [
            Text.assemble((f"F{number} ", "bold"), *_tiles(tiles, supply.DISPLAY_SIZE))
            for number, tiles in enumerate(position.factories, 1)
        ],
        width=len("F1 ") + CELL * supply.DISPLAY_SIZE,
        gap=4,
    )


def _center(position: Position) -> Text:
    tiles = _tiles(position.center) or [Text("empty", "dim")]
    return Text.assemble(("C  ", "bold"), *tiles, ("  (center)", "dim"))


def _supply(position: Position, state: Any) -> Text:
    """What lies in the bag and the lid."""
    if position.bag is None or position.lid is None:
        return _bounds(of_state(state, PALETTES[position.game].letters), position.game)
    return Text.assemble(
        ("Bag ", "bold"), _counts(position.bag), ("   Lid ", "bold"), _counts(position.lid)
    )


def _bounds(supplies: Supplies, game_name: str) -> Text:
    """What the bag can hold where only its size is known: "between 3 and 7 blue"."""
    palette = PALETTES[game_name]
    colors = [
        f"between {low} and {high} {palette.name(letter)}"
        if low < high
        else f"{low} {palette.name(letter)}"
        for letter, (low, high) in supplies.bounds().items()
    ]
    return Text.assemble(
        ("Bag ", "bold"),
        f"{supplies.in_bag}",
        ("   Lid ", "bold"),
        f"{supplies.in_lid}",
        f"   (not given)\nBag: {', '.join(colors)}",
    )


def _counts(tiles: dict[str, int]) -> str:
    colors = " ".join(f"{letter}{number}" for letter, number in tiles.items() if number)
    return f"{sum(tiles.values())} ({colors})" if colors else "empty"


def _legend(position: Position) -> Text:
    colors = PALETTES[position.game].legend()
    return Text(f"{colors}\n{MARKER} starting player marker, lower case empty wall cell", "dim")


# --- the players' boards ----------------------------------------------------------------


def _boards(position: Position, state: Any) -> RenderableType:
    """Every player's board, side by side where they fit."""
    width = 2 * CELL * len(position.players[0].lines) + len("1 ") + len("│ ") + len("│   │")
    boards = [
        _board(position, player, Text("\n").join(_outlook(projection, state)))
        for player, projection in enumerate(project(state))
    ]
    if state["stage"] == game.DECISION:
        mover = boards[state["mover"]]
        mover.title, mover.border_style = f"▶ {mover.title}", "green"
    for board in boards:
        board.width = width
    return _Balanced(boards, width, gap=1)


def _board(position: Position, index: int, outlook: Text) -> Panel:
    player = position.players[index]
    grid = Table.grid(padding=0)
    for row, (line, wall) in enumerate(zip(player.lines, player.wall, strict=True)):
        indent = " " * CELL * (len(player.lines) - row - 1)
        cells = _tiles(line, row + 1, from_right=True)
        printed = _printed_colors(position.game, row)
        grid.add_row(
            Text.assemble((f"{row + 1} ", "bold"), indent, *cells, ("│ ", "dim")),
            Text.assemble(*map(_wall_cell, wall, printed)),
        )
    floor = _floor(player)
    title = f"{_label(position, index)}: {player.score} points"
    return Panel(Group(grid, "", floor, "", outlook), title=title, title_align="left")


def _wall_cell(cell: str, printed: str) -> Text:
    """A tile, or the pale letter of the color that belongs there."""
    return _tile(cell) if cell != "." else Text(f" {printed.lower()} ", EMPTY_STYLES[printed])


def _printed_colors(game_name: str, row: int) -> str:
    """The colors printed on a row of the wall."""
    letters = PALETTES[game_name].letters
    return "".join(letters[(column - row) % len(letters)] for column in range(len(letters)))


def _floor(player: Player) -> RenderableType:
    """The floor line with the penalty of each space below it."""
    steps = np.diff(FLOOR_PENALTIES)
    label = "floor "
    spaces = Text.assemble((label, "bold"), *_tiles(player.floor, len(steps)))
    penalties = " " * len(label) + "".join(f"{-step:^{CELL}}" for step in steps)
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


# --- moves ------------------------------------------------------------------------------


def _moves(position: Position, state: Any) -> RenderableType:
    """The legal moves by source and color, those from identical displays together."""
    buffer = np.zeros(game.MAX_MOVES, dtype=np.int64)
    total = game.list_moves(state, buffer, False)
    number = game.list_moves(state, buffer, True)
    named = [notation.names(state, int(move)) for move in buffer[:number]]
    taken: dict[tuple[str, str], list[list[str]]] = {}
    for names in named:
        source, color, _ = names[0].split("-")
        taken.setdefault((source, color), []).append(names)
    table = Table("From", "Color", "To", box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for (source, color), moves in sorted(taken.items()):
        tiles = [_tile(color)] * _contents(position, source).count(color)
        sources = " = ".join(name.split("-")[0] for name in moves[0])
        targets = " ".join(names[0].split("-")[2] for names in moves)
        table.add_row(sources, Text.assemble(*tiles), targets)
    title = f"{total} legal moves, written From-Color-To such as {named[0][0]}"
    return Group(Text(title, "bold"), "", table)


def _contents(position: Position, source: str) -> str:
    """The tiles on a source, by its name in a move."""
    return position.factories[int(source[1:]) - 1] if source[1:] else position.center


# --- tiles ------------------------------------------------------------------------------


def _tile(letter: str) -> Text:
    return Text(f" {letter} ", TILE_STYLES[letter])


def _tiles(letters: str, spaces: int = 0, *, from_right: bool = False) -> list[Text]:
    """Tiles, and dots for the free ones of ``spaces``."""
    tiles = [_tile(letter) for letter in letters]
    free = [EMPTY_SPACE] * (spaces - len(tiles))
    return free + tiles if from_right else tiles + free


def _label(position: Position, index: int) -> str:
    name = position.players[index].name
    return f"Player {index + 1} ({name})" if name else f"Player {index + 1}"


class _Balanced:
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
