"""Moves of Stained Glass of Sintra: which there are, and how they are packed."""

from __future__ import annotations

from typing import Any

from azul_ai import game
from azul_ai.bits import count, lowest, nth
from azul_ai.games import palace, strips, supply
from azul_ai.games.palace import PLACES, STATE
from azul_ai.games.rounds import IN_CENTER
from azul_ai.games.supply import COLORS, SOURCE_FIELD, SOURCE_MASK
from azul_ai.jit import jit
from azul_ai.rng import below

BREAK = PLACES
"""The place in a move whose panes all break."""
GLAZIER = 1 << 20
"""The move that takes nothing: the glazier back to the leftmost strip."""

SOURCE, COLOR, PLACE = 10, 7, 3
"""Where the parts of a move begin."""


@jit
def encode(source: int, color: int, place: int, kept: int) -> int:
    """A move: take ``color`` (0-4) from ``source`` (0 the center) to ``place``, or BREAK.

    :param kept: color + 1 of the pane that stays, on side B for a strip that gets full; else 0.
    """
    return source << SOURCE | color << COLOR | place << PLACE | kept


@jit
def source_of(move: int) -> int:
    """The source of a move."""
    return move >> SOURCE


@jit
def color_of(move: int) -> int:
    """The color of a move."""
    return move >> COLOR & 7


@jit
def place_of(move: int) -> int:
    """The place of a move, or BREAK."""
    return move >> PLACE & 15


@jit
def kept_of(move: int) -> int:
    """The pane that stays, color + 1, or 0."""
    return move & 7


@jit
def kept_values(state: Any, board: Any, place: int, color: int, panes: int) -> int:
    """What a move may say of the pane that stays: bit k for the value k of :func:`kept_of`."""
    strip = board.strips[place]
    if not state.side_b or not strips.completes(strip, color, panes):
        return 1
    kept = 1 << color + 1
    for other in range(COLORS):
        if strips.of_color(strip, other):
            kept |= 1 << other + 1
    return kept


@game.legal_moves.register(STATE)
@jit
def legal_moves(state: Any, moves: Any, distinct: bool) -> int:
    """Every color of every source, to every strip that takes it or broken; the glazier last."""
    presence = supply.distinct_presence(state) if distinct else state.presence
    board, number = state.boards[state.mover], 0
    for color in range(COLORS):
        sources = presence >> SOURCE_FIELD * color & SOURCE_MASK
        reach = palace.in_reach(board, color)
        while sources:
            source = lowest(sources)
            sources &= sources - 1
            if reach:
                number = list_places(state, board, moves, number, encode(source, color, 0, 0))
            else:
                moves[number] = encode(source, color, BREAK, 0)
                number += 1
    if palace.may_go_back(board):
        moves[number] = GLAZIER
        number += 1
    return number


@jit
def list_places(state: Any, board: Any, moves: Any, number: int, take: int) -> int:
    """Append a take with every place and every pane to keep; return the number of moves."""
    color = color_of(take)
    panes = supply.of_color(state.sources[source_of(take)], color)
    places = palace.in_reach(board, color)
    while places:
        place = lowest(places)
        places &= places - 1
        kept = kept_values(state, board, place, color, panes)
        while kept:
            moves[number] = take | place << PLACE | lowest(kept)
            kept &= kept - 1
            number += 1
    return number


@game.is_legal.register(STATE)
@jit
def is_legal(state: Any, move: int) -> bool:
    """Whether the source has the color, and the strip takes it as the move says."""
    board = state.boards[state.mover]
    if move == GLAZIER:
        return palace.may_go_back(board)
    source, color, place = source_of(move), color_of(move), place_of(move)
    if not state.presence >> SOURCE_FIELD * color + source & 1:
        return False
    reach = palace.in_reach(board, color)
    if place == BREAK:
        return reach == 0
    if not reach >> place & 1:
        return False
    panes = supply.of_color(state.sources[source], color)
    return kept_values(state, board, place, color, panes) >> kept_of(move) & 1 == 1


@game.count_moves.register(STATE)
@jit
def count_moves(state: Any) -> int:
    """The sum over colors, and the glazier's."""
    board = state.boards[state.mover]
    number = int(palace.may_go_back(board))
    for color in range(COLORS):
        number += count_takes(state, board, color)
    return number


@jit
def count_takes(state: Any, board: Any, color: int) -> int:
    """Sources holding a color times strips taking it, and the choices of panes on side B."""
    sources = state.presence >> SOURCE_FIELD * color & SOURCE_MASK
    reach = palace.in_reach(board, color)
    number = count(sources) * max(1, count(reach))
    while state.side_b and reach:
        place = lowest(reach)
        reach &= reach - 1
        left = sources
        while left:
            panes = supply.of_color(state.sources[lowest(left)], color)
            number += count(kept_values(state, board, place, color, panes)) - 1
            left &= left - 1
    return number


@game.random_move.register(STATE)
@jit
def random_move(state: Any, rng: Any) -> int:
    """Chosen by counting; only moves of the chosen color are looked at one by one."""
    board = state.boards[state.mover]
    index = below(rng, count_moves(state))
    for color in range(COLORS):
        here = count_takes(state, board, color)
        if index < here:
            return nth_take(state, board, color, index)
        index -= here
    return GLAZIER


@jit
def nth_take(state: Any, board: Any, color: int, index: int) -> int:
    """The move number ``index``, from 0, of those that take a color."""
    sources = state.presence >> SOURCE_FIELD * color & SOURCE_MASK
    reach = palace.in_reach(board, color)
    if not reach:
        return encode(nth(sources, index), color, BREAK, 0)
    if not state.side_b:
        row = index // count(reach)
        return encode(nth(sources, row), color, nth(reach, index - row * count(reach)), 0)
    while sources:
        source, places = lowest(sources), reach
        sources &= sources - 1
        panes = supply.of_color(state.sources[source], color)
        while places:
            place = lowest(places)
            places &= places - 1
            kept = kept_values(state, board, place, color, panes)
            if index < count(kept):
                return encode(source, color, place, nth(kept, index))
            index -= count(kept)
    return GLAZIER


@game.move_key.register(STATE)
@jit
def move_key(state: Any, move: int) -> int:
    """Color, number of panes, place, pane kept, and whether it takes the starting tile."""
    if move == GLAZIER:
        return move
    source, color = source_of(move), color_of(move)
    panes = supply.of_color(state.sources[source], color)
    marker = source == 0 and state.holder == IN_CENTER
    return (panes << 1 | marker) << SOURCE | move & (1 << SOURCE) - 1
