"""The search tree of ISMCTS: an array of node records, each node's children side by side.

A node is an information set reached by a move; a child is made only when it is first tried,
so an iteration adds at most one node, and a tree that may not grow any more simply stops
adding. Children lie in a block whose size is a power of two and doubles when it is full:
selection reads them in a row, and the blocks left behind serve smaller families.

The bound that selection compares is the mean plus N^(1/4) / n^(1/2) times a constant, a
polynomial upper confidence bound (Shah, Xie, Xu, "Non-asymptotic analysis of Monte Carlo tree
search", 2020), in place of sqrt(log N / n): a logarithm's last bit may differ between machines.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from azul_ai.bits import lowest
from azul_ai.jit import jit

NONE, ROOT = -1, 0
VIEW = -2
"""A child whose ``move`` is VIEW - player is no move: there begins that player's tree of a
secret phase, which the others' choices do not reach."""
SIZES = 12
"""Block sizes are 1, 2, 4 … 2^(SIZES - 1)."""

NODE = np.dtype(
    (
        np.record,
        [
            ("value", "f8"),  # mean utility of the player who moved here, prior included
            ("width", "f8"),  # 1 / sqrt(visits, prior included)
            ("own", "f8"),  # mean utility of the player who decides here
            ("visits", "i4"),
            ("available", "i4"),  # visits of the parent at which the move was legal
            ("first", "i4"),  # the first of the block of children
            ("children", "i4"),
            ("move", "i4"),  # inside the first round the move, past a deal its key
            ("behind", "f4"),  # rating of the best untried move minus the best move's, <= 0
        ],
    )
)
EXHAUSTED = -1e9
"""Value of ``behind`` when every move has its node."""

STORE = np.dtype(
    (
        np.record,
        [
            ("used", "i8"),  # slots ever used, from the front
            ("free", "i8", (SIZES,)),  # for each size the first of a list of free blocks, or NONE
        ],
    )
)
"""Which slots of the node array are in use."""


def new_tree(nodes: int) -> tuple[Any, Any]:
    """An empty tree with room for a number of nodes: the node array and its store.

    Memory is used only as the tree grows.
    """
    store = np.zeros(1, dtype=STORE)[0]
    store.free = NONE
    return np.zeros(nodes, dtype=NODE), store


@jit
def clear(nodes: Any, store: Any) -> None:
    """Empty a tree, so that it can be planted anew."""
    store.used = 0
    for size in range(SIZES):
        store.free[size] = NONE
    root = nodes[ROOT]
    root.children = root.visits = 0
    root.own = root.value = 0.0


@jit
def make_root(nodes: Any, store: Any) -> None:
    """Make the root, whose moves are all made as children at once, in slot 0."""
    store.used = 1
    nodes[ROOT].behind = EXHAUSTED


@jit
def add_child(
    nodes: Any, store: Any, parent: int, move: int, prior: float, prior_visits: float
) -> int:
    """Add a child with a value of ``prior``; return it, or NONE if there is no room.

    Its sisters may change their places.
    """
    number = nodes[parent].children
    if number & (number - 1) == 0:
        block = allocate(nodes, store, max(1, 2 * number))
        if block == NONE:
            return NONE
        first = nodes[parent].first
        for index in range(number):
            nodes[block + index] = nodes[first + index]
        if number:
            release(nodes, store, first, number)
        nodes[parent].first = block
    child = nodes[parent].first + number
    nodes[parent].children = number + 1
    node = nodes[child]
    node.value = prior
    node.width = 1.0 / math.sqrt(prior_visits)
    node.own = 0.0
    node.visits = 0
    node.available = 0
    node.children = 0
    node.move = move
    node.behind = 0.0
    return child


@jit
def add_views(nodes: Any, store: Any, parent: int, players: int, prior_visits: float) -> None:
    """Begin every player's own tree at the node where a secret phase begins, if it has none."""
    for player in range(players):
        if view_of(nodes, parent, player) == NONE:
            add_child(nodes, store, parent, VIEW - player, 0.0, prior_visits)


@jit
def view_of(nodes: Any, parent: int, player: int) -> int:
    """Where a player's own tree of the secret phase that begins at a node begins; or NONE."""
    first = nodes[parent].first
    for child in range(first, first + nodes[parent].children):
        if nodes[child].move == VIEW - player:
            return child
    return NONE


@jit
def allocate(nodes: Any, store: Any, size: int) -> int:
    """A block of ``size`` slots, a power of two; NONE if there is none."""
    free = store.free[lowest(size)]
    if free != NONE:
        store.free[lowest(size)] = nodes[free].first
        return free
    block = store.used
    if block + size > len(nodes):
        return NONE
    store.used += size
    return block


@jit
def release(nodes: Any, store: Any, block: int, size: int) -> None:
    """Give a block back."""
    nodes[block].first = store.free[lowest(size)]
    store.free[lowest(size)] = block


@jit
def record(nodes: Any, index: int, prior_visits: float, moved: float, own: float) -> None:
    """Add a result: ``moved`` for the player who moved here, ``own`` for who decides here."""
    node = nodes[index]
    node.visits += 1
    node.value += (moved - node.value) / (node.visits + prior_visits)
    node.width = 1.0 / math.sqrt(node.visits + prior_visits)
    node.own += (own - node.own) / node.visits


@jit
def most_visited(nodes: Any, parent: int) -> int:
    """The move's child with the most visits, among equals of the higher value; or NONE."""
    first = nodes[parent].first
    best = NONE
    for child in range(first, first + nodes[parent].children):
        node = nodes[child]
        if node.move >= 0 and (
            best == NONE
            or node.visits > nodes[best].visits
            or (node.visits == nodes[best].visits and node.value > nodes[best].value)
        ):
            best = child
    return best
