"""Games against itself, compiled whole.

A search of some hundred iterations lasts no longer than asking for it from Python does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.evaluation import interface as evaluation
from azul_ai.evaluation import network
from azul_ai.game import DEAL, DECISION, MAX_PLAYERS, OVER
from azul_ai.jit import jit, kernel
from azul_ai.rng import unit
from azul_ai.search import iteration, tree

MAX_SAMPLES = 1024
"""Room for the samples of one game."""

PLAN = np.dtype(
    (
        np.record,
        [
            ("iterations", "i8"),  # of the search for each move
            ("inside", "f8"),  # share of the states inside rounds that are samples
            ("wild_rounds", "i8"),  # rounds at the beginning in which moves may be random
            ("wildness", "f8", (MAX_PLAYERS,)),  # share of random moves there, by player
        ],
    )
)
"""How a game is played. Random moves lead to positions that strong players would not reach,
but that a search has to judge; after them play is the engine's own, so that results are true."""


@jit
def search(pool: Any, model: Any, tools: Any, iterations: int, options: Any) -> int:
    """Search ``pool[2]`` with a new tree; return the place of the best move among its options."""
    nodes, control, work, sums = tools
    number = game.legal_moves(pool[2], options, True)
    if number == 1:
        nodes[tree.ROOT].visits = 0
        return 0
    pool[0] = pool[2]
    tree.clear(nodes, work[0])
    for index in range(number):
        for player in range(MAX_PLAYERS):
            for column in range(3):
                sums[index, player, column] = 0.0
    iteration.iterate(pool, model, nodes, control, work, sums, options[:number], iterations)
    return tree.most_visited(nodes, tree.ROOT) - nodes[tree.ROOT].first


@jit
def note(nodes: Any, sums: Any, best: int, players: int, values: Any) -> None:
    """Write what the search just made says it is worth, corrected; chances add up to one."""
    visits = nodes[nodes[tree.ROOT].first + best].visits
    total = 0.0
    for player in range(players):
        for column in range(3):
            values[player, column] = sums[best, player, column] / visits
        total += values[player, evaluation.WIN]
    for player in range(players):
        values[player, evaluation.WIN] /= total


@kernel
def play_game(
    pool: Any,
    model: Any,
    tools: Any,
    plan: Any,
    options: Any,
    samples: Any,
    searched: Any,
    values: Any,
) -> int:
    """Play ``pool[2]`` to its end; return how many samples were written.

    :param pool: states, shape (3,): two for the search, and the game.
    :param model: what the search thinks with.
    :param tools: nodes, control, work and sums, see :func:`azul_ai.search.iteration.iterate`; sums
        has room for MAX_MOVES.
    :param plan: a record of dtype PLAN.
    :param options: int64, shape (MAX_MOVES,).
    :param samples: states, shape (MAX_SAMPLES,): each end of a round, and some states inside
        rounds, after the wild ones.
    :param searched: float64, shape (MAX_SAMPLES, MAX_PLAYERS, 3): what a search of the state, or
        the first one after the deal, said that it was worth (:func:`note`), NaN where there was
        none.
    :param values: float64, shape (MAX_PLAYERS, 3): how the game ended.
    """
    state = pool[2]
    nodes, _, work, sums = tools
    generator = work[5]
    number = unseen = 0  # the last samples may wait for what the next search tells
    while state.stage != OVER and number < MAX_SAMPLES:
        tame = state["round"] >= plan.wild_rounds + (state.stage == DECISION)
        if tame and (
            (state.stage == DEAL and state["round"] > 0)
            or (state.stage == DECISION and unit(generator) < plan.inside)
        ):
            samples[number] = state
            searched[number] = np.nan
            number, unseen = number + 1, unseen + 1
        if state.stage == DEAL:
            game.deal(state, generator)
            continue
        if not tame and unit(generator) < plan.wildness[state.mover]:
            move = game.random_move(state, generator)
        else:
            best = search(pool, model, tools, plan.iterations, options)
            move = options[best]
            for back in range(unseen):
                if nodes[tree.ROOT].visits:
                    note(nodes, sums, best, state.players, searched[number - 1 - back])
        unseen = 0
        game.apply(state, move)
    evaluation.outcome(state, values)
    return number


@kernel
def extract(states: Any, pool: Any, seen: Any, places: Any, amounts: Any) -> None:
    """Write what a network sees of states, those inside a round as the policy would end it.

    :param states: shape (n,).
    :param pool: states, shape (1,), overwritten.
    :param seen: written: the inputs, float32, shape (n, inputs of the game), zeros before; the
        scores after the round by player, float32, shape (n, players); and who starts the next
        round, int64, shape (n,), -1 where the game is over.
    :param places: int64, shape (MAX_ACTIVE,); ``amounts``: float32, the same; overwritten.
    """
    inputs, scores, starters = seen
    for index in range(len(states)):
        pool[0] = states[index]
        state, row = pool[0], inputs[index]
        if state.stage == DECISION:
            evaluation.play_policy(state, np.empty(1, dtype=np.uint64), 0.0)
        starters[index] = -1 if state.stage == OVER else state.mover
        if state.stage == OVER:
            continue
        fill(network.table_features(state, places, amounts), places, amounts, row)
        for seat in range(state.players):
            player = (state.mover + seat) % state.players
            number = network.board_features(state, player, seat, places, amounts)
            fill(number, places, amounts, row)
            scores[index, player] = state.boards[player].score


@jit
def fill(number: int, places: Any, amounts: Any, inputs: Any) -> None:
    """Add some inputs; a place may be there twice."""
    for active in range(number):
        inputs[places[active]] += amounts[active]


@kernel
def value_states(model: Any, states: Any, pool: Any, values: Any) -> None:
    """Value states, each by itself, corrected: every player's row as it is told to him.

    :param states: shape (n,).
    :param pool: states, shape (1,), overwritten.
    :param values: float64, shape (n, MAX_PLAYERS, 3), written.
    """
    for index in range(len(states)):
        pool[0] = states[index]
        evaluation.look(model, pool[0], values[index])
        evaluation.correct(model, pool[0], values[index])
