"""Deals in a depth-first search: a few drawn once for all positions, or every one there is."""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai import game, rng
from azul_ai.game import MAX_DISPLAYS
from azul_ai.jit import jit
from azul_ai.search.stack import PLIES

MAX_DEALS = 256
LEVELS = 4
"""Deals after deals that have random numbers of their own."""

DEALS = np.dtype(
    (
        np.record,
        [
            ("number", "i8"),  # of deals drawn, or ALL
            ("seeds", "u8", (LEVELS, MAX_DEALS)),
            ("generator", "u8", (1,)),
            ("cursors", "i8", (PLIES, MAX_DISPLAYS)),
            ("contents", "i8", (MAX_DISPLAYS,)),
        ],
    )
)
ALL = -1


def new_deals(number: int, seed: int) -> Any:
    """A record of dtype DEALS, for ``number`` deals drawn from a seed, or ALL."""
    record = np.zeros(1, dtype=DEALS)[0]
    record.number = number
    for level in range(LEVELS):
        for deal in range(max(0, number)):
            record.seeds[level, deal] = rng.new(seed, level, deal)[0]
    return record


@jit
def deal_next(search: Any, deals: Any, state: Any, ply: int) -> None:
    """Carry out the next deal of a frame on a copy of its position."""
    frame = search.frames[ply]
    if deals.number == ALL:
        cursor = deals.cursors[ply]
        if frame.index == 0:
            for display in range(MAX_DISPLAYS):
                cursor[display] = 0
        frame.part = game.next_deal(state, cursor, deals.contents)
        frame.rest = max(0.0, frame.rest - frame.part)
        frame.number = frame.index + 2
        if cursor[0] < 0:
            frame.number, frame.rest = frame.index + 1, 0.0
        game.deal_given(state, deals.contents)
    else:
        deals.generator[0] = deals.seeds[frame.level % LEVELS, frame.index]
        game.determinize(state, deals.generator)
        game.deal(state, deals.generator)
        frame.number = deals.number
        frame.part = 1.0 / deals.number
        frame.rest = frame.part * (deals.number - 1 - frame.index)
