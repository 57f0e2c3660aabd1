"""What only the gray wall has: cells of any color, and wall-tiling as decisions.

Like the other checks of :mod:`azul_ai.position`, everything here also works on a position that
is not valid. Players, rows and columns count from 0, in texts from 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from azul_ai.games.pattern_lines import LINES
from azul_ai.position.azul_facts import (
    EMPTY,
    KIND,
    LETTERS,
    PALETTE,
)
from azul_ai.position.faults import Fault
from azul_ai.position.model import Player, Position
from azul_ai.position.table import Phase
from azul_ai.position.words import counted

_PLACEMENT = re.compile(r"wall-([1-5])-([1-5])", re.IGNORECASE)

PREFIX = "wall-"
"""How a placement begins, as a move and in a file."""

Faults = Iterator[Fault]
Cell = tuple[int, int]
"""Row and column."""


def placement(row: int, column: int) -> str:
    """The move that places a full line's tile."""
    return f"{PREFIX}{row + 1}-{column + 1}"


def cell_of(text: str) -> Cell | None:
    """The cell that a placement names, None if the text is none."""
    form = _PLACEMENT.fullmatch(text)
    return form and (int(form[1]) - 1, int(form[2]) - 1)


def plan_of(player: Player) -> dict[int, int]:
    """The columns chosen so far, by row."""
    return dict(cell for text in player.placed if (cell := cell_of(text)))


# --- where a tile may go ------------------------------------------------------------------


def is_full(player: Player, row: int) -> bool:
    """Whether a line waits for its tile to be placed."""
    return len(player.lines[row]) > row


def barred(player: Player, row: int, column: int) -> str:
    """Why the tile of a full line cannot go to a column of its row, or "" if it can.

    The cells chosen in rows above count as taken.
    """
    letter, plan = player.lines[row][0], plan_of(player)
    taken = player.wall[row][column : column + 1]
    if taken != EMPTY:
        return f"row {row + 1}, column {column + 1} holds {_name(taken)} already"
    for other in range(LINES):
        chosen = other < row and plan.get(other) == column and player.lines[other][:1] == letter
        if chosen or player.wall[other][column : column + 1] == letter:
            return f"column {column + 1} has {_name(letter)} already, in row {other + 1}"
    return ""


def next_row(player: Player) -> int | None:
    """The topmost full line that can be placed and is not decided yet."""
    plan = plan_of(player)
    for row in range(LINES):
        undecided = is_full(player, row) and row not in plan
        if undecided and not all(barred(player, row, column) for column in range(LINES)):
            return row
    return None


def decides(position: Position) -> int | None:
    """Who places next in wall-tiling: the first in seat order who can; None if nobody can."""
    if KIND.phase(position) is Phase.TILING:
        for index, player in enumerate(position.players):
            if next_row(player) is not None:
                return index
    return None


def _name(letter: str) -> str:
    return PALETTE.name(letter) if letter in LETTERS else f'"{letter}"'


# --- faults -------------------------------------------------------------------------------


def cell_faults(player: Player, index: int) -> Faults:
    """Cells that hold no color, and colors that stand twice in a row or column."""
    owner = f"player {index + 1}"
    for row, cells in enumerate(player.wall):
        field = f"players[{index}].wall[{row}]"
        if len(cells) != LINES:
            reason = f"The wall has {counted(len(cells), 'cell')} in row {row + 1} of {owner}, not"
            yield Fault(field, f"{reason} {LINES}.", f'Write a letter or "{EMPTY}" for each cell.')
        for column, cell in enumerate(cells):
            if cell not in EMPTY + LETTERS:
                yield Fault(
                    field,
                    f'The wall has "{cell}" in row {row + 1} of {owner}, column {column + 1}.',
                    f'A gray cell holds any color: {PALETTE.legend()}; "{EMPTY}" is empty.',
                )
        for letter in LETTERS:
            if cells.count(letter) > 1:
                reason = f"Row {row + 1} of {owner} has {PALETTE.name(letter)} twice."
                yield Fault(field, reason, "A color stands once in a row.")
    for column in range(LINES):
        cells = "".join(row[column : column + 1] for row in player.wall)
        for letter in LETTERS:
            if cells.count(letter) > 1:
                row = cells.rindex(letter)
                reason = f"Column {column + 1} of {owner} has {PALETTE.name(letter)} twice."
                field = f"players[{index}].wall[{row}]"
                yield Fault(field, reason, "A color stands once in a column.")


def tiling_faults(position: Position) -> Faults:
    """Placements that are not possible, and a mover who is not the one to decide."""
    faults = [
        fault
        for index, player in enumerate(position.players)
        for fault in _placed_faults(position, player, index)
    ]
    yield from faults
    decider = decides(position)
    if not faults and decider is not None and decider != position.to_move - 1:
        row = next_row(position.players[decider])
        assert row is not None
        yield Fault(
            "to_move",
            f"Player {position.to_move} is to move, but in wall-tiling players decide in seat "
            f"order, and player {decider + 1} has line {row + 1} to place.",
            f"Write to_move = {decider + 1}, or correct that line.",
        )


def _placed_faults(position: Position, player: Player, index: int) -> Faults:
    """Each placement must be the next one that its player had to decide."""
    lines = " and ".join(str(row + 1) for row in range(LINES) if is_full(player, row))
    for number, text in enumerate(player.placed):
        field, cell = f"players[{index}].placed[{number}]", cell_of(text)
        before = Player(lines=player.lines, wall=player.wall, placed=player.placed[:number])
        if cell is None:
            yield Fault(field, f'"{text}" is no placement.', "Write wall-3-5: row 3, column 5.")
            return
        row, column = cell
        reason = ""
        if KIND.phase(position) is not Phase.TILING:
            reason = "wall-tiling has not begun"
        elif not is_full(player, row):
            reason = f"line {row + 1} of player {index + 1} is not full"
        elif row != next_row(before):
            reason = f"it is not the next line to place; full lines are {lines}, from the top"
        reason = reason or barred(before, row, column)
        if reason:
            yield Fault(field, f"{text} was not possible: {reason}.", "Correct or leave it out.")
            return
