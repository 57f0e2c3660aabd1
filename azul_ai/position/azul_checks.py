"""Everything that can be wrong with an Azul position whose values could be read.

Each check yields the faults it finds, and all checks always run; those that concern one place
are here, those between places in :mod:`azul_ai.position.azul_conflicts`, those of all games in
:mod:`azul_ai.position.table_checks`. A fault that consists in something missing is reported
only where everything could be read: a tile with a mistyped letter is one fault, not two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from azul_ai.games.pattern_lines import FLOOR_SPACES
from azul_ai.position import gray, table_checks
from azul_ai.position.azul_conflicts import table_conflicts
from azul_ai.position.azul_facts import (
    EMPTY,
    FILLED,
    GRAY,
    KIND,
    LETTERS,
    PALETTE,
    WALL,
    wall_tiles,
)
from azul_ai.position.faults import Fault
from azul_ai.position.model import Position
from azul_ai.position.words import counted

MAX_ROUND = 999
"""No real game comes near it."""

# fmt: off
MAX_PLACEMENT_POINTS = (
    0, 1, 3, 6, 10, 15, 18, 22, 28, 33, 40, 44, 50, 55, 62, 70, 76, 81, 88, 96, 105, 111, 118,
    126, 135, 145,
)
"""The most that placing so many wall tiles, in the best order, can have scored."""
# fmt: on

Faults = Iterator[Fault]


def check(position: Position, gaps: Sequence[str], check_counts: bool) -> list[Fault]:
    """All faults of a position.

    :param gaps: fields whose values could not be read and were replaced by nothing.
    :param check_counts: whether tiles must add up to 20 of each color.
    """
    unreadable = [*table_checks.letters(position, KIND), *_cells(position)]
    gaps = [*gaps, *(fault.field for fault in unreadable)]
    faults = [
        *unreadable,
        *table_checks.names(position),
        *table_checks.numbers(position, KIND, MAX_ROUND),
        *table_checks.displays(position, KIND),
        *_boards(position),
        *_scores(position, gaps),
    ]
    if table_checks.has_players(position):
        faults += table_conflicts(position, not gaps, check_counts)
    faults += table_checks.conservation(position, KIND, not gaps, check_counts)
    if position.game == GRAY and not gaps:
        faults += gray.tiling_faults(position)
    return faults


def _cells(position: Position) -> Faults:
    for index, player in enumerate(position.players):
        if position.game == GRAY:
            yield from gray.cell_faults(player, index)
            continue
        for row, cells in enumerate(player.wall):
            field, name = f"players[{index}].wall[{row}]", f"row {row + 1} of player {index + 1}"
            if len(cells) != len(WALL[row]):
                reason = (
                    f"The wall has {counted(len(cells), 'cell')} in {name}, not {len(WALL[row])}."
                )
                yield Fault(field, reason, f'Write a letter or "{EMPTY}" for each cell.')
                continue
            for column, cell in enumerate(cells):
                printed = WALL[row][column]
                if cell not in (EMPTY, FILLED, printed):
                    yield Fault(
                        field,
                        f'The wall has "{cell}" in {name}, column {column + 1}.',
                        f'Only {PALETTE.name(printed)} belongs there: write "{printed}", '
                        f'"{FILLED}" or "{EMPTY}". The row is printed {WALL[row]}.',
                    )


def _boards(position: Position) -> Faults:
    for index, player in enumerate(position.players):
        for row, tiles in enumerate(player.lines):
            yield from _line(index, row, tiles, player.wall[row])
        if len(player.floor) > FLOOR_SPACES:
            yield Fault(
                f"players[{index}].floor",
                f"The floor of player {index + 1} holds {len(player.floor)} pieces; it has "
                f"{FLOOR_SPACES} spaces.",
                "What does not fit lies in the lid.",
            )


def _scores(position: Position, gaps: Sequence[str]) -> Faults:
    for index, player in enumerate(position.players):
        if any(gap.startswith(f"players[{index}].wall") for gap in gaps):
            continue
        most = MAX_PLACEMENT_POINTS[sum(1 for _ in wall_tiles(position.game, player))]
        if not 0 <= player.score <= most:
            yield Fault(
                f"players[{index}].score",
                f"Player {index + 1} cannot have {player.score} points: with these wall tiles "
                f"the score track shows 0 to {most}.",
                "Enter the score before any end bonus, and all wall tiles.",
            )


def _line(index: int, row: int, tiles: str, cells: str) -> Faults:
    field, name = f"players[{index}].lines[{row}]", f"Line {row + 1} of player {index + 1}"
    if len(tiles) > row + 1:
        reason = f"{name} holds {len(tiles)} tiles; it has {counted(row + 1, 'space')}."
        yield Fault(field, reason, "What does not fit lies on the floor.")
    colors = [letter for letter in LETTERS if letter in tiles]
    names = [PALETTE.name(letter) for letter in colors]
    if len(colors) > 1:
        yield Fault(field, f"{name} holds {' and '.join(names)}.", "A line has one color.")
    for letter, color in zip(colors, names, strict=True):
        marked = zip(cells, WALL[row], strict=False)
        if letter in cells or (FILLED, letter) in marked:
            reason = f"{name} holds {color}, but row {row + 1} of the wall already has it."
            yield Fault(field, reason, "Correct the line or the wall.")
