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


PLAIN = "BYOGP"
"""Five spaces, one of each color."""


def strip(front: str, filled: str = ".....", back: str = PLAIN) -> dict[str, str]:
    """A Sintra strip whose front is up."""
    return {"front": front, "back": back, "up": "front", "filled": filled}


def palace(
    strips: dict[int, Any] | None = None,
    windows: dict[int, str] | None = None,
    *,
    other: str = PLAIN,
    **others: Any,
) -> dict[str, Any]:
    """One player of a Sintra position; places count from 1.

    :param strips: the strips that matter, ``""`` for one that is gone; the front of each
        other one is ``other``.
    """
    strips, windows = strips or {}, windows or {}
    return {
        "score": 0,
        "glazier": 1,
        "broken": 0,
        "lost": 0,
        "windows": [windows.get(place, "") for place in range(1, 9)],
        "strips": [strips.get(place, strip(other)) for place in range(1, 9)],
        **others,
    }


def sintra_position(
    factories: Sequence[str], center: str, players: Sequence[dict[str, Any]], **others: Any
) -> dict[str, Any]:
    """A Sintra position, if nothing else is said in round 1 on side A, player 1 to move."""
    number = others.get("round", 1)
    return position(
        factories,
        center,
        players,
        **{
            "game": "sintra",
            "side": "A",
            "indicator": "BYOGPB"[number - 1 :],
            "window_points": [1, 2, 3, 4, 5, 6, 7, 8],
            **others,
        },
    )
