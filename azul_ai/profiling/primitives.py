"""What a search is made of, each piece timed by itself."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from azul_ai import game, games, rng
from azul_ai.game import Ints, State
from azul_ai.jit import Call
from azul_ai.profiling import kernels
from azul_ai.profiling.sample import SEED, Sample, draw
from azul_ai.profiling.timing import Stopwatch, Timing
from azul_ai.search.ismcts import Ismcts

PERFT_LEAVES = 200_000
"""Perft goes to the first depth that has so many leaves."""
PERFT_DEPTH = 8
"""And no deeper than this, where a round's end has few."""


@dataclass(frozen=True)
class Primitive:
    """Something that searches do, and its number in :func:`kernels.repeat`."""

    name: str
    what: str
    number: int

    @property
    def on_closed(self) -> bool:
        """Whether it needs a state whose round is over, rather than a decision."""
        return self.number in (kernels.EVALUATE, kernels.DEAL)

    @property
    def baseline(self) -> int:
        """What its loop does besides: nothing, or copying the state that it changes."""
        return kernels.COPY if self.number > kernels.COPY else kernels.NOTHING


PRIMITIVES = (
    Primitive("copy", "copy a state", kernels.COPY),
    Primitive("legal_moves", "list the distinct legal moves", kernels.LIST),
    Primitive("count_moves", "count the legal moves", kernels.COUNT),
    Primitive("apply", "play a move on a copy", kernels.APPLY),
    Primitive("hash_key", "hash a state", kernels.HASH),
    Primitive("rate_moves", "list and rate the moves", kernels.RATE),
    Primitive("rate_last_moves", "if the round ends after them", kernels.RATE_LAST),
    Primitive("play_policy", "policy to the round's end", kernels.POLICY),
    Primitive("end_round", "wall-tiling and floors", kernels.CLOSE),
    Primitive("evaluate", "value a state at a round's end", kernels.EVALUATE),
    Primitive("outlook", "value a move, by look-up", kernels.OUTLOOK),
    Primitive("determinize", "draw what is hidden", kernels.DETERMINIZE),
    Primitive("deal", "fill the displays", kernels.DEAL),
)
_BY_NAME = {primitive.name: primitive for primitive in PRIMITIVES}


@dataclass(frozen=True)
class Line:
    """A primitive's time."""

    name: str
    what: str
    timing: Timing


class Workbench:
    """A position's sample and the stopwatch that times primitives on it."""

    def __init__(self, position: State, model: Any, stopwatch: Stopwatch) -> None:
        self.position, self.model, self.stopwatch = position, model, stopwatch
        self._work = kernels.new_work(position.dtype, model, SEED, Ismcts().noise)
        self._known: dict[str, Timing | None] = {}

    @cached_property
    def sample(self) -> Sample:
        """The states that primitives run on."""
        return draw(self.position)

    def kernels(self) -> list[Call]:
        """The kernels that this needs, with arguments of their types."""
        state, pool = self.position.copy(), np.zeros(2, dtype=self.position.dtype)
        moves, generator = np.zeros(game.MAX_MOVES, dtype=np.int64), rng.new()
        return [
            (kernels.spin, (generator, 0)),
            (kernels.repeat, (0, 0, pool, moves, self.model, self._work)),
            (game.list_moves, (state, moves, True)),
            (game.play, (state, 0)),
            (game.close_round, (state,)),
            (game.play_randomly, (pool, generator, 0, moves)),
            (game.perft_leaves, (pool, 1, moves.reshape(1, -1))),
        ]

    def lines(self, on_step: Callable[[str], None]) -> Iterator[Line]:
        """Time everything; a primitive that this position never needs has no line."""
        for primitive in PRIMITIVES:
            on_step(primitive.name)
            timing = self.cost(primitive.name)
            if timing is not None:
                yield Line(primitive.name, primitive.what, timing)
        on_step("random_game")
        yield Line("random_game", "a game of random moves", self.random_game())
        on_step("perft")
        yield Line("perft", "a leaf of perft", self.perft())

    def cases(self, name: str) -> tuple[Any, Ints]:
        """The states of the sample that a primitive runs on, perhaps none, and their moves."""
        if _BY_NAME[name].on_closed:
            return self.sample.closed, np.zeros(len(self.sample.closed), dtype=np.int64)
        return self.sample.decisions, self.sample.moves

    def cost(self, name: str) -> Timing | None:
        """A primitive's time, measured once; None if the sample has no states for it."""
        if name not in self._known:
            self._known[name] = self.time(name, *self.cases(name))
        return self._known[name]

    def time(self, name: str, states: Any, moves: Ints) -> Timing | None:
        """Time a primitive on some states and a legal move of each; None if there are none."""
        if not len(states):
            return None
        primitive = _BY_NAME[name]
        return self.stopwatch.time(
            functools.partial(self.repeat, primitive.number, states, moves),
            len(states),
            functools.partial(self.repeat, primitive.baseline, states, moves),
        )

    def repeat(self, number: int, states: Any, moves: Ints, rounds: int) -> None:
        """Run a primitive on states, ``rounds`` times over."""
        kernels.repeat(number, rounds, states, moves, self.model, self._work)

    def random_game(self) -> Timing:
        """Time whole games of uniformly random moves, from their first deal."""
        pool = np.zeros(2, dtype=self.position.dtype)
        pool[0] = games.of(self.position).new_state(int(self.position["players"]))
        totals = np.zeros(3 + game.MAX_PLAYERS, dtype=np.int64)
        return self.stopwatch.time(
            lambda rounds: game.play_randomly(pool, rng.new(SEED), rounds, totals), 1
        )

    def perft(self) -> Timing:
        """Time a leaf of perft, at the first depth that has many."""
        pool = np.zeros(PERFT_DEPTH + 1, dtype=self.position.dtype)
        pool[0] = self.position
        moves = np.zeros((PERFT_DEPTH, game.MAX_MOVES), dtype=np.int64)
        depth, leaves = 0, 0
        while leaves < PERFT_LEAVES and depth < PERFT_DEPTH:
            depth += 1
            leaves = int(game.perft_leaves(pool, depth, moves))

        def run(rounds: int) -> None:
            for _ in range(rounds):
                game.perft_leaves(pool, depth, moves)

        return self.stopwatch.time(run, leaves)
