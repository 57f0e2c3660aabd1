"""The compiled loops whose time is measured.

Each loop runs over many different states and adds up its results, so that the compiler can
neither move the work out of the loop nor leave it out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai import game, rng
from azul_ai.evaluation import interface as evaluation
from azul_ai.game import Ints, State
from azul_ai.jit import jit, kernel
from azul_ai.rng import Rng, step
from azul_ai.search import expansion, iteration, ordering, tree
from azul_ai.search.stack import NONE
from azul_ai.search.table import entry_for

NOTHING, LIST, COUNT, RATE, RATE_LAST, HASH, EVALUATE, OUTLOOK = range(8)
"""Primitives that only read a state; ``NOTHING`` is the loop itself."""
COPY, APPLY, CLOSE, DEAL, DETERMINIZE, POLICY = range(8, 14)
"""Primitives that change a state, each on a fresh copy; ``COPY`` is that copy alone."""


def new_work(dtype: np.dtype[Any], model: Any, seed: int, noise: float) -> Any:
    """The scratch memory of :func:`repeat` for a game's states and a model; the policy's noise.

    One record, not several arrays: counting references to those would be measured, too.
    """
    fields: list[Any] = [
        ("pool", dtype, (1,)),
        ("moves", "i8", (game.MAX_MOVES,)),
        ("ratings", "f8", (game.MAX_MOVES,)),
        ("values", "f8", (game.MAX_PLAYERS, 3)),
        ("generator", "u8", (1,)),
        ("noise", "f8"),
        ("memo", evaluation.memo_type(model)),
    ]
    work = np.zeros(1, dtype=np.dtype((np.record, fields)))[0]
    work["generator"] = rng.new(seed)
    work["noise"] = noise
    return work


@jit
def look(primitive: int, state: State, move: int, model: Any, work: Any) -> float:
    """Run a primitive that only reads."""
    result = 0.0
    if primitive == LIST:
        result += game.legal_moves(state, work.moves, True)
    elif primitive == COUNT:
        result += game.count_moves(state)
    elif primitive == RATE:
        result += evaluation.rate_moves(state, work.moves, work.ratings)
    elif primitive == RATE_LAST:
        result += evaluation.rate_last_moves(model, state, work.memo, work.moves, work.ratings)
    elif primitive == HASH:
        result += game.hash_key(state)
    elif primitive == EVALUATE:
        evaluation.evaluate(model, state, work.values)
        result += work.values[0, evaluation.WIN]
    elif primitive == OUTLOOK:
        evaluation.outlook(model, state, move, work.memo, work.values)
        result += work.values[0, evaluation.WIN]
    return result


@jit
def alter(primitive: int, state: State, move: int, work: Any) -> None:
    """Run a primitive that changes the state."""
    if primitive == APPLY:
        game.apply(state, move)
    elif primitive == CLOSE:
        game.end_round(state)
    elif primitive == DEAL:
        game.deal(state, work.generator)
    elif primitive == DETERMINIZE:
        game.determinize(state, work.generator)
    elif primitive == POLICY:
        evaluation.play_policy(state, work.generator, work.noise)


@kernel
def repeat(primitive: int, rounds: int, states: Any, moves: Ints, model: Any, work: Any) -> float:
    """Run a primitive on every state, ``rounds`` times over; return the sum of the results.

    :param states: shape (n,), in the stage that the primitive needs.
    :param moves: shape (n,): a legal move of each state, for ``APPLY`` and ``OUTLOOK``.
    :param work: of :func:`new_work`.
    """
    state = work.pool[0]
    total = 0.0
    for _ in range(rounds):
        for index in range(len(states)):
            if primitive < COPY:
                total += look(primitive, states[index], moves[index], model, work)
            else:
                work.pool[0] = states[index]
                alter(primitive, state, moves[index], work)
                total += state.mover
    return total


@kernel
def spin(generator: Rng, steps: int) -> None:
    """The calibration: random numbers, each seeded by the one before.

    A chain of additions, shifts and multiplications that no processor can shorten: its time
    measures the clock, and how much of it this process gets.
    """
    for _ in range(steps):
        generator[0] = step(generator)


CHOOSE, UNTRIED, RECORD = range(3)
"""What happens at a node of a tree: choosing a child, finding a new one, noting a result."""


@kernel
def visit(
    operation: int, rounds: int, states: Any, places: Ints, nodes: Any, control: Any, work: Any
) -> int:
    """Do one of these things at every place of a tree, ``rounds`` times over.

    :param states: shape (n,), those that the places stand for.
    :param places: shape (n,), indices of ``nodes``.
    :param nodes: a tree to spoil. Its families must be marked as complete, so that nothing
        is added.
    :param control: of the search, like ``work``: :func:`azul_ai.search.iteration.grow`.
    """
    values = work[4]
    total = 0
    for _ in range(rounds):
        for index in range(len(places)):
            place = places[index]
            if operation == CHOOSE:
                total += iteration.choose(nodes, place, states[index], control, work, False)[0]
            elif operation == UNTRIED:
                total += expansion.next_untried(nodes, place, states[index], work, False)
            else:
                moved = evaluation.utility(values, 0, control.objective)
                own = evaluation.utility(values, 1, control.objective)
                tree.record(nodes, place, control.prior_visits, moved, own)
    return total


@kernel
def order(
    rounds: int, states: Any, depths: Ints, picks: int, model: Any, search: Any, memo: Any
) -> int:
    """List the moves of every state and pick the best so many times; return the picks.

    :param rounds: do that so many times over.
    :param depths: shape (n,), decisions still to look ahead.
    :param picks: below 0, not even the list is made, only the moves that need none.
    :param search: a record of a depth-first search, to spoil.
    """
    frame = search.frames[1]
    frame.first = 0
    made = 0
    for _ in range(rounds):
        for index in range(len(states)):
            frame.depth = depths[index]
            ordering.list_early(search, states[index], 1, NONE)
            if picks < 0:
                continue
            ordering.list_others(model, search, states[index], memo, 1)
            frame.index = frame.early
            while frame.index < min(frame.number, frame.early + picks):
                frame.move = ordering.next_move(search, 1)
                frame.index += 1
                made += 1
    return made


@kernel
def look_up(rounds: int, keys: Ints, table: Any) -> int:
    """Find every key in a transposition table, and store it, ``rounds`` times over."""
    found = 0
    for number in range(rounds):
        for index in range(len(keys)):
            key = keys[index]
            pair = table[key & len(table) - 1]
            found += key in (pair.kept.key, pair.last.key)
            entry = entry_for(pair, key, 1, number & 63)
            entry.key, entry.depth, entry.age = key, 1, number & 63
    return found
