"""azul-ai: the best moves of a position of Azul, how sure that is, and why.

>>> import azul_ai
>>> position = azul_ai.load("azul:1:2.1...")  # doctest: +SKIP
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from azul_ai.version import __version__

if TYPE_CHECKING:
    from azul_ai.analysis import Analysis, analyze
    from azul_ai.engine import Limit, SettingError
    from azul_ai.position import MoveError, Position, PositionError, load

__all__ = [
    "Analysis",
    "Limit",
    "MoveError",
    "Position",
    "PositionError",
    "SettingError",
    "__version__",
    "analyze",
    "load",
]

_HOMES = {
    "Analysis": "azul_ai.analysis",
    "analyze": "azul_ai.analysis",
    "Limit": "azul_ai.engine",
    "SettingError": "azul_ai.engine",
    "MoveError": "azul_ai.position",
    "Position": "azul_ai.position",
    "PositionError": "azul_ai.position",
    "load": "azul_ai.position",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: ``azul-ai --help`` must not pay for it."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
