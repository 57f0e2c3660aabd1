"""What can be said of a line of Azul (colored wall): turns, outcomes of a round, reasons.

Facts are dictionaries that go into JSON as they are: players, lines, rows and columns count from
1, colors are letters. Reasons and words are derived from these facts alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from azul_ai import game
from azul_ai.explain.explanation import Line, Reason
from azul_ai.explain.lines import Played
from azul_ai.explain.words import opponent, points, spelled
from azul_ai.games.drafting import (
    FLOOR,
    FLOOR_FIELD,
    FLOOR_PENALTIES,
    FLOOR_SPACES,
    LINES,
    OPEN_FIELD,
)
from azul_ai.games.rounds import IN_CENTER
from azul_ai.games.supply import COLORS, DISPLAYS, FIELD, FIELD_MASK
from azul_ai.games.walls import COLOR_BONUS, COLUMN_BONUS, ROW_MASK
from azul_ai.notation import format_move
from azul_ai.position.words import PALETTES

PALETTE = PALETTES["azul"]
LETTERS = PALETTE.letters

_LIFT = 1000
"""Added to scores, so that no floor brings them down to 0 and hides what the wall scored."""

START_WEIGHT = 1.5
LAST_ROUND_WEIGHT = 20.0
WAITING_WEIGHT = 0.4
BURDEN = 2
"""So many tiles dropped are worth a word."""
MIN_WEIGHT = 0.5
"""Reasons of less weight are not given."""

Facts = Mapping[str, Any]


# --- facts: a turn ----------------------------------------------------------------------


def turn(state: Any, move: int) -> dict[str, Any]:
    """What a move does.

    ``line`` is None for the floor; ``before``: tiles in that line until now; ``placed`` and
    ``drops``: tiles that come into the line and that do not; ``least``: the fewest tiles that any
    legal move drops here; ``marker``: whether it takes the starting player marker.
    """
    source, color, line = move >> 6, move >> 3 & 7, move & 7
    board = state["boards"][state["mover"]]
    tiles = int(state["sources"][source]) >> FIELD * color & FIELD_MASK
    before = 0 if line == FLOOR else int(board["lines"]) >> 6 * line & 7
    placed = 0 if line == FLOOR else min(tiles, line + 1 - before)
    return {
        "player": int(state["mover"]) + 1,
        "move": format_move(state, move),
        "color": LETTERS[color],
        "tiles": tiles,
        "line": None if line == FLOOR else line + 1,
        "before": before,
        "placed": placed,
        "fills": line != FLOOR and before + placed == line + 1,
        "drops": tiles - placed,
        "least": least_drop(state),
        "marker": source == 0 and int(state["holder"]) == IN_CENTER,
    }


def least_drop(state: Any) -> int:
    """The fewest tiles that any legal move of the mover drops."""
    board = state["boards"][state["mover"]]
    lines, opened = int(board["lines"]), int(board["open"])
    room = [
        max(
            (
                row + 1 - (lines >> 6 * row & 7)
                for row in range(LINES)
                if opened >> OPEN_FIELD * color + row & 1
            ),
            default=0,
        )
        for color in range(COLORS)
    ]
    sources = [int(word) for word in state["sources"][: DISPLAYS[state["players"]] + 1]]
    taken = (
        (word >> FIELD * color & FIELD_MASK, color) for word in sources for color in range(COLORS)
    )
    return min(max(0, tiles - room[color]) for tiles, color in taken if tiles)


# --- facts: what a round comes to -------------------------------------------------------


def is_over(state: Any) -> bool:
    """Whether the game has ended."""
    return int(state["stage"]) == game.OVER


def outcomes(played: Played) -> tuple[dict[str, Any], ...]:
    """What each player has made of the round.

    ``points``: how the score track changed; ``wall``: points for placed tiles; ``floor``: the
    penalty as printed; ``completed``: lines placed; ``begun``: lines that stay; ``rows``,
    ``columns``: tiles in each; ``colors``: tiles by color; ``total``: the score, with the end
    bonuses if the game is over; ``place``: from 1 then, shared by equals, else None.
    """
    start, last, end = played.states[0], played.states[-2], played.end
    lifted = last.copy()
    lifted["boards"]["score"] += _LIFT
    game.play(lifted, played.moves[-1])
    totals, places = _standings(end)
    found = []
    for player in range(int(end["players"])):
        floor = _penalty(last, played.moves[-1], player)
        board, before = end["boards"][player], start["boards"][player]
        scored = int(lifted["boards"][player]["score"] - last["boards"][player]["score"]) - _LIFT
        wall = int(board["wall"])
        found.append(
            {
                "player": player + 1,
                "points": int(board["score"] - before["score"]),
                "wall": scored + floor,
                "floor": floor,
                "completed": list(_completed(wall & ~int(before["wall"]))),
                "begun": list(_begun(int(board["lines"]))),
                "rows": [_count(wall, _row(index)) for index in range(LINES)],
                "columns": [_count(wall, _column(index)) for index in range(LINES)],
                "colors": {
                    letter: _count(wall, _diagonal(color)) for color, letter in enumerate(LETTERS)
                },
                "total": totals[player] if is_over(end) else int(board["score"]),
                "place": places[player] if is_over(end) else None,
            }
        )
    return tuple(found)


def _penalty(last: Any, move: int, player: int) -> int:
    """What a player's floor costs after the round's last move."""
    floor = int(last["boards"][player]["floor"])
    occupied = sum(floor >> FLOOR_FIELD * space & 7 > 0 for space in range(FLOOR_SPACES))
    if player == int(last["mover"]):
        done = turn(last, move)
        occupied += done["drops"] + done["marker"]
    return int(FLOOR_PENALTIES[min(occupied, FLOOR_SPACES)])


def _standings(state: Any) -> tuple[list[int], list[int]]:
    """Every player's points, end bonuses included, and place."""
    numbers = np.zeros((2, game.MAX_PLAYERS), dtype=np.int64)
    game.result(state, numbers[0], numbers[1])
    results = list(zip(*numbers.tolist(), strict=True))[: int(state["players"])]
    places = [1 + sum(other > result for other in results) for result in results]
    return [total for total, _ in results], places


def _completed(placed: int) -> Iterator[dict[str, Any]]:
    """The lines whose tiles were placed on a wall, by the wall's new cells."""
    for row in range(LINES):
        for column in range(LINES):
            if placed >> LINES * row + column & 1:
                color = LETTERS[(column - row) % COLORS]
                yield {"line": row + 1, "color": color, "column": column + 1}


def _begun(lines: int) -> Iterator[dict[str, Any]]:
    """The lines that hold tiles."""
    for row in range(LINES):
        line = lines >> 6 * row & 63
        if line & 7:
            yield {"line": row + 1, "color": LETTERS[line >> 3], "tiles": line & 7}


def _row(index: int) -> int:
    return ROW_MASK << LINES * index


def _column(index: int) -> int:
    return sum(1 << LINES * row + index for row in range(LINES))


def _diagonal(color: int) -> int:
    return sum(1 << LINES * row + (color + row) % COLORS for row in range(LINES))


def _count(wall: int, cells: int) -> int:
    return (wall & cells).bit_count()


# --- words for the first move -----------------------------------------------------------


def opening_words(best: Line, other: Line | None = None) -> str:
    """What the first move of a line does, and what it forces on an opponent."""
    first = best.turns[0]
    deed = _deed(first)
    if first["marker"]:
        deed += " and takes the starting player marker"
    burden = _burden(best, other)
    return f"{deed}{',' * first['marker']} and {burden}" if burden else deed


def _deed(done: Facts) -> str:
    line, tiles = done["line"], done["before"] + done["placed"]
    if line is None:
        return f"drops {spelled(done['tiles'])} {PALETTE.name(done['color'])} on the floor"
    if done["fills"]:
        extra = f" and drops {spelled(done['drops'])}" if done["drops"] else " exactly"
        return f"fills line {line}{extra}"
    if done["before"]:
        return f"brings line {line} to {spelled(tiles)} of {spelled(line)}"
    return f"begins line {line} with {spelled(tiles)} of {spelled(line)}"


def _burden(best: Line, other: Line | None) -> str:
    """What an opponent has to drop in the line, whatever he does, and not in the other one."""
    me = best.turns[0]["player"]
    forced = _forced(best, me, own=False)
    if not forced or (
        other and _dropped(other, forced["player"]) >= _dropped(best, forced["player"])
    ):
        return ""
    whom, color = opponent(forced["player"], len(best.players)), PALETTE.name(forced["color"])
    if forced is best.turns[1]:
        return f"leaves {color} to {whom}, who must drop {spelled(forced['drops'])}"
    return f"later {whom} must drop {spelled(forced['drops'])} {color}"


def _forced(line: Line, me: int, *, own: bool) -> Facts | None:
    """The turn, after the first, with the most tiles that had to be dropped then."""
    turns = [
        done
        for done in line.turns[1:]
        if (done["player"] == me) == own and done["drops"] == done["least"] >= BURDEN
    ]
    return max(turns, key=lambda done: int(done["drops"])) if turns else None


def _dropped(line: Line, player: int) -> int:
    return sum(done["drops"] for done in line.turns if done["player"] == player)


# --- reasons ----------------------------------------------------------------------------


def reasons(best: Line, other: Line) -> Iterator[Reason]:
    """What speaks for the best move by the end of the round; with negative weights, against it."""
    me = best.turns[0]["player"]
    if best.game_over and other.game_over:
        yield from _result(best, other, me)
        return
    yield from _ending(best, other, me)
    yield from _scores(best, other, me)
    if best.next_start == me != other.next_start:
        yield Reason("start", me, True, False, START_WEIGHT, "you start the next round")
    if other.next_start == me != best.next_start:
        whom = opponent(best.next_start, len(best.players))
        yield Reason("start", me, False, True, -START_WEIGHT, f"{whom} starts the next round")
    yield from _completions(best, other, me)
    yield from _progress(best, other, me)
    waiting, less = (sum(line["tiles"] for line in of(x, me)["begun"]) for x in (best, other))
    if WAITING_WEIGHT * (waiting - less) >= MIN_WEIGHT:
        text = f"you keep {spelled(waiting)} tiles in your lines instead of {spelled(less)}"
        yield Reason("waiting", me, waiting, less, WAITING_WEIGHT * (waiting - less), text)


def of(line: Line, player: int) -> Facts:
    """What a player makes of a line."""
    return line.players[player - 1]


def _result(best: Line, other: Line, me: int) -> Iterator[Reason]:
    """Both lines end the game."""
    mine, theirs = _standing(best, me), _standing(other, me)
    if (-mine["place"], mine["lead"]) > (-theirs["place"], theirs["lead"]):
        verb = {"win": "winning", "share the win": "sharing the win", "lose": "losing"}
        instead = f"{theirs['score']}"
        if mine["verb"] != theirs["verb"]:
            instead = f"{verb[theirs['verb']]} {instead}"
        text = f"you {mine['verb']} {mine['score']} instead of {instead}"
        yield Reason("result", me, mine["score"], theirs["score"], LAST_ROUND_WEIGHT, text)


def _ending(best: Line, other: Line, me: int) -> Iterator[Reason]:
    """One of the lines ends the game."""
    if best.game_over and of(best, me)["place"] == 1:
        mine = _standing(best, me)
        text = f"it ends the game as you {mine['verb']} {mine['score']}"
        yield Reason("ending", me, mine["score"], None, LAST_ROUND_WEIGHT, text)
    if other.game_over and of(other, me)["place"] > 1:
        theirs = _standing(other, me)
        text = f"the game goes on instead of ending as you lose {theirs['score']}"
        yield Reason("ending", me, None, theirs["score"], LAST_ROUND_WEIGHT, text)


def _standing(line: Line, me: int) -> dict[str, Any]:
    """How a finished game stands for a player."""
    mine = of(line, me)
    rivals = [facts for facts in line.players if facts["player"] != me]
    rival = max(rivals, key=lambda facts: (-facts["place"], facts["total"]))
    shared = mine["place"] == rival["place"]
    verb = "lose" if mine["place"] > 1 else "share the win" if shared else "win"
    return {
        "place": mine["place"] + shared / 2,
        "lead": mine["total"] - rival["total"],
        "verb": verb,
        "score": f"{mine['total']} to {rival['total']}",
    }


def _scores(best: Line, other: Line, me: int) -> Iterator[Reason]:
    """What the players score this round: oneself, and whom it helps and hinders most."""
    gain = of(best, me)["points"] - of(other, me)["points"]
    if gain:
        yield _score(best, other, me, float(gain))
    rivals = [player for player in range(1, len(best.players) + 1) if player != me]
    losses = [(of(other, rival)["points"] - of(best, rival)["points"], rival) for rival in rivals]
    for loss, rival in {max(losses), min(losses)}:
        if loss:
            yield _score(best, other, rival, loss / len(rivals))


def _score(best: Line, other: Line, player: int, weight: float) -> Reason:
    """A player's points in both lines, or his floor where that is what makes the difference."""
    me = best.turns[0]["player"]
    mine, theirs = of(best, player), of(other, player)
    subject = "you" if player == me else opponent(player, len(best.players))
    floor, instead = mine["floor"], theirs["floor"]
    if 2 * abs(floor - instead) >= 3 * abs(mine["wall"] - theirs["wall"]):
        forced = _forced(other, me, own=True)
        if player == me and forced and not _forced(best, me, own=True):
            text = (
                f"you need not drop {spelled(forced['drops'])} {PALETTE.name(forced['color'])} "
                f"({floor} lost on the floor instead of {instead})"
            )
        else:
            verb = "lose" if player == me else "loses"
            lost, otherwise = floor or "nothing", instead or "nothing"
            text = f"{subject} {verb} {lost} on the floor instead of {otherwise}"
        return Reason("floor", player, floor, instead, weight, text)
    text = points(subject, mine["points"], theirs["points"])
    return Reason("points", player, mine["points"], theirs["points"], weight, text)


def _completions(best: Line, other: Line, me: int) -> Iterator[Reason]:
    """Columns and colors that only one of the lines completes."""
    for player in range(1, len(best.players) + 1):
        mine = player == me
        more, fewer = (best, other) if mine else (other, best)
        share = 1 if mine else 1 / (len(best.players) - 1)
        who = opponent(player, len(best.players))
        for kind, bonus, name in _goals(of(more, player), of(fewer, player)):
            text = f"you complete {name}" if mine else f"{who} does not complete {name}"
            yield Reason(kind, player, mine, not mine, float(bonus * share), text)


def _goals(more: Facts, fewer: Facts) -> Iterator[tuple[str, int, str]]:
    """Columns and colors complete in one outcome and not in the other: kind, bonus, name."""
    pairs = zip(more["columns"], fewer["columns"], strict=True)
    for column, (tiles, others) in enumerate(pairs, 1):
        if tiles == LINES > others:
            yield "column", COLUMN_BONUS, f"column {column}"
    for letter, tiles in more["colors"].items():
        if tiles == LINES > fewer["colors"][letter]:
            yield "color", COLOR_BONUS, f"all five {PALETTE.name(letter)}"


def _progress(best: Line, other: Line, me: int) -> Iterator[Reason]:
    """The column and the color that come farthest beyond what the other line makes of them.

    A bonus counts by the square of its share, halved, since what is begun may stay undone.
    """
    mine, theirs = of(best, me), of(other, me)
    columns = [
        (tiles, theirs["columns"][index], f"column {index + 1}")
        for index, tiles in enumerate(mine["columns"])
    ]
    colors = [
        (tiles, theirs["colors"][letter], PALETTE.name(letter))
        for letter, tiles in mine["colors"].items()
    ]
    for kind, bonus, found in (
        ("column progress", COLUMN_BONUS, columns),
        ("color progress", COLOR_BONUS, colors),
    ):
        gains = [
            (bonus * (tiles**2 - less**2) / (2 * LINES**2), tiles, less, name)
            for tiles, less, name in found
            if LINES > tiles > less and tiles > LINES // 2
        ]
        weight, tiles, less, name = max(gains, default=(0.0, 0, 0, ""))
        if weight >= MIN_WEIGHT:
            text = f"you bring {name} to {spelled(tiles)} tiles instead of {spelled(less)}"
            yield Reason(kind, me, tiles, less, weight, text)
