"""A Sintra position as people write it: what it has beside what all games have."""

from __future__ import annotations

from dataclasses import dataclass, field

from azul_ai.games import components
from azul_ai.games.components import Prints
from azul_ai.position.model import Position

FRONT, BACK = "front", "back"


@dataclass(frozen=True)
class Strip:
    """A pattern strip: the five prints of each side, and the panes on the side that is up.

    ``*`` is a joker, ``.`` an empty space.
    """

    front: str
    back: str
    up: str = FRONT
    filled: str = "....."

    @property
    def prints(self) -> str:
        """The prints of the side that is up."""
        return self.back if self.up == BACK else self.front


@dataclass(frozen=True)
class Palace:
    """A player's board; eight strips (None where one is gone) and windows from the left.

    A window holds up to two panes, the top one first. ``glazier``: the place that he stands
    above, from 1. ``broken``: steps down the track; ``lost``: the points that its end has cost.
    """

    score: int = 0
    glazier: int = 1
    broken: int = 0
    lost: int = 0
    windows: tuple[str, ...] = ("",) * 8
    strips: tuple[Strip | None, ...] = (None,) * 8
    name: str = ""


@dataclass(frozen=True)
class SintraPosition(Position):
    """A position of Stained Glass of Sintra; its ``lid`` is the glass tower.

    ``indicator``: the panes of this round, while it goes on, and of those to come. ``clamp``:
    whether losses stop at 0 points.
    """

    players: tuple[Palace, ...]  # type: ignore[assignment]
    side: str = "A"
    clamp: bool = False
    indicator: str = ""
    prints: Prints = field(default_factory=lambda: components.default().prints)
