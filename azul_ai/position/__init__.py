"""Positions as people write them: files, codes, and the records that searches work on."""

from __future__ import annotations

from azul_ai.position.api import from_code, from_state, load, parse, template, to_state
from azul_ai.position.faults import Fault, PositionError
from azul_ai.position.model import Player, Position

__all__ = [
    "Fault",
    "Player",
    "Position",
    "PositionError",
    "from_code",
    "from_state",
    "load",
    "parse",
    "template",
    "to_state",
]
