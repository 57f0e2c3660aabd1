"""Last rounds with known answers, by expectimax: `positions/suite` and cases of the rules.

The answers come from the full search of the plain-Python oracle (`benchmarks/suite.py`), the two
cases were worked out by hand.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from azul_ai import evaluation, notation, position
from azul_ai.evaluation.interface import DIFF, WIN
from azul_ai.search.searcher import Found
from tests.expectimax import problem, search

POSITIONS = Path(__file__).parent.parent / "positions"
SUITE = POSITIONS / "suite" / "last-rounds.jsonl"
TOP = 3
OBJECTIVES = {"win": WIN, "diff": DIFF}


def entries(players: int) -> list[dict[str, Any]]:
    documents = map(json.loads, SUITE.read_text(encoding="utf-8").splitlines())
    return [each for each in documents if len(next(iter(each["diff"].values()))) == players]


def solve(state: Any, objective: int, model: str) -> Found:
    return search(problem(state, model, objective=objective, top=TOP))


def test_there_are_enough_for_every_number_of_players() -> None:
    numbers = {players: len(entries(players)) for players in (2, 3, 4)}
    assert min(numbers.values()) >= 40
    assert sum(numbers.values()) >= 150


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_best_move_is_found_with_its_exact_value(players: int, objective: str) -> None:
    for entry in entries(players):
        state = position.to_state(position.load(entry["position"]))
        mover = int(state["mover"])
        worths = {move: each[mover] for move, each in entry[objective].items()}
        found = solve(state, OBJECTIVES[objective], evaluation.HANDMADE)
        names = [notation.format_move(state, row.move) for row in found.moves]
        assert set(names) == set(worths)
        assert worths[names[0]] == max(worths.values())
        for name, row in zip(names[:TOP], found.moves, strict=False):
            assert row.exact
            assert row.proven
            share, points = row.values[mover][[WIN, DIFF]]
            stated = [share, points] if objective == "win" else points
            assert stated == pytest.approx(worths[name], abs=1e-6)


def values(name: str, model: str) -> dict[str, float]:
    """The mover's difference for the moves that need true values."""
    state = position.to_state(position.load(str(POSITIONS / f"{name}.toml")))
    found = solve(state, DIFF, model)
    return {
        notation.format_move(state, row.move): float(row.values[int(state["mover"])][DIFF])
        for row in found.moves
        if row.exact
    }


def test_case_f01_who_must_take_the_rest_of_the_center() -> None:
    expected = {"C-Y-floor": 9 - 0, "C-K-floor": 4 - 5}
    assert values("poisoned-center-F01", evaluation.SCORE) == expected


def test_case_f03_the_bonuses_of_the_end_decide() -> None:
    found = values("last-round-F03", evaluation.HANDMADE)
    best, *others = found.items()
    assert best == ("F1-R-5", 65 - 57)
    assert [difference for _, difference in others] == [-2, -2]
