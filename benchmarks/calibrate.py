"""Fit the errors that the program states to the errors that searches made.

    python benchmarks/errors.py --positions 120 --out errors.jsonl     # some minutes a player count
    python benchmarks/calibrate.py errors.jsonl                        # writes the package's data

The logarithm of an error is linear in the terms of `azul_ai.calibration.TERMS`, one fit for all
numbers of players, robust (Student's t with 3 degrees of freedom); then every number of
players gets the factor with which two errors cover COVERED of the cases. The table printed is
cross-validated: each position's errors are predicted from the other four fifths of the positions.
Run both again whenever evaluation or search changes (the bench signature does).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from errors import FACTOR, Sample, read
from rich.console import Console
from rich.table import Table
from scipy.optimize import minimize

import azul_ai
from azul_ai import engine as engines
from azul_ai.calibration import Subject, fingerprint, load, terms
from azul_ai.calibration.errors import COLUMNS

COVERED = 0.955
FOLDS = 5
LEAST = {"win": 0.001, "diff": 0.03, "lead": 0.001}
"""Errors below are as good as none, so that the logarithm exists."""
PULL = 1e-3
"""How strongly weights are drawn to 0."""
DATA = Path(azul_ai.__file__).parent / "calibration"
PHASES = ("begin", "middle", "end")


def main() -> None:
    """Fit, write, and print the cross-validated coverage."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("samples", type=Path, nargs="+")
    options = parser.parse_args()
    samples = [one for one in read(*options.samples) if one.visits and not one.complete]
    for game in sorted({sample.game for sample in samples}):
        entries = []
        for engine, objective in sorted({(s.engine, s.objective) for s in samples}):
            group = [
                s for s in samples if (s.game, s.engine, s.objective) == (game, engine, objective)
            ]
            if group:
                entries += fitted(group)
                Console(width=150).print(coverage_table(group, cross_validated(group)))
        document = {"schema": "azul-calibration/1", "factor": FACTOR, "entries": entries}
        text = json.dumps(document, indent=1) + "\n"
        (DATA / f"{game}.json").write_text(text, encoding="utf-8")


# --- the fit --------------------------------------------------------------------------------


def fitted(samples: Sequence[Sample]) -> list[dict[str, Any]]:
    """An entry of the data for each number of players."""
    first = samples[0]
    settings, evaluation = engines.split_settings(first.game, {})
    fits = fingerprint(engines.make_searcher(first.engine, settings), evaluation)
    weights = {column: fit(of_column(samples, column), column) for column in COLUMNS}
    return [
        {
            "engine": first.engine,
            "objective": first.objective,
            "players": players,
            "fits": fits,
            "positions": len(
                {(s.position, s.round, s.moves) for s in samples if s.players == players}
            ),
            "budgets": sorted({s.budget for s in samples}),
            "plies": plies([s for s in samples if s.players == players]),
            "weights": {column: weights[column][players] for column in COLUMNS},
        }
        for players in sorted({s.players for s in samples})
    ]


def plies(samples: Sequence[Sample]) -> float:
    """How much deeper a search looks with e times the budget."""
    logs = [math.log(sample.budget) for sample in samples]
    return round(float(np.polyfit(logs, [sample.depth for sample in samples], 1)[0]), 3)


def of_column(samples: Sequence[Sample], column: str) -> list[Sample]:
    """The samples that have such an error: a best move does not lie behind itself."""
    return [sample for sample in samples if column != "lead" or sample.rank > 1]


def fit(samples: Sequence[Sample], column: str) -> dict[int, list[float]]:
    """The weights for each number of players."""
    matrix = np.array([terms(subject(sample)) for sample in samples])
    off = np.array([abs(error(sample, column)) for sample in samples])
    sizes = off + LEAST[column]

    def cost(weights: Any) -> float:
        logs = matrix @ weights
        relative = sizes / np.exp(np.clip(logs, -30, 30))
        pull = PULL * float((weights[1:] ** 2).sum())
        return float((logs + 2 * np.log1p(relative**2 / 3)).mean()) + pull

    start = np.zeros(matrix.shape[1])
    start[0] = math.log(sizes.mean())
    weights = minimize(cost, start, method="BFGS").x
    seats = np.array([sample.players for sample in samples])
    ratios = off / np.exp(matrix @ weights)
    found = {}
    for players in sorted(set(seats.tolist())):
        factor = np.quantile(ratios[seats == players], COVERED) / 2
        own = weights.copy()
        own[0] += math.log(max(factor, 1e-9))
        found[players] = [round(float(weight), 5) for weight in own]
    return found


def subject(sample: Sample) -> Subject:
    """What is known of a sample's value."""
    return Subject(
        sample.visits, sample.budget, sample.moves, sample.win, sample.round, sample.depth
    )


def error(sample: Sample, column: str) -> float:
    """What was found less what the long search says."""
    return float(getattr(sample, column) - getattr(sample, f"long_{column}"))


# --- how good it is -------------------------------------------------------------------------

Errors = dict[tuple[int, str], float]
"""Stated errors by the sample's place and the column."""


def cross_validated(samples: Sequence[Sample]) -> Errors:
    """Errors stated for each position by a fit to other positions."""
    places = [(sample.players, sample.position) for sample in samples]
    order = np.random.default_rng(1).permutation(sorted(set(places)))
    stated: Errors = {}
    for part in np.array_split(order, FOLDS):
        left_out = {tuple(place) for place in part.tolist()}
        rest = [
            sample for sample, place in zip(samples, places, strict=True) if place not in left_out
        ]
        for column in COLUMNS:
            weights = fit(of_column(rest, column), column)
            for index, sample in enumerate(samples):
                if places[index] in left_out:
                    values = terms(subject(sample))
                    stated[index, column] = math.exp(np.dot(weights[sample.players], values))
    return stated


def stated_by_the_program(samples: Sequence[Sample]) -> Errors:
    """The errors that the program states, from the data in the package."""
    stated: Errors = {}
    for players in sorted({sample.players for sample in samples}):
        first = samples[0]
        settings, evaluation = engines.split_settings(first.game, {})
        fits = fingerprint(engines.make_searcher(first.engine, settings), evaluation)
        errors = load(first.game, first.engine, first.objective, players, fits)
        if errors is None:
            sys.exit(f"no calibration of {first.game}, {first.engine}, {players} players fits")
        for index, sample in enumerate(samples):
            for column in COLUMNS:
                if sample.players == players:
                    stated[index, column] = errors.of(column, subject(sample))
    return stated


def coverage_table(samples: Sequence[Sample], stated: Errors) -> Table:
    """Coverage and sharpness by players, phase and budget."""
    first = samples[0]
    table = Table(title=f"{first.game}, {first.engine}, objective {first.objective}")
    for column in ("Players", "Of", "Cases"):
        table.add_column(column, no_wrap=True)
    for column in ("win", "diff", "lead"):
        table.add_column(f"{column}: 1 se", justify="right")
        table.add_column("2 se", justify="right")
        table.add_column("stated", justify="right")
        table.add_column("true", justify="right")
    for players in sorted({s.players for s in samples}):
        budgets = sorted({s.budget for s in samples})
        parts = [("all", lambda _: True)]
        parts += [(f"budget {b}", lambda s, b=b: s.budget == b) for b in budgets]
        parts += [(f"phase {p}", lambda s, p=p: s.phase == p) for p in PHASES]
        for name, chosen in parts:
            indices = [i for i, s in enumerate(samples) if s.players == players and chosen(s)]
            table.add_row(str(players), name, str(len(indices)), *cells(samples, indices, stated))
    return table


def cells(samples: Sequence[Sample], indices: Sequence[int], stated: Errors) -> list[str]:
    """Share within one and two errors, mean stated and true error, for each column.

    Values are those of the best move, leads those of the others.
    """
    found = []
    for column in COLUMNS:
        chosen = [i for i in indices if (samples[i].rank > 1) == (column == "lead")]
        if not chosen:
            found += ["-"] * 4
            continue
        errors = np.array([stated[i, column] for i in chosen])
        true = np.array([abs(error(samples[i], column)) for i in chosen])
        digits = 2 if column == "diff" else 4
        found += [f"{100 * (true <= width * errors).mean():.0f}" for width in (1, 2)]
        found += [f"{errors.mean():.{digits}f}", f"{true.mean():.{digits}f}"]
    return found


if __name__ == "__main__":
    main()
