"""Values of Azul's boards by look-up, for searches that meet the same boards again and again."""

from __future__ import annotations

from typing import Any

from azul_ai.bits import count, lowest
from azul_ai.evaluation.azul_boards import MODEL, color_counts, lines_value
from azul_ai.evaluation.interface import (
    MEMO_PARTS,
    MEMO_SLOTS,
    POINTS,
    outlook,
    rate_last_moves,
)
from azul_ai.evaluation.shares import ROW, settle
from azul_ai.evaluation.walls import PHASES, finish, wall_value
from azul_ai.games import azul, drafting, supply
from azul_ai.games.pattern_lines import (
    FLOOR_PENALTIES,
    LINES,
    OPEN_FIELD,
    OPEN_MASK,
    floor_count,
    full_color,
)
from azul_ai.games.supply import COLORS, SOURCE_FIELD, SOURCE_MASK
from azul_ai.games.walls import ROW_MASK, complete_rows
from azul_ai.jit import jit

# A slot of the memo holds a board as it was before the end of the round: ``key`` packs its
# wall, lines and number of floor pieces; ``word`` its score, the rounds left to it, and a bit
# for each phase whose entry in ``numbers``, the board's value after the round, is known (phase
# 0, the game being over: final points, with complete rows as their fraction). The slots of
# all players hold walls and what they are worth: ``key`` the wall, ``word`` the bits.
_KEYED = 1 << 58
_FLOOR, _LINES, _SCORE, ROUNDS_SHIFT = 55, 25, 16, 8
ROUNDS_MASK = 7
_HASH, _HASH_MASK, _HASH_SHIFT = 0x5851F42D, (1 << 31) - 1, 40
_WALLS = MEMO_PARTS - 1


@outlook.register(MODEL)
@jit
def outlook_azul(model: Any, state: Any, move: int, memo: Any, values: Any) -> bool:
    """Look up every board as it would be, and value those not met before."""
    lines, occupied, starter = drafting.preview(state, move)
    mover = state.mover
    memo.found[mover] = find_board(memo, mover, state.boards[mover], lines, occupied)
    phase = min(find_others(state, memo), rounds_needed(memo, mover))
    for player in range(state.players):
        values[player, POINTS] = worth_of(model, memo, memo.found[player], phase)
    if phase == 0:
        settle(state.players, values)
        return True
    values[starter, POINTS] += model.start[phase]
    finish(model, state, phase, values)
    return True


@jit
def find_others(state: Any, memo: Any) -> int:
    """Find the boards of all but the mover; the fewest rounds that any of these needs."""
    fewest = 0 if state["round"] >= state.round_cap else PHASES
    for player in range(state.players):
        if player != state.mover:
            board = state.boards[player]
            occupied = floor_count(board)
            memo.found[player] = find_board(memo, player, board, board.lines, occupied)
            fewest = min(fewest, rounds_needed(memo, player))
    return fewest


# Moves are of one kind if they leave the same phase and the same next starter, who does not
# matter when the game is over. Then the better the mover's board the better for him.
_KINDS = 2 * PHASES
_NONE = -1


@rate_last_moves.register(MODEL)
@jit
def rate_last_moves_azul(model: Any, state: Any, memo: Any, moves: Any, ratings: Any) -> int:
    """The best move of each kind, rated by the mover's board alone."""
    compare_moves(model, state, memo)
    number = 0
    for kind in range(_KINDS):
        if memo.moves[kind] != _NONE:
            moves[number], ratings[number] = memo.moves[kind], memo.best[kind]
            number += 1
    return number


@jit
def compare_moves(model: Any, state: Any, memo: Any) -> None:
    """Note the best move of each kind; equally many tiles from two displays are the same."""
    for kind in range(_KINDS):
        memo.moves[kind] = _NONE
    memo.looked_at = 0
    others = find_others(state, memo)
    presence = supply.distinct_counts(state)
    opened = state.boards[state.mover].open
    for color in range(COLORS):
        sources = presence >> SOURCE_FIELD * color & SOURCE_MASK
        while sources:
            source = lowest(sources)
            sources &= sources - 1
            targets = opened >> OPEN_FIELD * color & OPEN_MASK
            while targets:
                line = lowest(targets)
                targets &= targets - 1
                compare(model, state, drafting.encode(source, color, line), others, memo)
                memo.looked_at += 1


@jit
def compare(model: Any, state: Any, move: int, others: int, memo: Any) -> None:
    """Note a move if it is the best of its kind so far."""
    mover = state.mover
    lines, occupied, starter = drafting.preview(state, move)
    memo.found[mover] = find_board(memo, mover, state.boards[mover], lines, occupied)
    phase = min(others, rounds_needed(memo, mover))
    worth = worth_of(model, memo, memo.found[mover], phase)
    kind = 2 * phase + (starter == mover) if phase else 0
    if memo.moves[kind] == _NONE or worth > memo.best[kind]:
        memo.moves[kind], memo.best[kind] = move, worth


# --- the memo ---------------------------------------------------------------------------


@jit
def place_of(key: int, part: int) -> int:
    """Where in a part of the memo a key belongs."""
    hashed = ((key ^ key >> 29) & _HASH_MASK) * _HASH
    return (hashed >> _HASH_SHIFT & MEMO_SLOTS - 1) + part * MEMO_SLOTS


@jit
def find_board(memo: Any, player: int, board: Any, lines: int, occupied: int) -> int:
    """The place of a board with other lines and floor, begun if another was there."""
    key = _KEYED | occupied << _FLOOR | lines << _LINES | board.wall
    place = place_of(key, player)
    slot = memo.slots[place]
    if slot.key != key or slot.word >> _SCORE != board.score:
        most = 0
        for row in range(LINES):
            full = full_color(lines, row) >= 0
            most = max(most, count(board.wall >> LINES * row & ROW_MASK) + full)
        slot.key = key
        slot.word = board.score << _SCORE | LINES - most << ROUNDS_SHIFT
    return place


@jit
def rounds_needed(memo: Any, player: int) -> int:
    """The rounds in which the board found for a player can complete a row after this one."""
    return memo.slots[memo.found[player]].word >> ROUNDS_SHIFT & ROUNDS_MASK


@jit
def worth_of(model: Any, memo: Any, place: int, phase: int) -> float:
    """The value of a board after the round, worked out if it is not known."""
    slot = memo.slots[place]
    if not slot.word >> phase & 1:
        learn(model, memo, slot, phase)
    return slot.numbers[phase]


@jit
def learn(model: Any, memo: Any, slot: Any, phase: int) -> None:
    """Work out what the board of a slot is worth after the round."""
    wall, lines, score = after_round(slot.key, slot.word)
    if phase == 0:
        slot.numbers[phase] = final_points(wall, score)
    else:
        worth = wall_worth(model, memo.slots[place_of(wall, _WALLS)], wall, phase)
        slot.numbers[phase] = score + worth + lines_value(model, wall, lines, phase)
    slot.word |= 1 << phase


@jit
def final_points(wall: int, score: int) -> float:
    """Final points of a board, with complete rows as their fraction; see :func:`settle`."""
    return score + azul.bonus(wall) + complete_rows(wall) * ROW


@jit
def after_round(key: int, word: int) -> tuple[int, int, int]:
    """Wall, lines (full ones still there) and score of a slot's board after the round."""
    lines = key >> _LINES & (1 << _FLOOR - _LINES) - 1
    wall, points = azul.tiled(key & (1 << _LINES) - 1, lines)
    floor = FLOOR_PENALTIES[key >> _FLOOR & 7]
    return wall, lines, max(0, (word >> _SCORE) + points - floor)


@jit
def wall_worth(model: Any, slot: Any, wall: int, phase: int) -> float:
    """The value of a wall, looked up in its slot."""
    if slot.key != wall:
        slot.key, slot.word = wall, 0
    if not slot.word >> phase & 1:
        slot.numbers[phase] = wall_value(model, wall, color_counts(wall), phase)
        slot.word |= 1 << phase
    return slot.numbers[phase]
