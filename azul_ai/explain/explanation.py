"""An explanation: two lines of play, in what they differ, and that in one sentence.

What can be said of a game is in a module of its own, named in the table here. Each statement
is derived from the two lines compared, so it can be checked by replaying them.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from azul_ai import games, notation
from azul_ai.explain.lines import Played, play_out

_MODULES = {"azul": "azul_ai.explain.azul"}
"""By game: a module with turn, is_over, outcomes, opening_words and reasons."""

REASONS = 3
"""No sentence gives more reasons: the weightiest come first."""
PRICE = -2.0
"""From this weight on, the sentence also says what speaks against the best move."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of play to the end of the round, and what it comes to.

    ``moves``: all of it; the first ``searched`` of them were searched, the rest is the one-ply
    player's. ``turns``: what each move does. ``next_start``: who starts the next round.
    ``players``: what each player has made of the round. The keys of turns and players are those
    of the game's own module.
    """

    move: str
    moves: tuple[str, ...]
    searched: int
    game_over: bool
    next_start: int
    turns: tuple[Mapping[str, Any], ...]
    players: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """Something that speaks for the best move, or against it: then ``weight`` is negative.

    ``player``: whom it is about, from 1; ``best`` and ``other``: the value in each line;
    ``weight``: how much it counts, in points as a rule of thumb; ``text``: a part of a sentence.
    """

    kind: str
    player: int
    best: Any
    other: Any
    weight: float
    text: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why ``best`` rather than ``other`` (None: there is no other move), weightiest first."""

    best: Line
    other: Line | None
    reasons: tuple[Reason, ...]
    sentence: str


def is_available(game_name: str) -> bool:
    """Whether explanations exist for a game."""
    return game_name in _MODULES


def explain(
    state: Any, best: Sequence[int], other: Sequence[int] = (), *, names: Sequence[str]
) -> Explanation:
    """Compare two lines from a state in stage DECISION.

    :param best: the best move and the moves expected after it; ``other``: another one's, or
        nothing if there is no other move.
    :param names: what the two moves are called.
    :raises KeyError: there are no explanations for this game; see :func:`is_available`.
    """
    facts = importlib.import_module(_MODULES[games.of(state).NAME])
    mine = _line(facts, play_out(state, best), names[0])
    if not other:
        sentence = f"{names[0]} {facts.opening_words(mine)}; there is no other move."
        return Explanation(mine, None, (), sentence)
    theirs = _line(facts, play_out(state, other), names[1])
    reasons = tuple(sorted(facts.reasons(mine, theirs), key=lambda reason: -reason.weight))
    return Explanation(mine, theirs, reasons, _sentence(facts, mine, theirs, reasons))


def _line(facts: Any, played: Played, name: str) -> Line:
    """A line with its facts."""
    steps = list(zip(played.states, played.moves, strict=False))
    return Line(
        move=name,
        moves=tuple(notation.format_move(state, move) for state, move in steps),
        searched=played.searched,
        game_over=facts.is_over(played.end),
        next_start=int(played.end["mover"]) + 1,
        turns=tuple(facts.turn(state, move) for state, move in steps),
        players=facts.outcomes(played),
    )


def _sentence(facts: Any, best: Line, other: Line, reasons: Sequence[Reason]) -> str:
    """What the best move does, and the weightiest reasons for it."""
    opening = f"{best.move} {facts.opening_words(best, other)}"
    pro = [reason.text for reason in reasons[:REASONS] if reason.weight > 0]
    contra = [reason.text for reason in reasons[-1:] if reason.weight <= PRICE]
    if not pro:
        return f"{opening}; what it gains over {other.move} comes after this round."
    *most, last = pro
    joined = f"{', '.join(most)} and {last}" if most else last
    price = f", though {contra[0]}" if contra else ""
    return f"{opening}; compared with the line of {other.move}, {joined}{price}."
