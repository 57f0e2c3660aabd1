"""Between an Azul position and the packed record that the rules and searches work on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from azul_ai import game, games
from azul_ai.games.gray_walls import PLAN_FIELD, PLAN_MASK
from azul_ai.games.pattern_lines import FLOOR, FLOOR_FIELD, FLOOR_SPACES, LINES, OPEN_FIELD
from azul_ai.games.rounds import IN_CENTER
from azul_ai.games.supply import COLORS
from azul_ai.position import gray, records, table
from azul_ai.position.azul_facts import (
    EMPTY,
    GRAY,
    KIND,
    LETTERS,
    WALL,
    implied_start,
    is_over,
    marker_owner,
    phase,
)
from azul_ai.position.model import Player, Position
from azul_ai.position.table import Phase
from azul_ai.position.words import MARKER

# The contents of a floor field, by value.
_FLOOR_LETTERS = EMPTY + LETTERS + MARKER


def to_state(position: Position) -> game.State:
    """The record of a valid position in normal form, a finished round scored."""
    state = games.load(position.game).new_state(len(position.players))
    records.write(state, position, KIND)
    state.holder = _holder(position)
    state.start = implied_start(position) if position.start is None else position.start - 1
    for index, player in enumerate(position.players):
        _write_board(state.boards[index], player)
        if position.game == GRAY:
            _write_colors(state.boards[index], player)
    match phase(position):
        case Phase.DRAFTING:
            state.stage = game.DECISION
        case Phase.TILING if position.game == GRAY and gray.decides(position) is not None:
            state.stage = game.DECISION
        case Phase.TILING:
            game.close_round(state)
        case Phase.SETTLED:
            state.stage = game.OVER if is_over(position) else game.DEAL
    return state


def _holder(position: Position) -> int:
    """Who has the marker; between rounds, whoever starts the next, unless nobody took it."""
    if MARKER in position.center:
        return IN_CENTER
    owner = marker_owner(position)
    return (position.next_start or position.to_move) - 1 if owner is None else owner


def _write_board(board: Any, player: Player) -> None:
    """Fill one board's words."""
    wall = lines = opened = floor = 0
    for row in range(LINES):
        cells, tiles = player.wall[row], player.lines[row]
        for column, cell in enumerate(cells):
            wall |= (cell != EMPTY) << LINES * row + column
        if tiles:
            lines |= (LETTERS.index(tiles[0]) << 3 | len(tiles)) << 6 * row
        for color, letter in enumerate(LETTERS):
            takes = tiles[0] == letter if tiles else letter not in cells
            opened |= (takes and len(tiles) <= row) << OPEN_FIELD * color + row
    for color in range(COLORS):
        opened |= 1 << OPEN_FIELD * color + FLOOR
    for space, letter in enumerate(player.floor):
        floor |= _FLOOR_LETTERS.index(letter) << FLOOR_FIELD * space
    board["wall"], board["lines"], board["open"] = wall, lines, opened
    board["floor"], board["score"] = floor, player.score


def _write_colors(board: Any, player: Player) -> None:
    """Fill what only a gray board has."""
    for row, cells in enumerate(player.wall):
        for column, cell in enumerate(cells):
            if cell != EMPTY:
                board["colors"][LETTERS.index(cell)] |= 1 << LINES * row + column
    for row, column in gray.plan_of(player).items():
        board["plan"] |= column + 1 << PLAN_FIELD * row


def from_state(state: game.State, names: Sequence[str] = ()) -> Position:
    """The position of a record."""
    number = int(state.players)
    marker = MARKER if state.holder == IN_CENTER else ""
    names = [*names, *[""] * number]
    players = tuple(_read_board(state.boards[index], names[index]) for index in range(number))
    position = Position(game=games.of(state).NAME, players=players, **records.read(state, LETTERS))
    position = replace(position, center=position.center + marker)
    if state.stage == game.DECISION and not marker and marker_owner(position) is None:
        position = replace(position, next_start=int(state.holder) + 1)
    if state.start != implied_start(position):
        position = replace(position, start=int(state.start) + 1)
    return replace(position, warnings=table.warnings(position, KIND))


def _read_board(board: Any, name: str) -> Player:
    """One board's texts."""
    lines, floor = int(board["lines"]), int(board["floor"])
    fields = [lines >> 6 * row & 63 for row in range(LINES)]
    is_gray = "colors" in board.dtype.names
    cell = _gray_cell if is_gray else _colored_cell
    return Player(
        name=name,
        placed=_read_plan(board) if is_gray else (),
        score=int(board["score"]),
        lines=tuple(LETTERS[field >> 3] * (field & 7) for field in fields),
        wall=tuple(
            "".join(cell(board, row, column) for column in range(LINES)) for row in range(LINES)
        ),
        floor="".join(
            _FLOOR_LETTERS[floor >> FLOOR_FIELD * space & 7] for space in range(FLOOR_SPACES)
        ).rstrip(EMPTY),
    )


def _colored_cell(board: Any, row: int, column: int) -> str:
    return WALL[row][column] if int(board["wall"]) >> LINES * row + column & 1 else EMPTY


def _gray_cell(board: Any, row: int, column: int) -> str:
    cells = zip(LETTERS, board["colors"].tolist(), strict=True)
    here = (letter for letter, word in cells if word >> LINES * row + column & 1)
    return next(here, EMPTY)


def _read_plan(board: Any) -> tuple[str, ...]:
    """The placements chosen so far."""
    plan = int(board["plan"])
    fields = [plan >> PLAN_FIELD * row & PLAN_MASK for row in range(LINES)]
    return tuple(gray.placement(row, field - 1) for row, field in enumerate(fields) if field)
