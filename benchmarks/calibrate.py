"""Fit the errors that the program states to the errors that searches made.

    python benchmarks/errors.py --game sintra --positions 200 --out sintra.jsonl   # can be stopped
    python benchmarks/calibrate.py sintra.jsonl                         # writes the package's data

The logarithm of an error is linear in the terms of `azul_ai.calibration.TERMS`, one fit for all
numbers of players, robust (Student's t with 3 degrees of freedom). Then every number of players
gets a factor, for values from best moves, for leads from the others: two errors cover the higher
part of COVERED, or less, but never less than the lower part, where the mean stated error would be
more than SHARP times the true one (a few large errors among many small ones). It also gets a
largest error, since a straight line may lead far out. The table printed is cross-validated: each
position's errors are predicted from the other four fifths of the positions.

What is written replaces the entries of the engines, objectives, evaluations and numbers of players
that the samples have. Samples of an evaluation that the package does not have (any more) are left
out, and its entries with them. The default evaluations of all numbers of players are fitted
together, others by themselves. Run both again whenever evaluation or search changes (the bench
signature does): with each `--game`, and `--objective win --objective diff`.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from coverages import (
    Stated,
    counts,
    coverage_table,
    error,
    kinds,
    known_evaluations,
)
from errors import FACTOR, Sample
from rich.console import Console
from scipy.optimize import minimize

import azul_ai
from azul_ai.calibration import COLUMNS, RESOLUTION, Errors, terms

COVERED = (0.915, 0.945)
SHARP = 1.35
FOLDS = 5
LARGEST = 0.99
"""Two stated errors are never more than this quantile of the true ones."""
DEGREES = 3
"""Of freedom of Student's t."""
PULL = 0.003
"""How strongly weights are drawn to 0."""
DATA = Path(azul_ai.__file__).parent / "calibration"


def main() -> None:
    """Fit, write, and print the cross-validated coverage."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("samples", type=Path, nargs="+")
    parser.add_argument("--parts", action="store_true", help="also by budget, phase and side")
    parser.add_argument("--dry-run", action="store_true", help="write nothing")
    options = parser.parse_args()
    for (game, *_), group in kinds(*options.samples).items():
        if not options.dry_run:
            write(game, fitted(group))
        table = coverage_table(group, cross_validated(group), parts=options.parts)
        Console(width=190).print(table)


def write(game: str, entries: Sequence[dict[str, Any]]) -> None:
    """Put entries in the place of those of the same kind, and leave out those that fit nothing."""

    def kind(entry: dict[str, Any]) -> tuple[str, str, int, str]:
        return entry["engine"], entry["objective"], entry["players"], entry["fits"]

    path = DATA / f"{game}.json"
    known = json.loads(path.read_text(encoding="utf-8"))["entries"] if path.exists() else []
    fitting = [e for e in known if e["fits"] in known_evaluations(game, e["engine"], e["players"])]
    by_kind = {kind(entry): entry for entry in (*fitting, *entries)}
    document = {
        "schema": "azul-calibration/1",
        "factor": FACTOR,
        "entries": [by_kind[key] for key in sorted(by_kind)],
    }
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


# --- the fit --------------------------------------------------------------------------------


def fitted(samples: Sequence[Sample]) -> list[dict[str, Any]]:
    """An entry of the data for each number of players."""
    weights = {column: fit(of_column(samples, column), column) for column in COLUMNS}
    most = {column: largest(of_column(samples, column), column) for column in COLUMNS}
    entries = []
    for players in sorted({sample.case.players for sample in samples}):
        own = [sample for sample in samples if sample.case.players == players]
        entries.append(
            {
                "engine": own[0].case.engine,
                "objective": own[0].case.objective,
                "players": players,
                "fits": own[0].case.fits,
                "positions": len({sample.case for sample in own}),
                "budgets": sorted({sample.budget for sample in own}),
                "plies": plies(own),
                "weights": {column: weights[column][players] for column in COLUMNS},
                "most": {column: most[column][players] for column in COLUMNS},
            }
        )
    return entries


def plies(samples: Sequence[Sample]) -> float:
    """How much deeper a search looks with e times the budget."""
    logs = [math.log(sample.budget) for sample in samples]
    depths = [sample.known.depth for sample in samples]
    return round(float(np.polyfit(logs, depths, 1)[0]), 3)


def of_column(samples: Sequence[Sample], column: str) -> list[Sample]:
    """The samples that have such an error: a best move does not lie behind itself."""
    return [sample for sample in samples if column != "lead" or sample.rank > 1]


def fit(samples: Sequence[Sample], column: str) -> dict[int, list[float]]:
    """The weights for each number of players."""
    matrix = np.array([terms(sample.known, column) for sample in samples])
    off = np.array([abs(error(sample, column)) for sample in samples])
    sizes = off + RESOLUTION[column]

    def cost(weights: Any) -> tuple[float, Any]:
        logs = matrix @ weights
        squares = (sizes / np.exp(np.clip(logs, -30, 30))) ** 2
        pull, slope = PULL * float((weights[1:] ** 2).sum()), 2 * PULL * weights
        slope[0] = 0
        half = (DEGREES + 1) / 2
        slope += matrix.T @ (1 - 2 * half * squares / (DEGREES + squares)) / len(off)
        return float((logs + half * np.log1p(squares / DEGREES)).mean()) + pull, slope

    start = np.zeros(matrix.shape[1])
    start[0] = math.log(sizes.mean())
    weights = minimize(cost, start, jac=True, method="L-BFGS-B").x
    seats = np.array([sample.case.players for sample in samples])
    counted = np.array([counts(sample, column) for sample in samples])
    predicted = np.exp(matrix @ weights)
    found = {}
    for players in sorted(set(seats.tolist())):
        mine = counted & (seats == players)
        own = weights.copy()
        own[0] += math.log(factor(off[mine], predicted[mine]))
        found[players] = [round(float(weight), 5) for weight in own]
    return found


def factor(off: Any, predicted: Any) -> float:
    """By what the predictions are multiplied, so that they cover enough and are sharp."""
    least, most = np.quantile(off / predicted, COVERED) / 2
    return float(max(np.clip(SHARP * off.mean() / predicted.mean(), least, most), 1e-9))


def largest(samples: Sequence[Sample], column: str) -> dict[int, float]:
    """The largest error to state for each number of players."""
    off: dict[int, list[float]] = {}
    for sample in samples:
        off.setdefault(sample.case.players, []).append(abs(error(sample, column)))
    return {
        players: round(float(np.quantile(values, LARGEST)) / 2, 5)
        for players, values in off.items()
    }


def cross_validated(samples: Sequence[Sample]) -> Stated:
    """Errors stated for each position by a fit to other positions."""
    places = [(sample.case.players, sample.case.position) for sample in samples]
    order = np.random.default_rng(1).permutation(sorted(set(places)))
    stated: Stated = {}
    for part in np.array_split(order, FOLDS):
        left_out = {tuple(place) for place in part.tolist()}
        rest = [x for x, place in zip(samples, places, strict=True) if place not in left_out]
        for column in COLUMNS:
            chosen = of_column(rest, column)
            most, measured = largest(chosen, column), max(sample.budget for sample in samples)
            for players, weights in fit(chosen, column).items():
                errors = Errors({column: weights}, {column: most[players]}, 0.0, measured)
                for index, sample in enumerate(samples):
                    if places[index] in left_out and sample.case.players == players:
                        stated[index, column] = errors.of(column, sample.known)
    return stated


if __name__ == "__main__":
    main()
