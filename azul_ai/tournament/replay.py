"""Plays a game on record again, move by move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from azul_ai import game, notation
from azul_ai.dealing import DealError, parse_deal
from azul_ai.position import PositionError
from azul_ai.tournament.deals import hidden_generator
from azul_ai.tournament.records import Game, RecordError
from azul_ai.tournament.worker import start_state


def steps(played: Game) -> Iterator[tuple[Any, str]]:
    """The states of a game, each a copy, and the deal or move that led there ("" at the start).

    :raises RecordError: a deal or move on record is not possible.
    """
    try:
        yield from _steps(played)
    except (PositionError, DealError, notation.MoveError) as error:
        raise RecordError(f"game {played.game}", f"does not follow the rules: {error}") from None


def _steps(played: Game) -> Iterator[tuple[Any, str]]:
    state = start_state(played.rules, len(played.players), played.start)
    game.draw_hidden(state, hidden_generator(played.seed))
    yield state.copy(), ""
    deals = iter(played.deals)
    for move in [*played.moves, None]:
        if state["stage"] == game.DEAL:
            deal = next(deals, None)
            if deal is None:
                break
            game.lay_out_round(state, parse_deal(state, deal))
            yield state.copy(), deal
        if move is not None:
            game.play(state, notation.parse_move(state, move))
            yield state.copy(), move
