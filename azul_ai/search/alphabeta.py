"""Alpha-beta, for two camps: the hero, and all others.

Principal variation search: of a position's moves the first is searched with the whole window,
the others with one that only tells whether they are better, and if so again. Scores are the
hero's throughout (:mod:`azul_ai.search.scores`); frames maximize or minimize. Results may lie
outside the window that was asked for; then they are bounds (fail-soft).

Over deals: Star1 (Ballard, "The *-minimax search procedure for trees containing chance
nodes", 1983), where scores are bounded.
"""

from __future__ import annotations

import math
from typing import Any

from azul_ai.jit import jit
from azul_ai.search import ordering, rule
from azul_ai.search.scores import INFINITE, score
from azul_ai.search.stack import search_dtype
from azul_ai.search.table import EXACT, LOWER, UPPER, pair_dtype

SEARCH = search_dtype("alphabeta")
PAIR = pair_dtype()

_SLACK = 2
"""By how much windows below deals are widened, so that rounding decides nothing."""


@rule.aim.register(SEARCH)
@jit
def aim(search: Any, rows: Any, ply: int) -> None:
    """The window for the next child."""
    frame = search.frames[ply]
    if frame.is_deal:
        aim_deal(search, frame)
        return
    low, high = frame.alpha, frame.beta
    if ply == 0:
        low = needed(search, rows, frame.index)
        frame.scout = low > -INFINITE and not frame.again
    else:
        frame.scout = frame.index > 0 and not frame.again and high - low > 1
    if frame.scout:
        if frame.maximizing:
            high = low + 1
        else:
            low = high - 1
    frame.again = 0
    frame.child_low, frame.child_high = low, high


@jit
def aim_deal(search: Any, frame: Any) -> None:
    """The window outside which a deal's value decides, whatever the other deals are worth."""
    frame.scout = 0
    low, high = -search.bound - 1, search.bound + 1
    if search.bound < INFINITE:
        others = frame.rest * search.bound
        least = (frame.alpha - frame.total - others) / frame.part
        most = (frame.beta - frame.total + others) / frame.part
        low = max(low, math.floor(max(least, -2.0 * search.bound)) - _SLACK)
        high = min(high, math.ceil(min(most, 2.0 * search.bound)) + _SLACK)
    frame.child_low, frame.child_high = low, high


@jit
def needed(search: Any, rows: Any, index: int) -> int:
    """What a root move's score must exceed to be among the best that need true values.

    Equal scores rank by index, so that the ranking is a function of the values alone.
    """
    if search.ranked < search.top:
        return -INFINITE
    last = rows[search.ranking[search.top - 1]]
    return last.score - 1 if rows[index].index < last.index else last.score


@rule.absorb.register(SEARCH)
@jit
def absorb(search: Any, rows: Any, state: Any, ply: int) -> None:
    """Keep what is better than the best so far; stop where that is good enough."""
    frame = search.frames[ply]
    value = search.score
    if frame.is_deal:
        absorb_deal(search, frame, ply)
        return
    yes = value > frame.child_low if frame.maximizing else value < frame.child_high
    if frame.scout and yes and frame.alpha < value < frame.beta:
        frame.again = 1
        return
    if ply == 0:
        rule.finish_row(search, rows[frame.index], value > frame.child_low)
        rule.rank(search, rows)
    elif value > frame.best if frame.maximizing else value < frame.best:
        improve(search, frame, ply)
    frame.index += 1
    if frame.alpha >= frame.beta:
        frame.number, frame.listed = frame.index, 1
        ordering.remember(search, state, ply)


@jit
def improve(search: Any, frame: Any, ply: int) -> None:
    """The child is the best so far."""
    frame.best, frame.best_move = search.score, frame.move
    if frame.maximizing:
        frame.alpha = max(frame.alpha, search.score)
    else:
        frame.beta = min(frame.beta, search.score)
    if frame.wanted:
        rule.extend_line(search, ply)


@jit
def absorb_deal(search: Any, frame: Any, ply: int) -> None:
    """Add a deal by its probability; stop where it decides, with a bound for the average."""
    frame.total += frame.part * search.score
    if frame.wanted:
        rule.add_values(search, ply)
    frame.index += 1
    others = frame.rest * search.bound
    if frame.index < frame.number and search.score <= frame.child_low:
        frame.best = math.ceil(frame.total + others)
        frame.number = frame.index
    elif frame.index < frame.number and search.score >= frame.child_high:
        frame.best = math.floor(frame.total - others)
        frame.number = frame.index
    else:
        frame.best = math.floor(frame.total + 0.5)


@rule.answered.register(SEARCH)
@jit
def answered(search: Any, entry: Any, ply: int) -> bool:
    """A value of the same depth, or a bound of it beyond the window.

    Where all players' values are wanted only searching on finds them.
    """
    frame = search.frames[ply]
    if frame.wanted or entry.depth != frame.depth:
        return False
    search.score = entry.score
    if entry.bound == EXACT:
        return True
    return entry.score >= frame.high if entry.bound == LOWER else entry.score <= frame.low


@rule.keep.register(SEARCH)
@jit
def keep(search: Any, entry: Any, ply: int) -> None:
    """The score, and whether it is the value or a bound."""
    frame = search.frames[ply]
    search.score = entry.score = frame.best
    entry.bound = EXACT
    if frame.best <= frame.low:
        entry.bound = UPPER
    elif frame.best >= frame.high:
        entry.bound = LOWER


@rule.take_leaf.register(SEARCH)
@jit
def take_leaf(search: Any, ply: int) -> None:
    """Its score; its values only if they are wanted."""
    parent = search.frames[ply - 1]
    parent.scout = 0
    search.score = score(search.values[:], search.hero, search.players, search.objective)
    if parent.wanted:
        search.frames[ply].length = 0
        rule.copy_values(search, search.values[:], search.vectors[ply])
