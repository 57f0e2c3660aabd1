"""Azul's compiled rules in situations that people met, with the answers of the rulebook.

The names A01, B02 … are those of the project's collection of such situations. What the
positions and their consequences are to the oracle is compared on the way.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numba
import numpy as np
import pytest

from azul_ai import game, games, position, rng
from azul_ai.games.pattern_lines import LINES
from azul_ai.games.supply import COLORS, DISPLAYS, FIELD, FIELD_MASK
from tests.azul_record import record
from tests.conformance.pair import Pair, standings, tiles_in
from tests.oracle import azul as rules
from tests.oracle.positions import board
from tests.oracle.positions import position as document
from tests.playing import legal_moves, random_states

pytestmark = pytest.mark.nojit

AZUL = games.load("azul")
ALL = dict.fromkeys("BYRKW", 20)


def azul(factories: Sequence[str], center: str, *players: dict[str, Any], **others: Any) -> Pair:
    """A position in play; where one board is given, the second is empty."""
    boards = [*players, board()] if len(players) == 1 else players
    state = rules.read(document(factories, center, boards, **others), rules.ROUND_CAP)
    return Pair(record(state), state)


def round_end(*players: dict[str, Any], **others: Any) -> Pair:
    """What is left of these boards after wall-tiling; checked against the oracle."""
    pair = azul([], "", *players, **others)
    game.close_round(pair.compiled)
    rules.end_round(pair.oracle)
    pair.check(conserved=False)
    return pair


def play(pair: Pair, *moves: str) -> Pair:
    """The position after moves; checked against the oracle."""
    after = pair.copy()
    for move in moves:
        after.play(move)
        after.check(conserved=False)
    return after


def boards(pair: Pair) -> list[dict[str, Any]]:
    written: list[dict[str, Any]] = pair.document()["players"]
    return written


def scores(pair: Pair) -> list[int]:
    return [each["score"] for each in boards(pair)]


def total(word: int) -> int:
    """Number of tiles in a supply word."""
    return sum(int(word) >> FIELD * color & FIELD_MASK for color in range(COLORS))


def final_points(pair: Pair) -> list[int]:
    return [points for points, _ in standings(pair.compiled)]


# --- factory offer ----------------------------------------------------------------------


def test_a01_the_marker_alone_is_no_move() -> None:
    pair = azul(["BBYR", "KKKK", "WWYY", "BKRW", "RRRY"], "1", board())
    assert len(pair.moves()) == 72
    assert not [move for move in pair.moves() if move.startswith("C")]


def test_a02_the_holder_of_the_marker_starts_the_next_round() -> None:
    third = board(score=9, floor="R")
    pair = azul([], "YY1", board(), board(), third, to_move=3, start=1)
    after = play(pair, "C-Y-2")
    assert after.compiled.stage == game.DEAL
    assert boards(after)[2]["score"] == 9 + 1 - 2  # the marker lay on the second space
    assert after.document()["lid"] == {"R": 1, "Y": 1}
    order = []
    after.deal(rng.new(1))
    for _ in range(3):
        order.append(int(after.compiled.mover))
        after = play(after, min(after.moves()))
    assert order == [2, 0, 1]


def test_the_marker_lies_down_before_the_tiles() -> None:
    after = play(azul(["BBYR"], "KK1", board()), "C-K-floor")
    assert boards(after)[0]["floor"] == "1KK"
    assert after.document()["center"] == ""
    assert play(after, "F1-B-2").document()["center"] == "YR"


def test_a04_what_the_floor_cannot_hold_goes_to_the_lid_at_once() -> None:
    first = board(score=30, floor="1YYKK")
    middle = play(azul(["RRRR", "BBBB"], "", first, lid={}), "F1-R-1")
    assert boards(middle)[0]["lines"][0] == "R"
    assert boards(middle)[0]["floor"] == "1YYKKRR"
    assert middle.document()["lid"] == {"R": 1}
    after = play(azul(["RRRR"], "", first, lid={}), "F1-R-1")
    assert scores(after)[0] == 30 + 1 - 14
    assert after.document()["lid"] == {"Y": 2, "R": 3, "K": 2}
    assert tiles_in(after.document()) == ALL


def test_a05_a_pick_goes_to_one_line_or_to_the_floor() -> None:
    pair = azul(["BBBR", "KKKK"], "1", board())
    results = {}
    for move in (move for move in pair.moves() if move.startswith("F1-B")):
        first = boards(play(pair, move))[0]
        results[move[5:]] = (first["lines"], first["floor"])
    assert results == {
        "1": (["B", "", "", "", ""], "BB"),
        "2": (["", "BB", "", "", ""], "B"),
        "3": (["", "", "BBB", "", ""], ""),
        "4": (["", "", "", "BBB", ""], ""),
        "5": (["", "", "", "", "BBB"], ""),
        "floor": (["", "", "", "", ""], "BBB"),
    }


def test_a07_lines_that_take_a_color() -> None:
    wall = (".....", ".....", "....R", ".....", ".....")
    pair = azul(["RRKW"], "1", board(lines=["Y", "R", "", "RRR", "BB"], wall=wall))
    moves = {move for move in pair.moves() if move.startswith("F1-R")}
    assert moves == {"F1-R-2", "F1-R-4", "F1-R-floor"}
    for move, line in (("F1-R-2", 1), ("F1-R-4", 3)):
        first = boards(play(pair, move))[0]
        assert first["lines"][line] == "R" * (line + 1)
        assert first["floor"] == "R"


def test_a08_the_floor_may_be_chosen() -> None:
    pair = azul([], "W", board(score=5), next_start=1)
    assert set(pair.moves()) == {f"C-W-{target}" for target in (1, 2, 3, 4, 5, "floor")}
    assert scores(play(pair, "C-W-floor"))[0] == 4


@pytest.mark.parametrize(("players", "displays", "bag"), [(2, 5, 80), (3, 7, 72), (4, 9, 64)])
def test_a10_numbers_of_displays_and_tiles(players: int, displays: int, bag: int) -> None:
    pair = Pair.new("azul", players)
    pair.deal(rng.new(players))
    pair.check()
    written = pair.document()
    assert [len(tiles) for tiles in written["factories"]] == [4] * displays
    assert sum(written["bag"].values()) == bag
    assert (written["to_move"], written["round"], written["center"]) == (1, 1, "1")


def test_b01_position_in_the_first_round() -> None:
    factories = ["YYRW", "", "BYRR", "BYWW", "BKKW"]
    bag = {"B": 15, "Y": 15, "R": 16, "K": 18, "W": 16}
    first = board(lines=["", "", "BB", "", ""])
    pair = azul(factories, "YR1", first, to_move=2, bag=bag, lid={})
    assert len(pair.moves()) == 84
    after = play(pair, "F5-K-2")
    assert after.document()["center"] == "BYRW1"
    game.close_round(after.compiled)
    assert final_points(after) == [0, 1]


def test_the_marker_on_a_full_floor_is_taken_and_costs_nothing_more() -> None:
    first = board(score=20, floor="BBYYRRK")
    after = play(azul([], "W1", first, start=2, lid={}), "C-W-5")
    assert scores(after) == [20 - 14, 0]
    assert after.document()["lid"] == {"B": 2, "Y": 2, "R": 2, "K": 1}
    after.deal(rng.new(1))
    assert after.compiled.mover == 0


def test_the_marker_on_a_full_floor_in_the_middle_of_a_round() -> None:
    first = board(floor="BBYYRRK")
    after = play(azul(["YYYY"], "WW1", first, start=2, lid={}), "C-W-1")
    assert after.document()["lid"] == {"W": 1}  # the tile that did not fit, not the marker
    assert boards(after)[0]["floor"] == "BBYYRRK"
    assert after.compiled.holder == 0
    after = play(after, "F1-Y-4")
    assert (after.compiled.stage, after.compiled.mover) == (game.DEAL, 0)


def test_only_the_first_from_the_center_takes_the_marker() -> None:
    after = play(azul(["BYRK", "BBBB"], "1", board()), "F1-B-1", "C-Y-1", "C-R-2", "F2-B-2")
    assert after.compiled.holder == 1
    assert [each["floor"] for each in boards(after)] == ["", "1BB"]


# --- wall-tiling ------------------------------------------------------------------------


def test_b02_lines_are_tiled_from_the_top() -> None:
    wall = (".....", ".....", ".W...", ".....", ".....")
    pair = round_end(board(lines=["Y", "BB", "", "", ""], wall=wall))
    assert scores(pair)[0] == 1 + 3
    assert boards(pair)[0]["wall"][:3] == [".Y...", ".B...", ".W..."]
    assert boards(pair)[0]["lines"] == [""] * 5


def test_incomplete_lines_stay_and_the_rest_of_full_ones_goes_to_the_lid() -> None:
    pair = round_end(board(lines=["", "B", "RRR", "", "KKKKK"]), lid={"Y": 1})
    assert boards(pair)[0]["lines"] == ["", "B", "", "", ""]
    assert pair.document()["lid"] == {"Y": 1, "R": 2, "K": 4}
    assert tiles_in(pair.document()) == ALL


def placed(wall: int, *cells: tuple[int, int], score: int = 0) -> Any:
    """The first board after a round in which the lines of these cells were full."""
    state = AZUL.new_state(2)
    first = state.boards[0]
    first["wall"], first["score"] = wall, score
    for row, column in cells:
        color = (column - row) % COLORS
        first["lines"] |= (color << 3 | row + 1) << 6 * row
    game.close_round(state)
    return state.boards[0]


@pytest.mark.parametrize("row", range(LINES))
def test_points_of_a_tile_in_every_surrounding(row: int) -> None:
    """The row and the column of the cell may look in any way; nothing else matters."""
    for column, across, down in itertools.product(range(5), range(16), range(16)):
        filled = [(row, c) for i, c in enumerate(sorted({*range(5)} - {column})) if across >> i & 1]
        filled += [(r, column) for i, r in enumerate(sorted({*range(5)} - {row})) if down >> i & 1]
        wall: list[list[str | None]] = [
            ["x" if (r, c) in [*filled, (row, column)] else None for c in range(5)]
            for r in range(5)
        ]
        word = sum(1 << LINES * r + c for r, c in filled)
        expected = rules.placement_points(wall, row, column)
        assert placed(word, (row, column))["score"] == expected


@pytest.mark.parametrize(
    ("rows", "least", "most"),
    [
        (1, 11, 15),
        (2, 29, 40),
        pytest.param(
            *(3, 47, 70),
            marks=pytest.mark.skipif(numba.config.DISABLE_JIT, reason="too slow uncompiled"),
        ),
    ],
)
def test_b04_totals_of_complete_rows(rows: int, least: int, most: int) -> None:
    """Five rounds, one tile a row and round, in any order of columns."""
    totals = {0: (0, 0)}
    for _ in range(5):
        after: dict[int, tuple[int, int]] = {}
        for wall, (low, high) in totals.items():
            free = [
                [column for column in range(5) if not wall >> LINES * row + column & 1]
                for row in range(rows)
            ]
            for columns in itertools.product(*free):
                end = placed(wall, *enumerate(columns))
                gained, key = int(end["score"]), int(end["wall"])
                known = after.get(key, (low + gained, high + gained))
                after[key] = (min(known[0], low + gained), max(known[1], high + gained))
        totals = after
    assert list(totals.values()) == [(least, most)]


def test_the_highest_possible_score() -> None:
    """25 tiles in the best order: 145 points, 240 with the bonuses."""
    order = "51 42 52 33 43 53 24 34 44 54 15 25 35 45 55 41 32 31 23 22 21 14 13 12 11"
    state, wall, score = AZUL.new_state(2), 0, 0
    for cell in order.split():
        end = placed(wall, (int(cell[0]) - 1, int(cell[1]) - 1), score=score)
        wall, score = end["wall"], end["score"]
    state.boards[0] = end
    assert score == 145
    assert standings(state)[0] == (240, 5)


@pytest.mark.parametrize(
    ("occupied", "penalty"), list(enumerate([0, 1, 2, 4, 6, 8, 11, 14])), ids=str
)
def test_b06_floor_penalties_add_up(occupied: int, penalty: int) -> None:
    pair = round_end(board(score=30, floor="BBYYRRK"[:occupied]))
    assert scores(pair) == [30 - penalty, 0]
    assert tiles_in(pair.document()) == ALL


def test_b07_a_floor_holds_seven() -> None:
    center = "Y" * 5 + "K" * 5 + "1"
    pair = azul([], center, board(score=30), board(), lid={})
    after = play(pair, "C-Y-floor", "C-K-floor")
    assert scores(after) == [30 - 11, 0]
    pair = azul([], center[:-1] + "RR1", board(score=30), board(score=40), to_move=2, lid={})
    after = play(pair, "C-Y-floor", "C-R-floor")
    assert boards(after)[1]["floor"] == "1YYYYY"
    after = play(after, "C-K-floor")
    assert scores(after) == [30 - 2, 40 - 14]
    assert after.document()["lid"] == {"Y": 5, "R": 2, "K": 5}


def test_b08_the_clamp_comes_last() -> None:
    wall = ("BYR..", ".....", ".....", ".....", ".....")
    pair = round_end(board(score=3, lines=["K", "", "", "", ""], wall=wall, floor="RRRBBBY"))
    assert scores(pair)[0] == 0


# --- the end of the game ----------------------------------------------------------------


def test_b10_bonuses_are_added_once() -> None:
    wall = ("BYRKW", "WBYRK", "K.BY.", "R..B.", "Y...B")
    pair = round_end(board(score=38, wall=wall))
    assert pair.compiled.stage == game.OVER
    assert (scores(pair), final_points(pair)) == ([38, 0], [59, 0])
    again = position.to_state(position.from_state(pair.compiled))
    assert standings(again) == standings(pair.compiled)


def test_c01_a_complete_column_does_not_end_the_game() -> None:
    wall = ("B....", "W....", "K....", "R....", "YRKW.")
    going_on = round_end(board(wall=wall))
    assert going_on.compiled.stage == game.DEAL
    assert final_points(going_on)[0] == 7
    over = round_end(board(wall=wall, lines=["", "", "", "", "BBBBB"]))
    assert over.compiled.stage == game.OVER
    assert final_points(over)[0] == scores(over)[0] + 2 + 7


def test_c02_all_players_are_tiled_before_the_end() -> None:
    row = (".YRKW", ".....", ".....", ".....", ".....")
    pair = round_end(
        board(lines=["B", "", "", "", ""], wall=row),
        board(score=12, lines=["", "RR", "", "", ""], floor="K"),
        board(score=12, lines=["", "", "", "", "WWWWW"]),
    )
    assert pair.compiled.stage == game.OVER
    assert final_points(pair) == [7, 12, 13]


def test_c03_columns_and_colors() -> None:
    wall = ("BY...", ".BYR.", ".WB..", ".K.B.", ".R..B")
    ended = ("BYRKW", ".....", ".....", ".....", ".....")
    assert final_points(round_end(board(wall=wall), board(wall=ended))) == [17, 2]


def test_c04_complete_rows_decide_between_equal_points() -> None:
    one = ("BYRKW", ".....", ".....", ".....", ".....")
    two = ("BYRKW", "WBYRK", ".....", ".....", ".....")
    pair = round_end(board(score=50, wall=one), board(score=48, wall=two))
    assert standings(pair.compiled) == [(52, 1), (52, 2)]


def test_c06_bonuses_decide() -> None:
    first = ("BYRKW", "W....", "K....", "R....", "Y....")
    second = ("BYRKW", ".....", ".....", ".....", ".....")
    pair = round_end(board(score=44, wall=first), board(score=50, wall=second))
    assert final_points(pair) == [53, 52]


@pytest.mark.parametrize(("number", "stage"), [(19, game.DEAL), (20, game.OVER)])
def test_the_round_cap(number: int, stage: int) -> None:
    column = ("B....", "W....", "K....", "R....", "Y....")
    pair = azul(["BBBB"], "1", board(score=13, wall=column), round=number)
    after = play(pair, "F1-B-floor")
    assert after.compiled.stage == stage
    assert final_points(after) == [13 - 6 + 7, 0]


@pytest.mark.parametrize("cap", [1, 3])
def test_the_round_cap_is_a_setting(cap: int) -> None:
    state, generator = AZUL.new_state(2, round_cap=cap), rng.new(cap)
    while state.stage != game.OVER:
        if state.stage == game.DEAL:
            game.deal_round(state, generator)
        else:
            game.play(state, game.draw_move(state, generator))
    assert state["round"] == cap


# --- preparing the next round -----------------------------------------------------------


def test_who_starts_if_nobody_took_the_marker() -> None:
    pair = azul(["BBBB"], "1", board(), board(), board(), to_move=2, start=3)
    after = play(pair, "F1-B-4")
    assert (after.compiled.stage, after.compiled.mover) == (game.DEAL, 2)
    after.deal(rng.new(1))
    after.check(conserved=False)
    assert (after.compiled.mover, after.compiled.start) == (2, 2)


def test_d01_the_lid_is_used_when_a_tile_is_needed() -> None:
    """Two players: the bag holds five refills exactly; the lid is used for the sixth."""
    supplies = {}
    for state in random_states(2, seed=3, dump=0.8):
        if state.stage == game.DEAL:
            in_lid = total(state.lid)
        elif state["round"] not in supplies:
            supplies[int(state["round"])] = (total(state.bag), in_lid, total(state.lid))
    for number in range(1, 6):
        bag, before, after = supplies[number]
        assert (bag, after) == (100 - 20 * number, before)
    bag, before, after = supplies[6]
    assert (bag, after) == (before - 20, 0)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_first_deals_do_not_depend_on_the_moves(players: int) -> None:
    """As long as the lid is not needed, what comes out of the bag is what was in it."""
    full_rounds = 100 // (4 * DISPLAYS[players])
    deals = []
    for dump in (0.0, 1.0):
        seen = []
        before = None
        for state in random_states(players, seed=5, dump=dump):
            if before == game.DEAL:
                seen.append(state.sources[1:].tolist())
            before = state.stage
        deals.append(seen[:full_rounds])
    assert deals[0] == deals[1]
    assert len(deals[0]) == full_rounds


def test_d03_short_displays() -> None:
    state = AZUL.new_state(4)
    state.bag, state.lid = 0, state.bag // 20 * 6
    pair = Pair(state, rules.new_state(4))
    pair.oracle.bag, pair.oracle.lid = Counter(), Counter(dict.fromkeys("BYRKW", 6))
    pair.deal(rng.new(1))
    pair.check(conserved=False)
    assert [len(tiles) for tiles in pair.document()["factories"]] == [4] * 7 + [2, 0]
    assert (state.bag, state.lid) == (0, 0)
    assert not [move for move in pair.moves() if move.startswith("F9")]


# --- short rounds, searched by hand -----------------------------------------------------


def best_difference(state: Any) -> int:
    """Round score of the mover minus the other's, both playing for it to the round's end."""
    mover = int(state.mover)
    best = -1000
    for move in legal_moves(state):
        after = state.copy()
        game.play(after, move)
        if after.stage == game.DECISION:
            best = max(best, -best_difference(after))
        else:
            best = max(best, int(after.boards[mover]["score"] - after.boards[1 - mover]["score"]))
    return best


def test_f01_a_forced_loss_on_the_floor() -> None:
    pair = azul(
        [],
        "YKKKK",
        board(
            score=2,
            lines=["K", "YY", "BB", "BBB", "RR"],
            wall=("..R..", "...R.", "K....", ".....", "....."),
        ),
        board(
            score=1,
            lines=["R", "BB", "BB", "YYYY", "WWWWW"],
            wall=("...K.", "..Y..", ".....", ".....", "....."),
            floor="1W",
        ),
    )
    after = {move: play(pair, move).compiled for move in pair.moves()}
    assert {move: -best_difference(state) for move, state in after.items()} == {
        "C-Y-floor": 9,
        "C-K-floor": -1,
    }


@pytest.mark.parametrize("players", [2, 3, 4])
def test_first_moves(players: int) -> None:
    """Mean numbers of first moves; figures from an independent count."""
    mean = {2: 89.5, 3: 125.3, 4: 161.1}[players]
    new, generator = AZUL.new_state(players), rng.new(players)
    numbers = []
    for _ in range(800):
        state = new.copy()
        game.deal_round(state, generator)
        numbers.append(len(legal_moves(state)))
    error = np.std(numbers) / len(numbers) ** 0.5
    assert np.mean(numbers) == pytest.approx(mean, abs=4 * error + 0.05)
