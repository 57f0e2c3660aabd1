"""``azul-ai tournament``: which bot is stronger, by how much, and is that established."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
from rich.console import Group
from rich.live import Live
from rich.text import Text

from azul_ai.cli import options, output, terminal, tournament_options, tournament_table
from azul_ai.cli.errors import INTERRUPTED, Failure
from azul_ai.cli.tournament_options import file_path
from azul_ai.tournament import executors, records, report, runner, schedule, worker
from azul_ai.tournament import plot as plotting
from azul_ai.tournament.executors import Workers
from azul_ai.tournament.records import Game, Record
from azul_ai.tournament.session import Session
from azul_ai.version import __version__

REFRESH_SECONDS = 0.5
REFRESH_SHARE = 20
"""Drawing the live table may take one part in so many of the time."""


@click.command
@tournament_options.deciding
@click.option("--out", type=file_path, metavar="FILE", help="Keep every game here (JSON Lines).")
@click.option("--resume", type=file_path, metavar="FILE", help="Go on with a kept tournament.")
@options.workers
@click.option(
    "--plot", type=file_path, metavar="FILE", help="Draw scores and cross table into an SVG file."
)
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
    plot: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Play a tournament between bots, and say which is stronger.

    Games come in groups, one deal order with every seating, so that luck cancels. All chance
    depends on deal, seat and move, never on the bot. A tournament that was stopped goes on
    with --resume FILE.
    """
    exit_code = 0
    with tournament_table.failures_told(), _opened(given, out, resume) as session:
        workers = executors.cluster(scheduler) if scheduler else executors.processes(concurrency)
        try:
            _play(context, session, workers)
        except KeyboardInterrupt:
            exit_code = INTERRUPTED
        except runner.StrictError as error:
            output.notice(f"stopped: {error}")
            exit_code = Failure.exit_code
        # What is on record counts, also where Ctrl-C came between writing and counting a game.
        kept = out or resume
        record = records.read(kept) if kept else session.record
        figures = report.of_records({str(kept): record})
        if plot is not None:
            plotting.save(figures, plot)
    if as_json:
        output.write_json(figures.to_dict())
    else:
        terminal.out().print(tournament_table.render(figures))
    if exit_code:
        context.exit(exit_code)


@contextlib.contextmanager
def _opened(given: dict[str, Any], out: Path | None, resume: Path | None) -> Iterator[Session]:
    """The tournament that the options mean: a new one, or one that goes on."""
    if resume is not None:
        tournament_options.refuse_all({**given, "out": out})
        record, writer = records.resume(resume)
        with writer:
            yield Session(record, writer)
        return
    settings = tournament_options.settings(given)
    for entrant in settings.players:
        worker.bot_of(entrant, settings.game)
    record = Record(settings, __version__, {}, 0)
    if out is None:
        output.notice("games are not kept: give --out FILE to keep them and to go on later")
        yield Session(record)
        return
    with records.create(out, settings) as writer:
        yield Session(record, writer)


def _play(
    context: click.Context, session: Session, workers: contextlib.AbstractContextManager[Workers]
) -> None:
    """Play what is missing, showing how it goes."""
    settings, done = session.record.settings, frozenset(session.record.games)
    if session.decided or len(done) == schedule.total_games(settings):
        return
    first = next(schedule.groups(settings))
    worker.prepare(settings.game, first.start, settings.seats, settings.players, output.notice)
    with workers as pool, _progress(context, session) as show:

        def keep(games: list[Game]) -> bool:
            decided = session.keep(games)
            show()
            return decided

        runner.run(settings, done, pool, keep)


@contextlib.contextmanager
def _progress(context: click.Context, session: Session) -> Iterator[Callable[[], None]]:
    """A table that follows the games, on a terminal only."""
    console = terminal.err()
    if not console.is_terminal or context.meta.get(output.QUIET):
        yield lambda: None
        return
    start = due = time.monotonic()
    with Live(console=console, transient=True, auto_refresh=False) as live:

        def show() -> None:
            nonlocal due
            before = time.monotonic()
            if before >= due:
                figures = report.of_records({"": session.record}, final=False)
                status = _status(session, before - start)
                live.update(Group(tournament_table.render(figures), status), refresh=True)
                cost = time.monotonic() - before
                due = before + max(REFRESH_SECONDS, REFRESH_SHARE * cost)

        show()
        yield show


def _status(session: Session, seconds: float) -> Text:
    """How far the tournament is."""
    total = schedule.total_games(session.record.settings)
    games = f"{len(session.record.games)} of {total}" if total else str(len(session.record.games))
    line = Text(f"{games} games, {seconds:.0f} s")
    if session.test is not None:
        line.append("   ").append(tournament_table.test_line(session.test))
    return line
