"""A turn of Azul's factory offer, with either wall: what it does, in facts and in words."""

from __future__ import annotations

from typing import Any

from azul_ai.explain.explanation import Facts, Line
from azul_ai.explain.waste import Waste, burden, offers
from azul_ai.explain.words import spelled
from azul_ai.games.pattern_lines import FLOOR, LINES, OPEN_FIELD
from azul_ai.games.rounds import IN_CENTER
from azul_ai.games.supply import COLORS, FIELD, FIELD_MASK
from azul_ai.notation import format_move
from azul_ai.position.words import PALETTES

PALETTE = PALETTES["azul"]
DROPS = Waste("drops", "drop", PALETTE)
_LINE_FIELD = 6


def turn(state: Any, move: int) -> dict[str, Any]:
    """What a move does.

    ``line`` is None for the floor; ``before``: tiles in that line until now; ``placed`` and
    ``drops``: tiles that come into the line and that do not; ``least``: the fewest tiles that any
    legal move drops here; ``marker``: whether it takes the starting player marker.
    """
    source, color, line = move >> 6, move >> 3 & 7, move & 7
    board = state["boards"][state["mover"]]
    tiles = int(state["sources"][source]) >> FIELD * color & FIELD_MASK
    before = 0 if line == FLOOR else tiles_in(int(board["lines"]), line)
    placed = 0 if line == FLOOR else min(tiles, line + 1 - before)
    return {
        "player": int(state["mover"]) + 1,
        "move": format_move(state, move),
        "color": PALETTE.letters[color],
        "tiles": tiles,
        "line": None if line == FLOOR else line + 1,
        "before": before,
        "placed": placed,
        "fills": line != FLOOR and before + placed == line + 1,
        "drops": tiles - placed,
        "least": least_drop(state),
        "marker": source == 0 and int(state["holder"]) == IN_CENTER,
    }


def tiles_in(lines: int, row: int) -> int:
    """The number of tiles in a pattern line, from a word of all."""
    return lines >> _LINE_FIELD * row & 7


def least_drop(state: Any) -> int:
    """The fewest tiles that any legal move of the mover drops."""
    board = state["boards"][state["mover"]]
    lines, opened = int(board["lines"]), int(board["open"])
    room = [
        max(
            (
                row + 1 - tiles_in(lines, row)
                for row in range(LINES)
                if opened >> OPEN_FIELD * color + row & 1
            ),
            default=0,
        )
        for color in range(COLORS)
    ]
    return min(max(0, tiles - room[color]) for tiles, color in offers(state))


def begun(lines: int) -> list[dict[str, Any]]:
    """The lines that hold tiles, from a word of all."""
    return [
        {
            "line": row + 1,
            "color": PALETTE.letters[lines >> _LINE_FIELD * row + 3 & 7],
            "tiles": tiles_in(lines, row),
        }
        for row in range(LINES)
        if tiles_in(lines, row)
    ]


def opening_words(best: Line, other: Line | None = None) -> str:
    """What the first move of a line does, and what it forces on an opponent."""
    first = best.turns[0]
    words = deed(first)
    if first["marker"]:
        words += " and takes the starting player marker"
    forced = burden(DROPS, best, other)
    return f"{words}{',' * first['marker']} and {forced}" if forced else words


def deed(done: Facts) -> str:
    """What a move does with the tiles."""
    line, tiles = done["line"], done["before"] + done["placed"]
    if line is None:
        return f"drops {DROPS.tiles(done)} on the floor"
    if done["fills"]:
        extra = f" and drops {spelled(done['drops'])}" if done["drops"] else " exactly"
        return f"fills line {line}{extra}"
    if done["before"]:
        return f"brings line {line} to {spelled(tiles)} of {spelled(line)}"
    return f"begins line {line} with {spelled(tiles)} of {spelled(line)}"
