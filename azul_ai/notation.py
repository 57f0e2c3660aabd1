"""Moves as people write them: ``F3-B-2``, ``C-K-floor``, ``wall-3-5``.

A game's own module has the wording; the table here selects it by the state's game.
"""

from __future__ import annotations

import importlib
from typing import Any

from azul_ai import games
from azul_ai.game import State
from azul_ai.position.faults import MoveError

__all__ = ["MoveError", "format_move", "names", "parse_move"]

_MODULES = {
    "azul": "azul_ai.position.azul_moves",
    "azul-gray": "azul_ai.position.gray_moves",
    "sintra": "azul_ai.position.sintra_moves",
}


def format_move(state: State, move: int) -> str:
    """The name of a legal move."""
    name: str = _module(state).format_move(move)
    return name


def parse_move(state: State, text: str) -> int:
    """The legal move that a text names, in capitals or not, ``0`` also standing for ``C``.

    :raises MoveError: it is not understood or not legal; says why.
    """
    move: int = _module(state).parse_move(state, text)
    return move


def names(state: State, move: int) -> list[str]:
    """The names of a legal move taken from any of several identical displays, lowest first."""
    listed: list[str] = _module(state).names(state, move)
    return listed


def _module(state: State) -> Any:
    return importlib.import_module(_MODULES[games.of(state).NAME])
