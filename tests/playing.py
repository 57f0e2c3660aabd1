"""Games played at random with the compiled rules, for tests that need real states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from azul_ai import game, games, rng
from azul_ai.games.pattern_lines import FLOOR
from azul_ai.training.kernels import value_states

VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "azul": ("azul", {}),
    "azul-gray": ("azul-gray", {}),
    "sintra-A": ("sintra", {"side": "A"}),
    "sintra-B": ("sintra", {"side": "B"}),
}
"""Every game, and every side of its boards: the game's name, and options of a new game."""


def new_state(variant: str, players: int, seed: int = 1) -> Any:
    """A compiled game before its first deal.

    :param seed: of what is random then, if anything is.
    """
    name, options = VARIANTS[variant]
    if name == "sintra":
        options = {**options, "seed": seed}
    return games.load(name).new_state(players, **options)


def legal_moves(state: Any, distinct: bool = False) -> list[int]:
    buffer = np.zeros(game.MAX_MOVES, dtype=np.int64)
    return [int(move) for move in buffer[: game.list_moves(state, buffer, distinct)]]


def random_states(
    players: int, seed: int, dump: float = 0.0, variant: str = "azul"
) -> Iterator[Any]:
    """Every state of a random game, from before the first deal to the end.

    :param dump: how often a player puts the tiles on the floor whatever else he could do;
        it makes floors full, rounds many and, at 1, games without any wall tile.
    """
    choices, deals = np.random.default_rng(seed), rng.new(seed)
    state = new_state(variant, players, seed)
    yield state.copy()
    while state.stage != game.OVER:
        if state.stage == game.DEAL:
            game.deal_round(state, deals)
        else:
            moves = legal_moves(state)
            if choices.random() < dump:
                moves = [move for move in moves if move & 7 == FLOOR] or moves
            game.play(state, int(choices.choice(moves)))
        yield state.copy()


def values_after(model: Any, state: Any, moves: Sequence[int]) -> Any:
    """Values if the round ended after each move, as it is valued without any look-up.

    Float64, shape (moves, MAX_PLAYERS, 3). Choices that are hidden from the mover must be already.
    """
    states = np.array([state] * len(moves))
    for after, move in zip(states, moves, strict=True):
        game.play(after, move)
    values = np.zeros((len(moves), game.MAX_PLAYERS, 3))
    value_states(model, states, states[:1].copy(), values)
    return values
