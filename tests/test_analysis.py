"""Analyses as the Python interface gives them: what is in them, and what is refused."""

from __future__ import annotations

import functools
import json
import math
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import pytest

import azul_ai
from azul_ai import MoveError, analysis, engine, evaluation, game, notation
from azul_ai.analysis import Analysis
from azul_ai.evaluation.interface import DIFF, POINTS, WIN
from azul_ai.position import Position, PositionError, from_state, parse, to_state
from azul_ai.settings import Limit, SettingError, make_searcher
from tests.oracle.positions import board
from tests.oracle.positions import position as document
from tests.playing import legal_moves, random_states

POSITIONS = Path(__file__).parent.parent / "positions"
FEW = Limit(iterations=300)

KEYS = {
    "": "schema position game players to_move pov objective engine limit seed threads"
    " deterministic root moves stats warnings",
    "engine": "name auto version settings evaluation",
    "root": "win win_se diff diff_se diff_sd points visits",
    "moves": "move also order win win_se diff diff_se points loss loss_se visits depth bound"
    " proven pv vector",
    "stats": "nodes time_s nodes_per_s compile_s memory_mb",
}


@functools.cache
def opening(players: int = 2) -> Position:
    return azul_ai.load(str(POSITIONS / f"opening-{players}p.toml"))


def ask(position: Position, **request: Any) -> Analysis:
    """A short search, if nothing else is said."""
    given = {"engine": "ismcts", "limit": FEW, "top": 500, **request}
    found: Analysis = azul_ai.analyze(position, **given)
    return found


def position_of(*arguments: Any, **others: Any) -> Position:
    return parse(json.dumps(document(*arguments, **others)), check_counts=False)


def timeless(found: Analysis) -> dict[str, Any]:
    """An analysis as JSON without its times."""
    written = found.to_dict()
    for key in ("time_s", "nodes_per_s", "compile_s"):
        del written["stats"][key]
    return written


def names(found: Analysis) -> list[str]:
    return [move.move for move in found.moves]


# --- what is in it ----------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_json_is_strict_and_has_the_documented_keys(players: int) -> None:
    found = ask(opening(players))
    text = json.dumps(found.to_dict(), allow_nan=False)  # nor is anything numpy's
    written = json.loads(text)
    assert list(written) == KEYS[""].split()
    for part in ("engine", "root", "stats"):
        assert list(written[part]) == KEYS[part].split()
    assert {tuple(move) for move in written["moves"]} == {tuple(KEYS["moves"].split())}
    assert written["schema"] == "azul-analysis/1"
    assert parse(written["position"]) == opening(players)
    assert written["players"] == players
    assert written["to_move"] == written["pov"] == 1
    assert written["limit"] == {"iterations": 300}
    assert (written["seed"], written["threads"], written["deterministic"]) == (1, 1, True)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_moves_are_ranked_with_the_values_of_a_search(players: int) -> None:
    """The same as a search asked for elsewhere with the same seed says (F05)."""
    state, limit = to_state(opening(players)), Limit(iterations=3000)
    found = ask(opening(players), limit=limit)
    player = engine.Player("azul", "ismcts", limit)
    problem = replace(player.problem(state, 1), top=500)
    expected = engine.run(make_searcher("ismcts", {}), problem, limit, 1).found
    assert player.choose(state, 1) == expected.moves[0].move
    assert [move.order for move in found.moves] == list(range(1, len(found.moves) + 1))
    assert len(found.moves) == len(legal_moves(state, distinct=True))
    for move, other in zip(found.moves, expected.moves, strict=True):
        assert move.move == notation.names(state, other.move)[0]
        own = other.values[0]
        assert (move.win, move.diff, move.points) == (own[WIN], own[DIFF], own[POINTS])
        assert (move.visits, move.depth) == (other.visits, other.depth)
        assert move.pv == tuple(notation.format_move(state, ply) for ply in other.pv)
        assert (move.bound, move.proven) == ("exact", False)
        assert (move.win_se is None) == (move.diff_se is None) == (move.visits == 0)
        assert move.win_se is None or move.win_se > 0
        if players == 2:
            assert move.vector is None
        else:
            vector = [(value.win, value.points) for value in move.vector]
            assert vector == [(value[WIN], value[POINTS]) for value in other.values]
    best = found.best
    assert best is found.moves[0]
    root = found.root
    assert (root.win, root.diff, root.points) == (best.win, best.diff, best.points)
    assert root.visits == found.stats.nodes == 3000


@pytest.mark.parametrize("objective", ["win", "diff"])
def test_the_loss_is_in_the_unit_of_the_objective(objective: str) -> None:
    found = ask(opening(), limit=Limit(iterations=3000), objective=objective)
    assert found.objective == objective

    def utility(move: analysis.MoveValue) -> float:
        return move.diff if objective == "diff" else move.win + move.diff / 10_000

    best = found.moves[0]
    assert (best.loss, best.loss_se) == (0.0, 0.0)
    for move in found.moves:
        assert move.loss == pytest.approx(max(0, utility(best) - utility(move)))


@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_request_gives_the_same_json_but_for_the_times(threads: int) -> None:
    once, again, watched, other = (
        timeless(ask(opening(3), threads=threads, **request))
        for request in ({}, {}, {"on_progress": lambda _progress: None}, {"seed": 2})
    )
    assert once == again == watched
    assert once["threads"] == threads
    assert once["moves"] != other["moves"]


def test_a_time_limit_uses_all_cores_and_does_not_repeat() -> None:
    found = ask(opening(), limit=Limit(time=0.2))
    assert found.threads == engine.local_cores()
    assert not found.deterministic
    assert found.limit == {"time": 0.2}
    assert 0.2 <= found.stats.time_s < 2
    assert found.stats.nodes_per_s == pytest.approx(found.stats.nodes / found.stats.time_s)


def test_what_was_assumed_about_the_position_is_said_again() -> None:
    state = next(s for s in random_states(2, 3) if s.stage == game.DECISION and s["round"] == 7)
    written = replace(from_state(state), bag=None, lid=None)
    position = parse(json.dumps(written.to_dict()))
    assert position.warnings
    assert set(position.warnings) <= set(ask(position).warnings)


def test_settings_are_given_back() -> None:
    found = ask(opening(), settings={"leaf": "random", "horizon": "0"})
    assert found.engine.settings == {"leaf": "random", "horizon": "0"}
    assert (found.engine.name, found.engine.auto) == ("ismcts", False)
    assert found.engine.version == azul_ai.__version__
    assert found.engine.evaluation == evaluation.load("azul").id


# --- which moves ------------------------------------------------------------------------


def twins() -> Position:
    """Two pairs of equal displays."""
    return position_of(["BBRR", "KWWY", "BBRR", "KWWY", "BYRK"], "1", [board(), board()])


def test_equal_displays_have_one_row() -> None:
    found = ask(twins())
    rows = {move.move: move.also for move in found.moves}
    assert rows["F1-B-2"] == ("F3-B-2",)
    assert rows["F2-W-floor"] == ("F4-W-floor",)
    assert rows["F5-K-1"] == ()
    assert not [name for name in rows if name.startswith(("F3", "F4"))]


def test_some_moves_may_be_chosen_and_others_avoided() -> None:
    chosen = ask(twins(), moves=["f3-b-2", "F5-K-1", "F1-B-2"])
    assert sorted(names(chosen)) == ["F1-B-2", "F5-K-1"]
    avoiding = ask(twins(), avoid=["F3-B-2", "F5-K-1"])
    assert len(avoiding.moves) == len(ask(twins()).moves) - 2
    assert not {"F1-B-2", "F5-K-1"} & set(names(avoiding))
    both = ask(twins(), moves=["F1-B-2", "F5-K-1"], avoid=["F1-B-2"])
    assert names(both) == ["F5-K-1"]
    assert "this is the only move" not in both.warnings


def test_the_top_and_what_is_to_be_shown() -> None:
    everything = ask(twins())
    some = ask(twins(), top=3, show=["F3-B-floor", names(everything)[0]])
    shown = [move for move in everything.moves if move.order <= 3 or move.move == "F1-B-floor"]
    assert [(move.move, move.order) for move in some.moves] == [
        (move.move, move.order) for move in shown
    ]
    assert len(some.moves) == 4
    assert some.root == everything.root


# --- positions without a choice ---------------------------------------------------------


def over(*scores: int) -> Position:
    """A finished game in which everybody has one complete row."""
    row = ["BYRKW", *["....."] * 4]
    return position_of(
        [], "", [board(score, wall=row) for score in scores], round=6, next_start=1, to_move=1
    )


@pytest.mark.parametrize(
    ("scores", "pov", "win", "diff"),
    [((11, 14), 2, 1.0, 3), ((14, 11, 9), 1, 1.0, 3), ((9, 14, 14), 2, 0.5, 0)],
)
def test_a_finished_game_has_a_result(
    scores: tuple[int, ...], pov: int, win: float, diff: int
) -> None:
    found = ask(over(*scores))
    assert (found.moves, found.best) == ((), None)
    assert found.pov == pov
    points = max(scores) + 2
    assert found.root == analysis.Value(win, 0.0, float(diff), 0.0, None, float(points), 0)
    assert any("over" in warning for warning in found.warnings)
    json.dumps(found.to_dict(), allow_nan=False)


def test_between_rounds_nobody_is_to_move() -> None:
    with pytest.raises(PositionError) as raised:
        ask(position_of([], "", [board(), board()], round=2))
    (fault,) = raised.value.faults
    assert fault.field == "factories"
    assert "azul-ai move" in fault.hint


def forced() -> Position:
    """All that is left is a red tile, and red fits in no line."""
    wall = ["..R..", "...R.", "....R", "R....", ".R..."]
    return position_of([], "R", [board(1, wall=wall), board(0, floor="1")], round=5)


@pytest.mark.parametrize("limit", [Limit(time=60), Limit(iterations=50)])
def test_a_forced_move_is_answered_at_once(limit: Limit) -> None:
    found = ask(forced(), limit=limit)
    assert names(found) == ["C-R-floor"]
    assert found.stats.time_s < 5
    assert found.limit == limit.given()
    assert "this is the only move" in found.warnings


# --- stopped early ----------------------------------------------------------------------


def test_ctrl_c_gives_the_best_so_far() -> None:
    def press(progress: engine.Progress) -> None:
        assert progress.found.moves
        raise KeyboardInterrupt

    found = ask(opening(), limit=Limit(iterations=10**9), on_progress=press)
    assert found.interrupted
    assert not found.deterministic
    assert 0 < found.stats.nodes == found.root.visits < 10**9
    assert found.best.pv
    assert any("best so far" in warning for warning in found.warnings)
    assert "interrupted" not in found.to_dict()


# --- what is refused --------------------------------------------------------------------


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("request_", "where"),
    [
        ({"objective": "draw"}, "objective"),
        ({"threads": 0}, "threads"),
        ({"threads": -2}, "threads"),
        ({"top": 0}, "top"),
        ({"memory": engine.MIN_MEMORY - 1}, "memory"),
        ({"engine": "ismctz"}, "engine"),
        ({"limit": Limit(depth=3)}, "depth"),
        ({"settings": {"leav": "x"}}, "set.leav"),
        ({"settings": {"evaluation": "x"}}, "set.evaluation"),
        ({"moves": ["F1-B-2"], "avoid": ["F3-B-2"]}, "avoid"),
    ],
)
def test_what_does_not_fit_is_named(request_: dict[str, Any], where: str) -> None:
    with pytest.raises(SettingError) as raised:
        ask(twins(), **request_)
    assert raised.value.field == where
    assert raised.value.reason
    assert raised.value.hint


@pytest.mark.nojit
@pytest.mark.parametrize("option", ["moves", "avoid", "show"])
def test_moves_that_are_not_legal(option: str) -> None:
    with pytest.raises(MoveError, match="F1-K-2"):
        ask(twins(), **{option: ["F1-K-2"]})


@pytest.mark.nojit
def test_an_unknown_request() -> None:
    with pytest.raises(TypeError, match="depht"):
        ask(twins(), depht=3)


# --- the public interface ---------------------------------------------------------------


@pytest.mark.nojit
@pytest.mark.parametrize("name", azul_ai.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(azul_ai, name).__doc__ if name != "__version__" else azul_ai.__version__


@pytest.mark.nojit
def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="analyse"):
        azul_ai.analyse  # noqa: B018


def test_an_analysis_is_plain_data() -> None:
    found = ask(twins(), top=2)
    written = found.to_dict()
    apart = {"advice", "explanation", "interrupted"}
    assert {field.name for field in fields(found)} == ({*written} | apart) - {"schema"}
    assert written["moves"] == tuple(asdict(move) for move in found.moves)
    assert all(math.isfinite(value) for value in written["root"].values() if value is not None)
    with pytest.raises(AttributeError):
        found.seed = 2  # type: ignore[misc]
