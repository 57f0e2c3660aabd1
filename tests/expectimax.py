"""Problems for expectimax, and plain searches in Python to compare it with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from azul_ai import evaluation, game, position
from azul_ai.evaluation.interface import WIN, exact_values, new_values, python_utility
from azul_ai.search.expectimax import Expectimax
from azul_ai.search.searcher import Found, Problem
from tests.oracle import azul as rules
from tests.playing import legal_moves, random_states

MEMORY = 32 << 20

Values = Any
"""Float64, shape (MAX_PLAYERS, 3)."""

Chance = Callable[[Any], Values]
"""What a state that waits for a deal is worth."""


def problem(state: Any, name: str = evaluation.SCORE, **fields: Any) -> Problem:
    """A search problem of all moves of a state."""
    settings: dict[str, Any] = {"objective": WIN, "seed": 1, "memory": MEMORY, **fields}
    model = evaluation.load("azul", name).model
    return Problem(state, model, np.array(legal_moves(state, distinct=True)), **settings)


def search(asked: Problem, searcher: Expectimax | None = None, threads: int = 1) -> Found:
    """Run a search to its own end."""
    searcher = searcher or Expectimax()
    tasks = searcher.begin(asked, threads)
    for task in tasks:
        while not task.run(60.0):
            pass
    return searcher.found(asked, tasks)


def utilities(found: Found, asked: Problem) -> dict[int, float]:
    """What each exactly valued move is worth for the mover."""
    mover = int(asked.state["mover"])
    return {
        row.move: python_utility(row.values, mover, asked.objective)
        for row in found.moves
        if row.exact
    }


def offers(state: Any) -> int:
    """Colors on sources."""
    return int(state["presence"]).bit_count()


def small_states(
    players: int, number: int, decisions: int, seed: int = 0, fewest: int = 2
) -> list[Any]:
    """States of random games in the last decisions of a round, from ``fewest`` to so many."""
    choices = np.random.default_rng(seed)
    chosen: list[Any] = []
    while len(chosen) < number:
        states = [
            state
            for state in random_states(players, seed=int(choices.integers(1 << 30)))
            if state["stage"] == game.DECISION and fewest <= offers(state) <= decisions
        ]
        chosen.append(states[choices.integers(len(states))])
    return chosen


def to_oracle(state: Any) -> rules.State:
    """The oracle's state that means the same."""
    return rules.from_dict(position.from_state(state).to_dict())


# --- plain searches ---------------------------------------------------------------------


def score(state: Any) -> Values:
    """Values of a state that waits for a deal or is over, by the evaluation "score"."""
    values = new_values()
    exact_values(state, values)
    return values


def after(state: Any, move: int) -> Any:
    """The state after a move."""
    following = state.copy()
    game.play(following, move)
    return following


def plain_maxn(state: Any, objective: int, chance: Chance = score) -> Values:
    """The values if everybody plays as well as he can: no pruning, no table."""
    if state["stage"] == game.OVER:
        return score(state)
    if state["stage"] == game.DEAL:
        return chance(state)
    outcomes = [
        plain_maxn(after(state, move), objective, chance) for move in legal_moves(state, True)
    ]
    return min(outcomes, key=lambda values: preference(values, state, objective))


def preference(values: Values, state: Any, objective: int) -> tuple[float, ...]:
    """Smaller is better for the mover: more for himself, less for the others in turn order."""
    players, mover = int(state["players"]), int(state["mover"])
    order = [(mover + step) % players for step in range(players)]
    own, *others = (round(python_utility(values, player, objective), 9) for player in order)
    return (-own, *others)


def plain_paranoid(state: Any, hero: int, objective: int) -> float:
    """The hero's utility if all others want it to be small."""
    if state["stage"] != game.DECISION:
        return python_utility(score(state), hero, objective)
    choose = max if state["mover"] == hero else min
    return choose(
        plain_paranoid(after(state, move), hero, objective) for move in legal_moves(state, True)
    )
