from __future__ import annotations

import errno
import json
import os
import random
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path
from typing import Any

import pytest

from azul_ai.tournament import players, records, report, runner, schedule, worker
from azul_ai.tournament.executors import WorkersError
from azul_ai.tournament.hypotheses import Hypotheses
from azul_ai.tournament.records import Game, Record, RecordError, WriteError
from azul_ai.tournament.session import Session
from azul_ai.tournament.settings import Settings
from azul_ai.version import __version__

ENTRANTS = (players.parse("name=g,engine=greedy"), players.parse("name=r,engine=random"))


def tournament(**changes: Any) -> Settings:
    return schedule.complete(Settings("azul", ENTRANTS, **changes))


def all_games(settings: Settings) -> list[list[Game]]:
    return [worker.play_group(group, __version__) for group in schedule.groups(settings)]


@pytest.fixture(scope="module")
def groups() -> list[list[Game]]:
    return all_games(tournament(games=6))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.jsonl"


def write(path: Path, groups: list[list[Game]], settings: Settings | None = None) -> None:
    with records.create(path, settings or tournament(games=6)) as writer:
        for games in groups:
            writer.add(games)


# --- files ------------------------------------------------------------------------------


def test_what_is_written_is_read(path: Path, groups: list[list[Game]]) -> None:
    write(path, groups)
    record = records.read(path)
    assert record.settings == tournament(games=6)
    assert list(record.games.values()) == [game for games in groups for game in games]
    assert record.size == path.stat().st_size
    assert records.complete_groups(record.games.values()) == groups


def test_a_line_torn_anywhere_is_cut_off(path: Path, groups: list[list[Game]]) -> None:
    write(path, groups)
    whole = path.read_bytes()
    begin = whole.rindex(b"\n", 0, -1) + 1
    for end in range(begin, len(whole), 97):
        path.write_bytes(whole[:end])
        record, writer = records.resume(path)
        with writer:
            assert list(record.games) == [0, 1, 2, 3, 4]
            writer.add(groups[-1][1:])
        assert path.read_bytes() == whole


def test_two_records_of_one_game_are_one_game(path: Path, groups: list[list[Game]]) -> None:
    write(path, [*groups, groups[0]])
    assert len(records.read(path).games) == 6


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b'{"schema": "azul-games/1"', "is empty"),
        (b"\x00\x01\n", "has no header"),
        (b"[]\n", "has no header"),
        (b'{"schema": "azul-games/9"}\n', "has the schema 'azul-games/9'"),
        (b'{"schema": "azul-games/1", "version": "0", "settings": {}}\n', "has no header"),
    ],
)
def test_files_that_are_no_records(path: Path, content: bytes, message: str) -> None:
    path.write_bytes(content)
    with pytest.raises(RecordError, match=message):
        records.read(path)


def test_a_line_that_is_no_game_is_named(path: Path, groups: list[list[Game]]) -> None:
    write(path, groups)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b'{"game": 3}\n', *lines[2:]]))
    with pytest.raises(RecordError, match="line 3: is not a game"):
        records.read(path)


def test_a_record_is_never_overwritten(path: Path, groups: list[list[Game]]) -> None:
    write(path, groups)
    before = path.read_bytes()
    with pytest.raises(RecordError, match="exists already"):
        records.create(path, tournament())
    assert path.read_bytes() == before


def test_another_version_may_not_go_on(path: Path) -> None:
    write(path, [])
    header = json.loads(path.read_text())
    path.write_text(json.dumps({**header, "version": "0.0.0"}) + "\n")
    with pytest.raises(RecordError, match=r"begun by version 0\.0\.0"):
        records.resume(path)


@pytest.mark.parametrize("fits", [0, 1, 1000])
def test_a_full_disk_leaves_a_readable_record(
    path: Path, groups: list[list[Game]], fits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = [fits]
    real = os.write

    def write_what_fits(file: int, data: Any) -> int:
        if not room[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = real(file, data[: room[0]])
        room[0] -= written
        return written

    with records.create(path, tournament(games=6)) as writer:
        writer.add(groups[0])
        monkeypatch.setattr(os, "write", write_what_fits)
        with pytest.raises(WriteError, match=r"No space left on device.*--resume"):
            writer.add(groups[1])
    monkeypatch.undo()
    assert path.read_bytes().endswith(b"\n")
    record, writer = records.resume(path)
    assert list(record.games) == [0, 1]
    with writer:
        writer.add(groups[1])
    assert list(records.read(path).games) == [0, 1, 2, 3]


# --- playing on -------------------------------------------------------------------------


class Here:
    """Workers that play in this process, and die when told."""

    died = (BrokenExecutor,)

    def __init__(self, deaths: dict[int, int] | None = None, slots: int = 1) -> None:
        self._deaths = dict(deaths or {})
        self._slots = slots
        self.played: list[int] = []

    def slots(self) -> int:
        return self._slots

    def submit(self, function: Any, group: schedule.Group, version: str) -> Any:
        future: Future[Any] = Future()
        if self._deaths.get(group.number, 0):
            self._deaths[group.number] -= 1
            future.set_exception(BrokenExecutor())
        else:
            self.played.append(group.number)
            future.set_result(function(group, version))
        return future


def moves_of(games: Any) -> dict[int, list[str]]:
    return {game.game: game.moves for game in games}


def test_only_what_is_missing_is_played(groups: list[list[Game]]) -> None:
    settings = tournament(games=6)
    games = [game for played in groups for game in played]
    for seed in range(5):
        done = random.Random(seed).sample(games, seed)
        session = Session(Record(settings, __version__, {game.game: game for game in done}, 0))
        runner.run(settings, [game.game for game in done], Here(), session.keep)
        assert moves_of(session.record.games.values()) == moves_of(games)


def test_groups_of_dead_workers_are_played_again(groups: list[list[Game]]) -> None:
    settings = tournament(games=6)
    session = Session(Record(settings, __version__, {}, 0))
    workers = Here({0: 2, 2: 1})
    runner.run(settings, [], workers, session.keep)
    assert sorted(workers.played) == [0, 1, 2]
    assert moves_of(session.record.games.values()) == moves_of(g for p in groups for g in p)


def test_a_group_that_kills_its_workers_is_given_up() -> None:
    settings = tournament(games=6)
    session = Session(Record(settings, __version__, {}, 0))
    with pytest.raises(WorkersError, match="3 times while group 1"):
        runner.run(settings, [], Here({1: 3}), session.keep)
    assert 0 in session.record.games


class Gone(Here):
    """Workers that are out of reach from the third group on."""

    def submit(self, function: Any, group: schedule.Group, version: str) -> Any:
        future = super().submit(function, group, version)
        if group.number >= 2:
            future = Future()
            future.cancel()
            future.set_running_or_notify_cancel()
        return future


def test_a_lost_connection_is_told(groups: list[list[Game]]) -> None:
    settings = tournament(games=6)
    session = Session(Record(settings, __version__, {}, 0))
    with pytest.raises(WorkersError, match="connection to the workers is lost"):
        runner.run(settings, [], Gone(slots=2), session.keep)
    assert moves_of(session.record.games.values()) == moves_of(groups[0] + groups[1])


def test_a_strict_tournament_stops_at_the_first_failure(path: Path) -> None:
    entrants = (
        players.parse("name=g,engine=greedy"),
        players.parse("name=x,engine=process,command=false"),
    )
    settings = schedule.complete(Settings("azul", entrants, games=8, strict=True))
    with records.create(path, settings) as writer:
        session = Session(Record(settings, __version__, {}, 0), writer)
        with pytest.raises(runner.StrictError, match="x failed in game 0: ended with exit code 1"):
            runner.run(settings, [], Here(), session.keep)
    assert list(records.read(path).games) == [0, 1, 2, 3]  # handed out with the failed one


# --- decisions --------------------------------------------------------------------------


def test_a_decision_depends_on_no_order_and_no_extra_games(path: Path) -> None:
    settings = tournament(sprt=Hypotheses(0, 400))
    reference = Session(Record(settings, __version__, {}, 0))
    runner.run(settings, [], Here(), reference.keep)
    assert reference.test is not None
    assert reference.test.decision == "H1"
    needed = reference.test.groups
    assert len(reference.record.games) <= 2 * needed + 2

    more = all_games(tournament(games=2 * needed + 6))
    random.Random(1).shuffle(more)
    write(path, more, settings)
    record = records.read(path)
    found = report.of_records({"x": record}).to_dict()
    expected = report.of_records({"x": reference.record}).to_dict()
    assert found["sprt"] == expected["sprt"]
    assert found["games"] == 2 * needed
    assert found["incomplete"] == 6
    for key in ("wins", "score", "elo_low", "points_mean"):
        assert found["players"][0][key] == expected["players"][0][key]
    resumed = Session(record)
    assert resumed.decided


def test_a_gap_in_the_groups_holds_the_decision_back() -> None:
    settings = tournament(sprt=Hypotheses(0, 400))
    games = all_games(tournament(games=30))
    session = Session(Record(settings, __version__, {}, 0))
    for played in games[1:]:
        assert not session.keep(played)
    assert session.keep(games[0])


# --- reports ----------------------------------------------------------------------------


def game_between(number: int, names: list[str], scored: list[int], **changes: Any) -> Game:
    order = sorted(scored, reverse=True)
    ranks = [float(order.index(p) + 1) for p in scored]
    values: dict[str, Any] = {
        "game": number,
        "group": number // 2,
        "group_size": 2,
        "rules": "azul",
        "seed": number // 2,
        "players": [{"name": name, "engine": "x"} for name in names],
        "first": 0,
        "start": "",
        "deals": [],
        "moves": [],
        "points": scored,
        "ranks": ranks,
        "shares": [float(rank == 1) for rank in ranks],
        "failure": None,
        "seconds": [0.0] * len(names),
    }
    return Game(**{**values, **changes})


def test_a_report_counted_by_hand() -> None:
    failed = records.Failure(1, "crashed")
    games = [
        game_between(0, ["a", "b"], [30, 20]),
        game_between(1, ["b", "a"], [25, 35]),
        game_between(2, ["a", "b"], [10, 20]),
        game_between(3, ["b", "a"], [44, 40]),
        game_between(4, ["a", "b"], [50, 50], ranks=[1.5, 1.5], shares=[0.5, 0.5]),
        game_between(5, ["b", "a"], [0, 0], points=None, failure=failed, shares=[1.0, 0.0]),
        game_between(6, ["a", "b"], [99, 0]),  # its group is not complete
    ]
    entrants = (players.parse("name=a,engine=random"), players.parse("name=b,engine=random"))
    record = Record(Settings("azul", entrants, games=8), "0", {g.game: g for g in games}, 0)
    found = report.of_records({"x": record}).to_dict()
    a, b = found["players"]
    assert (a["games"], a["wins"], a["losses"], a["ties"]) == (6, 2, 3, 1)
    assert (b["games"], b["wins"], b["losses"], b["ties"]) == (6, 3, 2, 1)
    # Group scores of a: 1, 0, 1/4; their mean 5/12 and standard error sqrt(13/48 / 3).
    assert a["score"] == pytest.approx(5 / 12)
    assert a["score_se"] == pytest.approx((13 / 48 / 3) ** 0.5)
    assert a["points_mean"] == pytest.approx((30 + 35 + 10 + 40 + 50) / 5)
    assert a["diff_mean"] == pytest.approx((10 + 10 - 10 - 4 + 0) / 5)
    assert (a["failures"], b["failures"]) == (1, 0)
    (pair,) = found["pairs"]
    assert pair["pentanomial"] == [1, 1, 0, 0, 1]
    assert pair["score"] == a["score"]
    assert found["first_player"]["score"] == pytest.approx((1 + 0 + 0 + 1 + 0.5 + 1) / 6)
    assert found["failures"] == [{"game": 5, "player": "a", "reason": "crashed"}]
    assert (found["games"], found["incomplete"]) == (6, 1)
    json.dumps(found, allow_nan=False)


def test_a_report_without_games() -> None:
    record = Record(tournament(), "0", {}, 0)
    found = report.of_records({"x": record}).to_dict()
    assert [player["score"] for player in found["players"]] == [None, None]
    assert found["pairs"] == []
