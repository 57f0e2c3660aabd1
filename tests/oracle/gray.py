"""Azul with the gray wall: as :mod:`azul`, but where a full line's tile goes is a decision."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.oracle import azul, supply
from tests.oracle.azul import (  # what is the same
    NO_LINE,
    ROUND_CAP,
    SIZE,
    Board,
    State,
    copy,
    copy_board,
    deal,
    deal_random,
    final_points,
    key,
    ranking,
    standings,
    to_dict,
    win_shares,
)
from tests.oracle.supply import DECISION

__all__ = [
    "deal",
    "deal_random",
    "final_points",
    "from_dict",
    "key",
    "legal_moves",
    "new_state",
    "play",
    "ranking",
    "standings",
    "to_dict",
    "win_shares",
]

GAME = "azul-gray"


def new_state(players: int, round_cap: int = ROUND_CAP) -> State:
    """A new game before the first deal."""
    return replace(azul.new_state(players, round_cap), game=GAME)


def from_dict(position: dict[str, Any], round_cap: int = ROUND_CAP) -> State:
    """The state that a position (keys of the JSON form) describes; no faults are looked for.

    Boards are taken as they are written, also those of other players during wall-tiling.
    """
    state = azul.read(position, round_cap)
    if supply.table_is_empty(state):
        go_on_tiling(state)
    if state.stage == DECISION and state.mover != position["to_move"] - 1:
        raise ValueError(f"player {state.mover + 1} has a full line to place")
    return state


def is_tiling(state: State) -> bool:
    """Whether the next decision is where to place a tile on the wall."""
    return state.stage == DECISION and supply.table_is_empty(state)


def legal_moves(state: State) -> list[str]:
    """As in Azul; in wall-tiling the cells for the mover's topmost full line."""
    if not is_tiling(state):
        return azul.legal_moves(state)
    board = state.boards[state.mover]
    row = next(row for row in range(SIZE) if azul.is_full(board, row))
    return [f"wall-{row + 1}-{column + 1}" for column in legal_cells(board, row)]


def play(state: State, move: str) -> State:
    """The state after a move; the last placement of all ends the round and scores it."""
    after = copy(state)
    if is_tiling(after):
        if move not in legal_moves(after):
            raise ValueError(f"{move} is not legal")
        _, row, column = move.split("-")
        board = after.boards[after.mover]
        azul.tile_wall(after, board, int(row) - 1, int(column) - 1)
    else:
        azul.draft(after, move)
    if supply.table_is_empty(after):
        go_on_tiling(after)
    else:
        after.mover = (after.mover + 1) % after.players
    return after


def legal_cells(board: Board, row: int) -> list[int]:
    """Columns of the row's empty cells in whose column the line's color is not yet."""
    color, _ = board.lines[row]
    return [
        column
        for column in range(SIZE)
        if board.wall[row][column] is None
        and color not in [wall_row[column] for wall_row in board.wall]
    ]


def go_on_tiling(state: State) -> None:
    """Find the next decision, in place: player by player, each player's rows from the top.

    A full line without a legal cell falls to the floor when its row is reached. After the
    last decision of all, the floors are paid.
    """
    for player, board in enumerate(state.boards):
        for row in range(SIZE):
            if azul.is_full(board, row):
                if legal_cells(board, row):
                    state.mover = player
                    return
                color, count = board.lines[row]
                board.lines[row] = NO_LINE
                azul.drop(state, board, [color] * count)
    azul.pay_floors(state)


# --- hidden choices ---------------------------------------------------------------------


def certainly_ends(state: State) -> bool:
    """Whether the game ends with this tiling phase, wherever the players place their tiles."""
    return state.round >= state.round_cap or any(
        all(azul.complete_rows(end) for _, end in tilings(state, player))
        for player in range(state.players)
    )


def tile_best(state: State) -> State:
    """The state after the rest of a tiling phase that certainly ends the game.

    The players choose without seeing each other's choices, and nothing a player places
    changes what another may gain; so each maximizes his own points, then his rows.
    """

    def worth(tiling: tuple[list[str], Board]) -> tuple[int, int]:
        _, end = tiling
        return end.score + azul.bonus(end), azul.complete_rows(end)

    best = [max(tilings(state, player), key=worth) for player in range(state.players)]
    for moves, _ in best:
        for move in moves:
            state = play(state, move)
    return state


def tilings(state: State, player: int) -> list[tuple[list[str], Board]]:
    """All ways in which a player can place his full lines, and his board after the floor.

    Found as if he were alone at the table.
    """
    alone = copy(state)
    alone.boards = [copy_board(state.boards[player])]
    go_on_tiling(alone)
    ways: list[tuple[list[str], Board]] = []

    def explore(alone: State, moves: list[str]) -> None:
        if alone.stage != DECISION:
            ways.append((moves, alone.boards[0]))
        for move in legal_moves(alone):
            explore(play(alone, move), [*moves, move])

    explore(alone, [])
    return ways
