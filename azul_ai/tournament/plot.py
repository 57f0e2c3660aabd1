"""A tournament as a picture: scores over the games, and who scored what against whom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from azul_ai.settings import SettingError
from azul_ai.tournament import statistics
from azul_ai.tournament.figures import PairFigures, Report
from azul_ai.tournament.statistics import Floats

MAX_POINTS = 400
"""A curve is drawn with so many points at most."""


def save(report: Report, path: Path) -> None:
    """Draw the scores of all pairs over the games, with 95 % intervals, and a cross table.

    :raises SettingError: the extra ``plot`` is not installed.
    """
    try:
        from matplotlib import figure  # noqa: PLC0415 - an extra
    except ImportError:
        hint = "pip install 'azul-ai[plot]'"
        raise SettingError("plot", "needs the package matplotlib", hint) from None
    rows = len(report.players)
    drawing: Any = figure.Figure(figsize=(12, 5), layout="constrained")
    scores, cross = drawing.subplots(1, 2, width_ratios=(3, 2))
    _scores(scores, report.pairs)
    _cross_table(cross, report)
    drawing.suptitle(f"{report.games} games, {rows} players")
    drawing.savefig(path, format=path.suffix.lstrip(".") or "svg")


def _scores(axes: Any, pairs: list[PairFigures]) -> None:
    """Each pair's score so far, after every group, with its interval."""
    for pair in pairs:
        games, low, mean, high = course(pair.groups, pair.games)
        axes.plot(games, 100 * mean, label=f"{pair.a} against {pair.b}")
        axes.fill_between(games, 100 * low, 100 * high, alpha=0.2)
    axes.axhline(50, color="gray", linewidth=0.8)
    axes.set(xlabel="games", ylabel="score, %, with 95 % interval", ylim=(-2, 102))
    if pairs:
        axes.legend(fontsize="small")


def course(groups: Floats, games: int) -> tuple[Floats, Floats, Floats, Floats]:
    """How a score came about: games so far, and interval and mean after so many.

    :param groups: mean score of each group, in order; from the second on there is an interval.
    """
    steps = min(MAX_POINTS, max(0, len(groups) - 1))
    ends = np.unique(np.linspace(2, len(groups), steps).astype(np.int64))
    rows = []
    for end in ends:
        interval = statistics.score_interval(groups[:end])
        assert interval is not None
        rows.append((end * games / len(groups), interval[0], groups[:end].mean(), interval[1]))
    numbers, low, mean, high = np.array(rows).reshape(-1, 4).T
    return numbers, low, mean, high


def _cross_table(axes: Any, report: Report) -> None:
    """A square for every two players: the row's score against the column's."""
    order = sorted(report.players, key=lambda player: -player.rating.elo)
    index = {player.name: place for place, player in enumerate(order)}
    square = np.full((len(order), len(order)), np.nan)
    for pair in report.pairs:
        if pair.score.mean is not None:
            row, column = index[pair.a], index[pair.b]
            square[row, column] = 100 * pair.score.mean
            square[column, row] = 100 - square[row, column]
    axes.imshow(square, cmap="RdYlGn", vmin=0, vmax=100)
    for row, column in np.argwhere(~np.isnan(square)):
        axes.text(column, row, f"{square[row, column]:.0f}", ha="center", va="center")
    names = [player.name for player in order]
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
    axes.set_yticks(range(len(names)), names)
    axes.set_title("score of the row against the column, %")
