"""What sits at a seat: the interface of bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from azul_ai.jit import Call


class BotError(Exception):
    """A bot gave no legal move; the message says why, for the record."""


class Bot(Protocol):
    """Chooses moves, each depending on nothing but the state and the seed it is given."""

    def choose(self, state: Any, seed: int) -> int:
        """A move for the player to move.

        :param state: a copy in stage DECISION that the bot may change. It shows what the
            player knows: the bag's contents, as all can count them, but no order, and nothing
            that others have chosen in secret.
        :raises BotError: it has none; any other exception counts as a crash.
        """

    def kernels(self, state: Any) -> Sequence[Call]:
        """The compiled entry points that :meth:`choose` calls, for a state in stage DECISION."""
