"""``azul-ai analyze``: the moves of a position, ranked."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import click
from rich.live import Live
from rich.text import Text

from azul_ai import game, render
from azul_ai.analyzer import analyze
from azul_ai.cli import analysis_table, explanation_table, kernels, options, output, setup, terminal
from azul_ai.cli.errors import INTERRUPTED
from azul_ai.engine import Progress
from azul_ai.evaluation.interface import DIFF, WIN
from azul_ai.notation import format_move
from azul_ai.position import Position, to_state
from azul_ai.settings import Limit

LIMITS = ("time", "iterations", "nodes", "depth")


@click.command
@options.position
@options.limits
@options.engine
@options.objective
@options.seed
@options.threads
@options.memory
@options.moves_considered
@options.rows
@options.explain
@options.as_json
@options.quiet
@setup.board_components
@options.no_count_check
def command(
    position: str, as_json: bool, components: str | None, no_count_check: bool, **request: Any
) -> None:
    """Rank the moves of a position.

    Prints each move's chance to win and expected points, best move first, for the player to
    move. Ctrl-C stops the search and prints the best so far.
    """
    loaded = setup.load_position(position, no_count_check, components)
    on_offer = any(loaded.factories) or loaded.center.strip("1")
    needed = (game.list_moves,) if on_offer else (game.close_round, game.result)
    kernels.ready(loaded.game, *needed)
    given = {name: value for name, value in request.items() if value is not None}
    if "chance" in given:
        given["settings"] = {**given["settings"], "chance": given.pop("chance")}
    limit = Limit(**{name: given.pop(name) for name in LIMITS if name in given})
    with _progress(loaded) as on_progress:
        analysis = analyze(
            loaded, limit=limit, on_compile=output.notice, on_progress=on_progress, **given
        )
    if as_json:
        output.write_json(analysis.to_dict())
    else:
        console = terminal.out()
        console.print(analysis_table.table(analysis, render.headline(loaded)))
        if analysis.explanation:
            console.print(
                "", explanation_table.table(analysis.explanation, analysis.game), sep="\n"
            )
        terminal.print_code(console, loaded)
    if analysis.interrupted:
        click.get_current_context().exit(INTERRUPTED)


@contextlib.contextmanager
def _progress(position: Position) -> Iterator[Callable[[Progress], None] | None]:
    """A line that follows the search, on a terminal only."""
    console = terminal.err()
    if not console.is_terminal or output.is_quiet():
        yield None
        return
    state = to_state(position)
    with Live(console=console, transient=True) as live:
        yield lambda progress: live.update(_progress_line(state, progress))


def _progress_line(state: Any, progress: Progress) -> Text:
    best = progress.found.moves[0]
    own = best.values[state["mover"]]
    found = f"{format_move(state, best.move)}  win {100 * own[WIN]:.1f} %  diff {own[DIFF]:+.1f}"
    return Text(f"{progress.seconds:5.1f} s  {progress.nodes:>11,} nodes  best so far {found}")
