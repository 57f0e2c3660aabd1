"""What can be said of a line of Azul with the colored wall.

Facts are dictionaries that go into JSON as they are: players, lines, rows and columns count from
1, colors are letters. Reasons and words are derived from these facts alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from azul_ai.explain import walls
from azul_ai.explain.drafting import opening_words, turn
from azul_ai.explain.explanation import Facts
from azul_ai.explain.lines import Played
from azul_ai.explain.results import is_over
from azul_ai.explain.walls import COLUMNS, reasons
from azul_ai.games.supply import COLORS
from azul_ai.games.walls import SIZE

__all__ = ["COLUMNS", "is_over", "opening_words", "outcomes", "reasons", "turn"]

_DIAGONALS = [
    sum(1 << SIZE * row + (color + row) % COLORS for row in range(SIZE)) for color in range(COLORS)
]
"""The cells printed in each color."""


def outcomes(played: Played, turns: Sequence[Facts]) -> tuple[dict[str, Any], ...]:
    """What each player has made of the round; see :func:`walls.outcomes`."""
    del turns
    return tuple(walls.outcomes(played, _colors))


def _colors(board: Any) -> list[int]:
    return [int(board["wall"]) & cells for cells in _DIAGONALS]
