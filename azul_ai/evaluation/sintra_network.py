"""The learned evaluation of Stained Glass of Sintra, as a search uses it."""

from __future__ import annotations

from typing import Any

from azul_ai.evaluation import network
from azul_ai.evaluation.interface import outlook
from azul_ai.evaluation.sintra_features import FEATURES, LAYOUT
from azul_ai.jit import jit

__all__ = ["FEATURES", "LAYOUT", "MODEL"]

MODEL = network.model_dtype("sintra", LAYOUT)
network.register(MODEL)


@outlook.register(MODEL)
@jit
def outlook_sintra(model: Any, state: Any, move: int, memo: Any, values: Any) -> bool:  # noqa: ARG001
    """There is no quicker way."""
    return False
