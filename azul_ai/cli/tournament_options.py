"""The options of ``azul-ai tournament`` that decide which games are played."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from azul_ai import games
from azul_ai.cli import options, setup
from azul_ai.settings import SettingError
from azul_ai.tournament import players, schedule
from azul_ai.tournament.hypotheses import Hypotheses
from azul_ai.tournament.settings import DEFAULT_GAMES, DEFAULT_SEATS, DEFAULT_SEED, Settings

DEFAULT_GAME = "azul"
COMMENT = "#"

file_path = click.Path(dir_okay=False, path_type=Path)


def _hypotheses(
    _context: click.Context, _option: click.Parameter, value: str | None
) -> Hypotheses | None:
    """Read ``elo0=0,elo1=20,alpha=0.05,beta=0.05``; what is left out has its default."""
    if value is None:
        return None
    known = list(Hypotheses.__dataclass_fields__)
    given: dict[str, float] = {}
    for item in filter(None, value.split(",")):
        key, _, number = item.partition("=")
        if key not in known or key in given:
            raise click.BadParameter(f"{item!r}: give {', '.join(f'{k}=N' for k in known)}.")
        try:
            given[key] = float(number)
        except ValueError:
            raise click.BadParameter(f"{key}: {number!r} is not a number.") from None
    try:
        return Hypotheses(**given)
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None


deciding = options.combined(
    click.option(
        "--player",
        "entrants",
        multiple=True,
        metavar="KEY=VALUE,…",
        help="A player: engine=… (ismcts, expectimax, greedy, random, process), name=…, a limit "
        "(time=…, iterations=…, nodes=…, depth=…) and settings of the engine. Give two or more.",
    ),
    click.option(
        "--players",
        "file",
        type=file_path,
        metavar="FILE",
        help="Players from a TOML file: tables [[players]] with the same keys.",
    ),
    click.option(
        "--game", type=click.Choice(games.NAMES), help=f"Which game.  [default: {DEFAULT_GAME}]"
    ),
    setup.side,
    setup.components,
    click.option(
        "--seats",
        type=click.IntRange(2, 4),
        metavar="N",
        help=f"Seats at a table.  [default: {DEFAULT_SEATS}]",
    ),
    click.option(
        "--games",
        type=int,
        metavar="N",
        callback=options.at_least(1),
        help="Games of every pairing, rounded up to whole groups: one deal with every seating.  "
        f"[default: {DEFAULT_GAMES}; all --deals; with --sprt, until it decides]",
    ),
    options.optional_seed,
    click.option("--gauntlet", is_flag=True, help="Only the first player against each other one."),
    click.option(
        "--deals",
        type=file_path,
        metavar="FILE",
        help="A line for each deal: its seed, or the tiles that come out of the bag first.",
    ),
    click.option(
        "--positions",
        multiple=True,
        metavar="POSITION",
        help="Start from this position; if given several times, they take turns.",
    ),
    click.option(
        "--sprt",
        metavar="KEY=VALUE,…",
        callback=_hypotheses,
        help="Stop when the games decide between elo0=0 and elo1=20 with the probabilities of "
        "error alpha=0.05 and beta=0.05.",
    ),
    click.option("--strict", is_flag=True, help="Stop at the first failure of a bot."),
)
"""All of them are kept in the record, and none may be given again with ``--resume``."""


def refuse_all(given: dict[str, Any]) -> None:
    """Refuse options that a record already has.

    :raises click.UsageError: one is given.
    """
    names = {"entrants": "player", "file": "players"}
    clash = [names.get(name, name) for name, value in given.items() if value]
    if clash:
        listed = ", ".join(f"--{name}" for name in clash)
        raise click.UsageError(
            f"{listed}: --resume takes all settings from the file. Leave them out, or begin a "
            "new tournament with --out."
        )


def settings(given: dict[str, Any]) -> Settings:
    """The settings that options stand for, checked.

    :raises SettingError: they cannot be played.
    :raises PositionError: a position cannot be read.
    """
    entrants = [players.parse(text, f"player[{i}]") for i, text in enumerate(given["entrants"])]
    if given["file"] is not None:
        entrants += players.load(given["file"])
    components = given["components"]
    starts = [setup.load_position(argument, False, components) for argument in given["positions"]]
    game = given["game"] or (starts[0].game if starts else DEFAULT_GAME)
    boards = {} if starts else setup.boards(game, given["side"], components)
    deals = _deals(given["deals"])
    chosen = Settings(
        game=game,
        players=tuple(entrants),
        seats=given["seats"] or (len(starts[0].players) if starts else DEFAULT_SEATS),
        games=given["games"],
        seed=DEFAULT_SEED if given["seed"] is None else given["seed"],
        gauntlet=given["gauntlet"],
        deals=tuple(deals),
        positions=tuple(start.code for start in starts),
        sprt=given["sprt"],
        strict=given["strict"],
        side=given["side"],
        components=boards.get("parts"),
    )
    return schedule.complete(chosen)


def _deals(path: Path | None) -> Sequence[str]:
    """The lines of a file of deals, without comments; letters in capitals and without gaps."""
    if path is None:
        return []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingError("deals", f"{path} cannot be read: {error}") from None
    plain = ["".join(line.partition(COMMENT)[0].replace(",", " ").split()) for line in lines]
    found = [line.upper() for line in plain if line]
    if not found:
        raise SettingError("deals", f"{path} has no deals", "write a seed or tiles on each line")
    return found
