"""The bench: fixed searches whose results are condensed into a signature.

The signature is a hash over what was found (moves, visits, values), not over how much: a
refactoring leaves it as it is, a change of rules, search or evaluation does not. It does
not depend on time, machine, or how often the bench runs.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from azul_ai.analysis import Analysis
from azul_ai.analyzer import analyze
from azul_ai.position import Position, load
from azul_ai.settings import Limit

LIMITS = {"ismcts": Limit(iterations=10_000), "expectimax": Limit(nodes=100_000)}
"""What each engine may spend on a position."""

SCHEMA = "azul-bench/1"
DIGITS = 6
"""Values are hashed with so many decimals, out of reach of a last bit."""
TOP = 5
"""So many of the best moves of a position are hashed."""


@dataclass(frozen=True, slots=True)
class Line:
    """One search of the bench: of the position ``position`` (a code), in words ``label``."""

    engine: str
    position: str
    label: str
    best: str
    nodes: int
    time_s: float
    signature: str


@dataclass(frozen=True, slots=True)
class Bench:
    """All searches, and the signature over what they found, eight hexadecimal digits."""

    lines: tuple[Line, ...]
    signature: str

    @property
    def nodes(self) -> int:
        """Nodes of all searches."""
        return sum(line.nodes for line in self.lines)

    @property
    def time_s(self) -> float:
        """Seconds of all searches, compiling apart."""
        return sum(line.time_s for line in self.lines)

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of schema ``azul-bench/1``."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "nodes": self.nodes,
            "time_s": self.time_s,
            "nodes_per_s": self.nodes / max(self.time_s, 1e-9),
            "positions": [dataclasses.asdict(line) for line in self.lines],
        }


def positions() -> tuple[str, ...]:
    """The codes of the bench's positions: every game, number of players and phase."""
    text = files("azul_ai").joinpath("bench_positions.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


def run(
    engines: Sequence[str],
    threads: int = 1,
    on_line: Callable[[Line], None] | None = None,
    on_compile: Callable[[str], None] | None = None,
) -> Bench:
    """Search every position with every engine.

    :param on_line: called after each search.
    :param on_compile: told what is being compiled, at the first use only.
    """
    lines = []
    for engine in engines:
        for code in positions():
            line = _search(engine, load(code), threads, on_compile)
            lines.append(line)
            if on_line:
                on_line(line)
    return Bench(tuple(lines), _hash(" ".join(line.signature for line in lines)))


def _search(
    engine: str, position: Position, threads: int, on_compile: Callable[[str], None] | None
) -> Line:
    analysis = analyze(
        position,
        engine=engine,
        limit=LIMITS[engine],
        threads=threads,
        top=TOP,
        on_compile=on_compile,
    )
    taken = sum(not display for display in position.factories)
    return Line(
        engine=engine,
        position=position.code,
        label=f"{position.game}, {len(position.players)} players, "
        f"round {position.round}, {taken} of {len(position.factories)} taken",
        best=analysis.moves[0].move,
        nodes=analysis.stats.nodes,
        time_s=analysis.stats.time_s,
        signature=_hash(_found(analysis)),
    )


def _found(analysis: Analysis) -> str:
    """What a search found, as text."""
    rows = (
        f"{move.move} {move.visits} {move.depth} {move.win:.{DIGITS}f} {move.diff:.{DIGITS}f} "
        f"{move.points:.{DIGITS}f} {move.bound} {' '.join(move.pv)}"
        for move in analysis.moves
    )
    return f"{analysis.position} {analysis.stats.nodes}\n" + "\n".join(rows)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
