"""What is asked about a position, and what follows from it: the engine, the moves to search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from azul_ai import engine as engines
from azul_ai import game, notation
from azul_ai.settings import AUTO, Limit, SettingError, fits

FEW_MOVES = 30
"""With so few legal moves the rest of a round is soon searched to its end: expectimax."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked about a position, as :func:`azul_ai.analyze` takes it.

    ``moves``, ``avoid`` and ``show`` are checked once there is a state.

    :raises SettingError: an objective, or a number of threads, moves or bytes that cannot be.
    """

    engine: str = AUTO
    limit: Limit = field(default_factory=Limit)
    seed: int = engines.DEFAULT_SEED
    threads: int | None = None
    memory: int = engines.DEFAULT_MEMORY
    settings: Mapping[str, Any] = field(default_factory=dict)
    moves: Sequence[str] = ()
    avoid: Sequence[str] = ()
    top: int = 10
    show: Sequence[str] = ()
    objective: str = "win"
    explain: bool = False

    def __post_init__(self) -> None:
        if self.objective not in engines.OBJECTIVES:
            reason = f"{self.objective!r} is not an objective"
            raise SettingError("objective", reason, f"use {' or '.join(engines.OBJECTIVES)}")
        if self.threads is not None and self.threads < 1:
            raise SettingError("threads", f"{self.threads} is not positive", "give 1 or more")
        if self.top < 1:
            raise SettingError("top", f"{self.top} is not positive", "give 1 or more")
        if self.memory < engines.MIN_MEMORY:
            raise SettingError("memory", f"{self.memory} bytes are too few", "give 1MB or more")

    def engine_for(self, settings: Mapping[str, Any], moves: int) -> str:
        """The engine asked for, or the one that suits the phase, the limits and the settings.

        :param settings: those of the searcher, without the evaluation.
        :param moves: how many there are to search.
        """
        if self.engine != AUTO:
            return self.engine
        preferred = "expectimax" if 0 < moves <= FEW_MOVES else "ismcts"
        both = ("ismcts", "expectimax")
        fitting = [name for name in both if fits(name, self.limit, settings)]
        return preferred if preferred in fitting or not fitting else fitting[0]

    def candidates(self, state: Any) -> Any:
        """The moves to search, int64: the distinct legal ones, within ``moves``, not ``avoid``.

        Where nobody is to move the array is empty.

        :raises MoveError: a move of these is not legal.
        :raises SettingError: none is left.
        """
        if state["stage"] != game.DECISION:
            return np.zeros(0, dtype=np.int64)
        buffer = np.zeros(game.MAX_MOVES, dtype=np.int64)
        legal = buffer[: game.list_moves(state, buffer, True)]
        only = {distinct_move(state, text) for text in self.moves}
        avoid = {distinct_move(state, text) for text in self.avoid}
        chosen = [move for move in legal if (not only or move in only) and move not in avoid]
        if not chosen:
            raise SettingError("avoid", "no move is left to search", "avoid fewer moves")
        return np.array(chosen, dtype=np.int64)

    def shown(self, state: Any) -> frozenset[int]:
        """The moves of ``show``, as they are searched; none where nobody is to move.

        :raises MoveError: one of them is not legal.
        """
        to_move = state["stage"] == game.DECISION
        return frozenset(distinct_move(state, text) for text in self.show if to_move)


def distinct_move(state: Any, text: str) -> int:
    """The representative, among identical displays, of the move written ``text``."""
    lowest = notation.names(state, notation.parse_move(state, text))[0]
    return notation.parse_move(state, lowest)
