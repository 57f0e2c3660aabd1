"""``azul-ai analyze`` as people and programs see it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from azul_ai import engine
from azul_ai.cli import options
from azul_ai.position import from_code, load
from azul_ai.settings import DEFAULT_TIME
from tests.oracle.positions import board, position

Run = Callable[..., Result]

POSITIONS = Path(__file__).parent.parent / "positions"
OPENING = POSITIONS / "opening-2p.toml"
FEW = ("--iterations", 300)

KEYS = {
    "engine": "name version settings evaluation",
    "root": "win win_se diff diff_se diff_sd points visits",
    "stats": "nodes time_s nodes_per_s compile_s memory_mb",
}
TOP_KEYS = """schema position game players to_move pov objective engine limit seed threads
    deterministic root moves stats warnings"""
MOVE_KEYS = """move also order win win_se diff diff_se points loss loss_se visits depth bound
    proven pv vector"""
TIMES = ("time_s", "nodes_per_s", "compile_s")


def analyzed(run: Run, argument: object, *arguments: object) -> dict[str, Any]:
    result = run("analyze", argument, *arguments, "--json", "--quiet")
    assert result.exit_code == 0, result.stdout
    assert result.stderr == ""
    document: dict[str, Any] = json.loads(result.stdout, parse_constant=_no_constant)
    return document


def _no_constant(name: str) -> None:
    raise AssertionError(f"{name} in JSON")


def names(document: dict[str, Any]) -> list[str]:
    return [move["move"] for move in document["moves"]]


def test_the_json_has_the_documented_keys(run: Run) -> None:
    document = analyzed(run, OPENING, *FEW)
    assert document["schema"] == "azul-analysis/1"
    assert set(document) >= set(TOP_KEYS.split())
    for part, keys in KEYS.items():
        assert set(document[part]) >= set(keys.split())
    assert from_code(document["position"]) == load(str(OPENING))
    for order, move in enumerate(document["moves"], 1):
        assert set(move) >= set(MOVE_KEYS.split())
        assert move["order"] == order
        assert move["pv"][0] == move["move"]
        assert 0 <= move["win"] <= 1
        assert move["loss"] >= 0
    assert document["limit"] == {"iterations": 300}
    assert document["stats"]["nodes"] == 300
    assert document["root"]["win"] == document["moves"][0]["win"]


def test_the_same_command_gives_the_same_json_but_for_the_times(run: Run) -> None:
    first, second = (analyzed(run, OPENING, *FEW, "--threads", 2) for _ in range(2))
    for name in TIMES:
        del first["stats"][name], second["stats"][name]
    assert first == second
    assert first["deterministic"] is True
    other = analyzed(run, OPENING, *FEW, "--threads", 2, "--seed", 2)
    assert other["root"] != first["root"]


def test_a_time_limit_is_kept_and_not_deterministic(run: Run) -> None:
    document = analyzed(run, OPENING, "--time", 0.3)
    assert document["deterministic"] is False
    assert document["limit"] == {"time": 0.3}
    assert 0.3 <= document["stats"]["time_s"] < 1.5


def test_moves_can_be_chosen_avoided_and_shown(run: Run) -> None:
    everything = names(analyzed(run, OPENING, *FEW, "--top", 500))
    assert len(everything) == len(set(everything)) > 50
    two, last = everything[:2], everything[-1]
    assert sorted(names(analyzed(run, OPENING, *FEW, "--moves", ",".join(two)))) == sorted(two)
    avoiding = analyzed(run, OPENING, *FEW, "--avoid", two[0].lower(), "--avoid", two[1])
    assert not {*two} & {*names(avoiding)}
    shown = names(analyzed(run, OPENING, *FEW, "--top", 3, "--show", last))
    assert len(shown) == 4
    assert shown[-1] == last


def test_moves_from_identical_displays_are_one_row(run: Run) -> None:
    document = position(["BBRR", "KWWY", "BBRR", "YYKK", "BYRK"], "1", [board(), board()])
    text = json.dumps(document)
    result = run("analyze", "-", *FEW, "--moves", "F3-B-2", "--json", "--quiet", stdin=text)
    (move,) = json.loads(result.stdout)["moves"]
    assert (move["move"], move["also"]) == ("F1-B-2", ["F3-B-2"])
    table = run("analyze", "-", *FEW, "--moves", "F3-B-2", "--quiet", stdin=text).stdout
    assert "F1-B-2 =F3" in table


def test_a_setting_is_used_and_named(run: Run) -> None:
    document = analyzed(run, OPENING, *FEW, "--set", "leaf=random")
    assert document["engine"]["settings"] == {"leaf": "random"}
    assert document["root"] != analyzed(run, OPENING, *FEW)["root"]
    shown = run("analyze", OPENING, *FEW, "--set", "leaf=random").stdout
    assert "leaf random" in " ".join(shown.split())


def test_the_objective_decides_the_unit_of_the_loss(run: Run) -> None:
    document = analyzed(run, OPENING, *FEW, "--objective", "diff")
    first, *others = document["moves"]
    for move in others:
        assert math.isclose(move["loss"], max(0, first["diff"] - move["diff"]), abs_tol=1e-9)
    assert "Loss%" not in run("analyze", OPENING, *FEW, "--objective", "diff").stdout
    assert "Loss%" in run("analyze", OPENING, *FEW).stdout


@pytest.mark.parametrize("players", [3, 4])
def test_with_more_players_every_player_is_told(run: Run, players: int) -> None:
    path = POSITIONS / f"opening-{players}p.toml"
    document = analyzed(run, path, *FEW)
    vector = document["moves"][0]["vector"]
    assert len(vector) == players
    assert math.isclose(sum(value["win"] for value in vector), 1, abs_tol=1e-6)
    assert f"player {players} " in run("analyze", path, *FEW).stdout


def test_the_table_fits_80_columns_and_says_what_it_means(run: Run) -> None:
    *lines, code = run("analyze", OPENING, *FEW, "--quiet").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("Azul, 2 players, round 1")
    assert lines[1].startswith("Best: ")
    header = next(line.split() for line in lines if line.split()[:1] == ["#"])
    assert header == ["#", "Move", "Win%", "±", "Diff", "±", "Points", "Loss%", "Visits", "PV"]
    footer = " ".join(" ".join(lines).split())
    for part in ("ismcts", "evaluation learned-azul-2", "seed 1", "1 thread", "300 nodes in"):
        assert part in footer
    assert load(code.removeprefix("Code: ")) == load(str(OPENING))


def test_a_seed_that_was_drawn_is_printed(run: Run) -> None:
    result = run("analyze", OPENING, *FEW, "--seed", "random", "--json")
    seed = json.loads(result.stdout)["seed"]
    assert f"azul-ai: seed {seed}" in result.stderr.splitlines()


def finished() -> str:
    wall = ["BYRKW", *["....."] * 4]
    return json.dumps(position([], "", [board(11, wall=wall), board()], round=6, next_start=1))


def test_a_finished_game_gets_its_result_and_no_moves(run: Run) -> None:
    result = run("analyze", "-", "--quiet", stdin=finished())
    assert result.exit_code == 0
    assert "game over; Player 1 wins" in result.stdout
    assert "13.0 points" in result.stdout
    document = json.loads(run("analyze", "-", "--json", "--quiet", stdin=finished()).stdout)
    assert document["moves"] == []
    assert (document["root"]["win"], document["root"]["diff"]) == (1.0, 13.0)
    assert any("over" in warning for warning in document["warnings"])


def test_a_forced_move_is_answered_at_once(run: Run) -> None:
    """All that is left is a red tile, and red fits in no line."""
    wall = ["..R..", "...R.", "....R", "R....", ".R..."]
    players = [board(1, wall=wall), board(0, floor="1")]
    text = json.dumps(position([], "R", players, round=5))
    document = json.loads(run("analyze", "-", "--json", "--quiet", stdin=text).stdout)
    assert names(document) == ["C-R-floor"]
    assert document["stats"]["time_s"] < 2
    assert any("only move" in warning for warning in document["warnings"])


def test_a_position_between_rounds_says_what_to_do(run: Run) -> None:
    text = json.dumps(position([], "", [board(), board()], round=2))
    result = run("analyze", "-", "--quiet", stdin=text)
    assert result.exit_code == 3
    assert "azul-ai move" in result.stderr


def test_a_move_that_is_not_legal_exits_with_1(run: Run) -> None:
    for option in ("--moves", "--avoid", "--show"):
        result = run("analyze", OPENING, *FEW, option, "F9-B-1", "--quiet")
        assert result.exit_code == 1
        assert "F9-B-1" in result.stderr


def test_help_states_the_real_defaults() -> None:
    texts = {option.name: option.help for option in _options(options.memory, options.limits)}
    assert texts["memory"].endswith(f"[default: {engine.DEFAULT_MEMORY >> 20}MiB]")
    assert f"default: {DEFAULT_TIME:g}" in texts["time"]
    assert options.DEFAULT_SEED == engine.DEFAULT_SEED


def _options(*decorators: Callable[[Any], Any]) -> Iterator[Any]:
    def command() -> None: ...

    for decorator in decorators:
        decorator(command)
    yield from command.__click_params__  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "size"),
    [("1000000", 10**6), ("200MB", 2 * 10**8), ("1.5g", 15 * 10**8), ("64 MiB", 2**26)],
)
def test_sizes_are_read(text: str, size: int) -> None:
    (memory,) = _options(options.memory)
    assert memory.callback(None, memory, text) == size
