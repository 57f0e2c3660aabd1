"""Where groups are played: one interface over this machine's processes and Dask clusters."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from typing import Any, Protocol

from azul_ai.engine import local_cores
from azul_ai.settings import SettingError
from azul_ai.tournament import process

CONNECT_SECONDS = 10
"""How long a scheduler may take to answer."""


class WorkersError(Exception):
    """Workers died again and again, or are out of reach."""


class Workers(Protocol):
    """Runs functions elsewhere."""

    died: tuple[type[BaseException], ...]
    """What a future raises when its worker died, and its work has to be done again."""

    def slots(self) -> int:
        """How many calls run at the same time now.

        :raises WorkersError: nobody can tell.
        """

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        """Run a function in a worker; also after workers died."""


class _Processes:
    """Processes of this machine, started afresh: forking a process with threads is unsafe."""

    died: tuple[type[BaseException], ...] = (BrokenExecutor,)

    def __init__(self, number: int) -> None:
        self._number = number
        self._before = set(multiprocessing.active_children())
        self._pool = self._start()

    def _start(self) -> Executor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._number, context, initializer=_begin_worker)

    def slots(self) -> int:
        return self._number

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        try:
            return self._pool.submit(function, *args)
        except BrokenExecutor:
            self._pool = self._start()
            return self._pool.submit(function, *args)

    def end(self) -> None:
        """End at once: what still runs is not wanted any more."""
        for child in set(multiprocessing.active_children()) - self._before:
            child.terminate()
        self._pool.shutdown(cancel_futures=True)


def _begin_worker() -> None:
    """Leave Ctrl-C to the parent, end with it even if it is killed, and take bots along."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _leave(*_: object) -> None:
    process.end_all()
    os._exit(1)


def _end_with(parent: Any) -> None:
    parent.join()
    _leave()


class _Cluster:
    """The workers of a Dask scheduler, through dask.distributed's own executor."""

    def __init__(self, client: Any, died: tuple[type[BaseException], ...]) -> None:
        self.died = died
        self._client = client
        self._pool: Executor = client.get_executor(pure=False)

    def slots(self) -> int:
        try:
            return max(1, sum(self._client.nthreads().values()))
        except OSError as error:
            raise WorkersError(f"the scheduler is out of reach: {error}") from None

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        return self._pool.submit(function, *args)


@contextlib.contextmanager
def processes(number: int | None = None) -> Iterator[Workers]:
    """Worker processes on this machine, by default one for each core, ended on leaving."""
    workers = _Processes(number or local_cores())
    try:
        yield workers
    finally:
        workers.end()


@contextlib.contextmanager
def cluster(address: str) -> Iterator[Workers]:
    """The workers of the Dask scheduler at ``tcp://host:port``.

    :raises SettingError: the extra ``cluster`` is not installed, or nobody answers there.
    """
    try:
        import distributed  # noqa: PLC0415 - an extra
    except ImportError:
        hint = "pip install 'azul-ai[cluster]'"
        raise SettingError("scheduler", "needs the package distributed", hint) from None
    connect: Any = distributed.Client
    try:
        client: Any = connect(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        reason = f"no scheduler answers at {address}: {error}"
        raise SettingError("scheduler", reason, "start one with dask scheduler") from None
    with client:
        yield _Cluster(client, (distributed.scheduler.KilledWorker,))
