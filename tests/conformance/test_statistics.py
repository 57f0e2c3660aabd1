"""Averages over many random games: a slip that no single game shows would show here."""

from __future__ import annotations

import random
from statistics import mean, stdev
from typing import Any

import numpy as np
import pytest

from azul_ai import game, rng
from tests.conformance.pair import Pair
from tests.oracle import games as oracles
from tests.oracle import supply
from tests.playing import VARIANTS, new_state

CAP = 30
GAMES = 100_000

FIGURES = {
    "azul": {2: (70.4, 6.60, 3.0), 3: (90.0, 6.69, 2.5), 4: (108.3, 6.78, 2.1)},
    "azul-gray": {2: (99, 7.2, 2.7), 3: (126, 7.1, 2.1), 4: (151, 7.1, 1.8)},
    "sintra-A": {2: (74, 6), 3: (93, 6), 4: (108, 6)},
    "sintra-B": {2: (74, 6), 3: (93, 6), 4: (108, 6)},
}
"""Moves, rounds, and points of the first seat, from an independent program; rounded."""

TOLERANCES = {
    "azul": (0.05 + 0.15, 0.005 + 0.02, 0.05 + 0.1),
    "azul-gray": (0.5 + 1.5, 0.05 + 0.15, 0.05 + 0.3),
    "sintra-A": (5, 0),
    "sintra-B": (5, 0),
}
"""Half a unit of the last digit, and some standard errors: of GAMES games, for the gray wall of
the 1,500 that the other program played; in Sintra that had other strips."""


def averages(name: str, players: int, number: int = GAMES) -> tuple[float, ...]:
    """Moves, rounds, and points of each seat, of uniformly random compiled games."""
    state = new_state(name, players)
    if "round_cap" in state.dtype.names:
        state.round_cap = CAP
    pool = np.array([state, state])
    totals = np.zeros(3 + game.MAX_PLAYERS, dtype=np.int64)
    game.play_randomly(pool, rng.new(players), number, totals)
    moves, rounds, _, *points = totals / number
    return (moves, rounds, *points[:players])


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", VARIANTS)
def test_averages_of_random_games(name: str, players: int) -> None:
    seen = averages(name, players)
    figures = zip(seen, FIGURES[name][players], TOLERANCES[name], strict=False)
    for number, figure, tolerance in figures:
        assert number == pytest.approx(figure, abs=tolerance)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", VARIANTS)
def test_averages_are_those_of_the_oracle(name: str, players: int) -> None:
    start = Pair.new(name, players).oracle
    if hasattr(start, "round_cap"):
        start.round_cap = CAP
    played = [oracle_game(start, seed) for seed in range(600)]
    for seen, expected in zip(averages(name, players), zip(*played, strict=True), strict=True):
        error = stdev(expected) / len(played) ** 0.5
        assert seen == pytest.approx(mean(expected), abs=4 * error)


def oracle_game(start: Any, seed: int) -> tuple[int, ...]:
    """Moves, rounds, and points of each seat, of one game that the oracle plays alone."""
    choices, rules = random.Random(seed), oracles.of(start)
    state, moves = start, 0
    while state.stage != supply.OVER:
        if state.stage == supply.DEAL:
            state = rules.deal_random(state, choices)
        else:
            state = rules.play(state, choices.choice(rules.legal_moves(state)))
            moves += 1
    return (moves, state.round, *rules.final_points(state))
