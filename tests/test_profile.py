"""Profiles: what is measured, how it is compared, and that a slower kernel is caught."""

from __future__ import annotations

import copy
import json
import math
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result

from azul_ai import bench, engine, evaluation, game
from azul_ai.game import DEAL, DECISION
from azul_ai.position import PositionError, load, to_state
from azul_ai.profiling import breakdown, compare, kernels, plot, report, sample, steps, walks
from azul_ai.profiling.compare import RecordError
from azul_ai.profiling.engines import WORK, Rate, recommended
from azul_ai.profiling.primitives import PRIMITIVES, Workbench
from azul_ai.profiling.report import Profile
from azul_ai.profiling.timing import FINEST, MIN_RUNS, QUICK, Plan, Stopwatch, Timing
from azul_ai.search import tree
from azul_ai.settings import Limit, make_searcher

POSITIONS = Path(__file__).parent.parent / "positions"
OPENING = bench.positions()[0]
MODEL = evaluation.load("azul").model
Run = Callable[..., Result]


@pytest.fixture(scope="module")
def measured() -> Profile:
    """A quick profile of an opening, with all engines and two numbers of threads."""
    return report.profile(load(OPENING), tuple(WORK), (1, 2), QUICK)


@pytest.fixture
def instant(monkeypatch: pytest.MonkeyPatch, measured: Profile) -> None:
    """The command measures nothing and always has the same figures."""
    monkeypatch.setattr(report, "profile", lambda *_: measured)


@pytest.fixture
def record(tmp_path: Path, measured: Profile) -> Path:
    """Those figures, saved."""
    return write(tmp_path / "record.json", measured.to_dict())


def write(path: Path, document: Any) -> Path:
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def numbers(value: Any) -> Iterator[float]:
    """Every number of a JSON document."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from numbers(item)
    elif isinstance(value, (int, float)):
        yield value


# --- what is measured -------------------------------------------------------------------


def test_document(measured: Profile) -> None:
    document = json.loads(json.dumps(measured.to_dict(), allow_nan=False))
    assert document["schema"] == "azul-profile/1"
    assert document["position"] == OPENING
    assert {"cpu", "python", "numba", "numpy", "cores"} <= document["machine"].keys()
    names = [line["name"] for line in document["primitives"]]
    assert names == [*(p.name for p in PRIMITIVES), "random_game", "perft"]
    for line in document["primitives"]:
        assert line["ns"] * line["per_s"] == pytest.approx(1e9)
        assert line["runs"] >= MIN_RUNS
    assert all(number >= 0 for number in numbers(document))
    assert document["calibration"] > 0


def test_engines(measured: Profile) -> None:
    engines = measured.to_dict()["engines"]
    assert [(e["name"], e["threads"]) for e in engines] == [(n, t) for n in WORK for t in (1, 2)]
    for single, double in zip(engines[::2], engines[1::2], strict=True):
        unit = "iterations_per_s" if single["name"] == "ismcts" else "nodes_per_s"
        assert single["efficiency"] == 1
        assert double["efficiency"] == pytest.approx(double[unit] / single[unit] / 2)
        assert single["memory_mb"] > 0
        assert single["depth"] >= 1
        assert set(single["shares"]) == {*breakdown.PARTS, "other"}
        assert math.fsum(single["shares"].values()) == pytest.approx(1)
        assert "shares" not in double


@pytest.mark.parametrize("name", ["last-pick-3p", "two-colors-left-2p", "last-round-4p"])
def test_a_sample_is_made_of_decisions(name: str) -> None:
    position = to_state(load(str(POSITIONS / f"{name}.toml")))
    drawn, again = sample.draw(position), sample.draw(position)
    assert np.array_equal(drawn.decisions, again.decisions)
    assert len(drawn.decisions) == sample.SIZE
    listed = np.zeros(game.MAX_MOVES, dtype=np.int64)
    last = name == "last-pick-3p"
    for state, move in zip(drawn.decisions, drawn.moves, strict=True):
        assert state["stage"] == DECISION
        assert move in listed[: game.list_moves(state, listed, False)]
        game.play(state, move)
        assert (state["stage"] != DECISION) == last  # inner moves, if there are any
    assert (drawn.closed["stage"] == DEAL).all()


def test_a_round_that_ends_the_game() -> None:
    position = load(str(POSITIONS / "last-round-4p.toml"))
    found = report.profile(position, ("ismcts",), (1,), QUICK).to_dict()
    lines = {line["name"] for line in found["primitives"]}
    assert {p.name for p in PRIMITIVES} - lines == {"evaluate", "deal"}
    assert found["engines"][0]["shares"]["evaluation"] == 0
    assert found["engines"][0]["shares"]["selection"] > 0


@pytest.mark.parametrize("name", ["finisher-loses-C02", "short-deal-D03"])
def test_nobody_to_move(name: str) -> None:
    with pytest.raises(PositionError, match="nobody is to move"):
        report.profile(load(str(POSITIONS / f"{name}.toml")), (), (), QUICK)


def test_walks_are_drawn_as_often_as_they_happened() -> None:
    """A root visited 100 times: 60 + 40, and one grandchild that 30 of the 60 went to."""
    nodes, _ = tree.new_tree(8)
    position = to_state(load(OPENING))
    listed = np.zeros(game.MAX_MOVES, dtype=np.int64)
    nodes["move"][1:3] = listed[: game.list_moves(position, listed, True)][:2]
    after = position.copy()
    game.play(after, int(nodes[1]["move"]))
    nodes["move"][3] = listed[: game.list_moves(after, listed, True)][0]
    nodes["visits"][:4] = 100, 60, 40, 30
    nodes["first"][:2], nodes["children"][:2] = (1, 3), (2, 1)
    drawn = walks.draw(position, nodes)
    assert len(drawn.leaves) == walks.NUMBER
    assert (drawn.places[drawn.ends] == 1).mean() == pytest.approx(0.3, abs=0.12)  # 4 errors
    assert set(drawn.places) == {0, 1}
    assert (drawn.places == 0).sum() == walks.NUMBER
    assert len(drawn.playouts) == walks.NUMBER
    expected = (position, after)
    for state, place in zip(drawn.states, drawn.places, strict=True):
        assert state == expected[place]


def test_a_tree_is_walked_level_by_level() -> None:
    nodes, store = tree.new_tree(16)
    store.used = 9
    for index, first, children in [(0, 5, 2), (5, 1, 1), (6, 3, 2), (4, 8, 1)]:
        nodes[index]["first"], nodes[index]["children"] = first, children
    assert list(walks.reachable(nodes)) == [0, 5, 6, 1, 3, 4, 8]


def test_a_search_that_is_watched_finds_the_same() -> None:
    position = to_state(load(OPENING))
    listed = np.zeros(game.MAX_MOVES, dtype=np.int64)
    moves = listed[: game.list_moves(position, listed, True)]
    problem = engine.make_problem(position, MODEL, moves, Limit(depth=3))
    searcher = make_searcher("expectimax", {})
    (task,) = searcher.begin(problem, 1)
    met = steps.search(task)
    expected = engine.run(searcher, problem, Limit(), 1).found
    found = searcher.found(problem, [task])
    assert [move.move for move in found.moves] == [move.move for move in expected.moves]
    assert found.nodes == expected.nodes
    record = task.arguments()[2]
    assert record["nodes"] > record["leaves"] > record["opened"] > 0
    assert (met.opened["stage"] == DECISION).all()
    assert set(met.depths) <= {1, 2}
    for state, move in zip(met.last, met.last_moves, strict=True):
        assert move in listed[: game.list_moves(state, listed, False)]


def piece(part: str, count: float, relative: float) -> breakdown.Piece:
    return breakdown.Piece(part, "piece", count, Timing(5 * relative, 0.0, relative, 3))


def test_shares_cover_the_whole() -> None:
    pieces = [piece("playout", 30, 10.0), piece("table", 20, 5.0)]
    # Measured at a busier moment: twice the nanoseconds, the same relative time.
    found = breakdown.weigh(pieces, 10, Timing(800.0, 0.0, 80.0, 3))
    assert [share.share for share in found] == pytest.approx([30 / 80, 10 / 80, 40 / 80])
    assert [share.count for share in found] == [3, 2, 1]
    assert [share.ns for share in found] == pytest.approx([50.0, 25.0, 400.0])
    assert found[-1].part == "other"


def test_pieces_that_overlap_are_scaled() -> None:
    pieces = [piece("playout", 3, 30.0), piece("table", 1, 10.0)]
    found = breakdown.weigh(pieces, 1, Timing(250.0, 0.0, 50.0, 3))
    assert [share.share for share in found] == pytest.approx([0.9, 0.1, 0.0])


# --- timing -----------------------------------------------------------------------------


class Clock:
    """A clock that only work moves on; on a slow machine work takes longer."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, slowness: float = 1.0) -> None:
        self.now, self.slowness = 0.0, slowness
        monkeypatch.setattr(time, "perf_counter", lambda: self.now)
        monkeypatch.setattr(kernels, "spin", lambda _, steps: self.work(steps * 4))

    def work(self, nanoseconds: float) -> None:
        self.now += nanoseconds * self.slowness / 1e9


@pytest.mark.parametrize(
    ("plan", "expected"),
    [(Plan(runs=5, seconds=math.inf), 5), (Plan(runs=50, seconds=0.0), MIN_RUNS)],
)
def test_number_of_runs(plan: Plan, expected: int) -> None:
    runs: list[int] = []
    timing = Stopwatch(plan).time_once(lambda: runs.append(1), 1)
    assert len(runs) == timing.runs == expected


def test_a_run_lasts_as_long_as_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    done: list[int] = []

    def work(rounds: int) -> None:
        done.append(rounds)
        clock.work(1e6 * rounds)

    timing = Stopwatch(Plan(runs=4, run_seconds=0.05)).time(work, operations=2)
    assert done[-4:] == [50] * 4  # 50 rounds of a millisecond
    assert timing.ns == pytest.approx(1e6 / 2)
    assert timing.spread == pytest.approx(0, abs=1e-3)
    assert timing.per_s == pytest.approx(2e3)


def test_a_baseline_is_subtracted(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    stopwatch = Stopwatch(QUICK)
    long, short = (lambda rounds: clock.work(70 * rounds)), (lambda rounds: clock.work(30 * rounds))
    assert stopwatch.time(long, 2, short).ns == pytest.approx(20)
    assert stopwatch.time(short, 2, long).ns == FINEST  # never nothing, never less


@pytest.mark.parametrize("slowness", [1.0, 7.0])
def test_the_calibration_tells_a_slow_machine(
    slowness: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch, slowness)
    stopwatch = Stopwatch(QUICK)
    timing = stopwatch.time(lambda rounds: clock.work(100 * rounds), operations=1)
    assert timing.ns == pytest.approx(100 * slowness)
    assert stopwatch.calibration == pytest.approx(4 * slowness)
    assert timing.relative == pytest.approx(25)


def rate(threads: int, per_s: float) -> Rate:
    return Rate("ismcts", "iterations", threads, Timing(1e9 / per_s, 0, 1, 3), None, 1, 1, 1, ())


@pytest.mark.parametrize(
    ("rates", "expected"),
    [([100, 190, 380], 4), ([100, 190, 195], 2), ([100, 104, 99], 1), ([100, 97, 50], 1)],
)
def test_recommended_threads(rates: list[float], expected: int) -> None:
    measured = [rate(1 << index, per_s) for index, per_s in enumerate(rates)]
    assert recommended(measured).threads == expected


# --- comparing --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "limit"), [("10%", 0.1), ("2.5%", 0.025), ("150 %", 1.5), (" 5% ", 0.05)]
)
def test_percentages(text: str, limit: float) -> None:
    assert compare.percent(text) == pytest.approx(limit)


@pytest.mark.parametrize("text", ["", "10", "0%", "-5%", "ten%", "10%%", "nan%", "1e2%", "0.1"])
def test_no_percentages(text: str, run: Run) -> None:
    with pytest.raises(ValueError, match="10%"):
        compare.percent(text)
    assert run("profile", "--compare", "x", "--fail-if", text).exit_code == 2


def test_a_slowed_down_kernel_is_caught(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "before.json"
    options = ("profile", "--quick", "--threads", "1", "--engine", "ismcts")
    assert run(*options, "--save", record).exit_code == 0
    original = Workbench.repeat

    def slowed(workbench: Workbench, number: int, *rest: Any) -> None:
        original(workbench, number, *rest)
        if number == kernels.POLICY:
            time.sleep(0.1)  # many times what it takes, however busy the machine

    monkeypatch.setattr(Workbench, "repeat", slowed)
    result = run(*options, "--compare", record, "--fail-if", "50%")
    assert result.exit_code == 1
    assert "play_policy: " in result.stderr
    assert "slower than in" in result.stderr


@pytest.mark.usefixtures("instant")
def test_the_same_figures_pass(run: Run, record: Path) -> None:
    result = run("profile", OPENING, "--quick", "--compare", record, "--fail-if", "1%", "--json")
    assert result.exit_code == 0
    comparison = json.loads(result.stdout)["comparison"]
    assert {line["change"] for line in comparison} == {0.0}
    assert "ismcts" in {line["name"] for line in comparison}


@pytest.mark.usefixtures("instant")
@pytest.mark.parametrize("slower", ["random_game", "ismcts"])
def test_the_slower_line_is_named(run: Run, tmp_path: Path, measured: Profile, slower: str) -> None:
    document = measured.to_dict()
    for line in [*document["primitives"], *document["engines"]]:
        line["spread"] = 0.0
        if line["name"] == slower:
            line["ns"] /= 1e3
            line["relative"] /= 1e3
    record = write(tmp_path / "record.json", document)
    options = ("profile", "--quick", "--compare", record, "--fail-if", "10%")
    result = run(*options)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {slower}: ")
    assert result.stderr.count("slower than") == 1
    errors = json.loads(run(*options, "--json").stdout)
    assert [error["field"] for error in errors["errors"]] == [slower]


@pytest.mark.usefixtures("instant")
def test_a_busier_machine_is_no_slower_program(run: Run, tmp_path: Path, measured: Profile) -> None:
    document = measured.to_dict()
    document["calibration"] /= 3
    for line in [*document["primitives"], *document["engines"]]:
        line["ns"] /= 3
        line["spread"] = 0.0
    record = write(tmp_path / "record.json", document)
    assert run("profile", "--quick", "--compare", record, "--fail-if", "1%").exit_code == 0


def test_what_spreads_widely_is_not_called_slower() -> None:
    change = compare.Change("apply", 10.0, 12.0, change=0.2, noise=0.3)
    assert not change.exceeds(0.1)
    assert compare.Change("apply", 10.0, 12.0, change=0.2, noise=0.1).exceeds(0.1)
    assert not compare.Change("apply", 10.0, 12.0, change=0.2, noise=0.1).exceeds(0.25)


def spoil(document: dict[str, Any], kind: str) -> Any:
    """A saved profile with something wrong."""
    document = copy.deepcopy(document)
    if kind == "schema":
        document["schema"] = "azul-bench/1"
    elif kind == "missing":
        del document["primitives"][0]["ns"]
    elif kind == "zero":
        document["primitives"][0]["relative"] = 0
    elif kind == "position":
        document["position"] = bench.positions()[1]
    elif kind == "quick":
        document["quick"] = False
    else:
        return [document]
    return document


@pytest.mark.parametrize("kind", ["schema", "missing", "zero", "position", "quick", "list"])
def test_records_that_do_not_fit(kind: str, tmp_path: Path, run: Run, measured: Profile) -> None:
    path = write(tmp_path / "record.json", spoil(measured.to_dict(), kind))
    with pytest.raises(RecordError):
        compare.load(path, OPENING, quick=True)
    result = run("profile", OPENING, "--quick", "--compare", path)
    assert result.exit_code == 3
    assert str(path) in result.stderr


def test_no_record(tmp_path: Path, run: Run) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("slow", encoding="utf-8")
    assert run("profile", "--compare", text).exit_code == 3
    assert run("profile", "--compare", tmp_path / "missing.json").exit_code == 1


# --- the command ------------------------------------------------------------------------


@pytest.mark.usefixtures("instant")
def test_the_tables(run: Run) -> None:
    result = run("profile")
    assert result.exit_code == 0
    for word in ("play_policy", "per second", "efficiency", "selection", "--threads", "numba"):
        assert word in result.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("--fail-if", "10%"),
        ("--threads", "0"),
        ("--threads", "1,,2"),
        ("--threads", "two"),
        ("--engine", "greedy"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], run: Run) -> None:
    assert run("profile", *arguments).exit_code == 2


def test_a_picture(tmp_path: Path, measured: Profile) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "profile.svg"
    plot.save(measured, path)
    drawn = path.read_text(encoding="utf-8")
    assert drawn.count("<svg") == 1
    assert "threads" in drawn


def test_no_picture_without_matplotlib(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr(report, "profile", None)  # it is said before anything is measured
    result = run("profile", "--plot", tmp_path / "profile.svg")
    assert result.exit_code == 2
    assert "azul-ai[plot]" in result.stderr
