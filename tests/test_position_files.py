"""The positions that come with the project, and what their comments claim."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azul_ai import game, rng
from azul_ai.notation import names, parse_move
from azul_ai.position import Position, from_code, from_state, load, parse, to_state
from tests.playing import legal_moves

FOLDER = Path(__file__).parent.parent / "positions"
FILES = sorted(FOLDER.glob("*.toml"))


def state_of(name: str) -> Any:
    return to_state(load(str(FOLDER / f"{name}.toml")))


def after(name: str, *moves: str) -> Position:
    """The position after some moves, a finished round scored."""
    state = state_of(name)
    for move in moves:
        game.play(state, parse_move(state, move))
    return from_state(state)


def results(name: str) -> tuple[list[int], list[int]]:
    state = state_of(name)
    assert state.stage == game.OVER
    points, ties = np.zeros(4, dtype=np.int64), np.zeros(4, dtype=np.int64)
    game.result(state, points, ties)
    return points[: state.players].tolist(), ties[: state.players].tolist()


def test_there_are_enough_of_every_kind() -> None:
    positions = [load(str(file)) for file in FILES]
    assert len(positions) >= 15
    assert {len(position.players) for position in positions} == {2, 3, 4}
    assert {position.round for position in positions} >= {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_file_loads_says_something_and_survives_every_form(file: Path) -> None:
    comment, _, rest = file.read_text(encoding="utf-8").partition("\n\n")
    assert all(line.startswith("# ") for line in comment.splitlines())
    assert len(comment) > 60
    written = load(str(file))
    assert written.warnings == ()
    assert written.to_toml() == rest
    assert written == from_code(written.code) == parse(written.to_toml())
    shown = from_state(to_state(written))
    assert from_state(to_state(shown)) == shown


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("first-moves-A01", 72),
        ("three-blue-tiles-A05", 12),  # six of them with the red tile
        ("voluntary-floor-A08", 6),
        ("early-round-B01", 84),
        ("poisoned-center-F01", 2),
    ],
)
def test_numbers_of_moves_in_rules_cases(name: str, moves: int) -> None:
    assert len(legal_moves(state_of(name))) == moves


def test_a02_the_marker_takes_the_second_space() -> None:
    ended = after("marker-behind-a-tile-A02", "C-Y-2")
    assert (ended.to_move, ended.players[2].score) == (3, 0)
    assert ended.lid is None, "bag and lid were not given"


def test_a04_the_lid_gets_what_does_not_fit() -> None:
    ended = after("overflow-to-the-lid-A04", "F1-R-1")
    assert ended.players[0].score == 17
    assert ended.lid == {"B": 0, "Y": 2, "R": 3, "K": 2, "W": 0}


def test_a05_and_a07_where_tiles_may_go() -> None:
    for name, color, targets in (
        ("three-blue-tiles-A05", "B", ["1", "2", "3", "4", "5", "floor"]),
        ("where-red-may-go-A07", "R", ["2", "4", "floor"]),
    ):
        state = state_of(name)
        texts = [names(state, move)[0].split("-") for move in legal_moves(state)]
        assert [text[2] for text in texts if text[:2] == ["F1", color]] == targets


def test_b01_what_is_left_in_the_center() -> None:
    assert after("early-round-B01", "F5-K-2").center == "BYRW1"


@pytest.mark.parametrize(("name", "score"), [("top-to-bottom-B02", 4), ("floor-after-wall-B08", 0)])
def test_wall_tilings_done_on_loading(name: str, score: int) -> None:
    assert from_state(state_of(name)).players[0].score == score


def test_c01_the_game_goes_on() -> None:
    assert state_of("column-ends-nothing-C01").stage == game.DEAL


@pytest.mark.parametrize(
    ("name", "points", "rows"),
    [
        ("finisher-loses-C02", [7, 12, 13], [1, 0, 0]),
        ("column-and-color-C03", [25 + 17, 22], [0, 1]),
        ("rows-break-the-tie-C04", [52, 52], [1, 2]),
        ("column-beats-lead-C06", [53, 52], [1, 1]),
        ("every-bonus-B10", [59, 20], [2, 0]),
    ],
)
def test_finished_games(name: str, points: list[int], rows: list[int]) -> None:
    assert results(name) == (points, rows)


def test_d01_the_lid_waits_until_another_tile_is_needed() -> None:
    state = state_of("bag-just-enough-D01")
    game.deal_round(state, rng.new(1))
    dealt = from_state(state)
    assert dealt.bag is not None
    assert dealt.lid is not None
    assert (dealt.round, sum(dealt.bag.values()), sum(dealt.lid.values())) == (5, 0, 45)


def test_d03_a_short_deal_survives_every_form() -> None:
    state = state_of("short-deal-D03")
    game.deal_round(state, rng.new(1))
    dealt = from_state(state)
    assert [len(tiles) for tiles in dealt.factories] == [4] * 7 + [2, 0]
    assert dealt.bag == dealt.lid == dict.fromkeys("BYRKW", 0)
    assert parse(dealt.to_toml()) == dealt == from_code(dealt.code)
    assert to_state(dealt).tobytes() == state.tobytes()


def test_d04_the_lid_is_not_dealt_from() -> None:
    state = state_of("lid-is-not-the-bag-D04")
    game.deal_round(state, rng.new(1))
    dealt = from_state(state)
    assert dealt.bag is not None
    assert (sum(dealt.bag.values()), dealt.lid) == (60, {"B": 0, "Y": 0, "R": 8, "K": 0, "W": 0})


def test_f01_the_round_ends_as_its_comment_says() -> None:
    generous = after("poisoned-center-F01", "C-Y-floor", "C-K-floor")
    assert [player.score for player in generous.players] == [9, 0]
    greedy = after("poisoned-center-F01", "C-K-floor", "C-Y-floor")
    assert [player.score for player in greedy.players] == [4, 5]


def test_f03_the_last_round_won_by_eight() -> None:
    ended = after("last-round-F03", "F1-R-5", "C-B-5", "C-W-floor", "C-Y-4")
    points = np.zeros(4, dtype=np.int64)
    game.result(to_state(ended), points, points.copy())
    assert points[:2].tolist() == [65, 57]


@pytest.mark.parametrize(
    ("name", "cells"),
    [("gray-tiling-2p", [(1, 1), (1, 4), (1, 5)]), ("gray-tiling-3p", [(4, 1), (4, 2)])],
)
def test_the_cells_that_gray_comments_name(name: str, cells: list[tuple[int, int]]) -> None:
    state = state_of(name)
    moves = [names(state, move)[0] for move in legal_moves(state)]
    assert moves == [f"wall-{row}-{column}" for row, column in cells]
