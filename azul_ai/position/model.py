"""A position as people write it: plain values, all texts in one normal form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from azul_ai.position import code, formats


@dataclass(frozen=True)
class Player:
    """A player's board: what stands under ``[[players]]`` in a file.

    ``lines`` and ``wall`` have five texts each, from the top; a wall cell is a letter or
    ``.``. ``score`` is the score track, before any end bonus. ``placed`` (gray wall only): the
    moves that the player has chosen in the present wall-tiling, not carried out yet.
    """

    score: int = 0
    lines: tuple[str, ...] = ("",) * 5
    wall: tuple[str, ...] = (".....",) * 5
    floor: str = ""
    name: str = ""
    placed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Position:
    """A position, field by field as in a file; immutable.

    Players count from 1 here. ``bag`` and ``lid`` are numbers of tiles by color, all five
    colors given, or both None where they are unknown. ``start``, who started the round, and
    ``next_start``, who starts the next, are None where they follow from the rest.
    ``warnings`` are sentences about what had to be assumed; they do not count in comparisons.
    """

    game: str
    round: int
    to_move: int
    factories: tuple[str, ...]
    center: str
    players: tuple[Player, ...]
    bag: dict[str, int] | None = None
    lid: dict[str, int] | None = None
    next_start: int | None = None
    start: int | None = None
    warnings: tuple[str, ...] = field(default=(), compare=False)

    @property
    def code(self) -> str:
        """The one-line code: everything but the players' names."""
        return code.wrap(self.game, formats.load(self.game).to_fields(self))

    def to_dict(self) -> dict[str, Any]:
        """The keys of a JSON position file; absent where a file would leave them out."""
        document: dict[str, Any] = formats.load(self.game).to_dict(self)
        return document

    def to_toml(self) -> str:
        """The text of a TOML position file."""
        text: str = formats.load(self.game).to_toml(self)
        return text
