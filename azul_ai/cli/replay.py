"""``azul-ai replay``: step through a game on record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click
from rich.console import Group, RenderableType
from rich.text import Text

from azul_ai import game, render
from azul_ai.cli import options, output, terminal, tournament_table
from azul_ai.cli.errors import Reason, WrongUsage
from azul_ai.cli.tournament_options import file_path
from azul_ai.position import Position, from_state
from azul_ai.tournament import records, replay
from azul_ai.tournament.records import Game

SCHEMA = "azul-replay/1"
KEYS = "Enter next   b back   e end   q quit"


class _Step(NamedTuple):
    """A position, and the move or deal that led to it."""

    position: Position
    event: str
    is_deal: bool


@click.command
@click.argument("file", type=file_path, metavar="FILE")
@click.option(
    "--game", "number", type=int, default=0, show_default=True, metavar="N", help="Its id."
)
@options.as_json
@options.quiet
def command(file: Path, number: int, as_json: bool) -> None:
    """Step through a game of a tournament's FILE.

    On a terminal, a key shows the next position; elsewhere all are printed.
    """
    with tournament_table.failures_told():
        played = _find(file, number)
        steps = _steps(played)
    if as_json:
        positions = [{"event": step.event, "position": step.position.code} for step in steps]
        document = {"schema": SCHEMA, "game": number, "positions": positions}
        output.write_json({**document, "points": played.points, "shares": played.shares})
    elif terminal.out().is_terminal:
        _walk(played, steps)
    else:
        for index in range(len(steps)):
            terminal.out().print(_page(played, steps, index))


def _find(file: Path, number: int) -> Game:
    played = records.read(file).games
    if number not in played:
        known = f"It has games {min(played)}-{max(played)}." if played else "It has none yet."
        raise WrongUsage(Reason("--game", f"There is no game {number} in {file}.", known))
    return played[number]


def _steps(played: Game) -> list[_Step]:
    """Every position that has something on the table, or is the last."""
    steps = []
    for state, event in replay.steps(played):
        if event or state["stage"] == game.DECISION:
            steps.append(_Step(from_state(state, played.names), event, "," in event))
    return steps


def _walk(played: Game, steps: Sequence[_Step]) -> None:
    """Show one position at a time, as the keys say."""
    console, index = terminal.out(), 0
    while True:
        console.clear()
        console.print(_page(played, steps, index), Text(KEYS, "dim"))
        match click.getchar():
            case "q" | "\x1b" | "\x04":
                return
            case "b":
                index = max(0, index - 1)
            case "e":
                index = len(steps) - 1
            case _ if index == len(steps) - 1:
                return
            case _:
                index += 1


def _page(played: Game, steps: Sequence[_Step], index: int) -> RenderableType:
    """A position under what led to it; under the last one, the result."""
    position, event, is_deal = steps[index]
    happened = f"deal {event}" if is_deal else event or "start"
    title = Text(f"Game {played.game}, {index} of {len(steps) - 1}: {happened}", "bold")
    parts: list[RenderableType] = [title, render.draw(position)]
    if index == len(steps) - 1:
        parts.append(Text(_result(played), "bold"))
    return Group(*parts, "")


def _result(played: Game) -> str:
    if played.failure is not None:
        return f"{played.names[played.failure.seat]} lost: {played.failure.reason}"
    assert played.points is not None
    results = zip(played.names, played.points, played.ranks, strict=True)
    return "   ".join(f"{name} {points} points, rank {rank:g}" for name, points, rank in results)
