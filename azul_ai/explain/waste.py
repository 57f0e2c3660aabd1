"""Tiles that come into no line, panes that break: who had to take them, and who need not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from azul_ai.explain.explanation import Facts, Line
from azul_ai.explain.words import opponent, spelled
from azul_ai.games.supply import COLORS, DISPLAYS, FIELD, FIELD_MASK
from azul_ai.position.words import Palette

BURDEN = 2
"""So many tiles are worth a word."""


@dataclass(frozen=True, slots=True)
class Waste:
    """A game's word for it.

    ``key``: of a turn's facts, its number of such tiles; beside it, ``least``: the fewest with
    any legal move then. Turns of other kinds do not have the key. ``verb``: as in "must drop".
    """

    key: str
    verb: str
    palette: Palette

    def tiles(self, done: Facts) -> str:
        """The wasted tiles of a turn in words."""
        return f"{spelled(done[self.key])} {self.palette.name(done['color'])}"


def offers(state: Any) -> list[tuple[int, int]]:
    """What can be taken: number and color, of every source."""
    sources = [int(word) for word in state["sources"][: DISPLAYS[state["players"]] + 1]]
    found = (
        (word >> FIELD * color & FIELD_MASK, color) for word in sources for color in range(COLORS)
    )
    return [(tiles, color) for tiles, color in found if tiles]


def forced(waste: Waste, line: Line, *, own: bool) -> Facts | None:
    """The turn, after the first, with the most tiles that had to be wasted then.

    :param own: by the player who moves first, or by another one.
    """
    turns = [
        done
        for done in line.turns[1:]
        if waste.key in done
        and (done["player"] == line.mover) == own
        and done[waste.key] == done["least"] >= BURDEN
    ]
    return max(turns, key=lambda done: int(done[waste.key])) if turns else None


def burden(waste: Waste, best: Line, other: Line | None) -> str:
    """What an opponent has to waste in a line, whatever he does, and not in the other one."""
    found = forced(waste, best, own=False)
    if not found:
        return ""
    whom = found["player"]
    if other and _wasted(waste, other, whom) >= _wasted(waste, best, whom):
        return ""
    name = opponent(whom, len(best.players))
    if found is best.turns[1]:
        color = waste.palette.name(found["color"])
        return f"leaves {color} to {name}, who must {waste.verb} {spelled(found[waste.key])}"
    return f"later {name} must {waste.verb} {waste.tiles(found)}"


def spared(waste: Waste, best: Line, other: Line) -> str:
    """What only the other line forces upon the mover, or ""."""
    found = forced(waste, other, own=True)
    if not found or forced(waste, best, own=True):
        return ""
    return f"you need not {waste.verb} {waste.tiles(found)}"


def _wasted(waste: Waste, line: Line, player: int) -> int:
    return sum(done.get(waste.key, 0) for done in line.turns if done["player"] == player)
