"""What is wrong with a position, said so that a person can put it right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong.

    ``field`` is a path such as ``players[1].wall[2]``, counted from 0 for programs, or ""
    for the input as a whole. ``reason`` and ``hint`` (what to do) are sentences for people,
    counted from 1.
    """

    field: str
    reason: str
    hint: str

    def __str__(self) -> str:
        where = f"{self.field}: " if self.field else ""
        return f"{where}{self.reason} {self.hint}"


class PositionError(ValueError):
    """A position cannot be used; ``faults`` has every reason, never none."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


class MoveError(ValueError):
    """A text is no legal move; the message says why."""
