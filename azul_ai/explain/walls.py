"""What a round of Azul comes to, with either wall: facts, and what two lines differ in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from azul_ai import game
from azul_ai.explain import results
from azul_ai.explain.drafting import DROPS, PALETTE, begun
from azul_ai.explain.explanation import Column, Facts, Line, Reason
from azul_ai.explain.lines import Played
from azul_ai.explain.waste import spared
from azul_ai.explain.words import opponent, points, spelled
from azul_ai.games.walls import COLOR_BONUS, COLUMN_BONUS, FULL_COLUMN, ROW_MASK, SIZE

_LIFT = 1000
"""Added to scores, so that no floor brings them down to 0 and hides what the wall scored."""

WAITING_WEIGHT = 0.4
MIN_WEIGHT = 0.5
"""Reasons of less weight are not given."""

COLUMNS = (
    Column("Points", lambda facts: f"{facts['points']:+}", number=True),
    Column("Wall", lambda facts: str(facts["wall"]), number=True),
    Column("Floor", lambda facts: str(-facts["floor"]), number=True),
    Column(
        "Lines completed", lambda facts: " ".join(str(done["line"]) for done in facts["completed"])
    ),
    Column(
        "Lines begun",
        lambda facts: " ".join(f"{x['line']} ({x['tiles']}{x['color']})" for x in facts["begun"]),
    ),
)
"""Of the table of outcomes."""

# --- facts ------------------------------------------------------------------------------


def outcomes(played: Played, cells_of: Callable[[Any], Sequence[int]]) -> list[dict[str, Any]]:
    """What each player has made of the round.

    ``points``: how the score track changed; ``wall``: points for placed tiles; ``floor``: the
    penalty as printed; ``completed``: lines placed; ``begun``: lines that stay; ``rows``,
    ``columns``: tiles in each; ``colors``: tiles by color; ``total``: the score, with the end
    bonuses if the game is over; ``place``: from 1 then, shared by equals, else None.

    :param cells_of: the wall's cells of each color, from a board.
    """
    start, last, end = played.states[0], played.states[-2], played.end
    lifted = last.copy()
    lifted["boards"]["score"] += _LIFT
    game.play(lifted, played.moves[-1])
    over = results.is_over(end)
    totals, places = results.standings(end)
    found = []
    for player in range(int(end["players"])):
        board, before = end["boards"][player], start["boards"][player]
        gained = int(lifted["boards"][player]["score"] - last["boards"][player]["score"]) - _LIFT
        wall, old = int(board["wall"]), int(before["wall"])
        cells = [int(word) for word in cells_of(board)]
        placed = list(_completed(wall & ~old, cells))
        scored = _placement_points(old, placed)
        found.append(
            {
                "player": player + 1,
                "points": int(board["score"] - before["score"]),
                "wall": scored,
                "floor": scored - gained,
                "completed": placed,
                "begun": begun(int(board["lines"])),
                "rows": [_count(wall, ROW_MASK << SIZE * index) for index in range(SIZE)],
                "columns": [_count(wall, FULL_COLUMN << index) for index in range(SIZE)],
                "colors": {
                    letter: word.bit_count()
                    for letter, word in zip(PALETTE.letters, cells, strict=True)
                },
                "total": totals[player] if over else int(board["score"]),
                "place": places[player] if over else None,
            }
        )
    return found


def _completed(placed: int, cells: Sequence[int]) -> Iterator[dict[str, Any]]:
    """The lines whose tiles were placed on a wall, by the wall's new cells."""
    for row in range(SIZE):
        for column in range(SIZE):
            cell = 1 << SIZE * row + column
            if placed & cell:
                color = next(color for color, word in enumerate(cells) if word & cell)
                letter = PALETTE.letters[color]
                yield {"line": row + 1, "color": letter, "column": column + 1}


def _placement_points(wall: int, placed: Sequence[Facts]) -> int:
    """Points for tiles placed one after the other."""
    total = 0
    for done in placed:
        row, column = done["line"] - 1, done["column"] - 1
        wall |= 1 << SIZE * row + column
        total += cell_points(wall, row, column)
    return total


def cell_points(wall: int, row: int, column: int) -> int:
    """Points for the tile in a cell, which the wall already holds: the runs through it."""

    def run(down: int, right: int) -> int:
        length = 1
        for way in (-1, 1):
            r, c = row + way * down, column + way * right
            while 0 <= r < SIZE and 0 <= c < SIZE and wall >> SIZE * r + c & 1:
                length, r, c = length + 1, r + way * down, c + way * right
        return length

    return sum(length for length in (run(0, 1), run(1, 0)) if length > 1) or 1


def _count(wall: int, cells: int) -> int:
    return (wall & cells).bit_count()


# --- reasons ----------------------------------------------------------------------------


def reasons(best: Line, other: Line) -> Iterator[Reason]:
    """What speaks for the best move by the end of the round; with negative weights, against it."""
    me = best.mover
    if best.game_over and other.game_over:
        yield from results.result(best, other)
        return
    yield from results.ending(best, other)
    yield from _scores(best, other)
    yield from results.next_start(best, other)
    yield from _completions(best, other)
    yield from _progress(best, other)
    waiting, less = (sum(line["tiles"] for line in x.of(me)["begun"]) for x in (best, other))
    if WAITING_WEIGHT * (waiting - less) >= MIN_WEIGHT:
        text = f"you keep {spelled(waiting)} tiles in your lines instead of {spelled(less)}"
        yield Reason("waiting", me, waiting, less, WAITING_WEIGHT * (waiting - less), text)


def _scores(best: Line, other: Line) -> Iterator[Reason]:
    """What the players score this round: oneself, and whom it helps and hinders most."""
    me = best.mover
    gain = best.of(me)["points"] - other.of(me)["points"]
    if gain:
        yield _score(best, other, me, float(gain))
    rivals = [player for player in range(1, len(best.players) + 1) if player != me]
    losses = [(other.of(rival)["points"] - best.of(rival)["points"], rival) for rival in rivals]
    for loss, rival in {max(losses), min(losses)}:
        if loss:
            yield _score(best, other, rival, loss / len(rivals))


def _score(best: Line, other: Line, player: int, weight: float) -> Reason:
    """A player's points in both lines, or his floor where that is what makes the difference."""
    mine, theirs = best.of(player), other.of(player)
    own = player == best.mover
    subject = "you" if own else opponent(player, len(best.players))
    floor, instead = mine["floor"], theirs["floor"]
    if 2 * abs(floor - instead) >= 3 * abs(mine["wall"] - theirs["wall"]):
        need_not = spared(DROPS, best, other) if own else ""
        if need_not:
            text = f"{need_not} ({floor} lost on the floor instead of {instead})"
        else:
            verb = "lose" if own else "loses"
            lost, otherwise = floor or "nothing", instead or "nothing"
            text = f"{subject} {verb} {lost} on the floor instead of {otherwise}"
        return Reason("floor", player, floor, instead, weight, text)
    text = points(subject, mine["points"], theirs["points"])
    return Reason("points", player, mine["points"], theirs["points"], weight, text)


def _completions(best: Line, other: Line) -> Iterator[Reason]:
    """Columns and colors that only one of the lines completes."""
    for player in range(1, len(best.players) + 1):
        mine = player == best.mover
        more, fewer = (best, other) if mine else (other, best)
        share = 1 if mine else 1 / (len(best.players) - 1)
        who = opponent(player, len(best.players))
        for kind, bonus, name in _goals(more.of(player), fewer.of(player)):
            text = f"you complete {name}" if mine else f"{who} does not complete {name}"
            yield Reason(kind, player, mine, not mine, float(bonus * share), text)


def _goals(more: Facts, fewer: Facts) -> Iterator[tuple[str, int, str]]:
    """Columns and colors complete in one outcome and not in the other: kind, bonus, name."""
    pairs = zip(more["columns"], fewer["columns"], strict=True)
    for column, (tiles, others) in enumerate(pairs, 1):
        if tiles == SIZE > others:
            yield "column", COLUMN_BONUS, f"column {column}"
    for letter, tiles in more["colors"].items():
        if tiles == SIZE > fewer["colors"][letter]:
            yield "color", COLOR_BONUS, f"all five {PALETTE.name(letter)}"


def _progress(best: Line, other: Line) -> Iterator[Reason]:
    """The column and the color that come farthest beyond what the other line makes of them.

    A bonus counts by the square of its share, halved, since what is begun may stay undone.
    """
    mine, theirs = best.of(best.mover), other.of(best.mover)
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
            (bonus * (tiles**2 - less**2) / (2 * SIZE**2), tiles, less, name)
            for tiles, less, name in found
            if SIZE > tiles > less and tiles > SIZE // 2
        ]
        weight, tiles, less, name = max(gains, default=(0.0, 0, 0, ""))
        if weight >= MIN_WEIGHT:
            text = f"you bring {name} to {spelled(tiles)} tiles instead of {spelled(less)}"
            yield Reason(kind, best.mover, tiles, less, weight, text)
