"""What follows from a Sintra position as written: phase, tile counts, who started.

Like :mod:`azul_ai.position.table`, everything here also works on a position that is not valid.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from azul_ai.games import supply
from azul_ai.games.palace import PLACES
from azul_ai.games.strips import SPACES
from azul_ai.position import table
from azul_ai.position.model import Position
from azul_ai.position.sintra_model import Palace, SintraPosition, Strip
from azul_ai.position.table import Kind, Phase, Place
from azul_ai.position.words import MARKER, PALETTES

PALETTE = PALETTES["sintra"]
LETTERS = PALETTE.letters
ROUNDS = 6
EMPTY, JOKER = ".", "*"
PRINTS = LETTERS + JOKER
"""What may be printed on a strip's space."""


def places(position: Any) -> Iterator[Place]:
    """All places with panes; the panes on strips as they are written, dots included apart."""
    yield from table.table_places(position)
    yield Place("indicator", "The round indicator", position.indicator)
    for index, player in enumerate(position.players):
        for place, panes in enumerate(player.windows):
            name = f"Window {place + 1} of player {index + 1}"
            yield Place(f"players[{index}].windows[{place}]", name, panes)
        for place, strip in enumerate(player.strips):
            if strip:
                name = f"Strip {place + 1} of player {index + 1}"
                panes = strip.filled.replace(EMPTY, "")
                yield Place(f"players[{index}].strips[{place}].filled", name, panes)


def seen(position: Any) -> dict[str, table.Counts]:
    """Numbers of panes by where they lie face up, then by color."""
    players = position.players
    strips = chain(*(player.strips for player in players))
    groups = {
        "displays": chain(*position.factories),
        "center": position.center,
        "strips": chain(*(strip.filled for strip in strips if strip)),
        "windows": chain(*chain(*(player.windows for player in players))),
        "indicator": position.indicator,
    }
    return table.counted_groups(groups, LETTERS)


def phase(position: Any) -> Phase:
    """Without panes on offer, the indicator tells whether the round's end was carried out."""
    if table.has_offer(position, LETTERS):
        return Phase.DRAFTING
    ended = position.round == 0 or len(position.indicator) <= ROUNDS - position.round
    return Phase.SETTLED if ended else Phase.TILING


def proven_in_tower(position: Any) -> table.Counts:
    """The indicator's panes of rounds that are over, as far as the others tell their colors."""
    to_come = position.indicator[-(ROUNDS - 1) :]
    return {letter: int(letter not in to_come) for letter in LETTERS}


KIND = Kind(
    title="Stained Glass of Sintra",
    palette=PALETTE,
    in_bag=supply.TILES_PER_COLOR * len(LETTERS) - ROUNDS,
    places=places,
    seen=seen,
    phase=phase,
    proven=proven_in_tower,
    fields={"displays": "factories", "strips": "players", "windows": "players"},
    marker_fields=("center",),
    marker_hint="The starting tile lies in the center, or next_start says who has taken it.",
    set_aside=("indicator",),
)


def normal_strip(strip: Strip) -> Strip:
    """Equal spaces filled from the left: which of them holds a pane makes no difference."""
    filled = [EMPTY] * SPACES
    for printed in dict.fromkeys(strip.prints):
        spaces = [space for space in range(SPACES) if strip.prints[space] == printed]
        panes = [strip.filled[space] for space in spaces if strip.filled[space] != EMPTY]
        for space, pane in zip(spaces, panes, strict=False):
            filled[space] = pane
    return Strip(strip.front, strip.back, strip.up, "".join(filled))


def implied_start(position: Position) -> int:
    """Who started the round, where the position does not say.

    With the starting tile in the center every turn emptied a display, unless a glazier went
    back. With the tile taken it does not matter any more; then its holder stands in.
    """
    mover = position.to_move - 1
    if phase(position) is Phase.SETTLED:
        return mover
    if MARKER in position.center:
        return (mover - table.emptied_displays(position)) % len(position.players)
    return (position.next_start or position.to_move) - 1


def is_over(position: SintraPosition) -> bool:
    """Whether a settled position ends the game."""
    undealt = table.unseen(position, KIND) if position.bag is None else position.bag
    panes = sum(undealt.values()) + sum((position.lid or {}).values())
    return position.round >= ROUNDS or not panes


def most_points(position: SintraPosition, player: Palace) -> int:
    """The most that completing strips can have scored, for the panes in a player's windows."""
    points = 0
    for place in range(PLACES):
        with_right = sum(position.prints.window_points[place:])
        points += len(player.windows[place]) * (SPACES + with_right)
    return points
