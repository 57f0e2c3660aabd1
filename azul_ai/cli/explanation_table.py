"""An explanation as people read it: the sentence, the two lines, and what they come to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from azul_ai.explain import Explanation, Line


def table(explanation: Explanation) -> RenderableType:
    """Everything that is printed of an explanation."""
    lines = [line for line in (explanation.best, explanation.other) if line]
    grid = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    for column in ("After", "Player"):
        grid.add_column(column, no_wrap=True)
    for column in ("Points", "Wall", "Floor"):
        grid.add_column(column, justify="right")
    for column in ("Lines completed", "Lines begun", "Next round"):
        grid.add_column(column)
    for line in lines:
        for facts in line.players:
            grid.add_row(*_cells(line, facts))
    played = [_moves(line) for line in lines]
    return Group(Text.assemble(("Why: ", "bold"), explanation.sentence), "", grid, "", *played)


def _cells(line: Line, facts: Mapping[str, Any]) -> list[str]:
    """A player's row: what he has made of the round."""
    first = facts["player"] == 1
    begun = [f"{begun['line']} ({begun['tiles']}{begun['color']})" for begun in facts["begun"]]
    mover = line.turns[0]["player"]
    starts = facts["player"] == line.next_start and not line.game_over
    return [
        line.move if first else "",
        f"{facts['player']} (you)" if facts["player"] == mover else str(facts["player"]),
        f"{facts['points']:+}",
        str(facts["wall"]),
        str(-facts["floor"]),
        " ".join(str(done["line"]) for done in facts["completed"]),
        " ".join(begun),
        f"total {facts['total']}" if line.game_over else "starts" if starts else "",
    ]


def _moves(line: Line) -> Text:
    """The moves of a line; those that were not searched are dim."""
    searched, rest = line.moves[: line.searched], line.moves[line.searched :]
    text = Text(" ".join(searched))
    if rest:
        text.append(" then, not searched: " + " ".join(rest), "dim")
    return text
