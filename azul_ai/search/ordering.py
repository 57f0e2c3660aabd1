"""The order in which moves are tried: the sooner the best one, the smaller the tree.

First the move of the table and the killers, which need no list of the moves; then all
others by their rating in points (:func:`azul_ai.evaluation.interface.rate_moves`) and by how
often moves like them refuted something.
"""

from __future__ import annotations

from typing import Any

from azul_ai import game
from azul_ai.evaluation.interface import rate_last_moves, rate_moves
from azul_ai.jit import jit
from azul_ai.search.stack import HISTORY

SORTED_LEAVES = 3
"""So many of a last decision's moves are tried by rating; sorting more costs more than it saves."""


HISTORY_POINTS, HISTORY_HALF = 3.0, 300.0
"""Moves like those that have refuted much rate so many points higher; half of that is reached
when the squares of the depths at which they did add up to so many."""


@jit
def list_early(search: Any, state: Any, ply: int, table_move: int) -> None:
    """Begin a frame's moves with those that are good without being rated."""
    frame = search.frames[ply]
    frame.early = frame.listed = 0
    add_early(search, state, frame, table_move)
    add_early(search, state, frame, search.killers[ply, 0])
    add_early(search, state, frame, search.killers[ply, 1])
    frame.number = frame.early
    frame.end = frame.first + frame.early


@jit
def add_early(search: Any, state: Any, frame: Any, move: int) -> None:
    """Add a move if it is one, legal, and not there yet."""
    if move < 0 or not game.is_legal(state, move):
        return
    end = frame.first + frame.early
    for place in range(frame.first, end):
        if search.moves[place] == move:
            return
    search.moves[end] = move
    frame.early += 1


@jit
def list_others(model: Any, search: Any, state: Any, memo: Any, ply: int) -> None:
    """List and rate a frame's moves but the early ones, which have been tried.

    Of a last decision's moves only those are listed that can be best for the mover, if that is
    what counts there.
    """
    frame = search.frames[ply]
    search.lists += 1
    start = frame.first + frame.early
    moves, ratings = search.moves[start:], search.ratings[start:]
    if frame.depth == 1 and (search.selfish or frame.maximizing):
        end = start + rate_last_moves(model, state, memo, moves, ratings)
        compared = memo.looked_at - (end - start)  # those that are listed count later
        search.compared += compared
        search.nodes += compared
    else:
        end = start + rate_moves(state, moves, ratings)
        add_history(search, state, frame, start, end)
    for tried in range(frame.first, start):
        for place in range(start, end):
            if search.moves[place] == search.moves[tried]:
                end -= 1
                search.moves[place] = search.moves[end]
                search.ratings[place] = search.ratings[end]
                break
    frame.end, frame.number, frame.listed = end, end - frame.first, 1


@jit
def add_history(search: Any, state: Any, frame: Any, start: int, end: int) -> None:
    """Raise the ratings of listed moves by what moves of the same meaning have refuted."""
    for place in range(start, end):
        meaning = game.move_key(state, search.moves[place]) & HISTORY - 1
        refuted = search.history[frame.mover, meaning]
        search.ratings[place] += HISTORY_POINTS * refuted / (refuted + HISTORY_HALF)


@jit
def next_move(search: Any, ply: int) -> int:
    """The best of a frame's remaining moves, brought to the front of them."""
    frame = search.frames[ply]
    front = frame.first + frame.index
    sorted_so_far = frame.index - frame.early
    if not frame.listed or (frame.depth == 1 and sorted_so_far >= SORTED_LEAVES):
        return search.moves[front]
    best = front
    for place in range(front + 1, frame.end):
        if search.ratings[place] > search.ratings[best]:
            best = place
    move, rating = search.moves[best], search.ratings[best]
    search.moves[best], search.ratings[best] = search.moves[front], search.ratings[front]
    search.moves[front], search.ratings[front] = move, rating
    return move


@jit
def remember(search: Any, state: Any, ply: int) -> None:
    """A frame's move has refuted the line before it: make it a killer, and history."""
    frame = search.frames[ply]
    move = frame.move
    if search.killers[ply, 0] != move:
        search.killers[ply, 1] = search.killers[ply, 0]
        search.killers[ply, 0] = move
    meaning = game.move_key(state, move) & HISTORY - 1
    search.history[frame.mover, meaning] += frame.depth * frame.depth
