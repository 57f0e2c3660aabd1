"""The oracle for Azul against the rules, figures and cases that do not come from it."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from tests.oracle import azul, games, solve, supply
from tests.oracle.azul import State
from tests.oracle.perft import divide, perft
from tests.oracle.positions import board, position

PERFT = json.loads((Path(__file__).parent / "data" / "perft_azul.json").read_text())
MOST_LEAVES = 80_000


def tiles(counter: Counter[str]) -> dict[str, int]:
    return dict(+counter)


def conserved(state: State) -> bool:
    """Whether every color has its 20 tiles."""
    on_boards = Counter(tile for each in state.boards for tile in azul.tiles_on(each))
    on_table = Counter(itertools.chain(state.center, *state.displays))
    total = on_boards + on_table + state.bag + state.lid
    return total == Counter(dict.fromkeys("BYRKW", 20))


def random_game(players: int, seed: int, round_cap: int = 20) -> list[State]:
    """All states of one game of uniformly random moves."""
    rng = random.Random(seed)
    states = [azul.new_state(players, round_cap)]
    while states[-1].stage != supply.OVER:
        if states[-1].stage == supply.DEAL:
            states.append(azul.deal_random(states[-1], rng))
        else:
            move = rng.choice(azul.legal_moves(states[-1]))
            states.append(azul.play(states[-1], move))
    return states


def round_end(*players: dict[str, Any], **others: Any) -> State:
    """The state after wall-tiling of these boards; where there is none, the second is empty."""
    boards = [*players, board()] if len(players) == 1 else players
    return azul.from_dict(position([], "", boards, **others))


def wall_of(*rows: str) -> list[list[str | None]]:
    return azul.read_board(board(wall=rows)).wall


# --- perft ------------------------------------------------------------------------------


@pytest.mark.parametrize("case", PERFT, ids=lambda case: str(case["perft"][0]))
def test_perft(case: dict[str, Any]) -> None:
    state = azul.from_dict(case["position"])
    for depth, leaves in enumerate(case["perft"], start=1):
        if leaves <= MOST_LEAVES:
            assert perft(state, depth) == leaves


def test_divide_adds_up_and_names_every_move() -> None:
    case = PERFT[3]
    state = azul.from_dict(case["position"])
    parts = divide(state, 2)
    assert list(parts) == azul.legal_moves(state)
    assert sum(parts.values()) == case["perft"][1]


# --- figures ----------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "moves"), [(2, 89.5), (3, 125.3), (4, 161.1)])
def test_number_of_first_moves(players: int, moves: float) -> None:
    rng = random.Random(1)
    new = azul.new_state(players)
    numbers = [len(azul.legal_moves(azul.deal_random(new, rng))) for _ in range(400)]
    assert mean(numbers) == pytest.approx(moves, abs=2.0)


def test_colors_on_a_display() -> None:
    rng = random.Random(2)
    new = azul.new_state(4)
    displays = [display for _ in range(500) for display in azul.deal_random(new, rng).displays]
    colors = [len(set(display)) for display in displays]
    assert mean(colors) == pytest.approx(2.9833, abs=0.04)
    assert colors.count(1) / len(colors) == pytest.approx(0.00618, abs=0.0045)


@pytest.mark.parametrize(
    ("players", "games_played", "moves", "rounds", "score"),
    [(2, 120, 70.4, 6.60, 3.0), (3, 30, 90.0, 6.69, 2.5), (4, 25, 108.3, 6.78, 2.1)],
)
def test_uniformly_random_games(
    players: int, games_played: int, moves: float, rounds: float, score: float
) -> None:
    played = [random_game(players, seed, round_cap=30) for seed in range(games_played)]
    ends = [states[-1] for states in played]
    numbers = [len(states) - 1 - states[-1].round for states in played]
    assert mean(numbers) == pytest.approx(moves, rel=0.07)
    assert mean(end.round for end in ends) == pytest.approx(rounds, rel=0.07)
    assert mean(azul.final_points(end)[0] for end in ends) == pytest.approx(score, abs=1.5)


ORDERS = {
    "51 41 31 21 11": (15, 22),
    "51 42 52 41 32 31 22 21 12 11": (37, 54),
    "52 43 53 42 31 32 33 25 14 24 23 22 21 13 12": (67, 91),
    "51 42 52 33 43 53 25 14 24 34 44 35 45 41 32 31 23 22 13 12": (103, 147),
    "51 42 52 33 43 53 24 34 44 54 15 25 35 45 55 41 32 31 23 22 21 14 13 12 11": (145, 240),
}
"""Orders (row and column of each tile) that reach the best totals with the end bonuses."""


@pytest.mark.parametrize("order", ORDERS)
def test_best_totals_are_reached(order: str) -> None:
    each = azul.Board()
    points = 0
    for cell in order.split():
        r, c = int(cell[0]) - 1, int(cell[1]) - 1
        each.wall[r][c] = azul.WALL[r][c]
        points += azul.placement_points(each.wall, r, c)
    assert len(order.split()) in {5, 10, 15, 20, 25}
    assert points + azul.bonus(each) == ORDERS[order][1]


def test_best_placement_totals_of_few_tiles() -> None:
    cells = list(itertools.product(range(5), range(5)))
    best: dict[frozenset[tuple[int, int]], int] = {frozenset(): 0}
    for total in (1, 3, 6, 10):
        more: dict[frozenset[tuple[int, int]], int] = {}
        for filled, points in best.items():
            for row, column in set(cells) - filled:
                now = filled | {(row, column)}
                wall: list[list[str | None]] = [
                    ["x" if (r, c) in now else None for c in range(5)] for r in range(5)
                ]
                scored = points + azul.placement_points(wall, row, column)
                more[now] = max(scored, more.get(now, 0))
        best = more
        assert max(best.values()) == total


@pytest.mark.parametrize(
    ("rows", "least", "most"), [(1, 11, 15), (2, 29, 40), (3, 47, 70)], ids=["1", "2", "3"]
)
def test_b04_totals_of_complete_rows(rows: int, least: int, most: int) -> None:
    """Five rounds, one tile a row and round, in any order of columns."""
    columns = set(range(5))
    totals = {((frozenset[int](),) * rows): {0}}
    for _ in range(5):
        after: dict[tuple[frozenset[int], ...], set[int]] = {}
        for filled, points in totals.items():
            for choice in itertools.product(*(columns - row for row in filled)):
                each = azul.Board()
                for row, places in enumerate(filled):
                    for column in places:
                        each.wall[row][column] = "x"
                gained = 0
                for row, column in enumerate(choice):
                    each.wall[row][column] = "x"
                    gained += azul.placement_points(each.wall, row, column)
                now = tuple(row | {column} for row, column in zip(filled, choice, strict=True))
                ends = {points_so_far + gained for points_so_far in points}
                known = after.setdefault(now, set())
                known |= {min(ends), max(ends)}
        totals = {now: {min(ends), max(ends)} for now, ends in after.items()}
    (ends,) = totals.values()
    assert (min(ends), max(ends)) == (least, most)


# --- factory offer ----------------------------------------------------------------------


def test_a01_the_marker_alone_is_no_move() -> None:
    state = azul.from_dict(
        position(["BBYR", "KKKK", "WWYY", "BKRW", "RRRY"], "1", [board(), board()])
    )
    moves = azul.legal_moves(state)
    assert len(moves) == len(set(moves)) == 72
    assert moves[:7] == [*(f"F1-B-{line}" for line in (1, 2, 3, 4, 5, "floor")), "F1-Y-1"]
    assert not [move for move in moves if move.startswith("C")]


def test_a02_the_holder_of_the_marker_starts_the_next_round() -> None:
    third = board(floor="R")
    state = azul.from_dict(position([], "YY1", [board(), board(), third], to_move=3, start=1))
    assert azul.legal_moves(state)[1] == "C-Y-2"
    drafted = azul.copy(state)
    azul.draft(drafted, "C-Y-2")
    assert drafted.boards[2].floor == ["R", "1"]
    assert drafted.holder == 2
    after = azul.play(state, "C-Y-2")
    assert after.stage == supply.DEAL
    assert after.boards[2].score == 0  # 1 for the tile, -2 for the floor, never below 0
    assert tiles(after.lid) == {"R": 1, "Y": 1}
    assert conserved(after)
    dealt = azul.deal_random(after, random.Random(1))
    assert (dealt.start, dealt.mover, dealt.holder, dealt.round) == (2, 2, None, 2)
    order = [dealt.mover]
    for _ in range(2):
        dealt = azul.play(dealt, azul.legal_moves(dealt)[0])
        order.append(dealt.mover)
    assert order == [2, 0, 1]


def test_the_marker_costs_its_space() -> None:
    third = board(score=10, floor="R")
    state = azul.from_dict(position([], "YY1", [board(), board(), third], to_move=3))
    assert azul.play(state, "C-Y-2").boards[2].score == 10 + 1 - 2


def test_the_marker_lies_down_before_the_tiles() -> None:
    state = azul.from_dict(position(["BBYR"], "KK1", [board(), board()]))
    after = azul.play(state, "C-K-floor")
    assert after.boards[0].floor == ["1", "K", "K"]
    assert after.mover == 1
    assert azul.play(after, "F1-B-2").center == ["Y", "R"]


def test_a04_what_the_floor_cannot_hold_goes_to_the_lid_at_once() -> None:
    first = board(score=30, floor="1YYKK")
    state = azul.from_dict(position(["RRRR"], "", [first, board()], lid={}))
    drafted = azul.copy(state)
    azul.draft(drafted, "F1-R-1")
    assert drafted.boards[0].lines[0] == ("R", 1)
    assert drafted.boards[0].floor == ["1", "Y", "Y", "K", "K", "R", "R"]
    assert tiles(drafted.lid) == {"R": 1}
    after = azul.play(state, "F1-R-1")
    assert after.boards[0].score == 30 + 1 - 14
    assert tiles(after.lid) == {"R": 3, "Y": 2, "K": 2}
    assert conserved(after)


def test_a05_a_pick_goes_to_one_line_or_to_the_floor() -> None:
    state = azul.from_dict(position(["BBBR", "KKKK"], "1", [board(), board()]))
    moves = [move for move in azul.legal_moves(state) if move.startswith("F1-B")]
    results = {}
    for move in moves:
        after = azul.play(state, move).boards[0]
        results[move[5:]] = ([count for _, count in after.lines], len(after.floor))
    assert results == {
        "1": ([1, 0, 0, 0, 0], 2),
        "2": ([0, 2, 0, 0, 0], 1),
        "3": ([0, 0, 3, 0, 0], 0),
        "4": ([0, 0, 0, 3, 0], 0),
        "5": ([0, 0, 0, 0, 3], 0),
        "floor": ([0, 0, 0, 0, 0], 3),
    }


def test_a07_lines_that_take_a_color() -> None:
    wall = (".....", ".....", "....R", ".....", ".....")
    first = board(lines=["Y", "R", "", "RRR", "BB"], wall=wall)
    state = azul.from_dict(position(["RRKW"], "1", [first, board()]))
    moves = [move for move in azul.legal_moves(state) if move.startswith("F1-R")]
    assert moves == ["F1-R-2", "F1-R-4", "F1-R-floor"]
    for move, line in (("F1-R-2", 1), ("F1-R-4", 3)):
        after = azul.play(state, move).boards[0]
        assert after.lines[line] == ("R", line + 1)
        assert after.floor == ["R"]


def test_a08_the_floor_may_be_chosen() -> None:
    first = board(score=5)
    state = azul.from_dict(position([], "W", [first, board()], next_start=1))
    assert azul.legal_moves(state) == [f"C-W-{line}" for line in (1, 2, 3, 4, 5, "floor")]
    assert azul.play(state, "C-W-floor").boards[0].score == 4


@pytest.mark.parametrize(("players", "displays", "bag"), [(2, 5, 80), (3, 7, 72), (4, 9, 64)])
def test_a10_numbers_of_displays_and_tiles(players: int, displays: int, bag: int) -> None:
    state = azul.deal_random(azul.new_state(players), random.Random(players))
    assert [len(display) for display in state.displays] == [4] * displays
    assert state.bag.total() == bag
    assert conserved(state)
    assert (state.mover, state.start, state.round, state.holder) == (0, 0, 1, None)


def test_b01_position_in_the_first_round() -> None:
    first = board(lines=["", "", "BB", "", ""])
    factories = ["YYRW", "", "BYRR", "BYWW", "BKKW"]
    bag = {"B": 15, "Y": 15, "R": 16, "K": 18, "W": 16}
    state = azul.from_dict(position(factories, "YR1", [first, board()], to_move=2, bag=bag, lid={}))
    assert conserved(state)
    assert state.start == 0
    assert len(azul.legal_moves(state)) == 84
    after = azul.play(state, "F5-K-2")
    assert sorted(after.center) == ["B", "R", "W", "Y"]
    assert after.holder is None
    azul.end_round(after)
    assert azul.final_points(after) == [0, 1]


@pytest.mark.parametrize(
    "move", ["C-B-1", "F1-K-1", "F2-B-1", "F0-B-1", "F9-B-1", "F1-B-6", "F1-B-0", "C-W-1"]
)
def test_illegal_moves_are_refused(move: str) -> None:
    wall = ("....W", ".....", ".....", ".....", ".....")
    state = azul.from_dict(position(["BBYR", "KKKK"], "W1", [board(wall=wall), board()]))
    with pytest.raises(ValueError, match=f"{move} is not legal"):
        azul.play(state, move)


def test_the_marker_on_a_full_floor_is_taken_and_costs_nothing_more() -> None:
    first = board(score=20, floor="BBYYRRK")
    state = azul.from_dict(position([], "W1", [first, board()], start=2))
    drafted = azul.copy(state)
    azul.draft(drafted, "C-W-5")
    assert drafted.boards[0].floor == list("BBYYRRK")
    assert tiles(drafted.lid) == {}
    after = azul.play(state, "C-W-5")
    assert after.boards[0].score == 20 - 14
    assert azul.to_dict(after)["next_start"] == 1
    assert azul.deal_random(after, random.Random(1)).mover == 0


def test_the_marker_on_a_full_floor_in_the_middle_of_a_round() -> None:
    first = board(floor="BBYYRRK")
    state = azul.from_dict(position(["YYYY"], "WW1", [first, board()], start=2))
    after = azul.play(state, "C-W-5")
    assert after.boards[0].floor == list("BBYYRRK")
    assert azul.to_dict(after)["next_start"] == 1
    assert azul.from_dict(azul.to_dict(after)).holder == 0
    assert azul.play(after, "F1-Y-4").mover == 0


@pytest.mark.parametrize("start", [1, 2])
def test_nobody_took_the_marker(start: int) -> None:
    """Every display holds one color only, so nothing ever lies in the center."""
    state = azul.from_dict(position(["BBBB"], "1", [board(), board()], start=start))
    after = azul.play(state, "F1-B-4")
    assert after.holder is None
    dealt = azul.deal_random(after, random.Random(1))
    assert (dealt.mover, dealt.start) == (start - 1, start - 1)


def test_the_starting_player_follows_from_the_emptied_displays() -> None:
    factories = ["", "BBBB", "", "", "YYYY", "RRRR", "KKKK"]
    state = azul.from_dict(position(factories, "W1", [board()] * 3, to_move=2))
    assert state.start == 1  # three moves were made: by players 2, 3 and 1


# --- wall-tiling ------------------------------------------------------------------------


def test_b02_lines_are_scored_from_top_to_bottom() -> None:
    wall = (".....", ".....", ".W...", ".....", ".....")
    state = round_end(board(lines=["Y", "BB", "", "", ""], wall=wall))
    assert state.boards[0].score == 4
    assert state.boards[0].wall == wall_of(".Y...", ".B...", ".W...", ".....", ".....")
    assert state.boards[0].lines == [("", 0)] * 5
    assert tiles(state.lid) == {"B": 1}


def test_incomplete_lines_stay() -> None:
    state = round_end(board(lines=["B", "B", "YYY", "RRR", "WWWW"]))
    assert state.boards[0].lines == [("", 0), ("B", 1), ("", 0), ("R", 3), ("W", 4)]
    assert state.boards[0].wall == wall_of("B....", ".....", "...Y.", ".....", ".....")
    assert state.boards[0].score == 2
    assert conserved(state)


def test_the_walls_colors() -> None:
    for row, colors in enumerate(azul.WALL):
        for column, color in enumerate(colors):
            assert ("BYRKW".index(color) + row) % 5 == column


def test_x_is_a_filled_cell() -> None:
    assert wall_of("x...x", "..x..", ".....", "....x", "x....") == wall_of(
        "B...W", "..Y..", ".....", "....Y", "Y...."
    )


def test_b06_floor_penalties_add_up() -> None:
    assert round_end(board(score=10, floor="BBYY")).boards[0].score == 4


@pytest.mark.parametrize(
    ("occupied", "penalty"), list(enumerate([0, 1, 2, 4, 6, 8, 11, 14])), ids=str
)
def test_floor_penalties(occupied: int, penalty: int) -> None:
    state = round_end(board(score=30, floor="BBYYRRK"[:occupied]))
    assert state.boards[0].score == 30 - penalty
    assert state.lid.total() == occupied
    assert conserved(state)


def test_b07_a_floor_holds_seven() -> None:
    state = azul.from_dict(position(["BBBB"], "", [board(score=30), board()], next_start=2))
    azul.drop(state, state.boards[0], ["1", *"YYYYYKKKK"])
    assert state.boards[0].floor == ["1", *"YYYYYK"]
    assert tiles(state.lid) == {"K": 3}
    azul.end_round(state)
    assert state.boards[0].score == 16


def test_b08_the_clamp_comes_last() -> None:
    wall = ("BYR..", ".....", ".....", ".....", ".....")
    lines = ["K", "", "", "", ""]
    state = round_end(board(score=3, lines=lines, wall=wall, floor="RRRBBBY"))
    assert state.boards[0].score == 0
    lone = round_end(board(score=0, lines=["", "", "", "BBBB", ""], wall=wall))
    assert lone.boards[0].score == 1


def test_a_tile_between_two_runs_scores_both() -> None:
    wall = wall_of("..R..", "..Y..", "KW.YR", ".....", "..B..")
    wall[2][2] = "B"
    assert azul.placement_points(wall, 2, 2) == 5 + 3
    assert azul.placement_points(wall, 4, 2) == 1


# --- the end of the game ----------------------------------------------------------------


def test_b10_bonuses_are_added_once() -> None:
    wall = ("BYRKW", "WBYRK", "K.BY.", "R...B", "Y....")
    state = round_end(board(score=38, wall=wall), board())
    assert state.stage == supply.OVER
    assert azul.bonus(state.boards[0]) == 2 * 2 + 7
    wall = ("BYRKW", "WBYRK", "K.BY.", "R..B.", "Y...B")
    state = round_end(board(score=38, wall=wall), board())
    assert state.boards[0].score == 38
    assert azul.final_points(state)[0] == 59
    assert azul.final_points(azul.from_dict(azul.to_dict(state)))[0] == 59


def test_c01_a_complete_column_does_not_end_the_game() -> None:
    column = ("B....", "W....", "K....", "R....")
    going_on = round_end(board(wall=(*column, "YRKW.")))
    assert going_on.stage == supply.DEAL
    assert azul.bonus(going_on.boards[0]) == 7
    over = round_end(board(wall=(*column, "YRKW."), lines=["", "", "", "", "BBBBB"]))
    assert over.stage == supply.OVER
    assert azul.bonus(over.boards[0]) == 9


def test_c02_all_players_are_tiled_before_the_end() -> None:
    row = (".YRKW", ".....", ".....", ".....", ".....")
    state = round_end(
        board(lines=["B", "", "", "", ""], wall=row),
        board(score=12, lines=["", "RR", "", "", ""], floor="K"),
        board(score=12, lines=["", "", "", "", "WWWWW"]),
    )
    assert state.stage == supply.OVER
    assert azul.final_points(state) == [7, 12, 13]
    assert azul.win_shares(state) == [0, 0, 1]
    assert azul.ranking(state) == [[2], [1], [0]]


def test_c03_columns_and_colors() -> None:
    wall = ("BY...", ".BYR.", ".WB..", ".K.B.", ".R..B")
    ended = ("BYRKW", ".....", ".....", ".....", ".....")
    state = round_end(board(wall=wall), board(wall=ended))
    assert azul.final_points(state) == [17, 2]


def test_c04_complete_rows_decide_between_equal_points() -> None:
    one = ("BYRKW", ".....", ".....", ".....", ".....")
    two = ("BYRKW", "WBYRK", ".....", ".....", ".....")
    state = round_end(board(score=50, wall=one), board(score=48, wall=two))
    assert azul.final_points(state) == [52, 52]
    assert azul.win_shares(state) == [0, 1]


def test_a_win_may_be_shared() -> None:
    one = ("BYRKW", ".....", ".....", ".....", ".....")
    players = [board(score=9, wall=one), board(score=3), board(score=9, wall=one)]
    state = round_end(*players)
    assert azul.win_shares(state) == [0.5, 0, 0.5]
    assert azul.ranking(state) == [[0, 2], [1]]


def test_c06_the_winner_is_found_with_the_bonuses() -> None:
    first = ("BYRKW", "W....", "K....", "R....", "Y....")
    second = ("BYRKW", ".....", ".....", ".....", ".....")
    state = round_end(board(score=44, wall=first), board(score=50, wall=second))
    assert azul.final_points(state) == [53, 52]
    assert azul.win_shares(state) == [1, 0]


@pytest.mark.parametrize(("round_", "stage"), [(19, supply.DEAL), (20, supply.OVER)])
def test_the_round_cap(round_: int, stage: str) -> None:
    column = ("B....", "W....", "K....", "R....", "Y....")
    first = board(score=3, wall=column)
    state = azul.from_dict(position(["BBBB"], "1", [first, board()], round=round_))
    after = azul.play(state, "F1-B-floor")
    assert after.stage == stage
    assert azul.final_points(after) == [3 - 3 + 7, 0]  # -6, stopped at 0, and the column
    assert azul.from_dict(position([], "", [board(), board()], round=7), 7).stage == supply.OVER


# --- preparing the next round -----------------------------------------------------------


def test_d01_the_lid_is_used_when_a_tile_is_needed() -> None:
    bag = dict.fromkeys("BYRKW", 4)
    lid = dict.fromkeys("BYRKW", 9)
    lines = ["B", "YY", "RRR", "KKKK", "WWWW"]
    wall = ("....W", "....K", ".....", ".....", ".....")
    players = [board(lines=["", "Y", "RR", "KKK", "WWWW"], wall=wall), board(lines=lines)]
    state = azul.from_dict(position([], "", players, round=4, bag=bag, lid=lid))
    assert state.stage == supply.DEAL
    state.lid = Counter(lid)  # without what the tiling of the made-up boards added
    dealt = azul.deal_random(state, random.Random(1))
    assert (dealt.bag.total(), dealt.lid.total(), dealt.round) == (0, 45, 5)
    dealt.displays = [[] for _ in range(5)]
    dealt.lid += Counter("BBBYYYRRRKKKWWW")
    dealt.stage = supply.DEAL
    again = azul.deal_random(dealt, random.Random(1))
    assert (again.bag.total(), again.lid.total()) == (40, 0)
    assert again.stage == supply.DECISION


def test_d03_short_displays() -> None:
    state = azul.new_state(4)
    state.bag, state.lid = Counter(), Counter(dict.fromkeys("BYRKW", 6))
    dealt = azul.deal_random(state, random.Random(1))
    assert [len(display) for display in dealt.displays] == [4] * 7 + [2, 0]
    assert (dealt.bag.total(), dealt.lid.total()) == (0, 0)
    assert not [move for move in azul.legal_moves(dealt) if move.startswith("F9")]


def test_d04_the_first_tiles_come_from_the_bag_alone() -> None:
    state = azul.new_state(2)
    state.bag, state.lid = Counter(dict.fromkeys("BYRKW", 16)), Counter({"R": 8})
    dealt = [azul.deal_random(state, random.Random(seed)) for seed in range(800)]
    assert {(each.bag.total(), tuple(each.lid.elements())) for each in dealt} == {(60, ("R",) * 8)}
    first_red = mean(each.displays[0][0] == "R" for each in dealt)
    assert first_red == pytest.approx(0.20, abs=0.03)


def test_the_bag_is_used_up_before_the_lid() -> None:
    state = azul.new_state(2)
    state.bag, state.lid = Counter("BBBBBB"), Counter(dict.fromkeys("YRKW", 10))
    for seed in range(20):
        dealt = azul.deal_random(state, random.Random(seed))
        assert dealt.displays[0] == list("BBBB")
        assert dealt.displays[1].count("B") == 2
        assert "B" not in itertools.chain(*dealt.displays[2:])
        given = [sorted(display) for display in dealt.displays]
        assert azul.deal(state, given).bag == dealt.bag


@pytest.mark.parametrize(
    ("displays", "fault"),
    [
        (["BBBB", "YYYY", "RRRR", "KKKK", "WWWW"], "cannot be drawn"),  # the bag comes first
        (["BBBB", "BBYY", "RRRR", "KKKK", "WWWB"], "cannot be drawn"),  # no blue is left
        (["BBBB", "BBYY", "RRRR", "KKKK", "WWW"], "a display gets"),
    ],
)
def test_impossible_deals_are_refused(displays: list[str], fault: str) -> None:
    state = azul.new_state(2)
    state.bag, state.lid = Counter("BBBBBB"), Counter(dict.fromkeys("YRKW", 10))
    with pytest.raises(ValueError, match=fault):
        azul.deal(state, [list(display) for display in displays])


def test_a_round_without_any_tile_ends_the_game() -> None:
    state = azul.new_state(2)
    state.bag.clear()
    assert azul.deal_random(state, random.Random(1)).stage == supply.OVER
    assert azul.deal(state, [[] for _ in range(5)]).stage == supply.OVER


# --- whole games ------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "seed"), [(2, 11), (2, 12), (3, 13), (4, 14)])
def test_invariants_of_random_games(players: int, seed: int) -> None:
    states = random_game(players, seed)
    for state in states:
        assert conserved(state)
        if state.round:
            written = azul.to_dict(state)
            again = azul.from_dict(written)
            assert azul.to_dict(again) == written
            assert azul.key(again) == azul.key(state)
            assert azul.legal_moves(again) == azul.legal_moves(state)
        for each in state.boards:
            assert each.score >= 0
            assert len(each.floor) <= 7
            for row, (color, count) in enumerate(each.lines):
                assert count <= row + 1
                assert count == 0 or color not in each.wall[row]
    assert any(azul.complete_rows(each) for each in states[-1].boards)


def test_a_move_leaves_the_old_state_alone() -> None:
    for before, after in itertools.pairwise(random_game(2, 21)):
        if before.stage == supply.DECISION:
            kept = azul.copy(before)
            assert after in [azul.play(before, move) for move in azul.legal_moves(before)]
            assert before == kept


# --- the solver -------------------------------------------------------------------------


def test_f01_a_forced_loss_on_the_floor() -> None:
    """The round's end counts here: no line ends the game."""
    first = board(
        score=2,
        lines=["K", "YY", "BB", "BBB", "RR"],
        wall=("..R..", "...R.", "K....", ".....", "....."),
    )
    second = board(
        score=1,
        lines=["R", "BB", "BB", "YYYY", "WWWWW"],
        wall=("...K.", "..Y..", ".....", ".....", "....."),
        floor="1W",
    )
    state = games.from_dict(position([], "YKKKK", [first, second]))
    with pytest.raises(solve.NotTheLastRoundError):
        solve.solve(state)

    def score_differences(end: State) -> list[float]:
        return solve.differences([each.score for each in end.boards])

    outcomes = solve.solve(state, "diff", score_differences)
    assert {move: outcome.utilities for move, outcome in outcomes.items()} == {
        "C-Y-floor": (9, -9),
        "C-K-floor": (-1, 1),
    }


def test_f03_last_round() -> None:
    first = board(
        score=32,
        lines=["W", "KK", "", "KKKK", "RRRR"],
        wall=("BYRK.", "WBYR.", "KWBY.", "..W..", "....."),
    )
    second = board(
        score=26,
        lines=["Y", "WW", "RRR", "", "BBBB"],
        wall=("B..KW", ".B.RK", "K..Y.", "RK.B.", "Y..W."),
        floor="1",
    )
    lid = {"B": 9, "Y": 12, "R": 8, "K": 8, "W": 11}
    state = games.from_dict(position(["YRYB"], "W", [first, second], bag={}, lid=lid))
    assert conserved(state)
    outcomes = solve.solve(state, "diff")
    assert {move: outcome.utilities[0] for move, outcome in outcomes.items()} == {
        "F1-R-5": 8,
        "C-W-floor": -2,
        "F1-B-floor": -2,
        "F1-R-3": -4,
        "F1-Y-floor": -4,
        "F1-R-floor": -5,
    }
    assert outcomes["F1-R-5"].points == (65, 57)
    win = solve.solve(state, "win")
    assert win["F1-R-5"].shares == (1, 0)
    assert win["F1-R-5"].utilities == pytest.approx((1.0008, -0.0008))
    assert win["F1-R-3"].utilities == pytest.approx((-0.0004, 1.0004))


def test_differences_are_limited_in_the_win_utility() -> None:
    assert solve.win_utilities([900, 100], [1.0, 0.0]) == pytest.approx([1.04, -0.04])
    assert solve.win_utilities([10, 13, 12], [0, 1, 0]) == pytest.approx([-0.0003, 1.0001, -0.0001])


def outcome(*utilities: float) -> solve.Outcome:
    return solve.Outcome(utilities, (), None)


@pytest.mark.parametrize(
    ("mover", "chosen"),
    [
        (0, (5, 1, 9)),  # equal for player 1: the least for player 2
        (1, (4, 7, 9)),  # the best for player 2 alone
        (2, (4, 6, 9)),  # equal for player 3: the least for player 1, then for player 2
    ],
)
def test_choice_with_three_players(mover: int, chosen: tuple[float, ...]) -> None:
    outcomes = [outcome(5, 2, 0), outcome(5, 1, 9), outcome(4, 7, 9), outcome(4, 6, 9)]
    assert solve.best(outcomes, mover).utilities == chosen


def test_displays_in_another_order_have_the_same_key() -> None:
    one = azul.from_dict(position(["BBYR", "KKKW"], "1", [board(), board()]))
    two = azul.from_dict(position(["KWKK", "RBBY"], "1", [board(), board()]))
    other = azul.from_dict(position(["BBYR", "KKKW"], "1", [board(), board(floor="R")]))
    assert azul.key(one) == azul.key(two) != azul.key(other)
