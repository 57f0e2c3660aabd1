"""The iterations of Information Set Monte Carlo tree search, compiled.

Source: Cowling, Powley, Whitehouse, "Information set Monte Carlo tree search" (2012): one
tree over information sets; every iteration draws what is hidden and descends only moves
legal in that draw. Inside a round every draw agrees. A deal is public, so past it the tree
is open-loop: nodes keyed by what a move means (:func:`azul_ai.game.move_key`), compared by
how often they were available. Values are vectors (max^n): each player looks at his own.

In a secret phase each player has a tree of his own, which begins where the phase began and
holds his choices alone, so that nobody reacts to what he cannot see; one iteration descends
them one after another, and they share its outcome.

A leaf is played by a cheap policy to the end of the round and evaluated there.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.evaluation import interface as evaluation
from azul_ai.game import DEAL, DECISION, OVER
from azul_ai.jit import jit, kernel
from azul_ai.search import tree
from azul_ai.search.expansion import highest, move_of_key, next_untried
from azul_ai.search.tree import EXHAUSTED, NONE, ROOT

MAX_PATH = 256
"""Room for the longest line of play in the tree, several rounds of it."""

LEAVES = ("round", "static", "game", "random")
"""What happens at a leaf: the policy to the round's end, or nothing, and the evaluation; or
the policy, or uniformly random moves, to the end of the game."""
_ROUND, _STATIC, _GAME, _RANDOM = range(4)

CONTROL = np.dtype(
    (
        np.record,
        [
            ("objective", "i8"),
            ("leaf", "i8"),
            ("horizon", "i8"),
            ("exploration", "f8"),
            ("rating_weight", "f8"),
            ("prior", "f8"),  # utility that the root's best-rated move is assumed to have
            ("prior_visits", "f8"),
            ("noise", "f8"),
        ],
    )
)


@jit
def begin(pool: Any, generator: Any) -> None:
    """Copy the root, as its mover knows it, with a guess at what nobody knows."""
    pool[1] = pool[0]
    game.conceal(pool[1])
    game.determinize(pool[1], generator)


@jit
def take_seat(
    nodes: Any, state: Any, control: Any, work: Any, length: int, fork: int
) -> tuple[int, int]:
    """Go over to the mover's own tree of a secret phase, if he has not begun it.

    :param fork: the node where the phase began; NONE if that is here.
    :returns: the path's length, NONE if there is no room for his tree; and the fork.
    """
    store, path = work[0], work[1]
    if fork == NONE:
        fork = path[length, 0]
        tree.add_views(nodes, store, fork, state.players, control.prior_visits)
        if fork == ROOT:
            return length, fork  # here the root's mover decides
    elif state.mover == path[length - 1, 1]:
        return length, fork
    view = tree.view_of(nodes, fork, state.mover)
    if view == NONE:
        return NONE, fork
    path[length, 1] = state.mover
    path[length + 1, 0] = view
    return length + 1, fork


@jit
def choose(
    nodes: Any, parent: int, state: Any, control: Any, work: Any, open_loop: bool
) -> tuple[int, int]:
    """The child to visit and its move: the known child of the highest bound, or a new one.

    Past a deal (``open_loop``) children are keys: only those that are available now take
    part, compared by how often they were; inside the first round all of them always are.
    """
    store, _, moves, ratings, _, _ = work
    node = nodes[parent]
    reach = math.sqrt(math.sqrt(node.visits)) * control.exploration
    number = evaluation.rate_moves(state, moves, ratings) if open_loop else 0
    best, best_bound, best_move = NONE, -1e18, NONE
    for child in range(node.first, node.first + node.children):
        here = nodes[child]
        move: Any = np.int64(here.move)  # masks are shifted by its parts
        if open_loop:
            move = move_of_key(state, here.move, moves, number)
            here.available += move != NONE
            reach = math.sqrt(math.sqrt(here.available)) * control.exploration
        bound = here.value + reach * here.width
        if bound > best_bound and move >= 0:
            best, best_bound, best_move = child, bound, move
    if open_loop or node.behind != EXHAUSTED:
        # An untried move counts as one with the prior's visits alone. Past a deal the
        # untried moves differ from visit to visit, so the best possible rating is assumed.
        prior = node.own if open_loop else node.own + control.rating_weight * node.behind
        reach = math.sqrt(math.sqrt(node.visits)) * control.exploration
        if prior + reach / math.sqrt(control.prior_visits) > best_bound:
            move = next_untried(nodes, parent, state, work, open_loop)
            if move != NONE:
                key = game.move_key(state, move) if open_loop else move
                child = tree.add_child(nodes, store, parent, key, prior, control.prior_visits)
                if child != NONE:
                    return child, move
    return best, best_move


@jit
def evaluate_leaf(model: Any, state: Any, control: Any, values: Any, generator: Any) -> None:
    """Play the state as the setting ``leaf`` says and write everybody's values."""
    to_the_end = control.leaf in (_GAME, _RANDOM)
    inside = state.stage == DECISION and control.leaf != _STATIC
    while inside or (state.stage == DEAL and to_the_end):
        if state.stage == DEAL:
            game.deal(state, generator)
        elif control.leaf == _RANDOM:
            game.apply(state, game.random_move(state, generator))
        else:
            evaluation.play_policy(state, generator, control.noise)
        inside = state.stage == DECISION
    evaluation.look(model, state, values)


@jit
def backpropagate(nodes: Any, control: Any, path: Any, length: int, values: Any) -> None:
    """Record the values along the path."""
    for step in range(length + 1):
        own = evaluation.utility(values, path[step, 1], control.objective)
        moved = own
        if step:
            moved = evaluation.utility(values, path[step - 1, 1], control.objective)
        tree.record(nodes, path[step, 0], control.prior_visits, moved, own)


@jit
def add_up(model: Any, state: Any, values: Any, total: Any) -> None:
    """Add the values of a leaf to those of its root move, corrected."""
    evaluation.correct(model, state, values)
    for player in range(state.players):
        for column in range(3):
            total[player, column] += values[player, column]


@jit
def plant(pool: Any, nodes: Any, control: Any, work: Any, candidates: Any) -> None:
    """Make the root and a child for each candidate, with priors from the moves' ratings."""
    store, path, moves, ratings, _, generator = work
    begin(pool, generator)
    state = pool[1]
    number = evaluation.rate_moves(state, moves, ratings)
    top = highest(ratings, number)
    tree.make_root(nodes, store)
    path[0, 0] = ROOT
    for candidate in candidates:
        for index in range(number):
            if moves[index] == candidate:
                prior = control.prior + control.rating_weight * (ratings[index] - top)
                tree.add_child(nodes, store, path[0, 0], candidate, prior, control.prior_visits)


@jit
def iterate(
    pool: Any,
    model: Any,
    nodes: Any,
    control: Any,
    work: Any,
    sums: Any,
    candidates: Any,
    iterations: int,
) -> None:
    """Run iterations: select, expand, evaluate, record. Plant the tree first if it is empty.

    :param pool: states, shape (2,): the root, and the one that is played on.
    :param model: the evaluation's record.
    :param nodes: the tree (:data:`azul_ai.search.tree.NODE`).
    :param control: a record of dtype CONTROL.
    :param work: the tree's store, path (int64, (MAX_PATH, 2): node and who decides there),
        moves, ratings, values, random generator.
    :param sums: float64, shape (m, MAX_PLAYERS, 3): values summed by root move, each corrected
        (:func:`azul_ai.evaluation.interface.correct`).
    :param candidates: the root's moves, int64, shape (m,).
    """
    if work[0].used == 0:
        plant(pool, nodes, control, work, candidates)
    _, path, _, _, values, generator = work
    for _ in range(iterations):
        begin(pool, generator)
        state = pool[1]
        length, deals, grown, fork = 0, 0, False, NONE
        path[0, 0] = ROOT
        while state.stage != OVER and not grown and length + 2 < MAX_PATH:
            if state.stage == DEAL:
                if deals == control.horizon:
                    break
                deals += 1
                fork = NONE
                game.deal(state, generator)
                continue
            if game.is_secret(state):
                seat, fork = take_seat(nodes, state, control, work, length, fork)
                if seat == NONE:
                    break
                length = seat
            parent = path[length, 0]
            family = nodes[parent].children
            child, move = choose(nodes, parent, state, control, work, deals > 0)
            if child == NONE:
                break
            grown = nodes[parent].children > family
            path[length, 1] = state.mover
            game.apply(state, move)
            length += 1
            path[length, 0] = child
        path[length, 1] = state.mover
        evaluate_leaf(model, state, control, values, generator)
        backpropagate(nodes, control, path, length, values)
        if length:
            add_up(model, state, values, sums[path[1, 0] - nodes[ROOT].first])


@kernel
def grow(
    pool: Any,
    model: Any,
    nodes: Any,
    control: Any,
    work: Any,
    sums: Any,
    candidates: Any,
    iterations: int,
) -> None:
    """:func:`iterate`, for Python."""
    iterate(pool, model, nodes, control, work, sums, candidates, iterations)


@kernel
def principal_variation(pool: Any, nodes: Any, index: int, line: Any, enough: int) -> int:
    """Write the most visited moves from the root move ``index`` on; return their number.

    It ends with the round, or where fewer than ``enough`` visits support it.

    :param pool: states, shape (2,): the root, and one that is overwritten.
    :param line: int64, shape (n,).
    """
    pool[1] = pool[0]
    state = pool[1]
    game.conceal(state)
    fork = ROOT if game.is_secret(state) else NONE
    length, child = 0, NONE
    if index < nodes[ROOT].children:
        child = nodes[ROOT].first + index
    while child != NONE and length < len(line) and state.stage == DECISION:
        if length and nodes[child].visits < enough:
            break
        line[length] = nodes[child].move
        mover = state.mover
        game.apply(state, line[length])
        length += 1
        if game.is_secret(state) and (fork == NONE or state.mover != mover):
            if fork == NONE:
                fork = child
            child = tree.view_of(nodes, fork, state.mover)
        if child != NONE:
            child = tree.most_visited(nodes, child)
    return length
