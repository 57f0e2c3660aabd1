"""Hand-made evaluation of Azul (colored wall), and its cheap rating of moves.

Per player, expected final points = score + what the wall, the lines begun and the start of
the next round are worth, by phase. The phase is the smallest number of rounds in which some
player can complete a row: 0 for a finished game, 5 at its beginning.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai.bits import count, nth
from azul_ai.evaluation.interface import POINTS, evaluate, policy_move, rate_moves
from azul_ai.evaluation.shares import fill_shares
from azul_ai.games import azul, supply
from azul_ai.games.azul import FLOOR, FLOOR_SPACES, LINES, ROW_MASK, STATE
from azul_ai.games.supply import COLORS, SOURCE_FIELD, SOURCE_MASK
from azul_ai.jit import jit

PHASES = 6

MODEL = np.dtype(
    (
        np.record,
        [
            # points by phase and number of tiles already in the row, column or color
            ("row", "f8", (PHASES, LINES + 1)),
            ("column", "f8", (PHASES, LINES + 1)),
            ("color", "f8", (PHASES, COLORS + 1)),
            # part of the points of the best cell of each row that counts
            ("potential", "f8", (PHASES,)),
            # part of the points of its cell that a begun line is worth when full but for nothing
            ("line", "f8", (PHASES,)),
            ("start", "f8", (PHASES,)),
            # points still to come for everybody
            ("future", "f8", (PHASES,)),
            # spread of the final difference, for the chance to win
            ("spread", "f8", (PHASES,)),
            ("azul", "i8"),  # unused: makes the record type this game's own
        ],
    )
)


def model() -> Any:
    """The numbers of the hand-made evaluation, as one record of dtype MODEL."""
    record = np.zeros(1, dtype=MODEL)[0]
    early, middle, late = (0.0, 0.3, 1.0, 2.2, 4.2, 7.0), (0, 0.1, 0.6, 1.8, 4, 7), (0, 0, 0.1, 0.6, 2.8, 7)
    record["column"][:] = [late, late, middle, early, early, early]
    early, middle, late = (0.0, 0.3, 1.0, 2.5, 5.0, 10.0), (0, 0.1, 0.5, 1.8, 4.6, 10), (0, 0, 0, 0.4, 3, 10)
    record["color"][:] = [late, late, middle, early, early, early]
    record["row"][:] = (0.0, 0.1, 0.3, 0.6, 1.2, 2.0)
    record["potential"][:] = [0, 0.1, 0.25, 0.3, 0.35, 0.4]
    record["line"][:] = [0, 0.55, 0.7, 0.75, 0.8, 0.8]
    record["start"][:] = [0, 1.0, 1.5, 1.5, 1.5, 1.5]
    record["future"][:] = [0, 8, 20, 32, 44, 55]
    record["spread"][:] = [1, 12, 17, 21, 24, 26]
    return record


@evaluate.register(MODEL)
@jit
def evaluate_azul(model: Any, state: Any, values: Any) -> None:
    """Fill the values of all players of a scored round."""
    phase = rounds_left(state)
    for player in range(state.players):
        board = state.boards[player]
        points = board.score + model.future[phase] + wall_value(model, board.wall, phase)
        points += lines_value(model, board, phase)
        if player == state.mover:
            points += model.start[phase]
        values[player, POINTS] = points
    fill_shares(values, state.players, model.spread[phase])


@jit
def rounds_left(state: Any) -> int:
    """The smallest number of rounds in which some player can complete a row, 1-5."""
    most = 0
    for player in range(state.players):
        wall = state.boards[player].wall
        for row in range(LINES):
            most = max(most, count(wall >> LINES * row & ROW_MASK))
    return LINES - most


@jit
def wall_value(model: Any, wall: int, phase: int) -> float:
    """Progress of rows, columns and colors, and what the next tiles could score."""
    points = 0.0
    for index in range(LINES):
        points += model.row[phase, count(wall >> LINES * index & ROW_MASK)]
        points += model.column[phase, count(wall & azul.FULL_COLUMN << index)]
        points += model.color[phase, count(wall & azul.FULL_COLOR[index])]
        best = 0
        for column in range(LINES):
            if not wall >> LINES * index + column & 1:
                best = max(best, azul.placement_points(wall, index, column))
        points += model.potential[phase] * best
    return points


@jit
def lines_value(model: Any, board: Any, phase: int) -> float:
    """What the begun lines are worth, each in proportion to how full it is."""
    points = 0.0
    for row in range(LINES):
        line = board.lines >> 6 * row & 63
        tiles = line & 7
        if tiles:
            column = ((line >> 3) + row) % COLORS
            gain = azul.placement_points(board.wall, row, column)
            points += model.line[phase] * gain * tiles / (row + 1)
    return points


# --- rating of moves --------------------------------------------------------------------

# Points, found by looking at games: what a completed line is worth beyond its tile's own
# points, how a partly filled line counts, and what it is worth to start the next round.
_COMPLETED = 1.0
_PARTLY = 0.6
_START = 1.2
_COLUMN_STEP = np.array([0.2, 0.5, 1.0, 2.0, 5.0], dtype=np.float64)
_COLOR_STEP = np.array([0.2, 0.5, 1.2, 2.5, 7.0], dtype=np.float64)
"""Worth of one more tile in a column or color that holds so many."""


@jit
def cell_worth(wall: int, row: int, color: int) -> float:
    """Rating of a tile on its wall cell: its points and the progress towards bonuses."""
    column = (color + row) % COLORS
    points = azul.placement_points(wall, row, column)
    in_column = count(wall & azul.FULL_COLUMN << column)
    in_color = count(wall & azul.FULL_COLOR[color])
    return points + _COLUMN_STEP[in_column] + _COLOR_STEP[in_color]


@jit
def line_rating(row: int, before: int, tiles: int, worth: float) -> float:
    """Rating of adding tiles to a line that holds ``before``, floor apart."""
    size = row + 1
    after = min(size, before + tiles)
    if after == size:
        return worth + _COMPLETED
    return _PARTLY * worth * (after - before) / size - 0.1 * (size - after)


@rate_moves.register(STATE)
@jit
def rate_moves_azul(state: Any, moves: Any, ratings: Any) -> int:
    """Rate each move by its line, the tiles it drops, and the marker."""
    presence = supply.distinct_presence(state)
    board = state.boards[state.mover]
    occupied = azul.floor_count(board)
    number = 0
    for color in range(COLORS):
        sources = presence >> SOURCE_FIELD * color & SOURCE_MASK
        while sources:
            source = nth(sources, 0)
            sources &= sources - 1
            tiles = supply.of_color(state.sources[source], color)
            marker = source == 0 and state.holder == azul.IN_CENTER
            extra = _START if marker else 0.0
            targets = board.open >> azul.OPEN_FIELD * color & azul.OPEN_MASK
            while targets:
                line = nth(targets, 0)
                targets &= targets - 1
                dropped = tiles
                rating = extra
                if line != FLOOR:
                    before = board.lines >> 6 * line & 7
                    dropped = max(0, before + tiles - line - 1)
                    worth = cell_worth(board.wall, line, color)
                    rating += line_rating(line, before, tiles, worth)
                after = min(FLOOR_SPACES, occupied + marker + dropped)
                rating -= azul.FLOOR_PENALTIES[after] - azul.FLOOR_PENALTIES[occupied]
                moves[number] = azul.encode(source, color, line)
                ratings[number] = rating
                number += 1
    return number


@policy_move.register(STATE)
@jit
def policy_move_azul(state: Any) -> int:
    """As :func:`rate_moves_azul`, keeping only the best."""
    board = state.boards[state.mover]
    wall, lines, opened = board.wall, board.lines, board.open
    occupied = azul.floor_count(board)
    best, best_rating = -1, -1e9
    for color in range(COLORS):
        sources = state.presence >> SOURCE_FIELD * color & SOURCE_MASK
        if not sources:
            continue
        targets = opened >> azul.OPEN_FIELD * color & azul.OPEN_MASK
        while targets:
            line = nth(targets, 0)
            targets &= targets - 1
            before, worth = 0, 0.0
            if line != FLOOR:
                before = lines >> 6 * line & 7
                worth = cell_worth(wall, line, color)
            left = sources
            while left:
                source = nth(left, 0)
                left &= left - 1
                tiles = supply.of_color(state.sources[source], color)
                dropped = tiles
                rating = 0.0
                if line != FLOOR:
                    dropped = max(0, before + tiles - line - 1)
                    rating = line_rating(line, before, tiles, worth)
                if source == 0 and state.holder == azul.IN_CENTER:
                    rating += _START
                    dropped += 1
                after = min(FLOOR_SPACES, occupied + dropped)
                rating -= azul.FLOOR_PENALTIES[after] - azul.FLOOR_PENALTIES[occupied]
                if rating > best_rating:
                    best, best_rating = azul.encode(source, color, line), rating
    return best
