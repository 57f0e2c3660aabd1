from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from azul_ai.cli.main import cli
from azul_ai.tournament import executors, players, records, runner, schedule, worker
from azul_ai.tournament.records import Game, Record
from azul_ai.tournament.session import Session
from azul_ai.tournament.settings import Settings
from azul_ai.version import __version__

BOTS = ("--player", "name=g,engine=greedy", "--player", "name=r,engine=random")


def azul_ai(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["tournament", *map(str, arguments)])


@pytest.fixture(scope="module")
def expected() -> list[Game]:
    """What the games of the tournaments below must be."""
    entrants = (players.parse("name=g,engine=greedy"), players.parse("name=r,engine=random"))
    settings = schedule.complete(Settings("azul", entrants, games=80, seed=5))
    groups = list(schedule.groups(settings))
    worker.prepare("azul", "", 2, entrants)
    return [game for group in groups for game in worker.play_group(group, __version__)]


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished tournament of twelve games."""
    path = tmp_path_factory.mktemp("tournament") / "games.jsonl"
    result = azul_ai(*BOTS, "--games", 11, "--seed", 5, "--concurrency", 1, "--out", path)
    assert result.exit_code == 0, result.output
    return path


def timeless(game: Game) -> dict[str, Any]:
    return {**vars(game), "seconds": None}


# --- killed and resumed -----------------------------------------------------------------


def children_of(process: int) -> list[int]:
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True, check=True
    )
    return [int(word) for word in found.stdout.split()]


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")")[-1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_killed_tournaments_end_with_the_same_games(tmp_path: Path, expected: list[Game]) -> None:
    path = tmp_path / "games.jsonl"
    begin = [*BOTS, "--games", "80", "--seed", "5", "--out", str(path)]
    resume = ["--resume", str(path)]
    workers: list[int] = []
    for arguments, enough in ((begin, 8), (resume, 24)):
        command = [sys.executable, "-m", "azul_ai", "tournament", "--concurrency", "2", *arguments]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as run:
            deadline = time.monotonic() + 120
            while not path.exists() or path.read_bytes().count(b"\n") <= enough:
                assert run.poll() is None, "it ended before it was killed"
                assert time.monotonic() < deadline
                time.sleep(0.01)
            workers += children_of(run.pid)
            run.kill()
    with path.open("ab") as file:
        file.write(b'{"game": 79, "group": 39, "gr')  # what a kill in the middle would leave
    before = len(records.read(path).games)
    assert 24 <= before < 80
    assert azul_ai("--resume", path, "--json", "--concurrency", 2).exit_code == 0
    found = records.read(path).games
    assert [timeless(found[game.game]) for game in expected] == [timeless(g) for g in expected]
    assert len(path.read_bytes().splitlines()) == 1 + len(expected)
    assert len(workers) >= 4
    assert not any(map(is_running, workers))


def test_a_killed_worker_costs_nothing(expected: list[Game]) -> None:
    entrants = (players.parse("name=g,engine=greedy"), players.parse("name=r,engine=random"))
    settings = schedule.complete(Settings("azul", entrants, games=30, seed=5))
    session = Session(Record(settings, __version__, {}, 0))
    killed: list[int] = []

    def keep(games: list[Game]) -> bool:
        if not killed:
            killed.extend(child.pid or 0 for child in multiprocessing.active_children()[:1])
            os.kill(killed[0], signal.SIGKILL)
        return session.keep(games)

    with executors.processes(2) as workers:
        runner.run(settings, [], workers, keep)
    assert killed
    found = session.record.games
    assert [timeless(found[number]) for number in range(30)] == [timeless(g) for g in expected[:30]]


STUBBORN = "import os, sys, time; open({!r}, 'w').write(str(os.getpid()))\nwhile 1: time.sleep(1)"


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_bots_end_with_their_workers(tmp_path: Path) -> None:
    script, sign = tmp_path / "bot.py", tmp_path / "pid"
    script.write_text(STUBBORN.format(str(sign)))
    bot = f'engine=process,timeout=600,command="{sys.executable} {script}"'
    entrants = (players.parse(bot), players.parse("engine=random"))
    settings = schedule.complete(Settings("azul", entrants))
    with executors.processes(1) as workers:
        workers.submit(worker.play_group, next(schedule.groups(settings)), __version__)
        deadline = time.monotonic() + 60
        while not (sign.exists() and sign.read_text()):
            assert time.monotonic() < deadline
            time.sleep(0.05)
    assert not is_running(int(sign.read_text()))


def test_ctrl_c_ends_with_what_there_is(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    command = [sys.executable, "-m", "azul_ai", "tournament", *BOTS, "--json", "--out", str(path)]
    with subprocess.Popen(
        [*command, "--games", "100000"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as run:
        while not path.exists() or path.read_bytes().count(b"\n") <= 10:
            assert run.poll() is None
            time.sleep(0.01)
        os.kill(run.pid, signal.SIGINT)
        printed, _ = run.communicate(timeout=60)
    assert run.returncode == 130
    assert json.loads(printed)["games"] == len(records.read(path).games)


# --- output -----------------------------------------------------------------------------


def test_json_has_the_keys_of_the_contract(record: Path) -> None:
    result = azul_ai("--resume", record, "--json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document["schema"] == "azul-tournament/1"
    assert document["games"] == 12
    for player in document["players"]:
        assert player.keys() >= {
            *("name", "games", "wins", "losses", "ties", "score", "score_se", "elo", "elo_se"),
            *("points_mean", "failures"),
        }
    assert document["pairs"][0].keys() >= {
        *("a", "b", "games", "score", "score_se", "pentanomial", "los")
    }
    assert document["sprt"] is None
    assert document["first_player"].keys() >= {"score", "score_se"}
    assert document["failures"] == []


def test_the_table_for_people_fits_a_terminal(record: Path) -> None:
    result = azul_ai("--resume", record)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[1].split()[:3] == ["g", "12", "12-0-0"]
    assert any(line.startswith("First player: ") for line in lines)


def test_rate_gives_what_the_tournament_gave(record: Path) -> None:
    rated = CliRunner().invoke(cli, ["rate", str(record), "--json"])
    assert rated.exit_code == 0
    assert rated.stdout == azul_ai("--resume", record, "--json").stdout


def test_rate_joins_records(record: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    bots = ("--player", "name=g,engine=greedy", "--player", "name=h,engine=greedy")
    assert azul_ai(*bots, "--games", 4, "--concurrency", 1, "--out", other).exit_code == 0
    document = json.loads(
        CliRunner().invoke(cli, ["rate", str(record), str(other), "--json"]).stdout
    )
    games = {player["name"]: player["games"] for player in document["players"]}
    assert games == {"g": 16, "r": 12, "h": 4}
    ratings = {player["name"]: player["rating"] for player in document["players"]}
    assert ratings["g"] == pytest.approx(ratings["h"], abs=0.1)
    assert ratings["r"] < ratings["g"] - 300


def test_replay_prints_every_position(record: Path) -> None:
    game = records.read(record).games[3]
    result = CliRunner().invoke(cli, ["replay", str(record), "--game", "3"])
    assert result.exit_code == 0
    for move in game.moves:
        assert move in result.stdout
    assert result.stdout.rstrip().endswith(
        f"r {game.points[0]} points, rank 2   g {game.points[1]} points, rank 1"
    )
    document = json.loads(
        CliRunner().invoke(cli, ["replay", str(record), "--game", "3", "--json"]).stdout
    )
    assert len(document["positions"]) == len(game.moves) + len(game.deals)


def test_a_test_stops_the_tournament_and_says_so() -> None:
    result = azul_ai(*BOTS, "--sprt", "elo0=0,elo1=400", "--concurrency", 1)
    assert result.exit_code == 0
    assert "H1 accepted" in result.stdout


def test_a_plot_is_an_svg_file(record: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "scores.svg"
    assert azul_ai("--resume", record, "--plot", path).exit_code == 0
    assert "<svg" in path.read_text()[:1000]


# --- refusals ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "two or more players"),
        (("--player", "engine=gredy", "--player", "engine=random"), 2, "unknown engine 'gredy'"),
        ((*BOTS, "--games", "0"), 2, "0 is too small"),
        ((*BOTS, "--sprt", "elo0=5,elo1=5"), 2, "elo0 must be below elo1"),
        ((*BOTS, "--sprt", "elo2=5"), 2, "elo0=N"),
        ((*BOTS, "--deals", "/nowhere"), 2, "cannot be read"),
        ((*BOTS, "--positions", "/nowhere"), 3, "/nowhere"),
        (("--resume", "/nowhere"), 3, "cannot be read"),
        (("--resume", "/dev/null"), 3, "is empty"),
    ],
)
def test_refusals(arguments: tuple[str, ...], code: int, message: str) -> None:
    result = azul_ai(*arguments)
    assert result.exit_code == code, result.output
    assert message in result.stderr
    failed = azul_ai(*arguments, "--json")
    assert failed.exit_code == code
    assert json.loads(failed.stdout)["schema"] == "azul-error/1"


@pytest.mark.cluster
@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(executors, "CONNECT_SECONDS", 1)
    result = azul_ai(*BOTS, "--scheduler", "tcp://127.0.0.1:1")
    assert result.exit_code == 2
    assert "no scheduler answers at tcp://127.0.0.1:1" in result.stderr


@pytest.mark.parametrize(
    "more",
    [("--games", "20"), ("--seed", "1"), ("--strict",), ("--out", "x.jsonl"), BOTS],
)
def test_resuming_takes_no_other_settings(record: Path, more: tuple[str, ...]) -> None:
    before = record.read_bytes()
    result = azul_ai("--resume", record, *more)
    assert result.exit_code == 2
    assert f"{more[0]}: --resume takes all settings from the file" in " ".join(
        result.stderr.split()
    )
    assert record.read_bytes() == before


def test_a_record_is_not_overwritten(record: Path) -> None:
    before = record.read_bytes()
    result = azul_ai(*BOTS, "--out", record)
    assert result.exit_code == 3
    assert "exists already" in result.stderr
    assert record.read_bytes() == before


def test_strict_stops_with_an_error() -> None:
    bots = ("--player", "name=g,engine=greedy", "--player", "name=x,engine=process,command=false")
    result = azul_ai(*bots, "--strict", "--games", 50, "--concurrency", 1)
    assert result.exit_code == 1
    assert "x failed in game" in result.stderr
    assert "ended with exit code 1" in result.stdout
