"""Which games are played: pairings, groups, seatings.

A group is one deal order, or one start position and what follows it, with every seating of
the players who meet: luck that favors a seat favors each of them once. Several pairings play
the same deals.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from azul_ai.engine import SettingError
from azul_ai.games import NAMES
from azul_ai.position import Position, from_code
from azul_ai.position.words import PALETTES
from azul_ai.tournament import deals, players
from azul_ai.tournament.players import Entrant
from azul_ai.tournament.settings import Settings

Seating = tuple[Entrant, ...]
"""Who sits where, by seat."""


@dataclass(frozen=True)
class Group:
    """A unit of work: all seatings of one pairing on one deal.

    ``first_game`` is the id of the game with the first seating; the others follow. ``given``:
    the colors that come out of the bag first; ``start``: the code of a position, "" for a new
    game; ``missing``: which of the seatings are still to be played.
    """

    number: int
    first_game: int
    game: str
    seed: int
    given: tuple[int, ...]
    start: str
    seatings: tuple[Seating, ...]
    missing: tuple[int, ...]


def pairings(settings: Settings) -> list[tuple[Entrant, ...]]:
    """The sets of players who meet at a table."""
    at_table = min(settings.seats, len(settings.players))
    meetings = itertools.combinations(settings.players, at_table)
    first = settings.players[0]
    return [m for m in meetings if not settings.gauntlet or first in m]


def seatings(pairing: tuple[Entrant, ...], seats: int) -> tuple[Seating, ...]:
    """All cyclic rotations; with fewer players than seats, all ways that seat every player."""
    if len(pairing) == seats:
        return tuple(pairing[turn:] + pairing[:turn] for turn in range(seats))
    ways = itertools.product(pairing, repeat=seats)
    return tuple(way for way in ways if set(way) == set(pairing))


def groups(settings: Settings) -> Iterator[Group]:
    """All groups in order: every pairing on the first deal, then so on."""
    meetings = [seatings(pairing, settings.seats) for pairing in pairings(settings)]
    games = group_size(settings)
    letters = PALETTES[settings.game].letters
    for deal in itertools.count():
        if settings.games is not None and deal * games >= settings.games:
            return
        line = settings.deals[deal] if settings.deals else ""
        seed = int(line) if line.isdecimal() else deals.derive(settings.seed, deal)
        given = () if line.isdecimal() else tuple(map(letters.index, line))
        starts = settings.positions
        start = starts[deal % len(starts)] if starts else ""
        for index, ways in enumerate(meetings):
            number = deal * len(meetings) + index
            missing = tuple(range(games))
            yield Group(number, number * games, settings.game, seed, given, start, ways, missing)


def group_size(settings: Settings) -> int:
    """Number of games in a group."""
    return len(seatings(pairings(settings)[0], settings.seats))


def total_games(settings: Settings) -> int | None:
    """Number of games of the whole tournament; None where only a test ends it."""
    if settings.games is None:
        return None
    games = group_size(settings)
    return -(-settings.games // games) * games * len(pairings(settings))


def check(settings: Settings) -> None:
    """Raise SettingError for settings that cannot be played, PositionError for bad positions."""
    if settings.game not in NAMES:
        raise SettingError("game", f"unknown game {settings.game!r}", f"known: {', '.join(NAMES)}")
    players.check(settings.players)
    if not 2 <= settings.seats <= 4:
        raise SettingError("seats", f"a game has 2-4 seats, not {settings.seats}")
    if settings.games is not None and settings.games < 1:
        raise SettingError("games", f"{settings.games} is too few", "give a whole number from 1 up")
    if settings.sprt is not None and len(settings.players) != 2:
        raise SettingError("sprt", "compares exactly two players", "give --player twice")
    if settings.games is None and settings.sprt is None:
        raise SettingError("games", "is missing", "give --games N, or --sprt")
    for index, code in enumerate(settings.positions):
        _check_position(settings, from_code(code), f"positions[{index}]")
    _check_deals(settings)


def _check_position(settings: Settings, position: Position, field: str) -> None:
    if position.game != settings.game:
        raise SettingError(field, f"is of the game {position.game}", f"--game {position.game}")
    if len(position.players) != settings.seats:
        number = len(position.players)
        raise SettingError(field, f"has {number} players", f"--seats {number}")


def _check_deals(settings: Settings) -> None:
    palette = PALETTES[settings.game]
    for index, line in enumerate(settings.deals):
        strange = "" if line.isdecimal() else line.strip(palette.letters)
        if strange or not line:
            reason = f"{line!r} is neither a seed nor a row of tiles"
            raise SettingError(f"deals[{index}]", reason, palette.legend())
    needed = -(-(settings.games or 0) // group_size(settings))
    if settings.deals and (settings.games is None or needed > len(settings.deals)):
        reason = f"there are {len(settings.deals)} deals, too few for all groups"
        raise SettingError("deals", reason, "add lines, or give --games")
