"""Everything that decides which games a tournament plays: what a record's header holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from azul_ai.tournament import players
from azul_ai.tournament.hypotheses import Hypotheses
from azul_ai.tournament.players import Entrant

if TYPE_CHECKING:
    from azul_ai.games.components import Components

DEFAULT_SEATS = 2
DEFAULT_GAMES = 100
DEFAULT_SEED = 1


@dataclass(frozen=True)
class Settings:
    """The settings of a tournament.

    ``games`` of each pairing are played, rounded up to whole groups; None: until the test
    ``sprt`` decides. ``deals``: a line each for a deal, a seed or the letters of the tiles
    that come out of the bag first; () means seeds from ``seed``. ``positions``: codes to
    start from, taken in turn; () means new games. ``gauntlet``: the first player against
    each other one. ``strict``: stop at the first failure of a bot.
    ``side``: of the boards, where the game has two; None: the first. ``components``: of new
    games, where the game has components; None: those of the package.
    """

    game: str
    players: tuple[Entrant, ...]
    seats: int = DEFAULT_SEATS
    games: int | None = None
    seed: int = DEFAULT_SEED
    gauntlet: bool = False
    deals: tuple[str, ...] = ()
    positions: tuple[str, ...] = ()
    sprt: Hypotheses | None = None
    strict: bool = False
    side: str | None = None
    components: Components | None = None

    def to_dict(self) -> dict[str, Any]:
        """The settings as a JSON object."""
        tested = self.sprt
        return {
            "game": self.game,
            "players": [entrant.to_dict() for entrant in self.players],
            "seats": self.seats,
            "games": self.games,
            "seed": self.seed,
            "gauntlet": self.gauntlet,
            "deals": list(self.deals),
            "positions": list(self.positions),
            "sprt": None if tested is None else vars(tested),
            "strict": self.strict,
            "side": self.side,
            "components": self.components and self.components.to_document(),
        }


def from_dict(document: Mapping[str, Any]) -> Settings:
    """The settings of a JSON object.

    :raises KeyError, TypeError, ValueError: it is not one that :meth:`Settings.to_dict` wrote.
    """
    values = dict(document)
    tested = values["sprt"]
    values["sprt"] = None if tested is None else Hypotheses(**tested)
    values["players"] = tuple(players.from_dict(keys) for keys in values["players"])
    for name in ("deals", "positions"):
        values[name] = tuple(values[name])
    if values.get("components") is not None:
        from azul_ai.games import components  # noqa: PLC0415 (one game's)

        values["components"] = components.of_document(values["components"])
    return Settings(**values)
