"""The interface between searchers and games: all that a searcher knows of a game.

A state is one numpy record; its dtype says which game it is. The functions here are generic
(:mod:`azul_ai.generic`): each file in :mod:`azul_ai.games` registers a body for its record
type. Every state has the fields ``players`` (2-4), ``mover`` (who decides, from 0) and
``stage`` (one of the constants below); a searcher reads no other.

A game runs: decisions until the round ends, a deal, decisions … until it is over. The last
decision of a round scores it at once, so a state that waits for a deal is fully scored.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai.generic import generic
from azul_ai.jit import jit, kernel

State = Any
"""A numpy record of one of the games' dtypes, changed in place."""

Ints = Any
"""An int64 array of shape (n,)."""

DECISION, DEAL, OVER = 0, 1, 2
"""Stages: a player decides; chance fills the displays; nothing more happens."""

MAX_PLAYERS = 4
MAX_MOVES = 512
"""Room that a move list must offer: no state of any game has more legal moves."""
MAX_DISPLAYS = 9


@generic
def legal_moves(state: State, moves: Ints, distinct: bool) -> int:
    """Write the mover's legal moves to ``moves``; return their number.

    :param moves: shape (MAX_MOVES,). A move is an integer from 0 to below 2**31.
    :param distinct: of moves that differ only by taking from one of several identical
        displays, list only the one from the lowest display.
    """


@generic
def is_legal(state: State, move: int) -> bool:
    """Whether a move that is legal in some state of the same game is so in this one."""


@generic
def count_moves(state: State) -> int:
    """Number of legal moves, identical displays counted separately, without listing them."""


@generic
def apply(state: State, move: int) -> None:
    """Play a legal move in stage DECISION. The round's last decision scores the round."""


@generic
def random_move(state: State, rng: Any) -> int:
    """A legal move, each with the same probability, identical displays counted separately."""


@generic
def is_secret(state: State) -> bool:
    """Whether the mover decides without seeing what others decided in the present phase.

    In such a phase a player makes all his decisions in a row, nothing that one decides changes
    what another can do, and the round ends with it.
    """


@generic
def conceal(state: State) -> None:
    """Take back what others than the mover have decided in the present secret phase.

    What is left is what the mover knows; the others' turns come after his then.
    """


@generic
def end_round(state: State) -> None:
    """End the round now, as if nothing were left to take, and score it."""


@generic
def deal(state: State, rng: Any) -> None:
    """Fill the displays at random in stage DEAL; the stage becomes DECISION, or OVER."""


@generic
def deal_given(state: State, contents: Ints) -> None:
    """As :func:`deal`, with what comes onto the displays given instead of drawn.

    :param contents: shape (number of displays,), a supply word (:mod:`azul_ai.games.supply`)
        for each display. It must be possible to draw them: all that the bag holds comes
        before what the lid holds, and only with both empty does a display stay short.
    """


@generic
def determinize(state: State, rng: Any) -> None:
    """Draw what is hidden, other than orders, consistently with what is seen."""


@generic
def move_key(state: State, move: int) -> int:
    """What a move means whatever the displays' numbers, for nodes that span several deals."""


@generic
def hash_key(state: State) -> int:
    """A hash of all that bears on the rest of the game, from 0 to below 2**62.

    Equal for states that differ only in the order of the displays, or by what no longer
    matters, such as on whose floor a tile lies that will go to the lid.
    """


@generic
def moves_left(state: State) -> int:
    """The largest number of decisions that any line of play makes before the round ends.

    A secret phase counts as one at most, none if open decisions come before it.
    """


@generic
def ends_game(state: State) -> bool:
    """Whether this round ends the game, by the rules' own end, however it is played on.

    May be False where that is certain but hard to see.
    """


@generic
def next_deal(state: State, cursor: Ints, contents: Ints) -> float:
    """List every possible deal in turn; return the probability of this one.

    The displays' order counts. Bag and lid must be known: :func:`determinize` first.

    :param cursor: int64, shape (MAX_DISPLAYS,): 0 for the first deal; moved to the next one.
        After the last deal ``cursor[0]`` is -1.
    :param contents: int64, shape (MAX_DISPLAYS,), written: what :func:`deal_given` takes.
    """


@generic
def final_points(state: State, player: int) -> int:
    """A player's points if the game ended now as the state stands, end bonuses included."""


@generic
def tie_break(state: State, player: int) -> int:
    """What decides between equal points: more is better."""


@generic
def conclusive(state: State) -> bool:
    """Whether a state in stage OVER got there by the rules' own end, not by a round cap."""


@jit
def win_share(state: State, player: int) -> float:
    """The player's share of the win of a finished game: 1, 0, or 1/k if k players share it."""
    points, ties = final_points(state, player), tie_break(state, player)
    sharing = 1
    for other in range(state.players):
        if other != player:
            other_points, other_ties = final_points(state, other), tie_break(state, other)
            if other_points > points or (other_points == points and other_ties > ties):
                return 0.0
            if other_points == points and other_ties == ties:
                sharing += 1
    return 1.0 / sharing


# Entry points for Python: one call each.


@kernel
def play(state: State, move: int) -> None:
    """:func:`apply`, for Python."""
    apply(state, move)


@kernel
def list_moves(state: State, moves: Ints, distinct: bool) -> int:
    """:func:`legal_moves`, for Python."""
    return legal_moves(state, moves, distinct)


@kernel
def close_round(state: State) -> None:
    """:func:`end_round`, for Python."""
    end_round(state)


@kernel
def deal_round(state: State, rng: Any) -> None:
    """:func:`deal`, for Python."""
    deal(state, rng)


@kernel
def lay_out_round(state: State, contents: Ints) -> None:
    """:func:`deal_given`, for Python."""
    deal_given(state, contents)


@kernel
def draw_hidden(state: State, rng: Any) -> None:
    """:func:`determinize`, for Python."""
    determinize(state, rng)


@kernel
def hide_choices(state: State) -> None:
    """:func:`conceal`, for Python."""
    conceal(state)


@kernel
def draw_move(state: State, rng: Any) -> int:
    """:func:`random_move`, for Python."""
    return random_move(state, rng)


@kernel
def result(state: State, points: Ints, ties: Ints) -> None:
    """Write every player's final points and tie-break; shapes (MAX_PLAYERS,)."""
    for player in range(state.players):
        points[player] = final_points(state, player)
        ties[player] = tie_break(state, player)


@kernel
def perft_leaves(pool: Any, depth: int, moves: Ints) -> int:
    """Number of move sequences of length ``depth`` >= 1 from ``pool[0]``.

    A sequence that ends the round early counts as one. The last ply is counted, not played.
    A loop, since numba's cache cannot bring back a function that calls itself.

    :param pool: states, shape (depth + 1,); the first is the root, the others are overwritten.
    :param moves: int64, shape (depth, MAX_MOVES), overwritten.
    """
    if pool[0].stage != DECISION:
        return 1
    if depth == 1:
        return count_moves(pool[0])
    left = np.zeros(depth, dtype=np.int64)  # moves still to be played, by ply
    left[0] = legal_moves(pool[0], moves[0], False)
    leaves = ply = 0
    while ply >= 0:
        if left[ply] == 0:
            ply -= 1
            continue
        left[ply] -= 1
        pool[ply + 1] = pool[ply]
        state = pool[ply + 1]
        apply(state, moves[ply, left[ply]])
        if state.stage != DECISION:
            leaves += 1
        elif ply + 2 == depth:
            leaves += count_moves(state)
        else:
            ply += 1
            left[ply] = legal_moves(state, moves[ply], False)
    return leaves


@kernel
def play_randomly(pool: Any, rng: Any, games: int, totals: Ints) -> None:
    """Play ``games`` uniformly random games from ``pool[0]``, a state in stage DEAL or later.

    :param pool: states, shape (2,); the second is overwritten.
    :param totals: int64, shape (3 + MAX_PLAYERS,): moves, deals and shared wins of all games,
        then each player's final points; added to.
    """
    for _ in range(games):
        pool[1] = pool[0]
        state = pool[1]
        while state.stage != OVER:
            if state.stage == DEAL:
                deal(state, rng)
                totals[1] += 1
            else:
                apply(state, random_move(state, rng))
                totals[0] += 1
        winners = 0
        for player in range(state.players):
            totals[3 + player] += final_points(state, player)
            winners += win_share(state, player) > 0.0
        totals[2] += winners > 1
