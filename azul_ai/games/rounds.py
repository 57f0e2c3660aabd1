"""What begins and ends a round, the same in all games of the family.

While a deal is pending, the mover is who starts next.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.game import DEAL, DECISION, OVER
from azul_ai.games import supply
from azul_ai.jit import jit

IN_CENTER = -1
"""Value of ``holder`` while nobody has taken the starting player marker."""

FIELDS: list[Any] = [
    ("sources", "i8", (supply.MAX_SOURCES,)),
    ("presence", "i8"),
    ("bag", "i8"),
    ("lid", "i8"),
    ("hidden", "i8"),  # tiles of the bag word that lie in the lid, which ones unknown
    ("players", "i8"),
    ("mover", "i8"),
    ("start", "i8"),  # who started the round
    ("holder", "i8"),  # who has the marker, or IN_CENTER
    ("round", "i8"),  # read as state["round"]: the attribute is numpy's method
    ("stage", "i8"),
]
"""Fields that the record of every game has."""


def new_record(state_type: np.dtype[Any], players: int) -> Any:
    """A record of a game before its first deal: all tiles in the bag, player 0 to start.

    :raises ValueError: ``players`` is not 2, 3 or 4.
    """
    if not 2 <= players <= game.MAX_PLAYERS:
        raise ValueError(f"a game has 2-4 players, not {players}")
    state = np.zeros(1, dtype=state_type)[0]
    state.players = players
    state.bag = supply.TILES_PER_COLOR * supply.ONES
    state.holder = IN_CENTER
    state.stage = DEAL
    return state


def register(state_type: np.dtype[Any]) -> None:
    """Make the functions of this module the bodies of the game with this record type."""
    game.deal.register(state_type)(deal)
    game.deal_given.register(state_type)(deal_given)
    game.determinize.register(state_type)(determinize)
    game.next_deal.register(state_type)(supply.next_contents)


def register_open_choices(state_type: np.dtype[Any]) -> None:
    """Say that all decisions of the game with this record type are seen by everybody."""
    game.is_secret.register(state_type)(no_secret)
    game.conceal.register(state_type)(nothing_to_conceal)


@jit
def no_secret(state: Any) -> bool:  # noqa: ARG001
    """No decision is secret."""
    return False


@jit
def nothing_to_conceal(state: Any) -> None:
    """Everything is seen."""


@jit
def next_player(state: Any) -> int:
    """The player after the mover, in turn order."""
    following = state.mover + 1
    return 0 if following == state.players else following


@jit
def next_starter(state: Any) -> int:
    """The marker's holder; if nobody took it, the previous starting player starts again."""
    return state.start if state.holder == IN_CENTER else state.holder


@jit
def deal(state: Any, rng: Any) -> None:
    """Prepare the next round."""
    begin_round(state, supply.fill_displays(state, rng))


@jit
def deal_given(state: Any, contents: Any) -> None:
    """Prepare the next round with given displays."""
    begin_round(state, supply.lay_displays(state, contents))


@jit
def begin_round(state: Any, dealt: int) -> None:
    """Start a round in which so many tiles were dealt; with none, the game is over."""
    if not dealt:
        state.stage = OVER
        return
    state.stage = DECISION
    state["round"] += 1
    state.start = state.mover
    state.holder = IN_CENTER


@jit
def determinize(state: Any, rng: Any) -> None:
    """Draw which of the unseen tiles lie in the lid."""
    if state.hidden:
        drawn = supply.move_random_tiles(state.bag, state.hidden, rng)
        state.bag -= drawn
        state.lid += drawn
        state.hidden = 0
