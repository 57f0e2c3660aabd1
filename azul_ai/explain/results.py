"""What all games have: how a finished game stands, who ends it, who starts the next round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.explain.explanation import Line, Reason
from azul_ai.explain.words import opponent

START_WEIGHT = 1.5
LAST_ROUND_WEIGHT = 20.0

_WITH_ING = {"win": "winning", "share the win": "sharing the win", "lose": "losing"}


def is_over(state: Any) -> bool:
    """Whether the game has ended."""
    return int(state["stage"]) == game.OVER


def standings(state: Any) -> tuple[list[int], list[int]]:
    """Every player's points, end bonuses included, and place, from 1 and shared by equals."""
    numbers = np.zeros((2, game.MAX_PLAYERS), dtype=np.int64)
    game.result(state, numbers[0], numbers[1])
    results = list(zip(*numbers.tolist(), strict=True))[: int(state["players"])]
    places = [1 + sum(other > result for other in results) for result in results]
    return [total for total, _ in results], places


def result(best: Line, other: Line) -> Iterator[Reason]:
    """Both lines end the game: how it stands then."""
    me, mine, theirs = best.mover, _standing(best), _standing(other)
    if (-mine["place"], mine["lead"]) > (-theirs["place"], theirs["lead"]):
        instead = f"{theirs['score']}"
        if mine["verb"] != theirs["verb"]:
            instead = f"{_WITH_ING[theirs['verb']]} {instead}"
        text = f"you {mine['verb']} {mine['score']} instead of {instead}"
        yield Reason("result", me, mine["score"], theirs["score"], LAST_ROUND_WEIGHT, text)


def ending(best: Line, other: Line) -> Iterator[Reason]:
    """One of the lines ends the game."""
    me = best.mover
    if best.game_over and best.of(me)["place"] == 1:
        mine = _standing(best)
        text = f"it ends the game as you {mine['verb']} {mine['score']}"
        yield Reason("ending", me, mine["score"], None, LAST_ROUND_WEIGHT, text)
    if other.game_over and other.of(me)["place"] > 1:
        theirs = _standing(other)
        text = f"the game goes on instead of ending as you lose {theirs['score']}"
        yield Reason("ending", me, None, theirs["score"], LAST_ROUND_WEIGHT, text)


def next_start(best: Line, other: Line) -> Iterator[Reason]:
    """Only one of the lines makes the mover start the next round."""
    me = best.mover
    if best.game_over or other.game_over:
        return
    if best.next_start == me != other.next_start:
        yield Reason("start", me, True, False, START_WEIGHT, "you start the next round")
    if other.next_start == me != best.next_start:
        whom = opponent(best.next_start, len(best.players))
        yield Reason("start", me, False, True, -START_WEIGHT, f"{whom} starts the next round")


def _standing(line: Line) -> dict[str, Any]:
    """How a finished game stands for the mover."""
    mine = line.of(line.mover)
    rivals = [facts for facts in line.players if facts["player"] != line.mover]
    rival = max(rivals, key=lambda facts: (-facts["place"], facts["total"]))
    shared = mine["place"] == rival["place"]
    verb = "lose" if mine["place"] > 1 else "share the win" if shared else "win"
    return {
        "place": mine["place"] + shared / 2,
        "lead": mine["total"] - rival["total"],
        "verb": verb,
        "score": f"{mine['total']} to {rival['total']}",
    }
