"""Iterations of a finished tree search, drawn from its tree as often as they happened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.game import DECISION, Ints
from azul_ai.search import tree

NUMBER = 256
SEED = 1


@dataclass(frozen=True)
class Walks:
    """Where some iterations went.

    ``states``, ``places``: every state in which a child was chosen, and its node; ``ends``:
    which of them were the last of an iteration. ``leaves``: the states after those.
    """

    states: Any
    places: Ints
    ends: Ints
    leaves: Any

    @property
    def playouts(self) -> Any:
        """The leaves from which the round was still to be played."""
        return self.leaves[self.leaves["stage"] == DECISION]


def draw(position: Any, nodes: Any) -> Walks:
    """Draw iterations of a tree that does not look past the round's end.

    :param position: the state of the root.
    :param nodes: the tree.
    """
    random = np.random.default_rng(SEED)
    met: list[tuple[Any, int]] = []
    ends, leaves = [], []
    for _ in range(NUMBER):
        state, place = position.copy(), tree.ROOT
        while (child := _next(nodes, place, random)) != tree.NONE:
            met.append((state.copy(), place))
            game.play(state, int(nodes[child]["move"]))
            place = child
        ends.append(len(met) - 1)
        leaves.append(state)
    return Walks(
        np.array([state for state, _ in met], dtype=position.dtype),
        np.array([place for _, place in met], dtype=np.int64),
        np.array(ends, dtype=np.int64),
        np.array(leaves, dtype=position.dtype),
    )


def _next(nodes: Any, place: int, random: np.random.Generator) -> int:
    """The child that a random one of a node's visits went to; NONE if it ended there."""
    first, number = int(nodes[place]["first"]), int(nodes[place]["children"])
    upto = np.cumsum(nodes["visits"][first : first + number])
    child = int(np.searchsorted(upto, random.integers(nodes[place]["visits"]), side="right"))
    return first + child if child < number else tree.NONE


def reachable(nodes: Any) -> Ints:
    """Indices of a tree's nodes, level by level from the root."""
    level = np.array([tree.ROOT])
    levels = [level]
    while len(level):
        first, number = nodes["first"][level], nodes["children"][level]
        starts = np.repeat(first - np.cumsum(number) + number, number)
        level = starts + np.arange(len(starts))
        levels.append(level)
    return np.concatenate(levels)
