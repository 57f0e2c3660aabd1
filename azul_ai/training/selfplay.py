"""Games that the engine plays against itself, to be learned from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from azul_ai import engine, game, games, rng
from azul_ai.evaluation import interface
from azul_ai.search import ismcts, tree
from azul_ai.settings import Limit, make_searcher, split_settings
from azul_ai.training import kernels, samples
from azul_ai.training.fitting import HELD_OUT
from azul_ai.training.samples import Samples

WILD_ROUNDS = {0: 0.30, 1: 0.25, 2: 0.20, 3: 0.15, 4: 0.10}
"""How often a game has so many rounds with random moves."""
WILDNESS = (0.0, 0.1, 0.3, 0.6)
"""The share of random moves there, drawn for each player, so that some fall behind."""
INSIDE = 0.25
"""The share of the states inside rounds that are samples."""


@dataclass(frozen=True)
class Job:
    """A chunk of games: ``first`` … ``first + number - 1``, of ISMCTS with a budget a move.

    ``side``: of the boards, where the game has two; None: both, each for HELD_OUT games in turn,
    so that those that are held out have both. ``settings``: of ISMCTS.
    """

    game: str
    players: int
    side: str | None
    seed: int
    first: int
    number: int
    iterations: int
    settings: Mapping[str, Any]


def play(job: Job) -> Samples:
    """Play a chunk.

    :raises SettingError: an evaluation or setting that does not exist.
    """
    table = _Table(job)
    return samples.join(table.play(index) for index in range(job.first, job.first + job.number))


class _Table:
    """Scratch memory for games, one after the other."""

    def __init__(self, job: Job) -> None:
        self._job = job
        rest, chosen = split_settings(job.game, job.settings, job.players)
        searcher: Any = make_searcher("ismcts", rest)
        start = self._new_game(0)
        moves = np.zeros(1, dtype=np.int64)
        limit = Limit(iterations=job.iterations)
        problem = engine.make_problem(start, chosen.model, moves, limit)
        task = ismcts.IsmctsTask(searcher, problem, 1, 0)
        _, model, _, control, work, _, _ = task.arguments
        room = 4 * (job.iterations + game.MAX_MOVES)
        nodes, store = tree.new_tree(room)
        self._generator = work[-1]
        self._pool = np.zeros(3, dtype=start.dtype)
        self._plan = np.zeros(1, dtype=kernels.PLAN)[0]
        self._plan.iterations, self._plan.inside = job.iterations, INSIDE
        self._samples = np.zeros(kernels.MAX_SAMPLES, dtype=start.dtype)
        self._searched = np.zeros((kernels.MAX_SAMPLES, game.MAX_PLAYERS, 3))
        self._values = interface.new_values()
        self._arguments = (
            self._pool,
            model,
            (nodes, control, (store, *work[1:]), np.zeros((game.MAX_MOVES, game.MAX_PLAYERS, 3))),
            self._plan,
            np.zeros(game.MAX_MOVES, dtype=np.int64),
            self._samples,
            self._searched,
            self._values,
        )

    def _new_game(self, index: int) -> Any:
        job = self._job
        options = {}
        if games.has_sides(job.game):
            sides = games.load(job.game).SIDES
            options["side"] = job.side or sides[index // HELD_OUT % len(sides)]
        return games.new_game(job.game, job.players, seed=job.seed * 1_000_003 + index, **options)

    def play(self, index: int) -> Samples:
        """The samples of a game."""
        job = self._job
        chance = np.random.default_rng([job.seed, index])
        self._generator[:] = rng.new(job.seed, index)
        self._plan.wild_rounds = chance.choice(list(WILD_ROUNDS), p=list(WILD_ROUNDS.values()))
        self._plan.wildness[:] = chance.choice(WILDNESS, size=game.MAX_PLAYERS)
        self._pool[2] = self._new_game(index)
        number = kernels.play_game(*self._arguments)
        outcome = self._values[: job.players].astype(np.float32)
        return Samples(
            self._samples[:number].copy(),
            self._searched[:number, : job.players].astype(np.float32),
            np.repeat(outcome[None], number, axis=0),
            np.full(number, index, dtype=np.int64),
        )
