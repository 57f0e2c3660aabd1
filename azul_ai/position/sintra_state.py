"""Between a Sintra position and the packed record that the rules and searches work on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from azul_ai import game
from azul_ai.games import palace, sintra, strips
from azul_ai.games.components import Prints
from azul_ai.games.palace import PLACES, SIDES, WINDOW
from azul_ai.games.rounds import IN_CENTER
from azul_ai.games.strips import PANE, PANE_MASK, SPACES
from azul_ai.position import records, table
from azul_ai.position.sintra_facts import (
    EMPTY,
    KIND,
    LETTERS,
    PRINTS,
    ROUNDS,
    implied_start,
    is_over,
)
from azul_ai.position.sintra_model import BACK, FRONT, Palace, SintraPosition, Strip
from azul_ai.position.table import Phase
from azul_ai.position.words import MARKER


def to_state(position: SintraPosition) -> game.State:
    """The record of a valid position in normal form, a finished round ended."""
    state = palace.blank_state(len(position.players), position.side, position.prints)
    records.write(state, position, KIND)
    state.clamp = position.clamp
    state.indicator = _fields(position.indicator, LETTERS)
    state.holder = _holder(position)
    state.start = implied_start(position) if position.start is None else position.start - 1
    for index, player in enumerate(position.players):
        _write_board(state.boards[index], player)
    match KIND.phase(position):
        case Phase.DRAFTING:
            state.stage = game.DECISION
        case Phase.TILING:
            game.close_round(state)
        case Phase.SETTLED:
            state.stage = game.OVER if is_over(position) else game.DEAL
    return state


def _holder(position: SintraPosition) -> int:
    """Who has the starting tile; between rounds, whoever starts the next."""
    if MARKER in position.center:
        return IN_CENTER
    return (position.next_start or position.to_move) - 1


def _write_board(board: Any, player: Palace) -> None:
    """Fill one board's words."""
    for place, strip in enumerate(player.strips):
        if strip:
            word = palace.encode_strip(
                strip.front, strip.back, LETTERS, back_up=strip.up == BACK, panes=strip.filled
            )
            board["strips"][place] = word
    board["windows"] = sum(
        _fields(panes, LETTERS) << WINDOW * place for place, panes in enumerate(player.windows)
    )
    board["takes"] = palace.all_takes(board)
    board["glazier"], board["score"] = player.glazier - 1, player.score
    board["broken"], board["lost"] = player.broken, player.lost


def _fields(signs: str, known: str) -> int:
    """Signs as 3-bit fields from the left, 0 for nothing."""
    return sum(known.index(sign) + 1 << PANE * place for place, sign in enumerate(signs))


def _signs(word: int, known: str, number: int) -> str:
    """The texts of 3-bit fields; ``known`` begins with the sign for 0."""
    return "".join(known[word >> PANE * place & PANE_MASK] for place in range(number))


def from_state(state: game.State, names: Sequence[str] = ()) -> SintraPosition:
    """The position of a record."""
    number = int(state.players)
    marker = MARKER if state.holder == IN_CENTER else ""
    names = [*names, *[""] * number]
    position = SintraPosition(
        game=sintra.NAME,
        players=tuple(_read_board(state.boards[index], names[index]) for index in range(number)),
        side=SIDES[int(state.side_b)],
        clamp=bool(state.clamp),
        indicator=_text(int(state.indicator), ROUNDS),
        prints=_read_prints(state),
        **records.read(state, LETTERS),
    )
    position = replace(position, center=position.center + marker)
    if state.stage == game.DECISION and not marker:
        position = replace(position, next_start=int(state.holder) + 1)
    if state.start != implied_start(position):
        position = replace(position, start=int(state.start) + 1)
    return replace(position, warnings=table.warnings(position, KIND))


def _read_prints(state: Any) -> Prints:
    """What is printed on the boards."""
    return Prints(
        window_points=tuple(map(int, state.window_points)),
        track=tuple(map(int, state.track)),
        ornaments=tuple(
            tuple(place + 1 for place in range(PLACES) if int(around) >> place & 1)
            for around in state.ornaments
        ),
    )


def _text(word: int, most: int) -> str:
    """At most so many panes."""
    return _signs(word, EMPTY + LETTERS, most).rstrip(EMPTY)


def _read_board(board: Any, name: str) -> Palace:
    """One board's texts."""
    windows = int(board["windows"])
    return Palace(
        name=name,
        score=int(board["score"]),
        glazier=int(board["glazier"]) + 1,
        broken=int(board["broken"]),
        lost=int(board["lost"]),
        windows=tuple(
            _text(windows >> WINDOW * place & palace.WINDOW_MASK, 2) for place in range(PLACES)
        ),
        strips=tuple(_read_strip(int(strip)) for strip in board["strips"]),
    )


def _read_strip(word: int) -> Strip | None:
    if not word:
        return None
    filled, up, down = (
        _signs(word >> strips.SIDE * part, EMPTY + PRINTS, SPACES) for part in range(3)
    )
    if word & strips.BACK_UP:
        return Strip(down, up, BACK, filled)
    return Strip(up, down, FRONT, filled)
