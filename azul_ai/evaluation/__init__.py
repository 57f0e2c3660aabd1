"""Evaluations by game and name, loaded on demand."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

HANDMADE, SCORE = "handmade", "score"

_MODULES = {
    ("azul", HANDMADE): ("azul_ai.evaluation.azul",),
    ("azul", SCORE): ("azul_ai.evaluation.azul_rating", "azul_ai.evaluation.score"),
    ("azul-gray", HANDMADE): ("azul_ai.evaluation.gray",),
    ("azul-gray", SCORE): ("azul_ai.evaluation.gray", "azul_ai.evaluation.score"),
    ("sintra", HANDMADE): ("azul_ai.evaluation.sintra",),
    ("sintra", SCORE): ("azul_ai.evaluation.sintra_rating", "azul_ai.evaluation.score"),
}
"""What to import for a game's evaluation; the last module has the model."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A named model: ``id`` is shown with every result, ``model`` is passed to kernels."""

    id: str
    model: Any


def load(game: str, name: str = HANDMADE) -> Evaluation:
    """The evaluation called ``name`` of a game.

    :raises KeyError: the game has no such evaluation; :func:`names` lists those it has.
    """
    *_, module = map(importlib.import_module, _MODULES[game, name])
    return Evaluation(f"{name}-{game}", module.model())


def names(game: str) -> tuple[str, ...]:
    """The evaluations that a game has."""
    return tuple(name for of_game, name in _MODULES if of_game == game)
