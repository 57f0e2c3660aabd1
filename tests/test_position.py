"""Positions in all their forms: TOML, JSON, codes, records."""

from __future__ import annotations

import io
import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azul_ai import game, position, rng
from azul_ai.position import Position, from_code, from_state, load, parse, to_state
from tests.oracle.positions import board
from tests.oracle.positions import position as document
from tests.playing import random_states

# The example of interfaces, with tiles that add up.
EXAMPLE = """\
game = "azul"
round = 3
to_move = 1
factories = ["BBYR", "", "KKWW", "YYWW", "YRRR"]
center = "YK1"
bag = "B5 Y8 R9 K10 W8"
lid = "B6 Y5 R3 K4 W8"

[[players]]
name = "Ann \\"the wall\\" Åström"
score = 2
lines = ["", "YY", "BB", "", "RR"]
wall = ["..R..", "...R.", "K....", ".....", "....."]
floor = ""

[[players]]
score = 0
lines = ["B", "B", "BBB", "", ""]
wall = [".....", ".....", ".....", ".....", "....."]
floor = "KK"
"""


def azul(factories: Any = ("BBYR", "KKKK", "WWYY", "BKRW", "RRRY"), **changes: Any) -> Position:
    """A position with two empty boards, unless something else is said."""
    players = changes.pop("players", [board(), board()])
    center = changes.pop("center", "1")
    return parse(json.dumps(document(factories, center, players, **changes)))


# --- round trips --------------------------------------------------------------------------


def assert_lossless(state: Any) -> None:
    written = from_state(state)
    forms = {
        "code": from_code(written.code),
        "toml": parse(written.to_toml()),
        "json": parse(json.dumps(written.to_dict())),
    }
    for name, again in forms.items():
        assert again == written, name
        assert to_state(again).tobytes() == state.tobytes(), name
        assert again.warnings == (), name


@settings(max_examples=6)
@given(players=st.integers(2, 4), seed=st.integers(0, 2**32), dump=st.sampled_from([0, 0, 0.5]))
def test_every_state_of_a_game_survives_every_form(players: int, seed: int, dump: float) -> None:
    for state in random_states(players, seed, dump):
        assert_lossless(state)


def test_states_of_a_game_that_the_round_cap_ends_survive() -> None:
    *_, last = random_states(2, seed=5, dump=1.0)
    assert (last["round"], last.stage) == (20, game.OVER)
    assert_lossless(last)


@settings(max_examples=3)
@given(players=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_unknown_bag_and_lid_survive(players: int, seed: int) -> None:
    for state in random_states(players, seed):
        known = from_state(state)
        unknown = replace(known, bag=None, lid=None)
        blind = to_state(unknown)
        unseen = {key: known.bag[key] + known.lid[key] for key in "BYRKW"}  # type: ignore[index]
        shown = from_state(blind)
        assert blind.bag + blind.lid == state.bag + state.lid
        if blind.hidden:
            assert (shown.bag, shown.lid) == (None, None)
        elif state["round"] > (0, 0, 5, 3, 2)[players]:
            assert (shown.bag, shown.lid) == (unseen, dict.fromkeys("BYRKW", 0))
        else:
            assert (shown.bag, shown.lid) == (known.bag, known.lid)
        assert replace(shown, bag=None, lid=None) == unknown
        assert parse(unknown.to_toml()) == unknown == from_code(unknown.code)


def test_the_written_form_is_the_one_people_know() -> None:
    assert parse(EXAMPLE).to_toml() == EXAMPLE


def test_toml_json_and_code_say_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = parse(EXAMPLE)
    as_json = json.dumps(tomllib.loads(EXAMPLE))
    assert parse(as_json) == written
    assert written.players[0].name == 'Ann "the wall" Åström'
    nameless = replace(written, players=tuple(replace(p, name="") for p in written.players))
    assert load(written.code) == nameless == parse(f"  {written.code}\n")
    for text in (EXAMPLE, as_json, f"\ufeff{EXAMPLE}"):
        (tmp_path / "position").write_text(text, encoding="utf-8")
        assert load(str(tmp_path / "position")) == written
        stdin = io.TextIOWrapper(io.BytesIO(text.encode()))
        monkeypatch.setattr("sys.stdin", stdin)
        assert load("-") == written


def test_a_dictionary_has_the_keys_of_a_file() -> None:
    written = parse(EXAMPLE).to_dict()
    assert list(written) == [
        "game", "round", "to_move", "factories", "center", "bag", "lid", "players",
    ]  # fmt: skip
    assert written["bag"] == {"B": 5, "Y": 8, "R": 9, "K": 10, "W": 8}
    assert written["players"][1] == board(0, ["B", "B", "BBB", "", ""], floor="KK")
    assert list(written["players"][0]) == ["name", "score", "lines", "wall", "floor"]
    assert written == json.loads(json.dumps(written))


def test_names_come_from_whoever_converts_a_record() -> None:
    state = to_state(azul())
    assert [player.name for player in from_state(state, ["Ann"]).players] == ["Ann", ""]


# --- normal form --------------------------------------------------------------------------


def test_tiles_are_sorted_displays_filled_up_and_marks_replaced() -> None:
    walls = ["xx...", ".....", ".....", ".....", "....."]
    written = azul(["KBWB"], center="W1KB", players=[board(2, wall=walls, floor="YB"), board()])
    assert written.factories == ("BBKW", "", "", "", "")
    assert written.center == "BKW1"
    assert written.players[0].wall[0] == "BY..."
    assert written.players[0].floor == "YB", "a floor has an order"


def test_numbers_of_tiles_may_be_a_text_or_a_table() -> None:
    as_text = azul(bag="B16 Y16 R15 K15  W17", lid="B1,R0 K0")
    as_table = azul(bag={"B": 16, "Y": 16, "R": 15, "K": 15, "W": 17}, lid={"B": 1})
    assert as_text == as_table
    assert as_text.lid == {"B": 1, "Y": 0, "R": 0, "K": 0, "W": 0}


def test_the_one_of_bag_and_lid_that_is_missing_follows() -> None:
    bag = {"B": 17, "Y": 16, "R": 15, "K": 14, "W": 17}
    lid = {"B": 0, "Y": 0, "R": 0, "K": 1, "W": 0}
    whole = azul(bag=bag, lid=lid)
    assert azul(bag=bag) == azul(lid=lid) == whole
    state = to_state(whole)
    assert (state.hidden, state.lid) == (0, 1 << 18)


# --- what follows from the board ----------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "round_number", "bag_size"),
    [(2, 1, 80), (2, 4, 20), (3, 3, 16), (4, 2, 28)],
)
def test_until_the_first_refill_the_size_of_an_unknown_bag_is_known(
    players: int, round_number: int, bag_size: int
) -> None:
    # One display of four in view, the other tiles unseen.
    written = azul(["BBYR"], players=[board()] * players, round=round_number)
    state = to_state(written)
    assert sum(state.bag >> 6 * color & 63 for color in range(5)) == 96
    assert state.hidden == 96 - bag_size
    assert state.lid == 0
    assert written.warnings == ()


@pytest.mark.parametrize(("players", "round_number"), [(2, 6), (3, 4), (4, 3), (2, 15)])
def test_later_all_unseen_tiles_count_as_the_bag_with_a_warning(
    players: int, round_number: int
) -> None:
    written = azul(["BBYR"], players=[board()] * players, round=round_number)
    state = to_state(written)
    assert state.hidden == state.lid == 0
    assert sum(state.bag >> 6 * color & 63 for color in range(5)) == 96
    assert "all unseen tiles count as the bag" in written.warnings[0]


def test_a_bag_of_the_wrong_size_for_the_round_is_mentioned() -> None:
    bag = {"B": 17, "Y": 16, "R": 15, "K": 14, "W": 17}
    assert azul(bag=bag, round=1).warnings == (
        "The bag holds 79 tiles; in round 1 of 2 players it should hold 80.",
    )
    assert azul(bag=bag, round=6).warnings == ()


@pytest.mark.parametrize(
    ("to_move", "factories", "start"),
    [
        (1, ["BBYR", "KKKK", "WWYY", "BKRW", "RRRY"], 1),
        (3, ["BBYR", "KKKK", "WWYY", "BKRW", "RRRY", "BBBB", "YYWW"], 3),
        (1, ["BBYR", "KKKK", "WWYY", "BKRW", "RRRY", "", ""], 2),
        (2, ["", "", "", "", "RRRY", "", ""], 2),
    ],
)
def test_with_the_marker_in_the_center_the_emptied_displays_tell_who_started(
    to_move: int, factories: list[str], start: int
) -> None:
    players = [board()] * (2 if len(factories) == 5 else 3)
    written = azul(factories, to_move=to_move, players=players)
    assert to_state(written).start == start - 1
    same = azul(factories, to_move=to_move, players=players, start=start)
    assert to_state(same) == to_state(written)


def test_in_a_short_deal_the_start_may_be_given() -> None:
    # Seven displays of four and one of two were dealt; the ninth was empty from the start.
    given = azul(
        ["BBBB", "YYYY", "RRRR", "KKKK", "WWWW", "BBBB", "YYYY", "RR"],
        players=[board()] * 4, bag="", round=9, start=1, lid="B12 Y12 R14 K16 W16",
    )  # fmt: skip
    assert to_state(given).start == 0
    assert from_state(to_state(given)).start == 1


def test_a_marker_that_came_to_a_full_floor_is_told_by_next_start() -> None:
    players = [board(floor="BBBYYYR"), board()]
    state = to_state(azul(["KKKK"], center="", next_start=1, to_move=2, players=players))
    assert (state.holder, state.stage) == (0, game.DECISION)
    assert from_state(state).next_start == 1


def test_tiles_on_offer_mean_drafting() -> None:
    players = [board(lines=["B", "", "", "", ""], floor="1"), board()]
    state = to_state(azul([], center="W", players=players, to_move=2))
    assert (state.stage, state.mover, state.holder) == (game.DECISION, 1, 0)


def test_an_open_wall_tiling_is_done_on_loading() -> None:
    players = [
        board(3, ["K", "", "", "", ""], ["BYR..", *[".....",] * 4], "RRRBBBY"),
        board(2, ["", "", "R", "", ""], [".YR..", *[".....",] * 4], "1"),
    ]  # fmt: skip
    state = to_state(azul([], center="", players=players, round=2, lid=""))
    assert (state.stage, state.mover, state.holder) == (game.DEAL, 1, 1)
    shown = from_state(state)
    assert [player.score for player in shown.players] == [0, 1], "rules case B08; 2 - 1"
    assert shown.players[0].wall[0] == "BYRK."
    assert shown.lid == {"B": 3, "Y": 1, "R": 3, "K": 0, "W": 0}, "the marker is no tile"


def test_lines_are_scored_from_top_to_bottom() -> None:
    """Rules case B02: 1 for the upper tile, then 3 for the one between two others."""
    wall = [".....", ".....", ".W...", ".....", "....."]
    players = [board(0, ["Y", "BB", "", "", ""], wall), board(floor="1")]
    state = to_state(azul([], center="", players=players, round=2))
    assert from_state(state).players[0].score == 4


def test_after_a_round_without_a_marker_the_starter_starts_again() -> None:
    players = [board(lines=["B", "", "", "", ""]), board()]
    state = to_state(azul([], center="1", players=players, to_move=2))
    assert state.start == 0, "five displays emptied, player 2 would be next: player 1 began"
    assert state.mover == 0


def test_a_scored_round_waits_for_its_deal() -> None:
    state = to_state(azul([], center="", to_move=2, round=2))
    assert (state.stage, state.mover, state.holder) == (game.DEAL, 1, 1)
    game.deal_round(state, rng.new(1))
    assert (state["round"], state.start, state.stage) == (3, 1, game.DECISION)


@pytest.mark.parametrize(("players", "dealt"), [(2, 20), (3, 28), (4, 36)])
def test_a_game_before_its_first_deal(players: int, dealt: int) -> None:
    """Rules case A10, first half."""
    state = to_state(azul([], round=0, players=[board()] * players))
    assert state.tobytes() == position.to_state(from_state(state)).tobytes()
    game.deal_round(state, rng.new(3))
    opening = from_state(state)
    assert [len(tiles) for tiles in opening.factories] == [4] * (dealt // 4)
    assert sum(opening.bag.values()) == 100 - dealt  # type: ignore[union-attr]


def test_a_finished_game_loads() -> None:
    players = [
        board(30, wall=["BYRKW", "WBYR.", *["....."] * 3]),
        board(10, wall=["BYRK."] * 1 + ["....."] * 4),
    ]
    finished = azul([], center="", players=players, round=6)
    state = to_state(finished)
    assert state.stage == game.OVER
    points, ties = np.zeros(4, dtype=np.int64), np.zeros(4, dtype=np.int64)
    game.result(state, points, ties)
    assert (points[:2].tolist(), ties[:2].tolist()) == ([32, 10], [1, 0])
    assert_lossless(state)


def test_a_tiling_under_way_may_already_show_a_complete_row() -> None:
    players = [board(5, wall=["BYRKW", *["....."] * 4]), board(lines=["B", *[""] * 4], floor="1")]
    assert to_state(azul([], center="", players=players, round=6)).stage == game.OVER


# --- template -----------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "displays"), [(2, 5), (3, 7), (4, 9)])
def test_a_template_asks_for_its_displays_and_then_loads(players: int, displays: int) -> None:
    template = position.template("azul", players)
    with pytest.raises(position.PositionError) as caught:
        parse(template)
    assert [fault.field for fault in caught.value.faults] == [
        f"factories[{index}]" for index in range(displays)
    ]
    assert "Display 1 is not filled in yet." in str(caught.value)
    filled = parse(template.replace("????", "BYRK"))
    assert (len(filled.players), filled.to_move) == (players, 1)
    assert to_state(filled).stage == game.DECISION
    uncommented = re.sub(r"^# (\w+ = )", r"\1", template, flags=re.MULTILINE)
    assert set(tomllib.loads(uncommented)) | {"start"} == set(azul().to_dict()) | {
        "bag", "lid", "next_start", "start",
    }  # fmt: skip
