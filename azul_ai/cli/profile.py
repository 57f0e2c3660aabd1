"""``azul-ai profile``: how fast everything is, where the time goes, and what got slower."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from rich.status import Status

from azul_ai import bench, engine
from azul_ai.cli import errors, options, output, profile_table, terminal
from azul_ai.position import load
from azul_ai.profiling import compare
from azul_ai.profiling.compare import Change, RecordError
from azul_ai.profiling.engines import WORK
from azul_ai.profiling.report import profile
from azul_ai.profiling.timing import FULL, QUICK

DEFAULT_THREADS = (1, 2, 4)
FILE = click.Path(dir_okay=False, path_type=Path)


def _threads(
    _context: click.Context, _option: click.Parameter, value: str | None
) -> tuple[int, ...]:
    if value is None:
        cores = engine.default_threads(engine.Limit(time=1.0))
        return tuple(number for number in DEFAULT_THREADS if number <= cores)
    parts = value.split(",")
    if not all(re.fullmatch(r"[1-9]\d{0,3}", part.strip(), re.ASCII) for part in parts):
        raise click.BadParameter(f"{value!r} is no list of threads; give for example 1,2,4.")
    return tuple(sorted({int(part) for part in parts}))


def _percent(
    _context: click.Context, _option: click.Parameter, value: str | None
) -> float | None:
    try:
        return None if value is None else compare.percent(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command
@click.argument("position", metavar="[POSITION]", required=False)
@click.option(
    "--engine",
    "engines",
    type=click.Choice(tuple(WORK)),
    multiple=True,
    help="Only this engine; may be given several times.  [default: all]",
)
@click.option(
    "--threads",
    metavar="N,…",
    callback=_threads,
    help="Numbers of threads to measure the engines with.  [default: 1,2,4, up to the cores]",
)
@click.option("--quick", is_flag=True, help="A fraction of the runs: to try it, not for figures.")
@click.option("--save", type=FILE, metavar="FILE", help="Keep the figures, for --compare.")
@click.option(
    "--compare",
    "record",
    type=FILE,
    metavar="FILE",
    help="Compare with figures kept by --save.",
)
@click.option(
    "--fail-if",
    metavar="P%",
    callback=_percent,
    help="With --compare: exit with 1 if a line got slower by more than so many percent.",
)
@click.option("--plot", type=FILE, metavar="FILE.svg", help="Draw it (needs the extra `plot`).")
@options.as_json
@options.no_count_check
@options.quiet
def command(
    position: str | None,
    engines: tuple[str, ...],
    threads: tuple[int, ...],
    quick: bool,
    record: Path | None,
    fail_if: float | None,
    no_count_check: bool,
    **results: Any,
) -> None:
    """Measure the speed of rules and engines on a position, an opening if none is given.

    Takes about a minute, on an otherwise idle machine. Times are medians of 10 runs (or of what
    3 seconds allow). Compared are times divided by those of a fixed calculation, so that
    records of a busier or slower machine can be used, too.
    """
    if fail_if is not None and record is None:
        raise click.UsageError("--fail-if needs --compare FILE.")
    loaded = load(position or bench.positions()[0], check_counts=not no_count_check)
    with _failures_told():
        before = compare.load(record) if record else None
        with _steps_shown() as on_step:
            measured = profile(
                loaded,
                engines or tuple(WORK),
                threads,
                QUICK if quick else FULL,
                on_step,
                output.notice,
            )
        document = measured.to_dict()
        changes = compare.compare(before, document) if before else ()
    slower = [change for change in changes if fail_if is not None and change.exceeds(fail_if)]
    _write(document, results)
    if results["as_json"]:
        comparison = {"comparison": list(map(_change, changes))} if before else {}
        output.write_json({**document, **comparison})
    else:
        terminal.out().print(profile_table.render(measured, changes, slower))
    if slower:
        names = ", ".join(change.name for change in slower)
        output.notice(f"slower than in {record} by more than {fail_if:.4g}: {names}")
        click.get_current_context().exit(1)
