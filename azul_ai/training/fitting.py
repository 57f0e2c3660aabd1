"""Fitting a network to samples: Adam on minibatches of shuffled boards, see :mod:`.seating`.

A part of the games, all samples of a game together, is held out; the numbers of the epoch that
predicts it best are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from azul_ai.evaluation.interface import DIFF, POINTS, WIN
from azul_ai.evaluation.network import MAX_ACTIVE, POINTS_UNIT, Layout
from azul_ai.training import kernels
from azul_ai.training.adam import Adam
from azul_ai.training.layers import (
    Floats,
    Layers,
    Quality,
    Targets,
    gradient,
    measure,
    new_layers,
)
from azul_ai.training.samples import Samples
from azul_ai.training.seating import Seating

HELD_OUT = 10
"""One game in so many is held out."""
_STEPS, _LEAST_BATCH = 64, 16
"""With few samples batches are smaller, down to a least size, so that an epoch has some steps."""
_AVERAGED = 4.0
"""Kept is a mean of the numbers over about an epoch divided by this (Polyak, Juditsky, 1992)."""


@dataclass(frozen=True)
class Recipe:
    """How a network is fitted.

    ``epochs``: at most; ``batch``: samples of a step, at most; ``rate``: of Adam at the
    beginning; ``decay``: of the numbers, beside it; ``patience``: stop after so many epochs that
    predict held-out games no better. ``searched``: weight, 0 … 1, of what searches said
    (:func:`azul_ai.training.kernels.note`) beside how the game ended; ``points``: weight of
    the squared errors beside the cross-entropy.
    """

    epochs: int = 30
    batch: int = 128
    rate: float = 2e-3
    decay: float = 0.1
    searched: float = 0.4
    points: float = 0.5
    patience: int = 8


@dataclass(frozen=True)
class Seen:
    """What a network sees of samples after the round, as the policy would end it.

    ``inputs``: (n, inputs of the game); ``scores``: (n, players), by player; ``starters``: who
    starts the next round, (n,). ``layout``: of the inputs.
    """

    inputs: Floats
    scores: Floats
    starters: npt.NDArray[np.int64]
    layout: Layout

    def part(self, places: Any) -> Seen:
        """Of some of the samples."""
        parts = self.inputs[places], self.scores[places], self.starters[places]
        return Seen(*parts, self.layout)


def see(samples: Samples, layout: Layout) -> tuple[Samples, Seen]:
    """What a network sees, without samples after which the game is over."""
    number, players = samples.outcomes.shape[:2]
    seen = (
        np.zeros((number, layout.inputs), dtype=np.float32),
        np.zeros((number, players), dtype=np.float32),
        np.zeros(number, dtype=np.int64),
    )
    places, amounts = np.zeros(MAX_ACTIVE, dtype=np.int64), np.zeros(MAX_ACTIVE, dtype=np.float32)
    kernels.extract(samples.states, samples.states[:1].copy(), seen, places, amounts)
    going_on = seen[2] >= 0
    return samples.part(going_on), Seen(*seen, layout).part(going_on)


def targets(samples: Samples, seen: Seen, searched: float) -> Targets:
    """What a network should give for samples.

    :param searched: see :class:`Recipe`.
    """
    number, players = samples.outcomes.shape[:2]
    seats = (seen.starters[:, None] + np.arange(players)) % players
    rows = np.arange(number)[:, None]
    said = np.where(np.isnan(samples.searched), samples.outcomes, samples.searched)
    wanted = ((1 - searched) * samples.outcomes + searched * said)[rows, seats]
    scores = seen.scores[rows, seats]
    best = np.stack(
        [np.delete(scores, seat, axis=1).max(axis=1) for seat in range(players)], axis=1
    )
    return Targets(
        wanted[:, :, WIN].astype(np.float32),
        ((wanted[:, :, POINTS] - scores) / POINTS_UNIT).astype(np.float32),
        ((wanted[:, :, DIFF] - scores + best) / POINTS_UNIT).astype(np.float32),
    )


def fit(
    samples: Samples,
    seen: Seen,
    recipe: Recipe,
    seed: int,
    on_epoch: Callable[[int, Quality], None] | None = None,
) -> tuple[Layers, Quality]:
    """Fit a network; return the numbers that predict held-out games best, and how well.

    :param on_epoch: told the number of the epoch, from 1, and the quality on held-out games.
    """
    seating = Seating(seen.inputs, seen.layout, samples.outcomes.shape[1])
    wanted = targets(samples, seen, recipe.searched)
    held = samples.games % HELD_OUT == 0
    train, test = np.nonzero(~held)[0], np.nonzero(held)[0]
    outcomes = targets(samples, seen, 0.0).part(test)
    tested = seating.inputs(test, seating.in_order(test))
    layers = new_layers(seating.width, seed)
    batch = min(recipe.batch, max(_LEAST_BATCH, len(train) // _STEPS))
    adam = Adam(layers, recipe.rate, recipe.decay, recipe.epochs * max(1, len(train) // batch))
    rng = np.random.default_rng(seed)
    averaged, kept = ([numbers.copy() for numbers in layers] for _ in range(2))
    best, waited = measure(kept, tested, outcomes), 0
    share = np.float32(min(1.0, _AVERAGED * batch / max(1, len(train))))
    for epoch in range(1, recipe.epochs + 1):
        shuffled = rng.permutation(train)
        for first in range(0, len(shuffled) - batch + 1, batch):
            rows = shuffled[first : first + batch]
            orders = rng.permuted(seating.in_order(rows), axis=1)
            shown, asked = seating.inputs(rows, orders), wanted.part(rows[:, None], orders)
            adam.step(gradient(layers, shown, asked, recipe.points))
            for index, numbers in enumerate(layers):
                averaged[index] += (numbers - averaged[index]) * share
        quality = measure(averaged, tested, outcomes)
        if on_epoch:
            on_epoch(epoch, quality)
        waited += 1
        if quality.cross_entropy < best.cross_entropy:
            best, kept, waited = quality, [numbers.copy() for numbers in averaged], 0
        if waited == recipe.patience:
            break
    return seating.gather(kept), best
