"""The oracle for the gray wall against the rules and an independent program's answers."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from tests.oracle import azul, gray, solve, supply
from tests.oracle.azul import State
from tests.oracle.perft import divide, perft
from tests.oracle.positions import board, position

FIXTURES = json.loads((Path(__file__).parent / "data" / "perft_gray_sintra.json").read_text())
PERFT = [case for case in FIXTURES["perft"] if case["position"]["game"] == "azul-gray"]
SOLVED = [case for case in FIXTURES["solved"] if case["position"]["game"] == "azul-gray"]
MOST_LEAVES, MOST_STATES = 20_000, 400


def tiling(*players: dict[str, Any], **others: Any) -> State:
    """A position with an empty table; a second board, if there is none, is empty."""
    boards = [*players, board()] if len(players) == 1 else players
    return gray.from_dict(position([], "", boards, game="azul-gray", **others))


def conserved(state: State) -> bool:
    on_boards = Counter(tile for each in state.boards for tile in azul.tiles_on(each))
    on_table = Counter(tile for tiles in [state.center, *state.displays] for tile in tiles)
    return on_boards + on_table + state.bag + state.lid == Counter(dict.fromkeys("BYRKW", 20))


def random_game(players: int, seed: int, round_cap: int = 20) -> list[State]:
    rng = random.Random(seed)
    states = [gray.new_state(players, round_cap)]
    while states[-1].stage != supply.OVER:
        if states[-1].stage == supply.DEAL:
            states.append(gray.deal_random(states[-1], rng))
        else:
            move = rng.choice(gray.legal_moves(states[-1]))
            states.append(gray.play(states[-1], move))
    return states


# --- an independent program's answers ---------------------------------------------------


@pytest.mark.parametrize("case", PERFT, ids=lambda case: f"{case['what']}, {case['perft'][0]}")
def test_perft(case: dict[str, Any]) -> None:
    state = gray.from_dict(case["position"])
    assert conserved(state)
    assert divide(state, 2) == case["divide"]
    for depth, leaves in enumerate(case["perft"], start=1):
        if leaves <= MOST_LEAVES:
            assert perft(state, depth) == leaves


@pytest.mark.parametrize(
    "case",
    [case for case in SOLVED if case["states"] <= MOST_STATES],
    ids=lambda case: f"{case['tiles_left']} tiles, {case['states']} states",
)
def test_solved_last_rounds(case: dict[str, Any]) -> None:
    state = gray.from_dict(case["position"])
    outcomes = solve.solve(state, "diff")
    differences = {move: outcome.utilities[state.mover] for move, outcome in outcomes.items()}
    assert differences == dict(case["moves"])


# --- wall-tiling ------------------------------------------------------------------------


def test_g01_a_line_without_a_legal_cell_falls() -> None:
    wall = ("BY.KW", "..R..", ".....", ".....", ".....")
    state = tiling(board(score=5, lines=["R", "", "", "", ""], wall=wall))
    assert state.stage == supply.DEAL
    assert state.boards[0].score == 4
    assert state.boards[0].lines[0] == ("", 0)
    assert state.boards[0].wall == azul.read_board(board(wall=wall)).wall
    assert state.lid == Counter("R")
    assert conserved(state)


def test_all_tiles_of_a_line_fall_and_overflow_to_the_lid() -> None:
    wall = (".....", ".....", ".....", ".....", "BY.KW")
    column = ("..R..", *wall[1:])
    state = tiling(
        board(score=30, lines=["B", "", "", "", "RRRRR"], wall=column, floor="1YYYY"), board()
    )
    assert gray.legal_moves(state) == [f"wall-1-{column}" for column in (2, 4, 5)]
    assert state.lid == Counter()
    after = gray.play(state, "wall-1-2")
    assert after.lid == Counter("RRRRRYYYY")
    assert after.boards[0].score == 30 + 2 - 14
    assert after.mover == 0
    assert conserved(after)


def test_g04_every_cell_of_an_empty_row() -> None:
    state = tiling(board(lines=["", "", "RRR", "", ""]))
    assert gray.legal_moves(state) == [f"wall-3-{column}" for column in (1, 2, 3, 4, 5)]
    after = gray.play(state, "wall-3-4")
    assert after.boards[0].wall[2] == [None, None, None, "R", None]
    assert after.lid == Counter("RR")
    assert after.boards[0].score == 1


def test_a_color_stands_once_in_a_column() -> None:
    wall = ("R....", ".....", "...R.", ".....", "K.YB.")
    state = tiling(board(lines=["", "", "", "", "RRRRR"], wall=wall))
    assert gray.legal_moves(state) == ["wall-5-2", "wall-5-5"]
    for move in ("wall-5-1", "wall-5-4", "wall-4-2", "F1-R-5"):
        with pytest.raises(ValueError, match=f"{move} is not legal"):
            gray.play(state, move)


def test_a_placement_may_bar_one_further_down() -> None:
    wall = (".....", "BY.KW", ".....", ".....", ".....")
    state = tiling(board(score=9, lines=["R", "RR", "", "", ""], wall=wall))
    barred = gray.play(state, "wall-1-3")
    assert barred.stage == supply.DEAL  # nothing more is to be decided
    assert barred.boards[0].score == 9 + 1 - 2
    free = gray.play(state, "wall-1-1")
    assert gray.legal_moves(free) == ["wall-2-3"]  # one legal cell is still a move
    done = gray.play(free, "wall-2-3")
    assert done.boards[0].score == 9 + 2 + 5
    assert done.stage == supply.OVER


def test_drafting_looks_at_rows_only() -> None:
    wall = ("BY.KW", "..R..", ".....", ".....", ".....")
    state = gray.from_dict(position(["RRKK"], "1", [board(wall=wall), board()], game="azul-gray"))
    assert gray.legal_moves(state)[0] == "F1-R-1"  # though the line can never be placed
    assert "F1-R-2" not in gray.legal_moves(state)
    assert "F1-K-1" not in gray.legal_moves(state)


def test_decisions_come_in_seat_order_and_floors_last() -> None:
    first = board(score=10, lines=["B", "", "", "", ""], floor="KK")
    second = board(score=20, lines=["", "YY", "", "RRRR", ""], floor="1K")
    state = gray.from_dict(
        position(["WWWW"], "", [first, second], game="azul-gray", to_move=2, start=2)
    )
    state = gray.play(state, "F1-W-3")
    movers = []
    for move in ("wall-1-1", "wall-2-2", "wall-3-3", "wall-4-4"):
        movers.append(state.mover)
        assert [each.floor for each in state.boards] == [["K", "K"], ["1", "K", "W"]]
        state = gray.play(state, move)
    assert movers == [0, 1, 1, 1]
    assert [each.score for each in state.boards] == [10 + 1 - 2, 20 + 3 - 4]
    assert state.stage == supply.DEAL
    assert state.mover == 1
    assert conserved(state)


def test_a_round_without_a_full_line_ends_at_once() -> None:
    state = gray.from_dict(position(["WWWW"], "1", [board(score=3), board()], game="azul-gray"))
    after = gray.play(state, "F1-W-5")
    assert after.stage == supply.DEAL
    assert gray.to_dict(after)["center"] == "1"


def test_bonuses_for_colors_in_any_cells() -> None:
    wall = ("BYRKW", "YBKWR", "R.B..", "K..B.", "W...B")
    state = tiling(board(score=20, wall=wall))
    assert state.stage == supply.OVER
    assert gray.final_points(state)[0] == 20 + 2 * 2 + 7 + 10


def test_the_position_must_name_who_decides() -> None:
    players = [board(lines=["B", "", "", "", ""]), board(lines=["B", "", "", "", ""])]
    with pytest.raises(ValueError, match="player 1 has a full line"):
        tiling(*players, to_move=2)


# --- hidden choices ---------------------------------------------------------------------


def test_each_player_maximizes_his_own_points() -> None:
    first = board(lines=["K", "", "", "", ""], wall=("BYR..", *(".....",) * 3, "....W"))
    second = board(score=7, lines=["", "YY", "", "", ""], wall=("BYRKW", *(".....",) * 4))
    state = tiling(first, second)
    assert gray.certainly_ends(state)  # player 2 has a row
    end = gray.tile_best(state)
    assert end.stage == supply.OVER
    assert end.boards[0].wall[0] == ["B", "Y", "R", "K", None]
    assert gray.final_points(end) == [4, 7 + 2 + 2]  # the tile in row 2 under another tile
    outcomes = solve.solve(state)
    assert {move: outcome.points for move, outcome in outcomes.items()} == {
        "wall-1-4": (4, 11),
        "wall-1-5": (1, 11),
    }


def test_a_phase_that_may_go_on_is_not_solved() -> None:
    """Player 1 can bar the last cell of row 2 with his tile of row 1."""
    wall = (".....", "BY.KW", ".....", ".....", ".....")
    first = board(lines=["R", "RR", "", "", ""], wall=wall)
    state = tiling(first)
    assert not gray.certainly_ends(state)
    assert gray.certainly_ends(gray.play(state, "wall-1-1"))
    drafting = gray.from_dict(position(["KKKK"], "1", [first, board()], game="azul-gray"))
    with pytest.raises(solve.NotTheLastRoundError):
        solve.solve(drafting)


# --- whole games ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "games_played", "moves", "rounds", "score"),
    [(2, 60, 99, 7.2, 2.7), (3, 25, 126, 7.1, 2.1), (4, 20, 151, 7.1, 1.8)],
)
def test_uniformly_random_games(
    players: int, games_played: int, moves: float, rounds: float, score: float
) -> None:
    played = [random_game(players, seed) for seed in range(games_played)]
    ends = [states[-1] for states in played]
    numbers = [len(states) - 1 - states[-1].round for states in played]
    assert mean(numbers) == pytest.approx(moves, rel=0.07)
    assert mean(end.round for end in ends) == pytest.approx(rounds, rel=0.07)
    assert mean(gray.final_points(end)[0] for end in ends) == pytest.approx(score, abs=1.5)


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (4, 3)])
def test_invariants_of_random_games(players: int, seed: int) -> None:
    for state in random_game(players, seed):
        assert conserved(state)
        if state.round:
            written = gray.to_dict(state)
            again = gray.from_dict(written)
            assert gray.to_dict(again) == written
            assert gray.legal_moves(again) == gray.legal_moves(state)
        for each in state.boards:
            for cells in [*each.wall, *zip(*each.wall, strict=True)]:
                colors = [tile for tile in cells if tile]
                assert len(colors) == len(set(colors))
