"""What a network sees of Sintra after a round: one network for both sides of the boards.

No input is one color's own: what colors do, the next round's on the strips and those in the
bag, is worked out. What is printed on the boards counts as points do: strips by what completing
them would bring (:mod:`azul_ai.evaluation.sintra_terms`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_ai.bits import count
from azul_ai.evaluation import network, sintra_terms
from azul_ai.evaluation.sintra_terms import PROGRESS
from azul_ai.games import palace, sintra, strips, supply
from azul_ai.games.palace import ORNAMENTS, PLACES, STATE, TRACK_END
from azul_ai.games.strips import PANE_MASK, SPACES
from azul_ai.games.supply import COLORS
from azul_ai.jit import jit

_ROUNDS = sintra.ROUNDS - 1

# Inputs of the table, by place: which round was played, side B, and both together.
_ROUND, _SIDE_B, _BOTH = 0, _ROUNDS, _ROUNDS + 1
TABLE = _BOTH + 2 * _ROUNDS

# Inputs of a board: windows with a pane, and with two; strips by their number of panes, 1-4; where
# the glazier and the marker of the broken glass are; colors by how many panes the roomiest strip
# takes of them, in the glazier's reach and anywhere, 0-5; on side A ornaments by the panes around
# them, 1-4; on side B the number of complete windows, 1-8, and of panes of the color that counts.
_FIRST, _SECOND, _PANES = 0, PLACES, 2 * PLACES
_GLAZIER = _PANES + PLACES * (SPACES - 1)
_BROKEN = _GLAZIER + PLACES
_IN_REACH = _BROKEN + TRACK_END
_ANYWHERE = _IN_REACH + SPACES + 1
_AROUND = _ANYWHERE + SPACES + 1
_COMPLETE = _AROUND + 4
_ALIKE = _COMPLETE + PLACES
# Then single numbers: the score; broken glass; what the strips are worth as far as they are
# advanced, in the glazier's reach and left of it, and whole; places from the leftmost strip to the
# glazier; what the windows do for later completions; the side's bonus; all panes on strips; panes
# of the next round's color on them, as far as these are advanced, and room for more of them; how
# well the bag fits what the advanced strips miss; and the board's value by hand-made terms, from
# which a network learns much sooner what all of this comes to.
_NUMBERS = _ALIKE + PLACES
_SCORE, _GLASS, _REACHED, _BEHIND, _WORTH, _BACK = range(6)
_CHAIN, _BONUS, _LEFT, _MATCHING, _ROOM, _SUPPLY, _VALUE = range(6, 13)
_UNITS = np.array([0.02, 0.1, 0.1, 0.1, 0.02, 0.1, 0.1, 0.1, 0.1, 1.0, 0.1, 0.1, 0.1])
"""Scales that keep these near one."""
BOARD = _NUMBERS + len(_UNITS)
LAYOUT = network.Layout(TABLE, BOARD)
FEATURES = "sintra-2"
"""Names what the places mean; networks trained for other meanings are refused."""

_ONE, _COUNT = np.float32(1.0), np.float32(0.5)


@network.table_features.register(STATE)
@jit
def table_features_sintra(state: Any, places: Any, amounts: Any) -> int:
    """The round and the side."""
    played = min(max(state["round"], 1), _ROUNDS) - 1
    places[0], places[1] = _ROUND + played, _BOTH + _ROUNDS * state.side_b + played
    amounts[0] = amounts[1] = _ONE
    if state.side_b:
        places[2], amounts[2] = _SIDE_B, _ONE
        return 3
    return 2


@network.board_features.register(STATE)
@jit
def board_features_sintra(state: Any, player: int, seat: int, places: Any, amounts: Any) -> int:
    """Windows, strips, glazier, broken glass and score."""
    board, start = state.boards[player], TABLE + BOARD * seat
    number = 0
    for place in range(PLACES):
        panes = palace.panes_at(board, place)
        if panes:
            number = add(start + _FIRST + place, _ONE, places, amounts, number)
        if panes == 2:
            number = add(start + _SECOND + place, _ONE, places, amounts, number)
        panes = strips.panes_on(board.strips[place])
        if panes:
            here = start + _PANES + (SPACES - 1) * place + panes - 1
            number = add(here, _ONE, places, amounts, number)
    number = add(start + _GLAZIER + board.glazier, _ONE, places, amounts, number)
    number = add(start + _BROKEN + board.broken, _ONE, places, amounts, number)
    number = room_inputs(board, start, places, amounts, number)
    if state.side_b:
        number = window_inputs(board, start, places, amounts, number)
    else:
        number = ornament_inputs(state, board, start, places, amounts, number)
    return number_inputs(state, board, start, places, amounts, number)


@jit
def add(place: int, amount: Any, places: Any, amounts: Any, number: int) -> int:
    """Add an input; return how many there are now."""
    places[number], amounts[number] = place, amount
    return number + 1


@jit
def room_inputs(board: Any, start: int, places: Any, amounts: Any, number: int) -> int:
    """How many panes of each color can be taken before some break."""
    for color in range(COLORS):
        reach = anywhere = 0
        for place in range(PLACES):
            if board.takes >> PLACES * color + place & 1:
                room = strips.room(board.strips[place], color)
                anywhere = max(anywhere, room)
                if place >= board.glazier:
                    reach = max(reach, room)
        number = add(start + _IN_REACH + reach, _COUNT, places, amounts, number)
        number = add(start + _ANYWHERE + anywhere, _COUNT, places, amounts, number)
    return number


@jit
def ornament_inputs(
    state: Any, board: Any, start: int, places: Any, amounts: Any, number: int
) -> int:
    """Side A."""
    for ornament in range(ORNAMENTS):
        panes = sintra_terms.panes_around(state, board, ornament)
        if panes:
            number = add(start + _AROUND + panes - 1, _COUNT, places, amounts, number)
    return number


@jit
def window_inputs(board: Any, start: int, places: Any, amounts: Any, number: int) -> int:
    """Side B."""
    complete, most = sintra_terms.window_figures(board)
    if complete:
        number = add(start + _COMPLETE + complete - 1, _ONE, places, amounts, number)
    if most:
        number = add(start + _ALIKE + min(most, PLACES) - 1, _ONE, places, amounts, number)
    return number


@jit
def number_inputs(
    state: Any, board: Any, start: int, places: Any, amounts: Any, number: int
) -> int:
    """The single numbers."""
    numbers, worths = np.zeros(len(_UNITS)), np.empty(PLACES)
    to_come = min(sintra_terms.rounds_to_come(state), _ROUNDS)
    sintra_terms.fill_worths(state, board, worths)
    read_strips(state, board, to_come, worths, numbers)
    for place in range(PLACES):
        if palace.panes_at(board, place):
            points = float(state.window_points[place])
            numbers[_CHAIN] += sintra_terms.chain(points, place, to_come)
    numbers[_SCORE] = board.score
    numbers[_GLASS] = sintra_terms.glass(state, board.broken, to_come)
    numbers[_BACK] = max(0, board.glazier - palace.leftmost(board))
    numbers[_BONUS] = sintra_terms.bonus_value(state, board, to_come)
    numbers[_SUPPLY] = surplus(state, board, worths)
    numbers[_VALUE] = numbers[_LEFT] / 10.0 - sintra_terms.REACH * numbers[_BACK]
    for term in (_SCORE, _GLASS, _REACHED, _BEHIND, _CHAIN, _BONUS):
        numbers[_VALUE] += numbers[term]
    for index in range(len(_UNITS)):
        amount = np.float32(_UNITS[index] * numbers[index])
        number = add(start + _NUMBERS + index, amount, places, amounts, number)
    return number


@jit
def read_strips(state: Any, board: Any, to_come: int, worths: Any, numbers: Any) -> None:
    """Write the numbers of the strips, and to ``worths`` what each is worth as far as it got.

    :param worths: of completing each strip, points, shape (PLACES,).
    """
    wanted = (state.indicator & PANE_MASK) - 1
    for place in range(PLACES):
        strip = board.strips[place]
        if not strip:
            worths[place] = 0.0
            continue
        panes = strips.panes_on(strip)
        progress = PROGRESS[to_come, panes]
        numbers[_WORTH] += worths[place]
        worths[place] *= progress
        numbers[_BEHIND if place < board.glazier else _REACHED] += worths[place]
        numbers[_LEFT] += panes
        numbers[_MATCHING] += progress * strips.of_color(strip, wanted)
        numbers[_ROOM] += strips.room(strip, wanted)


@jit
def surplus(state: Any, board: Any, worths: Any) -> float:
    """How much more of what strips miss the next deal brings than of all colors on average.

    :param worths: of each strip as far as it is advanced, points, shape (PLACES,); each strip
        counts by it, and by which of its empty spaces want which colors.
    """
    points = 0.0
    for color in range(COLORS):
        more = COLORS * share_dealt(state, color) - 1.0
        for place in range(PLACES):
            strip = board.strips[place]
            if worths[place] > 0.0:
                empty = SPACES - strips.panes_on(strip)
                missing = count(strips.spaces_for(strip, color + 1))
                points += more * worths[place] * missing / empty
    return points


@jit
def share_dealt(state: Any, color: int) -> float:
    """The expected part of a color in the next deal; the tower comes when the bag is empty."""
    wanted = supply.DISPLAY_SIZE * supply.DISPLAYS[state.players]
    bag, tower = supply.total(state.bag), supply.total(state.lid)
    known = supply.of_color(state.bag, color)
    if bag >= wanted:
        return known / bag
    drawn = min(wanted - bag, tower)
    if tower:
        return (known + drawn * supply.of_color(state.lid, color) / tower) / (bag + drawn)
    return known / bag if bag else 1.0 / COLORS
