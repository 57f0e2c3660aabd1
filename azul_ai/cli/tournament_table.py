"""A tournament's figures as people read them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from azul_ai.cli.errors import BadPosition, Failure, Reason
from azul_ai.tournament.executors import WorkersError
from azul_ai.tournament.figures import Elo, PairFigures, PlayerFigures, Report
from azul_ai.tournament.records import RecordError, WriteError
from azul_ai.tournament.sprt import SequentialTest
from azul_ai.tournament.statistics import Estimate
from azul_ai.tournament.worker import VersionError

FAILURES_SHOWN = 5
UNKNOWN = "-"


@contextlib.contextmanager
def failures_told() -> Iterator[None]:
    """Give the errors of tournaments their exit codes."""
    try:
        yield
    except WriteError as error:
        raise Failure(Reason(error.place, error.reason, error.hint)) from None
    except RecordError as error:
        raise BadPosition(Reason(error.place, error.reason, error.hint)) from None
    except (WorkersError, VersionError) as error:
        raise Failure(Reason("", str(error))) from None


class _Column(NamedTuple):
    """A column of the players' table: its header, and the text of a cell."""

    header: str
    cell: Callable[[PlayerFigures], str]


class _PairColumn(NamedTuple):
    """A column of the pairs' table."""

    header: str
    cell: Callable[[PairFigures], str]


def render(report: Report) -> RenderableType:
    """Everything that is printed for people."""
    parts: list[RenderableType] = [_players(report)]
    if report.pairs:
        parts += ["", _pairs(report)]
    parts += ["", _first_player(report)]
    if report.sprt is not None:
        parts.append(test_line(report.sprt))
    if report.incomplete:
        parts.append(Text(f"{report.incomplete} games outside whole groups do not count", "yellow"))
    parts += [Text(line, "red") for line in _failures(report)]
    parts.append(
        Text("± one standard error, over deals. Lead: points ahead of the best other.", "dim")
    )
    return Group(*parts)


def test_line(test: SequentialTest) -> Text:
    """Where a sequential test stands."""
    tested = test.hypotheses
    line = Text(
        f"SPRT of Elo {tested.elo0:g} and {tested.elo1:g}, {test.groups} groups: LLR "
        f"{test.llr:+.2f} ({tested.lower:.2f}, {tested.upper:.2f}), "
    )
    if test.decision is None:
        return line.append("undecided")
    return line.append(f"{test.decision} accepted", "bold green")


def _players(report: Report) -> Table:
    """Best first. Ranks only where more than two sit at a table."""
    many = report.first_even is not None and report.first_even < 0.5
    columns = [
        _Column("Games", lambda player: str(player.games)),
        _Column("W-L-T", lambda player: f"{player.wins}-{player.losses}-{player.ties}"),
        _Column("Score%", lambda player: _estimate(player.score, 100)),
        *([_Column("Rank", lambda player: f"{player.rank.mean or 0:.2f}")] if many else []),
        _Column("Rating", lambda player: _number(player.rating.elo, player.rating.se, "+.0f")),
        _Column("Points", lambda player: _estimate(player.points)),
        _Column("Lead", lambda player: _estimate(player.diff, sign="+")),
        _Column("Failed", lambda player: str(player.failures)),
    ]
    table = Table("Player", box=None, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(column.header, justify="right", no_wrap=True)
    for player in sorted(report.players, key=lambda player: -player.rating.elo):
        table.add_row(player.name, *(column.cell(player) for column in columns))
    return table


def _pairs(report: Report) -> Table:
    """Elo differences and pairs of games only where two sit at a table."""
    columns = [
        _PairColumn("Score%", lambda pair: _estimate(pair.score, 100)),
        _PairColumn("LOS%", lambda pair: UNKNOWN if pair.los is None else f"{100 * pair.los:.1f}"),
        _PairColumn("Lead", lambda pair: _estimate(pair.diff, sign="+")),
    ]
    if any(pair.alone for pair in report.pairs):
        columns.insert(1, _PairColumn("Elo [95 %]", lambda pair: _elo(pair.elo)))
    if any(pair.pentanomial for pair in report.pairs):
        columns.append(_PairColumn("Pairs 0-½-1-1½-2", _pentanomial))
    table = Table("Player", "against", box=None, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(column.header, justify="right", no_wrap=True)
    for pair in report.pairs:
        table.add_row(pair.a, pair.b, *(column.cell(pair) for column in columns))
    return table


def _pentanomial(pair: PairFigures) -> str:
    return "-".join(map(str, pair.pentanomial)) if pair.pentanomial else UNKNOWN


def _elo(elo: Elo) -> str:
    """Elo difference and interval; an end that is not known is infinite."""
    if elo.low is None and elo.high is None:
        return UNKNOWN
    low = "-∞" if elo.low is None else f"{elo.low:+.0f}"
    high = "+∞" if elo.high is None else f"{elo.high:+.0f}"
    mean = "" if elo.mean is None else f"{elo.mean:+.0f} "
    return f"{mean}[{low}, {high}]"


def _first_player(report: Report) -> Text:
    score, even = report.first_score, report.first_even
    if score.mean is None or even is None:
        return Text("No whole group of games is finished yet")
    return Text(
        f"First player: {_estimate(score, 100)} % of the wins (even: {100 * even:.1f} %), "
        f"lead {_estimate(report.first_diff, sign='+')} points"
    )


def _failures(report: Report) -> list[str]:
    lines = [
        f"{failure['player']} lost game {failure['game']}: {failure['reason']}"
        for failure in report.failures[:FAILURES_SHOWN]
    ]
    more = len(report.failures) - len(lines)
    return [*lines, f"… and {more} more failures"] if more else lines


def _estimate(estimate: Estimate, scale: float = 1, digits: int = 1, sign: str = "") -> str:
    if estimate.mean is None:
        return UNKNOWN
    se = None if estimate.se is None else scale * estimate.se
    return _number(scale * estimate.mean, se, f"{sign}.{digits}f")


def _number(value: float, error: float | None, form: str) -> str:
    """A value and its error, with the same digits."""
    shown = UNKNOWN if error is None else format(error, form.removeprefix("+"))
    return f"{value:{form}} ±{shown}"
