"""What an evaluation gives the searchers: one interface for hand-made and learned ones.

An evaluation is a *model*, one numpy record that holds its numbers and is passed to every
kernel; its dtype chooses the compiled body, as a state's dtype chooses the game's rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.generic import generic
from azul_ai.jit import jit, kernel

Values = Any
"""A float64 array of shape (MAX_PLAYERS, 3): a row a player, columns WIN, POINTS, DIFF."""

WIN, POINTS, DIFF = 0, 1, 2
"""Share of the win; final points; difference of final points to the best other player."""

MAX_DIFF = 400.0
"""Differences are clamped here where they break ties between equal chances to win."""

POINT_WEIGHT = 1e-4
"""Weight of a point of difference beside the share of the win, in the objective WIN."""


@generic
def evaluate(model: Any, state: Any, values: Values) -> None:
    """Estimate a state that waits for a deal; write the first ``state.players`` rows."""


@generic
def conclude(state: Any, model: Any) -> None:
    """End the round now, as if nothing were left to take, and score it.

    What :func:`azul_ai.game.end_round` does, but choices that are still to be made then are
    made as each player would by the model, seeing only what he may see.
    """


@generic
def foresee(model: Any, state: Any, values: Values) -> None:
    """Estimate a state in stage DECISION, which may be changed; write as :func:`evaluate` does.

    The plain way is :func:`value_at_end`, as if nothing were left to take.
    """


@generic
def correct(model: Any, state: Any, values: Values) -> None:
    """Make each player's chance to win true of what happens in games, where it is told.

    A search thinks with the values as they are, and tells them corrected: what is told is no
    stronger for it. A player's depends on his own chance alone and grows with it, so that two
    estimates of a round are not turned around for anybody; therefore chances need not add up to
    one any more (:func:`share_rest`). Exact chances, of a finished game, stay as they are: an
    estimate beside one may be told on its other side. For a model without corrections this is
    :func:`as_they_are`.

    :param state: in the round at whose end the values were estimated, or after that.
    """


@jit
def as_they_are(model: Any, state: Any, values: Values) -> None:
    """Correct nothing."""


MEMO_SLOTS = 1 << 12
MEMO_PARTS = game.MAX_PLAYERS + 1
MEMO_KINDS = 16
MEMO_SLOT = np.dtype((np.record, [("key", "i8"), ("word", "i8"), ("numbers", "f8", (6,))]))
MEMO = np.dtype(
    (
        np.record,
        [
            ("slots", MEMO_SLOT, (MEMO_PARTS * MEMO_SLOTS,)),
            ("found", "i8", (game.MAX_PLAYERS,)),
            ("best", "f8", (MEMO_KINDS,)),
            ("moves", "i8", (MEMO_KINDS,)),
            ("looked_at", "i8"),
        ],
    )
)
"""Scratch memory of :func:`outlook` and :func:`rate_last_moves`, zeros at first.

They use it as they like: a part of the slots for each player and one for all, and the best of
each kind of moves. ``looked_at`` says how many moves :func:`rate_last_moves` has looked at.
"""


@generic
def outlook(model: Any, state: Any, move: int, memo: Any, values: Values) -> bool:
    """Values after ``move`` by :func:`foresee` or :func:`value_of`; the state stays as it is.

    The quick way where many states share their boards. It may decline (False, nothing is
    written), as where the game would be over: then play the move on a copy and call
    :func:`look`, which gives the same.

    :param memo: what :func:`new_memo` made for this model.
    """


@generic
def rate_moves(state: Any, moves: Any, ratings: Any) -> int:
    """List the distinct legal moves with a cheap rating of each, in points; return the number.

    :param moves: int64, shape (MAX_MOVES,).
    :param ratings: float64, shape (MAX_MOVES,).
    """


@generic
def rate_last_moves(model: Any, state: Any, memo: Any, moves: Any, ratings: Any) -> int:
    """As :func:`rate_moves`, if the state after the move is valued, not searched.

    Moves may be left out if one that is listed is at least as good for the mover by his
    :func:`utility`, whatever the objective, or comes to the same for everybody.

    :param memo: what :func:`new_memo` made for this model.
    """


@generic
def play_policy(state: Any, generator: Any, noise: float) -> None:
    """Play cheap, sensible moves of all players until the round is over.

    :param noise: points; every rating is raised by a random part of it before the best is
        taken. With 0 the generator is not used, and equal states end equal.
    """


@jit
def outcome(state: Any, values: Values) -> None:
    """The exact values of a finished game."""
    for player in range(state.players):
        best = -(1 << 30)
        for other in range(state.players):
            if other != player:
                best = max(best, game.final_points(state, other))
        points = game.final_points(state, player)
        values[player, WIN] = game.win_share(state, player)
        values[player, POINTS] = points
        values[player, DIFF] = points - best


@kernel
def exact_values(state: Any, values: Values) -> None:
    """:func:`outcome`, for Python."""
    outcome(state, values)


@kernel
def correct_all(model: Any, state: Any, values: Any) -> None:
    """:func:`correct` of many values, for Python.

    :param values: float64, shape (n, MAX_PLAYERS, 3).
    """
    for index in range(len(values)):
        correct(model, state, values[index])


def told(model: Any, state: Any, values: Any) -> Any:
    """Values of moves as they are told to the player to move, a copy.

    :param values: float64, shape (n, MAX_PLAYERS, 3).
    """
    corrected = values.copy()
    correct_all(model, state, corrected)
    return share_rest(corrected, int(state["mover"]))


def share_rest(values: Any, player: int) -> Any:
    """The same, a copy, but the others share what a player's chance to win leaves.

    :param values: float64, shape (n, players, 3), corrected.
    """
    shared = values.copy()
    chances = shared[:, :, WIN]
    own = chances[:, player].copy()
    others = chances.sum(axis=1) - own
    chances *= np.divide(1 - own, others, out=np.ones_like(own), where=others > 0)[:, None]
    chances[:, player] = own
    return shared


@jit
def value_of(model: Any, state: Any, values: Values) -> None:
    """Values of a state in stage DEAL (estimated) or OVER (exact)."""
    if state.stage == game.OVER:
        outcome(state, values)
    else:
        evaluate(model, state, values)


@jit
def value_at_end(model: Any, state: Any, values: Values) -> None:
    """Values of a state inside a round as if nothing were left to take."""
    conclude(state, model)
    value_of(model, state, values)


@jit
def look(model: Any, state: Any, values: Values) -> None:
    """Values of a state in any stage, which may be changed."""
    if state.stage == game.DECISION:
        foresee(model, state, values)
    else:
        value_of(model, state, values)


@jit
def utility(values: Values, player: int, objective: int) -> float:
    """The one number a player maximizes.

    ``WIN``: share of the win, points difference second; on finished games exactly that order,
    since a point weighs less than the smallest difference between shares. ``DIFF``: points.
    """
    if objective == DIFF:
        return values[player, DIFF]
    diff = min(MAX_DIFF, max(-MAX_DIFF, values[player, DIFF]))
    return values[player, WIN] + POINT_WEIGHT * diff


def python_utility(values: Values, player: int, objective: int) -> float:
    """:func:`utility` for Python."""
    body = getattr(utility, "py_func", utility)
    return float(body(values, player, objective))


def utilities(values: Any, player: int, objective: int) -> Any:
    """:func:`utility` of many values, of shape (n, players, 3), for Python."""
    own = values[:, player]
    if objective == DIFF:
        return own[:, DIFF]
    return own[:, WIN] + POINT_WEIGHT * np.clip(own[:, DIFF], -MAX_DIFF, MAX_DIFF)


def new_values() -> Values:
    """An array for the values of all players."""
    return np.zeros((game.MAX_PLAYERS, 3))


_memo_types: dict[np.dtype[Any], np.dtype[Any]] = {}


def register_memo(model_type: np.dtype[Any], memo_type: np.dtype[Any]) -> None:
    """Give the models of a record type scratch memory of their own kind instead of MEMO."""
    _memo_types[model_type] = memo_type


def memo_type(model: Any) -> np.dtype[Any]:
    """The record type of a model's scratch memory."""
    return _memo_types.get(model.dtype, MEMO)


def new_memo(model: Any) -> Any:
    """Scratch memory for :func:`outlook` with a model."""
    return np.zeros(1, dtype=memo_type(model))[0]
