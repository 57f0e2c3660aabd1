"""What each player would score now, against the oracle's end of a round."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azul_ai import game
from azul_ai.position import from_state, parse, to_state
from azul_ai.projection import Projection, project
from tests.oracle import azul as oracle
from tests.oracle.positions import board, position
from tests.playing import random_states

pytestmark = pytest.mark.nojit

SEVEN = "RRRBBBY"


def projected(players: Sequence[dict[str, Any]], **others: Any) -> list[Projection]:
    document = position(["BBYR"], "WWK1", players, **others)
    return project(to_state(parse(json.dumps(document), check_counts=False)))


def test_a_tile_alone_is_one_point() -> None:
    first, second = projected([board(0, ["B", "", "", "", ""]), board()])
    assert first == Projection(score=0, wall=1, floor=0, after=1, bonuses=None)
    assert second == Projection(score=0, wall=0, floor=0, after=0, bonuses=None)


def test_the_floor_is_paid_after_the_wall_and_never_below_0() -> None:
    first, _ = projected(
        [board(3, ["K", "", "", "", ""], ["BYR..", *["....."] * 4], floor=SEVEN), board()]
    )
    assert first == Projection(score=3, wall=4, floor=14, after=0, bonuses=None)
    assert first.clamped
    assert first.final == 0


def test_exactly_0_is_not_clamped() -> None:
    first, _ = projected([board(0, ["K", "", "", "", ""], floor="B"), board()])
    assert (first.after, first.clamped) == (0, False)


def test_a_row_that_would_be_complete_ends_the_game_for_all() -> None:
    wall = ["BYRK.", *["....."] * 4]
    column = ["B....", "W....", "K....", "R....", "Y...."]
    players = [board(10, ["W", "", "", "", ""], wall), board(5, wall=column)]
    first, second = projected(players, round=5)
    assert first == Projection(score=10, wall=5, floor=0, after=15, bonuses=((2, "rows"),))
    assert second.bonuses == ((7, "columns"),)
    assert (first.final, second.final) == (17, 12)


EVERY_BONUS = ["BYRKW", "WBYRK", "K.B..", "R..B.", "Y...B"]


def test_a_finished_game_adds_its_bonuses_once() -> None:
    """Case B10: 38 points, two rows, a column, a color: 59, however often one asks."""
    document = position([], "", [board(38, wall=EVERY_BONUS), board()], round=6, next_start=1)
    state = to_state(parse(json.dumps(document)))
    assert state["stage"] == game.OVER
    for _ in range(2):
        first = project(state)[0]
        assert first.bonuses == ((4, "rows"), (7, "columns"), (10, "colors"))
        assert (first.after, first.final) == (38, 59)


@settings(max_examples=30)
@given(players=st.integers(2, 4), seed=st.integers(0, 2**32), dump=st.sampled_from([0.0, 0.3]))
def test_the_oracle_ends_the_round_alike(players: int, seed: int, dump: float) -> None:
    for state in list(random_states(players, seed, dump))[5::17]:
        before = state.copy()
        projections = project(state)
        assert state == before
        expected = oracle.read(from_state(state).to_dict(), int(state.round_cap))
        if state.stage == game.DECISION:
            oracle.end_round(expected)
        over = expected.stage == oracle.OVER or state.stage == game.OVER
        for own, theirs in zip(projections, expected.boards, strict=True):
            assert own.after == theirs.score == max(0, own.score + own.wall - own.floor)
            assert (own.bonuses is not None) == over
            assert own.final == theirs.score + (oracle.bonus(theirs) if over else 0)
