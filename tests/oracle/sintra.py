"""Azul: Stained Glass of Sintra, sides A and B, as the rules tell it.

The glass tower is :attr:`Supply.lid`, the starting player tile is the marker. What is printed
on the components (strips, window points, track, ornaments) comes with the position.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tests.oracle import result, supply
from tests.oracle.supply import DEAL, DECISION, MARKER, OVER, Supply

GAME = "sintra"
COLORS = "BYOGP"
JOKER = "*"
PLACES = 8
ROUNDS = 6
TRACK = (0, -1, -2, -4, -6, -8, -11, -14, -18)
ORNAMENTS = ((1, 2), (3, 4), (5, 6), (7, 8))
ORNAMENT_BONUS = {4: 10, 3: 6, 2: 3, 1: 0, 0: 0}


@dataclass
class Strip:
    """A pattern strip: the five spaces of each side, and the panes on the side that is up."""

    front: str
    back: str
    up: str  # "front" or "back"
    filled: list[str | None]

    @property
    def spaces(self) -> str:
        return self.front if self.up == "front" else self.back


@dataclass
class Board:
    """One player's palace board."""

    strips: list[Strip | None]
    windows: list[list[str]]  # up to two panes each, the top one first
    glazier: int = 0  # the place that he stands above
    broken: int = 0  # steps of the marker down the broken glass track
    lost: int = 0  # what reaching the track's end has cost
    score: int = 0  # before the scoring at the end of the game


@dataclass
class State(Supply):
    """A game; one board per player, in seat order."""

    boards: list[Board]
    side: str  # "A" or "B"
    indicator: list[str]  # while a round goes on, its pane comes first
    window_points: Sequence[int]
    track: Sequence[int] = TRACK
    ornaments: Sequence[Sequence[int]] = ORNAMENTS  # pairs of windows, from 1
    clamp: bool = False  # an option: no score below 0
    game: str = GAME

    @property
    def players(self) -> int:
        return len(self.boards)

    @property
    def tower(self) -> Counter[str]:
        return self.lid


# --- the game ---------------------------------------------------------------------------


def new_state(
    players: Sequence[Sequence[tuple[str, str, str]]],
    side: str,
    indicator: Sequence[str],
    window_points: Sequence[int],
    *,
    clamp: bool = False,
) -> State:
    """A new game before the first deal.

    :param players: per player the eight strips from the left: front, back, which is up.
    :param indicator: the panes of the six rounds, which are not in the bag.
    """
    in_bag = supply.all_tiles(COLORS) - Counter(indicator)
    table = supply.opening(len(players), in_bag.elements())
    boards = [
        Board([Strip(*strip, filled=[None] * 5) for strip in strips], [[] for _ in range(PLACES)])
        for strips in players
    ]
    return State(
        **vars(table),
        boards=boards,
        side=side,
        indicator=list(indicator),
        window_points=window_points,
        clamp=clamp,
    )


def copy(state: State) -> State:
    """An independent copy."""
    return replace(
        state,
        displays=[list(display) for display in state.displays],
        center=list(state.center),
        bag=Counter(state.bag),
        lid=Counter(state.lid),
        indicator=list(state.indicator),
        boards=[copy_board(board) for board in state.boards],
    )


def copy_board(board: Board) -> Board:
    return replace(
        board,
        strips=[strip and copy_strip(strip) for strip in board.strips],
        windows=[list(window) for window in board.windows],
    )


def copy_strip(strip: Strip) -> Strip:
    return Strip(strip.front, strip.back, strip.up, list(strip.filled))


def legal_moves(state: State) -> list[str]:
    """All moves of the player to move; displays with the same panes are listed separately."""
    if state.stage != DECISION:
        return []
    board = state.boards[state.mover]
    moves = []
    for source, color in supply.offers(state, COLORS):
        places = strips_that_take(board, color)
        if not places:
            moves.append(f"{source}-{color}-break")
        for place in places:
            move = f"{source}-{color}-{place + 1}"
            if state.side == "B" and completes(state, source, color, place):
                moves += [f"{move}-{kept}" for kept in panes_to_keep(state, source, color, place)]
            else:
                moves.append(move)
    if leftmost_strip(board) not in {None, board.glazier}:
        moves.append("glazier")
    return moves


def play(state: State, move: str) -> State:
    """The state after a move. Taking the last panes ends the round."""
    if move not in legal_moves(state):
        raise ValueError(f"{move} is not legal")
    after = copy(state)
    if move == "glazier":
        move_glazier_back(after)
    else:
        advance_pattern(after, move)
    if supply.table_is_empty(after):
        end_round(after)
    else:
        after.mover = (after.mover + 1) % after.players
    return after


def deal(state: State, displays: list[list[str]]) -> State:
    """The next round, with these panes on the displays; see :func:`supply.deal`."""
    after = copy(state)
    supply.deal(after, displays)
    return after


def deal_random(state: State, rng: random.Random) -> State:
    """The next round, with panes drawn at random."""
    after = copy(state)
    supply.deal_randomly(after, rng)
    return after


def end_round(state: State) -> None:
    """The round's indicator pane goes to the tower; six rounds are the game. In place."""
    state.tower[state.indicator.pop(0)] += 1
    wait_for_deal(state)


def wait_for_deal(state: State) -> None:
    state.mover = supply.next_starter(state)
    state.stage = OVER if state.round == ROUNDS else DEAL


# --- move the glazier back --------------------------------------------------------------


def leftmost_strip(board: Board) -> int | None:
    return next((place for place, strip in enumerate(board.strips) if strip), None)


def move_glazier_back(state: State) -> None:
    board = state.boards[state.mover]
    place = leftmost_strip(board)
    assert place is not None
    board.glazier = place


# --- advance a pattern ------------------------------------------------------------------


def strips_that_take(board: Board, color: str) -> list[int]:
    """The strips at or to the right of the glazier with an empty space for this color."""
    return [
        place
        for place, strip in enumerate(board.strips)
        if place >= board.glazier and strip and spaces_for(strip, color)
    ]


def spaces_for(strip: Strip, color: str) -> list[int]:
    """The empty spaces for this color in the order of filling: jokers last."""
    return [
        space
        for wanted in (color, JOKER)
        for space, printed in enumerate(strip.spaces)
        if printed == wanted and strip.filled[space] is None
    ]


def filled_with(strip: Strip, color: str, number: int) -> list[str | None]:
    """The panes on a strip after as many as fit of ``number`` panes are placed on it."""
    places = spaces_for(strip, color)[:number]
    return [color if space in places else pane for space, pane in enumerate(strip.filled)]


def after_placing(state: State, source: str, color: str, place: int) -> list[str | None]:
    """The panes on one of the mover's strips if he took this color there."""
    tiles = state.center if source == "C" else state.displays[int(source[1:]) - 1]
    strip = state.boards[state.mover].strips[place]
    assert strip is not None
    return filled_with(strip, color, tiles.count(color))


def completes(state: State, source: str, color: str, place: int) -> bool:
    return None not in after_placing(state, source, color, place)


def panes_to_keep(state: State, source: str, color: str, place: int) -> list[str]:
    """The colors on the strip that this move completes."""
    panes = after_placing(state, source, color, place)
    return [kept for kept in COLORS if kept in panes]


def advance_pattern(state: State, move: str) -> None:
    """Take panes of one color, place what fits, break the rest, and score a full strip."""
    source, color, target, *kept = move.split("-")
    board = state.boards[state.mover]
    if supply.takes_marker(state, source):
        state.holder = state.mover
        step_down(state, board)
    number = supply.take(state, source, color)
    if target == "break":
        break_panes(state, board, color, number)
        return
    place = int(target) - 1
    strip = board.strips[place]
    assert strip is not None
    fitting = min(number, len(spaces_for(strip, color)))
    board.glazier = place
    strip.filled = filled_with(strip, color, number)
    break_panes(state, board, color, number - fitting)
    if None not in strip.filled:
        complete_strip(state, board, place, kept[0] if kept else None)


def break_panes(state: State, board: Board, color: str, number: int) -> None:
    """Every broken pane is one step down the track; it goes to the tower."""
    for _ in range(number):
        state.tower[color] += 1
        step_down(state, board)


def step_down(state: State, board: Board) -> None:
    """Reaching the last space costs its value at once; the marker goes back to the top."""
    board.broken += 1
    if board.broken == len(state.track) - 1:
        cost = -state.track[board.broken]
        board.broken = 0
        board.lost += cost
        board.score = subtract(state, board.score, cost)


def subtract(state: State, score: int, cost: int) -> int:
    return max(0, score - cost) if state.clamp else score - cost


def complete_strip(state: State, board: Board, place: int, kept: str | None) -> None:
    """Score a full strip and its window; keep a pane, flip the strip or remove it.

    :param kept: the color of the pane for the window; None (side A, where it has no effect
        on points): one of the most frequent color, among equals the first in color order.
    """
    strip = board.strips[place]
    assert strip is not None
    panes = Counter(pane for pane in strip.filled if pane)
    if kept is None:
        kept = max(COLORS, key=lambda color: panes[color])
    board.score += panes[state.indicator[0]]
    window = board.windows[place]
    window.append(kept)
    state.tower.update(panes - Counter([kept]))
    board.score += state.window_points[place]
    for right in range(place + 1, PLACES):
        if board.windows[right]:
            board.score += state.window_points[right]
    if len(window) == 2:
        board.strips[place] = None
    else:
        strip.up = "back" if strip.up == "front" else "front"
        strip.filled = [None] * 5


# --- the end of the game ----------------------------------------------------------------


def panes_on_strips(board: Board) -> list[str]:
    return [pane for strip in board.strips if strip for pane in strip.filled if pane]


def bonus(state: State, board: Board) -> int:
    """The side's bonus: ornaments on side A, complete windows times a color on side B."""
    if state.side == "A":
        return sum(
            ORNAMENT_BONUS[sum(len(board.windows[window - 1]) for window in around)]
            for around in state.ornaments
        )
    complete = sum(len(window) == 2 for window in board.windows)
    panes = [pane for window in board.windows for pane in window]
    return complete * max(panes.count(color) for color in COLORS)


def final_points(state: State) -> list[int]:
    """Every player's points if the game ended now as the state stands, bonuses included."""
    return [
        subtract(
            state,
            board.score + len(panes_on_strips(board)) // 3,
            -state.track[board.broken],
        )
        + bonus(state, board)
        for board in state.boards
    ]


def standings(state: State) -> list[result.Standing]:
    """Every player's final points, and minus what he lost by broken glass in all."""
    losses = [board.lost - state.track[board.broken] for board in state.boards]
    return [(points, -loss) for points, loss in zip(final_points(state), losses, strict=True)]


def ranking(state: State) -> list[list[int]]:
    return result.ranking(standings(state))


def win_shares(state: State) -> list[float]:
    return result.win_shares(standings(state))


# --- positions --------------------------------------------------------------------------


def from_dict(position: dict[str, Any], *, clamp: bool = False) -> State:
    """The state that a position (keys of the JSON form) describes; no faults are looked for.

    With neither panes on the displays nor in the center, the round is ended if its pane is
    still on the indicator.
    """
    boards = [read_board(player) for player in position["players"]]
    elsewhere = list(position["indicator"])
    for board in boards:
        elsewhere += panes_on_strips(board)
        elsewhere += [pane for window in board.windows for pane in window]
    table = supply.read_supply(position, COLORS, elsewhere)
    state = State(
        **vars(table),
        boards=boards,
        side=position["side"],
        indicator=list(position["indicator"]),
        window_points=position["window_points"],
        track=position.get("track", TRACK),
        ornaments=position.get("ornaments", ORNAMENTS),
        clamp=clamp,
    )
    if not supply.table_is_empty(state):
        if MARKER not in position["center"] and state.holder is None:
            raise ValueError("the starting tile lies nowhere: give next_start")
    elif len(state.indicator) == ROUNDS + 1 - state.round:
        end_round(state)
    else:
        wait_for_deal(state)
    return state


def read_board(player: dict[str, Any]) -> Board:
    strips = [
        Strip(
            strip["front"],
            strip["back"],
            strip["up"],
            [None if pane == "." else pane for pane in strip["filled"]],
        )
        if strip
        else None
        for strip in player["strips"]
    ]
    return Board(
        strips=strips,
        windows=[list(window) for window in player["windows"]],
        glazier=player["glazier"] - 1,
        broken=player["broken"],
        lost=player["lost"],
        score=player["score"],
    )


def to_dict(state: State) -> dict[str, Any]:
    """The position (keys of the JSON form) that describes a state."""
    position = {
        "game": GAME,
        **supply.write_supply(state, COLORS),
        "side": state.side,
        "indicator": "".join(state.indicator),
        "window_points": list(state.window_points),
        "track": list(state.track),
        "ornaments": [list(around) for around in state.ornaments],
    }
    position["tower"] = position.pop("lid")
    if state.holder is not None:
        position["next_start"] = state.holder + 1
    position["players"] = [write_board(board) for board in state.boards]
    return position


def write_board(board: Board) -> dict[str, Any]:
    return {
        "score": board.score,
        "glazier": board.glazier + 1,
        "broken": board.broken,
        "lost": board.lost,
        "windows": ["".join(window) for window in board.windows],
        "strips": [
            {
                "front": strip.front,
                "back": strip.back,
                "up": strip.up,
                "filled": "".join(pane or "." for pane in strip.filled),
            }
            if strip
            else ""
            for strip in board.strips
        ],
    }


def key(state: State) -> tuple[Any, ...]:
    """Equal for states of one round that are the same up to the order of the displays."""
    return (
        state.stage,
        state.mover,
        state.holder,
        tuple(sorted("".join(sorted(display)) for display in state.displays)),
        "".join(sorted(state.center)),
        tuple(board_key(board) for board in state.boards),
    )


def board_key(board: Board) -> tuple[Any, ...]:
    return (
        board.score,
        board.glazier,
        board.broken,
        board.lost,
        tuple(tuple(window) for window in board.windows),
        tuple(
            strip and (strip.front, strip.back, strip.up, tuple(strip.filled))
            for strip in board.strips
        ),
    )
