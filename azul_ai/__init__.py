"""azul-ai: the best moves of a position of Azul, and what they are worth.

A last round, with one display left to take from:

>>> import azul_ai
>>> position = azul_ai.load(
...     "azul:1:5/1/BYYR,,,,/W//B9Y12R8K8W11/-/-/"
...     "32,W,KK,,KKKK,RRRR,BYRK1,WBYR1,KWBY1,2W2,5,/"
...     "26,Y,WW,RRR,,BBBB,B2KW,1B1RK,K2Y1,RK1B1,Y2W1,1:d95b"
... )
>>> analysis = azul_ai.analyze(position, limit=azul_ai.Limit(iterations=2000), seed=1)
>>> analysis.best.move
'F1-R-5'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from azul_ai.version import __version__

if TYPE_CHECKING:
    from azul_ai.analysis import Analysis
    from azul_ai.analyzer import analyze
    from azul_ai.notation import MoveError
    from azul_ai.position import Position, PositionError, load
    from azul_ai.settings import Limit, SettingError

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
    "analyze": "azul_ai.analyzer",
    "Limit": "azul_ai.settings",
    "SettingError": "azul_ai.settings",
    "MoveError": "azul_ai.notation",
    "Position": "azul_ai.position",
    "PositionError": "azul_ai.position",
    "load": "azul_ai.position",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: ``azul-ai --help`` must not pay for it."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
