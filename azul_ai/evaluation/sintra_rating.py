"""The rating of Sintra's moves, in points; see :mod:`azul_ai.evaluation.sintra_terms`."""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.bits import lowest
from azul_ai.evaluation import sintra_terms
from azul_ai.evaluation.interface import conclude, play_policy, rate_moves
from azul_ai.evaluation.sintra_terms import PROGRESS, REACH, START
from azul_ai.games import palace, sintra_moves, strips, supply
from azul_ai.games.palace import PLACES, STATE
from azul_ai.games.rounds import IN_CENTER
from azul_ai.games.sintra_moves import BREAK, GLAZIER
from azul_ai.games.strips import PANE_MASK
from azul_ai.games.supply import COLORS, SOURCE_FIELD, SOURCE_MASK
from azul_ai.jit import jit
from azul_ai.rng import unit

_COMPLETED = 0.5
"""Worth of a completed strip beyond what it scores: the next can be begun."""
_GO_BACK = -0.5
"""Rating of a glazier's move, but for the places that he gains."""
_PANE = 0.1
"""Worth of a pane on a strip, as one of those left at the end."""
_KEPT = 0.6
"""Side B: worth of keeping a color, for each pane of it in the windows."""

_BY_PLACE, _BY_PLACE_MASK = 3, 7
"""Numbers by place are packed: that of place p in the 3-bit field at 3p."""

SCRATCH = PLACES + 1 + 2 * supply.TILES_PER_COLOR
"""Numbers that rating needs of a board: the worths of its strips, then what steps cost."""


@jit
def forget_costs(state: Any, board: Any, scratch: Any) -> None:
    """Begin what steps cost anew, from where the marker is."""
    to_come = sintra_terms.rounds_to_come(state)
    now = sintra_terms.glass(state, board.broken, to_come)
    for steps in range(SCRATCH - PLACES):
        scratch[PLACES + steps] = -1.0
    scratch[PLACES] = now


@jit
def cost_of(state: Any, board: Any, scratch: Any, steps: int) -> float:
    """What so many steps down the track cost, looked up or worked out."""
    if steps == 0:
        return 0.0
    known = scratch[PLACES + steps]
    if known < 0.0:
        to_come = sintra_terms.rounds_to_come(state)
        known = scratch[PLACES] - sintra_terms.glass(state, board.broken + steps, to_come)
        scratch[PLACES + steps] = known
    return known


@jit
def place_rating(
    state: Any, board: Any, scratch: Any, color: int, place: int, before: int, fit: int
) -> float:
    """Rating of putting so many panes that fit on a strip with some before."""
    after = before + fit
    to_come = sintra_terms.rounds_to_come(state)
    points = _PANE * fit - REACH * (place - board.glazier)
    if after < strips.SPACES:
        return points + scratch[place] * (PROGRESS[to_come, after] - PROGRESS[to_come, before])
    wanted = (state.indicator & PANE_MASK) - 1
    matching = strips.of_color(board.strips[place], wanted) + (fit if color == wanted else 0)
    points += scratch[place] * (1.0 - PROGRESS[to_come, before])
    return points + matching - sintra_terms.COLOR_POINTS + _COMPLETED


@jit
def go_back_rating(board: Any) -> float:
    """Rating of the glazier's move."""
    return REACH * (board.glazier - palace.leftmost(board)) + _GO_BACK


@jit
def rate_all(state: Any, presence: int, moves: Any, ratings: Any) -> int:
    """Write moves and ratings of what is in ``presence``; return the number."""
    scratch, board = np.empty(SCRATCH), state.boards[state.mover]
    sintra_terms.fill_worths(state, board, scratch)
    forget_costs(state, board, scratch)
    return rate_by(state, scratch, presence, moves, ratings)


@jit
def panes_by_place(board: Any) -> int:
    """The numbers of panes on the strips, packed."""
    word = 0
    for place in range(PLACES):
        word |= strips.panes_on(board.strips[place]) << _BY_PLACE * place
    return word


@jit
def rooms_by_place(board: Any, reach: int, color: int) -> int:
    """How many panes of a color each strip in reach takes, packed."""
    word = 0
    while reach:
        place = lowest(reach)
        reach &= reach - 1
        word |= strips.room(board.strips[place], color) << _BY_PLACE * place
    return word


@jit
def rate_by(state: Any, scratch: Any, presence: int, moves: Any, ratings: Any) -> int:
    """:func:`rate_all` by what the mover's ratings share, shape (SCRATCH,)."""
    board, number = state.boards[state.mover], 0
    filled = panes_by_place(board)
    for color in range(COLORS):
        sources = presence >> SOURCE_FIELD * color & SOURCE_MASK
        reach = palace.in_reach(board, color) if sources else 0
        rooms = rooms_by_place(board, reach, color)
        while sources:
            source = lowest(sources)
            sources &= sources - 1
            panes = supply.of_color(state.sources[source], color)
            marker = source == 0 and state.holder == IN_CENTER
            base = START if marker else 0.0
            if not reach:
                moves[number] = sintra_moves.encode(source, color, BREAK, 0)
                ratings[number] = base - cost_of(state, board, scratch, panes + marker)
                number += 1
            places = reach
            while places:
                place = lowest(places)
                places &= places - 1
                before = filled >> _BY_PLACE * place & _BY_PLACE_MASK
                fit = min(panes, rooms >> _BY_PLACE * place & _BY_PLACE_MASK)
                rating = base - cost_of(state, board, scratch, panes - fit + marker)
                rating += place_rating(state, board, scratch, color, place, before, fit)
                kept = 1
                if before + fit == strips.SPACES:
                    kept = sintra_moves.kept_values(state, board, place, color, panes)
                while kept:
                    value = lowest(kept)
                    kept &= kept - 1
                    moves[number] = sintra_moves.encode(source, color, place, value)
                    ratings[number] = rating + kept_rating(board, value)
                    number += 1
    if palace.may_go_back(board):
        moves[number], ratings[number] = GLAZIER, go_back_rating(board)
        number += 1
    return number


@jit
def kept_rating(board: Any, kept: int) -> float:
    """What the color of the pane that stays does for the bonus of side B."""
    return _KEPT * palace.panes_of_color(board.windows, kept - 1) if kept else 0.0


@rate_moves.register(STATE)
@jit
def rate_moves_sintra(state: Any, moves: Any, ratings: Any) -> int:
    """Rate the distinct legal moves."""
    return rate_all(state, supply.distinct_presence(state), moves, ratings)


@jit
def rate_differing(state: Any, moves: Any, ratings: Any) -> int:
    """Of equally many panes of a color on displays, only those of the first display."""
    return rate_all(state, supply.distinct_counts(state), moves, ratings)


@play_policy.register(STATE)
@jit
def play_policy_sintra(state: Any, generator: Any, noise: float) -> None:
    """Play the best-rated move, the first among equals, until the round ends.

    Within a round a strip's worth changes only with its player's windows, and what steps cost
    only with his marker: both are kept.
    """
    moves, ratings = np.empty(game.MAX_MOVES, dtype=np.int64), np.empty(game.MAX_MOVES)
    scratch = np.empty((game.MAX_PLAYERS, SCRATCH))
    windows = np.full(game.MAX_PLAYERS, -1)
    broken = np.full(game.MAX_PLAYERS, -1)
    while state.stage == game.DECISION:
        mover = state.mover
        board, own = state.boards[mover], scratch[mover]
        if windows[mover] != board.windows:
            windows[mover] = board.windows
            sintra_terms.fill_worths(state, board, own)
        if broken[mover] != board.broken:
            broken[mover] = board.broken
            forget_costs(state, board, own)
        number = rate_by(state, own, supply.distinct_counts(state), moves, ratings)
        best = 0
        for index in range(number):
            if noise > 0.0:
                ratings[index] += noise * unit(generator)
            if ratings[index] > ratings[best]:
                best = index
        game.apply(state, moves[best])


@conclude.register(STATE)
@jit
def conclude_sintra(state: Any, model: Any) -> None:  # noqa: ARG001
    """Nothing is left to choose."""
    game.end_round(state)
