"""Depth-first search of a position, one root move after the other, with an explicit stack."""

from __future__ import annotations

from typing import Any

from azul_ai import game
from azul_ai.evaluation.interface import conclude, correct, look, outlook
from azul_ai.game import DEAL, DECISION, OVER
from azul_ai.jit import jit, kernel
from azul_ai.search import ordering, rule
from azul_ai.search.deals import deal_next
from azul_ai.search.scores import INFINITE
from azul_ai.search.stack import MAX_DEPTH, NONE
from azul_ai.search.table import entry_for


@kernel
def advance(
    pool: Any, model: Any, search: Any, rows: Any, table: Any, deals: Any, memo: Any, limit: int
) -> bool:
    """Search on: True when all root moves are searched to the depth of the root's frame.

    False when ``limit`` nodes are reached or the table has to grow; call again to go on.

    :param pool: states, shape (PLIES + 1,), the first being the position.
    :param search: a record of the dtype SEARCH of :mod:`azul_ai.search.alphabeta` or
        :mod:`azul_ai.search.maxn`.
    :param rows: root moves (:data:`azul_ai.search.stack.ROW`), shape (n,), in the order in
        which to search them.
    :param table: pairs (PAIR of the same module), shape (a power of two,).
    :param deals: a record of dtype DEALS, or None to value positions before the deal.
    """
    game.conceal(pool[0])
    while search.nodes < limit and search.stored < search.room:
        ply = search.ply
        frame = search.frames[ply]
        state, child = pool[ply], pool[ply + 1]
        if frame.index == frame.number:
            if frame.listed:
                if ply == 0:
                    return True
                finish(search, table, ply)
                rule.absorb(search, rows, pool[ply - 1], ply - 1)
            else:
                ordering.list_others(model, search, state, memo, ply)
            continue
        is_leaf = False
        if not frame.again:
            if choose(search, rows, ply):
                is_leaf = outlook(model, state, frame.move, memo, search.values[:])
            if not is_leaf:
                pool[ply + 1] = state
                is_leaf = proceed(model, search, rows, deals, child, ply)
        rule.aim(search, rows, ply)
        if is_leaf:
            end_line(model, search, deals, state, ply)
        elif not enter(search, table, deals, child, ply + 1):
            continue
        rule.absorb(search, rows, state, ply)
    return False


@kernel
def follow(pool: Any, row: Any, table: Any) -> None:
    """Extend the line of a root move by what the table has as the best moves after it.

    Another thread may be writing to the table: what is read there is not relied on.

    :param pool: states, shape (2,): the position, and one that is overwritten.
    """
    pool[1] = pool[0]
    state = pool[1]
    for step in range(row.length):
        game.apply(state, row.line[step])
    while state.stage == DECISION and row.length < MAX_DEPTH:
        key = game.hash_key(state)
        pair = table[key & len(table) - 1]
        move = NONE
        if pair.kept.key == key:
            move = pair.kept.move
        elif pair.last.key == key:
            move = pair.last.move
        if move == NONE or not game.is_legal(state, move):
            break
        row.line[row.length] = move
        row.length += 1
        game.apply(state, move)


@jit
def choose(search: Any, rows: Any, ply: int) -> bool:
    """Choose the next child of a frame; whether its values can be had without going there."""
    frame = search.frames[ply]
    search.nodes += 1
    if frame.is_deal:
        return False
    if ply == 0:
        frame.move = rows[frame.index].move
        return False
    frame.move = ordering.next_move(search, ply)
    return frame.depth == 1


@jit
def proceed(model: Any, search: Any, rows: Any, deals: Any, child: Any, ply: int) -> bool:
    """Play a frame's move, or deal, on a copy of its position.

    Whether the search goes no deeper there; if so, its values are found.
    """
    frame = search.frames[ply]
    if frame.is_deal:
        if deals is not None:
            deal_next(search, deals, child, ply)
    else:
        game.apply(child, frame.move)
        if ply == 0:
            row = rows[frame.index]
            row.certain = child.stage != DEAL
            if child.stage == DECISION:
                row.certain = game.ends_game(child)
            elif child.stage == OVER:
                row.certain = game.conclusive(child)
        # A secret phase is one decision: what else it asks is left to the end of the round.
        if child.stage == DECISION and game.is_secret(child):
            conclude(child, model)
    deeper = frame.depth > 1 or frame.is_deal
    if child.stage == OVER or not deeper or (child.stage == DEAL and deals is None):
        look(model, child, search.values[:])
        return True
    return False


@jit
def end_line(model: Any, search: Any, deals: Any, state: Any, ply: int) -> None:
    """Take the values found after a move, beyond which the search goes no deeper."""
    search.leaves += 1
    if deals is not None:
        # Averages over deals are made of values of several rounds, and of exact ones: they could
        # not be corrected any more.
        correct(model, state, search.values[:])
    rule.take_leaf(search, ply + 1)


@jit
def enter(search: Any, table: Any, deals: Any, child: Any, ply: int) -> bool:
    """Begin the search of a child, unless the table answers it (True)."""
    parent, frame = search.frames[ply - 1], search.frames[ply]
    frame.depth = parent.depth if parent.is_deal else parent.depth - 1
    frame.is_deal = child.stage == DEAL
    if not frame.is_deal and (deals is None or game.ends_game(child)):
        frame.depth = min(frame.depth, game.moves_left(child))
    frame.wanted = parent.wanted and not parent.scout
    frame.low, frame.high = parent.child_low, parent.child_high
    frame.best_move = NONE
    if frame.depth > 1 or frame.is_deal:
        search.probes += 1
        frame.key = game.hash_key(child)
        pair = table[frame.key & len(table) - 1]
        if pair.kept.key == frame.key:
            frame.best_move = pair.kept.move
            if rule.answered(search, pair.kept, ply):
                return True
        elif pair.last.key == frame.key:
            frame.best_move = pair.last.move
            if rule.answered(search, pair.last, ply):
                return True
    open_frame(search, child, ply)
    search.ply = ply
    return False


@jit
def open_frame(search: Any, state: Any, ply: int) -> None:
    """Fill in the rest of a frame whose children are to be searched."""
    parent, frame = search.frames[ply - 1], search.frames[ply]
    search.opened += 1
    frame.alpha, frame.beta = frame.low, frame.high
    frame.level = parent.level + parent.is_deal
    frame.mover = state.mover
    frame.maximizing = state.mover == search.hero
    frame.best = -INFINITE if frame.maximizing else INFINITE
    frame.index = frame.again = frame.length = 0
    frame.first = parent.end
    if frame.is_deal:
        frame.end, frame.listed, frame.number = frame.first, 1, 1
        frame.total, frame.rest = 0.0, 1.0
    else:
        ordering.list_early(search, state, ply, frame.best_move)
        frame.best_move = NONE


@jit
def finish(search: Any, table: Any, ply: int) -> None:
    """Leave a frame whose children are all searched: its result goes up, and to the table."""
    frame = search.frames[ply]
    search.ply = ply - 1
    if frame.depth == 1 and not frame.is_deal:
        search.score = frame.best
        return
    entry = entry_for(table[frame.key & len(table) - 1], frame.key, frame.depth, search.age)
    search.stored += entry.key == 0
    entry.key, entry.move = frame.key, frame.best_move
    entry.depth, entry.age = frame.depth, search.age
    rule.keep(search, entry, ply)
