"""States on which primitives are measured: what random play from a position meets."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.game import DEAL, DECISION, Ints, State

SIZE = 256
"""States of a sample: many enough to differ, few enough for the processor's cache."""
SEED = 1


@dataclass(frozen=True)
class Sample:
    """Decisions of random play to the end of the round, the same for the same position.

    ``decisions``: SIZE states, shape (SIZE,); ``moves``: the move played from each, never
    the round's last unless there are no others. ``closed``: the decisions with their round
    ended, as far as another round follows.
    """

    decisions: Any
    moves: Ints
    closed: Any


def draw(position: State) -> Sample:
    """The sample of a state in stage DECISION."""
    choose = random.Random(SEED)
    inner: list[tuple[State, int]] = []
    last: list[tuple[State, int]] = []
    while len(inner) < SIZE and len(last) < SIZE:
        *before, end = _line(position, choose)
        inner += before
        last.append(end)
    met = (inner or last)[:SIZE]
    decisions = np.array([state for state, _ in met], dtype=position.dtype)
    closed = decisions.copy()
    for state in closed:
        game.close_round(state)
    moves = np.array([move for _, move in met], dtype=np.int64)
    return Sample(decisions, moves, closed[closed["stage"] == DEAL])


def _line(position: State, choose: random.Random) -> list[tuple[State, int]]:
    """The states and moves of a random line to the end of the round."""
    state = position.copy()
    listed = np.zeros(game.MAX_MOVES, dtype=np.int64)
    line: list[tuple[State, int]] = []
    while state["stage"] == DECISION:
        before = state.copy()
        move = int(listed[choose.randrange(game.list_moves(state, listed, True))])
        game.play(state, move)
        line.append((before, move))
    return line
