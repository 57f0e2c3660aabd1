"""What is wrong with a position, said so that a person can put it right."""

from __future__ import annotations

import difflib
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


def closest(word: str, known: Iterable[str]) -> str:
    """A hint for a word that is not among the known ones: the closest of them, or all."""
    known = list(known)
    match = difflib.get_close_matches(word.lower(), known, n=1)
    if match:
        return f'Did you mean "{match[0]}"?'
    return f"Known are {', '.join(known)}."
