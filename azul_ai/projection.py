"""What each player would score if the round ended now, part by part: Azul's two walls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from azul_ai import game
from azul_ai.games.pattern_lines import FLOOR_PENALTIES, FLOOR_SPACES
from azul_ai.games.walls import COLOR_BONUS, COLUMN_BONUS, ROW_BONUS
from azul_ai.position import Player, from_state


@dataclass(frozen=True, slots=True)
class Projection:
    """A player's score now, and what the end of the round would make of it.

    ``wall``: points for the tiles that would be placed. ``floor``: the penalty as printed on
    the board, 0 or more, lines that would fall included. ``after``: the score after both, never
    below 0. ``bonuses``: the end bonuses there are, in points with the name of each; None while
    the game would go on.
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
        unpenalized["boards"]["score"] += _NEVER_CLAMPED
        game.close_round(closed)
        game.close_round(unpenalized)
        unpenalized["boards"]["score"] -= _NEVER_CLAMPED
    before, after = from_state(state).players, from_state(closed).players
    without_floor = from_state(unpenalized).players
    projections = []
    for now, gain, then in zip(before, without_floor, after, strict=True):
        fallen = _fallen(now, then)
        projections.append(
            Projection(
                score=now.score,
                wall=gain.score - now.score + _penalty(fallen),
                floor=_penalty(len(now.floor) + fallen),
                after=then.score,
                bonuses=bonuses(then.wall) if closed["stage"] == game.OVER else None,
            )
        )
    return projections


_NEVER_CLAMPED = 100
"""Points that no floor can cost."""


def _fallen(before: Player, after: Player) -> int:
    """Tiles of full lines whose rows have no more tiles afterwards: they fell to the floor."""
    rows = zip(before.lines, after.lines, before.wall, after.wall, strict=True)
    fallen = (line for line, left, wall, then in rows if len(line) > len(left) and wall == then)
    return sum(map(len, fallen))


def _penalty(pieces: int) -> int:
    """What so many pieces on the floor cost."""
    return int(FLOOR_PENALTIES[min(pieces, FLOOR_SPACES)])


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
