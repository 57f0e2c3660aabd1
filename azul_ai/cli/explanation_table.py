"""An explanation as people read it: the sentence, the two lines, and what they come to."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from azul_ai import explain
from azul_ai.explain import Explanation, Line
from azul_ai.explain.explanation import Facts


def table(explanation: Explanation, game_name: str) -> RenderableType:
    """Everything that is printed of an explanation."""
    lines = [line for line in (explanation.best, explanation.other) if line]
    columns = explain.columns(game_name)
    grid = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    for title in ("After", "Player"):
        grid.add_column(title, no_wrap=True)
    for column in columns:
        grid.add_column(column.title, justify="right" if column.number else "left")
    grid.add_column("Next round")
    for line in lines:
        for facts in line.players:
            cells = [column.text(facts) for column in columns]
            grid.add_row(*_head(line, facts), *cells, _next_round(line, facts))
    played = [_moves(line) for line in lines]
    return Group(Text.assemble(("Why: ", "bold"), explanation.sentence), "", grid, "", *played)


def _head(line: Line, facts: Facts) -> list[str]:
    """The line, beside its first player, and the player."""
    mine = facts["player"] == line.mover
    player = f"{facts['player']} (you)" if mine else str(facts["player"])
    return [line.move if facts["player"] == 1 else "", player]


def _next_round(line: Line, facts: Facts) -> str:
    """Who starts it, or what the game ended with."""
    if line.game_over:
        return f"total {facts['total']}"
    return "starts" if facts["player"] == line.next_start else ""


def _moves(line: Line) -> Text:
    """The moves of a line; those that were not searched are dim."""
    searched, rest = line.moves[: line.searched], line.moves[line.searched :]
    text = Text(" ".join(searched))
    if rest:
        text.append(" then, not searched: " + " ".join(rest), "dim")
    return text
