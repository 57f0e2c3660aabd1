"""The oracle for Sintra against the rules and an independent program's answers."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from tests.oracle import sintra, solve, supply
from tests.oracle.perft import divide, perft
from tests.oracle.positions import palace, sintra_position, strip
from tests.oracle.sintra import State

FIXTURES = json.loads((Path(__file__).parent / "data" / "perft_gray_sintra.json").read_text())
PERFT = [case for case in FIXTURES["perft"] if case["position"]["game"] == "sintra"]
SOLVED = [case for case in FIXTURES["solved"] if case["position"]["game"] == "sintra"]
MOST_LEAVES, MOST_STATES = 12_000, 400
TRACK = [0, 1, 2, 4, 6, 8, 11, 14, 18]
GONE = dict.fromkeys(range(1, 9), "")


def load(*arguments: Any, clamp: bool = False, **others: Any) -> State:
    return sintra.from_dict(sintra_position(*arguments, **others), clamp=clamp)


def conserved(state: State) -> bool:
    """Whether every color has its 20 panes."""
    panes = Counter(state.center) + Counter(state.indicator) + state.bag + state.tower
    for display in state.displays:
        panes += Counter(display)
    for each in state.boards:
        panes += Counter(sintra.panes_on_strips(each))
        panes += Counter(pane for window in each.windows for pane in window)
    return panes == Counter(dict.fromkeys("BYOGP", 20))


def random_game(players: int, side: str, seed: int, *, clamp: bool = False) -> list[State]:
    """All states of one game of uniformly random moves."""
    rng = random.Random(seed)
    opening = next(case for case in PERFT if case["position"]["side"] == side)["position"]
    strips = [(each["front"], each["back"], each["up"]) for each in opening["players"][0]["strips"]]
    indicator = rng.sample("BYOGP", 5)
    state = sintra.new_state(
        [rng.sample(strips, 8) for _ in range(players)],
        side,
        [rng.choice("BYOGP"), *indicator],
        opening["window_points"],
        clamp=clamp,
    )
    states = [state]
    while states[-1].stage != supply.OVER:
        if states[-1].stage == supply.DEAL:
            states.append(sintra.deal_random(states[-1], rng))
        else:
            states.append(sintra.play(states[-1], rng.choice(sintra.legal_moves(states[-1]))))
    return states


# --- an independent program's answers ---------------------------------------------------


@pytest.mark.parametrize(
    "case",
    PERFT,
    ids=lambda case: f"{case['position']['side']}, {case['what']}, {case['perft'][0]}",
)
def test_perft(case: dict[str, Any]) -> None:
    state = sintra.from_dict(case["position"])
    assert conserved(state)
    assert sintra.to_dict(state) == case["position"]
    assert divide(state, 2) == case["divide"]
    for depth, leaves in enumerate(case["perft"], start=1):
        if leaves <= MOST_LEAVES:
            assert perft(state, depth) == leaves


@pytest.mark.parametrize(
    "case",
    [case for case in SOLVED if case["states"] <= MOST_STATES],
    ids=lambda case: f"{case['position']['side']}, {case['states']} states",
)
def test_solved_last_rounds(case: dict[str, Any]) -> None:
    state = sintra.from_dict(case["position"])
    outcomes = solve.solve(state, "diff")
    differences = {move: outcome.utilities[state.mover] for move, outcome in outcomes.items()}
    assert differences == dict(case["moves"])


# --- advance a pattern ------------------------------------------------------------------


def test_s03_any_strip_in_reach_and_no_breaking_by_choice() -> None:
    mover = palace({1: strip("GGBYO"), 7: strip("BGYOP")}, {}, other="BYOPP", glazier=2)
    state = load(["GGOB"], "1", [mover, palace()])
    moves = [move for move in sintra.legal_moves(state) if move.startswith("F1-G")]
    assert moves == ["F1-G-7"]
    after = sintra.play(state, "F1-G-7")
    board = after.boards[0]
    assert board.glazier == 6
    assert board.broken == 1
    assert board.strips[6] is not None
    assert board.strips[6].filled == [None, "G", None, None, None]
    assert after.tower == Counter("G")
    assert sorted(after.center) == ["B", "O"]
    assert after.mover == 1


def test_color_spaces_come_first_then_jokers() -> None:
    mover = palace({2: strip("*B*BY")}, other="YYYYY")
    state = load(["BBBY", "OOGG"], "1", [mover, palace()])
    after = sintra.play(state, "F1-B-2").boards[0]
    assert after.strips[1] is not None
    assert after.strips[1].filled == ["B", "B", None, "B", None]
    state = load(["BYYO", "OOGG"], "1", [mover, palace()])
    after = sintra.play(state, "F1-B-2").boards[0]
    assert after.strips[1] is not None
    assert after.strips[1].filled == [None, "B", None, None, None]


def test_equal_spaces_fill_from_the_left() -> None:
    mover = palace({1: strip("YBBBY", ".B...")})
    after = sintra.play(load(["BYYO"], "1", [mover, palace()]), "F1-B-1").boards[0]
    assert after.strips[0] is not None
    assert after.strips[0].filled == [None, "B", "B", None, None]


def test_a_joker_in_reach_must_be_used() -> None:
    mover = palace({3: strip("YYYY*"), 1: strip("*YYYY")}, other="YYYYY", glazier=2)
    state = load(["BBOO"], "1", [mover, palace()])
    assert sintra.legal_moves(state) == ["F1-B-3", "F1-O-3", "glazier"]
    after = sintra.play(state, "F1-B-3")
    assert after.boards[0].strips[2].filled == [None, None, None, None, "B"]  # type: ignore[union-attr]
    assert after.boards[0].broken == 1


def test_everything_breaks_where_nothing_fits() -> None:
    mover = palace(other="YYYYY", glazier=3, broken=1)
    state = load(["BBOY"], "1", [mover, palace()])
    assert sintra.legal_moves(state) == [
        "F1-B-break",
        *(f"F1-Y-{place}" for place in range(3, 9)),
        "F1-O-break",
        "glazier",
    ]
    after = sintra.play(state, "F1-B-break")
    assert after.boards[0].glazier == 2
    assert after.boards[0].broken == 3
    assert after.tower == Counter("BB")


def test_no_strips_left() -> None:
    mover = palace(GONE, dict.fromkeys(range(1, 9), "BY"), glazier=5)
    state = load(["BBOY"], "1", [mover, palace()])
    assert sintra.legal_moves(state) == ["F1-B-break", "F1-Y-break", "F1-O-break"]


def test_s10_the_starting_tile_costs_one_step() -> None:
    third = palace(other="BBBBB")
    state = load([], "BB1", [palace(), palace(), third], to_move=3, start=1)
    after = sintra.play(state, "C-B-2")
    assert after.boards[2].broken == 1
    assert after.boards[2].score == 0
    assert after.holder == 2
    assert sintra.to_dict(after)["next_start"] == 3
    dealt = sintra.deal_random(after, random.Random(1))
    assert (dealt.start, dealt.mover, dealt.round) == (2, 2, 2)
    next_ = sintra.play(dealt, sintra.legal_moves(dealt)[0])
    assert next_.mover == 0
    assert sintra.play(next_, sintra.legal_moves(next_)[0]).mover == 1


@pytest.mark.parametrize("move", ["F1-B-1", "F1-B-break", "F1-O-2", "F2-B-3", "C-B-2", "glazier"])
def test_illegal_moves_are_refused(move: str) -> None:
    mover = palace({1: strip("YYYYY"), 2: strip("BYYYY")}, other="YYYYY")
    state = load(["BBYG"], "1", [mover, palace()])
    with pytest.raises(ValueError, match=f"{move} is not legal"):
        sintra.play(state, move)


# --- completing a strip -----------------------------------------------------------------


def completing(side: str, **others: Any) -> State:
    """Player 1 completes strip 4 by taking O from display 1; it then holds O O B G O."""
    mover = palace(
        {4: strip("OOBGO", "..BG.", back="YYYYP"), 7: ""},
        {1: "B", 2: "G", 5: "Y", 7: "PG"},
        other="YYYYY",
        glazier=4,
        **others,
    )
    return load(["OOOO", "BBYY"], "1", [mover, palace()], side=side, round=3)


def test_s05_points_of_a_completion() -> None:
    after = sintra.play(completing("A", score=10), "F1-O-4")
    board = after.boards[0]
    assert board.score == 10 + 3 + 4 + 5 + 7
    assert board.windows[3] == ["O"]
    assert board.glazier == 3
    assert board.broken == 1
    assert board.strips[3] is not None
    assert (board.strips[3].up, board.strips[3].spaces) == ("back", "YYYYP")
    assert board.strips[3].filled == [None] * 5
    assert after.tower == Counter("OOOBG")  # four from the strip, one broken
    assert after.stage == supply.DECISION


def test_the_kept_pane_is_a_decision_on_side_b() -> None:
    state = completing("B")
    moves = [move for move in sintra.legal_moves(state) if move.startswith("F1-O-4")]
    assert moves == ["F1-O-4-B", "F1-O-4-O", "F1-O-4-G"]
    after = sintra.play(state, "F1-O-4-G")
    assert after.boards[0].windows[3] == ["G"]
    assert after.tower == Counter("OOOOB")
    assert after.boards[0].score == 19


@pytest.mark.parametrize(
    ("front", "filled", "kept"),
    [("BBYYO", "BBYY.", "B"), ("PPBOO", "PPB..", "O"), ("BYPPO", "BYPP.", "P")],
)
def test_side_a_keeps_the_most_frequent_color(front: str, filled: str, kept: str) -> None:
    mover = palace({1: strip(front, filled)})
    after = sintra.play(load(["OOBB"], "1", [mover, palace()]), "F1-O-1")
    assert after.boards[0].windows[0] == [kept]


def test_a_second_completion_removes_the_strip() -> None:
    mover = palace({2: strip("BBBBO", "BBBB."), 3: ""}, {2: "Y", 3: "YY"}, glazier=2)
    after = sintra.play(load(["OYYY"], "1", [mover, palace()]), "F1-O-2")
    board = after.boards[0]
    assert board.windows[1] == ["Y", "B"]
    assert board.strips[1] is None
    assert board.glazier == 1  # above the empty place
    assert board.score == 4 + 2 + 3  # blue is the color of round 1
    assert after.tower == Counter("BBBO")


# --- move the glazier back --------------------------------------------------------------


@pytest.mark.parametrize(
    ("glazier", "allowed"),
    [(6, True), (3, False), (1, True), (2, True)],  # 1, 2: above an empty place
)
def test_s06_the_glazier_goes_to_the_leftmost_strip(glazier: int, allowed: bool) -> None:
    mover = palace({1: "", 2: ""}, {1: "BB", 2: "YY"}, glazier=glazier)
    state = load(["OYYY"], "1", [mover, palace()])
    assert ("glazier" in sintra.legal_moves(state)) == allowed
    if allowed:
        after = sintra.play(state, "glazier")
        assert after.boards[0].glazier == 2
        assert after.displays == state.displays
        assert after.mover == 1


# --- broken glass -----------------------------------------------------------------------


def test_s01_the_end_of_the_track_is_paid_at_once() -> None:
    mover = palace(other="YYYYY", score=25, broken=7, lost=18)
    state = load(["BBBY"], "1", [mover, palace()])
    after = sintra.play(state, "F1-B-break")
    board = after.boards[0]
    assert (board.score, board.broken, board.lost) == (7, 2, 36)
    assert after.tower == Counter("BBB")


def test_the_starting_tile_may_reach_the_end_of_the_track() -> None:
    mover = palace(score=1, broken=7)
    after = sintra.play(load(["OOOO"], "BB1", [mover, palace()]), "C-B-1")
    board = after.boards[0]
    assert (board.score, board.broken, board.lost) == (-17, 1, 18)


def test_the_clamp_and_the_order_inside_a_turn() -> None:
    """The marker's step costs 18 before the strip's completion scores."""
    mover = palace({4: strip("OBBBB", ".BBBB")}, score=5, broken=7)
    players = [mover, palace()]
    plain = sintra.play(load(["YYYY"], "O1", players), "C-O-4").boards[0]
    assert (plain.score, plain.lost) == (5 - 18 + 4 + 4, 18)
    clamped = sintra.play(load(["YYYY"], "O1", players, clamp=True), "C-O-4").boards[0]
    assert (clamped.score, clamped.lost) == (4 + 4, 18)


# --- rounds and the end of the game -----------------------------------------------------


def test_the_indicator_pane_goes_to_the_tower_before_the_refill() -> None:
    mover = palace(other="YYYYY", broken=0)
    state = load(["PPPP"], "1", [mover, palace()], round=3, bag={})
    state.lid.clear()
    after = sintra.play(state, "F1-P-break")
    assert after.stage == supply.DEAL
    assert after.indicator == list("GPB")
    dealt = sintra.deal_random(after, random.Random(1))
    assert Counter(tile for tiles in dealt.displays for tile in tiles) == Counter("PPPPO")
    assert [len(display) for display in dealt.displays] == [4, 1, 0, 0, 0]
    assert dealt.mover == 0  # nobody took the starting tile: who started, starts again


@pytest.mark.parametrize(("round_", "stage"), [(5, supply.DEAL), (6, supply.OVER)])
def test_the_game_ends_after_six_rounds(round_: int, stage: str) -> None:
    mover = palace(other="YYYYY")
    after = sintra.play(load(["PPPP"], "1", [mover, palace()], round=round_), "F1-P-break")
    assert after.stage == stage
    assert conserved(after)
    assert sintra.from_dict(sintra.to_dict(after)).stage == stage


def final(first: dict[str, Any], second: dict[str, Any] | None = None, **others: Any) -> State:
    """A finished game."""
    return load([], "", [first, second or palace()], round=6, indicator="", **others)


def test_s08_ornaments() -> None:
    windows = {1: "BB", 2: "YY", 3: "OO", 4: "G", 5: "P", 6: "P", 8: "B"}
    state = final(palace({1: "", 2: "", 3: ""}, windows))
    assert state.stage == supply.OVER
    assert sintra.final_points(state) == [10 + 6 + 3 + 0, 0]


def test_s09_complete_windows_times_a_color() -> None:
    windows = {1: "OO", 2: "OY", 3: "YY", 4: "O", 5: "O", 6: "Y", 7: "B", 8: "P"}
    state = final(palace({1: "", 2: "", 3: ""}, windows), side="B")
    assert sintra.final_points(state) == [3 * 5, 0]


@pytest.mark.parametrize(
    ("filled", "points"),
    [
        (["BY..."], 0),
        (["BYO.."], 1),
        (["BYO..", ".YO.."], 1),
        (["BYOG.", "BYOG.", "B...."], 3),
        (["BYOG.", "BYOG.", "BYOG."], 4),
    ],
    ids=str,
)
def test_three_panes_left_on_strips_are_a_point(filled: list[str], points: int) -> None:
    strips = {place: strip("BYOGP", panes) for place, panes in enumerate(filled, start=2)}
    assert sintra.final_points(final(palace(strips)))[0] == points


@pytest.mark.parametrize("steps", range(8))
def test_the_value_at_the_track_marker(steps: int) -> None:
    state = final(palace(score=3, broken=steps, lost=36))
    assert sintra.final_points(state)[0] == 3 - TRACK[steps]
    assert sintra.standings(state)[0] == (3 - TRACK[steps], -36 - TRACK[steps])
    clamped = final(palace(score=3, broken=steps, lost=36), clamp=True)
    assert sintra.standings(clamped)[0] == (max(0, 3 - TRACK[steps]), -36 - TRACK[steps])


def test_s11_ties_are_decided_by_broken_glass() -> None:
    state = final(palace(score=69, broken=5), palace(score=65, broken=3))
    assert sintra.final_points(state) == [61, 61]
    assert sintra.win_shares(state) == [0, 1]
    state = final(palace(score=65, broken=3), palace(score=65, broken=3))
    assert sintra.win_shares(state) == [0.5, 0.5]
    state = final(palace(score=61, lost=18), palace(score=65, broken=3))
    assert sintra.win_shares(state) == [0, 1]


# --- whole games ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "games_played", "moves", "first_moves"),
    [(2, 24, 74, 85), (3, 16, 93, 119), (4, 12, 108, 152)],
)
def test_uniformly_random_games(
    players: int, games_played: int, moves: float, first_moves: float
) -> None:
    """Strips other than those that the figures come from, so the tolerance is wide."""
    played = [random_game(players, "AB"[seed % 2], seed) for seed in range(games_played)]
    assert {states[-1].round for states in played} == {6}
    assert mean(len(states) - 1 - 6 for states in played) == pytest.approx(moves, rel=0.12)
    first = [len(sintra.legal_moves(states[1])) for states in played]
    assert mean(first) == pytest.approx(first_moves, rel=0.12)
    points = [sintra.final_points(states[-1])[0] for states in played]
    assert mean(score < 0 for score in points) > 0.5
    falls = [sum(each.lost for each in states[-1].boards) // 18 for states in played]
    assert 4 < mean(falls) < 18


@pytest.mark.parametrize(
    ("players", "side", "clamp"), [(2, "A", False), (2, "B", True), (3, "B", False), (4, "A", True)]
)
def test_invariants_of_random_games(players: int, side: str, clamp: bool) -> None:
    for state in random_game(players, side, seed=players, clamp=clamp):
        assert conserved(state)
        written = sintra.to_dict(state)
        again = sintra.from_dict(written, clamp=clamp)
        assert sintra.to_dict(again) == written
        assert sintra.key(again) == sintra.key(state)
        assert sintra.legal_moves(again) == sintra.legal_moves(state)
        for each in state.boards:
            assert 0 <= each.broken < 8
            assert each.score >= 0 or not clamp
            for place, window in enumerate(each.windows):
                assert (each.strips[place] is None) == (len(window) == 2)
