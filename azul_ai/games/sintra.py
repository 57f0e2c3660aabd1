"""Azul: Stained Glass of Sintra, sides A and B: the rules of a turn, and scoring, compiled.

Source: the rulebook (Michael Kiesling, Plan B Games, 2018); where it is silent, the README's
table of rulings.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.bits import count
from azul_ai.game import DEAL, OVER
from azul_ai.games import hashing, palace, rounds, strips, supply
from azul_ai.games.palace import ORNAMENTS, PLACES, SIDES, STATE, TRACK_END, WINDOW, new_state
from azul_ai.games.rounds import IN_CENTER
from azul_ai.games.sintra_moves import BREAK, GLAZIER, color_of, kept_of, place_of, source_of
from azul_ai.games.strips import PANE_MASK
from azul_ai.games.supply import COLORS, FIELD
from azul_ai.jit import jit

__all__ = ["NAME", "SIDES", "STATE", "new_state"]

NAME = "sintra"
ROUNDS = 6
PANES_A_POINT = 3
"""So many panes left on strips are a point at the end."""
ORNAMENT_BONUS = np.array([0, 0, 3, 6, 10], dtype=np.int64)
"""Side A: points by the number of panes around an ornament."""

rounds.register(STATE)
rounds.register_open_choices(STATE)


# --- a turn -----------------------------------------------------------------------------


@game.apply.register(STATE)
@jit
def apply(state: Any, move: int) -> None:
    """A turn; the last pane off the table ends the round."""
    board = state.boards[state.mover]
    if move == GLAZIER:
        board.glazier = palace.leftmost(board)
    else:
        advance_pattern(state, board, move)
    if state.presence:
        state.mover = rounds.next_player(state)
    else:
        end_round(state)


@jit
def advance_pattern(state: Any, board: Any, move: int) -> None:
    """Marker's step, placing, breaking, completion, in this order."""
    source, color, place = source_of(move), color_of(move), place_of(move)
    if source == 0 and state.holder == IN_CENTER:
        state.holder = state.mover
        step_down(state, board, 1)
    panes = supply.take(state, source, color)
    if place != BREAK:
        before = board.strips[place]
        board.glazier = place
        board.strips[place] = strips.filled(before, color, panes)
        panes -= strips.panes_on(board.strips[place]) - strips.panes_on(before)
    state.lid += panes << FIELD * color
    step_down(state, board, panes)
    if place != BREAK:
        if strips.panes_on(board.strips[place]) == strips.SPACES:
            complete_strip(state, board, place, kept_of(move))
        board.takes &= ~(palace.ONE_PLACE << place)
        board.takes |= palace.open_colors(board, place)


@jit
def step_down(state: Any, board: Any, steps: int) -> None:
    """Move the broken glass marker; at the track's end pay and go back to the top."""
    board.broken += steps
    while board.broken >= TRACK_END:
        board.broken -= TRACK_END
        board.lost -= state.track[TRACK_END]
        board.score = clamped(state, board.score + state.track[TRACK_END])


@jit
def clamped(state: Any, score: int) -> int:
    """A score after a loss."""
    return max(0, score) if state.clamp else score


@jit
def complete_strip(state: Any, board: Any, place: int, kept: int) -> None:
    """Score a full strip and its window; a pane stays there, the strip turns over or goes.

    :param kept: color + 1 of that pane; 0 on side A, where it counts for nothing: one of the
        most frequent color, among equals the first.
    """
    strip, most = board.strips[place], 0
    for color in range(COLORS):
        panes = strips.of_color(strip, color)
        state.lid += panes << FIELD * color
        if color + 1 == state.indicator & PANE_MASK:
            board.score += panes
        if not state.side_b and panes > most:
            kept, most = color + 1, panes
    state.lid -= 1 << FIELD * (kept - 1)
    second = palace.panes_at(board, place) > 0
    board.windows |= kept << WINDOW * place + strips.PANE * second
    board.strips[place] = 0 if second else strips.turned(strip)
    board.score += window_points(state, board, place)


@jit
def window_points(state: Any, board: Any, place: int) -> int:
    """What completing a strip scores: its window, and those right of it with panes."""
    points = state.window_points[place]
    for right in range(place + 1, PLACES):
        if palace.panes_at(board, right):
            points += state.window_points[right]
    return points


@game.end_round.register(STATE)
@jit
def end_round(state: Any) -> None:
    """The round's indicator pane goes to the tower; six rounds are the game."""
    state.lid += 1 << FIELD * ((state.indicator & PANE_MASK) - 1)
    state.indicator >>= strips.PANE
    state.mover = rounds.next_starter(state)
    state.stage = OVER if state["round"] >= ROUNDS else DEAL


# --- the end of the game ----------------------------------------------------------------


@jit
def final_score(state: Any, board: Any) -> int:
    """The score with the panes left on strips and the marker on the track, no bonus."""
    left = 0
    for place in range(PLACES):
        left += strips.panes_on(board.strips[place])
    return clamped(state, board.score + left // PANES_A_POINT + state.track[board.broken])


@jit
def bonus(state: Any, board: Any) -> int:
    """Side A: panes around ornaments; B: complete windows times panes of one color."""
    return windows_bonus(board) if state.side_b else ornaments_bonus(state, board)


@jit
def ornaments_bonus(state: Any, board: Any) -> int:
    """Points of side A."""
    points = 0
    for ornament in range(ORNAMENTS):
        around = 0
        for place in range(PLACES):
            if state.ornaments[ornament] >> place & 1:
                around += palace.panes_at(board, place)
        points += ORNAMENT_BONUS[around]
    return points


@jit
def windows_bonus(board: Any) -> int:
    """Points of side B."""
    complete, most = 0, 0
    for place in range(PLACES):
        complete += palace.panes_at(board, place) == 2
    for color in range(COLORS):
        most = max(most, palace.panes_of_color(board.windows, color))
    return complete * most


@game.final_points.register(STATE)
@jit
def final_points(state: Any, player: int) -> int:
    """The final score and the side's bonus."""
    board = state.boards[player]
    return final_score(state, board) + bonus(state, board)


@game.tie_break.register(STATE)
@jit
def tie_break(state: Any, player: int) -> int:
    """Fewer points lost by broken glass win."""
    board = state.boards[player]
    return state.track[board.broken] - board.lost


@game.conclusive.register(STATE)
@jit
def conclusive(state: Any) -> bool:
    """Whether six rounds were played."""
    return state["round"] >= ROUNDS


# --- what a search looks up -------------------------------------------------------------

_SCORE_ZERO = 1 << 12
"""Added to scores, which may be far below 0."""
_ROLES = 8
"""Roles for the words of one player."""


@game.hash_key.register(STATE)
@jit
def hash_key(state: Any) -> int:
    """The components, which no move changes, are left out; so is which sides are up.

    A strip turns over when its window gets its first pane.
    """
    key = hashing.turn_key(state) + hashing.supply_key(state, state.lid) & hashing.MASK
    for player in range(state.players):
        board = state.boards[player]
        role = hashing.OWN + _ROLES * player
        for pair in range(PLACES // 2):
            left, right = board.strips[2 * pair], board.strips[2 * pair + 1]
            word = left & strips.SIDE_MASK | (right & strips.SIDE_MASK) << strips.SIDE
            key = key + hashing.mix(word, role + pair) & hashing.MASK
        half = WINDOW * PLACES // 2
        key = key + hashing.mix(board.windows & (1 << half) - 1, role + 4) & hashing.MASK
        key = key + hashing.mix(board.windows >> half, role + 5) & hashing.MASK
        key = key + hashing.mix(board.score + _SCORE_ZERO, role + 6) & hashing.MASK
        word = board.glazier | board.broken << 3 | board.lost << 6
        key = key + hashing.mix(word, role + 7) & hashing.MASK
    return key


@game.moves_left.register(STATE)
@jit
def moves_left(state: Any) -> int:
    """Takes, and after each but the last of them, and at once, a glazier going back."""
    number = 2 * count(state.presence) - 1
    for player in range(state.players):
        number += palace.may_go_back(state.boards[player])
    return number


@game.ends_game.register(STATE)
@jit
def ends_game(state: Any) -> bool:
    """The sixth round does."""
    return state["round"] >= ROUNDS
