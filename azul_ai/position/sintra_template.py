"""An empty Sintra position to fill in."""

from __future__ import annotations

from azul_ai.games.components import Components, default
from azul_ai.games.palace import PLACES, SIDES
from azul_ai.games.supply import DISPLAYS
from azul_ai.position.sintra_facts import EMPTY, JOKER, PALETTE
from azul_ai.position.words import MARKER


def template(
    game: str, players: int, *, side: str = SIDES[0], parts: Components | None = None
) -> str:
    """Commented TOML; ``?`` marks what must be filled in.

    :param parts: whose prints to write, by default those of the package, and as a comment.
    """
    printed = (parts or default()).prints
    prints = _PRINTS.format(
        hash="" if parts else "# ",
        window_points=list(printed.window_points),
        track=list(printed.track),
        ornaments=[list(pair) for pair in printed.ornaments],
    )
    head = _TABLE.format(
        side=side,
        prints=prints if parts else _NOT_OFFICIAL + prints,
        game=game,
        colors=PALETTE.legend(),
        displays=", ".join(['"????"'] * DISPLAYS[players]),
        marker=MARKER,
    )
    strips = f"\n{_STRIP}" * PLACES
    return head + "".join(
        _PLAYER.format(
            number=number,
            joker=JOKER,
            empty=EMPTY,
            windows=", ".join(['""'] * PLACES),
            strips=strips,
        )
        for number in range(1, players + 1)
    )


_TABLE = """\
# A position of Stained Glass of Sintra. Colors: {colors}.
game = "{game}"
side = "{side}"  # of the palace boards: A or B
round = 1
to_move = 1  # player 1 is the first [[players]] below
# Replace ???? by the four panes of each display; "" where a player took from it.
factories = [{displays}]
# The panes in the center, such as "YYP{marker}"; {marker} is the starting tile.
center = "{marker}"
indicator = "??????"  # this round's pane, then those of the rounds to come
# What you know of the bag and the tower; with neither, they are worked out as far as possible.
# bag = "B12 Y11 O16 G18 P15"
# tower = ""
# Once the starting tile is taken: who has it.
# next_start = 2
# What is printed on your boards.{prints}"""

_NOT_OFFICIAL = """ Without these lines, what comes with the program is used,
# which is not official:"""

_PRINTS = """
{hash}window_points = {window_points}
{hash}track = {track}
{hash}ornaments = {ornaments}  # the windows around each
"""

_PLAYER = """
[[players]]  # player {number}
# name = ""
score = 0  # the score track, before the final scoring
glazier = 1  # the place that he stands above, from the left
broken = 0  # steps of the marker down the broken glass track
lost = 0  # what reaching the end of the track has cost so far
windows = [{windows}]  # panes, the top one first, such as "BY"
# The strips from the left: what is printed on both sides ({joker} for a joker), which side is up,
# and the panes on it, {empty} for an empty space; "" for a strip that is gone.
strips = [{strips}
]
"""

_STRIP = '  { front = "?????", back = "?????", up = "front", filled = "....." },'
