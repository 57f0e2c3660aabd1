"""A small network that values the end of a round: three layers, ReLU, compiled.

The inputs are *features*, few of them other than zero, seen from who starts the next round:
those of the table, then a block for each player's board in turn order. So the first layer is a
sum of one vector for the table and one for each board, and a search that meets the same boards
again and again keeps their vectors (:mod:`azul_ai.evaluation.azul_network`). A state inside a
round is valued as the policy would end it, or as if nothing were left to take.

The last layer gives three numbers a player: his chance to win, his points and his difference to
the best other, the last two as what is still to come beside the scores. The numbers are
single precision, summed in a fixed order, without exponentials: equal on all machines.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from azul_ai.evaluation.correction import CORRECTION, SHAPE, correct_network, place_of, weight
from azul_ai.evaluation.interface import (
    DIFF,
    POINTS,
    WIN,
    correct,
    evaluate,
    foresee,
    play_policy,
    rate_last_moves,
    rate_moves,
    value_at_end,
    value_of,
)
from azul_ai.evaluation.shares import settle
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


class Layout(NamedTuple):
    """Where inputs are: ``table`` of the table, then ``board`` of each of MAX_PLAYERS boards."""

    table: int
    board: int

    @property
    def inputs(self) -> int:
        """All of them."""
        return self.table + MAX_PLAYERS * self.board


def model_dtype(tag: str, layout: Layout) -> np.dtype[Any]:
    """The record type of a game's networks, for any number of players.

    :param tag: makes the type the game's own.
    """
    shapes: list[Any] = [
        (layout.inputs, FIRST),
        (FIRST,),
        (FIRST, SECOND),
        (SECOND,),
        (SECOND, OUTPUTS),
        (OUTPUTS,),
    ]
    layers = [(name, "f4", shape) for name, shape in zip(LAYERS, shapes, strict=True)]
    return np.dtype((np.record, [*layers, (CORRECTION, "f4", SHAPE), (tag, "i8")]))


@generic
def table_features(state: Any, places: Any, amounts: Any) -> int:
    """Write what is seen of the table after a round; return how many inputs are not zero.

    :param places: int64, shape (MAX_ACTIVE,): which inputs; ``amounts``, float32, their values.
    """


@generic
def board_features(state: Any, player: int, seat: int, places: Any, amounts: Any) -> int:
    """As :func:`table_features`, of a player's board.

    :param seat: how many seats he sits after the starter.
    """


@jit
def evaluate_network(model: Any, state: Any, values: Any) -> None:
    """Fill the values of all players of a scored round."""
    fill_values(model, state, values, np.empty(1, dtype=WORK))


@jit
def fill_values(model: Any, state: Any, values: Any, scratch: Any) -> None:
    """:func:`evaluate_network`, with scratch memory of one WORK.

    The caller holds the array until this returns: a record does not keep the memory of the array
    it was taken from, which would be freed as soon as the array is not mentioned any more.
    """
    work = scratch[0]
    number = table_features(state, work.places, work.amounts)
    sum_rows(model.first, work.places, work.amounts, number, work.part)
    for unit in range(FIRST):
        work.units[unit] = model.first_bias[unit] + work.part[unit]
    player = state.mover
    for seat in range(state.players):
        number = board_features(state, player, seat, work.places, work.amounts)
        sum_rows(model.first, work.places, work.amounts, number, work.part)
        for unit in range(FIRST):
            work.units[unit] += work.part[unit]
        values[player, POINTS] = state.boards[player].score
        player = 0 if player + 1 == state.players else player + 1
    finish(model, work, state, state.mover, values)


@jit
def plays_on(state: Any) -> bool:
    """Whether what is left of a round is foreseen as the policy plays it: with two players.

    With more a round is valued as if nothing were left to take. A policy line says much of a
    short rest of a round, and little of a long one, where max^n would choose among accidents;
    what was found by matches is in ``benchmarks/README.md``.
    """
    return state.players == 2


@jit
def foresee_network(model: Any, state: Any, values: Any) -> None:
    """Value the round as it ends if the policy plays on, or as if nothing were left to take."""
    if plays_on(state):
        play_policy(state, np.empty(1, dtype=np.uint64), 0.0)
        value_of(model, state, values)
    else:
        value_at_end(model, state, values)


def register(dtype: np.dtype[Any], foresees: Any = foresee_network) -> None:
    """Make the network the evaluation of models of a record type.

    :param foresees: the body of :func:`azul_ai.evaluation.interface.foresee`.
    """
    evaluate.register(dtype)(evaluate_network)
    correct.register(dtype)(correct_network)
    foresee.register(dtype)(foresees)
    rate_last_moves.register(dtype)(rate_all_moves)


@jit
def rate_all_moves(model: Any, state: Any, memo: Any, moves: Any, ratings: Any) -> int:  # noqa: ARG001
    """All of them: what a move leaves behind matters to the policy."""
    memo.looked_at = rate_moves(state, moves, ratings)
    return memo.looked_at


@jit
def value_found(model: Any, memo: Any, state: Any, starter: int, over: bool, values: Any) -> None:
    """Values from what is known of each board after the round.

    :param memo: scratch memory with the fields of WORK, the table's sums in ``units``; ``slots``,
        and in ``found``, by seat, the places of those of the boards. A slot has ``score``,
        ``vector``, the board's sums of the first layer, and ``final``, the final points if the
        game is over now, with rows as their fraction (:data:`azul_ai.evaluation.shares.ROW`).
    :param state: in the round that ends.
    """
    players, player = state.players, starter
    for seat in range(players):
        slot = memo.slots[memo.found[seat]]
        values[player, POINTS] = slot.final if over else slot.score
        if not over:
            for unit in range(FIRST):
                memo.units[unit] += slot.vector[unit]
        player = 0 if player + 1 == players else player + 1
    if over:
        settle(players, values)
    else:
        finish(model, memo, state, starter, values)


@jit
def finish(model: Any, work: Any, state: Any, starter: int, values: Any) -> None:
    """The layers after the first, and what they say; POINTS holds the scores before.

    Shares of the win are proportional to exp(asinh(output)), which needs a square root only.
    """
    pass_layer(work.units, model.second, model.second_bias, work.second)
    pass_layer(work.second, model.third, model.third_bias, work.outputs)
    players, place = state.players, place_of(state)
    more_points = float(model.correction[place, POINTS])
    more_diff = float(model.correction[place, DIFF])
    total, player = 0.0, starter
    for seat in range(players):
        share = weight(float(work.outputs[WIN * MAX_PLAYERS + seat]))
        values[player, WIN] = share
        total += share
        best = -math.inf
        for other in range(players):
            if other != player:
                best = max(best, values[other, POINTS])
        to_come = float(work.outputs[DIFF * MAX_PLAYERS + seat]) + more_diff
        values[player, DIFF] = values[player, POINTS] - best + POINTS_UNIT * to_come
        player = 0 if player + 1 == players else player + 1
    for seat in range(players):
        to_come = float(work.outputs[POINTS * MAX_PLAYERS + seat]) + more_points
        values[player, WIN] /= total
        values[player, POINTS] += POINTS_UNIT * to_come
        player = 0 if player + 1 == players else player + 1
    if players == 2:
        lead = values[0, POINTS] - values[1, POINTS]
        values[0, DIFF], values[1, DIFF] = lead, -lead
