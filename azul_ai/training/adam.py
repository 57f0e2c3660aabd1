"""Adam: changes numbers against their gradient, with steps of about equal size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

_MOMENTUM, _SCALE, _TINY = 0.9, 0.999, 1e-8


class Adam:
    """Adam with weight decay apart from the gradient and a rate that falls like a cosine.

    Sources: Kingma, Ba, "Adam: a method for stochastic optimization" (2015); Loshchilov, Hutter,
    "Decoupled weight decay regularization" (2019).

    :param layers: arrays of numbers, changed in place.
    :param rate: at the beginning; it is zero after ``steps``.
    :param decay: of the numbers, as a part of the rate.
    """

    def __init__(self, layers: Sequence[Any], rate: float, decay: float, steps: int) -> None:
        self._layers, self._rate, self._decay, self._steps = layers, rate, decay, steps
        self._means = [np.zeros_like(numbers) for numbers in layers]
        self._squares = [np.zeros_like(numbers) for numbers in layers]
        self._step = 0

    def step(self, gradients: Sequence[Any]) -> None:
        """Change the numbers.

        :param gradients: an array for each of the layers.
        """
        self._step += 1
        rate = self._rate * 0.5 * (1 + math.cos(math.pi * self._step / self._steps))
        first = 1 - _MOMENTUM**self._step
        second = 1 - _SCALE**self._step
        for index, slope in enumerate(gradients):
            self._means[index] += (1 - _MOMENTUM) * (slope - self._means[index])
            self._squares[index] += (1 - _SCALE) * (slope * slope - self._squares[index])
            size = np.sqrt(self._squares[index] / second) + _TINY
            change = self._means[index] / first / size
            numbers = self._layers[index]
            numbers -= np.float32(rate) * (change + np.float32(self._decay) * numbers)
