"""Compiling what a command will call, with a word to whoever waits for it."""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai import game, games, jit, rng
from azul_ai.cli import output

ALL = (
    game.list_moves,
    game.play,
    game.close_round,
    game.deal_round,
    game.lay_out_round,
    game.draw_hidden,
    game.result,
    game.perft_leaves,
)
"""Every kernel of the rules that some command calls."""


def calls(game_name: str, *kernels: jit.Kernel) -> list[jit.Call]:
    """The kernels with arguments of the types they will be called with."""
    state = games.load(game_name).new_state(2)
    moves = np.zeros(game.MAX_MOVES, dtype=np.int64)
    points = np.zeros(game.MAX_PLAYERS, dtype=np.int64)
    pool, plies = np.zeros(2, dtype=state.dtype), np.zeros((1, game.MAX_MOVES), dtype=np.int64)
    arguments: dict[jit.Kernel, tuple[Any, ...]] = {
        game.list_moves: (state, moves, True),
        game.play: (state, 0),
        game.close_round: (state,),
        game.deal_round: (state, rng.new()),
        game.lay_out_round: (state, moves),
        game.draw_hidden: (state, rng.new()),
        game.result: (state, points, points),
        game.perft_leaves: (pool, 1, plies),
    }
    return [(kernel, arguments[kernel]) for kernel in kernels]


def ready(game_name: str, *kernels: jit.Kernel) -> None:
    """Compile the kernels for a game, unless some process did so before."""
    jit.prepare(calls(game_name, *kernels), output.notice)
