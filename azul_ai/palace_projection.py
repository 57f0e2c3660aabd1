"""What each player would score if a game of Sintra ended now, part by part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.games.sintra import PANES_A_POINT
from azul_ai.position.sintra_facts import EMPTY
from azul_ai.position.sintra_model import SintraPosition


@dataclass(frozen=True, slots=True)
class Projection:
    """A player's score now, and what the final scoring would add.

    ``left``: points for the panes left on strips. ``glass``: the value at the marker, 0 or
    more. ``bonus``: that of the side. ``final``: all together.
    """

    score: int
    left: int
    glass: int
    bonus: int
    final: int


def project(position: SintraPosition, state: Any) -> list[Projection]:
    """Project every player of a position and its state."""
    points, ties = np.zeros((2, game.MAX_PLAYERS), dtype=np.int64)
    game.result(state, points, ties)
    projections = []
    for index, player in enumerate(position.players):
        panes = sum(len(strip.filled.replace(EMPTY, "")) for strip in player.strips if strip)
        left = panes // PANES_A_POINT
        glass = -position.prints.track[player.broken]
        before = player.score + left - glass
        if position.clamp:
            before = max(0, before)
        final = int(points[index])
        projections.append(Projection(player.score, left, glass, final - before, final))
    return projections
