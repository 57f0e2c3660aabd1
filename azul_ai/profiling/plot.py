"""A profile as a picture: where the time goes, and what threads bring."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from azul_ai.profiling.breakdown import OTHER, PARTS
from azul_ai.profiling.engines import Rate
from azul_ai.profiling.report import Profile
from azul_ai.settings import SettingError

LABELED = 0.04
"""A bar narrower than this part of the whole has no label."""


def require() -> Any:
    """The library that draws.

    :raises SettingError: the extra ``plot`` is not installed.
    """
    try:
        from matplotlib import figure  # noqa: PLC0415 - an extra
    except ImportError:
        hint = "pip install 'azul-ai[plot]'"
        raise SettingError("plot", "needs the package matplotlib", hint) from None
    return figure


def save(profile: Profile, path: Path) -> None:
    """Draw each engine's time, part by part and piece by piece, and the rates by threads.

    :raises SettingError: the extra ``plot`` is not installed.
    """
    figure = require()
    explained = [rate for rate in profile.engines if rate.shares]
    rows = len(explained) + 1
    drawing: Any = figure.Figure(figsize=(12, 2.5 * rows + 1), layout="constrained")
    axes = drawing.subplots(rows, 1, squeeze=False)[:, 0]
    for ax, rate in zip(axes, explained, strict=False):
        _flames(ax, rate)
    _scaling(axes[-1], profile.engines)
    drawing.suptitle(f"{profile.players} players, {profile.machine.cpu}")
    drawing.savefig(path, format=path.suffix.lstrip(".") or "svg")


def _flames(axes: Any, rate: Rate) -> None:
    """The whole at the bottom, its parts on it, and on each part its pieces."""
    unit = rate.unit.rstrip("s")
    axes.barh(0, 1.0, color="lightgray", edgecolor="white")
    axes.text(0.5, 0, f"{rate.timing.ns:,.0f} ns an {unit}", ha="center", va="center")
    order = [*PARTS, OTHER]
    shares = sorted(rate.shares, key=lambda share: order.index(share.part))
    left = 0.0
    for part, pieces in groupby(shares, key=lambda share: share.part):
        color = f"C{order.index(part)}" if part != OTHER else "lightgray"
        start = left
        for piece in pieces:
            _bar(axes, 2, left, piece.share, piece.piece, color, 0.6)
            left += piece.share
        _bar(axes, 1, start, left - start, part, color, 1.0)
    axes.set(xlim=(0, 1), yticks=[], xlabel="part of the time", title=rate.engine)
    axes.xaxis.set_major_formatter("{x:.0%}")


def _bar(
    axes: Any, row: int, left: float, width: float, label: str, color: str, alpha: float
) -> None:
    axes.barh(row, width, left=left, color=color, alpha=alpha, edgecolor="white")
    if width >= LABELED:
        text = f"{label}\n{width:.0%}"
        axes.text(left + width / 2, row, text, ha="center", va="center", fontsize="small")


def _scaling(axes: Any, rates: Sequence[Rate]) -> None:
    """Rates by number of threads, beside what perfect scaling would give."""
    for name, of_engine in groupby(rates, key=lambda rate: rate.engine):
        measured = list(of_engine)
        threads = [rate.threads for rate in measured]
        line = axes.plot(threads, [rate.per_s for rate in measured], marker="o", label=name)[0]
        ideal = [measured[0].per_s * number / threads[0] for number in threads]
        axes.plot(threads, ideal, linestyle=":", color=line.get_color())
    axes.set(
        xlabel="threads", ylabel="per second", ylim=(0, None), title="scaling (dotted: perfect)"
    )
    axes.set_xticks(sorted({rate.threads for rate in rates}))
    if rates:
        axes.legend()
