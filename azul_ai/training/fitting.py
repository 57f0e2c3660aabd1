"""Fitting a network to samples: Adam on minibatches, in numpy, single precision.

The loss is the cross-entropy of the shares of the win, plus squared errors of points and of
differences in the network's units. A part of the games, all samples of a game together, is
held out; the numbers of the epoch that predicts it best are kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from azul_ai.evaluation.interface import DIFF, POINTS, WIN
from azul_ai.evaluation.network import FIRST, LAYERS, MAX_ACTIVE, OUTPUTS, POINTS_UNIT, SECOND
from azul_ai.game import MAX_PLAYERS
from azul_ai.training import kernels
from azul_ai.training.samples import Samples

Floats = npt.NDArray[np.float32]
Layers = list[Floats]
"""The numbers of a network, in the order of :data:`azul_ai.evaluation.network.LAYERS`."""

HELD_OUT = 10
"""One game in so many is held out."""
_STEPS, _LEAST_BATCH = 64, 16
"""With few samples batches are smaller, down to a least size, so that an epoch has some steps."""
_AVERAGED = 4.0
"""Kept is a mean of the numbers over about an epoch divided by this (Polyak, Juditsky, 1992)."""
_MOMENTUM, _SCALE, _TINY = 0.9, 0.999, 1e-8
_LEAST_SHARE = 1e-6
_SCALES = np.geomspace(0.5, 2.0, 141)
"""Of the outputs for the win, a hundredth apart; see :func:`adjust`."""


@dataclass(frozen=True)
class Recipe:
    """How a network is fitted.

    ``epochs``: at most; ``batch``: samples of a step, at most; ``rate``: of Adam at the
    beginning; ``decay``: of the numbers, beside it; ``patience``: stop after so many epochs that
    predict held-out games no better. ``searched``: weight, 0 … 1, of what the search thought
    beside how the game ended; ``points``: weight of the squared errors beside the cross-entropy.
    """

    epochs: int = 10
    batch: int = 128
    rate: float = 2e-3
    decay: float = 0.1
    searched: float = 0.2
    points: float = 0.5
    patience: int = 4


@dataclass(frozen=True)
class Quality:
    """How well a network predicts samples: means over players.

    ``brier``: squared error of the share of the win; ``cross_entropy`` in nats; ``points``: root
    mean square error of the final points.
    """

    brier: float
    cross_entropy: float
    points: float

    def to_dict(self) -> dict[str, float]:
        """As JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Problem:
    """Inputs and what they should give, by sample and seat after the starter.

    ``inputs``: (n, inputs); ``shares``, ``points``, ``diffs``: (n, players), the latter two to
    come, in units of POINTS_UNIT.
    """

    inputs: Floats
    shares: Floats
    points: Floats
    diffs: Floats

    def part(self, places: Any) -> Problem:
        """Some of the samples."""
        return Problem(
            self.inputs[places], self.shares[places], self.points[places], self.diffs[places]
        )


@dataclass(frozen=True)
class Seen:
    """What a network sees of samples after the round, as the policy would end it.

    ``inputs``: (n, inputs of the game); ``scores``: (n, players), by player; ``starters``: who
    starts the next round, (n,).
    """

    inputs: Floats
    scores: Floats
    starters: npt.NDArray[np.int64]

    def part(self, places: Any) -> Seen:
        """Of some of the samples."""
        return Seen(self.inputs[places], self.scores[places], self.starters[places])


def see(samples: Samples, inputs: int) -> tuple[Samples, Seen]:
    """What a network of so many inputs sees, without samples after which the game is over."""
    number, players = samples.outcomes.shape[:2]
    seen = (
        np.zeros((number, inputs), dtype=np.float32),
        np.zeros((number, players), dtype=np.float32),
        np.zeros(number, dtype=np.int64),
    )
    places, amounts = np.zeros(MAX_ACTIVE, dtype=np.int64), np.zeros(MAX_ACTIVE, dtype=np.float32)
    kernels.extract(samples.states, samples.states[:1].copy(), seen, places, amounts)
    going_on = seen[2] >= 0
    return samples.part(going_on), Seen(*seen).part(going_on)


def problem(samples: Samples, seen: Seen, searched: float) -> Problem:
    """What a network should give for samples.

    :param searched: see :class:`Recipe`.
    """
    number, players = samples.outcomes.shape[:2]
    seats = (seen.starters[:, None] + np.arange(players)) % players
    rows = np.arange(number)[:, None]
    thought = np.where(np.isnan(samples.searched), samples.outcomes, samples.searched)
    wanted = ((1 - searched) * samples.outcomes + searched * thought)[rows, seats]
    scores = seen.scores[rows, seats]
    best = np.stack(
        [np.delete(scores, seat, axis=1).max(axis=1) for seat in range(players)], axis=1
    )
    return Problem(
        seen.inputs,
        wanted[:, :, WIN].astype(np.float32),
        ((wanted[:, :, POINTS] - scores) / POINTS_UNIT).astype(np.float32),
        ((wanted[:, :, DIFF] - scores + best) / POINTS_UNIT).astype(np.float32),
    )


def new_layers(inputs: int, seed: int) -> Layers:
    """Numbers to begin with, so that signals keep their size (He and others, 2015)."""
    rng = np.random.default_rng(seed)
    active = 50.0  # inputs that are not zero, about
    shapes = ((inputs, FIRST, active), (FIRST, SECOND, FIRST), (SECOND, OUTPUTS, 4 * SECOND))
    layers = []
    for rows, columns, size in shapes:
        numbers = rng.normal(0.0, math.sqrt(2.0 / size), (rows, columns))
        layers += [numbers.astype(np.float32), np.zeros(columns, dtype=np.float32)]
    return layers


def to_model(layers: Layers, dtype: np.dtype[Any]) -> Any:
    """A model record with these numbers."""
    model = np.zeros(1, dtype=dtype)[0]
    for name, numbers in zip(LAYERS, layers, strict=True):
        model[name] = numbers
    return model


def fit(
    samples: Samples,
    seen: Seen,
    recipe: Recipe,
    seed: int,
    begin: Layers | None = None,
    on_epoch: Callable[[int, Quality], None] | None = None,
) -> tuple[Layers, Quality]:
    """Fit a network; return the numbers that predict held-out games best, and how well.

    :param begin: numbers to begin with; None: random ones.
    :param on_epoch: told the number of the epoch, from 1, and the quality on held-out games.
    """
    players = samples.outcomes.shape[1]
    active = np.any(seen.inputs, axis=0)  # inputs that never occur stay without effect
    narrow = replace(seen, inputs=np.ascontiguousarray(seen.inputs[:, active]))
    wanted = problem(samples, narrow, recipe.searched)
    outcomes = problem(samples, narrow, 0.0)
    held = samples.games % HELD_OUT == 0
    train, test = np.nonzero(~held)[0], outcomes.part(held)
    layers = [numbers.copy() for numbers in begin or new_layers(seen.inputs.shape[1], seed)]
    layers[0] = layers[0][active]
    batch = min(recipe.batch, max(_LEAST_BATCH, len(train) // _STEPS))
    adam = _Adam(layers, recipe, recipe.epochs * max(1, len(train) // batch))
    rng = np.random.default_rng(seed)
    best, kept, waited = measure(layers, test, players), layers, 0
    averaged = [numbers.copy() for numbers in layers]
    share = np.float32(min(1.0, _AVERAGED * batch / max(1, len(train))))
    for epoch in range(1, recipe.epochs + 1):
        order = rng.permutation(train)
        for first in range(0, len(order) - batch + 1, batch):
            adam.step(gradient(layers, wanted.part(order[first : first + batch]), recipe))
            for index, numbers in enumerate(layers):
                averaged[index] += (numbers - averaged[index]) * share
        quality = measure(averaged, test, players)
        if on_epoch:
            on_epoch(epoch, quality)
        waited += 1
        if quality.cross_entropy < best.cross_entropy:
            best, kept, waited = quality, [numbers.copy() for numbers in averaged], 0
        if waited == recipe.patience:
            break
    first_layer = np.zeros((seen.inputs.shape[1], FIRST), dtype=np.float32)
    first_layer[active] = kept[0]
    return [first_layer, *kept[1:]], best


def adjust(layers: Layers, samples: Samples, seen: Seen) -> Layers:
    """Numbers that are true of some games, which the network plays by itself and was not fitted to.

    It was fitted to games of weaker players, and to what searches thought, which leaves it too
    cautious. Here its outputs for the win are scaled so that what happened is most likely, and
    those for points and differences are shifted.
    """
    players = samples.outcomes.shape[1]
    happened = problem(samples, seen, 0.0)
    outputs = forward(layers, happened.inputs)[-1]
    win = _columns(WIN, players)

    def surprise(scale: float) -> float:
        shares, _ = win_shares(np.float32(scale) * outputs[:, win])
        return float(-(happened.shares * np.log(np.maximum(shares, _LEAST_SHARE))).sum())

    scale = np.float32(min(_SCALES, key=surprise))
    adjusted = [numbers.copy() for numbers in layers]
    adjusted[4][:, win] *= scale
    adjusted[5][win] *= scale
    for column, numbers in ((POINTS, happened.points), (DIFF, happened.diffs)):
        places = _columns(column, players)
        adjusted[5][places] += np.mean(numbers - outputs[:, places])
    return adjusted


def measure(layers: Layers, wanted: Problem, players: int) -> Quality:
    """How well numbers predict."""
    outputs = forward(layers, wanted.inputs)[-1]
    shares, _ = win_shares(outputs[:, :players])
    points = POINTS_UNIT * (outputs[:, _columns(POINTS, players)] - wanted.points)
    logs = np.log(np.maximum(shares, _LEAST_SHARE))
    return Quality(
        float(np.mean((shares - wanted.shares) ** 2)),
        float(-np.mean(np.sum(wanted.shares * logs, axis=1))),
        float(np.sqrt(np.mean(points**2))),
    )


def forward(layers: Layers, inputs: Floats) -> tuple[Floats, Floats, Floats]:
    """The two hidden layers after ReLU, and the outputs, each (n, units)."""
    first, first_bias, second, second_bias, third, third_bias = layers
    a = np.maximum(inputs @ first + first_bias, 0)
    b = np.maximum(a @ second + second_bias, 0)
    return a, b, b @ third + third_bias


def win_shares(logits: Floats) -> tuple[Floats, Floats]:
    """Shares of the win, proportional to exp(asinh(logit)), and the root in it."""
    root = np.sqrt(1 + logits * logits)
    weights = np.where(logits > 0, root + logits, 1 / (root + np.abs(logits)))
    return weights / weights.sum(axis=1, keepdims=True), root


def gradient(layers: Layers, wanted: Problem, recipe: Recipe) -> Sequence[Any]:
    """The gradient of the mean loss, in the order of the layers."""
    number, players = wanted.shares.shape
    a, b, outputs = forward(layers, wanted.inputs)
    shares, root = win_shares(outputs[:, :players])
    slopes = np.zeros_like(outputs)
    slopes[:, _columns(WIN, players)] = (shares - wanted.shares) / root
    for column, numbers in ((POINTS, wanted.points), (DIFF, wanted.diffs)):
        places = _columns(column, players)
        slopes[:, places] = recipe.points * (outputs[:, places] - numbers)
    slopes /= number
    second_slopes = (slopes @ layers[4].T) * (b > 0)
    first_slopes = (second_slopes @ layers[2].T) * (a > 0)
    return (
        wanted.inputs.T @ first_slopes,
        first_slopes.sum(axis=0),
        a.T @ second_slopes,
        second_slopes.sum(axis=0),
        b.T @ slopes,
        slopes.sum(axis=0),
    )


def _columns(column: int, players: int) -> slice:
    """Where a column of the values lies among the outputs."""
    return slice(column * MAX_PLAYERS, column * MAX_PLAYERS + players)


class _Adam:
    """Changes numbers against their gradient.

    Source: Kingma, Ba, "Adam: a method for stochastic optimization" (2015), with weight decay
    apart from the gradient and a rate that falls like a cosine.
    """

    def __init__(self, layers: Layers, recipe: Recipe, steps: int) -> None:
        self._layers, self._recipe, self._steps = layers, recipe, steps
        self._means = [np.zeros_like(numbers) for numbers in layers]
        self._squares = [np.zeros_like(numbers) for numbers in layers]
        self._step = 0

    def step(self, gradients: Sequence[Any]) -> None:
        """Change the numbers in place."""
        self._step += 1
        rate = self._recipe.rate * 0.5 * (1 + math.cos(math.pi * self._step / self._steps))
        first = 1 - _MOMENTUM**self._step
        second = 1 - _SCALE**self._step
        for index, slope in enumerate(gradients):
            self._means[index] += (1 - _MOMENTUM) * (slope - self._means[index])
            self._squares[index] += (1 - _SCALE) * (slope * slope - self._squares[index])
            size = np.sqrt(self._squares[index] / second) + _TINY
            change = self._means[index] / first / size
            numbers = self._layers[index]
            numbers -= np.float32(rate) * (change + np.float32(self._recipe.decay) * numbers)
