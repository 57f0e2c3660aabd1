"""How positions of each game are written: game id -> module, loaded on demand.

A format module offers

- ``read(document, check_counts) -> Position``: from the keys of a TOML or JSON document; of a
  game with components, ``components`` too: what stands in for prints that it leaves out;
- ``to_dict(position)`` and ``to_toml(position)``: the document again;
- ``to_fields(position)`` and ``from_fields(game, text)``: the fields of a code, and a document
  of them;
- ``template(game, players, **options)``: a commented file to fill in;
- ``to_state(position)``, of a position that ``read`` returned, and ``from_state(state, names)``.
"""

from __future__ import annotations

import importlib
from types import ModuleType

_MODULES = {
    "azul": "azul_ai.position.azul",
    "azul-gray": "azul_ai.position.azul",
    "sintra": "azul_ai.position.sintra",
}
NAMES = tuple(_MODULES)


def load(game: str) -> ModuleType:
    """The format module of a game.

    :raises KeyError: there is no such game.
    """
    return importlib.import_module(_MODULES[game])
