"""Errors of values, predicted from what is known of a search.

A standard error is ``exp(weights . terms)``, with weights fitted by ``benchmarks/calibrate.py`` to
searches that were repeated with 50 times the budget, so that two errors cover the long
search's value in more than nine of ten cases. The data is a file a game beside this module. It
holds for the engine settings and evaluation that it was made with, told by a fingerprint.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from azul_ai.calibration.subject import Subject, changes
from azul_ai.evaluation import Evaluation

TERMS = (
    "one",
    "visits",
    "budget",
    "moves",
    "moves squared",
    "chance",
    "round",
    "depth",
    "change",
    "no change known",
)
"""What the logarithm of an error is made of; see :func:`terms`."""

RESOLUTION = {"win": 0.001, "diff": 0.03, "lead": 0.001}
"""Errors below are as good as none, by column."""

LONGEST = 1e4
"""Nobody waits for more than so many times the budget."""


def terms(subject: Subject, column: str) -> tuple[float, ...]:
    """The terms' values for a column, all of the order of one.

    ``chance``: how open the game is; ``change``: the largest by which the value has changed since
    the earlier stages of the search.
    """
    moves = math.log(subject.moves) / 2
    win = subject.values["win"] or 0.0
    change = max(changes(subject, column), default=None)
    known = change is not None
    return (
        1.0,
        math.log(max(subject.visits, 1)) / 5,
        math.log(max(subject.budget, 1)) / 5,
        moves,
        (moves - 1.5) ** 2,
        math.log(max(4 * win * (1 - win), 0.0) + 0.02),
        subject.round / 5,
        subject.depth / 5,
        math.log(change / RESOLUTION[column] + 3) / 2 if change is not None else 0.0,
        0.0 if known else 1.0,
    )


@dataclass(frozen=True, slots=True)
class Errors:
    """Weights of the terms, by column, for one kind of search.

    ``most``: by column, no error is stated larger. ``plies``: how much deeper a search looks with
    e times the budget; ``largest``: the largest budget that was measured. Beyond it, nothing lets
    an error grow with the budget.
    """

    weights: Mapping[str, Sequence[float]]
    most: Mapping[str, float]
    plies: float
    largest: int

    def of(self, column: str, subject: Subject) -> float:
        """The standard error of a value, above 0."""
        pairs = zip(self.weights[column], terms(subject, column), strict=True)
        _, visits, budget, *_ = self.weights[column]
        beyond = math.log(max(subject.budget / self.largest, 1)) / 5
        growth = max(visits + budget, 0.0) * beyond
        found = math.exp(sum(weight * term for weight, term in pairs) - growth)
        return min(found, self.most[column])

    def more_budget(self, column: str, subject: Subject, wanted: float) -> float | None:
        """How many times the budget would bring an error down to ``wanted``, None for too many."""
        named = dict(zip(TERMS, self.weights[column], strict=True))
        visits, budget, depth = named["visits"], named["budget"], named["depth"]
        slope = (min(visits + budget, 0.0) + self.plies * depth) / 5
        exponent = math.log(wanted / self.of(column, subject)) / slope if slope < 0 else math.inf
        return math.exp(exponent) if exponent < math.log(LONGEST) else None


def fingerprint(searcher: Any, evaluation: Evaluation) -> str:
    """Tells settings and evaluations apart: eight hexadecimal digits."""
    digest = hashlib.sha256(evaluation.id.encode())
    digest.update(evaluation.model.tobytes())
    digest.update(repr(sorted(dataclasses.asdict(searcher).items())).encode())
    return digest.hexdigest()[:8]


def load(game: str, engine: str, objective: str, players: int, fits: str) -> Errors | None:
    """The errors of a kind of search, or None if there are none that fit its fingerprint."""
    file = files("azul_ai.calibration") / f"{game}.json"
    if not file.is_file():
        return None
    for entry in json.loads(file.read_text(encoding="utf-8"))["entries"]:
        kind = (entry["engine"], entry["objective"], entry["players"], entry["fits"])
        if kind == (engine, objective, players, fits):
            measured = max(entry["budgets"])
            return Errors(entry["weights"], entry["most"], entry["plies"], measured)
    return None
