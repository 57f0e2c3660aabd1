"""What can be said of a line of Stained Glass of Sintra: words for a move, and reasons."""

from __future__ import annotations

from collections.abc import Iterator

from azul_ai.explain import results
from azul_ai.explain.explanation import Column, Facts, Line, Reason
from azul_ai.explain.palace import BREAKS, PALETTE, outcomes, turn
from azul_ai.explain.results import is_over
from azul_ai.explain.waste import burden, spared
from azul_ai.explain.words import counted_points, joined, opponent, spelled
from azul_ai.games.strips import SPACES

__all__ = ["COLUMNS", "is_over", "opening_words", "outcomes", "reasons", "turn"]

BONUS_WEIGHT = 0.5
"""What a window's bonus now counts before the game ends: it may yet change."""
STRIP_WEIGHT = 4.0
"""What a strip that only has to be finished counts."""
WAITING_WEIGHT = 0.4
GLAZIER_WEIGHT = 0.3
"""Of each strip more that is in reach at the start of the next round."""
MIN_WEIGHT = 0.5
"""Reasons of less weight are not given."""

COLUMNS = (
    Column("Points", lambda facts: f"{facts['points']:+}", number=True),
    Column("Strips", lambda facts: str(facts["scored"]), number=True),
    Column("Glass", lambda facts: str(-facts["glass"]), number=True),
    Column(
        "Completed",
        lambda facts: " ".join(f"{x['strip']} ({x['points']:+})" for x in facts["completed"]),
    ),
    Column("Begun", lambda facts: " ".join(f"{x['strip']} ({x['panes']})" for x in facts["begun"])),
    Column("Bonus", lambda facts: str(facts["bonus"]), number=True),
    Column("Glazier", lambda facts: str(facts["glazier"]), number=True),
)
"""Of the table of outcomes."""


# --- words for the first move -----------------------------------------------------------


def opening_words(best: Line, other: Line | None = None) -> str:
    """What the first move of a line does, and what it forces on an opponent."""
    first = best.turns[0]
    if "color" not in first:
        parts = [f"moves back to strip {first['strip']}"]
    elif first["strip"] is None:
        parts = [f"breaks {BREAKS.tiles(first)}"]
    else:
        parts = [_placing(first)]
        if first["breaks"]:
            parts.append(f"breaks {spelled(first['breaks'])}")
        if first["kept"]:
            parts.append(f"keeps the {PALETTE.name(first['kept'])} pane")
    if first.get("marker"):
        parts.append("takes the starting tile")
    parts += filter(None, [burden(BREAKS, best, other)])
    return joined(parts)


def _placing(done: Facts) -> str:
    """What a move does with a strip."""
    strip, panes = done["strip"], spelled(done["before"] + done["placed"])
    if done["fills"]:
        return f"completes strip {strip} for {counted_points(done['points'])}"
    verb = f"brings strip {strip} to" if done["before"] else f"begins strip {strip} with"
    return f"{verb} {panes} of five"


# --- reasons ----------------------------------------------------------------------------


def reasons(best: Line, other: Line) -> Iterator[Reason]:
    """What speaks for the best move by the end of the round; with negative weights, against it."""
    if best.game_over and other.game_over:
        yield from results.result(best, other)
        return
    yield from _scores(best, other)
    yield from results.next_start(best, other)
    yield from _bonus(best, other)
    yield from _strips(best, other)
    yield from _glazier(best, other)


def _scores(best: Line, other: Line) -> Iterator[Reason]:
    """What the players score and lose: oneself, and whom it helps and hinders most."""
    me = best.mover
    yield from _player(best, other, me, 1.0)
    rivals = [player for player in range(1, len(best.players) + 1) if player != me]
    losses = [(_net(other.of(rival)) - _net(best.of(rival)), rival) for rival in rivals]
    for rival in sorted({max(losses)[1], min(losses)[1]}):
        yield from _player(best, other, rival, -1 / len(rivals))


def _net(facts: Facts) -> int:
    return int(facts["scored"] - facts["glass"])


def _player(best: Line, other: Line, player: int, share: float) -> Iterator[Reason]:
    """What a player's strips score and what he loses by broken glass, in both lines."""
    mine, theirs = best.of(player), other.of(player)
    own = player == best.mover
    who = opponent(player, len(best.players))
    gain, glass = mine["scored"] - theirs["scored"], theirs["glass"] - mine["glass"]
    if gain:
        whose = "your" if own else f"{who}'s"
        text = f"{whose} strips score {_or_nothing(mine['scored'])} this round"
        text += f" instead of {_or_nothing(theirs['scored'])}{_of_the_color(best, other, player)}"
        yield Reason("points", player, mine["scored"], theirs["scored"], share * gain, text)
    if glass:
        amount, instead = _or_nothing(mine["glass"]), _or_nothing(theirs["glass"])
        need_not = spared(BREAKS, best, other) if own else ""
        if need_not:
            text = f"{need_not} ({amount} lost by broken glass instead of {instead})"
        else:
            subject, verb = ("you", "lose") if own else (who, "loses")
            text = f"{subject} {verb} {amount} by broken glass instead of {instead}"
        yield Reason("glass", player, mine["glass"], theirs["glass"], share * glass, text)


def _or_nothing(number: int) -> str:
    return str(number or "nothing")


def _of_the_color(best: Line, other: Line, player: int) -> str:
    """The points for the round's color, where they are most of what makes the difference."""
    facts, theirs = best.of(player), other.of(player)
    more, gain = facts["color_points"] - theirs["color_points"], facts["scored"] - theirs["scored"]
    if more * gain <= 0 or 2 * abs(more) < abs(gain):
        return ""
    mine, instead = facts["color_points"] or "none", theirs["color_points"] or "none"
    return f" ({mine} for the round's {PALETTE.name(facts['round_color'])} instead of {instead})"


def _bonus(best: Line, other: Line) -> Iterator[Reason]:
    """What the mover's windows are worth at the end as they stand."""
    mine, theirs = (line.of(best.mover)["bonus"] for line in (best, other))
    weight = BONUS_WEIGHT * (mine - theirs)
    if abs(weight) >= MIN_WEIGHT:
        text = f"the bonus of your windows stands at {mine} instead of {theirs}"
        yield Reason("bonus", best.mover, mine, theirs, weight, text)


def _strips(best: Line, other: Line) -> Iterator[Reason]:
    """The strip that comes farthest beyond what the other line makes of it, and panes in all.

    A strip counts by the square of its share; one that a line completes is no longer the same.
    """
    me = best.mover
    mine, theirs = (
        {x["strip"]: x["panes"] for x in line.of(me)["begun"]} for line in (best, other)
    )
    changed = {done["strip"] for line in (best, other) for done in line.of(me)["completed"]}
    gains = [
        (STRIP_WEIGHT * (panes**2 - theirs.get(strip, 0) ** 2) / SPACES**2, -strip)
        for strip, panes in mine.items()
        if strip not in changed and panes > theirs.get(strip, 0)
    ]
    weight, strip = max(gains, default=(0.0, 0))
    if weight >= MIN_WEIGHT:
        panes, less = mine[-strip], theirs.get(-strip, 0)
        text = f"you bring strip {-strip} to {spelled(panes)} panes instead of {spelled(less)}"
        yield Reason("strip progress", me, panes, less, weight, text)
    lying, fewer = sum(mine.values()), sum(theirs.values())
    if WAITING_WEIGHT * (lying - fewer) >= MIN_WEIGHT:
        text = f"your strips hold {spelled(lying)} panes instead of {spelled(fewer)}"
        yield Reason("waiting", me, lying, fewer, WAITING_WEIGHT * (lying - fewer), text)


def _glazier(best: Line, other: Line) -> Iterator[Reason]:
    """How far left the mover's glazier stands."""
    mine, theirs = (line.of(best.mover)["glazier"] for line in (best, other))
    weight = GLAZIER_WEIGHT * (theirs - mine)
    if abs(weight) >= MIN_WEIGHT:
        text = f"your glazier stands above strip {mine} instead of strip {theirs}"
        yield Reason("glazier", best.mover, mine, theirs, weight, text)
