"""Samples of `errors.py` by kind, and how true the errors stated for them are.

Used by `calibrate.py` and `quality.py`; nothing to run here.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from errors import Sample, fingerprint_of, phase, read
from rich.table import Table

from azul_ai import evaluation
from azul_ai.calibration import COLUMNS, load
from azul_ai.settings import SettingError

DEFAULT = "default"
PHASES = ("begin", "middle", "end")

Stated = dict[tuple[int, str], float]
"""Stated errors by the sample's place and the column."""


def kinds(*paths: Path) -> dict[tuple[str, str, str, str], list[Sample]]:
    """The samples of some files by game, engine, objective and name of the evaluation."""
    found: dict[tuple[str, str, str, str], list[Sample]] = {}
    others: Counter[str] = Counter()
    for case, samples in sorted(read(*paths).items(), key=lambda pair: str(pair[0])):
        name = known_evaluations(case.game, case.engine, case.players).get(case.fits)
        if name is None:
            others[f"{case.game}, {case.engine}, {case.players} players"] += 1
        else:
            found.setdefault((case.game, case.engine, case.objective, name), []).extend(samples)
    for kind, number in others.items():
        print(f"{kind}: {number} positions of other settings left out", file=sys.stderr)
    return {kind: samples for kind, samples in found.items() if samples}


@functools.cache
def known_evaluations(game: str, engine: str, players: int) -> dict[str, str]:
    """The names of a game's evaluations by their fingerprints with the default settings."""
    found = {}
    for name in evaluation.names(game):
        with contextlib.suppress(SettingError):  # no network for so many players
            found[fingerprint_of(game, engine, players, name)] = name
    return {**found, fingerprint_of(game, engine, players): DEFAULT}


def error(sample: Sample, column: str) -> float:
    """What was found less what the long search says."""
    return float(sample.known.values[column] - sample.truth[column])


def counts(sample: Sample, column: str) -> bool:
    """Whether coverage is told by such a sample: values by the best move's, leads by the others'.

    What looks best is a little further off than what does not, since it was chosen for its value.
    """
    return (sample.rank > 1) == (column == "lead")


def stated_by_the_program(samples: Sequence[Sample]) -> Stated:
    """The errors that the program states, from the data in the package."""
    stated: Stated = {}
    for players in sorted({sample.case.players for sample in samples}):
        case = next(sample.case for sample in samples if sample.case.players == players)
        errors = load(case.game, case.engine, case.objective, players, case.fits)
        if errors is None:
            sys.exit(f"no calibration of {case.game}, {case.engine}, {players} players fits")
        for index, sample in enumerate(samples):
            if sample.case.players == players:
                for column in COLUMNS:
                    stated[index, column] = errors.of(column, sample.known)
    return stated


def coverage_table(samples: Sequence[Sample], stated: Stated, *, parts: bool) -> Table:
    """Coverage and sharpness by number of players, with ``parts`` also by budget, phase, side."""
    first = samples[0].case
    name = known_evaluations(first.game, first.engine, first.players)[first.fits]
    what = f"{first.game}, {first.engine}, objective {first.objective}, evaluation {name}"
    table = Table(title=what)
    for column in ("Players", "Of", "Positions"):
        table.add_column(column, no_wrap=True)
    for column in COLUMNS:
        for title in (f"{column}: 1 se", "2 se", "stated", "true", "ratio"):
            table.add_column(title, justify="right")
    for players in sorted({sample.case.players for sample in samples}):
        for name in names_of_parts(samples) if parts else ["all"]:
            indices = [
                index
                for index, sample in enumerate(samples)
                if sample.case.players == players and name in parts_of(sample)
            ]
            number = len({samples[index].case for index in indices})
            table.add_row(str(players), name, str(number), *cells(samples, indices, stated))
    return table


def parts_of(sample: Sample) -> list[str]:
    """The parts that a sample belongs to."""
    side = [f"side {sample.case.side}"] if sample.case.side else []
    return ["all", f"budget {sample.budget}", f"phase {phase(sample.known.moves)}", *side]


def names_of_parts(samples: Sequence[Sample]) -> list[str]:
    """All parts, in their order."""
    budgets = [f"budget {budget}" for budget in sorted({sample.budget for sample in samples})]
    sides = [f"side {side}" for side in sorted({x.case.side for x in samples if x.case.side})]
    return ["all", *budgets, *(f"phase {name}" for name in PHASES), *sides]


def cells(samples: Sequence[Sample], indices: Sequence[int], stated: Stated) -> list[str]:
    """Share within one and two errors, mean stated and true error and their ratio, by column.

    Values are those of the best move, leads those of the others.
    """
    found = []
    for column in COLUMNS:
        chosen = [i for i in indices if counts(samples[i], column)]
        if not chosen:
            found += ["-"] * 5
            continue
        errors = np.array([stated[i, column] for i in chosen])
        true = np.array([abs(error(samples[i], column)) for i in chosen])
        digits = 4 if errors.mean() < 1 else 2
        found += [f"{100 * (true <= width * errors).mean():.0f}" for width in (1, 2)]
        found += [f"{mean:.{digits}f}" for mean in (errors.mean(), true.mean())]
        found.append(f"{errors.mean() / max(true.mean(), 1e-9):.2f}")
    return found
