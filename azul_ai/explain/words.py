"""Words that explanations of all games use."""

from __future__ import annotations

from collections.abc import Sequence

_NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def spelled(number: int) -> str:
    """A number of tiles in words."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def opponent(player: int, players: int) -> str:
    """How another player is called, who counts from 1."""
    return "your opponent" if players == 2 else f"player {player}"


def counted_points(number: int) -> str:
    """So many points."""
    return "1 point" if number == 1 else f"{number} points"


def joined(parts: Sequence[str]) -> str:
    """Parts of a sentence with commas, and "and" before the last."""
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last


def points(subject: str, best: int, other: int) -> str:
    """What somebody scores in one line instead of in the other."""
    you = subject == "you"
    if best >= 0:
        verb = "score" if you else "scores"
        instead = str(other) if other > 0 else f"losing {-other}" if other else "nothing"
        return f"{subject} {verb} {best or 'nothing'} this round instead of {instead}"
    verb = "lose" if you else "loses"
    instead = str(-other) if other < 0 else f"scoring {other or 'nothing'}"
    return f"{subject} {verb} {-best} this round instead of {instead}"
