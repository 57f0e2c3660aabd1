"""Plays one game between bots, on any game of the interface, and keeps the rules."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from azul_ai import game, jit, notation
from azul_ai.tournament.bot import Bot, BotError
from azul_ai.tournament.deals import BagOrder, hidden_generator, move_seed


@dataclass(frozen=True)
class Failure:
    """A bot that lost the game by itself: at which seat (from 0), and why."""

    seat: int
    reason: str


@dataclass
class Played:
    """What happened in a game.

    ``deals``: the displays of every deal as supply words; ``moves`` in notation; ``points``
    and ``ties`` by seat, None where a failure ended the game; ``seconds`` that each seat thought.
    """

    first: int
    seconds: list[float]
    deals: list[npt.NDArray[np.int64]] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    points: list[int] | None = None
    ties: list[int] | None = None
    failure: Failure | None = None

    @property
    def ranks(self) -> list[float]:
        """Rank by seat from 1, equals sharing the mean of theirs.

        The one who failed is last, and the others share what is left.
        """
        seats = len(self.seconds)
        if self.failure is not None:
            return [seats if s == self.failure.seat else seats / 2 for s in range(seats)]
        assert self.points is not None
        assert self.ties is not None
        keys = list(zip(self.points, self.ties, strict=True))
        return [1 + sum(o > k for o in keys) + (sum(o == k for o in keys) - 1) / 2 for k in keys]

    @property
    def shares(self) -> list[float]:
        """Share of the win by seat: those of the best rank share it."""
        ranks = self.ranks
        best = min(ranks)
        return [(rank == best) / ranks.count(best) for rank in ranks]


def play(start: Any, bots: Sequence[Bot], seed: int, given: Sequence[int] = ()) -> Played:
    """Play a game to its end, or to the first failure.

    :param start: the state to start from, unchanged; what it hides is drawn from the seed.
    :param bots: by seat.
    :param given: colors that come out of the bag first; see :class:`BagOrder`.
    """
    pool = np.zeros(2, dtype=start.dtype)
    pool[0] = start
    state = pool[0]
    game.draw_hidden(state, hidden_generator(seed))
    order = BagOrder(state, seed, given)
    legal = np.zeros(game.MAX_MOVES, dtype=np.int64)
    played = Played(int(state["mover"]), [0.0] * len(bots))
    while (stage := state["stage"]) != game.OVER:
        if stage == game.DEAL:
            displays = order.deal(state)
            game.lay_out_round(state, displays)
            played.deals.append(displays)
            continue
        seat = int(state["mover"])
        number = game.list_moves(state, legal, False)
        pool[1] = state
        game.hide_choices(pool[1])
        before = time.perf_counter()
        try:
            move = _ask(bots[seat], pool[1], move_seed(seed, seat, len(played.moves)))
            if move not in legal[:number].tolist():
                raise BotError(f"illegal move {move}")
        except BotError as error:
            played.failure = Failure(seat, str(error))
            return played
        finally:
            played.seconds[seat] += time.perf_counter() - before
        played.moves.append(notation.format_move(state, move))
        game.play(state, move)
    points, ties = np.zeros((2, game.MAX_PLAYERS), dtype=np.int64)
    game.result(state, points, ties)
    played.points, played.ties = points[: len(bots)].tolist(), ties[: len(bots)].tolist()
    return played


def _ask(bot: Bot, state: Any, seed: int) -> int:
    try:
        return bot.choose(state, seed)
    except BotError:
        raise
    except Exception as error:
        raise BotError(f"crashed: {type(error).__name__}: {error}") from error


def prepare(start: Any, bots: Sequence[Bot], notify: Callable[[str], None] | None = None) -> None:
    """Compile what the referee and the bots need for games from ``start``.

    :param notify: is told what is being compiled; see :func:`azul_ai.jit.prepare`.
    """
    pool = np.zeros(1, dtype=start.dtype)
    pool[0] = start
    state = pool[0]
    legal = np.zeros(game.MAX_MOVES, dtype=np.int64)
    counts = np.zeros(game.MAX_PLAYERS, dtype=np.int64)
    calls: list[jit.Call] = [
        (game.draw_hidden, (state, hidden_generator(0))),
        (game.lay_out_round, (state, counts)),
        (game.list_moves, (state, legal, False)),
        (game.hide_choices, (state,)),
        (game.play, (state, 0)),
        (game.result, (state, counts, counts)),
    ]
    jit.prepare(calls, notify)
    game.draw_hidden(state, hidden_generator(0))
    if state["stage"] == game.DEAL:
        game.lay_out_round(state, BagOrder(state, 0).deal(state))
    jit.prepare([call for bot in bots for call in bot.kernels(state)], notify)
