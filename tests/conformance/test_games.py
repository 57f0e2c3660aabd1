"""Random games, move by move: the compiled rules agree with the oracle in everything."""

from __future__ import annotations

import pytest

from azul_ai.evaluation import interface as evaluation
from azul_ai.evaluation.interface import DIFF, POINTS, WIN
from tests.conformance.pair import Pair, random_game
from tests.oracle import solve
from tests.playing import VARIANTS, new_state

NUMBERS = (
    pytest.param(1, marks=pytest.mark.nojit),
    12,
    pytest.param(1000, marks=pytest.mark.slow),
)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", VARIANTS)
def test_random_games(name: str, players: int, number: int) -> None:
    for index in range(number):
        # In every fourth game much is dumped: it is long, and its floors are full.
        dump = 0.6 if index % 4 == 3 else 0.0
        for pair, _ in random_game(name, players, 10_000 * players + index, dump):
            pair.check()
        check_result(pair)


def check_result(pair: Pair) -> None:
    """The end of a game: shares of the win, points and differences."""
    rules, end, players = pair.rules, pair.oracle, pair.oracle.players
    values = evaluation.new_values()
    evaluation.exact_values(pair.compiled, values)
    assert values[:players, WIN].tolist() == rules.win_shares(end)
    assert values[:players, POINTS].tolist() == rules.final_points(end)
    assert values[:players, DIFF].tolist() == solve.differences(rules.final_points(end))


@pytest.mark.nojit
@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("players", [0, 1, 5])
def test_numbers_of_players_that_no_game_has(name: str, players: int) -> None:
    with pytest.raises(ValueError, match=f"2-4 players, not {players}"):
        new_state(name, players)
