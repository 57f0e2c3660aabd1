"""Moves with the gray wall as text: those of Azul, and placements such as ``wall-3-5``."""

from __future__ import annotations

from azul_ai import game
from azul_ai.game import State
from azul_ai.games import gray as rules
from azul_ai.games.pattern_lines import LINES
from azul_ai.position import azul_moves, gray
from azul_ai.position.azul_state import from_state
from azul_ai.position.faults import MoveError


def format_move(move: int) -> str:
    """The name of a move."""
    if move & rules.WALL_MOVE:
        return gray.placement(move >> 3 & 7, move & 7)
    return azul_moves.format_move(move)


def names(state: State, move: int) -> list[str]:
    """The move's names from all displays with the same tiles; a placement has one."""
    if move & rules.WALL_MOVE:
        return [format_move(move)]
    return azul_moves.names(state, move)


def parse_move(state: State, text: str) -> int:
    """The move that a text names.

    :raises MoveError: it is not understood or not legal.
    """
    name = text.strip().lower()
    placing = state["stage"] == game.DECISION and not state["presence"]
    if not placing and not name.startswith(gray.PREFIX):
        return azul_moves.parse_move(state, text)
    cell = gray.cell_of(name)
    reason = _why_not(state, placing, cell)
    if reason or cell is None:
        raise MoveError(f"{text.strip()} is not legal: {reason}.")
    row, column = cell
    return rules.WALL_MOVE | row << 3 | column


def _why_not(state: State, placing: bool, cell: gray.Cell | None) -> str:
    """Why a placement (None: some other text) is not legal, or "" if it is."""
    if state["stage"] == game.OVER:
        return "the game is over"
    if state["stage"] == game.DEAL:
        return "the round is over and the next deal is pending"
    if not placing:
        return "tiles are still on offer; walls are tiled when all are taken"
    player, owner = from_state(state).players[state["mover"]], f"player {state['mover'] + 1}"
    row = gray.next_row(player)
    assert row is not None
    now = f"{owner} now places the tile of line {row + 1}"
    if cell is None:
        free = next(column for column in range(LINES) if not gray.barred(player, row, column))
        return f"{now}; write the cell, such as {gray.placement(row, free)}"
    if cell[0] != row:
        return now
    return gray.barred(player, *cell)
