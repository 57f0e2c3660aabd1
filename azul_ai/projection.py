"""What each player would score if the round ended now, part by part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from azul_ai import game
from azul_ai.games.drafting import FLOOR_PENALTIES
from azul_ai.games.walls import COLOR_BONUS, COLUMN_BONUS, ROW_BONUS
from azul_ai.position import from_state


@dataclass(frozen=True, slots=True)
class Projection:
    """A player's score now, and what the end of the round would make of it.

    ``wall``: points for the tiles that would be placed. ``floor``: the penalty as printed on
    the board, 0 or more. ``after``: the score after both, never below 0. ``bonuses``: the
    end bonuses there are, in points with the name of each; None while the game would go on.
    """

    score: int
    wall: int
    floor: int
    after: int
    bonuses: tuple[tuple[int, str], ...] | None

    @property
    def final(self) -> int:
        """The score after the round, with the end bonuses."""
        return self.after + sum(points for points, _ in self.bonuses or ())

    @property
    def clamped(self) -> bool:
        """Whether the floor would have cost more than there is."""
        return self.score + self.wall - self.floor < self.after


def project(state: Any) -> list[Projection]:
    """Project every player of a state. One that waits for a deal or is over stays as it is."""
    closed, unpenalized = state.copy(), state.copy()
    if state["stage"] == game.DECISION:
        unpenalized["boards"]["floor"] = 0
        game.close_round(closed)
        game.close_round(unpenalized)
    before, after = from_state(state).players, from_state(closed).players
    without_floor = from_state(unpenalized).players
    return [
        Projection(
            score=now.score,
            wall=gain.score - now.score,
            floor=int(FLOOR_PENALTIES[len(now.floor)]),
            after=then.score,
            bonuses=bonuses(then.wall) if closed["stage"] == game.OVER else None,
        )
        for now, gain, then in zip(before, without_floor, after, strict=True)
    ]


def bonuses(wall: Sequence[str]) -> tuple[tuple[int, str], ...]:
    """The end bonuses of a wall, each kind that there is with its points."""
    rows = sum("." not in row for row in wall)
    columns = sum("." not in column for column in zip(*wall, strict=True))
    tiles = Counter("".join(wall))
    colors = sum(tiles[color] == len(wall) for color in set(tiles) - {"."})
    kinds = (
        (rows * ROW_BONUS, "rows"),
        (columns * COLUMN_BONUS, "columns"),
        (colors * COLOR_BONUS, "colors"),
    )
    return tuple((points, name) for points, name in kinds if points)
