"""What is worked out about bag and lid, against the truth of games."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from azul_ai import game, rng
from azul_ai.analyzer import analyze
from azul_ai.position import Position, from_state, parse, to_state
from azul_ai.position.azul_facts import KIND, proven_in_lid
from azul_ai.position.supplies import Supplies, infer
from azul_ai.position.table import supplies
from azul_ai.settings import Limit
from tests.playing import random_states

LAST_KNOWN = {2: 5, 3: 3, 4: 2}
"""The last round before the lid is put into the bag, by players."""

SECOND_ROUND = """\
game = "azul"
round = 2
to_move = 1
factories = ["BBYR", "BBYR", "KKWW", "KKWW", "RRRY"]
center = "1"

[[players]]
score = 3
lines = ["", "", "", "B", "YY"]
wall = ["B....", "W....", "K....", ".....", "....."]
floor = ""

[[players]]
score = 2
lines = ["W", "", "RR", "", ""]
wall = [".....", "...R.", ".....", ".....", "Y...."]
floor = ""
"""


def forget(state: Any) -> Position:
    """The position of a record, written down without bag and lid."""
    return replace(from_state(state), bag=None, lid=None)


def numbers(word: int) -> Counter[str]:
    return Counter({color: int(word) >> 6 * index & 63 for index, color in enumerate("BYRKW")})


# --- by hand ----------------------------------------------------------------------------


def test_what_the_walls_prove() -> None:
    """Of the 40 tiles dealt, 20 lie on the displays, 6 in lines and 5 on walls: 9 in the lid.

    The walls prove one white (row 2), two black (row 3), one red (row 2), four yellow (row 5).
    """
    position = parse(SECOND_ROUND)
    assert proven_in_lid(position) == {"B": 0, "Y": 4, "R": 1, "K": 2, "W": 1}
    held = supplies(position, KIND)
    assert (held.in_bag, held.in_lid, held.hidden) == (60, 9, 1)
    # 20 of each color, less those in view, less those proven to lie in the lid.
    rest = {"B": 20 - 6, "Y": 20 - 6 - 4, "R": 20 - 8 - 1, "K": 20 - 5 - 2, "W": 20 - 6 - 1}
    assert held.rest == rest
    assert held.bounds() == {color: (tiles - 1, tiles) for color, tiles in rest.items()}


def test_a_nearly_empty_bag_bounds_from_above() -> None:
    held = Supplies(lid={"B": 2, "Y": 0}, rest={"B": 5, "Y": 3}, hidden=6)
    assert (held.in_bag, held.in_lid) == (2, 8)
    assert held.bounds() == {"B": (0, 2), "Y": (0, 2)}


def test_an_empty_bag_leaves_nothing_open() -> None:
    unseen = {"B": 5, "Y": 3}
    assert infer(unseen, 0, {"B": 1, "Y": 0}) == Supplies(unseen, {"B": 0, "Y": 0})


def test_after_a_refill_all_unseen_tiles_count_as_the_bag() -> None:
    unseen = {"B": 5, "Y": 3}
    assert infer(unseen, None, {"B": 1, "Y": 0}) == Supplies({"B": 0, "Y": 0}, unseen)


def test_tiles_that_do_not_add_up_never_give_negative_numbers() -> None:
    held = infer({"B": 1, "Y": 3}, 9, {"B": 4, "Y": 0})
    assert held == Supplies({"B": 1, "Y": 0}, {"B": 0, "Y": 3})


# --- against the truth ------------------------------------------------------------------


@settings(max_examples=12)
@given(players=st.integers(2, 4), seed=st.integers(0, 2**32), dump=st.sampled_from([0.0, 0.4]))
def test_the_truth_and_every_draw_lie_within_the_bounds(
    players: int, seed: int, dump: float
) -> None:
    generator = rng.new(seed)
    for state in random_states(players, seed, dump):
        if not 0 < state["round"] <= LAST_KNOWN[players]:
            continue
        held = supplies(forget(state), KIND)
        drawn = to_state(forget(state))
        game.draw_hidden(drawn, generator)
        for bag, lid in ((state.bag, state.lid), (drawn.bag, drawn.lid)):
            in_bag, in_lid = numbers(bag), numbers(lid)
            assert in_bag.total() == held.in_bag
            assert in_lid.total() == held.in_lid
            assert in_lid >= Counter(held.lid)
            for color, (low, high) in held.bounds().items():
                assert low <= in_bag[color] <= high
        assert drawn.bag + drawn.lid == state.bag + state.lid
        assert drawn.hidden == 0


def test_all_that_is_possible_is_drawn() -> None:
    """One hidden tile of five colors: the draws reach both ends of every bound."""
    position = parse(SECOND_ROUND)
    generator = rng.new(5)
    seen: dict[str, set[int]] = {color: set() for color in "BYRKW"}
    for _ in range(200):
        drawn = to_state(position)
        game.draw_hidden(drawn, generator)
        for color, tiles in numbers(drawn.bag).items():
            seen[color].add(tiles)
    bounds = supplies(position, KIND).bounds()
    assert seen == {color: set(ends) for color, ends in bounds.items()}


def test_a_hidden_exchange_between_bag_and_lid_changes_nothing() -> None:
    """Two truths that look the same to the players: the same position, the same analysis."""
    for state in random_states(2, seed=3):
        other = state.copy()
        other.lid += (1 << 6) - 1  # a blue tile of the lid for a yellow one of the bag
        other.bag -= (1 << 6) - 1
        exchanged = numbers(state.lid)["B"] and numbers(state.bag)["Y"]
        if state["round"] == 3 and state.stage == game.DECISION and exchanged:
            break
    assert from_state(state) != from_state(other)
    assert forget(state) == forget(other)
    for engine, limit in (("ismcts", Limit(iterations=200)), ("expectimax", Limit(depth=2))):
        first, second = (
            analyze(forget(truth), engine=engine, limit=limit).to_dict() for truth in (state, other)
        )
        del first["stats"], second["stats"]
        assert first == second
