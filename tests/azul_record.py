"""Records of compiled Azul, written word by word from the oracle's states.

Unlike what a position file may say, a state of the oracle may be as made-up as a test needs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from azul_ai import game, games
from azul_ai.games.pattern_lines import FLOOR, FLOOR_FIELD, LINES, MARKER, OPEN_FIELD
from azul_ai.games.supply import FIELD, SOURCE_FIELD
from tests.oracle import azul as rules
from tests.oracle import supply

STAGES = {supply.DECISION: game.DECISION, supply.DEAL: game.DEAL, supply.OVER: game.OVER}


def record(state: rules.State) -> Any:
    """The compiled state that means the same."""
    written = games.load("azul").new_state(state.players, state.round_cap)
    written["round"] = state.round
    written.stage = STAGES[state.stage]
    written.mover, written.start = state.mover, state.start
    written.holder = -1 if state.holder is None else state.holder
    written.bag, written.lid = pack(state.bag.elements()), pack(state.lid.elements())
    for source, tiles in enumerate([state.center, *state.displays]):
        written.sources[source] = pack(tiles)
        for color in {rules.COLORS.index(tile) for tile in tiles}:
            written.presence |= 1 << SOURCE_FIELD * color + source
    for words, board in zip(written.boards, state.boards, strict=False):
        write_board(words, board)
    return written


def pack(tiles: Iterable[str]) -> int:
    """The supply word of tiles."""
    return sum(1 << FIELD * rules.COLORS.index(tile) for tile in tiles)


def write_board(words: Any, board: rules.Board) -> None:
    """One board's words."""
    words["score"] = board.score
    words["wall"] = sum(
        1 << LINES * row + column
        for row, cells in enumerate(board.wall)
        for column, cell in enumerate(cells)
        if cell
    )
    words["lines"] = sum(
        (rules.COLORS.index(color) << 3 | count) << 6 * row
        for row, (color, count) in enumerate(board.lines)
        if count
    )
    pieces = {tile: color + 1 for color, tile in enumerate(rules.COLORS)} | {supply.MARKER: MARKER}
    words["floor"] = sum(
        pieces[tile] << FLOOR_FIELD * space for space, tile in enumerate(board.floor)
    )
    targets = {"floor": FLOOR} | {str(row + 1): row for row in range(LINES)}
    words["open"] = sum(
        1 << OPEN_FIELD * color + targets[target]
        for color, tile in enumerate(rules.COLORS)
        for target in rules.targets(board, tile)
    )
