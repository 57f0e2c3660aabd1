"""The bench: its signature changes when, and only when, something else is found."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from azul_ai import bench, engine, evaluation, games
from azul_ai.engine import Limit
from azul_ai.position import load

ENGINES = tuple(bench.LIMITS)
SMALL = {"ismcts": Limit(iterations=200), "expectimax": Limit(depth=2)}


@pytest.fixture(autouse=True)
def small_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ENGINES:
        monkeypatch.setitem(bench.LIMITS, name, SMALL[name])


@pytest.fixture(scope="module")
def signatures() -> dict[str, str]:
    """Each engine's signature, with small searches."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ENGINES:
            patch.setitem(bench.LIMITS, name, SMALL[name])
        return {name: bench.run([name]).signature for name in ENGINES}


def test_positions_cover_games_players_and_phases() -> None:
    positions = [load(code) for code in bench.positions()]
    met = {(position.game, len(position.players)) for position in positions}
    assert met >= {(name, players) for name in games.NAMES for players in (2, 3, 4)}
    for name, players in met:
        same = [p for p in positions if (p.game, len(p.players)) == (name, players)]
        assert {1, 3, 5} <= {position.round for position in same}
        begun = {any(not display for display in position.factories) for position in same}
        assert begun == {False, True}


@pytest.mark.parametrize("name", ENGINES)
def test_every_run_finds_the_same(
    name: str, signatures: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "SLICE_SECONDS", 0.0005)  # other pauses, nothing else
    assert bench.run([name]).signature == signatures[name]


def test_threads_find_the_same_on_every_run() -> None:
    first, second = (bench.run(["ismcts"], threads=2) for _ in range(2))
    assert first.signature == second.signature
    assert first.nodes == 200 * len(bench.positions())


def constants(game_name: str) -> list[str]:
    """The names of the numbers in a game's hand-made evaluation."""
    dtype = evaluation.load(game_name).model.dtype
    return [name for name in dtype.names or () if dtype[name].base.kind == "f"]


CONSTANTS = [(name, constant) for name in games.NAMES for constant in constants(name)]


@pytest.mark.parametrize(("game_name", "constant"), CONSTANTS)
def test_a_changed_constant_changes_the_signature(
    game_name: str, constant: str, signatures: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    original = evaluation.load

    def changed(game: str, name: str = evaluation.HANDMADE) -> evaluation.Evaluation:
        loaded = original(game, name)
        if game != game_name:
            return loaded
        model = loaded.model.copy()
        model[constant] += 0.01
        return dataclasses.replace(loaded, model=model)

    monkeypatch.setattr(evaluation, "load", changed)
    for name in ENGINES:
        assert bench.run([name]).signature != signatures[name]


def test_every_line_is_reported_as_it_is_found() -> None:
    seen: list[bench.Line] = []
    result = bench.run(ENGINES[:1], on_line=seen.append)
    assert tuple(seen) == result.lines
    assert [line.position for line in seen] == list(bench.positions())


def test_json(run: Callable[..., Result]) -> None:
    result = run("bench", "--engine", ENGINES[0], "--json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document["schema"] == "azul-bench/1"
    lines = document["positions"]
    assert [line["position"] for line in lines] == list(bench.positions())
    assert document["nodes"] == sum(line["nodes"] for line in lines)
    assert document["nodes_per_s"] * document["time_s"] == pytest.approx(document["nodes"])


def test_the_expected_signature(run: Callable[..., Result], signatures: dict[str, str]) -> None:
    for expected in (signatures["ismcts"], signatures["ismcts"].upper()):
        assert run("bench", "--engine", "ismcts", "--expect", expected).exit_code == 0


def test_another_signature_than_expected(
    run: Callable[..., Result], signatures: dict[str, str]
) -> None:
    other = f"{int(signatures['ismcts'], 16) ^ 1:08x}"
    result = run("bench", "--engine", "ismcts", "--expect", other)
    assert result.exit_code == 1
    assert f"signature {signatures['ismcts']}" in result.stdout
    assert other in result.stderr
    result = run("bench", "--engine", "ismcts", "--expect", other, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["errors"][0]["field"] == "signature"


@pytest.mark.parametrize("text", ["", "123", "no-hex-!", "123456789"])
def test_no_signature_at_all(text: str, run: Callable[..., Result]) -> None:
    result = run("bench", "--expect", text)
    assert result.exit_code == 2
    assert "eight hexadecimal digits" in result.stderr


def test_the_stored_signature_is_one() -> None:
    stored = Path(__file__).parent.parent / "benchmarks" / "signature"
    assert int(stored.read_text(encoding="ascii"), 16) < 1 << 32
    assert len(stored.read_text(encoding="ascii").strip()) == 8
