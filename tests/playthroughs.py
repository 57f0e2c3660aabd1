"""Whole random games as text: a change of a rule shows as a difference that a person can read.

They guard against changes that nobody meant, and prove nothing: what is written down is what the
program itself did. Whether that is right, the oracle and the cases from the rulebook say.

``python -m tests.playthroughs`` writes the files anew, after a change that is meant.

A game is the position before its first deal and a list of steps. Each names what happened, a deal
or a move, then what that changed in the position, by the names that faults have, then every
player's points if the game ended now (and what would decide between equal ones), and the legal
moves. ``{F1,C}-B-{2,floor}`` stands for four of them, as in a shell.
"""

from __future__ import annotations

import itertools
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from azul_ai import game, notation, position, rng
from tests.conformance.pair import standings
from tests.playing import VARIANTS, legal_moves, new_state

PLACE = Path(__file__).parent / "data" / "playthroughs"
GAMES = tuple(itertools.product(VARIANTS, (2, 3, 4)))
STAGES = {game.DECISION: "decision", game.DEAL: "deal", game.OVER: "over"}
SEED = 1


def path(variant: str, players: int) -> Path:
    """Where a game is kept."""
    return PLACE / f"{variant}-{players}p.txt"


def playthrough(variant: str, players: int) -> str:
    """The text of a game's random playthrough."""
    return "".join(f"{line}\n" for line in _lines(variant, players))


def _lines(variant: str, players: int) -> Iterator[str]:
    choices, deals = random.Random(SEED), rng.new(SEED)
    state = new_state(variant, players, SEED)
    yield f"{variant}, {players} players, seed {SEED}"
    before = _document(state)
    yield from (f"  {field} = {value}" for field, value in before.items())
    for step in itertools.count(1):
        if state.stage == game.DEAL:
            game.deal_round(state, deals)
            dealt = ",".join(position.from_state(state).factories)
            happened = f"deal {dealt}"
        else:
            move = choices.choice(_names(state))
            happened = f"player {state.mover + 1} plays {move}"
            game.play(state, notation.parse_move(state, move))
        yield f"\n{step}. {happened}"
        after = _document(state)
        yield from _changes(before, after)
        before = after
        yield f"  points if it ended now {_points(state)}"
        if state.stage != game.DECISION:
            yield f"  stage {STAGES[int(state.stage)]}"
        else:
            names = _names(state)
            yield f"  player {state.mover + 1} has {len(names)}: {' '.join(_grouped(names))}"
        if state.stage == game.OVER:
            return


def _document(state: Any) -> dict[str, str]:
    """What the state's position file says, by the names of its innermost fields."""
    return dict(_flat("", position.from_state(state).to_dict()))


def _flat(field: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _flat(f"{field}.{key}" if field else key, part)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _flat(f"{field}[{index}]", part)
    else:
        yield field, json.dumps(value)


def _changes(before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    """What a step changed; a field that is no longer there has the value "-"."""
    for field in dict.fromkeys([*before, *after]):
        if before.get(field) != after.get(field):
            yield f"  {field} = {after.get(field, '-')}"


def _points(state: Any) -> str:
    """Points, end bonuses included, and what decides between equal ones, from the first player."""
    return ", ".join(f"{points} ({tie})" for points, tie in standings(state))


def _names(state: Any) -> list[str]:
    return sorted(notation.format_move(state, move) for move in legal_moves(state))


def _grouped(names: list[str]) -> Iterator[str]:
    """The names, those of one color to the same places from several sources as one word."""
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name in names:
        source, middle, last = (*name.split("-", 2), "", "")[:3]
        places[source, middle].append(last)
    sources: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
    for (source, middle), last in places.items():
        sources[middle, tuple(last)].append(source)
    for (middle, last), several in sources.items():
        parts = (_alternatives(several), middle, _alternatives(list(last)))
        yield "-".join(part for part in parts if part)


def _alternatives(texts: list[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{{{','.join(texts)}}}"


if __name__ == "__main__":
    PLACE.mkdir(exist_ok=True)
    for variant, players in GAMES:
        path(variant, players).write_text(playthrough(variant, players), encoding="ascii")
