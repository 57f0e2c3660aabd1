"""Evaluations: what all of them promise, and the ratings and the policy beside them."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azul_ai import evaluation, game, games, rng
from azul_ai.evaluation import interface, shares
from azul_ai.evaluation.interface import DIFF, POINTS, WIN
from azul_ai.search.greedy import GreedyTask
from azul_ai.search.searcher import Problem
from tests import playing
from tests.playing import VARIANTS, legal_moves, random_states

pytestmark = pytest.mark.nojit

MODELS = [(name, own) for name in games.NAMES for own in evaluation.names(name)]
PLAYERS = (2, 3, 4)

numbers_of_points = st.floats(-100, 300)
spreads = st.floats(0.1, 100)


@functools.cache
def decisions(players: int, last: bool = False, variant: str = "azul") -> list[Any]:
    """Decisions of two random games as their movers see them, one, of Azul, with full floors.

    :param last: only those of the last rounds.
    """
    chosen = []
    for dump in (0.0, 0.5):
        played = list(random_states(players, 21, dump, variant))
        final = played[-1]["round"] if last else 1
        seen = [each for each in played if each.stage == game.DECISION and each["round"] >= final]
        chosen += seen if last else seen[:: 2 * players]
    for state in chosen:
        game.hide_choices(state)  # as a search sees it
    return chosen


def some_moves(state: Any) -> list[int]:
    """Every third legal move."""
    return legal_moves(state)[::3]


def values_after(model: Any, state: Any, moves: list[int]) -> Any:
    """Values if the round ended after each move, shape (moves, players, 3)."""
    return playing.values_after(model, state, moves)[:, : int(state.players)]


def ended(state: Any, move: int) -> Any:
    """The state if the round ended after a move."""
    after = state.copy()
    game.play(after, move)
    if after.stage == game.DECISION:
        game.close_round(after)
    return after


def model_of(state: Any, name: str = evaluation.HANDMADE) -> Any:
    return evaluation.load(games.of(state).NAME, name, int(state.players)).model


# --- models -----------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "own"), MODELS)
def test_a_model_has_a_name_and_a_record_type_of_its_own(name: str, own: str) -> None:
    loaded = evaluation.load(name, own)
    assert loaded.id.startswith(f"{own}-{name}")
    assert isinstance(loaded.model, np.record)
    others = [evaluation.load(*other).model.dtype for other in MODELS if other[1] != own]
    assert loaded.model.dtype not in others


@pytest.mark.parametrize("arguments", [("azul", "oracle"), ("chess", evaluation.HANDMADE)])
def test_there_is_no_other(arguments: tuple[str, str]) -> None:
    with pytest.raises(KeyError):
        evaluation.load(*arguments)


@pytest.mark.parametrize("players", PLAYERS)
def test_values_hang_together(players: int) -> None:
    for state in decisions(players):
        values = values_after(model_of(state), state, some_moves(state))
        assert np.isfinite(values).all()
        win, points, diff = np.moveaxis(values, 2, 0)
        assert (win >= 0).all()
        assert win.sum(axis=1) == pytest.approx(1)
        for player in range(players):
            best = np.delete(points, player, axis=1).max(axis=1)
            # The best of several uncertain numbers is more than each of them is expected to be.
            assert (diff[:, player] <= points[:, player] - best + 1e-9).all()
        if players == 2:
            assert diff[:, 0] == pytest.approx(points[:, 0] - points[:, 1])
            assert diff[:, 1] == pytest.approx(-diff[:, 0])
        # Who is expected to have more points is expected to win more often.
        better = points[:, :, None] > points[:, None, :] + 1e-9
        assert (win[:, :, None] >= win[:, None, :])[better].all()


@pytest.mark.parametrize("players", PLAYERS)
def test_the_end_of_the_game_is_exact(players: int) -> None:
    met = 0
    for state in decisions(players, last=True):
        moves = some_moves(state)
        ends = [ended(state, move) for move in moves]
        values = values_after(model_of(state), state, moves)
        for end, seen in zip(ends, values, strict=True):
            if end.stage == game.OVER:
                exact = interface.new_values()
                interface.exact_values(end, exact)
                assert seen.tolist() == exact[:players].tolist()
                met += 1
    assert met > 20


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_seats_do_not_matter(variant: str, players: int) -> None:
    """Everybody moves on one seat: so do the values."""
    seen = [state for state in decisions(players, variant=variant) if state.presence]
    for state in seen[:: 3 if variant == "azul" else 9]:
        turned = state.copy()
        turned.boards[:players] = np.roll(state.boards[:players], 1)
        for field in ("mover", "start", "holder"):
            if state[field] >= 0:
                turned[field] = (state[field] + 1) % players
        moves = some_moves(state)
        assert some_moves(turned) == moves
        values = values_after(model_of(state), state, moves)
        again = values_after(model_of(state), turned, moves)
        assert again == pytest.approx(np.roll(values, 1, axis=1))


@pytest.mark.parametrize("players", PLAYERS)
def test_points_on_the_track_are_points(players: int) -> None:
    for state in decisions(players)[::3]:
        moves = some_moves(state)
        for board in state.boards:
            board["score"] += 20  # no floor takes anybody below 0
        raised = state.copy()
        raised.boards[0]["score"] += 7
        before = values_after(model_of(state), state, moves)
        after = values_after(model_of(state), raised, moves)
        gained = after - before
        assert gained[:, 0, POINTS] == pytest.approx(7)
        assert gained[:, 1:, POINTS] == pytest.approx(0)
        assert (gained[:, 0, WIN] >= 0).all()
        assert (gained[:, 0, DIFF] > 0).all()


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_outlook_is_the_value_after_the_move(variant: str, players: int) -> None:
    seen = decisions(players, False, variant) + decisions(players, True, variant)
    memo, values = interface.new_memo(model_of(seen[0])), interface.new_values()
    answered = over = 0
    for state in seen if variant == "azul" else seen[::4]:  # uncompiled, the others take long
        moves = some_moves(state)
        expected = values_after(model_of(state), state, moves)
        kept = state.copy()
        for move, value in zip(moves, expected, strict=True):
            if interface.outlook(model_of(state), state, move, memo, values):
                assert values[:players] == pytest.approx(value, rel=1e-12, abs=1e-12)
                answered += 1
                over += ended(state, move).stage == game.OVER
            else:
                assert not values.any()  # nothing is written
            values[:] = 0
        assert state == kept
    if variant.startswith("azul"):  # in Sintra there is no quicker way than to play
        assert answered > 60
        assert over > 2


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_one_ply_player_values_every_move(variant: str) -> None:
    """Whether or not it remembers boards of earlier positions."""
    seen = decisions(4, variant=variant)
    model = model_of(seen[0])
    memo = interface.new_memo(model)
    for state in seen[:: 8 if variant == "azul" else 24]:
        moves = legal_moves(state, distinct=True)
        problem = Problem(state, model, np.array(moves), WIN, seed=1, memory=0)
        for task in (GreedyTask(problem), GreedyTask(problem, memo)):
            assert task.run(0.0)
            found = task.values[:, : int(state.players)]
            assert found == pytest.approx(values_after(model, state, moves), rel=1e-12, abs=1e-12)


# --- from points to shares --------------------------------------------------------------


@given(numbers_of_points, spreads)
def test_chances_to_finish_ahead(lead: float, spread: float) -> None:
    chance = shares.beats(lead, spread)
    assert 0 <= chance <= 1
    assert chance + shares.beats(-lead, spread) == pytest.approx(1)
    assert shares.beats(lead + spread, spread) > chance or chance > 0.999
    assert shares.beats(0.0, spread) == 0.5
    assert shares.beats(spread, spread) == pytest.approx(0.84, abs=0.02)


@given(st.lists(numbers_of_points, min_size=2, max_size=4), spreads)
def test_shares_of_the_win(points: list[float], spread: float) -> None:
    values = interface.new_values()
    values[: len(points), POINTS] = points
    shares.fill_shares(values, len(points), spread)
    win, diff = values[: len(points), WIN], values[: len(points), DIFF]
    assert sum(win) == pytest.approx(1)
    assert np.argsort(win, kind="stable")[-1] in np.flatnonzero(
        np.isclose(points, max(points), rtol=1e-6)
    )
    for player, own in enumerate(points):
        others = points[:player] + points[player + 1 :]
        assert diff[player] <= own - max(others) + 1e-9
        assert diff[player] >= own - max(others) - spread * len(others)
    assert values[len(points) :].tolist() == interface.new_values()[len(points) :].tolist()


def test_of_equals_everybody_has_the_same_share() -> None:
    values = interface.new_values()
    values[:3, POINTS] = 31.5
    shares.fill_shares(values, 3, 12.0)
    assert values[:3, WIN] == pytest.approx(1 / 3)
    assert len(set(values[:3, DIFF])) == 1


# --- what a player maximizes ------------------------------------------------------------


def outcome(win: float, diff: float) -> Any:
    values = interface.new_values()
    values[1] = (win, 0.0, diff)
    return values


@pytest.mark.parametrize(
    ("worse", "better"),
    [
        ((0.0, -50), (0.0, -49)),  # points decide between equal shares
        ((0.0, 240), (0.25, -240)),  # the smallest share outweighs all points
        ((0.25, 0), (1 / 3, -200)),
        ((1 / 3, 0), (0.5, -200)),
        ((0.5, 0), (1.0, 0)),
        ((1.0, 1), (1.0, 2)),
    ],
)
def test_the_win_comes_first(worse: tuple[float, float], better: tuple[float, float]) -> None:
    for call in (interface.utility, interface.python_utility):
        assert call(outcome(*worse), 1, WIN) < call(outcome(*better), 1, WIN)


@pytest.mark.parametrize(
    ("win", "diff", "utility"),
    [(0.5, 12.0, 0.5012), (1.0, 401.0, 1.04), (0.0, -1000.0, -0.04)],
)
def test_utilities(win: float, diff: float, utility: float) -> None:
    for call in (interface.utility, interface.python_utility):
        assert call(outcome(win, diff), 1, WIN) == pytest.approx(utility)
        assert call(outcome(win, diff), 1, DIFF) == diff


# --- ratings and policy -----------------------------------------------------------------


def ratings_of(state: Any, rate: Any = interface.rate_moves) -> dict[int, float]:
    model_of(state)  # with a game's model come its ratings
    moves, ratings = np.zeros(game.MAX_MOVES, dtype=np.int64), np.zeros(game.MAX_MOVES)
    number = rate(state, moves, ratings)
    listed = dict(zip(moves[:number].tolist(), ratings[:number].tolist(), strict=True))
    assert len(listed) == number
    return listed


@pytest.mark.parametrize("players", PLAYERS)
def test_the_distinct_moves_are_rated(players: int) -> None:
    for state in decisions(players):
        rated = ratings_of(state)
        assert sorted(rated) == sorted(legal_moves(state, distinct=True))
        assert np.isfinite(list(rated.values())).all()


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("own", evaluation.names("azul"))
def test_of_last_moves_some_best_one_is_listed(own: str, players: int) -> None:
    memo, fewer = interface.new_memo(evaluation.load("azul", own, players).model), 0
    for state in (decisions(players) + decisions(players, last=True))[::2]:
        model, mover = model_of(state, own), int(state.mover)
        last = ratings_of(state, functools.partial(rate_last, model, memo))
        moves = legal_moves(state, distinct=True)
        assert set(last) <= set(moves)
        found = dict(zip(moves, values_after(model, state, moves), strict=True))
        for objective in (WIN, DIFF):
            utilities = {m: interface.python_utility(found[m], mover, objective) for m in moves}
            best = max(utilities[move] for move in last)
            assert best == pytest.approx(max(utilities.values()), abs=1e-12)
        fewer += len(last) < len(moves)
    assert (fewer > 0) == (own == evaluation.HANDMADE)


def rate_last(model: Any, memo: Any, state: Any, moves: Any, ratings: Any) -> int:
    return int(interface.rate_last_moves(model, state, memo, moves, ratings))


@pytest.mark.parametrize("players", PLAYERS)
def test_the_policy_plays_the_best_rated_moves_to_the_end_of_the_round(players: int) -> None:
    generator = rng.new(1)
    for state in decisions(players)[::2]:
        expected, played = state.copy(), state.copy()
        while expected.stage == game.DECISION:
            rated = ratings_of(expected)
            game.play(expected, max(rated, key=lambda move: rated[move]))
        interface.play_policy(played, generator, 0.0)
        assert played == expected
    assert generator == rng.new(1)


@pytest.mark.parametrize("players", PLAYERS)
def test_noise_makes_other_moves_possible(players: int) -> None:
    state = decisions(players)[0]

    def play(seed: int, noise: float) -> Any:
        played = state.copy()
        interface.play_policy(played, rng.new(seed), noise)
        assert played.stage in {game.DEAL, game.OVER}
        return played

    assert play(1, 3.0) == play(1, 3.0)
    assert len({play(seed, 3.0).tobytes() for seed in range(10)}) > 5
    assert len({play(seed, 0.0).tobytes() for seed in range(10)}) == 1
