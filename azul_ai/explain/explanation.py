"""An explanation: two lines of play, in what they differ, and that in one sentence.

What can be said of a game is in a module of its own, named in the table here. Each statement
is derived from the two lines compared, so it can be checked by replaying them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from azul_ai import games
from azul_ai.explain.lines import Played, PlayingOut
from azul_ai.explain.words import joined

_MODULES = {
    "azul": "azul_ai.explain.azul",
    "azul-gray": "azul_ai.explain.gray",
    "sintra": "azul_ai.explain.sintra",
}
"""By game: a module with turn, is_over, outcomes, opening_words, reasons and COLUMNS."""

Facts = Mapping[str, Any]
"""What is said of a turn, or of what a player has made of the round."""

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
    turns: tuple[Facts, ...]
    players: tuple[Facts, ...]

    @property
    def mover(self) -> int:
        """Whose move is explained."""
        return int(self.turns[0]["player"])

    def of(self, player: int) -> Facts:
        """What a player has made of the round."""
        return self.players[player - 1]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table of outcomes: what is printed of a player's facts."""

    title: str
    text: Callable[[Facts], str]
    number: bool = False


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


def columns(game_name: str) -> Sequence[Column]:
    """The columns in which outcomes of a game are printed.

    :raises KeyError: there are no explanations for this game.
    """
    found: Sequence[Column] = importlib.import_module(_MODULES[game_name]).COLUMNS
    return found


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
    playing_out = PlayingOut(state)
    mine = _line(facts, playing_out.play(best), names[0])
    if not other:
        sentence = f"{names[0]} {facts.opening_words(mine)}; there is no other move."
        return Explanation(mine, None, (), sentence)
    theirs = _line(facts, playing_out.play(other), names[1])
    reasons = tuple(sorted(facts.reasons(mine, theirs), key=lambda reason: -reason.weight))
    return Explanation(mine, theirs, reasons, _sentence(facts, mine, theirs, reasons))


def _line(facts: Any, played: Played, name: str) -> Line:
    """A line with its facts."""
    steps = list(zip(played.states, played.moves, strict=False))
    turns = tuple(facts.turn(state, move) for state, move in steps)
    return Line(
        move=name,
        moves=tuple(turn["move"] for turn in turns),
        searched=played.searched,
        game_over=facts.is_over(played.end),
        next_start=int(played.end["mover"]) + 1,
        turns=turns,
        players=facts.outcomes(played, turns),
    )


def _sentence(facts: Any, best: Line, other: Line, reasons: Sequence[Reason]) -> str:
    """What the best move does, and the weightiest reasons for it."""
    opening = f"{best.move} {facts.opening_words(best, other)}"
    pro = [reason.text for reason in reasons[:REASONS] if reason.weight > 0]
    contra = [reason.text for reason in reasons[-1:] if reason.weight <= PRICE]
    if not pro:
        return f"{opening}; {_no_better(best, other)}."
    price = f", though {contra[0]}" if contra else ""
    return f"{opening}; compared with the line of {other.move}, {joined(pro)}{price}."


def _no_better(best: Line, other: Line) -> str:
    """Where the best move comes to nothing more by the end of the round."""
    if not (best.game_over and other.game_over):
        return f"what it gains over {other.move} comes after this round"
    mine, theirs = (
        [(facts["total"], facts["place"]) for facts in x.players] for x in (best, other)
    )
    if mine == theirs:
        return f"it comes to the same as {other.move}"
    return f"played on as shown here it comes to no more than {other.move}"
