"""What a worker does: it plays groups. Runs in other processes, on other machines too."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from azul_ai import games, position
from azul_ai.position.words import PALETTES
from azul_ai.tournament import bots, deals, referee
from azul_ai.tournament.bot import Bot
from azul_ai.tournament.players import Entrant
from azul_ai.tournament.records import Game
from azul_ai.tournament.schedule import Group, Seating
from azul_ai.version import __version__

Notify = Callable[[str], None]

_threads = threading.local()
"""Bots are made once a thread and kept: they own arrays and programs, and share nothing."""


class VersionError(Exception):
    """A worker runs another version of this program."""


def play_group(group: Group, version: str) -> list[Game]:
    """Play the missing games of a group.

    :raises VersionError: this worker is not of the given version.
    """
    if version != __version__:
        raise VersionError(f"a worker has version {__version__}, this machine {version}")
    start = start_state(group.game, len(group.seatings[0]), group.start)
    return [_play(group, index, start) for index in group.missing]


def prepare(
    game: str, start: str, seats: int, entrants: Sequence[Entrant], notify: Notify | None = None
) -> None:
    """Compile everything that games between the entrants need, in a shared cache.

    :raises SettingError: an entrant cannot be made a bot.
    """
    table = [bot_of(entrant, game) for entrant in entrants]
    referee.prepare(start_state(game, seats, start), table, notify)


def start_state(game_name: str, seats: int, code: str) -> Any:
    """The state that a code stands for, or that of a new game."""
    if code:
        return position.to_state(position.from_code(code))
    return games.load(game_name).new_state(seats)


def bot_of(entrant: Entrant, game_name: str) -> Bot:
    """This thread's bot for an entrant."""
    made: dict[tuple[Entrant, str], Bot] = _threads.__dict__.setdefault("bots", {})
    key = entrant, game_name
    if key not in made:
        made[key] = bots.make(entrant, game_name)
    return made[key]


def _play(group: Group, index: int, start: Any) -> Game:
    seating: Seating = group.seatings[index]
    table = [bot_of(entrant, group.game) for entrant in seating]
    played = referee.play(start, table, group.seed, group.given)
    letters = PALETTES[group.game].letters
    return Game(
        game=group.first_game + index,
        group=group.number,
        group_size=len(group.seatings),
        rules=group.game,
        seed=group.seed,
        players=[entrant.to_dict() for entrant in seating],
        first=played.first,
        start=group.start,
        deals=[deals.to_text(displays.tolist(), letters) for displays in played.deals],
        moves=played.moves,
        points=played.points,
        ranks=played.ranks,
        shares=played.shares,
        failure=played.failure,
        seconds=[round(seconds, 6) for seconds in played.seconds],
    )
