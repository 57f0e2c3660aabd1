"""``azul-ai train``: learn an evaluation from games against itself."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from azul_ai import games
from azul_ai.cli import options, output, setup, terminal
from azul_ai.cli.errors import INTERRUPTED, Failure, Reason
from azul_ai.tournament import executors
from azul_ai.tournament.executors import WorkersError
from azul_ai.tournament.records import RecordError
from azul_ai.training import run as runs
from azul_ai.training import steps
from azul_ai.training.fitting import Recipe
from azul_ai.training.layers import Quality
from azul_ai.training.run import NETWORK, Plan, Run, RunError
from azul_ai.training.samples import SamplesError

EVERY = 30.0
"""Seconds between two lines where no progress can be drawn."""

_directory = click.Path(file_okay=False, path_type=Path)


def _count(name: str, default: int, text: str) -> Any:
    return click.option(
        name,
        type=int,
        default=default,
        show_default=True,
        metavar="N",
        callback=options.at_least(1),
        help=text,
    )


_plan = options.combined(
    click.option("--game", type=click.Choice(games.NAMES), default="azul", show_default=True),
    click.option("--players", type=click.IntRange(2, 4), default=2, show_default=True),
    setup.side_option("both in turn"),
    options.optional_seed,
    _count("--generations", 3, "Rounds of self-play, fitting and the gate."),
    _count("--games", 20_000, "Games of self-play in a generation."),
    _count("--iterations", 200, "ISMCTS iterations for each move of self-play."),
    _count("--window", 3, "Learn from the samples of so many generations; older ones go."),
    _count("--epochs", Recipe.epochs, "How often all samples are gone through, at most."),
    click.option(
        "--searched",
        type=click.FloatRange(0, 1),
        default=Recipe.searched,
        show_default=True,
        help="Weight of what searches found beside how the game ended.",
    ),
    _count("--gate-games", 400, "Games that decide whether a network is stronger, at most."),
    _count("--gate-iterations", 1000, "ISMCTS iterations for each move there."),
    click.option(
        "--gate-elo",
        type=click.FloatRange(0, min_open=True),
        default=30.0,
        show_default=True,
        help="The gate tells so many Elo from none.",
    ),
)


@click.command
@click.option("--out", type=_directory, metavar="DIR", help="Begin a run in this directory.")
@click.option("--resume", type=_directory, metavar="DIR", help="Go on with a run.")
@_plan
@options.workers
@options.as_json
@options.quiet
@click.pass_context
def command(
    context: click.Context,
    /,
    out: Path | None,
    resume: Path | None,
    concurrency: int | None,
    scheduler: str | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Learn an evaluation from games against itself.

    In each generation the strongest network so far plays against itself, a new one is fitted to
    what was seen, and takes over if a match says that it is stronger. Use the result with
    --set evaluation=DIR/network.npz. A run that was stopped goes on with --resume DIR.
    """
    run = _opened(context, out, resume, given)
    workers = executors.cluster(scheduler) if scheduler else executors.processes(concurrency)
    exit_code = 0
    try:
        with workers as pool, _shown(context) as watch:
            steps.train(run, pool, watch, output.notice)
    except KeyboardInterrupt:
        exit_code = INTERRUPTED
        output.notice(f"stopped; go on with: azul-ai train --resume {run.directory}")
    except (RecordError, SamplesError, WorkersError, OSError) as error:
        hint = f"what is finished is kept; go on with azul-ai train --resume {run.directory}"
        raise Failure(Reason("train", str(error), hint)) from None
    done = [generation.report for generation in run.generations() if generation.is_done]
    network = run.directory / NETWORK
    if as_json:
        path = str(network) if network.exists() else None
        output.write_json({"schema": "azul-training/1", "network": path, "generations": done})
    else:
        terminal.out().print(_table(done))
        if network.exists():
            terminal.out().print(f"Use it with --set evaluation={network}", soft_wrap=True)
    if exit_code:
        context.exit(exit_code)


def _opened(
    context: click.Context, out: Path | None, resume: Path | None, given: dict[str, Any]
) -> Run:
    """The run that the options mean: a new one, or one that goes on."""
    if (out is None) == (resume is None):
        raise click.UsageError("Give --out DIR to begin a run, or --resume DIR to go on with one.")
    try:
        if resume is not None:
            source = click.core.ParameterSource.COMMANDLINE
            clash = [name for name in given if context.get_parameter_source(name) is source]
            if clash:
                listed = ", ".join(f"--{name.replace('_', '-')}" for name in clash)
                raise click.UsageError(f"{listed}: --resume takes the plan from the directory.")
            return runs.resume(resume)
        assert out is not None
        setup.boards(given["game"], given["side"], None)
        seed = 1 if given["seed"] is None else given["seed"]
        return runs.create(out, Plan(**{**given, "seed": seed}))
    except (RunError, OSError) as error:
        raise Failure(Reason("train", str(error), "")) from None


class _Watch:
    """Shows how far a run is, elsewhere than on a terminal by a line now and then."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._tasks: dict[tuple[int, str], TaskID] = {}
        self._told = time.monotonic()

    def _show(self, generation: int, step: str, text: str, done: int, total: int | None) -> None:
        line = f"generation {generation}: {step}, {text}"
        if self._progress is None:
            if time.monotonic() - self._told >= EVERY:
                self._told = time.monotonic()
                output.notice(line)
            return
        key = generation, step
        if key not in self._tasks:
            self._tasks[key] = self._progress.add_task("", total=total)
        self._progress.update(self._tasks[key], description=line, completed=done, total=total)

    def played(self, generation: int, done: int, total: int) -> None:
        self._show(generation, "self-play", f"{done} of {total} chunks", done, total)

    def fitted(self, generation: int, epoch: int, quality: Quality) -> None:
        text = f"epoch {epoch}, Brier score {quality.brier:.4f}"
        self._show(generation, "fitting", text, epoch, None)

    def gated(self, generation: int, games: int, score: float, llr: float) -> None:
        text = f"{games} games, {100 * score:.1f} %, LLR {llr:+.2f}"
        self._show(generation, "gate", text, games, None)

    def finished(self, generation: int, document: dict[str, Any]) -> None:
        verdict = "accepted" if document["accepted"] else "not accepted"
        output.notice(f"generation {generation}: {verdict} after {document['gate']['games']} games")


@contextlib.contextmanager
def _shown(context: click.Context) -> Iterator[_Watch]:
    console = terminal.err()
    if not console.is_terminal or context.meta.get(output.QUIET):
        yield _Watch(None)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        yield _Watch(progress)


def _table(done: list[dict[str, Any]]) -> Table:
    """What came of each generation."""
    table = Table("Generation", "Games", "Samples", "Brier", "Points ±", "Score%", "Accepted")
    for report in done:
        pairs = report["pairs"]
        table.add_row(
            str(report["generation"]),
            f"{report['games']:,}",
            f"{report['samples']:,}",
            f"{report['quality']['brier']:.4f}",
            f"{report['quality']['points']:.1f}",
            f"{100 * pairs[0]['score']:.1f}" if pairs else "",
            "yes" if report["accepted"] else "no",
        )
    return table
