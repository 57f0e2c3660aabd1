"""Plays a tournament: hands groups to workers, keeps what comes back, stops when decided."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace

from azul_ai.tournament import schedule, worker
from azul_ai.tournament.executors import Workers, WorkersError
from azul_ai.tournament.records import Game
from azul_ai.tournament.schedule import Group
from azul_ai.tournament.settings import Settings
from azul_ai.version import __version__

QUEUED = 2
"""Groups handed out for each slot of the workers: one to play, one to come."""

MAX_DEATHS = 3
"""A group that was handed out when so many workers died is given up."""


class StrictError(Exception):
    """A bot failed in a tournament that stops at the first failure."""

    def __init__(self, game: Game) -> None:
        assert game.failure is not None
        name = game.names[game.failure.seat]
        super().__init__(f"{name} failed in game {game.game}: {game.failure.reason}")


def run(
    settings: Settings,
    done: Iterable[int],
    workers: Workers,
    keep: Callable[[list[Game]], bool],
) -> None:
    """Play what is missing, group by group, until all is played or decided.

    :param done: ids of the games that are on record.
    :param keep: is given the games of each group as it is finished, in any order; returns
        whether the tournament is decided and no more games are wanted.
    :raises StrictError: in a strict tournament, after what is finished was kept.
    :raises WorkersError: a group cost :data:`MAX_DEATHS` workers, or there are none any more.
    """
    desk = _Desk(_missing(settings, frozenset(done)), workers)
    try:
        while desk.hand_out():
            decided, failed = False, []
            for games in desk.take_back():
                decided = keep(games) or decided
                failed += [game for game in games if game.failure is not None]
            if failed and settings.strict:
                raise StrictError(failed[0])
            if decided:
                return
    finally:
        desk.close()


def _missing(settings: Settings, done: frozenset[int]) -> Iterator[Group]:
    """The groups with games that are not done, without those that are."""
    for group in schedule.groups(settings):
        missing = tuple(i for i in group.missing if group.first_game + i not in done)
        if missing:
            yield replace(group, missing=missing)


class _Desk:
    """Hands groups to workers, and takes them back finished, or to be played again."""

    def __init__(self, waiting: Iterator[Group], workers: Workers) -> None:
        self._waiting = waiting
        self._workers = workers
        self._running: dict[Future[list[Game]], Group] = {}
        self._deaths: Counter[int] = Counter()

    def hand_out(self) -> bool:
        """Give the workers as much as they should have; return whether anything is running."""
        free = max(0, QUEUED * self._workers.slots() - len(self._running))
        for group in itertools.islice(self._waiting, free):
            future = self._workers.submit(worker.play_group, group, __version__)
            self._running[future] = group
        return bool(self._running)

    def take_back(self) -> Iterator[list[Game]]:
        """Wait for a group to be finished; yield the games of all that are.

        :raises WorkersError: after that, if there is no point in playing on.
        """
        done = wait(self._running, return_when=FIRST_COMPLETED).done
        lost, cut_off = [], False
        for future in [future for future in self._running if future in done]:
            group = self._running.pop(future)
            if future.cancelled():
                cut_off = True
            elif isinstance(future.exception(), self._workers.died):
                lost.append(group)
            else:
                yield future.result()
        if cut_off:
            raise WorkersError("the connection to the workers is lost; finished games are kept")
        if lost:
            self._play_again(lost)

    def _play_again(self, lost: list[Group]) -> None:
        self._deaths.update(group.number for group in lost)
        for number, deaths in self._deaths.items():
            if deaths >= MAX_DEATHS:
                raise WorkersError(
                    f"workers died {deaths} times while group {number} was being played; "
                    "is there too little memory?"
                )
        self._waiting = itertools.chain(lost, self._waiting)

    def close(self) -> None:
        """Call back what has not begun."""
        for future in self._running:
            future.cancel()
