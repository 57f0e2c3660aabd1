"""The layers of a network in numpy, single precision: values, loss, and its gradient.

The loss is the cross-entropy of the shares of the win, plus squared errors of points and of
differences in the network's units.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from azul_ai.evaluation.correction import CORRECTION, no_correction
from azul_ai.evaluation.interface import DIFF, POINTS, WIN
from azul_ai.evaluation.network import FIRST, LAYERS, OUTPUTS, POINTS_UNIT, SECOND
from azul_ai.game import MAX_PLAYERS

Floats = npt.NDArray[np.float32]
Layers = list[Floats]
"""The numbers of a network, in the order of :data:`azul_ai.evaluation.network.LAYERS`."""

LEAST_SHARE = 1e-6
"""Of the win, where its logarithm is taken."""


@dataclass(frozen=True)
class Targets:
    """What a network should give, by sample and seat after the starter, each (n, players).

    ``points`` and ``diffs`` are to come, in units of POINTS_UNIT.
    """

    shares: Floats
    points: Floats
    diffs: Floats

    def part(self, *places: Any) -> Targets:
        """Some of the samples: an index of numpy's, perhaps with one of seats."""
        return Targets(self.shares[places], self.points[places], self.diffs[places])


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


def to_model(layers: Layers, dtype: np.dtype[Any], correction: Any = None) -> Any:
    """A model record with these numbers.

    :param correction: see :data:`azul_ai.evaluation.correction.CORRECTION`; None changes nothing.
    """
    model = np.zeros(1, dtype=dtype)[0]
    model[CORRECTION] = no_correction() if correction is None else correction
    for name, numbers in zip(LAYERS, layers, strict=True):
        model[name] = numbers
    return model


def from_model(model: Any) -> Layers:
    """The numbers of a model record."""
    return [np.array(model[name]) for name in LAYERS]


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


def measure(layers: Layers, inputs: Floats, wanted: Targets) -> Quality:
    """How well numbers predict."""
    players = wanted.shares.shape[1]
    outputs = forward(layers, inputs)[-1]
    shares, _ = win_shares(outputs[:, columns(WIN, players)])
    points = POINTS_UNIT * (outputs[:, columns(POINTS, players)] - wanted.points)
    logs = np.log(np.maximum(shares, LEAST_SHARE))
    return Quality(
        float(np.mean((shares - wanted.shares) ** 2)),
        float(-np.mean(np.sum(wanted.shares * logs, axis=1))),
        float(np.sqrt(np.mean(points**2))),
    )


def gradient(layers: Layers, inputs: Floats, wanted: Targets, points: float) -> Sequence[Any]:
    """The gradient of the mean loss, in the order of the layers.

    :param points: weight of the squared errors beside the cross-entropy.
    """
    number, players = wanted.shares.shape
    a, b, outputs = forward(layers, inputs)
    shares, root = win_shares(outputs[:, columns(WIN, players)])
    slopes = np.zeros_like(outputs)
    slopes[:, columns(WIN, players)] = (shares - wanted.shares) / root
    for column, numbers in ((POINTS, wanted.points), (DIFF, wanted.diffs)):
        places = columns(column, players)
        slopes[:, places] = points * (outputs[:, places] - numbers)
    slopes /= number
    second_slopes = (slopes @ layers[4].T) * (b > 0)
    first_slopes = (second_slopes @ layers[2].T) * (a > 0)
    return (
        inputs.T @ first_slopes,
        first_slopes.sum(axis=0),
        a.T @ second_slopes,
        second_slopes.sum(axis=0),
        b.T @ slopes,
        slopes.sum(axis=0),
    )


def columns(column: int, players: int) -> slice:
    """Where a column of the values lies among the outputs."""
    return slice(column * MAX_PLAYERS, column * MAX_PLAYERS + players)
