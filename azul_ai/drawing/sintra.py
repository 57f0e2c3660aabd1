"""Palace boards of Sintra, drawn for people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from azul_ai import game
from azul_ai.drawing.tiles import CELL, EMPTY_SPACE, label, tile
from azul_ai.games.palace import PLACES
from azul_ai.games.strips import SPACES
from azul_ai.palace_projection import Projection, project
from azul_ai.position import Position
from azul_ai.position.sintra_facts import EMPTY, JOKER
from azul_ai.position.sintra_model import BACK, Palace, SintraPosition, Strip
from azul_ai.position.words import MARKER

_HEADING = 8
WIDTH = _HEADING + CELL * PLACES + len("│   │")
"""Of a board, in characters."""

_PRINT_STYLES = {
    "B": "cornflower_blue",
    "Y": "dark_goldenrod",
    "O": "dark_orange3",
    "G": "green4",
    "P": "hot_pink3",
    JOKER: "bold",
}
"""The pale letter of an empty space: middle tones, for light and dark terminals."""
_GONE = Text(" " * CELL)


def legend(position: Position) -> str:  # noqa: ARG001
    """What the signs mean that are not colors."""
    return (
        f"{MARKER} starting tile, lower case empty space, {JOKER} joker; "
        "below each strip its other side, left: points for panes left on strips"
    )


def table_lines(position: Any) -> list[Text]:
    """The round indicator: this round's pane, and those to come."""
    return [Text.assemble(("Indicator ", "bold"), *map(tile, position.indicator))]


def boards(position: Any, state: Any) -> list[Panel]:
    """Every player's board, and what he would score if the game ended now."""
    return [
        _board(position, player, Text("\n").join(_outlook(projection, state)))
        for player, projection in enumerate(project(position, state))
    ]


def _board(position: SintraPosition, index: int, outlook: Text) -> Panel:
    player = position.players[index]
    grid = Table.grid(padding=0)
    grid.add_row(*_row("", (Text(f"{place:^{CELL}}", "bold") for place in range(1, PLACES + 1))))
    grid.add_row(*_row("glazier", _glazier(player)))
    for space in range(SPACES):
        cells = (_space(strip, space) for strip in player.strips)
        grid.add_row(*_row("strip" * (space == 0), cells))
    for space in range(SPACES):
        cells = (_print_below(strip, space) for strip in player.strips)
        grid.add_row(*_row("below" * (space == 0), cells))
    for number, name in enumerate(("window", "")):
        panes = (
            tile(window[number]) if number < len(window) else EMPTY_SPACE
            for window in player.windows
        )
        grid.add_row(*_row(name, panes))
    points = (Text(f"{points:^{CELL}}", "dim") for points in position.prints.window_points)
    grid.add_row(*_row("points", points))
    track = position.prints.track
    glass = Text.assemble(
        ("glass   ", "bold"), f" {track[player.broken]} (step {player.broken}), {player.lost} lost"
    )
    title = f"{label(position, index)}: {player.score} points"
    return Panel(Group(grid, "", glass, "", outlook), title=title, title_align="left")


def _row(name: str, cells: Iterable[Text]) -> list[Text]:
    return [Text(f"{name:<{_HEADING}}", "bold"), *cells]


def _glazier(player: Palace) -> list[Text]:
    here = player.glazier - 1
    return [Text(" ▼ ", "bold green") if place == here else _GONE for place in range(PLACES)]


def _space(strip: Strip | None, space: int) -> Text:
    """A pane, or the print of an empty space in lower case."""
    if strip is None:
        return _GONE
    pane, sign = strip.filled[space], strip.prints[space]
    return _print(sign) if pane == EMPTY else tile(pane)


def _print_below(strip: Strip | None, space: int) -> Text:
    """The print of the side that is down, which can be looked at any time."""
    if strip is None:
        return _GONE
    side = strip.front if strip.up == BACK else strip.back
    cell = _print(side[space])
    cell.stylize("dim")
    return cell


def _print(sign: str) -> Text:
    return Text(f" {sign.lower()} ", _PRINT_STYLES[sign])


def _outlook(projection: Projection, state: Any) -> list[Text]:
    """What the final scoring would make of the score, and why."""
    title = "Final score: " if state["stage"] == game.OVER else "If the game ended now: "
    parts = f"{projection.score} + {projection.left} left - {projection.glass} glass"
    return [
        Text.assemble(title, (str(projection.final), "bold")),
        Text(f"{parts} + {projection.bonus} bonus", "dim"),
    ]
