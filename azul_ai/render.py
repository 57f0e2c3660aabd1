"""A position drawn for people: color and letters, readable without color.

A tile is its letter on its color. What all games share is drawn here, their boards and moves
in :mod:`azul_ai.drawing`.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from rich.console import Group, RenderableType
from rich.text import Text

from azul_ai import game
from azul_ai.drawing.moves import moves as legal_moves
from azul_ai.drawing.tiles import CELL, Balanced, counts, label, tiles
from azul_ai.games import supply
from azul_ai.position import Position, from_state, to_state
from azul_ai.position.supplies import Supplies, of_state
from azul_ai.position.words import PALETTES, Palette

TITLES = {
    "azul": "Azul",
    "azul-gray": "Azul, gray wall",
    "sintra": "Stained Glass of Sintra",
}
_BOARDS = {
    "azul": "azul_ai.drawing.azul",
    "azul-gray": "azul_ai.drawing.azul",
    "sintra": "azul_ai.drawing.sintra",
}


def draw(position: Position, *, moves: bool = False) -> RenderableType:
    """The whole position: header, displays, center, supply, boards, and moves if wanted."""
    state = to_state(position)
    position = from_state(state, [player.name for player in position.players])
    module = importlib.import_module(_BOARDS[position.game])
    parts: list[RenderableType] = [headline(position), "", _displays(position), _center(position)]
    parts += ["", _supply(position, state)]
    parts += [*module.table_lines(position), "", _boards(module, position, state)]
    legend = f"{PALETTES[position.game].legend()}\n{module.legend(position)}"
    parts.append(Text(legend, "dim"))
    if moves and state["stage"] == game.DECISION:
        parts += ["", legal_moves(position, state)]
    return Group(*parts)


def _boards(module: Any, position: Position, state: Any) -> RenderableType:
    """Every player's board, side by side where they fit, the mover's marked."""
    boards = module.boards(position, state)
    if state["stage"] == game.DECISION:
        mover = boards[state["mover"]]
        mover.title, mover.border_style = f"▶ {mover.title}", "green"
    for board in boards:
        board.width = module.WIDTH
    return Balanced(boards, module.WIDTH, gap=1)


# --- what all players share -------------------------------------------------------------


def headline(position: Position) -> Text:
    """The game, the round, and what happens next."""
    place = f"{TITLES[position.game]}, {len(position.players)} players, round {position.round}"
    return Text.assemble((place, "bold"), "   ", (_what_next(position), "bold green"))


def _what_next(position: Position) -> str:
    state = to_state(position)
    mover = label(position, int(state["mover"]))
    match int(state["stage"]):
        case game.DECISION:
            return f"{mover} to move"
        case game.DEAL:
            return f"round scored; next a deal, then {mover} to move"
    winners = [label(position, player) for player in _winners(state)]
    return f"game over; {' and '.join(winners)} {'win' if winners[1:] else 'wins'}"


def _winners(state: Any) -> list[int]:
    points = np.zeros(game.MAX_PLAYERS, dtype=np.int64)
    ties = np.zeros(game.MAX_PLAYERS, dtype=np.int64)
    game.result(state, points, ties)
    results = list(zip(points, ties, strict=True))[: state["players"]]
    return [player for player, result in enumerate(results) if result == max(results)]


def _displays(position: Position) -> RenderableType:
    return Balanced(
        [
            Text.assemble((f"F{number} ", "bold"), *tiles(contents, supply.DISPLAY_SIZE))
            for number, contents in enumerate(position.factories, 1)
        ],
        width=len("F1 ") + CELL * supply.DISPLAY_SIZE,
        gap=4,
    )


def _center(position: Position) -> Text:
    contents = tiles(position.center) or [Text("empty", "dim")]
    return Text.assemble(("C  ", "bold"), *contents, ("  (center)", "dim"))


def _supply(position: Position, state: Any) -> Text:
    """What lies in the bag and the lid."""
    palette = PALETTES[position.game]
    if position.bag is None or position.lid is None:
        return _bounds(of_state(state, palette.letters), palette)
    lid = (f"   {palette.lid.capitalize()} ", "bold")
    return Text.assemble(("Bag ", "bold"), counts(position.bag), lid, counts(position.lid))


def _bounds(supplies: Supplies, palette: Palette) -> Text:
    """What the bag can hold where only its size is known: "between 3 and 7 blue"."""
    colors = [
        f"between {low} and {high} {palette.name(letter)}"
        if low < high
        else f"{low} {palette.name(letter)}"
        for letter, (low, high) in supplies.bounds().items()
    ]
    return Text.assemble(
        ("Bag ", "bold"),
        f"{supplies.in_bag}",
        (f"   {palette.lid.capitalize()} ", "bold"),
        f"{supplies.in_lid}",
        f"   (not given)\nBag: {', '.join(colors)}",
    )
