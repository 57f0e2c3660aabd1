"""Counting move sequences."""

from __future__ import annotations

from typing import Any

from tests.oracle import games
from tests.oracle.supply import DECISION


def perft(state: Any, depth: int) -> int:
    """Number of move sequences of this length; one that ends the round early counts as one."""
    if depth == 0 or state.stage != DECISION:
        return 1
    if depth == 1:
        return len(games.of(state).legal_moves(state))
    return sum(divide(state, depth).values())


def divide(state: Any, depth: int) -> dict[str, int]:
    """Per first move, the number of move sequences of length ``depth`` >= 1 that begin with it."""
    rules = games.of(state)
    return {move: perft(rules.play(state, move), depth - 1) for move in rules.legal_moves(state)}
