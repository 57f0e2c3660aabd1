"""Boards and components as options say, of new games and of positions that leave them out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from azul_ai import games
from azul_ai.cli import output
from azul_ai.cli.errors import Reason, WrongUsage
from azul_ai.position import Position, load

if TYPE_CHECKING:
    from azul_ai.games.components import Components

Command = TypeVar("Command", bound=Callable[..., Any])

SIDES = ("A", "B")


def side_option(default: str) -> Callable[[Command], Command]:
    """The option --side, with what it says that it is by default."""
    return click.option(
        "--side",
        type=click.Choice(SIDES, case_sensitive=False),
        help=f"Which side of the boards (sintra).  [default: {default}]",
    )


side = side_option(SIDES[0])
components = click.option(
    "--components",
    metavar="FILE",
    help="Components to use instead of the package's, which are not official (sintra).",
)


board_components = click.option(
    "--components",
    metavar="FILE",
    help="Components whose prints a position has where it says nothing of them (sintra).",
)


def check(game_name: str, side: str | None, components: str | None) -> None:
    """Refuse options of a game with sides for another game."""
    for option, value in (("--side", side), ("--components", components)):
        if value is not None and not games.has_sides(game_name):
            hint = "It is for sintra; leave it out."
            raise WrongUsage(Reason(option, f"The game {game_name} has no such thing.", hint))


def boards(game_name: str, side: str | None, components: str | None) -> dict[str, Any]:
    """What options say of a new game's boards, as its ``new_state`` takes it.

    Says so where components are used that are not official.
    """
    check(game_name, side, components)
    options: dict[str, Any] = {}
    if side is not None:
        options["side"] = side
    if components is not None:
        options["parts"] = read_components(components)
    elif games.has_sides(game_name):
        _notice_components()
    return options


def read_components(path: str) -> Components:
    """The components in a file."""
    from azul_ai.position.component_file import load_components  # noqa: PLC0415 (one game's)

    return load_components(path)


def load_position(argument: str, no_count_check: bool, components: str | None) -> Position:
    """The position that an argument stands for; what it leaves out is in a file of components."""
    parts = None if components is None else read_components(components)
    loaded = load(argument, check_counts=not no_count_check, components=parts)
    check(loaded.game, None, components)
    return loaded


def _notice_components() -> None:
    from azul_ai.games import components as package  # noqa: PLC0415 (one game's)

    if not package.default().official:
        output.notice(package.NOTICE)
