"""Positions for tests, written with only what matters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

EMPTY_WALL = (".....",) * 5
NO_LINES = ("",) * 5


def board(
    score: int = 0,
    lines: Sequence[str] = NO_LINES,
    wall: Sequence[str] = EMPTY_WALL,
    floor: str = "",
) -> dict[str, Any]:
    """One player of an Azul position."""
    return {"score": score, "lines": list(lines), "wall": list(wall), "floor": floor}


def position(
    factories: Sequence[str], center: str, players: Sequence[dict[str, Any]], **others: Any
) -> dict[str, Any]:
    """An Azul position, if nothing else is said in round 1 with player 1 to move.

    Without bag and lid, all tiles that are not seen lie in the bag.
    """
    return {
        "game": "azul",
        "round": 1,
        "to_move": 1,
        "factories": list(factories),
        "center": center,
        "players": list(players),
        **others,
    }
