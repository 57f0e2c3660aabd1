"""The learned evaluation of Azul with the gray wall, as a search uses it."""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai.evaluation import gray_terms, network
from azul_ai.evaluation.gray_features import FEATURES, INPUTS
from azul_ai.evaluation.gray_tiling import board_worth
from azul_ai.jit import jit

__all__ = ["FEATURES", "INPUTS", "MODEL"]

MODEL = network.model_dtype("gray", INPUTS)
network.register(MODEL)
network.register_plain_look(MODEL)

_TERMS = np.array([gray_terms.model()], dtype=gray_terms.MODEL)


@board_worth.register(MODEL)
@jit
def worth_by_terms(model: Any, board: Any, phase: int) -> float:  # noqa: ARG001
    """A network values whole states; a player's own ways to tile are told apart by the terms."""
    return gray_terms.board_value(_TERMS[0], board, phase)
