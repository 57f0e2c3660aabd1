"""Facts of a line of Stained Glass of Sintra: what turns do, what a round comes to.

As in :mod:`azul_ai.explain.azul`, they are dictionaries that go into JSON as they are; strips
and windows count from 1 from the left.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from azul_ai.explain import results
from azul_ai.explain.explanation import Facts
from azul_ai.explain.lines import Played
from azul_ai.explain.waste import Waste, offers
from azul_ai.games.palace import PLACES, WINDOW, WINDOW_MASK
from azul_ai.games.rounds import IN_CENTER
from azul_ai.games.sintra import ORNAMENT_BONUS
from azul_ai.games.sintra_moves import BREAK, COLOR, GLAZIER, PLACE, SOURCE
from azul_ai.games.strips import JOKER, PANE, PANE_MASK, SIDE, SPACES
from azul_ai.games.supply import FIELD, FIELD_MASK
from azul_ai.notation import format_move
from azul_ai.position.words import PALETTES

PALETTE = PALETTES["sintra"]
BREAKS = Waste("breaks", "break", PALETTE)

# --- what lies on a board ---------------------------------------------------------------


def fields(word: int, number: int) -> list[int]:
    """The first so many 3-bit fields of a word."""
    return [word >> PANE * index & PANE_MASK for index in range(number)]


@lru_cache(1024)
def panes_on(strip: int) -> Sequence[int]:
    """The panes on a strip, color + 1 each."""
    return [pane for pane in fields(strip, SPACES) if pane]


@lru_cache(1024)
def room(strip: int, color: int) -> int:
    """How many panes of a color still fit on a strip."""
    spaces = zip(fields(strip, SPACES), fields(strip >> SIDE, SPACES), strict=True)
    return sum(not pane and printed in (color + 1, JOKER) for pane, printed in spaces)


def windows(board: Any) -> list[list[int]]:
    """The panes of each window, color + 1 each."""
    word = int(board["windows"])
    found = [fields(word >> WINDOW * place & WINDOW_MASK, 2) for place in range(PLACES)]
    return [[pane for pane in window if pane] for window in found]


def bonus(state: Any, panes: Sequence[Sequence[int]]) -> int:
    """The side's bonus for such windows."""
    if not state["side_b"]:
        around = (
            sum(len(panes[place]) for place in range(PLACES) if int(ornament) >> place & 1)
            for ornament in state["ornaments"]
        )
        return sum(int(ORNAMENT_BONUS[number]) for number in around)
    colors = [pane for window in panes for pane in window]
    most = max((colors.count(color) for color in set(colors)), default=0)
    return sum(len(window) == 2 for window in panes) * most


def glass(state: Any, board: Any) -> int:
    """What broken glass has cost so far, if the marker stayed where it is."""
    return int(board["lost"]) - int(state["track"][board["broken"]])


def strips_of(board: Any) -> list[int]:
    """The words of the eight strips, 0 for one that is gone."""
    return [int(strip) for strip in board["strips"]]


# --- a turn -----------------------------------------------------------------------------


def turn(state: Any, move: int) -> dict[str, Any]:
    """What a move does.

    ``strip`` is None if all panes break. ``before``: panes on the strip until now; ``placed`` and
    ``breaks``: panes that come onto it and that do not; ``least``: the fewest panes that any legal
    move breaks here; ``fills``: whether the strip gets full, which scores ``points``, of them
    ``color_points`` for panes of the round's color; ``kept``: the pane chosen for the window;
    ``marker``: whether it takes the starting tile. A move of the glazier has ``strip`` alone, the
    one he goes back to.
    """
    board = state["boards"][state["mover"]]
    common = {"player": int(state["mover"]) + 1, "move": format_move(state, move)}
    if move == GLAZIER:
        return {**common, "strip": _leftmost(board) + 1}
    source, color, place, kept = (
        move >> SOURCE, move >> COLOR & 7, move >> PLACE & 15, move & PANE_MASK
    )  # fmt: skip
    panes = int(state["sources"][source]) >> FIELD * color & FIELD_MASK
    strip = 0 if place == BREAK else int(board["strips"][place])
    before, placed = panes_on(strip), min(panes, room(strip, color))
    fills = len(before) + placed == SPACES
    round_color = int(state["indicator"]) & PANE_MASK
    lying = [*before, *[color + 1] * placed]
    color_points = lying.count(round_color) if fills else 0
    return {
        **common,
        "color": PALETTE.letters[color],
        "panes": panes,
        "strip": None if place == BREAK else place + 1,
        "before": len(before),
        "placed": placed,
        "breaks": panes - placed,
        "least": least_break(state),
        "fills": fills,
        "points": color_points + _window_points(state, board, place) if fills else 0,
        "color_points": color_points,
        "kept": PALETTE.letters[kept - 1] if kept else None,
        "marker": source == 0 and int(state["holder"]) == IN_CENTER,
    }


def _leftmost(board: Any) -> int:
    """The place of the leftmost strip; PLACES if there is none."""
    return next((place for place, strip in enumerate(strips_of(board)) if strip), PLACES)


def _window_points(state: Any, board: Any, place: int) -> int:
    """What completing a strip scores: its window, and those right of it with panes."""
    panes = windows(board)
    right = (other for other in range(place + 1, PLACES) if panes[other])
    return sum(int(state["window_points"][other]) for other in (place, *right))


def least_break(state: Any) -> int:
    """The fewest panes that any legal move of the mover breaks."""
    board = state["boards"][state["mover"]]
    glazier, leftmost = int(board["glazier"]), _leftmost(board)
    if leftmost < PLACES and leftmost != glazier:
        return 0
    reach = strips_of(board)[glazier:]
    return min(
        max(0, panes - max((room(strip, color) for strip in reach), default=0))
        for panes, color in offers(state)
    )


# --- a round ----------------------------------------------------------------------------


def outcomes(played: Played, turns: Sequence[Facts]) -> tuple[dict[str, Any], ...]:
    """What each player has made of the round.

    ``points``: how the score track changed; ``scored``: points for strips, of them
    ``color_points`` for panes of the ``round_color``; ``glass``: what was lost by broken glass, the
    marker's place on the track included; ``broken``: that place; ``completed``: strips, and what
    they scored; ``begun``: panes on strips; ``windows``: panes in each; ``complete``: windows
    with two; ``colors``: panes in windows by color; ``bonus``: the side's bonus as it stands;
    ``glazier``: the strip he stands above; ``total``: the score, at the game's end the final
    points; ``place``: from 1 then, shared by equals, else None.
    """
    start, end = played.states[0], played.states[-1]
    over = results.is_over(end)
    totals, places = results.standings(end)
    found = []
    for player in range(int(end["players"])):
        board, before = end["boards"][player], start["boards"][player]
        panes = windows(board)
        in_windows = [pane for window in panes for pane in window]
        full = [x for x in turns if x["player"] == player + 1 and x.get("fills")]
        found.append(
            {
                "player": player + 1,
                "points": int(board["score"] - before["score"]),
                "scored": sum(done["points"] for done in full),
                "color_points": sum(done["color_points"] for done in full),
                "round_color": PALETTE.letters[(int(start["indicator"]) & PANE_MASK) - 1],
                "glass": glass(end, board) - glass(start, before),
                "broken": int(board["broken"]),
                "completed": [{"strip": x["strip"], "points": x["points"]} for x in full],
                "begun": [
                    {"strip": place, "panes": len(panes_on(strip))}
                    for place, strip in enumerate(strips_of(board), 1)
                    if panes_on(strip)
                ],
                "windows": [len(window) for window in panes],
                "complete": sum(len(window) == 2 for window in panes),
                "colors": {
                    letter: in_windows.count(color)
                    for color, letter in enumerate(PALETTE.letters, 1)
                },
                "bonus": bonus(end, panes),
                "glazier": int(board["glazier"]) + 1,
                "total": totals[player] if over else int(board["score"]),
                "place": places[player] if over else None,
            }
        )
    return tuple(found)
