"""Errors that analyses state: where they come from, when there are none, what they decide."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import azul_ai
from azul_ai import calibration, games
from azul_ai.analysis import Analysis
from azul_ai.calibration import Errors, Subject
from azul_ai.engine import Player
from azul_ai.evaluation.interface import WIN
from azul_ai.position import to_state
from azul_ai.settings import Limit, make_searcher, split_settings

POSITIONS = Path(__file__).parent.parent / "positions"
VALUES = {"win": 0.6, "diff": 4.0, "lead": 0.02}
SUBJECT = Subject(visits=200, budget=1000, moves=40, round=2, depth=3, values=VALUES, earlier=())


def ask(name: str = "opening-2p", **request: Any) -> Analysis:
    given = {"engine": "ismcts", "limit": Limit(iterations=400), **request}
    found: Analysis = azul_ai.analyze(azul_ai.load(str(POSITIONS / f"{name}.toml")), **given)
    return found


def only(**weights: float) -> Errors:
    """Errors made of a few terms."""
    row = [weights.get(name.replace(" ", "_"), 0.0) for name in calibration.TERMS]
    return Errors({"lead": row}, {"lead": 100.0}, plies=0.0, largest=4000)


def test_an_error_is_the_exponential_of_its_terms() -> None:
    """Worked by hand: 2 for any search, and a fifth power of the visits."""
    assert only(one=math.log(2)).of("lead", SUBJECT) == pytest.approx(2)
    assert only(visits=-1).of("lead", SUBJECT) == pytest.approx(200 ** (-1 / 5))


def test_the_change_since_earlier_stages_counts() -> None:
    """The largest of the changes of a column, in units of its resolution."""
    earlier = [None, {"win": 0.6, "diff": 4.0}, {"win": 0.6, "diff": 4.0, "lead": 0.08}]
    changed = dataclasses.replace(SUBJECT, earlier=earlier)
    assert only(change=2.0).of("lead", changed) == pytest.approx(0.06 / 0.001 + 3)
    assert only(no_change_known=math.log(5)).of("lead", changed) == pytest.approx(1)
    assert only(no_change_known=math.log(5)).of("lead", SUBJECT) == pytest.approx(5)


def test_no_error_is_larger_than_the_largest() -> None:
    assert only(one=50.0).of("lead", SUBJECT) == 100


def test_earlier_values_are_those_of_a_shorter_search() -> None:
    """The same seed makes a shorter search the beginning of a longer one."""
    state = to_state(azul_ai.load(str(POSITIONS / "opening-2p.toml")))
    for name, long, short in (
        ("expectimax", Limit(depth=5), Limit(depth=4)),  # both prefer the same move
        ("ismcts", Limit(iterations=700), Limit(iterations=330)),  # 16, 22, 31, 43 … 330
    ):
        found, before = (Player("azul", name, limit).search(state, 1) for limit in (long, short))
        best = found.moves[0]
        same = next(move for move in before.moves if move.move == best.move)
        assert np.array_equal(best.earlier[0], same.values)
        known = calibration.subject(state, WIN, found, best)
        assert known.earlier[0]["win"] == same.values[0, WIN]  # type: ignore[index]


def test_beyond_what_was_measured_no_error_grows_with_the_budget() -> None:
    grows, falls = only(budget=1.0), only(budget=-1.0)
    budgets = (4000, 400_000)
    at, beyond = (dataclasses.replace(SUBJECT, budget=budget) for budget in budgets)
    assert grows.of("lead", beyond) == pytest.approx(grows.of("lead", at))
    assert falls.of("lead", beyond) == pytest.approx(falls.of("lead", at) * 100 ** (-1 / 5))


def test_more_budget_is_counted_until_the_error_is_small_enough() -> None:
    errors = only(one=0.0, budget=-2.5)  # falls with the square root of the budget
    now = errors.of("lead", SUBJECT)
    assert errors.more_budget("lead", SUBJECT, now / 3) == pytest.approx(9)
    assert errors.more_budget("lead", SUBJECT, now / 1e6) is None
    assert only(one=0.0).more_budget("lead", SUBJECT, 0.5) is None


@pytest.mark.parametrize("game", games.NAMES)
@pytest.mark.parametrize("name", ["ismcts", "expectimax"])
def test_the_data_fits_the_default_settings(game: str, name: str) -> None:
    for players in (2, 3, 4):
        settings, evaluation = split_settings(game, {}, players)
        fits = calibration.fingerprint(make_searcher(name, settings), evaluation)
        errors = calibration.load(game, name, "win", players, fits)
        assert errors is not None
        for column in calibration.COLUMNS:
            assert 0 < errors.of(column, SUBJECT) <= errors.most[column]
        assert 0 < errors.most["win"] <= 0.5
        assert calibration.load(game, name, "win", players, "00000000") is None


def test_errors_are_stated_and_moves_within_two_share_the_rank() -> None:
    found = ask()
    first, second = found.moves[:2]
    assert found.root.win_se == first.win_se
    assert 0 < first.win_se < 0.5  # type: ignore[operator]
    assert first.loss_se == 0 < second.loss_se  # type: ignore[operator]
    assert not any("calibrated" in warning for warning in found.warnings)
    close = second.loss <= 2 * second.loss_se  # type: ignore[operator]
    assert (found.advice is not None) == close
    if found.advice:
        assert f"{first.move} and {second.move} are not told apart" in found.advice


@pytest.mark.parametrize(
    "request_",
    [{"settings": {"exploration": "0.3"}}, {"settings": {"leaf": "static"}}],
)
def test_other_settings_have_no_errors_and_a_warning(request_: dict[str, Any]) -> None:
    found = ask(**request_)
    assert {move.win_se for move in found.moves} == {found.root.diff_se} == {None}
    assert any("not calibrated" in warning for warning in found.warnings)
    assert found.advice is None


def test_what_is_proven_or_complete_has_no_error() -> None:
    proven = ask("last-round-F03", engine="expectimax", limit=Limit(depth=20))
    assert (
        {move.win_se for move in proven.moves} == {move.loss_se for move in proven.moves} == {0.0}
    )
    complete = ask("poisoned-center-F01", engine="expectimax", limit=Limit(depth=20))
    assert {move.win_se for move in complete.moves} == {0.0}


def test_a_bound_has_no_error() -> None:
    found = ask(engine="expectimax", limit=Limit(depth=2), top=500)
    exact = ask(engine="expectimax", limit=Limit(depth=2), top=1, show=("F1-B-5",))
    assert all(move.win_se for move in found.moves)
    assert exact.moves[1].bound == "upper"
    assert exact.moves[1].win_se is exact.moves[1].loss_se is None
