"""From a command's argument to a position, to a record, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from azul_ai import games
from azul_ai.game import State
from azul_ai.position import code, formats, source
from azul_ai.position.faults import Fault, PositionError
from azul_ai.position.model import Position
from azul_ai.suggest import did_you_mean

if TYPE_CHECKING:
    from azul_ai.games.components import Components


def load(
    argument: str, *, check_counts: bool = True, components: Components | None = None
) -> Position:
    """The position that a command's argument stands for.

    :param argument: a path, ``-`` for standard input, or a one-line code.
    :param check_counts: whether tiles must add up to 20 of each color.
    :param components: what is printed on the boards of a game that has components, where the
        position leaves it out; by default those of the package.
    :raises PositionError: it cannot be read or is not valid; has every fault.
    """
    return parse(source.read(argument), check_counts=check_counts, components=components)


def parse(
    text: str, *, check_counts: bool = True, components: Components | None = None
) -> Position:
    """The position in a TOML or JSON text or a code, told apart by content.

    :param components: as for :func:`load`.
    :raises PositionError: it cannot be read or is not valid; has every fault.
    """
    if code.is_code(text):
        return from_code(text, check_counts=check_counts)
    return _read(source.document(text), check_counts, components)


def from_code(text: str, *, check_counts: bool = True) -> Position:
    """The position of a one-line code.

    :raises PositionError: the code is damaged, of a newer format, or not a valid position.
    """
    game, fields = code.unwrap(text)
    return _read(formats.load(game).from_fields(game, fields), check_counts)


def to_state(position: Position) -> State:
    """The record of a position, its round scored if nothing is on offer any more.

    Unknown bag and lid: the record's lid has what must lie there, its bag all other unseen
    tiles, and ``hidden`` says how many of these lie in the lid.

    :raises PositionError: a position made by hand is not valid (tiles are not counted).
    """
    position = _read(position.to_dict(), check_counts=False)
    state: State = formats.load(position.game).to_state(position)
    return state


def from_state(state: State, names: Sequence[str] = ()) -> Position:
    """The position of a record; ``names`` of the players, from the first."""
    position: Position = formats.load(games.of(state).NAME).from_state(state, names)
    return position


def template(game: str, players: int, **options: Any) -> str:
    """A commented TOML file to fill in; ``?`` stands where something must be.

    :param options: what is known of the boards; as ``new_state`` of the game takes it.
    """
    text: str = formats.load(game).template(game, players, **options)
    return text


def _read(
    document: Mapping[str, Any], check_counts: bool, components: Components | None = None
) -> Position:
    """The position of a document's keys, by its game's schema."""
    game = document.get("game")
    if game is None:
        reason, hint = 'The key "game" is missing.', f'Add game = "{formats.NAMES[0]}".'
    elif not isinstance(game, str):
        reason, hint = f"{game!r} is no game.", did_you_mean("", formats.NAMES)
    elif game not in formats.NAMES:
        reason, hint = f'There is no game "{game}".', did_you_mean(game, formats.NAMES)
    else:
        options = {"components": components} if games.has_sides(game) else {}
        position: Position = formats.load(game).read(document, check_counts, **options)
        return position
    raise PositionError([Fault("game", reason, hint)])
