"""Which games are played: pairings, groups, seatings.

A group is one deal order, or one start position and what follows it, with every seating of
the players who meet: luck that favors a seat favors each of them once. Several pairings play
the same deals.

With as many players as seats, three or more, a group has the rotations of one order around the
table, and the next deal another order: who sits after whom decides games, too. (With 1-3 plies
of max^n at a table of three, 60 games each, the third won 72.5 % before the second player and
10 % behind him, who thinks of what is left for whoever comes next.)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

from azul_ai import games
from azul_ai.game import MAX_PLAYERS, OVER
from azul_ai.position import Position, from_code, from_state, to_state
from azul_ai.position.words import PALETTES
from azul_ai.settings import SettingError
from azul_ai.tournament import deals, players
from azul_ai.tournament.players import Entrant
from azul_ai.tournament.settings import DEFAULT_GAMES, Settings

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


def seatings(pairing: tuple[Entrant, ...], seats: int, deal: int = 0) -> tuple[Seating, ...]:
    """All rotations of an order of the players, which changes with the deal.

    With fewer players than seats: all ways that seat every player.
    """
    if len(pairing) == seats:
        first, *others = pairing
        orders = list(itertools.permutations(others))
        order = (first, *orders[deal % len(orders)])
        return tuple(order[turn:] + order[:turn] for turn in range(seats))
    ways = itertools.product(pairing, repeat=seats)
    return tuple(way for way in ways if set(way) == set(pairing))


def groups(settings: Settings) -> Iterator[Group]:
    """All groups in order: every pairing on the first deal, then so on."""
    meetings = pairings(settings)
    size = group_size(settings)
    letters = PALETTES[settings.game].letters
    for deal in itertools.count():
        if settings.games is not None and deal * size >= settings.games:
            return
        line = settings.deals[deal] if settings.deals else ""
        seed = int(line) if line.isdecimal() else deals.derive(settings.seed, deal)
        given = () if line.isdecimal() else tuple(map(letters.index, line))
        starts = settings.positions
        start = starts[deal % len(starts)] if starts else _new_game(settings, seed)
        for index, pairing in enumerate(meetings):
            ways = seatings(pairing, settings.seats, deal)
            number = deal * len(meetings) + index
            missing = tuple(range(size))
            yield Group(number, number * size, settings.game, seed, given, start, ways, missing)


def _new_game(settings: Settings, seed: int) -> str:
    """The code of a new game if something is laid out at random before its first deal."""
    if not games.has_sides(settings.game):
        return ""
    boards = {"side": settings.side, "parts": settings.components}
    options = {name: value for name, value in boards.items() if value is not None}
    laid_out = games.new_game(settings.game, settings.seats, seed=seed, **options)
    return from_state(laid_out).code


def group_size(settings: Settings) -> int:
    """Number of games in a group."""
    return len(seatings(pairings(settings)[0], settings.seats))


def total_games(settings: Settings) -> int | None:
    """Number of games of the whole tournament; None where only a test ends it."""
    if settings.games is None:
        return None
    size = group_size(settings)
    return -(-settings.games // size) * size * len(pairings(settings))


def complete(settings: Settings) -> Settings:
    """Settings that can be played: checked, and with the number of games filled in.

    ``games`` None becomes as many as there are deals, or a default; with a test it stays.

    :raises SettingError: they cannot be played.
    """
    if not 2 <= settings.seats <= MAX_PLAYERS:
        raise SettingError("seats", f"a game has 2-{MAX_PLAYERS} seats, not {settings.seats}")
    players.check(settings.players)
    if settings.sprt is not None and len(settings.players) != 2:
        raise SettingError("sprt", "compares exactly two players", "give --player twice")
    for index, code in enumerate(settings.positions):
        _check_position(settings, from_code(code), f"positions[{index}]")
    for field, value in (("side", settings.side), ("components", settings.components)):
        if value is not None and (settings.positions or not games.has_sides(settings.game)):
            raise SettingError(field, "is for new games of a game that has such boards")
    size = group_size(settings)
    number = settings.games
    if number is None and settings.deals:
        number = size * len(settings.deals)
    if number is None and settings.sprt is None:
        number = DEFAULT_GAMES
    _check_deals(settings, 0 if number is None else -(-number // size))
    return replace(settings, games=number)


def _check_position(settings: Settings, position: Position, field: str) -> None:
    if position.game != settings.game:
        raise SettingError(field, f"is of the game {position.game}", f"--game {position.game}")
    number = len(position.players)
    if number != settings.seats:
        raise SettingError(field, f"has {number} players", f"--seats {number}")
    if to_state(position)["stage"] == OVER:
        raise SettingError(field, "the game is over there", "leave it out")


def _check_deals(settings: Settings, needed: int) -> None:
    palette = PALETTES[settings.game]
    bag = games.load(settings.game).new_state(settings.seats)["bag"]
    for index, line in enumerate(settings.deals):
        field = f"deals[{index}]"
        if line.isdecimal():
            continue
        if set(line) - set(palette.letters):
            reason = f"{line!r} is neither a seed nor a row of tiles"
            raise SettingError(field, reason, palette.legend())
        if settings.positions:
            raise SettingError(field, "tiles are for new games only", "give a seed")
        for color, letter in enumerate(palette.letters):
            if line.count(letter) > deals.count(bag, color):
                raise SettingError(field, f"has more {letter} than a new bag")
    if settings.deals and needed > len(settings.deals):
        reason = f"there are {len(settings.deals)}, and {needed} are needed"
        raise SettingError("deals", reason, "add lines, or lower --games")
