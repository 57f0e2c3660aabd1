"""What searches with a network share on both of Azul's walls: memory, and the end of a round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.evaluation.drafting_rating import best_rated
from azul_ai.evaluation.interface import MEMO_SLOTS
from azul_ai.evaluation.network import FIRST, WORK_FIELDS
from azul_ai.game import MAX_PLAYERS
from azul_ai.games import drafting
from azul_ai.games.pattern_lines import LINES
from azul_ai.games.supply import COLORS
from azul_ai.jit import jit


def memo_dtype(
    state: np.dtype[Any], slot_fields: Sequence[Any], fields: Sequence[Any] = ()
) -> np.dtype[Any]:
    """The record type of scratch memory that looks boards up, a part for each player and seat.

    :param state: the game's states; the policy plays on in ``after``.
    :param slot_fields: of a slot, beside what :func:`azul_ai.evaluation.network.value_found` reads.
    :param fields: of the memory, beside what is shared.
    """
    found = [("final", "f8"), ("score", "i8"), ("vector", "f4", (FIRST,))]
    slot = np.dtype((np.record, [*slot_fields, *found]))
    shared: list[Any] = [
        ("slots", slot, (MAX_PLAYERS * MAX_PLAYERS * MEMO_SLOTS,)),
        ("found", "i8", (MAX_PLAYERS,)),  # by seat
        ("looked_at", "i8"),
        *WORK_FIELDS,
        ("after", state, (1,)),
        ("walls", "i8", (MAX_PLAYERS,)),  # for which walls ``worths`` are
        ("worths", "f8", (MAX_PLAYERS, LINES, COLORS)),
        ("dice", "u8", (1,)),  # not thrown
    ]
    return np.dtype((np.record, [*shared, *fields]))


@jit
def play_to_last_take(state: Any, move: int, memo: Any) -> int:
    """Play a move, and on by the policy; return the last take of the round, not yet played."""
    while not drafting.takes_all(state, move):
        game.apply(state, move)
        mover = state.mover
        move = best_rated(state, state.boards[mover], memo.worths[mover], memo.dice, 0.0)
    return move
