from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from azul_ai.tournament import executors, players, records, runner, schedule, worker
from azul_ai.tournament.records import Game, Record
from azul_ai.tournament.session import Session
from azul_ai.tournament.settings import Settings
from azul_ai.version import __version__

distributed = pytest.importorskip("distributed")

pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("ignore")]


@contextlib.contextmanager
def dask(part: str, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A scheduler or a worker, as a process of its own."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{part}", "--no-dashboard", *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


def address(file: Path) -> str:
    """Where the scheduler listens, once it has written its file."""
    deadline = time.monotonic() + 60
    while not file.exists():
        assert time.monotonic() < deadline, "the scheduler does not start"
        time.sleep(0.1)
    with distributed.Client(scheduler_file=str(file), timeout=60) as client:
        client.wait_for_workers(2, timeout=120)
        return str(client.scheduler.address)


def test_a_tournament_survives_the_death_of_a_worker(tmp_path: Path) -> None:
    entrants = (players.parse("name=g,engine=greedy"), players.parse("name=r,engine=random"))
    settings = schedule.complete(Settings("azul", entrants, games=60))
    worker.prepare("azul", "", 2, entrants)
    expected = {
        game.game: game.moves
        for group in schedule.groups(settings)
        for game in worker.play_group(group, __version__)
    }
    file = tmp_path / "scheduler.json"
    join = ["--scheduler-file", str(file), "--nthreads", "1", "--no-nanny"]
    listen = ["--scheduler-file", str(file), "--host", "127.0.0.1", "--port", "0"]
    with dask("scheduler", *listen), dask("worker", *join) as first, dask("worker", *join):
        path = tmp_path / "games.jsonl"
        with (
            records.create(path, settings) as writer,
            executors.cluster(address(file)) as workers,
        ):
            session = Session(Record(settings, __version__, {}, 0), writer)

            def keep(games: list[Game]) -> bool:
                if len(session.record.games) >= 10 and first.poll() is None:
                    first.kill()
                return session.keep(games)

            assert workers.slots() == 2
            runner.run(settings, [], workers, keep)
    assert first.returncode is not None
    assert first.returncode != 0
    found = records.read(path).games
    assert {number: game.moves for number, game in found.items()} == expected
