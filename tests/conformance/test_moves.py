"""Random moves are legal and equally likely."""

from __future__ import annotations

from collections import Counter

import pytest
from scipy import stats

from azul_ai import game, rng
from tests.conformance.pair import decisions
from tests.playing import VARIANTS

UNLIKELY = 1e-4
"""A p-value that fixed seeds would meet once in so many tests if all were well."""


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", VARIANTS)
def test_random_moves_are_uniform(name: str, players: int) -> None:
    generator = rng.new(players)
    for pair in decisions(name, players, seed=players, every=9):
        legal = sorted(pair.moves().values())
        drawn = Counter(game.draw_move(pair.compiled, generator) for _ in range(25 * len(legal)))
        assert set(drawn) <= set(legal)
        if len(legal) > 1:
            numbers = [drawn[move] for move in legal]
            assert stats.chisquare(numbers).pvalue > UNLIKELY


@pytest.mark.nojit
@pytest.mark.parametrize("name", VARIANTS)
def test_random_moves_follow_from_the_seed(name: str) -> None:
    (pair, *_) = decisions(name, 2, seed=7, every=20)

    def draw(seed: int) -> list[int]:
        generator = rng.new(seed)
        return [game.draw_move(pair.compiled, generator) for _ in range(20)]

    assert draw(1) == draw(1)
    assert draw(1) != draw(2)
