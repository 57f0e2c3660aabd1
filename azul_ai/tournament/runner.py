"""Plays a tournament: hands groups to workers, keeps what comes back, stops when decided."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace

from azul_ai.tournament import schedule, worker
from azul_ai.tournament.executors import Workers
from azul_ai.tournament.records import Game
from azul_ai.tournament.schedule import Group
from azul_ai.tournament.settings import Settings
from azul_ai.version import __version__

QUEUED = 2
"""Groups handed out for each slot of the workers: one to play, one to come."""

MAX_DEATHS = 3
"""A group that was handed out when so many workers died is given up."""


class WorkersError(Exception):
    """Workers died again and again; the message names the group."""


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
    :raises WorkersError: a group cost :data:`MAX_DEATHS` workers.
    """
    waiting = _missing(settings, frozenset(done))
    running: dict[Future[list[Game]], Group] = {}
    deaths: Counter[int] = Counter()
    try:
        while True:
            free = max(0, QUEUED * workers.slots() - len(running))
            for group in itertools.islice(waiting, free):
                running[workers.submit(worker.play_group, group, __version__)] = group
            if not running:
                return
            done_now = wait(running, return_when=FIRST_COMPLETED).done
            decided, lost, failed = False, [], []
            for future in [future for future in running if future in done_now]:
                group = running.pop(future)
                if isinstance(future.exception(), workers.died):
                    lost.append(group)
                else:
                    games = future.result()
                    decided = keep(games) or decided
                    failed += [game for game in games if game.failure is not None]
            if failed and settings.strict:
                raise StrictError(failed[0])
            if decided:
                return
            if lost:
                waiting = itertools.chain(_again(lost, deaths), waiting)
    finally:
        for future in running:
            future.cancel()


def _missing(settings: Settings, done: frozenset[int]) -> Iterator[Group]:
    """The groups with games that are not done, without those that are."""
    for group in schedule.groups(settings):
        missing = tuple(i for i in group.missing if group.first_game + i not in done)
        if missing:
            yield replace(group, missing=missing)


def _again(lost: list[Group], deaths: Counter[int]) -> Iterator[Group]:
    """Lost groups, to be played again."""
    for group in lost:
        deaths[group.number] += 1
        if deaths[group.number] == MAX_DEATHS:
            raise WorkersError(
                f"workers died {MAX_DEATHS} times while group {group.number} was being played; "
                "is there too little memory?"
            )
        yield group
