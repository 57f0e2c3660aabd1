"""The memory of a depth-first search: one record, so that a search can stop anywhere.

Depth-first search here keeps its own stack instead of calling itself: between two steps all
that it knows is in this record and in the pool of states, and a later call goes on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai.game import MAX_MOVES, MAX_PLAYERS

MAX_DEPTH = 64
"""Decisions that a line of play may have."""
PLIES = 2 * MAX_DEPTH
"""Frames: the root, the decisions, and at most a deal before each."""
HISTORY = 1 << 12
"""Meanings of moves (:func:`azul_ai.game.move_key`) that the history tells apart."""

NONE = -1
"""No move."""

FRAME = np.dtype(
    (
        np.record,
        [
            ("key", "i8"),
            ("depth", "i8"),  # decisions still to look ahead
            ("level", "i8"),  # deals above
            ("is_deal", "i8"),  # its children are deals, not moves
            ("mover", "i8"),
            ("maximizing", "i8"),
            ("low", "i8"),  # the window that was asked for
            ("high", "i8"),
            ("alpha", "i8"),  # what is left of it
            ("beta", "i8"),
            ("child_low", "i8"),  # the window that the child is asked for
            ("child_high", "i8"),
            ("scout", "i8"),  # that is one which only tells yes or no
            ("again", "i8"),  # it told yes: search the child with the whole window
            ("wanted", "i8"),  # all players' values and the line are wanted, not just a score
            ("first", "i8"),  # where its moves begin and end in the list of all frames
            ("end", "i8"),
            ("early", "i8"),  # moves that are tried before all are listed
            ("listed", "i8"),
            ("number", "i8"),  # of children, as far as known
            ("index", "i8"),  # of the child
            ("move", "i8"),  # to the child
            ("best", "i8"),
            ("best_move", "i8"),
            ("length", "i8"),  # of the line
            ("total", "f8"),  # of the scores of the deals so far, each by its probability
            ("part", "f8"),  # probability of the present deal
            ("rest", "f8"),  # and of those after it
        ],
    )
)

_FIELDS = [
    ("hero", "i8"),
    ("players", "i8"),
    ("objective", "i8"),
    ("selfish", "i8"),  # every mover wants what is best for himself
    ("bound", "i8"),  # no score is farther from 0
    ("top", "i8"),  # root moves that need true values
    ("ranked", "i8"),  # root moves ranked so far, at most as many
    ("age", "i8"),
    ("nodes", "i8"),
    ("leaves", "i8"),  # of the nodes: valued, not searched deeper
    ("compared", "i8"),  # of the nodes: last moves that were only compared with each other
    ("probes", "i8"),  # of the table
    ("opened", "i8"),  # frames
    ("lists", "i8"),  # of a frame's moves
    ("nodes_before", "i8"),  # the present root move
    ("stored", "i8"),  # positions in the table
    ("room", "i8"),  # positions after which the table has to grow
    ("ply", "i8"),
    ("score", "i8"),  # of the child just searched
    ("values", "f8", (MAX_PLAYERS, 3)),  # of the leaf just valued
    ("frames", FRAME, (PLIES,)),
    ("vectors", "f8", (PLIES, MAX_PLAYERS, 3)),  # values of each frame
    ("lines", "i8", (PLIES, MAX_DEPTH)),  # best line from each frame on
    ("killers", "i8", (PLIES, 2)),
    ("history", "i8", (MAX_PLAYERS, HISTORY)),
    ("ranking", "i8", (MAX_MOVES,)),  # rows of the best root moves, best first
    ("moves", "i8", (MAX_DEPTH * MAX_MOVES,)),
    ("ratings", "f8", (MAX_DEPTH * MAX_MOVES,)),
]


def search_dtype(kind: str) -> np.dtype[Any]:
    """A record type of its own for each kind of search, which chooses the compiled bodies."""
    return np.dtype((np.record, [*_FIELDS, (kind, "i8")]))


ROW = np.dtype(
    (
        np.record,
        [
            ("move", "i8"),
            ("index", "i8"),  # its place among the candidates, which breaks ties
            ("score", "i8"),
            ("exact", "i8"),  # the score is the value, not an upper bound of it
            ("certain", "i8"),  # the game certainly ends with this round
            ("depth", "i8"),
            ("nodes", "i8"),
            ("values", "f8", (MAX_PLAYERS, 3)),
            ("length", "i8"),
            ("line", "i8", (MAX_DEPTH,)),
        ],
    )
)
"""A root move and what is known of it."""
