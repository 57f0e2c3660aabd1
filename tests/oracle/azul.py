"""Azul with the colored wall, as the rules tell it."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from tests.oracle import result, supply
from tests.oracle.supply import DEAL, DECISION, MARKER, OVER, Supply

GAME = "azul"
COLORS = "BYRKW"
WALL = (
    "BYRKW",
    "WBYRK",
    "KWBYR",
    "RKWBY",
    "YRKWB",
)
SIZE = 5
FLOOR = (-1, -1, -2, -2, -2, -3, -3)
ROW_BONUS, COLUMN_BONUS, COLOR_BONUS = 2, 7, 10
ROUND_CAP = 20
NO_LINE = ("", 0)


@dataclass
class Board:
    """What lies before one player."""

    score: int = 0  # the score track, before any end bonus
    lines: list[tuple[str, int]] = field(default_factory=lambda: [NO_LINE] * SIZE)
    """Per pattern line the color and the number of its tiles."""
    wall: list[list[str | None]] = field(
        default_factory=lambda: [[None] * SIZE for _ in range(SIZE)]
    )
    floor: list[str] = field(default_factory=list)
    """The tiles, and perhaps the marker, in the order of the spaces."""


@dataclass
class State(Supply):
    """A game; one board per player, in seat order."""

    boards: list[Board]
    game: str = GAME
    round_cap: int = ROUND_CAP

    @property
    def players(self) -> int:
        return len(self.boards)


# --- the game ---------------------------------------------------------------------------


def new_state(players: int, round_cap: int = ROUND_CAP) -> State:
    """A new game before the first deal."""
    table = supply.opening(players, supply.all_tiles(COLORS).elements())
    return State(**vars(table), boards=[Board() for _ in range(players)], round_cap=round_cap)


def copy(state: State) -> State:
    """An independent copy."""
    return replace(
        state,
        displays=[list(display) for display in state.displays],
        center=list(state.center),
        bag=Counter(state.bag),
        lid=Counter(state.lid),
        boards=[copy_board(board) for board in state.boards],
    )


def copy_board(board: Board) -> Board:
    wall = [list(row) for row in board.wall]
    return Board(board.score, list(board.lines), wall, list(board.floor))


def legal_moves(state: State) -> list[str]:
    """All moves of the player to move; displays with the same tiles are listed separately."""
    if state.stage != DECISION:
        return []
    board = state.boards[state.mover]
    return [
        f"{source}-{color}-{target}"
        for source, color in supply.offers(state, COLORS)
        for target in targets(board, color)
    ]


def play(state: State, move: str) -> State:
    """The state after a move. Taking the last tiles ends the round and scores it."""
    after = copy(state)
    draft(after, move)
    if supply.table_is_empty(after):
        end_round(after)
    else:
        after.mover = (after.mover + 1) % after.players
    return after


def deal(state: State, displays: list[list[str]]) -> State:
    """The next round, with these tiles on the displays; see :func:`supply.deal`."""
    after = copy(state)
    supply.deal(after, displays)
    return after


def deal_random(state: State, rng: random.Random) -> State:
    """The next round, with tiles drawn at random."""
    after = copy(state)
    supply.deal_randomly(after, rng)
    return after


# --- factory offer ----------------------------------------------------------------------


def targets(board: Board, color: str) -> list[str]:
    """Where tiles of a color may go: pattern lines, or all to the floor line."""
    lines = [str(row + 1) for row in range(SIZE) if line_takes(board, row, color)]
    return [*lines, "floor"]


def line_takes(board: Board, row: int, color: str) -> bool:
    line_color, count = board.lines[row]
    return (
        count < capacity(row)
        and (count == 0 or line_color == color)
        and color not in board.wall[row]
    )


def capacity(row: int) -> int:
    return row + 1


def is_full(board: Board, row: int) -> bool:
    _, count = board.lines[row]
    return count == capacity(row)


def draft(state: State, move: str) -> None:
    """Take tiles and place them, in place. Raises ValueError if the move is not legal."""
    source, color, target = move.split("-")
    board = state.boards[state.mover]
    if (source, color) not in supply.offers(state, COLORS) or target not in targets(board, color):
        raise ValueError(f"{move} is not legal")
    if supply.takes_marker(state, source):
        state.holder = state.mover
        drop(state, board, [MARKER])
    number = supply.take(state, source, color)
    if target != "floor":
        row = int(target) - 1
        _, count = board.lines[row]
        placed = min(number, capacity(row) - count)
        board.lines[row] = (color, count + placed)
        number -= placed
    drop(state, board, [color] * number)


def drop(state: State, board: Board, tiles: list[str]) -> None:
    """Fill the floor line from the left; what does not fit goes to the lid of the box.

    A marker that does not fit is still taken, but lies nowhere.
    """
    for tile in tiles:
        if len(board.floor) < len(FLOOR):
            board.floor.append(tile)
        elif tile != MARKER:
            state.lid[tile] += 1


# --- wall-tiling ------------------------------------------------------------------------


def end_round(state: State) -> None:
    """Tile all walls, pay all floors, and see whether the game is over, in place."""
    for board in state.boards:
        for row in range(SIZE):
            if is_full(board, row):
                color, _ = board.lines[row]
                tile_wall(state, board, row, WALL[row].index(color))
    pay_floors(state)


def tile_wall(state: State, board: Board, row: int, column: int) -> None:
    """Move one tile of a full line to the wall and score it; the rest go to the lid."""
    color, count = board.lines[row]
    board.lines[row] = NO_LINE
    board.wall[row][column] = color
    board.score += placement_points(board.wall, row, column)
    state.lid[color] += count - 1


def placement_points(wall: list[list[str | None]], row: int, column: int) -> int:
    """Points for the tile just placed here."""
    horizontal = run_length(wall[row], column)
    vertical = run_length([wall_row[column] for wall_row in wall], row)
    return sum(length for length in (horizontal, vertical) if length > 1) or 1


def run_length(cells: list[str | None], place: int) -> int:
    """How many filled cells lie in an unbroken run through a filled place."""
    first = last = place
    while first > 0 and cells[first - 1]:
        first -= 1
    while last < len(cells) - 1 and cells[last + 1]:
        last += 1
    return last - first + 1


def pay_floors(state: State) -> None:
    """Every player pays for the floor, never below 0; then the game goes on or is over.

    The floors' tiles go to the lid, the marker stays with its holder until the next deal.
    """
    for board in state.boards:
        penalty = sum(FLOOR[: len(board.floor)])
        board.score = max(0, board.score + penalty)
        state.lid.update(tile for tile in board.floor if tile != MARKER)
        board.floor.clear()
    state.mover = supply.next_starter(state)
    state.stage = OVER if ends_game(state) else DEAL


def ends_game(state: State) -> bool:
    return any(map(complete_rows, state.boards)) or state.round >= state.round_cap


# --- the end of the game ----------------------------------------------------------------


def complete_rows(board: Board) -> int:
    return sum(all(row) for row in board.wall)


def complete_columns(board: Board) -> int:
    return sum(all(column) for column in zip(*board.wall, strict=True))


def complete_colors(board: Board) -> int:
    """Colors of which all five tiles are on the wall."""
    tiles = Counter(tile for row in board.wall for tile in row)
    return sum(tiles[color] == SIZE for color in COLORS)


def bonus(board: Board) -> int:
    return (
        ROW_BONUS * complete_rows(board)
        + COLUMN_BONUS * complete_columns(board)
        + COLOR_BONUS * complete_colors(board)
    )


def final_points(state: State) -> list[int]:
    """Every player's points if the game ended now as the state stands, bonuses included."""
    return [board.score + bonus(board) for board in state.boards]


def standings(state: State) -> list[result.Standing]:
    """Every player's final points and complete rows, which decide between equal points."""
    rows = map(complete_rows, state.boards)
    return list(zip(final_points(state), rows, strict=True))


def ranking(state: State) -> list[list[int]]:
    return result.ranking(standings(state))


def win_shares(state: State) -> list[float]:
    return result.win_shares(standings(state))


# --- positions --------------------------------------------------------------------------


def from_dict(position: dict[str, Any], round_cap: int = ROUND_CAP) -> State:
    """The state that a position (keys of the JSON form) describes; no faults are looked for.

    With neither tiles on the displays nor in the center, the round is ended, which does
    nothing to boards without a full line or a filled floor.
    """
    state = read(position, round_cap)
    if supply.table_is_empty(state):
        end_round(state)
    return state


def read(position: dict[str, Any], round_cap: int) -> State:
    """The state as written, in stage DECISION."""
    boards = [read_board(player) for player in position["players"]]
    elsewhere = [tile for board in boards for tile in tiles_on(board)]
    table = supply.read_supply(position, COLORS, elsewhere)
    for player, board in enumerate(boards):
        if MARKER in board.floor:
            table.holder = player
    taken = MARKER not in position["center"]
    if taken and table.holder is None and not supply.table_is_empty(table):
        raise ValueError("the marker lies nowhere: give next_start")
    return State(**vars(table), boards=boards, game=position["game"], round_cap=round_cap)


def read_board(player: dict[str, Any]) -> Board:
    """One player's part of a position; on a colored wall ``x`` is any filled cell."""
    lines = [(line[0], len(line)) if line else NO_LINE for line in player["lines"]]
    wall = [
        [read_cell(cell, row, column) for column, cell in enumerate(cells)]
        for row, cells in enumerate(player["wall"])
    ]
    return Board(player["score"], lines, wall, list(player["floor"]))


def read_cell(cell: str, row: int, column: int) -> str | None:
    if cell == ".":
        return None
    return WALL[row][column] if cell == "x" else cell


def tiles_on(board: Board) -> list[str]:
    """All tiles on a board, without the marker."""
    lines = [color for color, count in board.lines for _ in range(count)]
    wall = [tile for row in board.wall for tile in row if tile]
    return lines + wall + [tile for tile in board.floor if tile != MARKER]


def to_dict(state: State) -> dict[str, Any]:
    """The position (keys of the JSON form) that describes a state."""
    position = {"game": state.game, **supply.write_supply(state, COLORS)}
    on_floor = any(MARKER in board.floor for board in state.boards)
    if state.holder is not None and not on_floor:
        position["next_start"] = state.holder + 1
    position["players"] = [
        {
            "score": board.score,
            "lines": [color * count for color, count in board.lines],
            "wall": ["".join(tile or "." for tile in row) for row in board.wall],
            "floor": "".join(board.floor),
        }
        for board in state.boards
    ]
    return position


def key(state: State) -> tuple[Any, ...]:
    """Equal for states of one round that are the same up to the order of the displays."""
    return (
        state.stage,
        state.mover,
        state.holder,
        tuple(sorted("".join(sorted(display)) for display in state.displays)),
        "".join(sorted(state.center)),
        tuple(
            (
                board.score,
                tuple(board.lines),
                tuple(tuple(row) for row in board.wall),
                "".join(sorted(board.floor)),
            )
            for board in state.boards
        ),
    )
