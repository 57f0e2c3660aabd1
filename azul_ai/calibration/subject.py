"""What is known of a move's value when its error is to be told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from azul_ai.evaluation.interface import DIFF, WIN, python_utility
from azul_ai.search.searcher import Found, RootMove

COLUMNS = ("win", "diff", "lead")
"""What has an error: the share of the win, the difference in points, and how far a move lies
behind the best, in the unit of the objective."""

Numbers = Mapping[str, float]
"""A number for each of the columns; an earlier lead is left out where the best move had none."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A move of a search.

    ``visits``: visits or nodes of the move; ``budget``: iterations or nodes of the whole search;
    ``moves``: candidates; ``values``: what was found; ``earlier``: at earlier stages of the same
    search, latest first, None where nothing was known.
    """

    visits: int
    budget: int
    moves: int
    round: int
    depth: int
    values: Numbers
    earlier: Sequence[Numbers | None]


def subject(state: Any, objective: int, found: Found, move: RootMove) -> Subject:
    """What a search of a state, for a column of the values, says of one of its moves."""
    mover, best = int(state["mover"]), found.moves[0]

    def numbers(values: Any, best_values: Any) -> dict[str, float]:
        found = {"win": float(values[mover, WIN]), "diff": float(values[mover, DIFF])}
        if best_values is not None:
            own, of_best = (python_utility(x, mover, objective) for x in (values, best_values))
            found["lead"] = of_best - own
        return found

    return Subject(
        visits=move.visits,
        budget=found.nodes,
        moves=len(found.moves),
        round=int(state["round"]),
        depth=move.depth,
        values=numbers(move.values, best.values),
        earlier=[
            None if values is None else numbers(values, best_values)
            for values, best_values in zip(move.earlier, best.earlier, strict=True)
        ],
    )


def changes(known: Subject, column: str) -> list[float]:
    """By how much a value has changed since each of the earlier stages at which it was known."""
    return [
        abs(known.values[column] - numbers[column])
        for numbers in known.earlier
        if numbers is not None and column in numbers
    ]
