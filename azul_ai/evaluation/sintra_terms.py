"""What a palace board is worth, in points: the terms of the hand-made evaluation of Sintra.

A strip's *worth* is what completing it would bring: its window's points and those to the right,
panes of the round's color, a step towards the side's bonus, and what its window adds to later
completions left of it. A strip in progress counts as a part of that. Constants were found by
looking at games.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai.games import palace, sintra, strips
from azul_ai.games.palace import ORNAMENTS, PLACES, TRACK_END
from azul_ai.games.supply import COLORS
from azul_ai.jit import jit

PROGRESS = np.array(
    [
        [0.0, 0.02, 0.08, 0.22, 0.45, 1.0],
        [0.0, 0.05, 0.16, 0.34, 0.60, 1.0],
        [0.0, 0.08, 0.22, 0.42, 0.66, 1.0],
        [0.0, 0.10, 0.25, 0.45, 0.68, 1.0],
        [0.0, 0.11, 0.27, 0.46, 0.69, 1.0],
        [0.0, 0.11, 0.27, 0.46, 0.69, 1.0],
    ]
)
"""Part of a strip's worth, by rounds still to come and number of panes on it."""

COLOR_POINTS = 1.1
"""Panes of the round's color on a strip when it gets full, on average."""
COMPLETIONS = 1.2
"""Strips that a player completes in a round."""
REACH = 0.4
"""Points off for each place between the leftmost strip and the glazier."""
START = 0.7
"""Worth of starting the next round."""

_ORNAMENT = np.array([0.0, 1.4, 3.6, 6.4, 10.0])
"""Worth of panes around an ornament while more may come."""
_HALF_WINDOW = 0.15
"""Part of a complete window that one pane counts on side B, for each round to come."""
_MORE_PANES = 0.5
"""Panes of the color that counts on side B still to come, for each round."""
_STEPS = 2
"""Steps down the track for each round to come, at most."""


@jit
def rounds_to_come(state: Any) -> int:
    """The rounds after this one, or after the one that was just scored."""
    return sintra.ROUNDS - state["round"]


@jit
def fill_worths(state: Any, board: Any, worths: Any) -> None:
    """Write the worth of completing each strip, COLOR_POINTS included, shape (PLACES,)."""
    to_come = rounds_to_come(state)
    right = 0.0
    for back in range(PLACES):
        place = PLACES - 1 - back
        points = float(state.window_points[place])
        panes = palace.panes_at(board, place)
        worth = points + right + COLOR_POINTS + bonus_step(state, board, place, panes, to_come)
        if panes:
            right += points
        else:
            worth += chain(points, place, to_come)
        worths[place] = worth


@jit
def chain(points: float, place: int, to_come: int) -> float:
    """What a pane in a window adds to later completions left of it."""
    return points * COMPLETIONS * to_come * place / PLACES


@jit
def bonus_step(state: Any, board: Any, place: int, panes: int, to_come: int) -> float:
    """What one more pane in a window does for the side's bonus."""
    if state.side_b:
        complete, most = window_figures(board)
        if panes:
            return most + _MORE_PANES * to_come + 0.5 * complete
        return _HALF_WINDOW * to_come * (most + 1.0) + 0.5 * complete
    for ornament in range(ORNAMENTS):
        if state.ornaments[ornament] >> place & 1:
            around = panes_around(state, board, ornament)
            if to_come:
                return _ORNAMENT[min(around + 1, 4)] - _ORNAMENT[around]
            return float(sintra.ORNAMENT_BONUS[min(around + 1, 4)] - sintra.ORNAMENT_BONUS[around])
    return 0.0


@jit
def panes_around(state: Any, board: Any, ornament: int) -> int:
    """Number of panes around an ornament."""
    panes = 0
    for place in range(PLACES):
        if state.ornaments[ornament] >> place & 1:
            panes += palace.panes_at(board, place)
    return panes


@jit
def window_figures(board: Any) -> tuple[int, int]:
    """Number of complete windows, and of panes of the most frequent color in all."""
    complete, most = 0, 0
    for place in range(PLACES):
        complete += palace.panes_at(board, place) == 2
    for color in range(COLORS):
        most = max(most, palace.panes_of_color(board.windows, color))
    return complete, most


@jit
def glass(state: Any, steps: int, to_come: int) -> float:
    """Expected points at the marker, the 18s from now on included, after so many steps.

    Up to _STEPS more for each round to come, all numbers alike.
    """
    points = 0.0
    number = _STEPS * to_come + 1
    for more in range(number):
        rounds, place = divmod_track(steps + more)
        points += rounds * state.track[TRACK_END] + state.track[place]
    return points / number


@jit
def divmod_track(steps: int) -> tuple[int, int]:
    """How often the end was reached, and the place on the track."""
    rounds = steps // TRACK_END
    return rounds, steps - rounds * TRACK_END


@jit
def reach_cost(board: Any) -> float:
    """Points off for a glazier that has to go back some day."""
    first = palace.leftmost(board)
    return REACH * max(0, board.glazier - first)


@jit
def board_value(state: Any, board: Any, worths: Any) -> float:
    """Expected final points of a board, less what all players have to come alike.

    :param worths: float64, shape (PLACES,), overwritten.
    """
    to_come = rounds_to_come(state)
    fill_worths(state, board, worths)
    points = board.score + glass(state, board.broken, to_come) - reach_cost(board)
    panes = 0
    for place in range(PLACES):
        here = strips.panes_on(board.strips[place])
        panes += here
        points += worths[place] * PROGRESS[to_come, here]
        if palace.panes_at(board, place):
            points += chain(float(state.window_points[place]), place, to_come)
    return points + bonus_value(state, board, to_come) + panes / 10.0


@jit
def bonus_value(state: Any, board: Any, to_come: int) -> float:
    """What the windows promise of the side's bonus."""
    points = 0.0
    if state.side_b:
        complete, most = window_figures(board)
        halves = 0
        for place in range(PLACES):
            halves += palace.panes_at(board, place) == 1
        return (complete + _HALF_WINDOW * to_come * halves) * (most + _MORE_PANES * to_come)
    for ornament in range(ORNAMENTS):
        points += _ORNAMENT[panes_around(state, board, ornament)]
    return points
