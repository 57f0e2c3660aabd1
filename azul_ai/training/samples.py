"""Samples: ends of rounds, what the search said of them, and how the games ended.

They are kept in chunks, compressed numpy archives of some hundred games each.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from azul_ai import games
from azul_ai.files import write_arrays


class SamplesError(ValueError):
    """A file of samples that cannot be read."""


@dataclass(frozen=True)
class Samples:
    """``n`` samples, all of one game and number of players.

    ``states``: records that wait for a deal, (n,); ``searched``: values by player, float32,
    (n, players, 3), NaN where no search followed; ``outcomes``: how the game ended, likewise;
    ``games``: which game each is from, int64, (n,).
    """

    states: Any
    searched: Any
    outcomes: Any
    games: Any

    def __len__(self) -> int:
        return len(self.games)

    def part(self, chosen: Any) -> Samples:
        """Some of the samples: an index of numpy's."""
        return Samples(*(getattr(self, field.name)[chosen] for field in fields(self)))


def join(parts: Iterable[Samples]) -> Samples:
    """All samples of some parts, in order."""
    listed = list(parts)
    columns = (np.concatenate([getattr(p, f.name) for p in listed]) for f in fields(Samples))
    return Samples(*columns)


def save(path: Path, samples: Samples) -> None:
    """Write a chunk."""
    write_arrays(path, {field.name: getattr(samples, field.name) for field in fields(Samples)})


def load(path: Path, game: str) -> Samples:
    """Read a chunk of a game.

    :raises SamplesError: it is no chunk, or was written for other records.
    """
    dtype = games.load(game).STATE
    try:
        with path.open("rb") as file, np.load(file) as archive:
            columns = {field.name: archive[field.name] for field in fields(Samples)}
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise SamplesError(f"{path}: no samples can be read there: {error}") from None
    stored = columns["states"]
    if stored.dtype.itemsize != dtype.itemsize or stored.dtype.names != dtype.names:
        raise SamplesError(f"{path}: samples of another game or version; play them again")
    columns["states"] = np.zeros(len(stored), dtype=dtype)
    columns["states"][:] = stored
    return Samples(**columns)
