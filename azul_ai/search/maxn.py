"""Max^n for three and four players: everybody maximizes his own utility.

Source: Luckhardt and Irani, "An algorithmic solution of n-person games" (1986). Without a
rule for moves that are equal for the mover values would not be unique: of these he takes the
one whose utilities, for the players after him in turn order, are lexicographically smallest.
Nothing is pruned; a position met again is looked up, with all players' values.
"""

from __future__ import annotations

import math
from typing import Any

from azul_ai.evaluation.interface import POINTS, utility
from azul_ai.game import MAX_PLAYERS
from azul_ai.jit import jit
from azul_ai.search import rule
from azul_ai.search.scores import UNIT
from azul_ai.search.stack import NONE, search_dtype
from azul_ai.search.table import EXACT, pair_dtype

SEARCH = search_dtype("maxn")
PAIR = pair_dtype(("values", "f8", (MAX_PLAYERS, 3)))


@jit
def worth(values: Any, player: int, objective: int) -> int:
    """A player's utility as a whole number, so that equal is equal."""
    return math.floor(UNIT * utility(values, player, objective) + 0.5)


@rule.aim.register(SEARCH)
@jit
def aim(search: Any, rows: Any, ply: int) -> None:
    """Everything is wanted of every child."""


@rule.absorb.register(SEARCH)
@jit
def absorb(search: Any, rows: Any, state: Any, ply: int) -> None:  # noqa: ARG001
    """Keep what the mover prefers to the best so far."""
    frame = search.frames[ply]
    if frame.is_deal:
        rule.add_values(search, ply)
    elif ply == 0:
        row = rows[frame.index]
        search.score = worth(search.vectors[1], frame.mover, search.objective)
        rule.finish_row(search, row, True)
    elif frame.best_move == NONE or preferred(search, frame.mover, ply):
        frame.best_move = frame.move
        rule.extend_line(search, ply)
    frame.index += 1


@jit
def preferred(search: Any, mover: int, ply: int) -> bool:
    """Whether the mover prefers the child's values to those of the best so far.

    More for himself; else less for the next player, and so on; else, so that points are
    unique as well, the same with points.
    """
    old, new = search.vectors[ply], search.vectors[ply + 1]
    for step in range(2 * search.players):
        player = (mover + step) % search.players
        if step < search.players:
            before = worth(old, player, search.objective)
            after = worth(new, player, search.objective)
        else:
            before = math.floor(UNIT * old[player, POINTS] + 0.5)
            after = math.floor(UNIT * new[player, POINTS] + 0.5)
        if before != after:
            return (after > before) == (player == mover)
    return False


@rule.answered.register(SEARCH)
@jit
def answered(search: Any, entry: Any, ply: int) -> bool:
    """The values at the same depth."""
    frame = search.frames[ply]
    if entry.depth != frame.depth:
        return False
    rule.copy_values(search, entry.values[:], search.vectors[ply])
    frame.length = 0
    return True


@rule.keep.register(SEARCH)
@jit
def keep(search: Any, entry: Any, ply: int) -> None:
    """All players' values."""
    entry.bound = EXACT
    rule.copy_values(search, search.vectors[ply], entry.values[:])


@rule.take_leaf.register(SEARCH)
@jit
def take_leaf(search: Any, ply: int) -> None:
    """All players' values."""
    search.frames[ply].length = 0
    rule.copy_values(search, search.values[:], search.vectors[ply])
