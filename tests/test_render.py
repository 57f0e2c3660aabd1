"""What a drawn position shows, in letters alone."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from azul_ai import game, render
from azul_ai.position import from_state, parse
from tests.oracle.positions import board, position
from tests.playing import random_states

pytestmark = pytest.mark.nojit


def drawn(document: dict[str, Any], width: int = 80, *, moves: bool = False) -> str:
    shown = parse(json.dumps(document), check_counts=False)
    return printed(render.draw(shown, moves=moves), width)


def printed(renderable: Any, width: int) -> str:
    console = Console(file=io.StringIO(), width=width)
    console.print(renderable)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return text


ANNA = board(12, ["", "YY", "BB", "", "RR"], ["..R..", "...R.", "K....", ".....", "....."], "1BY")
BRUNO = board(0, ["K", "", "", "", ""])
MIDDLE = position(
    ["BBYR", "", "KKWW", "WWYY", "RRRY"],
    "YK",
    [{"name": "Anna", **ANNA}, BRUNO],
    round=3,
    bag="B12 Y11 R16 K18 W15",
    lid="W3",
)
# As many placements as needed for 12 points are not on Anna's wall.
MIDDLE["players"][0]["score"] = 5


def test_every_part_of_a_position_can_be_read() -> None:
    text = drawn(MIDDLE)
    assert "Azul, 2 players, round 3   Player 1 (Anna) to move" in text
    assert "F1  B  B  Y  R" in text
    assert "F2  ·  ·  ·  ·" in text
    assert "C   Y  K" in text
    assert "Bag 72 (B12 Y11 R16 K18 W15)   Lid 3 (W3)" in text
    assert "▶ Player 1 (Anna): 5 points" in text
    assert "─ Player 2: 0 points" in text
    rows = re.findall(r"│ ([1-5])  ([^│]*)│([^│]*)│", text)
    assert [line.split() for _, line, _ in rows[::2]] == [
        ["·"],
        ["Y", "Y"],
        ["·", "B", "B"],
        ["·", "·", "·", "·"],
        ["·", "·", "·", "R", "R"],
    ]
    # Tiles upper-case, empty cells lower-case, in the printed colors.
    assert ["".join(wall.split()) for _, _, wall in rows[::2]] == [
        "byRkw",
        "wbyRk",
        "Kwbyr",
        "rkwby",
        "yrkwb",
    ]
    assert "floor  1  B  Y  ·  ·  ·  ·" in text
    assert "-1 -1 -2 -2 -2 -3 -3" in text
    assert "If the round ended now: 5" in text
    assert "5 + 4 wall - 4 floor" in text
    assert "0 + 1 wall - 0 floor" in text


def test_unknown_bag_and_lid_are_said_to_be_unknown() -> None:
    document = position(["BBYR"], "WWK1", [board(), board()], round=2)
    text = " ".join(drawn(document).split())
    assert "Bag 60 Lid 33 (not given)" in text
    assert (
        "Bag: between 0 and 18 blue, between 0 and 19 yellow, between 0 and 19 red, "
        "between 0 and 19 black, between 0 and 18 white"
    ) in text


def test_moves_from_identical_displays_stand_in_one_row() -> None:
    players = [board(1, ["", "", "", "", "R"], ["B....", *["....."] * 4]), board()]
    text = drawn(position(["BBRR", "KWWY", "BBRR"], "1", players, round=2), moves=True)
    # Blue: four lines, for row 1 has blue and line 5 is red, twice; red: all but none.
    rows = [" ".join(line.split()) for line in text.splitlines()]
    assert "F1 = F3 B B 2 3 4 floor" in rows
    assert "F1 = F3 R R 1 2 3 4 5 floor" in rows
    assert "F2 W W 1 2 3 4 floor" in rows
    legal = 2 * (4 + 6) + 3 * 5
    assert f"{legal} legal moves, written From-Color-To such as " in text


def test_a_finished_game_names_the_winner_and_adds_the_bonuses_once() -> None:
    wall = ["BYRKW", "WBYRK", "K.B..", "R..B.", "Y...B"]
    finished = position([], "", [board(38, wall=wall), board(20)], round=6, next_start=1)
    finished["players"][1] = board(20, wall=[".YRKW", ".BYR.", "..B..", ".....", "....."])
    text = drawn(finished)
    assert "game over; Player 1 wins" in text
    assert "Player 1: 38 points" in text
    assert "Final score: 59" in text
    assert "38 + 4 rows + 7 columns + 10 colors" in text
    assert "20, no bonus" in text


def test_a_shared_win_names_both() -> None:
    wall = ["BYRKW", *["....."] * 4]
    finished = position([], "", [board(11, wall=wall)] * 2, round=6, next_start=1)
    assert "game over; Player 1 and Player 2 win" in drawn(finished)


def test_between_rounds_the_next_starter_is_named() -> None:
    waiting = position([], "", [board(), board()], round=2, to_move=2)
    assert "round scored; next a deal, then Player 2 to move" in drawn(waiting)


@pytest.mark.parametrize(
    ("players", "width", "beside"),
    [(2, 80, 2), (3, 80, 2), (4, 80, 2), (3, 120, 3), (4, 120, 2), (4, 160, 4), (2, 40, 1)],
)
def test_boards_stand_side_by_side_where_they_fit(players: int, width: int, beside: int) -> None:
    document = position(["BBYR"], "WWK1", [board()] * players)
    text = drawn(document, width)
    assert max(map(len, text.splitlines())) <= width
    assert text.count("floor  ·") == players
    assert max(line.count("floor  ·") for line in text.splitlines()) == beside


@settings(max_examples=10)
@given(players=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_every_position_of_a_game_is_drawn_within_its_width(players: int, seed: int) -> None:
    for state in list(random_states(players, seed))[3::29]:
        text = printed(render.draw(from_state(state), moves=True), 80)
        assert max(map(len, text.splitlines())) <= 80
        assert ("legal moves" in text) == (state.stage == game.DECISION)
