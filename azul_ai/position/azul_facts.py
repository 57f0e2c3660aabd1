"""What follows from an Azul position as written: phase, marker, walls, tile counts.

For both kinds of wall; what only the gray one has is in :mod:`azul_ai.position.gray`, what all
games share in :mod:`azul_ai.position.table`. Everything here also works on a position that is
not valid, so that the checks can use it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from azul_ai.games import supply
from azul_ai.games.drafting import DEFAULT_ROUND_CAP
from azul_ai.games.pattern_lines import LINES
from azul_ai.position import table
from azul_ai.position.model import Player, Position
from azul_ai.position.table import Kind, Phase, Place
from azul_ai.position.words import MARKER, PALETTES

PALETTE = PALETTES["azul"]
LETTERS = PALETTE.letters
WALL = tuple(
    "".join(LETTERS[(column - row) % LINES] for column in range(LINES)) for row in range(LINES)
)
"""The colors printed on the colored wall, row by row."""
EMPTY, FILLED = ".", "x"
"""Wall cells: without a tile, and, on the colored wall, with the tile of the printed color."""
GRAY = "azul-gray"


def places(position: Position) -> Iterator[Place]:
    """All places with tiles but the walls; the marker's letter may be among the tiles."""
    yield from table.table_places(position)
    for index, player in enumerate(position.players):
        field, name = f"players[{index}]", f"of player {index + 1}"
        for row, tiles in enumerate(player.lines):
            yield Place(f"{field}.lines[{row}]", f"Line {row + 1} {name}", tiles)
        yield Place(f"{field}.floor", f"The floor {name}", player.floor)


def wall_tiles(game: str, player: Player) -> Iterator[str]:
    """The colors of the tiles on a wall, colored or gray."""
    for row in range(len(player.wall)):
        yield from row_tiles(game, player, row)


def row_tiles(game: str, player: Player, row: int) -> Iterator[str]:
    """The colors of the tiles in one row of a wall."""
    for cell, printed in zip(player.wall[row], WALL[row], strict=False):
        if cell != EMPTY:
            yield cell if game == GRAY else printed


def complete_rows(player: Player) -> list[int]:
    """The rows of a wall without an empty cell."""
    return [
        row
        for row, cells in enumerate(player.wall)
        if len(cells) == len(WALL[row]) and EMPTY not in cells
    ]


def phase(position: Position) -> Phase:
    """Told by the tiles on offer, the full lines and the floors."""
    if table.has_offer(position, LETTERS):
        return Phase.DRAFTING
    for player in position.players:
        if player.floor or any(len(tiles) > row for row, tiles in enumerate(player.lines)):
            return Phase.TILING
    return Phase.SETTLED


def seen(position: Position) -> dict[str, table.Counts]:
    """Numbers of tiles by where they lie face up, then by color."""
    groups = {
        "displays": chain(*position.factories),
        "center": position.center,
        "lines": chain(*(tiles for player in position.players for tiles in player.lines)),
        "floors": chain(*(player.floor for player in position.players)),
        "walls": chain(*(wall_tiles(position.game, player) for player in position.players)),
    }
    return table.counted_groups(groups, LETTERS)


def proven_in_lid(position: Position) -> table.Counts:
    """Tiles that came into the lid with a wall tile, by color: row r took a line of r tiles."""
    proven = dict.fromkeys(LETTERS, 0)
    for player in position.players:
        for row in range(LINES):
            for letter in row_tiles(position.game, player, row):
                proven[letter] += row
    return proven


KIND = Kind(
    title="Azul",
    palette=PALETTE,
    in_bag=supply.TILES_PER_COLOR * len(LETTERS),
    places=places,
    seen=seen,
    phase=phase,
    proven=proven_in_lid,
    fields={
        "displays": "factories",
        "lines": "players",
        "floors": "players",
        "walls": "players",
    },
    marker_fields=("center", "floor"),
    marker_hint="The marker lies in the center or on a floor.",
)


def is_over(position: Position) -> bool:
    """Whether a settled position ends the game: a row, the round cap, or no tile to deal."""
    undealt = table.unseen(position, KIND) if position.bag is None else position.bag
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


def implied_start(position: Position) -> int:
    """Who started the round, where the position does not say.

    With the marker in the center every turn emptied one display. With the marker taken it
    does not matter any more; then the one who has it stands in. A settled position waits
    for its ``to_move`` to start. In the gray wall's tiling ``to_move`` says nothing of turns.
    """
    mover = position.to_move - 1
    now = phase(position)
    untold = position.game == GRAY and now is Phase.TILING and MARKER in position.center
    if now is Phase.SETTLED or untold:
        return mover
    if MARKER in position.center:
        return (mover - table.emptied_displays(position)) % len(position.players)
    owner = marker_owner(position)
    return (position.next_start or position.to_move) - 1 if owner is None else owner
