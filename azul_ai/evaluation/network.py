"""A small network that values the end of a round, or a state inside one: three layers, ReLU.

The inputs are *features*, few of them other than zero, seen from who starts the next round:
those of the table; those of what is left to take, if anything is; and a block for each player's
board as if the round ended now, in turn order. So the first layer is a sum of one vector for
each of these parts, and a search that meets the same boards again and again keeps their
vectors (:mod:`azul_ai.evaluation.azul_network`).

The last layer gives three numbers a player: his chance to win, his points and his difference to
the best other, the last two as what is still to come beside the scores. The numbers are
single precision, summed in a fixed order, without exponentials: equal on all machines.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from azul_ai.evaluation.interface import DIFF, POINTS, WIN, evaluate, foresee
from azul_ai.evaluation.vectors import pass_layer, sum_rows
from azul_ai.game import MAX_PLAYERS
from azul_ai.generic import generic
from azul_ai.jit import jit

FIRST, SECOND = 64, 16
"""Units of the two hidden layers."""
OUTPUTS = 3 * MAX_PLAYERS
"""Output ``column * MAX_PLAYERS + seat``: columns WIN, POINTS, DIFF; seats in turn order."""
POINTS_UNIT = 20.0
"""Points and differences to come are in units of so many points."""
MAX_ACTIVE = 128
"""Room for the inputs of one part that are not zero."""

LAYERS = ("first", "first_bias", "second", "second_bias", "third", "third_bias")
"""The fields of a model that hold its numbers."""

WORK_FIELDS: list[Any] = [
    ("units", "f4", (FIRST,)),
    ("part", "f4", (FIRST,)),
    ("second", "f4", (SECOND,)),
    ("outputs", "f4", (OUTPUTS,)),
    ("places", "i8", (MAX_ACTIVE,)),
    ("amounts", "f4", (MAX_ACTIVE,)),
]
WORK = np.dtype((np.record, WORK_FIELDS))
"""Scratch memory of an evaluation."""


def model_dtype(tag: str, inputs: int) -> np.dtype[Any]:
    """The record type of a game's networks, for any number of players.

    :param tag: makes the type the game's own.
    :param inputs: features of all parts, those of MAX_PLAYERS boards among them.
    """
    shapes: list[Any] = [
        (inputs, FIRST),
        (FIRST,),
        (FIRST, SECOND),
        (SECOND,),
        (SECOND, OUTPUTS),
        (OUTPUTS,),
    ]
    layers = [(name, "f4", shape) for name, shape in zip(LAYERS, shapes, strict=True)]
    return np.dtype((np.record, [*layers, (tag, "i8")]))


@generic
def starter_of(state: Any) -> int:
    """Who starts the next round, if this one is over or ended now."""


@generic
def table_features(state: Any, places: Any, amounts: Any) -> int:
    """Write what is seen of the table beside the displays; return how many inputs are not zero.

    :param places: int64, shape (MAX_ACTIVE,): which inputs; ``amounts``, float32, their values.
    """


@generic
def left_features(state: Any, places: Any, amounts: Any) -> int:
    """As :func:`table_features`, of what is left to take; none when the round is over."""


@generic
def board_features(state: Any, player: int, seat: int, places: Any, amounts: Any) -> int:
    """As :func:`table_features`, of a player's board as if the round ended now.

    :param seat: how many seats he sits after the starter.
    """


@generic
def score_after(state: Any, player: int) -> int:
    """A player's score as if the round ended now, without the bonuses of the game's end."""


@jit
def evaluate_network(model: Any, state: Any, values: Any) -> None:
    """Fill the values of all players."""
    scratch = np.empty(1, dtype=WORK)
    work = scratch[0]
    number = table_features(state, work.places, work.amounts)
    sum_rows(model.first, work.places, work.amounts, number, work.part)
    for unit in range(FIRST):
        work.units[unit] = model.first_bias[unit] + work.part[unit]
    number = left_features(state, work.places, work.amounts)
    add_rows(model, number, work)
    starter = starter_of(state)
    player = starter
    for seat in range(state.players):
        number = board_features(state, player, seat, work.places, work.amounts)
        add_rows(model, number, work)
        values[player, POINTS] = score_after(state, player)
        player = 0 if player + 1 == state.players else player + 1
    finish(model, work, state.players, starter, values)


def register(dtype: np.dtype[Any]) -> None:
    """Make the network the evaluation of models of a record type."""
    evaluate.register(dtype)(evaluate_network)
    foresee.register(dtype)(evaluate_network)


@jit
def add_rows(model: Any, number: int, work: Any) -> None:
    """Add what a part's inputs contribute to the first layer."""
    sum_rows(model.first, work.places, work.amounts, number, work.part)
    for unit in range(FIRST):
        work.units[unit] += work.part[unit]


@jit
def finish(model: Any, work: Any, players: int, starter: int, values: Any) -> None:
    """The layers after the first, and what they say; POINTS holds the scores before.

    Shares of the win are proportional to exp(asinh(output)), which needs a square root only.
    """
    pass_layer(work.units, model.second, model.second_bias, work.second)
    pass_layer(work.second, model.third, model.third_bias, work.outputs)
    total, player = 0.0, starter
    for seat in range(players):
        logit = float(work.outputs[WIN * MAX_PLAYERS + seat])
        root = math.sqrt(1.0 + logit * logit)
        share = root + logit if logit > 0.0 else 1.0 / (root - logit)
        values[player, WIN] = share
        total += share
        best = -math.inf
        for other in range(players):
            if other != player:
                best = max(best, values[other, POINTS])
        to_come = float(work.outputs[DIFF * MAX_PLAYERS + seat])
        values[player, DIFF] = values[player, POINTS] - best + POINTS_UNIT * to_come
        player = 0 if player + 1 == players else player + 1
    for seat in range(players):
        to_come = float(work.outputs[POINTS * MAX_PLAYERS + seat])
        values[player, WIN] /= total
        values[player, POINTS] += POINTS_UNIT * to_come
        player = 0 if player + 1 == players else player + 1
    if players == 2:
        lead = values[0, POINTS] - values[1, POINTS]
        values[0, DIFF], values[1, DIFF] = lead, -lead
