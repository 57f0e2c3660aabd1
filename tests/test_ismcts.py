"""ISMCTS: repeatable, bounded, legal, consistent, and right in the long run."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from azul_ai import game, games, notation, position, rng
from azul_ai.evaluation.interface import DIFF, POINTS, WIN
from azul_ai.games.pattern_lines import FLOOR
from azul_ai.games.supply import COLORS, TILES_PER_COLOR
from azul_ai.search import tree
from azul_ai.search.ismcts import Ismcts, IsmctsTask
from azul_ai.search.iteration import LEAVES
from azul_ai.search.searcher import Found, Problem
from azul_ai.search.tree import ROOT
from tests.oracle import games as oracles
from tests.oracle import solve, supply
from tests.playing import legal_moves, random_states
from tests.test_tree import assert_partition
from tests.trees import LAST_PICKS, problem_of, searched, state_of

PLAYERS = (2, 3, 4)


@functools.cache
def decisions(players: int) -> list[Any]:
    """The decisions of one random game."""
    return [state for state in random_states(players, 41) if state.stage == game.DECISION]


def middle(players: int) -> Any:
    """A decision among many moves in the third round."""
    return next(
        state for state in decisions(players) if state["round"] == 3 and moves_left(state) <= 10
    )


def moves_left(state: Any) -> int:
    """The most decisions that the round may still take."""
    return int(state["presence"]).bit_count()


def found(settings: Ismcts, problem: Problem, threads: int = 1) -> Found:
    """What a search finds in which the threads' tasks run one after the other."""
    tasks = settings.begin(problem, threads)
    for task in tasks:
        while not task.run(10.0):
            pass
    return settings.found(problem, tasks)


def summary(result: Found) -> Any:
    """All that was found, comparable."""
    return [(m.move, m.values.tolist(), m.visits, m.depth, m.pv) for m in result.moves]


# --- repeatable -------------------------------------------------------------------------


@pytest.mark.nojit
@pytest.mark.parametrize("horizon", [0, 1])
def test_the_cut_into_slices_changes_nothing(horizon: int) -> None:
    settings = Ismcts(horizon=horizon)
    problem = problem_of(middle(2), 300 if horizon == 0 else 60)
    whole = searched(settings, problem)
    (cut,) = settings.begin(problem, 1)
    slices = itertools.cycle([0.0, 1e-3, 1e-9, 0.01])
    while not cut.run(next(slices)):
        pass
    assert cut.nodes == whole.nodes == problem.iterations
    assert cut.nodes_array.tobytes() == whole.nodes_array.tobytes()
    assert cut.sums.tolist() == whole.sums.tolist()


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("threads", [1, 3])
def test_the_seed_decides(players: int, threads: int) -> None:
    one, again, other = (
        summary(found(Ismcts(), problem_of(middle(players), 2000, seed=seed), threads))
        for seed in (5, 5, 6)
    )
    assert one == again
    assert one != other


def test_every_thread_has_its_own_random_numbers() -> None:
    problem = problem_of(middle(2), 2001)
    tasks = Ismcts().begin(problem, 2)
    for task in reversed(tasks):  # in whatever order they run
        while not task.run(10.0):
            pass
    assert [task.nodes for task in tasks] == [1001, 1000]  # the remainder to the first
    first, second = (task.root_visits().tolist() for task in tasks)
    assert first != second
    assert summary(Ismcts().found(problem, tasks)) == summary(found(Ismcts(), problem, 2))


def test_threads_are_summed_up() -> None:
    problem = problem_of(middle(3), 3000)
    tasks = Ismcts().begin(problem, 3)
    for task in tasks:
        while not task.run(10.0):
            pass
    result = Ismcts().found(problem, tasks)
    assert result.nodes == sum(move.visits for move in result.moves) == 3000
    for move in result.moves:
        index = problem.moves.tolist().index(move.move)
        assert move.visits == sum(task.root_visits()[index] for task in tasks)
        sums = sum(task.sums[index, :3] for task in tasks)
        assert move.values == pytest.approx(sums / max(1, move.visits))


def test_a_search_leaves_the_position_alone() -> None:
    state = middle(2).copy()
    found(Ismcts(horizon=1), problem_of(state, 50))
    assert state == middle(2)


def test_what_the_referee_draws_next_changes_no_move_before() -> None:
    """Two referees with other tiles to come: the moves of the round are the same."""

    def round_of_moves(seed: int) -> tuple[list[int], Any]:
        state, moves = games.load("azul").new_state(2), []
        game.deal_round(state, rng.new(1))
        while state.stage == game.DECISION:
            result = found(Ismcts(horizon=1), problem_of(state, 60))
            moves.append(result.moves[0].move)
            game.play(state, moves[-1])
        game.deal_round(state, rng.new(seed))
        return moves, state

    one, other = round_of_moves(2), round_of_moves(3)
    assert one[0] == other[0]
    assert one[1] != other[1]


# --- bounded ----------------------------------------------------------------------------


@pytest.mark.nojit
@pytest.mark.parametrize("horizon", [0, 1])
def test_a_tree_without_room_goes_on_searching(horizon: int) -> None:
    state = middle(2)
    roots = len(legal_moves(state, distinct=True))
    memory = (6 * roots) * tree.NODE.itemsize
    iterations = 20 * roots
    problem = problem_of(state, iterations, memory=memory)
    task = searched(Ismcts(horizon=horizon), problem)
    assert len(task.nodes_array) * tree.NODE.itemsize <= memory
    assert task.memory() <= memory
    assert task.root_visits().sum() == task.nodes_array[ROOT]["visits"] == iterations
    assert_partition(task.nodes_array, task.arguments[4][0])
    free = searched(Ismcts(horizon=horizon), problem_of(state, iterations))
    assert free.memory() > task.memory()


def test_memory_is_shared_by_the_threads() -> None:
    problem = problem_of(middle(2), 100_000, memory=1 << 20)
    tasks = Ismcts().begin(problem, 4)
    assert sum(task.nodes_array.nbytes for task in tasks) <= 1 << 20


def test_a_position_with_many_moves_fits_whatever_the_memory() -> None:
    problem = problem_of(decisions(4)[0], 5, memory=1)
    assert sum(move.visits for move in found(Ismcts(), problem).moves) == 5


# --- legal and consistent ---------------------------------------------------------------


@pytest.mark.nojit
@pytest.mark.parametrize("horizon", [0, 1, 2])
@pytest.mark.parametrize("leaf", LEAVES)
@pytest.mark.parametrize("players", PLAYERS)
def test_values_hang_together(players: int, leaf: str, horizon: int) -> None:
    """Late in a round, so that the tree gets past its end."""
    late = [state for state in decisions(players) if 4 <= len(legal_moves(state)) <= 12]
    for objective, state in zip((WIN, DIFF), late[-2:], strict=True):
        settings = Ismcts(leaf=leaf, horizon=horizon)
        iterations = 40
        result = found(settings, problem_of(state, iterations, objective=objective))
        assert sum(move.visits for move in result.moves) == iterations
        visits = [move.visits for move in result.moves]
        assert visits == sorted(visits, reverse=True)
        for move in result.moves:
            assert move.values.shape == (players, 3)
            if move.visits:
                assert move.values[:, WIN].sum() == pytest.approx(1)
                assert (move.values[:, WIN] >= 0).all()
            if players == 2:
                assert move.values[0, DIFF] == pytest.approx(-move.values[1, DIFF])
                points = move.values[:, POINTS]
                assert move.values[0, DIFF] == pytest.approx(points[0] - points[1])


@pytest.mark.parametrize("players", PLAYERS)
def test_lines_of_play_are_legal(players: int) -> None:
    state = middle(players)
    result = found(Ismcts(), problem_of(state, 5000))
    assert max(move.depth for move in result.moves) > 3
    for move in result.moves:
        assert move.pv[0] == move.move
        assert move.depth == len(move.pv)
        played = state.copy()
        for ply in move.pv:
            assert played.stage == game.DECISION
            assert ply in legal_moves(played)
            game.play(played, ply)


def test_only_the_candidates_are_searched() -> None:
    whole = problem_of(middle(2), 200)
    chosen = whole.moves[::3].copy()
    problem = Problem(whole.state, whole.model, chosen, WIN, 1, 1 << 20, iterations=200)
    result = found(Ismcts(), problem)
    assert {move.move for move in result.moves} == set(chosen.tolist())
    assert sum(move.visits for move in result.moves) == 200


@pytest.mark.nojit
@pytest.mark.parametrize("players", PLAYERS)
def test_past_a_deal_nodes_say_what_moves_mean(players: int) -> None:
    """Keys of moves; a node is visited at most as often as its move was legal."""
    late = [state for state in decisions(players) if len(legal_moves(state)) <= 6]
    state = late[len(late) // 2]
    task = searched(Ismcts(horizon=1), problem_of(state, 100))
    keys = 0
    for parent in past_the_deal(task, state):
        node = task.nodes_array[parent]
        children = task.nodes_array[node["first"] : node["first"] + node["children"]]
        assert len(set(children["move"].tolist())) == len(children)
        for child in children:
            tiles, marker = int(child["move"]) >> 7, int(child["move"]) >> 6 & 1
            color, line = int(child["move"]) >> 3 & 7, int(child["move"]) & 7
            assert 1 <= tiles <= TILES_PER_COLOR
            assert marker in {0, 1}
            assert color < COLORS
            assert line <= FLOOR
            assert child["visits"] <= child["available"] + 1 <= node["visits"] + 1
            keys += 1
    assert keys > 10


def past_the_deal(task: IsmctsTask, state: Any) -> Iterator[int]:
    """The nodes at which the first deal happens, and all below them."""
    nodes = task.nodes_array

    def descend(index: int, here: Any) -> Iterator[int]:
        if here is not None and here["stage"] == game.DEAL:
            here = None
        if here is None:
            yield index
        node = nodes[index]
        for child in range(node["first"], node["first"] + node["children"]):
            after = None
            if here is not None:
                after = here.copy()
                game.play(after, int(nodes[child]["move"]))
            yield from descend(child, after)

    return descend(ROOT, state)


# --- hidden tiles -----------------------------------------------------------------------


def unknown(state: Any) -> Any:
    """The same position, written down without bag and lid."""
    document = position.from_state(state).to_dict()
    return state_of({key: value for key, value in document.items() if key not in {"bag", "lid"}})


@pytest.mark.nojit
def test_bag_and_lid_need_not_be_known() -> None:
    state = unknown(middle(2))
    assert state["hidden"] > 0
    kept = state.copy()
    for leaf, horizon in (("round", 1), ("game", 0)):
        result = found(Ismcts(leaf=leaf, horizon=horizon), problem_of(state, 60))
        assert sum(move.visits for move in result.moves) == 60
        assert all(np.isfinite(move.values).all() for move in result.moves)
    assert state == kept


def test_what_is_hidden_does_not_matter_before_the_deal() -> None:
    """With no look past the round, a search does the same whether the bag is known or not."""
    settings = Ismcts(noise=0.0)
    known = found(settings, problem_of(middle(2), 500))
    hidden = found(settings, problem_of(unknown(middle(2)), 500))
    assert summary(known) == summary(hidden)


# --- settings ---------------------------------------------------------------------------


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("leaf", "deep"),
        ("horizon", -1),
        ("exploration", -0.1),
        ("exploration", float("nan")),
        ("exploration", float("inf")),
        ("prior_visits", 0.0),
        ("prior_visits", float("inf")),
        ("rating_weight", float("nan")),
        ("noise", -1.0),
        ("noise", float("nan")),
    ],
)
def test_settings_that_make_no_sense(setting: str, value: Any) -> None:
    with pytest.raises(ValueError, match=setting):
        Ismcts(**{setting: value})


# --- right in the long run --------------------------------------------------------------

Utilities = tuple[float, ...]


def reasonable_ends(state: Any, known: dict[Any, set[Utilities]]) -> set[Utilities]:
    """All results, as everybody's differences, if all play as well as they can.

    More than one where somebody is free to choose between moves equally good for himself.
    """
    rules = oracles.of(state)
    if state.stage == supply.OVER:
        return {tuple(solve.differences(rules.final_points(state)))}
    key = rules.key(state)
    if key not in known:
        known[key] = choices(
            [reasonable_ends(rules.play(state, move), known) for move in rules.legal_moves(state)],
            state.mover,
        )
    return known[key]


def choices(results: list[set[Utilities]], mover: int) -> set[Utilities]:
    """Results the mover may come to choose: none of his other moves is better for certain."""
    certain = max(min(result[mover] for result in results_of) for results_of in results)
    return {result for results_of in results for result in results_of if result[mover] >= certain}


def last_picks(players: int, number: int) -> Iterator[tuple[Any, Any]]:
    """Positions, as compiled states and as the oracle's, in which every line ends the game."""
    for seed in range(200):
        states = list(random_states(players, seed))
        for state in states:
            few = 4 <= len(legal_moves(state)) <= 8 if state.stage == game.DECISION else False
            if not few or state["round"] != states[-1]["round"]:
                continue
            oracle = oracles.from_dict(position.from_state(state).to_dict())
            if sum(map(len, oracle.displays)) + len(oracle.center) > 8:
                continue
            try:
                outcomes = solve.solve(oracle, "diff")
            except solve.NotTheLastRoundError:
                continue
            if len({outcome.utilities[oracle.mover] for outcome in outcomes.values()}) > 1:
                yield state, oracle
                number -= 1
                if number == 0:
                    return
                break


@pytest.mark.parametrize("players", PLAYERS)
def test_the_last_picks_are_solved_in_the_long_run(players: int) -> None:
    for state, oracle in last_picks(players, 4):
        known: dict[Any, set[Utilities]] = {}
        rules, mover = oracles.of(oracle), oracle.mover
        ends = {
            move: reasonable_ends(rules.play(oracle, move), known)
            for move in rules.legal_moves(oracle)
        }
        chosen = {result[mover] for result in choices(list(ends.values()), mover)}
        errors = []
        for iterations in (300, 30_000):
            result = found(Ismcts(), problem_of(state, iterations, objective=DIFF))
            value = result.moves[0].values[mover, DIFF]
            errors.append(max(min(chosen) - value, value - max(chosen), 0.0))
        best = notation.format_move(state, result.moves[0].move)
        assert {result[mover] for result in ends[best]} & chosen
        assert errors[1] <= max(0.3, 0.7 * errors[0])
        assert errors[1] < 0.5


def test_f03_the_last_round() -> None:
    """The known answer: 65-57 by the red tile to line 5; all else loses."""
    result = found(Ismcts(), problem_of(state_of(LAST_PICKS), 50_000))
    best = result.moves[0]
    assert notation.format_move(state_of(LAST_PICKS), best.move) == "F1-R-5"
    assert best.values[0, WIN] == pytest.approx(1, abs=0.01)
    assert best.visits > 0.9 * 50_000
    in_points = found(Ismcts(), problem_of(state_of(LAST_PICKS), 50_000, objective=DIFF))
    assert in_points.moves[0].move == best.move
    assert in_points.moves[0].values[0, DIFF] == pytest.approx(8, abs=0.3)
