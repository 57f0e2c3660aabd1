"""What a searcher takes and gives, and how it is driven.

A searcher turns a :class:`Problem` into one :class:`Task` a thread. The engine runs the tasks
in slices until a limit is reached, then asks the searcher to merge what they found. No
searcher knows threads, clocks or printing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from azul_ai.jit import Call


@dataclass(frozen=True, slots=True)
class Problem:
    """A position to search and how much may be spent on it.

    ``state`` is a record in stage DECISION; ``moves`` the candidate moves of its mover (int64,
    distinct); ``objective`` a column of the values, WIN or DIFF. A limit is None where it does
    not apply; ``memory`` is in bytes, for all tasks together. ``top``: so many of the best moves
    need true values rather than bounds.
    """

    state: Any
    model: Any
    moves: Any
    objective: int
    seed: int
    memory: int
    iterations: int | None = None
    nodes: int | None = None
    depth: int | None = None
    top: int = 1


@dataclass(frozen=True, slots=True)
class RootMove:
    """What a search says of one candidate move.

    ``values``: float64 of shape (players, 3), columns WIN, POINTS, DIFF, corrected as they are
    told to the player to move (:func:`azul_ai.evaluation.interface.share_rest`). ``exact`` is False
    where the utility is only an upper bound. ``proven``: every line after it was searched to the
    end of the game. ``complete``: as far as this searcher looks, so that a longer search says
    the same. ``pv`` begins with the move itself. ``earlier``: the values of the move at earlier
    stages of the same search (with about a half and a quarter of the iterations, or one and two
    moves less deep), None where it had none then or was not looked at since: how much a value
    still changes tells its error.
    """

    move: int
    values: Any
    visits: int
    depth: int
    exact: bool
    proven: bool
    pv: tuple[int, ...]
    complete: bool = False
    earlier: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """The merged result: ``moves`` best first, ``nodes`` searched, ``memory`` used in bytes."""

    moves: Sequence[RootMove]
    nodes: int
    memory: int


class Task(Protocol):
    """One thread's share of a search."""

    nodes: int
    """Nodes (iterations) so far."""

    def run(self, seconds: float) -> bool:
        """Search for about so long; return True when there is nothing left to do.

        How the time is cut into slices does not change what a task finds by its limit.
        """


class Searcher(Protocol):
    """A kind of search with its settings; the engine makes one from ``--set KEY=VALUE``.

    Implementations are frozen dataclasses whose fields are the settings, with defaults.
    """

    name: ClassVar[str]
    limits: ClassVar[frozenset[str]]
    """Which of ``iterations``, ``nodes``, ``depth`` it knows; all know time."""

    def kernels(self, problem: Problem) -> Sequence[Call]:
        """The entry points it will call, with arguments of the right types."""

    def begin(self, problem: Problem, threads: int) -> Sequence[Any]:
        """One task a thread, sharing limits and memory evenly, the remainder to the first."""

    def found(self, problem: Problem, tasks: Sequence[Any]) -> Found:
        """Merge what the tasks have found so far, in their fixed order."""


def share(total: int | None, threads: int, thread: int) -> int | None:
    """A thread's part of an even split of ``total``, the remainder to the first thread."""
    if total is None:
        return None
    return total // threads + (total % threads if thread == 0 else 0)
