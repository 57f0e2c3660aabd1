"""Bag, lid, displays and center, as packed counts: what the games of the family share.

A supply word holds the number of tiles of each of the five colors in 6-bit fields, color c
at bit 6c. Sources are numbered 0 for the center and 1-9 for the displays. The presence word
has a bit for every source that holds a color: source s, color c at bit 10c + s.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from azul_ai.bits import count, lowest
from azul_ai.jit import jit
from azul_ai.rng import below

COLORS = 5
TILES_PER_COLOR = 20
DISPLAY_SIZE = 4
MAX_SOURCES = 10
DISPLAYS = (0, 0, 5, 7, 9)
"""Number of factory displays for a number of players."""

FIELD = 6
FIELD_MASK = 63
ONES = sum(1 << FIELD * color for color in range(COLORS))
ALL_FIELDS = ONES * FIELD_MASK

SOURCE_FIELD = 10
SOURCE_MASK = 1023
ONE_SOURCE = sum(1 << SOURCE_FIELD * color for color in range(COLORS))
"""The presence bits of source 0, all colors."""

# Prefix sums reach 100, so they have their own, wider fields; the top bit of each is a guard.
_WIDE = 10
_WIDE_ONES = sum(1 << _WIDE * color for color in range(COLORS))
_WIDE_GUARDS = _WIDE_ONES << (_WIDE - 1)
_WIDE_FROM = np.array(
    [sum(1 << _WIDE * above for above in range(color, COLORS)) for color in range(COLORS + 1)],
    dtype=np.int64,
)
"""Ones in the wide fields of a color and all colors above it."""


@jit
def total(word: int) -> int:
    """Number of tiles in a supply word."""
    tiles = 0
    for color in range(COLORS):
        tiles += word >> FIELD * color & FIELD_MASK
    return tiles


@jit
def of_color(word: int, color: int) -> int:
    """Number of tiles of a color in a supply word."""
    return word >> FIELD * color & FIELD_MASK


@jit
def take(state: Any, source: int, color: int) -> int:
    """Take all tiles of a color from a source, the rest of a display to the center.

    :returns: the number of tiles taken.
    """
    taken = of_color(state.sources[source], color)
    color_bits = SOURCE_MASK << SOURCE_FIELD * color
    if source == 0:
        state.sources[0] -= taken << FIELD * color
        state.presence &= ~(1 << SOURCE_FIELD * color)
    else:
        state.sources[0] += state.sources[source] - (taken << FIELD * color)
        state.sources[source] = 0
        here = state.presence >> source & ONE_SOURCE
        state.presence = state.presence & ~(ONE_SOURCE << source) | here & ~color_bits
    return taken


@jit
def distinct_presence(state: Any) -> int:
    """The presence word without displays equal to one of a lower number."""
    presence = state.presence
    for source in range(2, DISPLAYS[state.players] + 1):
        contents = state.sources[source]
        if contents:
            for lower in range(1, source):
                if state.sources[lower] == contents:
                    presence &= ~(ONE_SOURCE << source)
                    break
    return presence


@jit
def distinct_counts(state: Any) -> int:
    """The presence word without displays on which a color lies as often as on a lower one."""
    presence = state.presence
    for color in range(COLORS):
        displays = presence >> SOURCE_FIELD * color & SOURCE_MASK - 1
        seen = 0
        while displays:
            source = lowest(displays)
            displays &= displays - 1
            tiles = of_color(state.sources[source], color)
            presence &= ~((seen >> tiles & 1) << SOURCE_FIELD * color + source)
            seen |= 1 << tiles
    return presence


@jit
def draw(word: int, rng: Any) -> int:
    """The color of a random tile of a non-empty supply word."""
    index = below(rng, total(word))
    color = 0
    while index >= of_color(word, color):
        index -= of_color(word, color)
        color += 1
    return color


@jit
def move_random_tiles(source: int, tiles: int, rng: Any) -> int:
    """The supply word of ``tiles`` tiles drawn at random from the supply word ``source``."""
    drawn = 0
    for _ in range(tiles):
        drawn += 1 << FIELD * draw(source - drawn, rng)
    return drawn


@jit
def fill_displays(state: Any, rng: Any) -> int:
    """Fill the displays in order from the bag; return the number of tiles dealt.

    The lid (or tower, in the field ``lid``) goes into the bag when the bag is empty and
    another tile is needed; with both empty the displays stay short.
    """
    dealt = 0
    bag, tiles = state.bag, total(state.bag)
    prefix = _prefix_sums(bag)
    for source in range(1, DISPLAYS[state.players] + 1):
        contents = 0
        for _ in range(DISPLAY_SIZE):
            if tiles == 0:
                bag, tiles = state.lid, total(state.lid)
                state.lid = 0
                if tiles == 0:
                    break
                prefix = _prefix_sums(bag)
            # A color's guard bit stays where its prefix sum exceeds the index, that is,
            # for the drawn color and all above it.
            index = below(rng, tiles)
            beyond = (prefix | _WIDE_GUARDS) - (index + 1) * _WIDE_ONES & _WIDE_GUARDS
            color = COLORS - count(beyond)
            prefix -= _WIDE_FROM[color]
            bag -= 1 << FIELD * color
            contents += 1 << FIELD * color
            tiles -= 1
        put_on_display(state, source, contents)
        dealt += total(contents)
    state.bag = bag
    return dealt


@jit
def lay_displays(state: Any, contents: Any) -> int:
    """Lay given supply words on the displays, from the bag, then from the lid.

    :param contents: int64, shape (number of displays,).
    :returns: the number of tiles dealt.
    """
    laid = 0
    for index in range(DISPLAYS[state.players]):
        put_on_display(state, index + 1, contents[index])
        laid += contents[index]
    if total(laid) > total(state.bag) - state.hidden:
        state.bag += state.lid
        state.lid = 0
        state.hidden = 0
    state.bag -= laid
    return total(laid)


@jit
def put_on_display(state: Any, source: int, contents: int) -> None:
    """Lay the tiles of a supply word on an empty display."""
    state.sources[source] = contents
    for color in range(COLORS):
        if of_color(contents, color):
            state.presence |= 1 << SOURCE_FIELD * color + source


@jit
def _prefix_sums(word: int) -> int:
    """Wide fields: for each color the number of tiles of it and of all colors below."""
    sums = 0
    for color in range(COLORS):
        sums += of_color(word, color) * _WIDE_FROM[color]
    return sums


# --- every possible deal ----------------------------------------------------------------

_GUARDS = ONES << (FIELD - 1)

_BY_SIZE = [
    sorted(
        sum(1 << FIELD * color for color in colors)
        for colors in itertools.combinations_with_replacement(range(COLORS), tiles)
    )
    for tiles in range(DISPLAY_SIZE + 1)
]
_DRAWS = np.array([word for words in _BY_SIZE for word in words], dtype=np.int64)
"""What can be drawn, as supply words: nothing, then one tile, two, up to a full display."""
_FIRST_DRAW = np.cumsum([0] + [len(words) for words in _BY_SIZE])
"""Where in ``_DRAWS`` the draws of so many tiles begin."""


@jit
def next_contents(state: Any, cursor: Any, contents: Any) -> float:
    """Write the deal at ``cursor``, move the cursor on; return the deal's probability.

    The cursor holds, for each display, where in the list of draws to look on: an odometer.
    See :func:`azul_ai.game.next_deal`.
    """
    bag, lid = state.bag, state.lid
    chance, last, following = 1.0, -1, -1
    for index in range(DISPLAYS[state.players]):
        sure = 0
        if total(bag) < DISPLAY_SIZE:
            sure, bag, lid = bag, lid, 0
        tiles = min(DISPLAY_SIZE - total(sure), total(bag))
        draw_index = possible_draw(bag, tiles, max(cursor[index], _FIRST_DRAW[tiles]))
        drawn = _DRAWS[draw_index]
        chance *= ways(bag, drawn) / choose(total(bag), tiles)
        bag -= drawn
        contents[index] = sure + drawn
        cursor[index] = draw_index
        another = possible_draw(bag + drawn, tiles, draw_index + 1)
        if another >= 0:
            last, following = index, another
    for index in range(last + 1, DISPLAYS[state.players]):
        cursor[index] = 0
    cursor[max(last, 0)] = following
    return chance


@jit
def possible_draw(bag: int, tiles: int, first: int) -> int:
    """The first draw of so many tiles, from index ``first`` on, that a bag allows, or -1."""
    for index in range(first, _FIRST_DRAW[tiles + 1]):
        if (bag | _GUARDS) - _DRAWS[index] & _GUARDS == _GUARDS:
            return index
    return -1


@jit
def ways(bag: int, drawn: int) -> float:
    """In how many ways a bag can give a draw, its tiles told apart, their order not."""
    number = 1.0
    for color in range(COLORS):
        number *= choose(of_color(bag, color), of_color(drawn, color))
    return number


@jit
def choose(n: int, k: int) -> float:
    """The binomial coefficient."""
    number = 1.0
    for index in range(k):
        number = number * (n - index) / (index + 1)
    return number
