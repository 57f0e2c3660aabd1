"""Evaluations by game and name, loaded on demand."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from azul_ai.evaluation import weights
from azul_ai.evaluation.weights import WeightsError

__all__ = [
    "HANDMADE",
    "LEARNED",
    "SCORE",
    "Evaluation",
    "WeightsError",
    "default",
    "is_file",
    "load",
    "names",
    "network_module",
]

HANDMADE, SCORE, LEARNED = "handmade", "score", "learned"

_MODULES = {
    ("azul", HANDMADE): ("azul_ai.evaluation.azul",),
    ("azul", SCORE): ("azul_ai.evaluation.azul_rating", "azul_ai.evaluation.score"),
    ("azul", LEARNED): ("azul_ai.evaluation.azul_network",),
    ("azul-gray", HANDMADE): ("azul_ai.evaluation.gray",),
    ("azul-gray", SCORE): ("azul_ai.evaluation.gray", "azul_ai.evaluation.score"),
    ("azul-gray", LEARNED): ("azul_ai.evaluation.gray_network",),
    ("sintra", HANDMADE): ("azul_ai.evaluation.sintra",),
    ("sintra", SCORE): ("azul_ai.evaluation.sintra_rating", "azul_ai.evaluation.score"),
    ("sintra", LEARNED): ("azul_ai.evaluation.sintra_rating", "azul_ai.evaluation.sintra_network"),
}
"""What to import for a game's evaluation; the last module has the model."""

_DEFAULTS = {
    ("azul", 2): LEARNED,
    ("azul", 3): LEARNED,
    ("azul", 4): LEARNED,
    ("azul-gray", 2): LEARNED,
    ("azul-gray", 3): LEARNED,
    ("sintra", 2): LEARNED,
    ("sintra", 3): LEARNED,
}
"""By game and number of players, where it is not the hand-made one."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A named model: ``id`` is shown with every result, ``model`` is passed to kernels."""

    id: str
    model: Any


def default(game: str, players: int) -> str:
    """The name of the evaluation that a game begins with, for a number of players.

    The learned one where it scored 60 % or more against the hand-made one, over all budgets of
    ISMCTS that were played (README, "A learned evaluation").
    """
    return _DEFAULTS.get((game, players), HANDMADE)


def load(game: str, name: str | None = None, players: int = 2) -> Evaluation:
    """The evaluation called ``name`` of a game, or the network of a file ``NAME.npz``.

    :param name: None is the default's.
    :param players: learned evaluations are made for a number of players, others fit all.
    :raises KeyError: the game has no such evaluation; :func:`names` lists those it has.
    :raises WeightsError: there are no weights for so many players, or the file cannot be used.
    """
    name = name or default(game, players)
    from_file = is_file(name)
    module = _imported(game, LEARNED if from_file else name)
    if not from_file and name != LEARNED:
        return Evaluation(f"{name}-{game}", module.model())
    path = Path(name) if from_file else weights.shipped(game, players)
    if not from_file and not path.exists():
        reason = f"no network of {game} for {players} players comes with the package"
        raise WeightsError(f"{reason}; make one with azul-ai train")
    wanted = {"game": game, "players": players, "features": module.FEATURES}
    model, note = weights.load(path, module.MODEL, wanted)
    return Evaluation(f"{LEARNED}-{game}-{players}-{note['id']}", model)


def is_file(name: str) -> bool:
    """Whether the name of an evaluation is that of a file of weights."""
    return name.endswith(weights.SUFFIX)


def network_module(game: str) -> Any:
    """The module of a game's networks: FEATURES, LAYOUT, MODEL."""
    return _imported(game, LEARNED)


def _imported(game: str, name: str) -> Any:
    """The module with the model, everything that the evaluation needs imported."""
    *_, module = map(importlib.import_module, _MODULES[game, name])
    return module


def names(game: str) -> tuple[str, ...]:
    """The evaluations that a game has; a learned one perhaps not for all numbers of players."""
    return tuple(name for of_game, name in _MODULES if of_game == game)
