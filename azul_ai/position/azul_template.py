"""An empty Azul position to fill in."""

from __future__ import annotations

from azul_ai.games.pattern_lines import LINES
from azul_ai.games.supply import DISPLAYS
from azul_ai.position.azul_facts import EMPTY, GRAY, PALETTE
from azul_ai.position.words import MARKER


def template(game: str, players: int) -> str:
    """Commented TOML; ``?`` marks what must be filled in."""
    displays = ", ".join(['"????"'] * DISPLAYS[players])
    wall, letters = ", ".join([f'"{EMPTY * LINES}"'] * LINES), _CELL_LETTERS[game]
    boards = "".join(
        _PLAYER.format(number=number, wall=wall, letters=letters)
        for number in range(1, players + 1)
    )
    head = _TABLE.format(
        title=_TITLES[game],
        game=game,
        colors=PALETTE.legend(),
        displays=displays,
        marker=MARKER,
    )
    return head + boards


_TITLES = {"azul": "An Azul position", GRAY: "An Azul position with the gray wall"}
_CELL_LETTERS = {"azul": "the color's letter, or x, for a tile", GRAY: "the color's letter"}


_TABLE = """\
# {title}. Colors: {colors}.
game = "{game}"
round = 1
to_move = 1  # player 1 is the first [[players]] below
# Replace ???? by the four tiles of each display; "" where a player took from it.
factories = [{displays}]
# The tiles in the center, such as "YYK{marker}"; {marker} is the starting player marker.
center = "{marker}"
# What you know of the bag and the lid; with neither, they are worked out as far as possible.
# bag = "B12 Y11 R16 K18 W15"
# lid = ""
# Only if the marker was taken and lies on no floor, because that floor was full:
# next_start = 2
"""

_PLAYER = """
[[players]]  # player {number}
# name = ""
score = 0  # the score track, before any end bonus
lines = ["", "", "", "", ""]  # tiles in the pattern lines, from the top, such as "YY"
wall = [{wall}]  # {letters}
floor = ""  # from the left, such as "1BY"
"""
