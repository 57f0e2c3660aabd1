"""What is laid out before a game's first deal, as options say."""

from __future__ import annotations

from typing import Any

import click

from azul_ai import games
from azul_ai.cli import output
from azul_ai.cli.errors import Reason, WrongUsage
from azul_ai.game import State

SIDES = ("A", "B")

side = click.option(
    "--side",
    type=click.Choice(SIDES, case_sensitive=False),
    help=f"Which side of the boards (sintra).  [default: {SIDES[0]}]",
)
components = click.option(
    "--components",
    metavar="FILE",
    help="Components to use instead of the package's, which are not official (sintra).",
)


def check(game_name: str, side: str | None, components: str | None) -> None:
    """Refuse options of a game with sides for another game."""
    for option, value in (("--side", side), ("--components", components)):
        if value is not None and not games.has_sides(game_name):
            hint = "Leave it out, or say --game sintra."
            raise WrongUsage(Reason(option, f"The game {game_name} has no such thing.", hint))


def new_game(
    game_name: str, players: int, seed: int, side: str | None, components: str | None
) -> State:
    """A game before its first deal; says so where its components are not official."""
    check(game_name, side, components)
    options: dict[str, Any] = {}
    if side is not None:
        options["side"] = side
    if components is not None:
        from azul_ai.position.component_file import load_components  # noqa: PLC0415 (one game's)

        options["parts"] = load_components(components)
    elif games.has_sides(game_name):
        notice_components()
    return games.new_game(game_name, players, seed=seed, **options)


def notice_components() -> None:
    """Say that the package's components are not official, if they are not."""
    from azul_ai.games import components as package  # noqa: PLC0415 (one game's)

    if not package.default().official:
        output.notice(package.NOTICE)
