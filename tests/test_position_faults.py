"""Every kind of bad position is refused with the field, the reason and what to do."""

from __future__ import annotations

import contextlib
import copy
import itertools
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from azul_ai import game
from azul_ai.position import Fault, PositionError, load, parse, to_state
from azul_ai.position.azul_checks import MAX_PLACEMENT_POINTS
from tests.oracle.positions import board
from tests.oracle.positions import position as document

# A valid position in the middle of a round: 23 tiles in view, 60 in the bag, 17 in the lid.
GOOD: dict[str, Any] = {
    "game": "azul",
    "round": 2,
    "to_move": 1,
    "factories": ["BBYR", "KKWW", "", "", ""],
    "center": "YK1",
    "bag": "B12 Y13 R13 K11 W11",
    "lid": "B4 Y1 R2 K5 W5",
    "players": [
        board(2, ["", "YY", "BB", "", "RR"], ["..R..", "...R.", ".....", ".....", "....."]),
        board(1, ["W", "", "", "YY", ""], ["...K.", ".....", ".....", ".....", "....."], "W"),
    ],
}


def faults_of(text: str | dict[str, Any], **options: bool) -> list[Fault]:
    text = text if isinstance(text, str) else json.dumps(text)
    with pytest.raises(PositionError) as caught:
        parse(text, **options)
    for fault in caught.value.faults:
        assert fault.reason.endswith((".", "!")), fault
        assert fault.hint.endswith((".", "?", "…", ":")), fault
        assert str(fault) in str(caught.value)
    return list(caught.value.faults)


def changed(*path: str | int, to: Any) -> dict[str, Any]:
    """The good position with one value changed."""
    changed_document = copy.deepcopy(GOOD)
    place: Any = changed_document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return changed_document


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in GOOD.items() if name != key}


def only_fault(text: str | dict[str, Any], **options: bool) -> Fault:
    faults = faults_of(text, **options)
    assert len(faults) == 1, faults
    return faults[0]


def test_the_good_position_is_good() -> None:
    assert parse(json.dumps(GOOD)).warnings == ()


# --- nothing that can be read ---------------------------------------------------------------


def load_fault(argument: Path | str) -> Fault:
    with pytest.raises(PositionError) as caught:
        load(str(argument))
    (fault,) = caught.value.faults
    return fault


def test_missing_file(tmp_path: Path) -> None:
    fault = load_fault(tmp_path / "nowhere.toml")
    assert "nowhere.toml" in fault.reason
    assert "No such file" in fault.reason
    assert "a code" in fault.hint


def test_directory(tmp_path: Path) -> None:
    assert "Is a directory" in load_fault(tmp_path).reason


@pytest.mark.parametrize("argument", ["", "a\0b", "x" * 5000])
def test_names_that_cannot_be_files(argument: str) -> None:
    assert "Cannot read" in load_fault(argument).reason


@pytest.mark.parametrize("content", [b"", b" \n\t\n", b"\xef\xbb\xbf"])
def test_empty_file(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "p").write_bytes(content)
    fault = load_fault(tmp_path / "p")
    assert fault.reason == "The position is empty."
    assert "new --empty" in fault.hint


def test_not_text(tmp_path: Path) -> None:
    (tmp_path / "p").write_bytes(b"game = \xff")
    assert "not UTF-8 text (byte 8)" in load_fault(tmp_path / "p").reason


def test_far_too_long_file(tmp_path: Path) -> None:
    (tmp_path / "p").write_bytes(b"#" * 2_000_000)
    assert "longer than" in load_fault(tmp_path / "p").reason


def test_broken_toml_names_the_line() -> None:
    fault = only_fault('game = "azul"\nround = 3\nto_move 1\n')
    assert "not valid TOML" in fault.reason
    assert "line 3" in fault.reason


def test_broken_json_names_the_line() -> None:
    fault = only_fault('{"game": "azul",\n "round" 3}')
    assert "not valid JSON" in fault.reason
    assert "line 2" in fault.reason


def test_a_key_given_twice() -> None:
    assert '"round" is given twice' in only_fault('{"game": "azul", "round": 1, "round": 2}').reason
    assert "not valid TOML" in only_fault('game = "azul"\nround = 1\nround = 2').reason


@pytest.mark.parametrize("text", ['{"a":' * 100_000, "a = " + "[" * 100_000])
def test_nested_too_deeply(text: str) -> None:
    assert "nested too deeply" in only_fault(text).reason


# --- keys and types -------------------------------------------------------------------------


def test_missing_game() -> None:
    fault = only_fault(without("game"))
    assert (fault.field, fault.reason) == ("game", 'The key "game" is missing.')
    assert 'game = "azul"' in fault.hint


@pytest.mark.parametrize(("game_id", "hint"), [("azull", "azul"), (7, "azul"), ("chess", "azul")])
def test_unknown_game(game_id: Any, hint: str) -> None:
    fault = only_fault(changed("game", to=game_id))
    assert fault.field == "game"
    assert str(game_id) in fault.reason
    assert hint in fault.hint


@pytest.mark.parametrize("key", ["round", "to_move", "factories", "center", "players"])
def test_missing_keys(key: str) -> None:
    faults = faults_of(without(key))
    assert faults[0] == Fault(key, f'The key "{key}" is missing.', f"Add {key} = ….")


@pytest.mark.parametrize("key", ["score", "lines", "wall", "floor"])
def test_missing_keys_of_a_player(key: str) -> None:
    broken = copy.deepcopy(GOOD)
    del broken["players"][1][key]
    fault = only_fault(broken)
    assert fault.field == f"players[1].{key}"
    assert "missing" in fault.reason


@pytest.mark.parametrize(
    ("path", "field", "match"),
    [
        (("factorys",), "factorys", "factories"),
        (("To_Move",), "To_Move", "to_move"),
        (("players", 1, "walls"), "players[1].walls", "wall"),
        (("players", 0, "floor_line"), "players[0].floor_line", "floor"),
    ],
)
def test_unknown_keys_are_told_the_closest(path: Any, field: str, match: str) -> None:
    fault = only_fault(changed(*path, to=""))
    assert fault.field == field
    assert "There is no key" in fault.reason
    assert f"Did you mean {match!r}?" in fault.hint


@pytest.mark.parametrize(
    ("path", "value", "wanted"),
    [
        (("round",), "2", "a whole number"),
        (("round",), 2.0, "a whole number"),
        (("to_move",), True, "a whole number"),
        (("start",), [], "a whole number"),
        (("factories",), "BBYR", "a list of texts"),
        (("factories", 1), 4, "a text"),
        (("center",), None, "a text"),
        (("bag",), 60, "numbers of tiles"),
        (("bag",), {"B": "12"}, "numbers of tiles"),
        (("bag",), {"B": True}, "numbers of tiles"),
        (("lid",), "BBYY", "numbers of tiles"),
        (("lid",), "B3 4", "numbers of tiles"),
        (("players",), {}, "a list of tables"),
        (("players",), [1, 2], "a list of tables"),
        (("players", 1, "name"), 5, "a text"),
        (("players", 1, "score"), "1", "a whole number"),
        (("players", 0, "lines"), "YY", "a list of texts"),
        (("players", 0, "wall", 2), ["."], "a text"),
        (("players", 1, "floor"), ["W"], "a text"),
    ],
)
def test_wrong_types(path: Any, value: Any, wanted: str) -> None:
    faults = faults_of(changed(*path, to=value))
    expected = ""
    for step in path:
        expected += f"[{step}]" if isinstance(step, int) else f".{step}" if expected else step
    assert faults[0].field == expected
    assert f"not {wanted}" in faults[0].reason
    assert faults[0].hint.startswith("Write")


def test_toml_types_of_its_own_are_wrong_types_too() -> None:
    assert only_fault("game = 1979-05-27").field == "game"


@pytest.mark.parametrize(("key", "number"), [("lines", 4), ("lines", 6), ("wall", 3), ("wall", 0)])
def test_wrong_number_of_rows(key: str, number: int) -> None:
    cells = "....." if key == "wall" else ""
    fault = only_fault(changed("players", 0, key, to=[cells] * number))
    assert fault.field == f"players[0].{key}"
    assert fault.reason == f"This list needs 5 entries; it has {number}."


# --- letters and numbers of tiles -----------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "value", "field", "place"),
    [
        (("factories", 0), "BBGR", "factories[0]", "Display 1"),
        (("center",), "YG1", "center", "The center"),
        (("players", 0, "lines", 4), "GG", "players[0].lines[4]", "Line 5 of player 1"),
        (("players", 1, "floor"), "G", "players[1].floor", "The floor of player 2"),
    ],
)
def test_colors_that_do_not_exist(path: Any, value: str, field: str, place: str) -> None:
    fault = only_fault(changed(*path, to=value))
    assert (fault.field, fault.reason) == (field, f'{place} holds "G", which is no color.')
    assert "B blue, Y yellow, R red, K black, W white" in fault.hint


def test_small_letters() -> None:
    fault = only_fault(changed("factories", 0, to="bBYR"))
    assert fault.hint == 'Write the capital letter "B".'


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("B12 G3", 'There is no color "G".'),
        ({"blue": 3}, 'There is no color "blue".'),
        ("B12 Y3 B1", 'The color "B" is counted twice.'),
        ({"B": -1}, 'There cannot be -1 tiles of color "B".'),
    ],
)
def test_bad_numbers_of_tiles(value: Any, reason: str) -> None:
    fault = only_fault(changed("bag", to=value))
    assert (fault.field, fault.reason) == ("bag", reason)


def test_21_tiles_of_a_color() -> None:
    # One blue tile more in the bag, one yellow less.
    faults = faults_of(changed("bag", to="B13 Y12 R13 K11 W11"))
    assert [fault.field for fault in faults] == ["bag", "bag"]
    assert faults[0].reason == (
        "There are 21 blue tiles, more than 20: bag 13, lid 4, displays 2, lines 2."
    )
    assert faults[1].reason == "1 of 100 tiles are missing: 1 yellow."


@pytest.mark.parametrize("given", [("bag",), ("lid",), ()])
def test_21_tiles_of_a_color_without_bag_or_lid(given: tuple[str, ...]) -> None:
    broken = copy.deepcopy(GOOD)
    for key in ("bag", "lid"):
        del broken[key]
    broken |= dict.fromkeys(given, "B15")
    walls = ["B....", ".B...", "..B..", "...B.", "....B"]
    for player in broken["players"]:
        player.update(score=0, wall=walls, lines=["", "", "", "", ""])
    broken |= {"factories": ["BBBB", "BBBB"], "center": "BBB1", "round": 9}
    fault = faults_of(broken)[0]
    number = 36 if given else 21
    assert fault.reason.startswith(f"There are {number} blue tiles, more than 20: ")
    assert fault.field == (given[0] if given else "factories")
    assert parse(json.dumps(broken), check_counts=False)


def test_missing_tiles() -> None:
    fault = only_fault(changed("lid", to="B2 R2 K5 W5"))
    assert fault.field == "bag"
    assert fault.reason == "3 of 100 tiles are missing: 2 blue, 1 yellow."
    assert parse(json.dumps(changed("lid", to="B2 R2 K5 W5")), check_counts=False)


def test_more_tiles_in_view_than_were_dealt() -> None:
    broken = {key: value for key, value in GOOD.items() if key not in ("bag", "lid")}
    fault = only_fault(broken | {"round": 1})
    assert fault.field == "round"
    assert fault.reason == "23 tiles are in view, but up to round 1 only 20 have been dealt."
    assert parse(json.dumps(broken | {"round": 1}), check_counts=False)
    assert parse(json.dumps(broken | {"round": 2}))


def test_numbers_beyond_any_room_are_refused_without_counting_too() -> None:
    fault = only_fault(changed("bag", to="B60"), check_counts=False)
    assert "more than 63" in fault.reason


# --- displays and center --------------------------------------------------------------------


def test_five_tiles_on_a_display() -> None:
    """Rules case A10, second half."""
    broken = changed("factories", 0, to="BBYRR") | {"lid": "B4 Y1 R1 K5 W5"}
    fault = only_fault(broken)
    assert fault.field == "factories[0]"
    assert fault.reason == "Display 1 holds 5 tiles; it has room for 4."


def test_too_few_tiles_on_a_display() -> None:
    broken = changed("factories", 1, to="KKW") | {"lid": "B4 Y1 R2 K5 W6"}
    fault = only_fault(broken)
    assert (fault.field, "holds 3 tiles" in fault.reason) == ("factories[1]", True)


def test_two_short_displays() -> None:
    short = document(["BB", "Y"], "1", [board()] * 3, round=9)
    assert [fault.field for fault in faults_of(short)] == ["factories[0]", "factories[1]"]
    assert parse(json.dumps(short | {"factories": ["BBYY", "Y"]}))


@pytest.mark.parametrize(("players", "displays"), [(2, 5), (3, 7), (4, 9)])
def test_too_many_displays(players: int, displays: int) -> None:
    many = document([""] * (displays + 1), "BYRK1", [board()] * players)
    fault = only_fault(many)
    assert fault.field == "factories"
    assert fault.reason == (f"{players} players use {displays} displays; here are {displays + 1}.")


def test_more_in_the_center_than_can_have_come_there() -> None:
    crowded = document(["BBYR", "KKKK", "WWYY", "BKRW"], "YYRR1", [board()] * 2)
    fault = only_fault(crowded)
    assert fault.field == "center"
    assert "at most 3 can have come there from 1 emptied display" in fault.reason


# --- boards ---------------------------------------------------------------------------------


def test_a_line_holding_a_color_its_row_already_has() -> None:
    broken = changed("players", 0, "lines", 1, to="RR") | {"lid": "B4 Y3 R0 K5 W5"}
    fault = only_fault(broken)
    assert fault.field == "players[0].lines[1]"
    assert fault.reason == ("Line 2 of player 1 holds red, but row 2 of the wall already has it.")


def test_a_line_of_two_colors() -> None:
    broken = changed("players", 0, "lines", 2, to="BY") | {"lid": "B5 Y0 R2 K5 W5"}
    fault = only_fault(broken)
    assert fault.field == "players[0].lines[2]"
    assert fault.reason == "Line 3 of player 1 holds blue and yellow."


def test_a_line_too_long() -> None:
    broken = changed("players", 0, "lines", 1, to="YYY") | {"lid": "B4 Y0 R2 K5 W5"}
    fault = only_fault(broken)
    assert fault.field == "players[0].lines[1]"
    assert fault.reason == "Line 2 of player 1 holds 3 tiles; it has 2 spaces."


def test_a_floor_too_long() -> None:
    broken = changed("players", 1, "floor", to="W" * 8) | {"bag": "B12 Y13 R13 K11 W4"}
    fault = only_fault(broken)
    assert fault.field == "players[1].floor"
    assert "holds 8 pieces; it has 7 spaces" in fault.reason


def test_a_wall_cell_of_the_wrong_color() -> None:
    fault = only_fault(changed("players", 1, "wall", 0, to="...B."))
    assert fault.field == "players[1].wall[0]"
    assert fault.reason == 'The wall has "B" in row 1 of player 2, column 4.'
    assert 'Only black belongs there: write "K", "x" or ".".' in fault.hint


def test_a_wall_row_of_the_wrong_length() -> None:
    fault = only_fault(changed("players", 1, "wall", 2, to="......"))
    assert fault.field == "players[1].wall[2]"
    assert "6 cells in row 3 of player 2, not 5" in fault.reason


@pytest.mark.parametrize("score", [-1, 4, 10**30])
def test_an_impossible_score(score: int) -> None:
    fault = only_fault(changed("players", 0, "score", to=score))
    assert fault.field == "players[0].score"
    assert f"cannot have {score} points" in fault.reason
    assert "0 to 3" in fault.reason, "two wall tiles: 1 + 2 at best"


def test_the_best_placement_totals_of_few_tiles() -> None:
    """Against all orders of up to five tiles, each placement scored by walking the wall."""
    best = {frozenset[tuple[int, int]](): 0}
    for number in range(6):
        assert max(best.values()) == MAX_PLACEMENT_POINTS[number]
        following: dict[frozenset[tuple[int, int]], int] = {}
        for cells, points in best.items():
            for cell in itertools.product(range(5), range(5)):
                if cell not in cells and (not cells or number < 5):
                    larger = cells | {cell}
                    total = points + placement(larger, cell)
                    following[larger] = max(total, following.get(larger, 0))
        best = following


def placement(cells: frozenset[tuple[int, int]], cell: tuple[int, int]) -> int:
    runs = []
    for step in ((0, 1), (1, 0)):
        length = 1
        for sign in (1, -1):
            row, column = cell
            while (row := row + sign * step[0], column := column + sign * step[1]) in cells:
                length += 1
        runs.append(length)
    return sum(run for run in runs if run > 1) or 1


# --- players, round, marker -----------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 1, 5])
def test_wrong_number_of_players(number: int) -> None:
    fault = faults_of(document(["BBYR"], "1", [board()] * number))[0]
    assert fault.field == "players"
    assert fault.reason == f"The number of players is {number}."
    assert "2-4" in fault.hint


@pytest.mark.parametrize("field", ["to_move", "start", "next_start"])
@pytest.mark.parametrize("player", [0, -1, 3])
def test_players_that_do_not_exist(field: str, player: int) -> None:
    faults = faults_of(changed(field, to=player))
    assert Fault(field, f"There is no player {player}.", "Write a number from 1 to 2.") in faults


@pytest.mark.parametrize("number", [0, -3, 10**12])
def test_impossible_rounds(number: int) -> None:
    faults = faults_of(changed("round", to=number))
    assert faults[0].field == "round"


@pytest.mark.parametrize(
    ("center", "floor", "field", "places"),
    [
        ("YK1", "W1", "players[1].floor", "the center and the floor of player 2"),
        ("YK11", "W", "center", "the center and the center"),
        ("YK", "1W1", "players[1].floor", "the floor of player 2 and the floor of player 2"),
    ],
)
def test_two_markers(center: str, floor: str, field: str, places: str) -> None:
    broken = changed("players", 1, "floor", to=floor) | {"center": center}
    fault = only_fault(broken)
    assert fault.field == field
    assert f"lies in 2 places: {places}." in fault.reason


def test_the_marker_on_a_display_or_in_a_line() -> None:
    broken = document(["BBY1", "KKKK", "WWYY", "BKRW", "RRRY"], "", [board()] * 2)
    fault = faults_of(broken)[0]
    assert (fault.field, fault.reason) == (
        "factories[0]",
        "Display 1 holds the starting player marker.",
    )


def test_the_marker_nowhere_while_the_center_was_used() -> None:
    fault = only_fault(changed("center", to="YK"))
    assert (fault.field, fault.reason) == ("center", "The starting player marker is nowhere.")
    assert "next_start" in fault.hint


def test_the_marker_nowhere_with_the_tiling_open() -> None:
    tiling = document([], "", [board(lines=["B", "", "", "", ""]), board()])
    assert only_fault(tiling).field == "center"
    state = to_state(parse(json.dumps(tiling | {"next_start": 2})))
    assert (state.mover, state.stage) == (1, game.DEAL)


@pytest.mark.parametrize("center", ["YK1", "YK"])
def test_next_start_where_the_marker_is_seen(center: str) -> None:
    broken = changed("next_start", to=1) | {"center": center}
    broken["players"][1]["floor"] = "W" if "1" in center else "1W"
    fault = only_fault(broken)
    assert fault.field == "next_start"
    assert fault.hint == "Leave next_start out."


def test_next_start_without_a_full_floor() -> None:
    fault = only_fault(changed("next_start", to=2) | {"center": "YK"})
    assert fault.field == "next_start"
    assert "not among the floor's pieces" in fault.reason


def test_next_start_between_rounds_is_the_mover() -> None:
    between = document([], "", [board()] * 2, next_start=2)
    assert only_fault(between).field == "next_start"
    assert parse(json.dumps(between | {"to_move": 2}))


def test_start_against_the_emptied_displays() -> None:
    # Three of five displays are empty: three turns, so player 2 began if player 1 is to move.
    fault = only_fault(changed("start", to=1))
    assert fault.field == "start"
    assert "it was player 2" in fault.reason
    assert parse(json.dumps(changed("start", to=2)))


def test_start_between_rounds() -> None:
    between = document([], "1", [board()] * 2, start=2)
    assert only_fault(between).field == "start"


def test_a_full_row_while_drafting() -> None:
    broken = changed("players", 0, "wall", 3, to="RKWBY") | {"lid": "B3 Y0 R1 K4 W4"}
    fault = only_fault(broken)
    assert fault.field == "players[0].wall[3]"
    assert "complete in row 4 of player 1, but tiles are still on offer" in fault.reason


def test_a_name_with_control_characters() -> None:
    fault = only_fault(changed("players", 0, "name", to="Ann\x1b[31m"))
    assert fault.field == "players[0].name"
    assert only_fault(json.dumps(changed("players", 0, "name", to="\ud800"))).field == fault.field


# --- all at once ----------------------------------------------------------------------------


def test_rules_case_e01_has_its_three_reasons() -> None:
    first = board(
        27,
        ["", "WW", "YYY", "KK", ""],
        ["BYRKW", ".BYRK", "..B..", "..W..", ".RK.."],
        "1YY",
    )
    second = board(23, ["", "", "", "BB", ""], ["BY.KW", "WBYRK", "KW..R", "....Y", "...WB"])
    faults = faults_of(document(["BYRY"], "BBRRRKK1", [first, second], round=5, bag={}, lid={}))
    assert len(faults) == 3
    reasons = {fault.field: fault.reason for fault in faults}
    assert "lies in 2 places: the center and the floor of player 1" in reasons["players[0].floor"]
    assert "row 1 of player 1 and row 2 of player 2" in reasons["players[0].wall[0]"]
    assert reasons["bag"].startswith("50 of 100 tiles are missing: ")


def test_every_fault_is_reported_at_once() -> None:
    broken = copy.deepcopy(GOOD)
    broken |= {"to_move": 5, "rond": 2, "bag": "B99", "factories": ["BBYRR", "KKWW", "G"]}
    broken["players"][0] |= {"score": 99, "floor": "1", "lines": ["BB", "YR", "", "", ""]}
    broken["players"][1] |= {"wall": ["....B", *["....."] * 4], "name": 3}
    fields = [fault.field for fault in faults_of(broken)]
    assert sorted(set(fields)) == [
        "bag", "factories[0]", "factories[2]", "players[0].floor", "players[0].lines[0]",
        "players[0].lines[1]", "players[0].score", "players[1].name", "players[1].wall[0]",
        "rond", "to_move",
    ]  # fmt: skip


def test_a_position_made_by_hand_is_checked_on_its_way_to_a_record() -> None:
    good = parse(json.dumps(GOOD))
    with pytest.raises(PositionError, match="There is no player 7"):
        to_state(replace(good, to_move=7))
    with pytest.raises(PositionError, match="needs 5 entries; it has 1"):
        to_state(replace(good, players=(replace(good.players[0], lines=("",)),) * 2))


# --- whatever else is in a file -------------------------------------------------------------


def values() -> Iterator[Any]:
    yield from [
        None,
        -1,
        0,
        10**20,
        1.5,
        True,
        "",
        "1",
        "x",
        "BBBBBBBBB",
        [],
        [""],
        [[]],
        {},
        {"B": 1},
    ]


@pytest.mark.parametrize("value", list(values()), ids=repr)
def test_any_value_anywhere_is_accepted_or_refused_in_order(value: Any) -> None:
    """Nothing but a PositionError comes out, and what is accepted becomes a record."""
    paths: list[tuple[str | int, ...]] = [(key,) for key in (*GOOD, "start", "next_start")]
    paths += [("factories", 0), ("players", 0)]
    paths += [("players", 1, key) for key in (*GOOD["players"][1], "name")]
    paths += [("players", 1, key, 2) for key in ("lines", "wall")]
    for path in paths:
        with contextlib.suppress(PositionError):
            to_state(parse(json.dumps(changed(*path, to=value)), check_counts=False))
