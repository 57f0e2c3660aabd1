"""The games, by name, loaded on demand: nothing of a game is imported before it is asked for."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

_MODULES = {
    "azul": "azul_ai.games.azul",
    "azul-gray": "azul_ai.games.gray",
    "sintra": "azul_ai.games.sintra",
}
NAMES = tuple(_MODULES)


def load(name: str) -> ModuleType:
    """The rules of the game called ``name``.

    :raises KeyError: there is no such game.
    """
    return importlib.import_module(_MODULES[name])


def has_sides(name: str) -> bool:
    """Whether a game has boards with two sides and components that are laid out at random."""
    return hasattr(load(name), "SIDES")


def new_game(name: str, players: int, *, seed: int, **options: Any) -> Any:
    """A game before its first deal.

    :param seed: of what is random before that, if anything is.
    :param options: what else the game's ``new_state`` takes.
    :raises KeyError: there is no such game.
    """
    if has_sides(name):
        options["seed"] = seed
    return load(name).new_state(players, **options)


def of(state: Any) -> ModuleType:
    """The rules that a state record belongs to."""
    for path in _MODULES.values():
        module = sys.modules.get(path)  # a state cannot exist before its game is loaded
        if module is not None and state.dtype == module.STATE:
            return module
    raise KeyError(f"no game has the record type {state.dtype}")
