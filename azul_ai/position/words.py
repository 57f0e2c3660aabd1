"""The colors and pieces of each game as people write and say them."""

from __future__ import annotations

from dataclasses import dataclass

MARKER = "1"
"""The starting player marker in a text."""


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 tile", "2 tiles"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


@dataclass(frozen=True)
class Palette:
    """The colors of a game in their fixed order: index 0-4 of a color is its code.

    ``piece`` is the word for a tile, ``lid`` for where used ones wait.
    """

    letters: str
    names: tuple[str, ...]
    piece: str = "tile"
    lid: str = "lid"

    def name(self, letter: str) -> str:
        """The word for a color's letter: ``"blue"`` for ``"B"``."""
        return self.names[self.letters.index(letter)]

    def legend(self) -> str:
        """All letters with their words, for hints."""
        pairs = zip(self.letters, self.names, strict=True)
        return ", ".join(f"{letter} {name}" for letter, name in pairs)

    def ordered(self, tiles: str) -> str:
        """Tiles sorted by color, the marker last."""
        return "".join(sorted(tiles, key=(self.letters + MARKER).index))


class _Palettes(dict[str, Palette]):
    """Sintra's names of colors are data of its components, read when first asked for."""

    def __missing__(self, game: str) -> Palette:
        if game != "sintra":
            raise KeyError(game)
        from azul_ai.games import components  # noqa: PLC0415 (nothing of it for other games)

        colors = components.default().colors
        self[game] = Palette("".join(colors), tuple(colors.values()), "pane", "tower")
        return self[game]


_AZUL = Palette("BYRKW", ("blue", "yellow", "red", "black", "white"))
PALETTES = _Palettes({"azul": _AZUL, "azul-gray": _AZUL})
"""By game id."""
