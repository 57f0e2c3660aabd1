"""Positions that a depth-first search meets: it is stopped now and then to look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from azul_ai.game import Ints
from azul_ai.search.depthfirst import advance

NUMBER = 256
"""Positions of each kind."""
LOOKS = 16
"""Single steps between two stretches of the search."""


@dataclass(frozen=True)
class Steps:
    """Some of a search's positions.

    ``last``, ``last_moves``: with one decision to look ahead, and the move tried there.
    ``opened``, ``depths``: whose moves were listed, and decisions to look ahead.
    """

    last: Any
    last_moves: Ints
    opened: Any
    depths: Ints


def search(task: Any) -> Steps:
    """Run an expectimax task to its end, some of the way step by step."""
    last: list[tuple[Any, int]] = []
    opened: list[tuple[Any, int]] = []
    while not task.run(0.0):
        pool, _, record, *_ = arguments = task.arguments()
        for _ in range(LOOKS):
            before = int(record["nodes"])
            advance(*arguments, before + 1)
            ply = int(record["ply"])
            frame = record["frames"][ply]
            if ply == 0 or record["nodes"] == before:
                break  # between two root moves, or the table has to grow
            if frame["index"] == 0:
                opened.append((pool[ply].copy(), int(frame["depth"])))
            elif frame["depth"] == 1:
                last.append((pool[ply].copy(), int(frame["move"])))
    return Steps(*_evenly(last, task.pool.dtype), *_evenly(opened, task.pool.dtype))


def _evenly(met: list[tuple[Any, int]], dtype: np.dtype[Any]) -> tuple[Any, Ints]:
    """NUMBER of the positions, from begin to end, or all if there are fewer."""
    chosen = np.linspace(0, len(met) - 1, min(NUMBER, len(met))).astype(np.int64)
    states = np.array([met[index][0] for index in chosen], dtype=dtype)
    return states, np.array([met[index][1] for index in chosen], dtype=np.int64)
