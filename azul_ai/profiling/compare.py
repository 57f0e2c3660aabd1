"""Comparing a profile with one on record: which line got slower.

Compared are the times relative to the calibration, so that neither a busy nor, as far as one
number can tell, a different machine looks like a slower program. Engines are compared with
one thread only: how much more threads bring is the machine's affair.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from azul_ai.profiling.report import SCHEMA


class RecordError(Exception):
    """A file that holds no profile, or not one to compare with; ``hint`` says what to do."""

    def __init__(self, path: Path, reason: str, hint: str) -> None:
        super().__init__(f"{path}: {reason} ({hint})")
        self.path, self.reason, self.hint = path, reason, hint


@dataclass(frozen=True)
class Change:
    """A line of two profiles: its times in nanoseconds, and how they changed.

    ``change``: relative to the calibration, 0.1 is ten percent slower. ``noise``: by how much
    the runs of both profiles spread, in the same unit.
    """

    name: str
    before: float
    after: float
    change: float
    noise: float

    def exceeds(self, limit: float) -> bool:
        """Whether the line got slower by more than a limit, and by more than it spreads."""
        return self.change > max(limit, self.noise)


def percent(text: str) -> float:
    """A limit such as ``10%`` as a number, 0.1.

    :raises ValueError: it is no percentage above 0.
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?) ?%", text.strip(), re.ASCII)
    value = float(match[1]) / 100 if match else 0.0
    if not value > 0:
        raise ValueError(f"{text!r} is no limit; give a percentage above 0, such as 10%.")
    return value


def load(path: Path, position: str, quick: bool) -> dict[str, Any]:
    """A profile that ``--save`` wrote, for a comparison with one of the same kind.

    :param position: the code of the position that it must have been made on.
    :param quick: whether it must be a quick one.
    :raises RecordError: the file holds something else.
    :raises OSError: it cannot be read.
    """
    hint = "give a file that `azul-ai profile --save FILE` wrote"
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise RecordError(path, f"this is no JSON ({error})", hint) from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise RecordError(path, f"this is no object of schema {SCHEMA}", hint)
    try:
        _lines(document)
        other, how = document["position"] != position, document["quick"]
    except (KeyError, TypeError, ValueError):
        raise RecordError(path, "figures are missing", hint) from None
    if other:
        hint = f"measure this position: {document['position']}"
        raise RecordError(path, "these are figures of another position", hint)
    if how != quick:
        kind, hint = ("", "leave out") if quick else ("quick ", "give")
        raise RecordError(path, f"these are {kind}figures", f"{hint} --quick")
    return document


def compare(before: Mapping[str, Any], after: Mapping[str, Any]) -> Sequence[Change]:
    """What changed, for every line that both profiles have, the worst first."""
    old, new = _lines(before), _lines(after)
    changes = [_change(name, old[name], new[name]) for name in new if name in old]
    return sorted(changes, key=lambda change: -change.change)


def _lines(document: Mapping[str, Any]) -> dict[str, tuple[float, float, float]]:
    """Nanoseconds, spread and relative time of every line that is compared, by name."""
    entries = [*document["primitives"], *(e for e in document["engines"] if e["threads"] == 1)]
    lines = {e["name"]: (float(e["ns"]), float(e["spread"]), float(e["relative"])) for e in entries}
    if not all(ns > 0 and spread >= 0 and relative > 0 for ns, spread, relative in lines.values()):
        raise ValueError("times must be positive")
    return lines


def _change(
    name: str, before: tuple[float, float, float], after: tuple[float, float, float]
) -> Change:
    ratio = after[2] / before[2]
    noise = before[1] / before[0] + ratio * after[1] / after[0]
    return Change(name, before[0], after[0], ratio - 1, noise)
