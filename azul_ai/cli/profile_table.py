"""A profile as people read it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from azul_ai.profiling import breakdown
from azul_ai.profiling.compare import Change
from azul_ai.profiling.engines import Rate, recommended
from azul_ai.profiling.report import Profile
from azul_ai.profiling.timing import FINEST, Timing

NOTABLE = 0.05
"""Changes of less than this are dim."""


def render(profile: Profile, changes: Sequence[Change]) -> RenderableType:
    """Everything that is printed for people."""
    parts: list[RenderableType] = [_machine(profile), "", _primitives(profile)]
    for _, of_engine in groupby(profile.engines, key=lambda rate: rate.engine):
        rates = list(of_engine)
        parts += ["", _scaling(rates)]
        if len(rates) > 1:
            parts.append(_recommendation(rates))
        parts += [Group("", _breakdown(rate)) for rate in rates if rate.shares]
    if changes:
        parts += ["", _changes(changes)]
    parts += ["", Text("± half the range of the middle half of the runs", "dim")]
    if profile.quick:
        parts.append(Text("quick: these figures are too rough to use", "yellow"))
    return Group(*parts)


def _machine(profile: Profile) -> Text:
    """What it was measured on, and what had to be waited for before."""
    machine = profile.machine
    load = "" if machine.load is None else f", load {machine.load:g}"
    return Text(
        f"{machine.cpu} ({machine.target}), {machine.cores} cores{load}, {machine.system}\n"
        f"azul-ai {machine.azul_ai}, Python {machine.python}, numba {machine.numba}, "
        f"numpy {machine.numpy}\n"
        f"compiling {profile.compile_s:.1f} s, loading {profile.load_s:.1f} s, "
        f"first runs {profile.warmup_s:.1f} s; calibration {profile.calibration:.3f} ns"
    )


def _titled(title: str, *columns: str) -> tuple[Group, Table]:
    """An empty table under its title: what to print, and where to add the rows."""
    grid = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for number, column in enumerate(columns):
        grid.add_column(column, justify="right" if number else "left", no_wrap=True)
    return Group(Text(title, "bold"), grid), grid


def _primitives(profile: Profile) -> Group:
    title = f"Primitives, {profile.players} players"
    titled, grid = _titled(title, "", "ns", "±", "per second")
    grid.add_column("", style="dim")
    for line in profile.primitives:
        grid.add_row(line.name, *_time(line.timing), line.what)
    return titled


def _time(timing: Timing) -> tuple[str, str, str]:
    """Nanoseconds, their spread, and the rate; no rate where there is nothing to divide by."""
    if timing.ns <= FINEST:
        return f"<{FINEST:g}", f"{timing.spread:,.1f}", ""
    return f"{timing.ns:,.1f}", f"{timing.spread:,.1f}", f"{timing.per_s:,.0f}"


def _scaling(rates: Sequence[Rate]) -> Group:
    """A line for each number of threads."""
    unit = rates[0].unit
    titled, grid = _titled(
        rates[0].engine, "threads", f"{unit} per second", "ns", "±", "efficiency", "depth", "memory"
    )
    for rate in rates:
        ns, spread, per_s = _time(rate.timing)
        efficiency = "" if rate.efficiency is None else f"{rate.efficiency:.0%}"
        memory = f"{rate.memory / 1e6:.1f} MB"
        grid.add_row(str(rate.threads), per_s, ns, spread, efficiency, str(rate.depth), memory)
    return titled


def _recommendation(rates: Sequence[Rate]) -> Text:
    best = recommended(rates)
    gain = best.per_s / rates[0].per_s
    return Text(f"best of these: --threads {best.threads} ({gain:.1f} times the first)", "green")


def _breakdown(rate: Rate) -> Group:
    """Where the time of one thread goes, the parts with their pieces."""
    title = f"{rate.engine}, one thread: share of the time, by {rate.unit}"
    titled, grid = _titled(title, "", "share", "times", "ns each")
    for part, total in breakdown.by_part(rate.shares).items():
        grid.add_row(part, f"{total:.1%}", "", "", style="bold")
        for share in rate.shares:
            if share.part == part != breakdown.OTHER:
                pieces = f"{share.count:.2f}", f"{share.ns:,.1f}"
                grid.add_row(f"  {share.piece}", f"{share.share:.1%}", *pieces)
    return titled


def _changes(changes: Sequence[Change]) -> Group:
    """Before and after, the worst first."""
    titled, grid = _titled("Compared, calibrated", "", "before, ns", "after, ns", "change", "noise")
    for change in changes:
        style = "dim" if abs(change.change) < NOTABLE else ""
        cells = f"{change.before:,.1f}", f"{change.after:,.1f}", f"{change.change:+.1%}"
        grid.add_row(change.name, *cells, f"{change.noise:.1%}", style=style)
    return titled
