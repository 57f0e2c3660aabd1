"""What positions of all games share: displays, center, bag and lid (or tower), turns.

Everything here also works on a position that is not valid, so that the checks can use it.
Players and displays count from 0, except in the fields of a position itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from itertools import chain
from typing import Any, NamedTuple

from azul_ai.games import supply
from azul_ai.position.model import Position
from azul_ai.position.supplies import Supplies, infer
from azul_ai.position.words import Palette

Counts = dict[str, int]
"""Numbers of tiles by color."""


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


def nothing_proven(_: Any) -> Counts:
    """No tile is known to lie in the lid."""
    return Counter()


@dataclass(frozen=True)
class Kind:
    """What facts and checks that all games share must know of one of them."""

    title: str
    """Its name in a sentence."""
    palette: Palette
    in_bag: int
    """Tiles in the bag before the first deal."""
    places: Callable[[Any], Iterator[Place]]
    """The places with tiles that have a name of their own."""
    seen: Callable[[Any], dict[str, Counts]]
    """Numbers of tiles that lie face up, by group, then by color."""
    phase: Callable[[Any], Phase]
    fields: Mapping[str, str]
    """The field where a group is, if not of the group's name."""
    marker_fields: tuple[str, ...]
    """How the fields end where the marker may lie."""
    marker_hint: str
    proven: Callable[[Any], Counts] = nothing_proven
    """Numbers of tiles that must lie in the lid before the bag is first filled from it."""
    set_aside: tuple[str, ...] = ()
    """Groups that lie face up before the first deal."""


def has_offer(position: Position, letters: str) -> bool:
    """Whether tiles lie on displays or in the center; the marker does not count."""
    return any(tile in letters for tile in chain(position.center, *position.factories))


def table_places(position: Position) -> Iterator[Place]:
    """The displays and the center."""
    for index, tiles in enumerate(position.factories):
        yield Place(f"factories[{index}]", f"Display {index + 1}", tiles)
    yield Place("center", "The center", position.center)


def counted_groups(groups: Mapping[str, Iterable[str]], letters: str) -> dict[str, Counts]:
    """Numbers of tiles by group and color."""
    numbers = {name: Counter(tiles) for name, tiles in groups.items()}
    return {name: {letter: tiles[letter] for letter in letters} for name, tiles in numbers.items()}


def is_begun(position: Position, kind: Kind) -> bool:
    """Whether tiles are out that only a deal brings out."""
    groups = kind.seen(position).items()
    return any(any(tiles.values()) for name, tiles in groups if name not in kind.set_aside)


def emptied_displays(position: Position) -> int:
    """Displays of this number of players that hold nothing, written down or not."""
    filled = sum(map(bool, position.factories))
    return supply.DISPLAYS[len(position.players)] - filled


def may_be_short(position: Position) -> bool:
    """Whether displays may have been dealt short or empty, bag and lid having run out."""
    return len(position.players) > 2 and not sum((position.bag or {}).values())


def unseen(position: Position, kind: Kind) -> Counts:
    """Numbers of tiles that do not lie face up, by color: what is left for bag and lid.

    Never negative, also where tiles were not counted.
    """
    groups = kind.seen(position).values()
    return {
        letter: max(0, supply.TILES_PER_COLOR - sum(tiles[letter] for tiles in groups))
        for letter in kind.palette.letters
    }


def bag_size(position: Position, kind: Kind) -> int | None:
    """Tiles in the bag as long as all that was dealt came from the first filling, else None."""
    dealt = supply.DISPLAY_SIZE * supply.DISPLAYS[len(position.players)] * position.round
    left = kind.in_bag - dealt
    return left if left >= 0 else None


def supplies(position: Position, kind: Kind) -> Supplies:
    """Bag and lid of a valid position, as far as they are known."""
    if position.bag is None or position.lid is None:
        return infer(unseen(position, kind), bag_size(position, kind), kind.proven(position))
    return Supplies(position.lid, position.bag)


def warnings(position: Position, kind: Kind) -> tuple[str, ...]:
    """What had to be assumed about the bag, or is odd without being impossible."""
    size, lid = bag_size(position, kind), kind.palette.lid
    if position.bag is None:
        sentence = (
            f"Bag and {lid} are not given, and the {lid} has been put into the bag before: all "
            f"unseen {kind.palette.piece}s count as the bag."
        )
        return (sentence,) if size is None else ()
    tiles = sum(position.bag.values())
    if size in (None, tiles):
        return ()
    of_players = f"in round {position.round} of {len(position.players)} players"
    return (f"The bag holds {tiles} {kind.palette.piece}s; {of_players} it should hold {size}.",)


def normal(position: Position, kind: Kind) -> Position:
    """All displays, tiles in the order of colors, bag and lid both or neither."""
    empty = ("",) * (supply.DISPLAYS[len(position.players)] - len(position.factories))
    bag, lid, left = position.bag, position.lid, unseen(position, kind)
    if bag is None and lid is not None:
        bag = _difference(left, lid)
    elif lid is None and bag is not None:
        lid = _difference(left, bag)
    settled = kind.phase(position) is Phase.SETTLED
    return replace(
        position,
        factories=tuple(map(kind.palette.ordered, position.factories)) + empty,
        center=kind.palette.ordered(position.center),
        next_start=None if settled else position.next_start,
        bag=bag,
        lid=lid,
    )


def _difference(tiles: Counts, other: Counts) -> Counts:
    """What is left of each color, never less than nothing, also where tiles are not counted."""
    return {letter: max(0, number - other[letter]) for letter, number in tiles.items()}
