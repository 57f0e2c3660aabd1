"""An analysis as people read it: headline, table of moves, and what the search cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from azul_ai.analysis import Analysis, MoveValue, PlayerValue


@dataclass(frozen=True)
class _Column:
    """A column of numbers: its header, a cell's text ("" if not known), and its explanation."""

    header: str
    cell: Callable[[MoveValue], str]
    meaning: str = ""


def table(analysis: Analysis, headline: Text) -> RenderableType:
    """Everything that is printed for people."""
    parts: list[RenderableType] = [headline, _verdict(analysis)]
    if analysis.best and analysis.best.vector:
        parts.append(_all_players(analysis.best.vector))
    parts.append("")
    if analysis.moves:
        columns = _columns(analysis)
        parts += [_moves(analysis, columns), "", _legend(columns, analysis.moves), _cost(analysis)]
    parts += [Text(warning, "yellow") for warning in analysis.warnings]
    if analysis.advice:
        parts.append(Text(analysis.advice))
    return Group(*parts)


def _verdict(analysis: Analysis) -> Text:
    """The best move and what it is worth, in a sentence."""
    root, player = analysis.root, f"player {analysis.pov}"
    worth = f"{100 * root.win:.1f} % to win, {root.points:.1f} points, {root.diff:+.1f} difference"
    if analysis.best is None:
        return Text(f"Result of {player}: {worth}")
    return Text.assemble("Best: ", (analysis.best.move, "bold green"), f" ({player}: {worth})")


def _all_players(vector: Sequence[PlayerValue]) -> Text:
    """With three or more players, what the best move means for each."""
    parts = [
        f"player {number} {100 * value.win:.1f} %, {value.points:.1f} points"
        for number, value in enumerate(vector, 1)
    ]
    return Text("After it: " + "; ".join(parts))


def _columns(analysis: Analysis) -> list[_Column]:
    """The columns of numbers; errors only where some are known."""
    by_points = analysis.objective == "diff"
    by_depth = analysis.engine.name == "expectimax"
    columns = [
        _Column("Win%", lambda move: _bound(move) + f"{100 * move.win:.1f}", "chance to win"),
        _Column("±", lambda move: _error(move.win_se, 100), "standard error"),
        _Column(
            "Diff", lambda move: _bound(move) + f"{move.diff:+.1f}", "expected lead at the end"
        ),
        _Column("±", lambda move: _error(move.diff_se, 1)),
        _Column("Points", lambda move: f"{move.points:.1f}", "expected final points"),
        _Column(
            "Loss" if by_points else "Loss%",
            lambda move: f"{move.loss:.1f}" if by_points else f"{100 * min(move.loss, 1):.1f}",
            "how much worse than the best",
        ),
        _Column("Depth", lambda move: str(move.depth), "moves searched ahead")
        if by_depth
        else _Column("Visits", lambda move: f"{move.visits:,}"),
    ]
    return [column for column in columns if any(map(column.cell, analysis.moves))]


def _moves(analysis: Analysis, columns: list[_Column]) -> Table:
    grid = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    # The line of replies gives way where the terminal is narrow, never a number.
    ranks = max(len(_rank(move)) for move in analysis.moves)
    grid.add_column("#", justify="right", no_wrap=True, min_width=ranks)
    names = max(len(_name(move)) for move in analysis.moves)
    grid.add_column("Move", no_wrap=True, min_width=names)
    for column in columns:
        width = max(map(len, [column.header, *map(column.cell, analysis.moves)]))
        grid.add_column(column.header, justify="right", no_wrap=True, min_width=width)
    grid.add_column("PV", no_wrap=True, overflow="ellipsis", ratio=1)
    for move in analysis.moves:
        numbers = [column.cell(move) for column in columns]
        style = "green" if move.order == 1 else ""
        line = " ".join(move.pv[1:])
        grid.add_row(_rank(move), _name(move), *numbers, line, style=style)
    return grid


def _rank(move: MoveValue) -> str:
    """The place in the order; moves within two errors of the best share its rank."""
    close = move.order > 1 and move.loss_se is not None and move.loss <= 2 * move.loss_se
    return "≈1" if close else str(move.order)


def _name(move: MoveValue) -> Text:
    """The move, and the numbers of the other displays that offer the same."""
    also = [name.split("-")[0] for name in move.also]
    return Text.assemble(move.move, (f" ={','.join(also)}" if also else "", "dim"))


def _bound(move: MoveValue) -> str:
    """Marks the value of a move that can only be worse than that."""
    return "≤" if move.bound == "upper" else ""


def _error(error: float | None, unit: int) -> str:
    return "" if error is None else f"{unit * error:.1f}"


def _legend(columns: list[_Column], moves: Sequence[MoveValue]) -> Text:
    """What the columns mean."""
    meanings = [f"{column.header} {column.meaning}" for column in columns if column.meaning]
    if any(map(_bound, moves)):
        meanings.append("≤ no more than this")
    return Text("; ".join([*meanings, "PV the expected replies"]), "dim")


def _cost(analysis: Analysis) -> Text:
    """How the values were found, enough to repeat the search."""
    engine, stats = analysis.engine, analysis.stats
    parts = [
        f"{engine.name} (chosen for this position)" if engine.auto else engine.name,
        f"evaluation {engine.evaluation}",
        *(f"{key} {value}" for key, value in engine.settings.items()),
        *(f"limit {name} {value:g}" for name, value in analysis.limit.items()),
        f"seed {analysis.seed}",
        f"{analysis.threads} threads" if analysis.threads > 1 else "1 thread",
        f"{stats.nodes:,} nodes in {stats.time_s:.2f} s ({stats.nodes_per_s:,.0f} per second)",
    ]
    return Text(", ".join(parts), "dim")
