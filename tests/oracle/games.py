"""The oracle of a game by its name."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from tests.oracle import azul, gray, sintra

GAMES: dict[str, ModuleType] = {rules.GAME: rules for rules in (azul, gray, sintra)}


def of(state: Any) -> ModuleType:
    """The module whose functions play this state."""
    return GAMES[state.game]


def from_dict(position: dict[str, Any], **options: Any) -> Any:
    """The state that a position of any of the games describes."""
    return GAMES[position["game"]].from_dict(position, **options)
