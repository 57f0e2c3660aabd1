"""Stained Glass of Sintra: situations people met, texts, components, and solved rounds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import azul_ai
from azul_ai import evaluation, game, games, notation, position, rng
from azul_ai.evaluation import interface
from azul_ai.games import components
from azul_ai.games.supply import FIELD, FIELD_MASK
from azul_ai.position import PositionError
from azul_ai.position.component_file import load_components
from tests.oracle.positions import palace, sintra_position, strip
from tests.playing import legal_moves, values_after

DATA = Path(__file__).parent / "data"
SOLVED = [
    case
    for case in json.loads((DATA / "perft_gray_sintra.json").read_text())["solved"]
    if case["position"]["game"] == "sintra"
]
OTHER = "OOOOO"
"""A strip that takes none of the panes that a case is about."""


def state_of(document: dict[str, Any]) -> Any:
    """The state of a position in which panes need not add up."""
    return position.to_state(position.parse(json.dumps(document), check_counts=False))


def played(document: dict[str, Any], *moves: str) -> Any:
    """The position after some moves."""
    state = state_of(document)
    for move in moves:
        game.play(state, notation.parse_move(state, move))
    return position.from_state(state)


def names(document: dict[str, Any]) -> set[str]:
    state = state_of(document)
    return {notation.format_move(state, move) for move in legal_moves(state)}


def final(document: dict[str, Any]) -> tuple[list[int], list[int]]:
    state = state_of(document)
    points, ties = np.zeros((2, game.MAX_PLAYERS), dtype=np.int64)
    game.result(state, points, ties)
    number = int(state.players)
    return points[:number].tolist(), ties[:number].tolist()


def over(players: list[dict[str, Any]], **others: Any) -> dict[str, Any]:
    """A game after its sixth round."""
    return sintra_position([], "", players, round=6, indicator="", **others)


# --- situations ---------------------------------------------------------------------------

pytestmark = pytest.mark.nojit

OPENING = Path(__file__).parents[1] / "positions" / "opening-2p.toml"


def test_s01_breaks_beyond_the_end_go_on_from_the_top() -> None:
    """A turn in which a break wraps the track: three panes break from the space before the last."""
    windows = dict.fromkeys((1, 2, 3), "O")
    me = palace(other=OTHER, windows=windows, score=25, broken=7)
    before = sintra_position(["BBBY", "YYYY"], "1", [me, palace()], round=3, tower="")
    after = played(before, "F1-B-break")
    assert (after.players[0].score, after.players[0].broken, after.players[0].lost) == (7, 2, 18)
    assert after.lid["B"] == 3
    assert after.players[0].glazier == 1


def test_s01_clamped_the_loss_still_counts_in_full() -> None:
    me = palace(other=OTHER, score=5, windows={8: "O"}, broken=7)
    before = sintra_position(["BBBY", "YYYY"], "1", [me, palace()], round=3, clamp=True)
    after = played(before, "F1-B-break")
    assert (after.players[0].score, after.players[0].lost) == (0, 18)


def test_s03_the_glazier_reaches_all_strips_to_his_right_and_none_to_his_left() -> None:
    strips = {1: strip("GGOOO"), 7: strip("GOOOO")}
    me = palace(strips, other=OTHER, glazier=2)
    before = sintra_position(["GGPB"], "1", [me, palace()])
    assert {name for name in names(before) if name.startswith("F1-G")} == {"F1-G-7"}
    after = played(before, "F1-G-7")
    assert (after.players[0].glazier, after.players[0].broken) == (7, 1)
    state = state_of(before)
    with pytest.raises(notation.MoveError, match="left of the glazier"):
        notation.parse_move(state, "F1-G-1")
    with pytest.raises(notation.MoveError, match="must go to strip 7"):
        notation.parse_move(state, "F1-G-break")


def test_s05_a_completion_scores_its_window_and_those_to_the_right_once() -> None:
    windows = {1: "P", 2: "P", 5: "P", 7: "PP"}
    me = palace({4: strip("OOBGO", "OOBG."), 7: ""}, windows, other=OTHER, glazier=4, score=60)
    before = sintra_position(["OYYY"], "1", [me, palace()], round=3)
    assert before["indicator"][0] == "O"
    after = played(before, "F1-O-4").players[0]
    assert after.score == 60 + 19
    assert after.windows[3] == "O"
    assert (after.strips[3].up, after.strips[3].filled, after.glazier) == ("back", ".....", 4)


def test_s06_the_glazier_goes_back_to_the_leftmost_strip_that_is_left() -> None:
    gone, double = {1: "", 2: ""}, {1: "BB", 2: "BB"}
    there = sintra_position(["BBYY"], "1", [palace(gone, double, glazier=6, score=40), palace()])
    assert played(there, "glazier").players[0].glazier == 3
    assert played(there, "glazier").factories[0] == "BBYY"
    here = sintra_position(["BBYY"], "1", [palace(gone, double, glazier=3, score=40), palace()])
    assert "glazier" not in names(here)
    with pytest.raises(notation.MoveError, match="leftmost strip already"):
        notation.parse_move(state_of(here), "glazier")


def test_s08_ornaments() -> None:
    windows = {1: "BB", 2: "YY", 3: "OO", 4: "G", 5: "P", 6: "P", 7: "B"}
    me = palace({1: "", 2: "", 3: ""}, windows, score=100)
    points, _ = final(over([me, palace()]))
    assert points[0] == 100 + 10 + 6 + 3


def test_s09_complete_windows_times_the_color_that_counts_most() -> None:
    """The case has twelve panes in windows that hold eleven: here there is one yellow pane less."""
    windows = {1: "RR", 2: "YY", 3: "YR", 4: "R", 5: "R", 6: "B", 7: "P", 8: "P"}
    windows = {place: panes.replace("R", "O") for place, panes in windows.items()}
    me = palace({1: "", 2: "", 3: ""}, windows, score=100)
    points, _ = final(over([me, palace()], side="B"))
    assert points[0] == 100 + 3 * 5


def test_s10_the_starting_tile_costs_a_step_and_nothing_else() -> None:
    boards = [palace(), palace(), palace({5: strip("BBOOO")})]
    before = sintra_position([], "BB1", boards, to_move=3, start=1)
    after = played(before, "C-B-5")
    assert (after.to_move, after.players[2].broken, after.players[2].score) == (3, 1, 0)
    assert after.players[2].strips[4].filled == "BB..."


@pytest.mark.parametrize(("other_broken", "shares"), [(3, [0.0, 1.0]), (5, [0.5, 0.5])])
def test_s11_of_equal_points_fewer_lost_win(other_broken: int, shares: list[float]) -> None:
    value = {3: -4, 5: -8}[other_broken]
    players = [
        palace(broken=5, score=69, windows={8: "B"}),
        palace(broken=other_broken, score=61 - value, windows={8: "B"}),
    ]
    document = over(players, window_points=[9] * 7 + [64])
    assert final(document) == ([61, 61], [-8, value])
    values = interface.new_values()
    interface.exact_values(state_of(document), values)
    assert values[:2, interface.WIN].tolist() == shares


def test_color_spaces_come_before_jokers_and_jokers_are_filled_too() -> None:
    me = palace({3: strip("*B*OO")}, other=OTHER)
    before = sintra_position(["BBYY", "BBBY"], "1", [me, palace()])
    assert played(before, "F1-B-3").players[0].strips[2].filled == "BB..."
    assert played(before, "F2-B-3").players[0].strips[2].filled == "BBB.."


def test_nobody_took_the_starting_tile() -> None:
    """The previous starter starts again."""
    before = sintra_position(["BBBB"], "1", [palace(), palace()], to_move=2, start=2)
    after = played(before, "F1-B-1")
    assert (after.to_move, after.center) == (2, "1")


@pytest.mark.parametrize("side", ["A", "B"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_panes_are_conserved(players: int, side: str) -> None:
    state, generator = games.new_game("sintra", players, seed=5, side=side), rng.new(5)
    while state.stage != game.OVER:
        if state.stage == game.DEAL:
            game.deal_round(state, generator)
        else:
            game.play(state, game.draw_move(state, generator))
        assert panes_of(state) == [20] * 5


def panes_of(state: Any) -> list[int]:
    """Numbers of panes by color, counted field by field."""
    words = [state.bag, state.lid, *state.sources]
    numbers = [sum(int(word) >> FIELD * c & FIELD_MASK for word in words) for c in range(5)]
    singles = [int(state.indicator)]
    for board in state.boards:
        singles += [int(board["windows"]), *(int(word) & (1 << 15) - 1 for word in board["strips"])]
    for word in singles:
        for place in range(16):
            if word >> 3 * place & 7:
                numbers[(word >> 3 * place & 7) - 1] += 1
    return numbers


# --- texts --------------------------------------------------------------------------------


def test_side_b_says_which_pane_stays_exactly_when_a_strip_gets_full() -> None:
    me = palace({2: strip("BBYOG", "B.YOG")}, other=OTHER)
    before = sintra_position(["BBYP", "GGGG"], "1", [me, palace()], side="B")
    moves = {name for name in names(before) if name.startswith("F1-B")}
    assert moves == {"F1-B-2-B", "F1-B-2-Y", "F1-B-2-O", "F1-B-2-G"}
    state = state_of(before)
    assert notation.parse_move(state, " f1-b-2-o ") == notation.parse_move(state, "F1-B-2-O")
    for text, reason in (
        ("F1-B-2", "add the color of the pane to keep"),
        ("F1-B-2-P", "no pink pane"),
        ("F1-Y-break-Y", "is no move"),
    ):
        with pytest.raises(notation.MoveError, match=reason):
            notation.parse_move(state, text)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("F9-B-1", "no display 9"),
        ("F0-B-1", "no display 0"),
        ("F1-R-1", 'no color "R"'),
        ("F1-G-1", "display 1 has no green, only BBYY"),
        ("C-B-1", "only the starting tile"),
        ("F2-B-1", "display 2 is empty"),
        ("F1-B-9", "no strip 9"),
        ("F1-B-1-B", "side A"),
        ("F1-B-3", "gone"),
        ("F1-Y-2", "no empty space for yellow"),
        ("wall-1-1", "is no move"),
    ],
)
def test_moves_that_are_not_legal_say_why(move: str, reason: str) -> None:
    me = palace({2: strip("BBBOO"), 3: ""}, {3: "BB"}, score=20)
    state = state_of(sintra_position(["BBYY", ""], "1", [me, palace()]))
    with pytest.raises(notation.MoveError, match=reason):
        notation.parse_move(state, move)


def test_every_move_of_a_game_has_a_name_that_is_read_back() -> None:
    state, generator = games.new_game("sintra", 3, seed=9, side="B"), rng.new(9)
    while state.stage != game.OVER:
        if state.stage == game.DEAL:
            game.deal_round(state, generator)
            continue
        for move in legal_moves(state)[::5]:
            assert notation.parse_move(state, notation.format_move(state, move)) == move
            assert notation.format_move(state, move) in notation.names(state, move)
        game.play(state, game.draw_move(state, generator))


@pytest.mark.parametrize("clamp", [False, True])
def test_positions_survive_every_form(clamp: bool) -> None:
    state = games.new_game("sintra", 2, seed=3, side="B", clamp=clamp)
    generator = rng.new(3)
    while state.stage != game.OVER:
        if state.stage == game.DEAL:
            game.deal_round(state, generator)
        else:
            game.play(state, game.draw_move(state, generator))
        shown = position.from_state(state, ["Ana", "Bo"])
        assert position.to_state(shown) == state
        assert position.parse(shown.to_toml()) == position.parse(json.dumps(shown.to_dict()))
        assert position.from_code(shown.code) == position.from_state(state)


FAULTS = [
    ({"side": "C"}, "side", 'no side "C"'),
    ({"indicator": "BY"}, "indicator", "has 2 panes in round 2"),
    ({"indicator": "BYYOG"}, "indicator", "yellow twice"),
    ({"window_points": [1, 2]}, "window_points", "a list of 8"),
    ({"window_points": [1, 2, 3, 4, 5, 6, 7, 800]}, "window_points[7]", "800 points"),
    ({"track": [0, -1, -2, -3, -4, -5, -6, -7, -9]}, "track", "from 0 to -9"),
    ({"track": [0, -2, -1, -4, -6, -8, -11, -14, -18]}, "track", "do not fall"),
    ({"ornaments": [[1, 2], [3, 4], [5, 6], [7, 7]]}, "ornaments", "pairs of the eight"),
    ({"center": ""}, "next_start", "nobody is said to have it"),
    ({"next_start": 1}, "next_start", "lies in the center"),
    ({"center": "11"}, "center", "2 times"),
    ({"round": 7, "indicator": ""}, "round", "no round 7"),
    ({"tower": "B1", "lid": "B1"}, "lid", "Both lid and tower"),
    ({"clamp": 1}, "clamp", "not true or false"),
    ({"strips": []}, "strips", "no key"),
]

BOARD_FAULTS = [
    ({"glazier": 9}, "glazier", "above place 9"),
    ({"broken": 8}, "broken", "8 steps"),
    ({"lost": 10}, "lost", "10 points"),
    ({"lost": 18 * 20, "score": -360}, "lost", "160 steps"),
    ({"score": 3}, "score", "cannot have 3 points"),
    ({"windows": ["BBB", *[""] * 7]}, "windows[0]", "holds 3 panes"),
    ({"windows": ["BB", *[""] * 7]}, "strips[0]", "its strip is there"),
    ({"windows": ["X", *[""] * 7]}, "windows[0]", "no color"),
    ({"windows": [""]}, "windows", "8 entries"),
]

STRIP_FAULTS = [
    ("", "", "is gone, but"),
    (strip("BYOG"), ".front", "4 spaces"),
    (strip("BYOGX"), ".front", 'has "X"'),
    (strip("?????"), ".front", "not filled in"),
    ({**strip("BYOGP"), "up": "top"}, ".up", "front"),
    (strip("BYOGP", "...."), ".filled", "4 spaces"),
    (strip("BYOGP", "Y...."), ".filled", "yellow on space 1, which is blue"),
    (strip("BYOGP", "BYOGP"), ".filled", "is full"),
    (strip("B**GP", ".B..."), ".filled", "on a joker while"),
    (strip("B***P"), "", "joker spaces"),
    (7, "", "no strip"),
    ({"front": "BYOGP"}, ".back", "missing"),
]


def faults_of(document: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(PositionError) as raised:
        position.parse(json.dumps(document), check_counts=False)
    return {fault.field: f"{fault.reason} {fault.hint}" for fault in raised.value.faults}


def a_position() -> dict[str, Any]:
    return sintra_position(["BBYY"], "1", [palace(), palace()], round=2)


@pytest.mark.parametrize(("changes", "field", "reason"), FAULTS)
def test_faults_of_a_position(changes: dict[str, Any], field: str, reason: str) -> None:
    assert reason in faults_of({**a_position(), **changes})[field]


@pytest.mark.parametrize(("changes", "field", "reason"), BOARD_FAULTS)
def test_faults_of_a_board(changes: dict[str, Any], field: str, reason: str) -> None:
    document = a_position()
    document["players"][1] |= changes
    assert reason in faults_of(document)[f"players[1].{field}"]


@pytest.mark.parametrize(("entry", "field", "reason"), STRIP_FAULTS)
def test_faults_of_a_strip(entry: Any, field: str, reason: str) -> None:
    document = a_position()
    document["players"][0]["strips"][2] = entry
    found = faults_of(document)
    expected = "players[0].strips[2]" + field
    where = expected if expected in found else "players[0].strips"
    assert reason in found[where]


def test_every_fault_is_reported_at_once() -> None:
    document = {**a_position(), "side": "C", "indicator": "B"}
    document["players"][1] |= {"glazier": 0, "lost": 1}
    document["players"][0]["strips"][0] = strip("BYOGX")
    assert len(faults_of(document)) >= 5


def test_panes_are_counted() -> None:
    document = a_position()
    document["factories"] = ["BBBB"] * 5
    document["players"][0]["windows"][7] = "B"
    document["players"][0]["score"] = 8
    with pytest.raises(PositionError, match="blue panes, more than 20"):
        position.parse(json.dumps(document))


def test_what_is_not_printed_on_the_boards_comes_from_the_package_and_is_said() -> None:
    document = a_position()
    del document["window_points"]
    loaded = position.parse(json.dumps(document), check_counts=False)
    assert loaded.prints == components.default().prints
    (warning,) = [text for text in loaded.warnings if "official" in text]
    assert "window_points" in warning


def test_the_template_asks_for_what_is_missing() -> None:
    with pytest.raises(PositionError) as raised:
        position.parse(position.template("sintra", 3))
    fields = {fault.field for fault in raised.value.faults}
    assert {"factories[0]", "indicator", "players[2].strips[7].front"} <= fields


# --- components ---------------------------------------------------------------------------

PACKAGE = Path(components.__file__).with_name("sintra.toml")


def test_the_components_of_the_package_are_as_the_rulings_say() -> None:
    own = components.default()
    sides = [side for pair in own.strips for side in pair]
    assert sorted(side.count("*") for side in sides if "*" in side) == [2]
    printed = "".join(sides)
    assert all(printed.count(letter) in (15, 16) for letter in own.colors)
    assert (own.prints.track, own.official) == ((0, -1, -2, -4, -6, -8, -11, -14, -18), False)
    assert load_components(str(PACKAGE)) == own


def test_a_file_of_components_replaces_those_of_the_package(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(
        PACKAGE.read_text().replace("[1, 2, 2, 3, 3, 4, 4, 5]", "[9, 9, 9, 9, 9, 9, 9, 8]")
    )
    result = run("new", "--game", "sintra", "--components", file, "--json")
    assert json.loads(result.stdout)["window_points"] == [9] * 7 + [8]
    assert "official" not in result.stderr
    result = run("new", "--game", "sintra", "--side", "B", "--json")
    assert json.loads(result.stdout)["side"] == "B"
    assert result.stderr.count("official") == 1


def test_a_file_of_components_is_checked(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    text = PACKAGE.read_text().replace("BPBPY", "BP*PX").replace("-18]", "-17]")
    file.write_text(text.replace('B = "blue"\n', ""))
    result = run("new", "--game", "sintra", "--components", file, "--json")
    assert result.exit_code == 3
    fields = {fault["field"] for fault in json.loads(result.stdout)["errors"]}
    assert fields == {"track", "strips", "strips[7].front", "colors.B"}


@pytest.mark.parametrize("option", [("--side", "B"), ("--components", "x")])
def test_other_games_have_no_sides(run: Any, option: tuple[str, str]) -> None:
    assert run("new", *option).exit_code == 2


# --- searching ----------------------------------------------------------------------------


@pytest.mark.parametrize("case", SOLVED, ids=lambda case: case["position"]["side"])
def test_last_rounds_are_solved(case: dict[str, Any]) -> None:
    """The values of all moves are those of an independent program."""
    analysis = azul_ai.analyze(
        position.parse(json.dumps(case["position"])),
        engine="expectimax",
        objective="diff",
        limit=azul_ai.Limit(depth=60),
        top=100,
    )
    assert all(move.proven for move in analysis.moves)
    found = {name: move.diff for move in analysis.moves for name in (move.move, *move.also)}
    expected = dict(case["moves"])
    assert {name: found[name] for name in expected} == expected


def test_the_policy_and_the_evaluation_are_sound_far_below_zero() -> None:
    lost = 18 * 6
    boards = [palace(score=-lost, lost=lost, broken=7, other=OTHER) for _ in range(2)]
    state = state_of(sintra_position(["BBYY", "YYYY"], "BBBB1", boards, round=5))
    model = evaluation.load("sintra", evaluation.HANDMADE).model
    values = values_after(model, state, legal_moves(state)[:1])
    assert np.isfinite(values).all()
    assert values[0, :2, interface.POINTS].max() < -50


@pytest.mark.parametrize(
    "arguments",
    [["new"], ["analyze", str(OPENING), "--iterations", "50", "--explain", "--quiet"]],
    ids=["new", "analyze"],
)
def test_nothing_of_sintra_is_imported_for_another_game(arguments: list[str]) -> None:
    code = (
        "import sys, azul_ai\n"
        "from azul_ai.cli.main import cli\n"
        f"cli({arguments!r}, standalone_mode=False)\n"
        "assert not [name for name in sys.modules if 'sintra' in name or 'palace' in name\n"
        "            or name.endswith(('strips', 'components', 'component_file'))]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
