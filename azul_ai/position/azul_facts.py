"""What follows from an Azul position as written: phase, marker, turns taken, tile counts.

Everything here also works on a position that is not valid, so that the checks can use it.
Players and displays count from 0, except in the fields of a position itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import Enum
from itertools import chain
from typing import NamedTuple

from azul_ai.games import supply
from azul_ai.games.drafting import DEFAULT_ROUND_CAP, LINES
from azul_ai.position.model import Player, Position
from azul_ai.position.supplies import Supplies, infer
from azul_ai.position.words import MARKER, PALETTES

PALETTE = PALETTES["azul"]
LETTERS = PALETTE.letters
WALL = tuple(
    "".join(LETTERS[(column - row) % LINES] for column in range(LINES)) for row in range(LINES)
)
"""The colors printed on the wall, row by row."""
EMPTY, FILLED = ".", "x"
"""Wall cells: without a tile, and with the tile of the printed color."""


class Phase(Enum):
    """Where in a round a position stands, by what lies on the table."""

    DRAFTING = "tiles are on offer"
    TILING = "a line is full or a floor is not empty, with nothing on offer"
    SETTLED = "the round is scored: a deal is pending, or the game is over"


class Place(NamedTuple):
    """A place where tiles lie face up."""

    field: str
    name: str
    tiles: str


def places(position: Position) -> Iterator[Place]:
    """All places with tiles but the walls; the marker's letter may be among the tiles."""
    for index, tiles in enumerate(position.factories):
        yield Place(f"factories[{index}]", f"Display {index + 1}", tiles)
    yield Place("center", "The center", position.center)
    for index, player in enumerate(position.players):
        field, name = f"players[{index}]", f"of player {index + 1}"
        for row, tiles in enumerate(player.lines):
            yield Place(f"{field}.lines[{row}]", f"Line {row + 1} {name}", tiles)
        yield Place(f"{field}.floor", f"The floor {name}", player.floor)


def wall_tiles(player: Player) -> Iterator[str]:
    """The colors of the tiles on a wall."""
    for row, cells in enumerate(player.wall):
        for cell, printed in zip(cells, WALL[row], strict=False):
            if cell != EMPTY:
                yield printed


def complete_rows(player: Player) -> list[int]:
    """The rows of a wall without an empty cell."""
    return [
        row
        for row, cells in enumerate(player.wall)
        if len(cells) == len(WALL[row]) and EMPTY not in cells
    ]


def phase(position: Position) -> Phase:
    """Told by the tiles on offer, the full lines and the floors."""
    if any(tile in LETTERS for tile in chain(position.center, *position.factories)):
        return Phase.DRAFTING
    for player in position.players:
        if player.floor or any(len(tiles) > row for row, tiles in enumerate(player.lines)):
            return Phase.TILING
    return Phase.SETTLED


def is_over(position: Position) -> bool:
    """Whether a settled position ends the game: a row, the round cap, or no tile to deal."""
    undealt = unseen(position) if position.bag is None else position.bag
    return (
        any(map(complete_rows, position.players))
        or position.round >= DEFAULT_ROUND_CAP
        or not sum(undealt.values()) + sum((position.lid or {}).values())
    )


# --- marker and starting player -----------------------------------------------------------


def marker_places(position: Position) -> list[Place]:
    """Every place with the marker, as often as it lies there."""
    return [place for place in places(position) for tile in place.tiles if tile == MARKER]


def marker_owner(position: Position) -> int | None:
    """Whose floor the marker lies on, if on any."""
    for index, player in enumerate(position.players):
        if MARKER in player.floor:
            return index
    return None


def emptied_displays(position: Position) -> int:
    """Displays of this number of players that hold nothing, written down or not."""
    filled = sum(map(bool, position.factories))
    return supply.DISPLAYS[len(position.players)] - filled


def implied_start(position: Position) -> int:
    """Who started the round, where the position does not say.

    With the marker in the center every turn emptied one display. With the marker taken it
    does not matter any more; then the one who has it stands in. A settled position waits
    for its ``to_move`` to start.
    """
    mover = position.to_move - 1
    if phase(position) is Phase.SETTLED:
        return mover
    if MARKER in position.center:
        return (mover - emptied_displays(position)) % len(position.players)
    owner = marker_owner(position)
    return (position.next_start or position.to_move) - 1 if owner is None else owner


def may_be_short(position: Position) -> bool:
    """Whether displays may have been dealt short or empty, bag and lid having run out."""
    return len(position.players) > 2 and not sum((position.bag or {}).values())


# --- tiles --------------------------------------------------------------------------------


def seen(position: Position) -> dict[str, dict[str, int]]:
    """Numbers of tiles by where they lie face up, then by color."""
    groups = {
        "displays": chain(*position.factories),
        "center": position.center,
        "lines": chain(*(tiles for player in position.players for tiles in player.lines)),
        "floors": chain(*(player.floor for player in position.players)),
        "walls": chain(*map(wall_tiles, position.players)),
    }
    counted = {name: Counter(tiles) for name, tiles in groups.items()}
    return {name: {letter: tiles[letter] for letter in LETTERS} for name, tiles in counted.items()}


def unseen(position: Position) -> dict[str, int]:
    """Numbers of tiles that do not lie face up, by color: what is left for bag and lid.

    Never negative, also where tiles were not counted.
    """
    places = seen(position).values()
    return {
        letter: max(0, supply.TILES_PER_COLOR - sum(tiles[letter] for tiles in places))
        for letter in LETTERS
    }


def bag_size(position: Position) -> int | None:
    """Tiles in the bag as long as all that was dealt came from the first filling, else None."""
    dealt = supply.DISPLAY_SIZE * supply.DISPLAYS[len(position.players)] * position.round
    left = supply.TILES_PER_COLOR * len(LETTERS) - dealt
    return left if left >= 0 else None


def proven_in_lid(position: Position) -> dict[str, int]:
    """Tiles that came into the lid with a wall tile, by color: row r took a line of r tiles."""
    proven = Counter[str]()
    for player in position.players:
        for row, cells in enumerate(player.wall):
            for cell, printed in zip(cells, WALL[row], strict=True):
                proven[printed] += row * (cell != EMPTY)
    return {letter: proven[letter] for letter in LETTERS}


def supplies(position: Position) -> Supplies:
    """Bag and lid of a valid position, as far as they are known."""
    if position.bag is None or position.lid is None:
        return infer(unseen(position), bag_size(position), proven_in_lid(position))
    return Supplies(position.lid, position.bag)


def warnings(position: Position) -> tuple[str, ...]:
    """What had to be assumed, or is odd without being impossible."""
    size = bag_size(position)
    if position.bag is None:
        sentence = (
            "Bag and lid are not given, and the lid has been put into the bag before: all unseen "
            "tiles count as the bag."
        )
        return (sentence,) if size is None else ()
    tiles = sum(position.bag.values())
    if size in (None, tiles):
        return ()
    of_players = f"in round {position.round} of {len(position.players)} players"
    return (f"The bag holds {tiles} tiles; {of_players} it should hold {size}.",)
