"""What the three games share: tiles of five colors, displays, center, bag, lid, rounds.

Sintra's pane pieces are tiles here, its glass tower is the lid, its starting player tile the
marker. A tile is its color's letter. Players, displays, rows and so on count from 0 here and
from 1 in positions and moves.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

DISPLAYS = {2: 5, 3: 7, 4: 9}
TILES_PER_DISPLAY = 4
TILES_PER_COLOR = 20
MARKER = "1"

DECISION, DEAL, OVER = "decision", "deal", "over"
"""Stages of a game: a player decides, the displays wait to be filled, nothing more happens."""


@dataclass
class Supply:
    """The tiles that belong to no player, and where the game stands."""

    displays: list[list[str]]
    center: list[str]  # colors only, never the marker
    bag: Counter[str]
    lid: Counter[str]  # Sintra: the glass tower
    holder: int | None  # who took the marker this round; None while it lies in the center
    start: int  # who started the round
    mover: int  # who decides; while a deal is pending, who will start the next round
    round: int  # number of rounds dealt so far, 0 before the first deal
    stage: str


def opening(players: int, tiles: Iterable[str]) -> Supply:
    """An empty table before the first deal, with ``tiles`` in the bag; player 1 starts."""
    displays: list[list[str]] = [[] for _ in range(DISPLAYS[players])]
    return Supply(displays, [], Counter(tiles), Counter(), None, 0, 0, 0, DEAL)


def all_tiles(colors: str) -> Counter[str]:
    return Counter(dict.fromkeys(colors, TILES_PER_COLOR))


# --- taking tiles -----------------------------------------------------------------------


def table_is_empty(state: Supply) -> bool:
    """The marker alone does not keep a round going."""
    return not state.center and not any(state.displays)


def offers(state: Supply, colors: str) -> list[tuple[str, str]]:
    """All (source, color) to take from: F1, F2, … and C last; colors in their usual order."""
    sources = {f"F{number}": tiles for number, tiles in enumerate(state.displays, start=1)}
    sources["C"] = state.center
    return [
        (source, color) for source, tiles in sources.items() for color in colors if color in tiles
    ]


def take(state: Supply, source: str, color: str) -> int:
    """Take all tiles of a color from a display, the rest go to the center, or from the center.

    Returns how many tiles were taken. The marker is the caller's affair.
    """
    if source == "C":
        number = state.center.count(color)
        state.center = [tile for tile in state.center if tile != color]
        return number
    display = state.displays[int(source[1:]) - 1]
    number = display.count(color)
    state.center += [tile for tile in display if tile != color]
    display.clear()
    return number


def takes_marker(state: Supply, source: str) -> bool:
    """Whether taking from this source takes the marker too: the first time from the center."""
    return source == "C" and state.holder is None


# --- the end of a round and the next deal -----------------------------------------------


def next_starter(state: Supply) -> int:
    """The marker's holder; if nobody took it, the previous starting player starts again."""
    return state.start if state.holder is None else state.holder


def deal(state: Supply, displays: list[list[str]]) -> None:
    """Start the next round with these tiles, which must be drawable from bag and lid.

    The bag is used up first; only when it is empty and another tile is needed, the whole lid
    goes into the bag. The order of the tiles on one display is of no importance.
    Raises ValueError where such a deal is impossible.
    """
    for display, tiles in zip(state.displays, displays, strict=True):
        left = state.bag.total() + state.lid.total()
        if len(tiles) != min(TILES_PER_DISPLAY, left):
            raise ValueError(f"{tiles}: a display gets {TILES_PER_DISPLAY} tiles or all {left}")
        wanted = Counter(tiles)
        if len(tiles) > state.bag.total():
            wanted = remove(wanted, state.bag)
            state.bag, state.lid = state.lid, Counter()
        state.bag = remove(state.bag, wanted)
        display[:] = tiles
    begin_round(state)


def deal_randomly(state: Supply, rng: random.Random) -> None:
    """Start the next round with tiles drawn one by one."""
    for display in state.displays:
        while len(display) < TILES_PER_DISPLAY:
            if not state.bag.total():
                state.bag, state.lid = state.lid, Counter()
            if not state.bag.total():
                break
            tile = rng.choice(sorted(state.bag.elements()))
            state.bag = remove(state.bag, Counter(tile))
            display.append(tile)
    begin_round(state)


def begin_round(state: Supply) -> None:
    """The marker returns to the center. If no tile at all could be dealt, the game is over."""
    if table_is_empty(state):
        state.stage = OVER
        return
    state.start = state.mover = next_starter(state)
    state.holder = None
    state.round += 1
    state.stage = DECISION


def remove(tiles: Counter[str], removed: Counter[str]) -> Counter[str]:
    """The rest of ``tiles``; raises ValueError if some of the removed ones are not there."""
    if not removed <= tiles:
        raise ValueError(f"{dict(removed - tiles)} cannot be drawn")
    return tiles - removed


# --- text -------------------------------------------------------------------------------


def read_tiles(tiles: str | dict[str, int]) -> Counter[str]:
    """``{"B": 12, "Y": 3}`` or ``"B12 Y3"``."""
    if isinstance(tiles, str):
        tiles = {part[0]: int(part[1:]) for part in tiles.split()}
    return +Counter(tiles)


def read_supply(position: dict[str, Any], colors: str, elsewhere: Iterable[str]) -> Supply:
    """The part of a position that :class:`Supply` describes; the stage is left at DECISION.

    :param elsewhere: the tiles that lie neither in the supply nor in the center or displays.
    Of bag and lid, one given, the other follows; neither given, all unseen tiles count as bag.
    """
    players = len(position["players"])
    displays = [list(tiles) for tiles in position["factories"]]
    displays += [[] for _ in range(DISPLAYS[players] - len(displays))]
    center = [tile for tile in position["center"] if tile != MARKER]
    seen = Counter(elsewhere) + Counter(center) + sum(map(Counter, displays), Counter())
    bag, lid = position.get("bag"), position.get("tower", position.get("lid"))
    unseen = all_tiles(colors) - seen
    if bag is not None and lid is not None:
        in_bag, in_lid = read_tiles(bag), read_tiles(lid)
    elif lid is not None:
        in_lid = read_tiles(lid)
        in_bag = remove(unseen, in_lid)
    else:
        in_bag = unseen if bag is None else read_tiles(bag)
        in_lid = remove(unseen, in_bag)
    mover = position["to_move"] - 1
    supply = Supply(
        displays, center, in_bag, in_lid, None, mover, mover, position["round"], DECISION
    )
    if "start" in position:
        supply.start = position["start"] - 1
    elif MARKER in position["center"] and not table_is_empty(supply):
        # Nobody took from the center yet, so every move emptied one display.
        supply.start = (mover - displays.count([])) % players
    if "next_start" in position:
        supply.holder = position["next_start"] - 1
    return supply


def write_tiles(tiles: Iterable[str], colors: str) -> str:
    return "".join(sorted(tiles, key=colors.index))


def write_supply(state: Supply, colors: str) -> dict[str, Any]:
    """The part of a position that :class:`Supply` describes, the lid under ``lid``.

    Whoever started the round is always written, so nothing need be guessed when reading.
    """
    marker = MARKER if state.holder is None else ""
    return {
        "round": state.round,
        "to_move": state.mover + 1,
        "start": state.start + 1,
        "factories": [write_tiles(display, colors) for display in state.displays],
        "center": write_tiles(state.center, colors) + marker,
        "bag": {color: state.bag[color] for color in colors if state.bag[color]},
        "lid": {color: state.lid[color] for color in colors if state.lid[color]},
    }
