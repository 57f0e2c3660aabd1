"""Deals as text: what is read, and what cannot have come out of the bag."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azul_ai import game, rng
from azul_ai.dealing import DealError, parse_deal, random_deal
from azul_ai.position import from_state, parse, to_state
from tests.oracle.positions import board, position
from tests.playing import random_states


def waiting(bag: str, lid: str = "", players: int = 2, **others: Any) -> Any:
    """A state in stage DEAL with such a bag and lid."""
    document = position(
        [], "", [board()] * players, round=2, next_start=1, bag=bag, lid=lid, **others
    )
    state = to_state(parse(json.dumps(document), check_counts=False))
    assert state["stage"] == game.DEAL
    return state


def reasons(state: Any, text: str) -> list[str]:
    with pytest.raises(DealError) as caught:
        parse_deal(state, text)
    return list(caught.value.reasons)


DEAL = "BBYR,KKWW,WWYY,RRRY,BYRK"
PLENTY = "B9 Y9 R9 K9 W9"


def dealt(state: Any, text: str) -> Any:
    """The position after a deal."""
    state = state.copy()
    game.lay_out_round(state, parse_deal(state, text))
    return from_state(state)


def test_a_deal_comes_out_of_the_bag() -> None:
    after = dealt(waiting(PLENTY, lid="B1"), DEAL)
    assert list(map(Counter, after.factories)) == list(map(Counter, DEAL.split(",")))
    assert after.bag == {"B": 6, "Y": 4, "R": 4, "K": 6, "W": 5}
    assert after.lid == {"B": 1, "Y": 0, "R": 0, "K": 0, "W": 0}


def test_spaces_and_lower_case_do_not_matter() -> None:
    state = waiting(PLENTY)
    assert dealt(state, " bb yr, kkww,WWYY,rrry,byrk ") == dealt(state, DEAL)


def test_the_lid_goes_into_the_bag_when_the_bag_runs_out() -> None:
    after = dealt(waiting("B2 K4", lid="Y9 R9 W9"), "BBKK,KKYY,YYRR,RRRR,WWWW")
    assert after.bag == {"B": 0, "Y": 5, "R": 3, "K": 0, "W": 5}
    assert sum(after.lid.values()) == 0


def test_the_lid_stays_when_the_bag_is_just_enough() -> None:
    after = dealt(waiting("B4 Y4 R4 K4 W4", lid="B9"), "BYRK,BYRW,BYKW,BRKW,YRKW")
    assert sum(after.bag.values()) == 0
    assert after.lid["B"] == 9


def test_displays_stay_short_only_with_bag_and_lid_empty() -> None:
    state = waiting("B4 Y4", lid="R1")
    assert dealt(state, "BBBB,YYYY,R").factories == ("BBBB", "YYYY", "R", "", "")
    assert reasons(state, "BBBB,YYYY") == ["8 tiles dealt instead of 9."]
    assert reasons(waiting(PLENTY), "BBYR,KKWW") == ["8 tiles dealt instead of 20."]


def test_more_of_a_color_than_the_bag_holds() -> None:
    said = reasons(waiting("B2 Y9 R9 K9 W9"), "BBBR,KKWW,WWYY,RRRY,YYRK")
    assert said == ["3 blue tiles dealt but only 2 left in the bag."]
    said = reasons(waiting("Y9 R9 K9 W9"), "BYYR,KKWW,WWYY,RRRY,YYRK")
    assert said == ["1 blue tile dealt but none left in the bag."]


def test_more_of_a_color_than_bag_and_lid_hold() -> None:
    said = reasons(waiting("B2", lid="B1 Y9 R9"), "BBBB,YYYY,RRRR,YYYY,RRRR")
    assert said == ["4 blue tiles dealt but only 3 left in bag and lid together."]


def test_the_bag_is_used_up_before_the_lid() -> None:
    said = reasons(waiting("B2 K1", lid="Y9 R9 W9"), "BYYY,YYYY,RRRR,RRRR,WWWW")
    assert said == [
        "The bag is used up before the lid: 2 blue tiles left in it, 1 dealt.",
        "The bag is used up before the lid: 1 black tile left in it, none dealt.",
    ]


def test_all_that_is_wrong_with_letters_and_displays() -> None:
    state = waiting(PLENTY)
    assert reasons(state, "BBYX,KKWZ")[0].startswith("There is no color 'X'")
    assert len(reasons(state, "BBYX,KKWZ")) == 2
    assert reasons(state, f"{DEAL},BBYR") == ["There are 6 displays here and 5 on the table."]
    assert reasons(state, "BBYRK,KKWW,WWYY,RRRY,BYR") == [
        "Display 1 has 5 tiles; at most 4 lie on one."
    ]


def test_where_the_lid_is_not_known_any_unseen_tile_may_come() -> None:
    """Round 4 of three players: 16 tiles in the bag, the lid then goes into it."""
    document = position([], "", [board()] * 3, round=3, next_start=1)
    state = to_state(parse(json.dumps(document)))
    assert state["hidden"] == 100 - 16
    displays = ",".join(["BBBB"] * 5 + ["YYYY"] * 2)
    game.lay_out_round(state, parse_deal(state, displays))
    assert state["hidden"] == 0
    assert from_state(state).bag == {"B": 0, "Y": 12, "R": 20, "K": 20, "W": 20}


def test_a_random_deal_leaves_unknown_what_is_unknown() -> None:
    document = position([], "", [board()] * 2, round=2, next_start=1)
    state = to_state(parse(json.dumps(document)))
    assert state["hidden"] == 40
    before = state.copy()
    contents = random_deal(state, rng.new(7))
    assert state == before
    game.lay_out_round(state, contents)
    assert state["hidden"] == 40
    assert from_state(state).bag is None


@settings(max_examples=30)
@given(players=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_what_is_drawn_can_be_given(players: int, seed: int) -> None:
    for before in random_states(players, seed, dump=0.5):
        if before.stage != game.DEAL:
            continue
        drawn = before.copy()
        game.deal_round(drawn, rng.new(seed))
        if drawn.stage == game.DECISION:
            text = ",".join(from_state(drawn).factories)
            given_deal = before.copy()
            game.lay_out_round(given_deal, parse_deal(before, text))
            assert given_deal == drawn
