"""Which moves of a node are still to be tried: best rated first, one at a time."""

from __future__ import annotations

from typing import Any

from azul_ai import game
from azul_ai.evaluation import interface as evaluation
from azul_ai.jit import jit
from azul_ai.search.tree import EXHAUSTED, NONE

STRUCK = -1e18
"""Rating of a move that has a node."""


@jit
def move_of_key(state: Any, key: int, moves: Any, number: int) -> int:
    """The move, of the first ``number``, that a key stands for in this state, or NONE."""
    for index in range(number):
        if game.move_key(state, moves[index]) == key:
            return moves[index]
    return NONE


@jit
def strike_known(
    nodes: Any, parent: int, state: Any, moves: Any, ratings: Any, number: int
) -> None:
    """Lower the ratings of moves that have a node, which are any of those there are now."""
    node = nodes[parent]
    for child in range(node.first, node.first + node.children):
        for index in range(number):
            if game.move_key(state, moves[index]) == nodes[child].move:
                ratings[index] = STRUCK


@jit
def strike_tried(nodes: Any, parent: int, moves: Any, ratings: Any, number: int) -> None:
    """Lower the ratings of moves that have a node: those up to the last one that was added.

    Inside the first round a node's moves and their ratings are the same on every visit, and the
    best is added first, of equals the first.
    """
    node = nodes[parent]
    if not node.children:
        return
    newest, last = nodes[node.first + node.children - 1].move, 0
    for index in range(number):
        if moves[index] == newest:
            last = index
    lowest = ratings[last]
    for index in range(number):
        if ratings[index] > lowest or (ratings[index] == lowest and index <= last):
            ratings[index] = STRUCK


@jit
def next_untried(nodes: Any, parent: int, state: Any, work: Any, open_loop: bool) -> int:
    """The best-rated legal move without a node, or NONE.

    Notes in the parent how far the rating of the one after it lies behind the best of all.
    """
    _, _, moves, ratings, _, _ = work
    number = evaluation.rate_moves(state, moves, ratings)
    top = highest(ratings, number)
    if open_loop:
        strike_known(nodes, parent, state, moves, ratings, number)
    else:
        strike_tried(nodes, parent, moves, ratings, number)
    node = nodes[parent]
    best, second = -1, -1
    for index in range(number):
        if ratings[index] > STRUCK:
            if best == -1 or ratings[index] > ratings[best]:
                best, second = index, best
            elif second == -1 or ratings[index] > ratings[second]:
                second = index
    node.behind = EXHAUSTED if second == -1 else ratings[second] - top
    return NONE if best == -1 else moves[best]


@jit
def highest(ratings: Any, number: int) -> float:
    """The highest of the first ``number`` ratings."""
    top = ratings[0]
    for index in range(1, number):
        top = max(top, ratings[index])
    return top
