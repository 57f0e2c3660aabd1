"""The learned evaluation of Stained Glass of Sintra, as a search uses it."""

from __future__ import annotations

from azul_ai.evaluation import network
from azul_ai.evaluation.sintra_features import FEATURES, INPUTS

__all__ = ["FEATURES", "INPUTS", "MODEL"]

MODEL = network.model_dtype("sintra", INPUTS)
network.register(MODEL)
network.register_plain_look(MODEL)
