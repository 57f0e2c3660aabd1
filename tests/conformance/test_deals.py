"""Deals: what is drawn, how likely, and from where."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats

from azul_ai import game, rng
from azul_ai.games.supply import COLORS, DISPLAYS, FIELD, FIELD_MASK
from tests.conformance.pair import random_game
from tests.conformance.test_moves import UNLIKELY
from tests.oracle import supply
from tests.playing import VARIANTS, new_state

Tiles = tuple[int, ...]
"""Numbers of tiles by color."""


def pack(tiles: Tiles) -> int:
    return sum(number << FIELD * color for color, number in enumerate(tiles))


def unpack(word: int) -> Tiles:
    return tuple(int(word) >> FIELD * color & FIELD_MASK for color in range(COLORS))


def minus(tiles: Tiles, taken: Tiles) -> Tiles:
    return tuple(own - other for own, other in zip(tiles, taken, strict=True))


def waiting(name: str, players: int, bag: Tiles, lid: Tiles = (0,) * COLORS) -> Any:
    """A state that waits for a deal from these tiles."""
    state = new_state(name, players)
    state.bag, state.lid = pack(bag), pack(lid)
    return state


def deal(state: Any, generator: Any) -> list[Tiles]:
    """The displays of one deal; the state stays as it was."""
    dealt = state.copy()
    game.deal_round(dealt, generator)
    return [unpack(word) for word in dealt.sources[1 : 1 + DISPLAYS[int(state.players)]]]


def draws(bag: Tiles, number: int) -> dict[Tiles, float]:
    """The probability of each draw of so many tiles: the hypergeometric distribution."""
    every = itertools.product(*(range(min(number, own) + 1) for own in bag))
    possible = [tiles for tiles in every if sum(tiles) == number]
    chances = stats.multivariate_hypergeom.pmf(possible, m=bag, n=number)
    return dict(zip(possible, chances, strict=True))


def assert_distributed(seen: Counter[Tiles], expected: dict[Tiles, float]) -> None:
    """A chi-square test in which what is expected less than five times counts together."""
    assert set(seen) <= set(expected)
    total = seen.total()
    often = [tiles for tiles, chance in expected.items() if chance * total >= 5]
    numbers = [seen[tiles] for tiles in often]
    means = [expected[tiles] * total for tiles in often]
    if total - sum(means) >= 5:
        numbers.append(total - sum(numbers))
        means.append(total - sum(means))
    else:
        means = [mean * sum(numbers) / sum(means) for mean in means]
    assert stats.chisquare(numbers, means).pvalue > UNLIKELY


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("bag", [(20,) * 5, (3, 2, 6, 0, 13), (4, 4, 4, 4, 4)], ids=str)
def test_displays_are_drawn_without_replacement(name: str, bag: Tiles) -> None:
    state, generator = waiting(name, 2, bag), rng.new(1)
    dealt = [deal(state, generator) for _ in range(4000)]
    expected = draws(bag, 4)
    assert sum(expected.values()) == pytest.approx(1)
    for display in (0, 4):  # every display has the same distribution, also the last
        assert_distributed(Counter(each[display] for each in dealt), expected)
    pairs = Counter(tuple(map(sum, zip(*each[:2], strict=True))) for each in dealt)
    assert_distributed(pairs, draws(bag, 8))


@pytest.mark.parametrize("name", VARIANTS)
def test_the_bag_is_used_up_before_the_lid(name: str) -> None:
    bag, lid = (5, 1, 0, 0, 0), (0, 2, 4, 9, 15)
    state, generator = waiting(name, 2, bag, lid), rng.new(2)
    seconds: Counter[Tiles] = Counter()
    for _ in range(4000):
        first, second, *others = deal(state, generator)
        rest = minus(bag, first)
        assert sum(rest) == 2
        assert min(rest) >= 0
        seconds[minus(second, rest)] += 1
        assert all(sum(display) == 4 and display[0] == 0 for display in others)
    assert_distributed(seconds, draws(lid, 2))


@pytest.mark.nojit
@pytest.mark.parametrize("name", VARIANTS)
def test_the_lid_stays_where_it_is_while_the_bag_lasts(name: str) -> None:
    state = waiting(name, 2, (4,) * 5, (9,) * 5)
    game.deal_round(state, rng.new(3))
    assert (unpack(state.bag), unpack(state.lid)) == ((0,) * 5, (9,) * 5)


@pytest.mark.nojit
@pytest.mark.parametrize("name", VARIANTS)
def test_the_whole_lid_goes_into_the_bag(name: str) -> None:
    state = waiting(name, 3, (0, 0, 1, 0, 0), (9,) * 5)
    game.deal_round(state, rng.new(4))
    assert (sum(unpack(state.bag)), unpack(state.lid)) == (46 - 28, (0,) * 5)


@pytest.mark.nojit
@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("tiles", range(1, 37))
def test_short_deals(name: str, tiles: int) -> None:
    """Displays are filled in order; the last with tiles may be short, those after it empty."""
    state = waiting(name, 4, (tiles // 2, 0, 0, 0, 0), (0, tiles - tiles // 2, 0, 0, 0))
    dealt = deal(state, rng.new(tiles))
    assert [sum(display) for display in dealt] == [
        max(0, min(4, tiles - 4 * index)) for index in range(9)
    ]
    game.deal_round(state, rng.new(tiles))
    assert (state.stage, state.bag, state.lid) == (game.DECISION, 0, 0)


@pytest.mark.nojit
@pytest.mark.parametrize("name", VARIANTS)
def test_a_deal_of_nothing_ends_the_game(name: str) -> None:
    state = waiting(name, 2, (0,) * 5)
    expected = state.copy()
    expected.stage = game.OVER
    given = state.copy()
    game.deal_round(state, rng.new(5))
    assert state == expected
    game.lay_out_round(given, np.zeros(5, dtype=np.int64))
    assert given == expected


@pytest.mark.nojit
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("name", VARIANTS)
def test_a_given_deal_is_that_deal(name: str, players: int) -> None:
    """What is drawn and what is laid out in the same way give the same record."""
    before = None
    for pair, _ in random_game(name, players, seed=6, dump=0.5):
        if before is not None:
            contents = pair.compiled.sources[1 : 1 + DISPLAYS[players]].copy()
            game.lay_out_round(before, contents)
            assert before == pair.compiled
        before = pair.compiled.copy() if pair.oracle.stage == supply.DEAL else None


# --- bags and lids that were not written down ---------------------------------------------


@pytest.mark.parametrize("name", VARIANTS)
def test_hidden_tiles_are_drawn_uniformly(name: str) -> None:
    """So many of the unseen tiles lie in the lid, any of them alike, beside those seen there."""
    unseen, in_lid = (5, 3, 0, 8, 4), (0, 1, 0, 0, 2)
    state, generator = waiting(name, 2, unseen, in_lid), rng.new(7)
    state.hidden = 4
    seen: Counter[Tiles] = Counter()
    for _ in range(4000):
        drawn = state.copy()
        game.draw_hidden(drawn, generator)
        moved = minus(unpack(drawn.lid), in_lid)
        assert minus(unseen, moved) == unpack(drawn.bag)
        assert drawn.hidden == 0
        seen[moved] += 1
    assert_distributed(seen, draws(unseen, 4))


@pytest.mark.nojit
@pytest.mark.parametrize("name", VARIANTS)
def test_where_nothing_is_hidden_nothing_is_drawn(name: str) -> None:
    state, generator = waiting(name, 2, (5, 3, 0, 8, 4), (1, 0, 0, 0, 0)), rng.new(8)
    kept = state.copy()
    game.draw_hidden(state, generator)
    assert state == kept
    assert generator == rng.new(8)


@pytest.mark.nojit
@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize(("in_bag", "hidden"), [(20, 4), (19, 0)])
def test_a_deal_tells_whether_the_lid_was_used(name: str, in_bag: int, hidden: int) -> None:
    """Of 24 unseen tiles 20 are dealt: if the bag had as many, the lid is still unknown."""
    state = waiting(name, 2, (8, 4, 4, 4, 4), (0, 0, 3, 0, 0))
    state.hidden = 24 - in_bag
    game.lay_out_round(state, np.array([pack(tiles) for tiles in np.eye(5, dtype=int) * 4]))
    left = minus((8, 4, 4, 4, 4), (4,) * 5)
    lid = (0, 0, 3, 0, 0) if hidden else (0,) * 5
    bag = left if hidden else (4, 0, 3, 0, 0)
    assert (unpack(state.bag), unpack(state.lid), state.hidden) == (bag, lid, hidden)
