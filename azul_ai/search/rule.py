"""What alpha-beta and max^n have in common, and the questions on which they differ.

The questions are generic on the record type of the search; the answers are in
:mod:`azul_ai.search.alphabeta` and :mod:`azul_ai.search.maxn`. A *frame* is a position on the
stack, its *child* the one being searched, a *row* what is known of a root move.
"""

from __future__ import annotations

from typing import Any

from azul_ai.generic import generic
from azul_ai.jit import jit


@generic
def aim(search: Any, rows: Any, ply: int) -> None:
    """Decide what to ask of the next child of a frame: ``child_low``, ``child_high``, ``scout``."""


@generic
def absorb(search: Any, rows: Any, state: Any, ply: int) -> None:
    """Take in what was found of a frame's child; go on to the next, to none, or search it again.

    :param state: the frame's position.
    """


@generic
def answered(search: Any, entry: Any, ply: int) -> bool:
    """Whether a table entry says what is asked of the frame; then take it from there."""


@generic
def keep(search: Any, entry: Any, ply: int) -> None:
    """Hand the result of a finished frame up, and write it to a table entry."""


@generic
def take_leaf(search: Any, ply: int) -> None:
    """The values just found are those of the child at a ply."""


# An array in a record is of a type of its own: with it as an argument a function is compiled once
# more. The slice ``row.values[:]`` is of the type of all other arrays.


@jit
def copy_values(search: Any, source: Any, target: Any) -> None:
    """Copy the players' values, shape (MAX_PLAYERS, 3)."""
    for player in range(search.players):
        for column in range(3):
            target[player, column] = source[player, column]


@jit
def add_values(search: Any, ply: int) -> None:
    """Add the values of a frame's deal by its probability."""
    frame = search.frames[ply]
    for player in range(search.players):
        for column in range(3):
            if frame.index == 0:
                search.vectors[ply, player, column] = 0.0
            search.vectors[ply, player, column] += (
                frame.part * search.vectors[ply + 1, player, column]
            )


@jit
def extend_line(search: Any, ply: int) -> None:
    """A frame's line and values become those of its child, after its move."""
    frame = search.frames[ply]
    after = search.frames[ply + 1].length
    search.lines[ply, 0] = frame.move
    for step in range(after):
        search.lines[ply, step + 1] = search.lines[ply + 1, step]
    frame.length = after + 1
    copy_values(search, search.vectors[ply + 1], search.vectors[ply])


@jit
def finish_row(search: Any, row: Any, exact: bool) -> None:
    """A root move is searched: note its score, and if that is exact, its values and line."""
    row.nodes += search.nodes - search.nodes_before
    search.nodes_before = search.nodes
    row.score, row.exact, row.depth = search.score, exact, search.frames[0].depth
    if exact:
        extend_line(search, 0)
        row.length = search.frames[0].length
        for step in range(row.length):
            row.line[step] = search.lines[0, step]
        copy_values(search, search.vectors[0], row.values[:])


@jit
def rank(search: Any, rows: Any) -> None:
    """Insert the root's present row, if exact, into the ranking of the best rows."""
    place = search.frames[0].index
    row = rows[place]
    if not row.exact:
        return
    rank = search.ranked
    while rank > 0:
        other = rows[search.ranking[rank - 1]]
        if (other.score, -other.index) > (row.score, -row.index):
            break
        if rank < search.top:
            search.ranking[rank] = search.ranking[rank - 1]
        rank -= 1
    if rank < search.top:
        search.ranking[rank] = place
        search.ranked = min(search.top, search.ranked + 1)
