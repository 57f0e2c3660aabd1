"""Hash keys: equal for what is the same, different for what is not."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from azul_ai import game, position
from azul_ai.games.pattern_lines import LINES
from azul_ai.games.supply import COLORS
from tests.conformance.pair import Pair, decisions, random_game
from tests.oracle import supply
from tests.playing import VARIANTS, new_state

ENOUGH = 1000


def azul_essence(state: Any) -> Any:
    """What bears on the rest of the game, read from the oracle's state.

    Tiles on floors are on their way to the lid; on whose floor a tile lies no longer matters,
    only how many pieces lie on each. Nor does who has started, once the marker is taken.
    """
    pieces = [tile for board in state.boards for tile in board.floor if tile != supply.MARKER]
    return (
        (state.stage, state.round, state.mover, state.holder),
        state.start if state.holder is None else None,
        sorted("".join(sorted(display)) for display in state.displays),
        sorted(state.center),
        sorted(state.bag.elements()),
        sorted((state.lid + Counter(pieces)).elements()),
        [(each.score, each.lines, each.wall, len(each.floor)) for each in state.boards],
    )


def sintra_essence(state: Any) -> Any:
    """What bears on the rest of the game; which pane lies on which space is part of it."""
    boards = [
        (each.score, each.glazier, each.broken, each.lost, each.windows, each.strips)
        for each in state.boards
    ]
    return (
        (state.stage, state.round, state.mover, state.holder),
        state.start if state.holder is None else None,
        sorted("".join(sorted(display)) for display in state.displays),
        sorted(state.center),
        sorted(state.bag.elements()),
        sorted(state.lid.elements()),
        boards,
    )


ESSENCES = {
    "azul": azul_essence,
    "azul-gray": azul_essence,
    "sintra-A": sintra_essence,
    "sintra-B": sintra_essence,
}


def after(pair: Pair, depth: int) -> list[Pair]:
    """The pair and all that follow within so many moves."""
    found = [pair]
    if depth and pair.oracle.stage == supply.DECISION:
        for move in pair.moves():
            following = pair.copy()
            following.play(move)
            found += after(following, depth - 1)
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", VARIANTS)
def test_keys_are_equal_for_the_same_and_different_otherwise(name: str, players: int) -> None:
    """All positions within a few moves of some late in their round, which often meet again."""
    essences: dict[int, str] = {}
    keys: dict[str, int] = {}
    for start in reversed(decisions(name, players, seed=players, every=1)):
        if len(start.moves()) <= 20:
            for pair in after(start, 3 if len(start.moves()) <= 5 else 2):
                essence = repr(ESSENCES[name](pair.oracle))
                key = game.hash_key(pair.compiled)
                assert 0 <= key < 1 << 62
                assert essences.setdefault(key, essence) == essence
                assert keys.setdefault(essence, key) == key
        if len(keys) > ENOUGH:
            return
    pytest.fail("too few positions")


@pytest.mark.nojit
@pytest.mark.parametrize("name", VARIANTS)
def test_the_order_of_the_displays_does_not_matter(name: str) -> None:
    shuffle = random.Random(1).shuffle
    for pair in decisions(name, 3, seed=8, every=10):
        written = position.from_state(pair.compiled)
        factories = list(written.factories)
        shuffle(factories)
        shuffled = position.to_state(replace(written, factories=tuple(factories)))
        assert game.hash_key(shuffled) == game.hash_key(pair.compiled)


@pytest.mark.nojit
@pytest.mark.parametrize("name", VARIANTS)
def test_every_move_and_deal_changes_the_key(name: str) -> None:
    keys = [game.hash_key(pair.compiled) for pair, _ in random_game(name, 2, seed=9)]
    assert len(set(keys)) == len(keys)


@pytest.mark.nojit
@pytest.mark.parametrize("name", VARIANTS)
def test_what_lies_on_displays_is_not_summed_up(name: str) -> None:
    """{BB, YY} is not {BBYY, nothing}, nor is a display the center, nor the bag the lid."""
    state = new_state(name, 2)
    state.bag = state.lid = 0
    two_blue, two_yellow = 2, 2 << 6
    keys = set()
    for words in itertools.permutations([two_blue, two_yellow, 0]):
        for fields in ("sources", "supply"):
            changed = state.copy()
            if fields == "sources":
                changed.sources[:3] = words
            else:
                changed.bag, changed.lid, changed.sources[0] = words
            keys.add(game.hash_key(changed))
    changed = state.copy()
    changed.sources[1] = two_blue + two_yellow
    keys.add(game.hash_key(changed))
    # Which of the two displays holds what makes no difference; all else does.
    assert len(keys) == 3 + 6 + 1


@pytest.mark.parametrize("name", ["azul", "azul-gray"])
def test_boards_that_change_places_have_another_key(name: str) -> None:
    """Two players with any last lines, one of whom has a blue tile in the first line."""
    lines = [0] + [
        (color << 3 | tiles) << 6 * (LINES - 1)
        for color in range(COLORS)
        for tiles in range(1, LINES + 1)
    ]
    blue = 1
    state = new_state(name, 4)
    keys = set()
    places = list(itertools.permutations(range(4), 2))
    for (one, other), mine, theirs in itertools.product(places, lines, lines):
        changed = state.copy()
        changed.boards[one]["lines"] = mine | blue
        changed.boards[other]["lines"] = theirs
        keys.add(game.hash_key(changed))
    same = 4 * len(lines) * 2  # with no lines at all, who the other player is does not show
    assert len(keys) == len(places) * len(lines) ** 2 - same
