"""What can be said of a line of Azul with the gray wall: also where tiles are placed, and fall.

As in :mod:`azul_ai.explain.azul`, facts are dictionaries that go into JSON as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from azul_ai.explain import drafting, walls
from azul_ai.explain.drafting import PALETTE
from azul_ai.explain.explanation import Facts, Line, Reason
from azul_ai.explain.lines import Played
from azul_ai.explain.results import is_over
from azul_ai.explain.walls import COLUMNS
from azul_ai.explain.words import counted_points, opponent
from azul_ai.games.gray import WALL_MOVE
from azul_ai.games.gray_walls import PLAN_FIELD, PLAN_MASK
from azul_ai.games.walls import SIZE
from azul_ai.notation import format_move

__all__ = ["COLUMNS", "is_over", "opening_words", "outcomes", "reasons", "turn"]

FALLEN_WEIGHT = 1.0
"""A line that falls costs its place on the wall, beside what the floor takes."""


def turn(state: Any, move: int) -> dict[str, Any]:
    """What a move does: see :func:`drafting.turn`; or a choice for the wall.

    Of a choice: ``line`` and its ``color``, the ``column``, and ``points``, what the tile scores
    there after the choices above it.
    """
    if not move & WALL_MOVE:
        return drafting.turn(state, move)
    board, row, column = state["boards"][state["mover"]], move >> 3 & 7, move & 7
    wall, plan = int(board["wall"]), int(board["plan"])
    for above in range(row):
        chosen = plan >> PLAN_FIELD * above & PLAN_MASK
        if chosen:
            wall |= 1 << SIZE * above + chosen - 1
    wall |= 1 << SIZE * row + column
    line = next(line for line in drafting.begun(int(board["lines"])) if line["line"] == row + 1)
    return {
        "player": int(state["mover"]) + 1,
        "move": format_move(state, move),
        "color": line["color"],
        "line": row + 1,
        "column": column + 1,
        "points": walls.cell_points(wall, row, column),
    }


def outcomes(played: Played, turns: Sequence[Facts]) -> tuple[dict[str, Any], ...]:
    """What each player has made of the round: see :func:`walls.outcomes`.

    ``fallen``: full lines that no cell took, all of whose tiles fell to the floor.
    """
    found = walls.outcomes(played, lambda board: board["colors"])
    return tuple({**facts, "fallen": list(_fallen(played, turns[-1], facts))} for facts in found)


def _fallen(played: Played, last_turn: Facts, facts: Facts) -> Iterator[dict[str, Any]]:
    """Full lines that left nothing on the wall."""
    last, player = played.states[-2], facts["player"]
    placed = {done["line"] for done in facts["completed"]}
    full = {
        line["line"]: line["color"]
        for line in drafting.begun(int(last["boards"][player - 1]["lines"]))
        if line["tiles"] == line["line"]
    }
    if last_turn.get("fills") and player == last_turn["player"]:
        full[last_turn["line"]] = last_turn["color"]
    for line in sorted(full.keys() - placed):
        yield {"line": line, "color": full[line]}


def opening_words(best: Line, other: Line | None = None) -> str:
    """What the first move of a line does, and what it forces on an opponent."""
    first = best.turns[0]
    if "column" not in first:
        return drafting.opening_words(best, other)
    color, column = PALETTE.name(first["color"]), first["column"]
    return f"puts {color} in column {column} for {counted_points(first['points'])}"


def reasons(best: Line, other: Line) -> Iterator[Reason]:
    """As with the colored wall, and which lines fall."""
    yield from walls.reasons(best, other)
    if not (best.game_over and other.game_over):
        yield from _falls(best, other)


def _falls(best: Line, other: Line) -> Iterator[Reason]:
    """Lines that fall to the floor in only one of the lines of play."""
    for player in range(1, len(best.players) + 1):
        own = player == best.mover
        falls, spared = ({x["line"] for x in line.of(player)["fallen"]} for line in (best, other))
        who = "your" if own else f"{opponent(player, len(best.players))}'s"
        share = FALLEN_WEIGHT if own else FALLEN_WEIGHT / (len(best.players) - 1)
        for number in sorted(falls - spared):
            text = f"{who} line {number} finds no cell and falls to the floor"
            yield Reason("fallen", player, True, False, -share if own else share, text)
        for number in sorted(spared - falls):
            text = f"{who} line {number} does not fall to the floor"
            yield Reason("fallen", player, False, True, share if own else -share, text)
