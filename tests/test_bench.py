"""The bench: its signature changes when, and only when, something else is found."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from azul_ai import bench, engine, evaluation, games
from azul_ai.position import load
from azul_ai.settings import Limit

ENGINES = tuple(bench.LIMITS)
SMALL = {"ismcts": Limit(iterations=200), "expectimax": Limit(depth=2)}


@pytest.fixture(autouse=True)
def small_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ENGINES:
        monkeypatch.setitem(bench.LIMITS, name, SMALL[name])


@pytest.fixture(scope="module")
def found() -> dict[str, bench.Bench]:
    """What each engine finds in all positions, with small searches."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ENGINES:
            patch.setitem(bench.LIMITS, name, SMALL[name])
        return {name: bench.run([name]) for name in ENGINES}


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """A bench with one position of each game and of several numbers of players."""
    chosen = bench.positions()[::7]
    monkeypatch.setattr(bench, "positions", lambda: chosen)
    return chosen


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
    name: str, found: dict[str, bench.Bench], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "SLICE_SECONDS", 0.0005)  # other pauses, nothing else
    seen: list[bench.Line] = []
    again = bench.run([name], on_line=seen.append)
    assert again.signature == found[name].signature
    assert tuple(seen) == again.lines  # every line is reported as it is found
    assert [line.position for line in seen] == list(bench.positions())


@pytest.mark.parametrize("name", ENGINES)
def test_every_line_counts(name: str, found: dict[str, bench.Bench]) -> None:
    joined = " ".join(line.signature for line in found[name].lines)
    assert found[name].signature == hashlib.sha256(joined.encode()).hexdigest()[:8]
    assert len({line.signature for line in found[name].lines}) == len(bench.positions())


def test_threads_find_the_same_on_every_run(few: tuple[str, ...]) -> None:
    first, second = (bench.run(["ismcts"], threads=2) for _ in range(2))
    assert first.signature == second.signature
    assert first.nodes == 200 * len(few)


def constants(game_name: str) -> list[str]:
    """The names of the numbers in the evaluations that play a game by default."""
    kinds = {evaluation.load(game_name, players=players).model.dtype for players in (2, 3, 4)}
    fields = [(name, dtype[name].base) for dtype in kinds for name in dtype.names or ()]
    return sorted(name for name, base in fields if base.kind == "f")


CONSTANTS = [(name, constant) for name in games.NAMES for constant in constants(name)]


@pytest.mark.parametrize(("game_name", "constant"), CONSTANTS)
def test_a_changed_constant_changes_a_line(
    game_name: str,
    constant: str,
    found: dict[str, bench.Bench],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    original = evaluation.load

    def changed(game: str, name: str | None = None, players: int = 2) -> evaluation.Evaluation:
        loaded = original(game, name, players)
        if game != game_name or constant not in loaded.model.dtype.names:
            return loaded
        model = loaded.model.copy()
        model[constant] += 0.01
        return dataclasses.replace(loaded, model=model)

    def is_found_again(line: bench.Line) -> bool:
        monkeypatch.setattr(bench, "positions", lambda: (line.position,))
        return bench.run([line.engine]).lines[0].signature == line.signature

    monkeypatch.setattr(evaluation, "load", changed)
    for name in ENGINES:
        lines = [line for line in found[name].lines if load(line.position).game == game_name]
        assert not all(map(is_found_again, lines))  # and with a line, the signature


def test_json(run: Callable[..., Result], few: tuple[str, ...]) -> None:
    result = run("bench", "--engine", ENGINES[0], "--json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document["schema"] == "azul-bench/1"
    lines = document["positions"]
    assert [line["position"] for line in lines] == list(few)
    assert document["nodes"] == sum(line["nodes"] for line in lines)
    assert document["nodes_per_s"] * document["time_s"] == pytest.approx(document["nodes"])


@pytest.mark.usefixtures("few")
def test_the_expected_signature(run: Callable[..., Result]) -> None:
    signature = bench.run(["ismcts"]).signature
    for expected in (signature, signature.upper()):
        assert run("bench", "--engine", "ismcts", "--expect", expected).exit_code == 0


@pytest.mark.usefixtures("few")
def test_another_signature_than_expected(run: Callable[..., Result]) -> None:
    signature = bench.run(["ismcts"]).signature
    other = f"{int(signature, 16) ^ 1:08x}"
    result = run("bench", "--engine", "ismcts", "--expect", other)
    assert result.exit_code == 1
    assert f"signature {signature}" in result.stdout
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
