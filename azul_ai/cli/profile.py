"""``azul-ai profile``: how fast everything is, where the time goes, and what got slower."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from azul_ai import bench, engine
from azul_ai.cli import options, output, profile_table, setup, terminal
from azul_ai.cli.errors import BadPosition, Failure, Reason
from azul_ai.profiling import compare, plot, report
from azul_ai.profiling.compare import Change, RecordError
from azul_ai.profiling.engines import WORK
from azul_ai.profiling.report import Profile
from azul_ai.profiling.timing import FULL, QUICK

DEFAULT_THREADS = (1, 2, 4)
FILE = click.Path(dir_okay=False, path_type=Path)


def _threads(
    _context: click.Context, _option: click.Parameter, value: str | None
) -> tuple[int, ...]:
    if value is None:
        cores = engine.local_cores()
        return tuple(number for number in DEFAULT_THREADS if number <= cores)
    parts = [part.strip() for part in value.split(",")]
    if not all(re.fullmatch(r"[1-9]\d{0,2}", part, re.ASCII) for part in parts):
        raise click.BadParameter(f"{value!r} is no list of threads; give for example 1,2,4.")
    return tuple(sorted(set(map(int, parts))))


def _percent(_context: click.Context, _option: click.Parameter, value: str | None) -> float | None:
    try:
        return None if value is None else compare.percent(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command
@click.argument("position", metavar="[POSITION]", default=lambda: bench.positions()[0])
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
    "--compare", "record", type=FILE, metavar="FILE", help="Compare with figures kept by --save."
)
@click.option(
    "--fail-if",
    metavar="P%",
    callback=_percent,
    help="With --compare: exit with 1 if a line got slower by more than so many percent.",
)
@click.option(
    "--plot", "drawing", type=FILE, metavar="FILE.svg", help="Draw it (needs the extra `plot`)."
)
@options.as_json
@setup.board_components
@options.no_count_check
@options.quiet
def command(
    position: str,
    engines: tuple[str, ...],
    threads: tuple[int, ...],
    quick: bool,
    components: str | None,
    no_count_check: bool,
    **wanted: Any,
) -> None:
    """Measure rules and engines on a position, an opening of two players if none is given.

    Takes about a minute, and a machine that does nothing else. Times are medians of 10 runs, or
    of what 3 seconds allow. Compared are times divided by that of a fixed calculation, so that
    a busier or slower machine does not count as a slower program.
    """
    results = _Results(**wanted)
    if results.fail_if is not None and results.record is None:
        raise click.UsageError("--fail-if needs --compare FILE.")
    loaded = setup.load_position(position, no_count_check, components)
    before = results.load(loaded.code, quick)
    if results.drawing:
        plot.require()
    plan = QUICK if quick else FULL
    with _steps_shown() as on_step:
        measured = report.profile(
            loaded, engines or tuple(WORK), threads, plan, on_step, output.notice
        )
    results.write(measured, before)


@dataclass(frozen=True)
class _Results:
    """What is to be done with the figures: the command's options."""

    save: Path | None
    record: Path | None
    fail_if: float | None
    drawing: Path | None
    as_json: bool

    def load(self, code: str, quick: bool) -> Mapping[str, Any] | None:
        """The figures to compare with."""
        if self.record is None:
            return None
        try:
            return compare.load(self.record, code, quick)
        except RecordError as error:
            raise BadPosition(Reason(str(error.path), error.reason, error.hint)) from None

    def write(self, measured: Profile, before: Mapping[str, Any] | None) -> None:
        """Print, save and draw the figures; fail if a line got too slow."""
        document = measured.to_dict()
        changes = compare.compare(before, document) if before else ()
        if not self.as_json:
            terminal.out().print(profile_table.render(measured, changes))
        if self.save:
            text = json.dumps(document, indent=1, allow_nan=False)
            self.save.write_text(f"{text}\n", encoding="utf-8")
        if self.drawing:
            plot.save(measured, self.drawing)
        if self.fail_if is not None:
            slower = [change for change in changes if change.exceeds(self.fail_if)]
            if slower:
                raise Failure(*(Reason(c.name, _slower(c, self.record)) for c in slower))
        if self.as_json:
            if before:
                document["comparison"] = [dataclasses.asdict(change) for change in changes]
            output.write_json(document)


def _slower(change: Change, record: Path | None) -> str:
    times = f"{change.before:.4g} → {change.after:.4g} ns"
    return f"{100 * change.change:.0f} % slower than in {record}, calibrated ({times})"


@contextlib.contextmanager
def _steps_shown() -> Iterator[Callable[[str], None]]:
    """A line that says what is being measured, on a terminal only."""
    console = terminal.err()
    if not console.is_terminal or output.is_quiet():
        yield lambda _: None
        return
    with console.status("measuring") as status:
        yield lambda step: status.update(f"measuring {step}")
