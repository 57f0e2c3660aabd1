"""Perft: numbers of move sequences, from independent programs, kept as data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azul_ai import game, games, notation, position
from tests.oracle import games as oracles
from tests.oracle.perft import divide as oracle_divide
from tests.playing import legal_moves

DATA = Path(__file__).parent / "data"
CASES = [
    case
    for case in [
        *json.loads((DATA / "perft_azul.json").read_text()),
        *json.loads((DATA / "perft_gray_sintra.json").read_text())["perft"],
    ]
    if case["position"]["game"] in games.NAMES
]
FEW = 3_000
"""So many leaves the slow oracle, or the rules without compilation, count in a moment."""


def perft(state: Any, depth: int) -> int:
    """Number of move sequences of this length; one that ends the round early counts as one."""
    pool = np.zeros(depth + 1, dtype=state.dtype)
    pool[0] = state
    return int(game.perft_leaves(pool, depth, np.zeros((depth, game.MAX_MOVES), dtype=np.int64)))


def divide(state: Any, depth: int) -> dict[str, int]:
    """The part of each first move, by its name."""
    parts = {}
    for move in legal_moves(state):
        after = state.copy()
        game.play(after, move)
        parts[notation.format_move(state, move)] = perft(after, depth - 1) if depth > 1 else 1
    return parts


def table(case: dict[str, Any], depth: int, leaves: int) -> str:
    """The divide, for the message of a failure; with the oracle's where that is quick."""
    parts = divide(load(case), depth)
    expected = {}
    if leaves <= FEW:
        expected = oracle_divide(oracles.from_dict(case["position"]), depth)
    lines = [f"depth {depth}: {sum(parts.values())} leaves, {leaves} expected"]
    for name in sorted(parts.keys() | expected.keys()):
        note = ""
        if expected and parts.get(name) != expected.get(name):
            note = f"  (oracle: {expected.get(name, 'not a move')})"
        lines.append(f"{name}: {parts.get(name, 'not a move')}{note}")
    return "\n".join(lines)


def load(case: dict[str, Any]) -> Any:
    return position.to_state(position.parse(json.dumps(case["position"])))


def depths() -> list[Any]:
    """Every case and depth; those with few leaves also run without compilation."""
    return [
        pytest.param(
            case,
            depth,
            leaves,
            id=f"{case['position']['game']}-{leaves}",
            marks=[pytest.mark.nojit] if leaves <= FEW else [],
        )
        for case in CASES
        for depth, leaves in enumerate(case["perft"], start=1)
    ]


@pytest.mark.parametrize(("case", "depth", "leaves"), depths())
def test_perft(case: dict[str, Any], depth: int, leaves: int) -> None:
    if perft(load(case), depth) != leaves:
        pytest.fail(table(case, depth, leaves), pytrace=False)


@pytest.mark.nojit
@pytest.mark.parametrize("case", [case for case in CASES if case["perft"][1] <= FEW])
def test_divide(case: dict[str, Any]) -> None:
    expected = oracle_divide(oracles.from_dict(case["position"]), 2)
    assert divide(load(case), 2) == expected
    assert sum(expected.values()) == case["perft"][1]
