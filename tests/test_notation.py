"""Moves as text, and what is said of those that are not legal."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azul_ai import game
from azul_ai.notation import MoveError, format_move, names, parse_move
from azul_ai.position import parse, to_state
from tests.oracle.positions import board
from tests.oracle.positions import position as document
from tests.playing import legal_moves, random_states


def state_of(*args: Any, **others: Any) -> Any:
    return to_state(parse(json.dumps(document(*args, **others))))


def why(state: Any, text: str) -> str:
    with pytest.raises(MoveError) as caught:
        parse_move(state, text)
    return str(caught.value)


@pytest.fixture
def middle() -> Any:
    """Player 1 to move: a line of red, a full line, and a wall row with blue."""
    mover = board(1, ["", "RR", "", "R", "B"], [".....", ".B...", ".....", ".....", "....."])
    return state_of(["BBYR", "", "BYRR", "RYBB"], "YK1", [mover, board(floor="W")])


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("F1-B-3", (1, 0, 2)),
        ("f3-r-4", (3, 2, 3)),
        ("F4-Y-floor", (4, 1, 5)),
        ("f4-y-FLOOR", (4, 1, 5)),
        ("C-K-1", (0, 3, 0)),
        ("c-k-1", (0, 3, 0)),
        ("0-K-1", (0, 3, 0)),
        (" F1-B-5 ", (1, 0, 4)),
    ],
)
def test_what_a_text_means(middle: Any, text: str, parts: tuple[int, int, int]) -> None:
    source, color, line = parts
    assert parse_move(middle, text) == source << 6 | color << 3 | line


@settings(max_examples=5)
@given(players=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_exactly_the_legal_moves_are_accepted(players: int, seed: int) -> None:
    """The rules list the legal moves; here every text there is asks for its own reason."""
    states = list(random_states(players, seed))
    for state in states[:: len(states) // 12]:
        legal = legal_moves(state) if state.stage == game.DECISION else []
        accepted = []
        sources = ["C", *(f"F{number}" for number in range(1, 10))]
        for parts in itertools.product(sources, "BYRKW", (*"12345", "floor")):
            text = "-".join(parts)
            try:
                accepted.append(parse_move(state, text))
            except MoveError as error:
                assert str(error).startswith(f"{text} is not legal: ")  # noqa: PT017
            else:
                assert format_move(state, accepted[-1]) == text
        assert sorted(accepted) == sorted(legal)


@settings(max_examples=3)
@given(players=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_moves_are_grouped_by_identical_displays(players: int, seed: int) -> None:
    for state in random_states(players, seed):
        if state.stage == game.DECISION:
            groups = [names(state, move) for move in legal_moves(state, distinct=True)]
            every = [format_move(state, move) for move in legal_moves(state)]
            assert sorted(itertools.chain(*groups)) == sorted(every)


def test_all_names_lowest_first(middle: Any) -> None:
    for text in ("F1-B-3", "F4-B-3"):
        assert names(middle, parse_move(middle, text)) == ["F1-B-3", "F4-B-3"]
    assert names(middle, parse_move(middle, "F3-B-3")) == ["F3-B-3"]
    assert names(middle, parse_move(middle, "C-K-floor")) == ["C-K-floor"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "F1",
        "F1B3",
        "F1-B",
        "F1-B-3-O",
        "F-B-3",
        "1-B-3",
        "F1-BB-3",
        "D1-B-3",
        "C-B-2.",
        "F1_B_3",
    ],
)
def test_texts_that_are_no_moves(middle: Any, text: str) -> None:
    assert why(middle, text) == (
        f'"{text}" is no move: write source, color and line, such as F3-B-2 or C-K-floor.'
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("F1-K-3", "display 1 has no black, only BBYR"),
        ("C-B-3", "the center has no blue, only YK"),
        ("F2-B-3", "display 2 is empty"),
        ("F5-B-3", "display 5 is empty"),
        ("F6-B-3", "there is no display 6; they are numbered 1-5, the center is C"),
        ("F0-B-3", "there is no display 0; they are numbered 1-5, the center is C"),
        (
            "F1-G-3",
            'there is no color "G"; the colors are B blue, Y yellow, R red, K black, W white',
        ),
        ("F1-B-6", "there is no line 6; write 1-5 or floor"),
        ("F1-B-0", "there is no line 0; write 1-5 or floor"),
        ("F1-B-2", "line 2 of player 1 is full"),
        ("F1-R-2", "line 2 of player 1 is full"),
        ("F1-B-4", "line 4 of player 1 holds red"),
    ],
)
def test_why_a_move_is_not_legal(middle: Any, text: str, reason: str) -> None:
    assert why(middle, text) == f"{text} is not legal: {reason}."


def test_a_row_that_already_has_the_color() -> None:
    mover = board(1, wall=[".....", ".B...", ".....", ".....", "....."])
    state = state_of(["BBYR"], "1", [board(), mover], to_move=2)
    assert why(state, "f1-b-2") == (
        "f1-b-2 is not legal: row 2 of player 2's wall already has blue."
    )


def test_the_center_with_nothing_to_take() -> None:
    reason = "the center holds only the marker, which is never taken alone"
    assert reason in why(state_of(["BBYR"], "1", [board()] * 2), "C-B-1")
    assert "the center is empty" in why(
        state_of(["BBYR"], "", [board(floor="1"), board()]), "C-B-1"
    )


def test_no_move_between_rounds_nor_after_the_end() -> None:
    between = state_of([], "", [board()] * 2)
    assert "the round is over and the next deal is pending" in why(between, "F1-B-1")
    ended = state_of([], "", [board(5, wall=["BYRKW", *["....."] * 4]), board()], round=6)
    assert "the game is over" in why(ended, "F1-B-1")


def test_rules_case_a07_where_two_red_tiles_may_go() -> None:
    lines, wall = ["Y", "R", "", "RRR", "BB"], [".....", ".....", "....R", ".....", "....."]
    state = state_of(["RRKW"], "", [board(1, lines, wall), board(floor="1")], round=2)
    red = [name for move in legal_moves(state) for name in names(state, move) if "-R-" in name]
    assert red == ["F1-R-2", "F1-R-4", "F1-R-floor"]
    assert "line 1 of player 1 is full" in why(state, "F1-R-1")
    assert "row 3 of player 1's wall already has red" in why(state, "F1-R-3")
    assert "line 5 of player 1 holds blue" in why(state, "F1-R-5")
