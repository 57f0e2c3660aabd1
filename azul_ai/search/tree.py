"""The search tree of ISMCTS: an array of node records, children as linked lists.

A node is an information set reached by a move; a child is made only when it is first tried,
so an iteration adds at most one node, and a tree that may not grow any more simply stops
adding. ``NONE`` ends a list. Node 0 is the root; its children are made first, all of them,
and are nodes 1 … m in the order of the problem's moves.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from azul_ai.jit import jit

NONE = -1

NODE = np.dtype(
    (
        np.record,
        [
            ("mean", "f8"),  # mean utility of the player who moved here, prior included
            ("own", "f8"),  # mean utility of the player who decides here
            ("visits", "i4"),
            ("available", "i4"),  # visits of the parent at which the move was legal
            ("first", "i4"),  # newest child, or NONE
            ("next", "i4"),  # next older sibling, or NONE
            ("move", "i4"),  # inside the first round the move, past a deal its key
            ("behind", "f4"),  # rating of the best untried move minus the best move's, <= 0
        ],
    )
)

EXHAUSTED = -1e9
"""Value of ``behind`` when every move has its node."""


def new_tree(nodes: int) -> Any:
    """Room for a number of nodes, shape (nodes,); memory is used only as the tree grows."""
    return np.zeros(nodes, dtype=NODE)


@jit
def make_node(nodes: Any, index: int, parent: int, move: int, prior: float) -> None:
    """Make node ``index`` the newest child of ``parent``, its mean at ``prior``."""
    node = nodes[index]
    node.mean = prior
    node.own = 0.0
    node.visits = 0
    node.available = 0
    node.first = NONE
    node.next = nodes[parent].first
    node.move = move
    node.behind = 0.0
    nodes[parent].first = index


@jit
def record(nodes: Any, index: int, prior_visits: float, moved: float, own: float) -> None:
    """Add a result: ``moved`` for the player who moved here, ``own`` for who decides here."""
    node = nodes[index]
    node.visits += 1
    node.mean += (moved - node.mean) / (node.visits + prior_visits)
    node.own += (own - node.own) / node.visits


@jit
def exploration(available: int, visits: float) -> float:
    """The exploration term N^(1/4) / n^(1/2), a polynomial upper confidence bound.

    Source: Shah, Xie, Xu, "Non-asymptotic analysis of Monte Carlo tree search" (2020). In
    place of sqrt(log N / n), because a logarithm's last bit may differ between machines.
    """
    return math.sqrt(math.sqrt(available) / visits)


@jit
def most_visited(nodes: Any, parent: int) -> int:
    """The child with the most visits, among equals the one with the higher mean; or NONE."""
    best = NONE
    child = nodes[parent].first
    while child != NONE:
        if (
            best == NONE
            or nodes[child].visits > nodes[best].visits
            or (
                nodes[child].visits == nodes[best].visits and nodes[child].mean > nodes[best].mean
            )
        ):
            best = child
        child = nodes[child].next
    return best
