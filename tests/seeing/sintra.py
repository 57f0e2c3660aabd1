"""What a network sees of Stained Glass of Sintra, both sides."""

from __future__ import annotations

from collections import defaultdict

from azul_ai.evaluation import sintra_terms
from azul_ai.position.sintra_model import Palace, SintraPosition, Strip
from tests.seeing.walls import Name, Seen

COLORS = "BYOGP"
DISPLAYS = {2: 5, 3: 7, 4: 9}
NUMBERS = {
    "score": 0.02,
    "glass": 0.1,
    "in reach": 0.1,
    "behind": 0.1,
    "whole": 0.02,
    "back": 0.1,
    "chain": 0.1,
    "bonus": 0.1,
    "left": 0.1,
    "matching": 1.0,
    "room": 0.1,
    "supplied": 0.1,
    "value": 0.1,
}
"""The single numbers, and their scales."""
TABLE: list[Name] = [
    *(("round", played) for played in range(1, 6)),
    ("B",),
    *(("round", side, played) for side in "AB" for played in range(1, 6)),
]
BOARD: list[Name] = [
    *((panes, place) for panes in ("a pane", "two panes") for place in range(8)),
    *(("panes", place, n) for place in range(8) for n in range(1, 5)),
    *((mark, place) for mark in ("glazier", "marker") for place in range(8)),
    *((room, n) for room in ("most in reach", "most") for n in range(6)),
    *(("around", n) for n in range(1, 5)),
    *((what, n) for what in ("complete", "alike") for n in range(1, 9)),
    *((name,) for name in NUMBERS),
]


def table(position: SintraPosition) -> Seen:
    """The round and the side."""
    seen: Seen = {("round", position.round): 1, ("round", position.side, position.round): 1}
    return {**seen, ("B",): position.side == "B"}


def board(position: SintraPosition, player: Palace) -> Seen:
    """Windows, strips, glazier, broken glass, and numbers."""
    seen = defaultdict[Name, float](float)
    for place, (window, strip) in enumerate(zip(player.windows, player.strips, strict=True)):
        seen["a pane", place] += len(window) >= 1
        seen["two panes", place] += len(window) == 2
        seen["panes", place, len(panes(strip))] += 1
    seen["glazier", player.glazier - 1] += 1
    seen["marker", player.broken] += 1
    for color in COLORS:
        rooms = [room(strip, color) for strip in player.strips]
        seen["most in reach", max(rooms[player.glazier - 1 :])] += 0.5
        seen["most", max(rooms)] += 0.5
    if position.side == "A":
        for around in panes_around(position, player):
            seen["around", around] += 0.5
    else:
        complete, alike = window_figures(player)
        seen["complete", complete] += 1
        seen["alike", min(alike, 8)] += 1
    for name, value in numbers(position, player).items():
        seen[name,] = value * NUMBERS[name]
    return seen


def panes(strip: Strip | None) -> str:
    """The panes on a strip."""
    return strip.filled.replace(".", "") if strip else ""


def empty(strip: Strip | None) -> list[str]:
    """The prints of a strip's empty spaces."""
    if strip is None:
        return []
    return [
        printed for printed, pane in zip(strip.prints, strip.filled, strict=True) if pane == "."
    ]


def room(strip: Strip | None, color: str) -> int:
    """How many panes of a color a strip takes."""
    return sum(printed in (color, "*") for printed in empty(strip))


def panes_around(position: SintraPosition, player: Palace) -> list[int]:
    """The panes around each ornament."""
    return [
        sum(len(player.windows[window - 1]) for window in pair)
        for pair in position.prints.ornaments
    ]


def window_figures(player: Palace) -> tuple[int, int]:
    """Complete windows, and panes of the most frequent color."""
    complete = sum(len(window) == 2 for window in player.windows)
    return complete, max("".join(player.windows).count(color) for color in COLORS)


def numbers(position: SintraPosition, player: Palace) -> dict[str, float]:
    """The single numbers, unscaled."""
    to_come = 6 - position.round
    found = dict.fromkeys(NUMBERS, 0.0)
    advanced = []
    for place, strip in enumerate(player.strips):
        progress = sintra_terms.PROGRESS[to_come, len(panes(strip))]
        worth = worth_of(position, player, place) if strip else 0.0
        advanced.append(worth * progress)
        found["whole"] += worth
        found["in reach" if place >= player.glazier - 1 else "behind"] += worth * progress
        found["left"] += len(panes(strip))
        found["matching"] += progress * panes(strip).count(position.indicator[0])
        found["room"] += room(strip, position.indicator[0])
        if player.windows[place]:
            found["chain"] += chain(position, place)
    first = min((place for place, strip in enumerate(player.strips) if strip), default=8)
    found["back"] = max(0, player.glazier - 1 - first)
    found["score"] = player.score
    found["glass"] = glass(position, player, to_come)
    found["bonus"] = bonus(position, player, to_come)
    found["supplied"] = supplied(position, player, advanced)
    parts = ("score", "glass", "in reach", "behind", "chain", "bonus")
    found["value"] = sum(found[part] for part in parts)
    found["value"] += found["left"] / 10 - sintra_terms.REACH * found["back"]
    return found


def worth_of(position: SintraPosition, player: Palace, place: int) -> float:
    """What completing a strip brings."""
    points = position.prints.window_points
    worth = points[place] + sintra_terms.COLOR_POINTS
    worth += sum(points[right] for right in range(place + 1, 8) if player.windows[right])
    if not player.windows[place]:
        worth += chain(position, place)
    return worth + bonus_step(position, player, place)


def chain(position: SintraPosition, place: int) -> float:
    """What a window with a pane does for strips completed left of it."""
    points, to_come = position.prints.window_points[place], 6 - position.round
    return points * sintra_terms.COMPLETIONS * to_come * place / 8


def bonus_step(position: SintraPosition, player: Palace, place: int) -> float:
    """What one more pane in a window does for the bonus."""
    to_come = 6 - position.round
    if position.side == "A":
        for pair, around in zip(
            position.prints.ornaments, panes_around(position, player), strict=True
        ):
            if place + 1 in pair:
                worth = sintra_terms._ORNAMENT
                return float(worth[min(around + 1, 4)] - worth[around])
        return 0.0
    complete, alike = window_figures(player)
    if player.windows[place]:
        return float(alike + 0.5 * to_come + 0.5 * complete)
    return 0.15 * to_come * (alike + 1) + 0.5 * complete


def bonus(position: SintraPosition, player: Palace, to_come: int) -> float:
    """What the windows promise."""
    if position.side == "A":
        return float(sum(sintra_terms._ORNAMENT[n] for n in panes_around(position, player)))
    complete, alike = window_figures(player)
    halves = sum(len(window) == 1 for window in player.windows)
    return (complete + 0.15 * to_come * halves) * (alike + 0.5 * to_come)


def glass(position: SintraPosition, player: Palace, to_come: int) -> float:
    """Expected points of the marker, up to two more steps a round, all numbers alike."""
    found = []
    for steps in range(player.broken, player.broken + 2 * to_come + 1):
        track = position.prints.track
        found.append(steps // 8 * track[8] + track[steps % 8])
    return sum(found) / len(found)


def supplied(position: SintraPosition, player: Palace, advanced: list[float]) -> float:
    """How well the next deal fits what the strips miss."""
    bag, tower = position.bag, position.lid
    assert bag is not None
    assert tower is not None
    dealt: dict[str, float] = {color: float(tiles) for color, tiles in bag.items()}
    missing = 4 * DISPLAYS[len(position.players)] - sum(bag.values())
    if missing > 0:
        drawn = min(missing, sum(tower.values()))
        dealt = {c: n + drawn * tower[c] / max(1, sum(tower.values())) for c, n in dealt.items()}
    fit = 0.0
    for strip, worth in zip(player.strips, advanced, strict=True):
        for printed in empty(strip):
            if printed != "*":
                more = 5 * dealt[printed] / sum(dealt.values()) - 1
                fit += more * worth / len(empty(strip))
    return fit
