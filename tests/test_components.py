"""One's own components of Sintra, in every command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from azul_ai import position
from azul_ai.games import components
from azul_ai.position.component_file import load_components
from azul_ai.tournament import records, settings
from azul_ai.tournament.records import Game

PACKAGE = Path(components.__file__).with_name("sintra.toml")
POINTS = (9, 9, 9, 9, 9, 9, 9, 8)
POSITION = Path(__file__).parent.parent / "positions" / "sintra-last-round-2p.toml"
BOTS = ("--player", "engine=greedy", "--player", "engine=random", "--concurrency", 1)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A file of components with window points of its own."""
    path = tmp_path / "own.toml"
    path.write_text(PACKAGE.read_text().replace("[1, 2, 2, 3, 3, 4, 4, 5]", str(list(POINTS))))
    return path


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A position that says nothing of what is printed on the boards."""
    document = position.load(str(POSITION)).to_dict()
    for key in ("window_points", "track", "ornaments"):
        del document[key]
    path = tmp_path / "bare.json"
    path.write_text(json.dumps(document))
    return path


def points_of(code: str) -> Any:
    return position.from_code(code).to_dict()["window_points"]


def test_a_document_of_components_is_read_back() -> None:
    parts = components.default()
    assert components.of_document(json.loads(json.dumps(parts.to_document()))) == parts


@pytest.mark.parametrize(
    "command",
    [
        ("perft", "--depth", 1, "--json"),
        ("analyze", "--iterations", 10, "--json"),
    ],
)
def test_they_stand_in_for_what_a_position_leaves_out(
    command: tuple[object, ...], own: Path, bare: Path, run: Any
) -> None:
    name, *rest = command
    result = run(name, bare, *rest, "--components", own)
    assert points_of(json.loads(result.stdout)["position"]) == list(POINTS)
    assert "official" not in result.output
    without = run(name, bare, *rest)
    assert points_of(json.loads(without.stdout)["position"]) == [1, 2, 2, 3, 3, 4, 4, 5]
    kept = run(name, POSITION, *rest, "--components", own)  # its own come first
    printed = position.load(str(POSITION)).to_dict()["window_points"]
    assert points_of(json.loads(kept.stdout)["position"]) == printed


def test_boards_are_drawn_with_them(own: Path, bare: Path, run: Any) -> None:
    assert "9  9  9  9  9  9  9  8" in run("show", bare, "--components", own).stdout
    moved = run("move", bare, "--components", own, "--json")
    assert json.loads(moved.stdout)["window_points"] == list(POINTS)


@pytest.mark.parametrize(
    "command",
    [
        ("show",),
        ("perft", "--depth", 1),
        ("move",),
        ("analyze",),
        ("tournament", *BOTS, "--positions"),
    ],
)
def test_azul_has_none(command: tuple[object, ...], own: Path, run: Any) -> None:
    azul = POSITION.with_name("opening-2p.toml")
    result = run(*command, azul, "--components", own)
    assert result.exit_code == 2
    assert "--components: The game azul has no such thing." in result.stderr


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "Cannot read"),
        ("", "The component file is empty."),
        ("official = false", "window_points"),
        (PACKAGE.read_text().replace("GOYPP", "GOYPR"), '"R", which is no color'),
    ],
)
@pytest.mark.parametrize("command", [("new",), ("tournament", *BOTS)])
def test_a_file_that_is_none_is_refused(
    command: tuple[object, ...], text: str | None, reason: str, tmp_path: Path, run: Any
) -> None:
    file = tmp_path / "bad.toml"
    if text is not None:
        file.write_text(text)
    result = run(*command, "--game", "sintra", "--components", file)
    assert result.exit_code == 3
    assert reason in result.stderr
    assert "position" not in result.stderr


def test_a_template_has_the_side_and_the_prints(own: Path, run: Any) -> None:
    result = run("new", "--game", "sintra", "--empty", "--side", "B", "--components", own)
    lines = result.stdout.splitlines()
    assert 'side = "B"  # of the palace boards: A or B' in lines
    assert f"window_points = {list(POINTS)}" in lines
    assert "official" not in result.output
    plain = run("new", "--game", "sintra", "--empty")
    assert "# window_points = [1, 2, 2, 3, 3, 4, 4, 5]" in plain.stdout.splitlines()
    assert "official" in plain.stderr


# --- tournaments ----------------------------------------------------------------------------


def without_times(game: Game) -> dict[str, Any]:
    return {key: value for key, value in vars(game).items() if key != "seconds"}


def test_a_tournament_keeps_them(own: Path, tmp_path: Path, run: Any) -> None:
    kept = tmp_path / "games.jsonl"
    chosen = ("--game", "sintra", "--side", "B", "--components", own, "--games", 4)
    result = run("tournament", *BOTS, *chosen, "--out", kept)
    assert result.exit_code == 0
    assert "official" not in result.output
    whole = records.read(kept)
    assert whole.settings.components == load_components(str(own))
    assert settings.from_dict(whole.settings.to_dict()) == whole.settings
    starts = {game.start for game in whole.games.values()}
    assert len(starts) == 2
    for start in starts:
        assert points_of(start) == list(POINTS)
        assert position.from_code(start).to_dict()["side"] == "B"

    own.unlink()  # to go on, and to step through a game, the record is enough
    kept.write_bytes(b"".join(kept.read_bytes().splitlines(keepends=True)[:2]))
    assert run("tournament", "--resume", kept, "--concurrency", 1).exit_code == 0
    again = records.read(kept).games
    assert again.keys() == whole.games.keys()
    for number, game in whole.games.items():
        assert without_times(again[number]) == without_times(game)
    shown = run("replay", kept, "--game", 3)
    assert shown.exit_code == 0
    assert "9  9  9  9  9  9  9  8" in shown.stdout


def test_they_are_not_chosen_anew(own: Path, tmp_path: Path, run: Any) -> None:
    result = run("tournament", "--resume", tmp_path / "games.jsonl", "--components", own)
    assert result.exit_code == 2
    assert "--components" in result.stderr


def test_positions_of_a_tournament_take_what_they_lack(
    own: Path, bare: Path, tmp_path: Path, run: Any
) -> None:
    kept = tmp_path / "games.jsonl"
    result = run(
        "tournament", *BOTS, "--positions", bare, "--components", own, "--games", 2, "--out", kept
    )
    assert result.exit_code == 0
    found = records.read(kept)
    assert points_of(found.settings.positions[0]) == list(POINTS)
    assert found.settings.components is None
