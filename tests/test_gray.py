"""The gray wall's own rules, in situations made by hand; names as in :mod:`tests.test_azul`.

What random games show is in :mod:`tests.conformance`, numbers of moves in
:mod:`tests.test_perft`.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np
import pytest

from azul_ai import game, notation, position
from azul_ai.position import Position
from tests.conformance.pair import tiles_in
from tests.oracle.positions import board
from tests.oracle.positions import position as document
from tests.playing import legal_moves

pytestmark = pytest.mark.nojit

GAP_AT_3 = "BY.KW"


def state_of(factories: list[str], center: str, *players: dict[str, Any], **others: Any) -> Any:
    """A state with an empty bag; a second board, if there is none, is empty."""
    boards = [*players, board()] if len(players) == 1 else list(players)
    keys = {"game": "azul-gray", "bag": "", **others}
    given = {key: value for key, value in keys.items() if value is not None}
    written = document(factories, center, boards, **given)
    return position.to_state(position.parse(json.dumps(written)))


def tiling(*players: dict[str, Any], **others: Any) -> Any:
    return state_of([], "", *players, **{"next_start": 1, **others})


def moves_of(state: Any) -> list[str]:
    return [notation.format_move(state, move) for move in legal_moves(state)]


def play(state: Any, *moves: str) -> Position:
    """Play moves, in place; the position after them."""
    for move in moves:
        game.play(state, notation.parse_move(state, move))
    after = position.from_state(state)
    assert tiles_in(after.to_dict()) == Counter(dict.fromkeys("BYRKW", 20))
    return after


def test_g01_a_line_without_a_legal_cell_falls() -> None:
    wall = (GAP_AT_3, "..R..", ".....", ".....", ".....")
    state = tiling(board(score=5, lines=["R", "", "", "", ""], wall=wall))
    assert state.stage == game.DEAL
    after = play(state)
    assert (after.players[0].score, after.players[0].lines[0]) == (4, "")
    assert after.players[0].wall == wall
    assert after.lid == {"B": 19, "Y": 19, "R": 19, "K": 19, "W": 19}


def test_g04_every_cell_of_an_empty_row_and_nothing_else() -> None:
    state = tiling(board(lines=["", "", "RRR", "", ""]))
    assert moves_of(state) == [f"wall-3-{column}" for column in range(1, 6)]
    after = play(state, "wall-3-4")
    assert after.players[0].wall[2] == "...R."
    assert after.players[0].score == 1
    assert after.lid == {"B": 20, "Y": 20, "R": 19, "K": 20, "W": 20}


def test_all_tiles_of_a_line_fall_and_overflow_to_the_lid() -> None:
    wall = ("..R..", ".....", ".....", ".....", GAP_AT_3)
    lines = ["B", "", "", "", "RRRRR"]
    state = tiling(board(score=15, lines=lines, wall=wall, floor="1YYYY"), next_start=None)
    assert moves_of(state) == ["wall-1-2", "wall-1-4", "wall-1-5"]
    after = play(state, "wall-1-2")
    assert after.players[0].score == 15 + 2 - 14
    assert after.players[0].lines[4] == ""
    assert after.lid == {"B": 18, "Y": 19, "R": 19, "K": 19, "W": 19}
    assert state.stage == game.DEAL


def test_a_color_stands_once_in_a_column() -> None:
    wall = ("R....", ".....", "...R.", ".....", "K.YB.")
    state = tiling(board(score=6, lines=["", "", "", "", "RRRRR"], wall=wall))
    assert moves_of(state) == ["wall-5-2", "wall-5-5"]


def test_the_choice_for_a_row_may_make_a_later_one_impossible() -> None:
    wall = (".....", GAP_AT_3, ".....", ".....", ".....")
    first = board(score=9, lines=["R", "RR", "", "", ""], wall=wall)
    barred = tiling(first)
    after = play(barred, "wall-1-3")
    assert barred.stage == game.DEAL  # nothing more is to be decided
    assert after.players[0].score == 9 + 1 - 2
    assert after.players[0].wall[:2] == ("..R..", GAP_AT_3)
    free = tiling(first)
    play(free, "wall-1-1")
    assert moves_of(free) == ["wall-2-3"]  # one legal cell is still a move
    after = play(free, "wall-2-3")
    assert after.players[0].score == 9 + 2 + 5
    assert free.stage == game.OVER


def test_drafting_looks_at_rows_only() -> None:
    wall = (GAP_AT_3, "..R..", ".....", ".....", ".....")
    state = state_of(["RRKK"], "1", board(wall=wall))
    moves = moves_of(state)
    assert moves[0] == "F1-R-1"  # though the line can never be placed
    assert "F1-R-2" not in moves
    assert "F1-K-1" not in moves


def test_decisions_come_in_seat_order_and_floors_last() -> None:
    first = board(score=1, lines=["B", "", "", "", ""], wall=("...Y.", *(".....",) * 4), floor="KK")
    second = board(score=6, lines=["", "YY", "", "RRRR", ""], wall=("WKR..", *(".....",) * 4))
    second["floor"] = "1K"
    state = state_of(["WWWW"], "", first, second, to_move=2)
    play(state, "F1-W-3")
    boards = position.from_state(state).players
    movers = []
    for move in ("wall-1-1", "wall-2-2", "wall-3-3", "wall-4-4"):
        movers.append(int(state.mover))
        here = position.from_state(state).players
        # Until all have chosen, only the choices are noted.
        assert [player.wall for player in here] == [player.wall for player in boards]
        assert [(player.score, player.floor) for player in here] == [(1, "KK"), (6, "1KW")]
        after = play(state, move)
    assert movers == [0, 1, 1, 1]
    assert [player.score for player in after.players] == [1 + 1 - 2, 6 + 2 + 1 + 1 - 4]
    assert (state.stage, int(state.mover)) == (game.DEAL, 1)


def test_what_one_places_changes_nothing_for_another() -> None:
    lines = ["B", "YY", "", "", ""]
    state = tiling(board(lines=lines), board(lines=lines))
    for first in ("wall-1-1", "wall-1-5"):
        here = state.copy()
        play(here, first, "wall-2-2")
        assert moves_of(here) == [f"wall-1-{column}" for column in range(1, 6)]


def test_a_round_without_a_full_line_ends_at_once() -> None:
    state = state_of(["WWWW"], "1", board())
    after = play(state, "F1-W-5")
    assert state.stage == game.DEAL
    assert after.center == "1"


def test_a_finished_row_ends_the_game_a_finished_column_does_not() -> None:
    row = tiling(board(score=9, lines=["K", "", "", "", ""], wall=("BYR.W", *(".....",) * 4)))
    play(row, "wall-1-4")
    assert row.stage == game.OVER
    wall = ("B....", "Y....", "R....", "K....", ".....")
    column = tiling(board(score=9, lines=["", "", "", "", "WWWWW"], wall=wall))
    play(column, "wall-5-1")
    assert column.stage == game.DEAL


def test_bonuses_for_colors_in_any_cells() -> None:
    wall = ("BYRKW", "YBKWR", "R.B..", "K..B.", "W...B")
    state = tiling(board(score=40, wall=wall, floor="1"), next_start=None)
    assert state.stage == game.OVER
    points, ties = np.zeros((2, game.MAX_PLAYERS), dtype=np.int64)
    game.result(state, points, ties)
    assert points[0] == 39 + 2 * 2 + 7 + 10
    assert ties[0] == 2


def test_what_others_chose_can_be_hidden() -> None:
    lines = ["B", "", "", "", ""]
    state = tiling(board(lines=lines), board(lines=lines))
    play(state, "wall-1-2")
    assert position.from_state(state).players[0].placed == ("wall-1-2",)
    game.hide_choices(state)
    assert position.from_state(state).players[0].placed == ()
    assert (int(state.mover), moves_of(state)[0]) == (1, "wall-1-1")
    play(state, "wall-1-5")
    assert int(state.mover) == 0  # his turn comes now
    play(state, "wall-1-3")
    assert state.stage == game.DEAL
