"""How the engines' speed and memory grow with the size of a search, the players and the phase.

    python benchmarks/growth.py              # up to 10^7 iterations and depth 8 in 200 MB: minutes
    python benchmarks/growth.py --most 1000000 --json growth.json

Every search runs in a process of its own, so that its peak memory can be told from others'.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import resource
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from rich.console import Console
from rich.table import Table

from azul_ai import bench
from azul_ai.analyzer import analyze
from azul_ai.position import load
from azul_ai.settings import Limit

SIZE = Limit(iterations=100_000)
"""Of the searches that compare players and phases."""
DEPTHS = range(2, 9)
RSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in which the system counts a process's memory."""


@dataclass(frozen=True)
class Case:
    """A search: which series it belongs to, a position's code, engine, limit, bytes."""

    series: str
    code: str
    engine: str
    limit: Limit
    memory: int


@dataclass(frozen=True)
class Row:
    """What a search took.

    ``nodes``: nodes or iterations. ``table_mb``: the tree or the table; ``peak_mb``: the whole
    process, with the code and the libraries.
    """

    series: str
    players: int
    round: int
    nodes: int
    per_s: float
    depth: int
    table_mb: float
    peak_mb: float


def main() -> None:
    """Search, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--most", type=int, default=10_000_000, help="iterations of the largest")
    parser.add_argument("--memory", type=float, default=200.0, metavar="MB", help="of each search")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the rows")
    options = parser.parse_args()
    planned = list(cases(options.most, round(options.memory * 1e6)))
    for name in {case.engine for case in planned}:
        apart(next(case for case in planned if case.engine == name))  # compiles
    rows = []
    for case in planned:
        rows.append(apart(case))
        print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    Console().print(table(rows))
    if options.json:
        text = json.dumps([dataclasses.asdict(row) for row in rows], indent=1)
        options.json.write_text(f"{text}\n", encoding="utf-8")


def cases(most: int, memory: int) -> Iterator[Case]:
    """Larger and larger searches of one opening; then openings and phases at one size."""
    positions = {code: load(code) for code in bench.positions()}
    openings = [c for c, p in positions.items() if p.round == 1 and all(p.factories)]
    iterations = 1000
    while iterations <= most:
        yield Case("size", openings[0], "ismcts", Limit(iterations=iterations), memory)
        iterations *= 10
    for depth in DEPTHS:
        yield Case("depth", openings[0], "expectimax", Limit(depth=depth), memory)
    for code in openings:
        yield Case("players", code, "ismcts", SIZE, memory)
    for code, position in positions.items():
        if len(position.players) == 2:
            yield Case("phase", code, "ismcts", SIZE, memory)


def apart(case: Case) -> Row:
    """:func:`measure` in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(measure, case).result()


def measure(case: Case) -> Row:
    """Search, and see what it took."""
    position = load(case.code)
    analysis = analyze(
        position, engine=case.engine, limit=case.limit, threads=1, memory=case.memory
    )
    return Row(
        series=f"{case.engine}, {case.series}",
        players=len(position.players),
        round=position.round,
        nodes=analysis.stats.nodes,
        per_s=analysis.stats.nodes_per_s,
        depth=analysis.moves[0].depth,
        table_mb=analysis.stats.memory_mb,
        peak_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * RSS_UNIT / 1e6,
    )


def table(rows: list[Row]) -> Table:
    """The rows, one a line."""
    grid = Table(box=None, header_style="bold", pad_edge=False)
    grid.add_column("engine, by", no_wrap=True)
    headers = ("players", "round", "nodes", "per second", "depth", "table, MB", "peak, MB")
    for header in headers:
        grid.add_column(header, justify="right")
    before = ""
    for row in rows:
        cells = (
            f"{row.players}",
            f"{row.round}",
            f"{row.nodes:,}",
            f"{row.per_s:,.0f}",
            f"{row.depth}",
            f"{row.table_mb:.1f}",
            f"{row.peak_mb:.0f}",
        )
        grid.add_row(row.series if row.series != before else "", *cells)
        before = row.series
    return grid


if __name__ == "__main__":
    main()
