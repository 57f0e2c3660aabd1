"""The commands about positions: new, move, perft, show."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from azul_ai.position import load, parse
from tests.oracle.positions import board, position

Run = Callable[..., Result]

PERFT = json.loads((Path(__file__).parent / "data" / "perft_azul.json").read_text())

LAST_MOVE = position(
    ["", "", "", "", ""],
    "R",
    [
        {"name": "Anna", **board(0, ["B", "YY", "RRR", "", ""], floor="1W")},
        {"name": "Bruno", **board(0, ["K", "WW", "BBB", "KKKK", ""], floor="RR")},
    ],
    to_move=2,
)
"""Round 1 before its last move, C-R-*: 20 tiles on the boards, 80 in the bag, none in the lid."""
NEXT_DEAL = "BBYR,KKWW,WWYY,RRRY,BYRK"


def test_new_deals_an_opening_that_the_seed_decides(run: Run) -> None:
    first, second, other = (run("new", "--seed", seed).stdout for seed in (1, 1, 2))
    assert first == second != other
    opening = parse(first)
    assert (opening.round, opening.to_move, opening.center) == (1, 1, "1")
    assert [len(tiles) for tiles in opening.factories] == [4] * 5
    assert opening.bag is not None
    assert opening.lid is not None
    tiles = Counter("".join(opening.factories)) + Counter(opening.bag)
    assert tiles == dict.fromkeys("BYRKW", 20)
    assert sum(opening.lid.values()) == 0


@pytest.mark.parametrize(("players", "displays"), [(2, 5), (3, 7), (4, 9)])
def test_new_fits_the_number_of_players(run: Run, players: int, displays: int) -> None:
    opening = parse(run("new", "--players", players).stdout)
    assert (len(opening.players), len(opening.factories)) == (players, displays)


def test_new_draws_a_seed_and_says_which(run: Run) -> None:
    drawn = run("new", "--seed", "random")
    (seed,) = (line.split()[-1] for line in drawn.stderr.splitlines() if "seed" in line)
    assert run("new", "--seed", seed).stdout == drawn.stdout


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_template_becomes_a_position_once_filled_in(run: Run, players: int) -> None:
    template = run("new", "--empty", "--players", players).stdout
    assert "#" in template
    filled = parse(template.replace("????", "BYRK"))
    assert len(filled.players) == players


def test_all_forms_of_a_position_mean_the_same(run: Run) -> None:
    toml, as_json, code = (run("new", *option).stdout for option in ([], ["--json"], ["--code"]))
    assert parse(toml) == parse(as_json) == parse(code)


def moved(run: Run, document: dict[str, Any], *arguments: str) -> dict[str, Any]:
    result = run("move", "-", *arguments, "--json", stdin=json.dumps(document))
    assert result.exit_code == 0, result.stdout
    after: dict[str, Any] = json.loads(result.stdout)
    return after


def test_move_plays_and_the_rest_of_a_display_goes_to_the_center(run: Run) -> None:
    before = position(["BBYR", "KKWW", "WWYY", "RRRY", "BYRK"], "1", [board(), board()])
    after = moved(run, before, "F1-B-3", "c-y-2")
    assert after["to_move"] == 1
    assert after["factories"][0] == ""
    assert after["center"] == "R"
    assert after["players"][0]["lines"][2] == "BB"
    assert after["players"][1] == board(0, ["", "Y", "", "", ""], floor="1")


def test_move_without_moves_prints_the_position(run: Run) -> None:
    before = position(["BBYR", "KKWW"], "WY1", [board(0, ["B"] + [""] * 4, floor="RKYWK"), board()])
    after = moved(run, before)
    assert after == moved(run, after)
    assert after["players"] == before["players"]
    assert after["factories"] == ["BBYR", "KKWW", "", "", ""]


def test_the_last_move_tiles_the_walls_and_says_that_a_deal_is_due(run: Run) -> None:
    result = run("move", "-", "C-R-5", "--json", stdin=json.dumps(LAST_MOVE))
    assert "round 1 is over; deal the next with --deal or --seed" in result.stderr
    after = json.loads(result.stdout)
    assert (after["to_move"], after["factories"]) == (1, [""] * 5)
    anna, bruno = after["players"]
    # Lone tiles score 1 each, top to bottom; both floors cost 2.
    wall = ["B....", "..Y..", "....R", ".....", "....."]
    assert anna == {"name": "Anna", **board(1, wall=wall)}
    # The white tile joins nothing; blue, in its row, neither; black stands below white.
    wall = ["...K.", "W....", "..B..", ".K...", "....."]
    assert bruno == {"name": "Bruno", **board(2, ["", "", "", "", "R"], wall)}
    assert after["lid"] == {"B": 2, "Y": 1, "R": 4, "K": 3, "W": 2}


def test_a_given_deal_starts_the_next_round(run: Run) -> None:
    after = moved(run, LAST_MOVE, "C-R-5", "--deal", NEXT_DEAL)
    assert (after["round"], after["to_move"], after["center"]) == (2, 1, "1")
    assert [Counter(tiles) for tiles in after["factories"]] == [
        Counter(tiles) for tiles in NEXT_DEAL.split(",")
    ]
    # The bag held B16 Y18 R14 K15 W17.
    assert after["bag"] == {"B": 13, "Y": 13, "R": 9, "K": 12, "W": 13}
    assert after["lid"] == {"B": 2, "Y": 1, "R": 4, "K": 3, "W": 2}


def test_moves_go_on_after_a_deal(run: Run) -> None:
    after = moved(run, LAST_MOVE, "C-R-5", "F2-K-2", "--deal", NEXT_DEAL)
    assert (after["round"], after["to_move"], after["center"]) == (2, 2, "WW1")
    assert after["players"][0]["lines"][1] == "KK"


def test_a_seed_deals_the_same_every_time_and_no_tile_is_lost(run: Run) -> None:
    first, second, other = (moved(run, LAST_MOVE, "C-R-5", "--seed", seed) for seed in "112")
    assert first == second
    assert first["factories"] != other["factories"]
    bag = Counter(first["bag"]) + Counter("".join(first["factories"]))
    assert bag == {"B": 16, "Y": 18, "R": 14, "K": 15, "W": 17}


def test_a_seed_is_not_needed_where_no_deal_is_due(run: Run) -> None:
    before = position(["BBYR", "KKWW"], "WY1", [board(0, ["B"] + [""] * 4, floor="RKYWK"), board()])
    assert moved(run, before, "F1-B-3") == moved(run, before, "F1-B-3", "--seed", "5")


def failure(run: Run, document: dict[str, Any], *arguments: str) -> str:
    result = run("move", "-", *arguments, "--quiet", stdin=json.dumps(document))
    assert result.exit_code == 1
    assert result.stdout == ""
    return " ".join(result.stderr.split())


def test_a_move_after_the_round_needs_a_deal(run: Run) -> None:
    said = failure(run, LAST_MOVE, "C-R-5", "F2-K-2")
    assert "F2-K-2: Round 1 is over; a deal comes before this move." in said
    assert "--deal" in said


def test_a_deal_that_is_not_due_is_refused(run: Run) -> None:
    opening = position(["BBYR", "KKWW", "WWYY", "RRRY", "BYRK"], "1", [board(), board()])
    assert "--deal: No deal is due" in failure(run, opening, "F1-B-3", "--deal", NEXT_DEAL)


def test_an_impossible_deal_is_refused(run: Run) -> None:
    said = failure(run, LAST_MOVE, "C-R-5", "--deal", "BBYR,KKWW,WWYY,RRRY,BYRX")
    assert "--deal: There is no color 'X'" in said


def test_an_illegal_move_is_refused_with_its_reason(run: Run) -> None:
    assert "F1-R-1 is not legal: display 1 " in failure(run, LAST_MOVE, "F1-R-1")
    assert '"hello" is no move' in failure(run, LAST_MOVE, "hello")


def test_a_finished_game_takes_no_move(run: Run) -> None:
    wall = ["BYRKW", ".....", ".....", ".....", "....."]
    finished = position([""] * 5, "", [board(11, wall=wall), board()], round=6, next_start=1)
    assert "over" in failure(run, finished, "C-R-5")


@pytest.mark.parametrize("case", PERFT, ids=range(len(PERFT)))
def test_perft_counts_what_the_tables_say(run: Run, case: dict[str, Any]) -> None:
    text = json.dumps(case["position"])
    for depth, leaves in enumerate(case["perft"], 1):
        result = run("perft", "-", "--depth", depth, "--divide", "--json", stdin=text)
        document = json.loads(result.stdout)
        assert document["leaves"] == leaves == sum(document["divide"].values())
        assert len(document["divide"]) == case["perft"][0]
        assert (document["schema"], document["depth"]) == ("azul-perft/1", depth)
        assert load(document["position"]) == parse(text)
        assert document["time_s"] >= 0


def test_perft_for_people_ends_with_the_total(run: Run) -> None:
    text = json.dumps(PERFT[0]["position"])
    *divide, total = run("perft", "-", "--depth", 2, "--divide", stdin=text).stdout.splitlines()
    assert total.startswith(f"{PERFT[0]['perft'][1]} leaves at depth 2")
    assert sum(int(line.split(": ")[1]) for line in divide) == PERFT[0]["perft"][1]
    (only,) = run("perft", "-", "--depth", 2, stdin=text).stdout.splitlines()
    assert only.split("(")[0] == total.split("(")[0]


def test_show_draws_everything_within_80_columns(run: Run) -> None:
    for players in (2, 3, 4):
        opening = run("new", "--players", players, "--code").stdout.strip()
        shown = run("show", opening, "--moves").stdout
        lines = shown.splitlines()
        assert f"Code: {opening}" == lines[-1]
        assert max(map(len, lines[:-1])) <= 80
        assert f"Azul, {players} players, round 1" in lines[0]
        assert "Player 1 to move" in lines[0]
        for player in range(1, players + 1):
            assert f"Player {player}: 0 points" in shown
