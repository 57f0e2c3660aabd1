"""Files with the numbers of trained networks: compressed numpy archives (``.npz``).

A file holds the layers, in half precision, which costs no strength, and a note in JSON: for
which game, how many players and which features it was trained, and what made it.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from azul_ai.evaluation.correction import CORRECTION, ODDS, ROUNDS, no_correction
from azul_ai.evaluation.network import LAYERS
from azul_ai.files import write_arrays

NOTE = "note"
SUFFIX = ".npz"
DIRECTORY = Path(__file__).parents[1] / "networks"
"""The networks that come with the package."""


class WeightsError(ValueError):
    """A file of weights that cannot be used with this code."""


def shipped(game: str, players: int) -> Path:
    """Where the package has the network of a game, whether or not there is one."""
    return DIRECTORY / f"{game}-{players}{SUFFIX}"


def save(path: Path, model: Any, note: dict[str, Any]) -> None:
    """Write a model's numbers and what is to be known of them, whole or not at all."""
    arrays: dict[str, Any] = {name: np.asarray(model[name], np.float16) for name in LAYERS}
    arrays[CORRECTION] = np.asarray(model[CORRECTION])
    arrays[NOTE] = np.array(json.dumps(note))
    write_arrays(path, arrays)


def load(path: Path, dtype: np.dtype[Any], wanted: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """A model record and the note of a file.

    :param dtype: the record type, which fixes the shapes of the layers.
    :param wanted: what the note must say, by key.
    :raises WeightsError: it is no such file, or its numbers do not fit.
    """
    note, layers = _read(path)
    for key, value in wanted.items():
        if note.get(key) != value:
            reason = f"made for {key} {note.get(key)!r}, needed is {value!r}"
            raise WeightsError(f"{path}: {reason}; train it again with azul-ai train")
    model = np.zeros(1, dtype=dtype)[0]
    for name, numbers in layers.items():
        if numbers.shape != model[name].shape or not np.isfinite(numbers).all():
            reason = f"{name} has shape {numbers.shape}, needed is {model[name].shape}"
            raise WeightsError(f"{path}: {reason}, of finite numbers; train it again")
        model[name] = numbers
    return model, note


def load_note(path: Path) -> dict[str, Any]:
    """What a file says of itself.

    :raises WeightsError: it is no such file.
    """
    return _read(path)[0]


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    try:
        with path.open("rb") as file, np.load(file) as archive:
            layers = {name: archive[name] for name in LAYERS}
            correction = archive.get(CORRECTION, no_correction())  # older files have none
            if correction.shape == (ROUNDS, ODDS):  # of before the odds had a factor
                correction = np.column_stack([correction, no_correction()[:, ODDS]])
            layers[CORRECTION] = correction
            note: dict[str, Any] = json.loads(str(archive[NOTE]))
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise WeightsError(f"{path}: no weights can be read there: {error}") from None
    return note, layers
