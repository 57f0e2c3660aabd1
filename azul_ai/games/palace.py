"""Stained Glass of Sintra: the state, and new games. What is printed is part of the state.

The glass tower is the supply's lid, the starting player tile the marker. Players, places
(from the left) and spaces count from 0.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.games import components, rounds, strips
from azul_ai.games.components import JOKER, Components, Prints
from azul_ai.games.supply import COLORS, FIELD
from azul_ai.jit import jit

SIDES = ("A", "B")
PLACES = 8
TRACK_END = 8
"""Steps from the top of the broken glass track to its last space."""
ORNAMENTS = 4

BOARD = np.dtype(
    [
        ("strips", "i8", (PLACES,)),  # words of azul_ai.games.strips
        ("takes", "i8"),  # bit 8c + p: the strip at place p has an empty space for color c
        ("windows", "i8"),  # window p in the 6-bit field at 6p: two panes, 0 or color + 1
        ("glazier", "i8"),
        ("broken", "i8"),  # steps of the marker down the track
        ("lost", "i8"),  # what reaching the track's end has cost
        ("score", "i8"),
    ]
)
STATE = np.dtype(
    (
        np.record,
        [
            ("boards", BOARD, (game.MAX_PLAYERS,)),
            *rounds.FIELDS,
            ("indicator", "i8"),  # color + 1 of this round's pane, then the next ones', 3 bits each
            ("side_b", "i8"),
            ("clamp", "i8"),  # an option: no score below 0
            ("window_points", "i8", (PLACES,)),
            ("track", "i8", (TRACK_END + 1,)),  # as printed: 0 and less
            ("ornaments", "i8", (ORNAMENTS,)),  # the windows around each, bit p for window p
        ],
    )
)

PLACE_MASK = (1 << PLACES) - 1
ONE_PLACE = sum(1 << PLACES * color for color in range(COLORS))
"""The bits of place 0 in ``takes``."""

WINDOW = 2 * strips.PANE
WINDOW_MASK = (1 << WINDOW) - 1
_WINDOW_ONES = sum(1 << strips.PANE * pane for pane in range(2 * PLACES))


def new_state(
    players: int,
    *,
    side: str = SIDES[0],
    seed: int = 1,
    clamp: bool = False,
    parts: Components | None = None,
) -> Any:
    """A game before its first deal, player 0 to start, as a record of dtype STATE.

    :param seed: of the order of the strips, which of their sides are up, and the indicator.
    :param clamp: whether losses stop at 0 points.
    :param parts: the components, by default those of the package.
    :raises ValueError: ``players`` is not 2, 3 or 4, or there is no such side.
    """
    parts = parts or components.default()
    state = blank_state(players, side, parts.prints)
    state.clamp = clamp
    generator = random.Random(seed)
    order = generator.sample(range(COLORS), COLORS)
    first = generator.randrange(COLORS)  # the bag holds as many panes of each color
    for index, color in enumerate([first, *order]):
        state.indicator |= color + 1 << strips.PANE * index
        state.bag -= 1 << FIELD * color
    letters = "".join(parts.colors)
    for player in range(players):
        board = state.boards[player]
        for place, (front, back) in enumerate(generator.sample(parts.strips, PLACES)):
            back_up = generator.random() < 1 / 2
            if JOKER in front + back:  # that side starts face down
                back_up = JOKER in front
            board["strips"][place] = encode_strip(front, back, letters, back_up=back_up)
        board["takes"] = all_takes(board)
    return state


def blank_state(players: int, side: str, prints: Prints) -> Any:
    """A game without strips and indicator, everything in the bag.

    :raises ValueError: ``players`` is not 2, 3 or 4, or there is no such side.
    """
    if side not in SIDES:
        raise ValueError(f"the sides are {' and '.join(SIDES)}, not {side}")
    state = rounds.new_record(STATE, players)
    state.side_b = side == SIDES[1]
    state.window_points[:] = prints.window_points
    state.track[:] = prints.track
    state.ornaments[:] = [sum(1 << window - 1 for window in pair) for pair in prints.ornaments]
    return state


def encode_strip(
    front: str, back: str, letters: str, *, back_up: bool = False, panes: str = ""
) -> int:
    """A strip's word.

    :param front: the prints of its five spaces, letters or ``*``; ``back`` likewise.
    :param letters: the letters of the colors, in their order.
    :param panes: what lies on the side that is up, any other sign for nothing.
    """
    known, fields = letters + JOKER, 0
    up, down = (back, front) if back_up else (front, back)
    for part, signs in enumerate((panes, up, down)):
        for space, sign in enumerate(signs):
            if sign in known:
                value = known.index(sign) + 1
                fields |= value << strips.SIDE * part + strips.PANE * space
    return fields | strips.BACK_UP * back_up


def all_takes(board: Any) -> int:
    """The word ``takes`` of a board, in plain Python."""
    body = getattr(open_colors, "py_func", open_colors)
    return sum(int(body(board, place)) for place in range(PLACES))


# --- what is read off a board -------------------------------------------------------------


@jit
def open_colors(board: Any, place: int) -> int:
    """The bits of ``takes`` for a place."""
    takes = 0
    for color in range(COLORS):
        if strips.room(board.strips[place], color):
            takes |= 1 << PLACES * color + place
    return takes


@jit
def leftmost(board: Any) -> int:
    """The place of the leftmost strip, PLACES if there is none."""
    for place in range(PLACES):
        if board.strips[place]:
            return place
    return PLACES


@jit
def may_go_back(board: Any) -> bool:
    """Whether the glazier stands elsewhere than above the leftmost strip."""
    place = leftmost(board)
    return place < PLACES and place != board.glazier


@jit
def in_reach(board: Any, color: int) -> int:
    """The strips at or right of the glazier that take a color, a bit for each place."""
    return board.takes >> PLACES * color & PLACE_MASK & PLACE_MASK << board.glazier


@jit
def panes_in_windows(windows: int) -> int:
    """Number of panes in a word of windows."""
    return strips.count_used(windows, _WINDOW_ONES)


@jit
def panes_of_color(windows: int, color: int) -> int:
    """Number of panes of a color in a word of all windows."""
    return 2 * PLACES - panes_in_windows(windows ^ (color + 1) * _WINDOW_ONES)


@jit
def panes_at(board: Any, place: int) -> int:
    """Number of panes in a window."""
    return panes_in_windows(board.windows >> WINDOW * place & WINDOW_MASK)
