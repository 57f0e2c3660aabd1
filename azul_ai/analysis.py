"""Analyses: what a search says about a position, as plain dataclasses and as JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from azul_ai.explain import Explanation

SCHEMA = "azul-analysis/1"


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """Which engine ran: its settings as given, and the evaluation it used.

    ``auto``: it was not asked for by name, but chosen for the position.
    """

    name: str
    auto: bool
    version: str
    settings: Mapping[str, Any]
    evaluation: str


@dataclass(frozen=True, slots=True)
class PlayerValue:
    """A player's share of the win and expected final points."""

    win: float
    points: float


@dataclass(frozen=True, slots=True)
class Value:
    """What the position is worth for the player to move, with standard errors where known.

    ``win``: probability of winning, a shared win counts as its share. ``diff``: expected
    difference of own final points to the best other player's. ``diff_sd``: spread of the
    outcome. None where a number is not known.
    """

    win: float
    win_se: float | None
    diff: float
    diff_se: float | None
    diff_sd: float | None
    points: float
    visits: int


@dataclass(frozen=True, slots=True)
class MoveValue:
    """One move of the position; ``also`` names the same move from identical displays.

    ``loss``: how much worse than the best, in the objective's unit, never negative.
    ``bound``: "exact", or "upper" where the move can only be worse than it says.
    """

    move: str
    also: tuple[str, ...]
    order: int
    win: float
    win_se: float | None
    diff: float
    diff_se: float | None
    points: float
    loss: float
    loss_se: float | None
    visits: int
    depth: int
    bound: str
    proven: bool
    pv: tuple[str, ...]
    vector: tuple[PlayerValue, ...] | None


@dataclass(frozen=True, slots=True)
class Stats:
    """What the search cost. ``nodes``: iterations or positions; ``memory_mb``: the tree's."""

    nodes: int
    time_s: float
    nodes_per_s: float
    compile_s: float
    memory_mb: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """The answer: moves best first, and everything that is needed to repeat it.

    ``advice``: for people, what more time would buy where the first two moves are close.
    """

    position: str
    game: str
    players: int
    to_move: int
    pov: int
    objective: str
    engine: EngineInfo
    limit: Mapping[str, float]
    seed: int
    threads: int
    deterministic: bool
    root: Value
    moves: tuple[MoveValue, ...]
    stats: Stats
    warnings: tuple[str, ...]
    explanation: Explanation | None = None
    advice: str | None = field(default=None, compare=False)
    interrupted: bool = field(default=False, compare=False)

    @property
    def best(self) -> MoveValue | None:
        """The chosen move, or None if the game is over."""
        return self.moves[0] if self.moves else None

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of schema ``azul-analysis/1``; an explanation only if there is one."""
        document = dataclasses.asdict(self)
        del document["interrupted"], document["advice"]
        if self.explanation is None:
            del document["explanation"]
        return {"schema": SCHEMA, **document}
