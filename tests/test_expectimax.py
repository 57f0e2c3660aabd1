"""Expectimax against the oracle, plain searches in Python, and itself in other circumstances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from azul_ai import evaluation, game, notation, rng
from azul_ai.evaluation.interface import DIFF, WIN, new_values, python_utility
from azul_ai.search import deepening as module
from azul_ai.search.expectimax import Expectimax
from azul_ai.search.searcher import Found, Problem
from tests.azul_record import record
from tests.expectimax import (
    after,
    plain_maxn,
    plain_paranoid,
    problem,
    score,
    search,
    small_states,
    to_oracle,
    utilities,
)
from tests.oracle import azul as rules
from tests.oracle.solve import UTILITIES, solve
from tests.playing import legal_moves, values_after

# Several kinds of search are compiled here: minutes, so this file is run by name (-m slow).

OBJECTIVES = {"win": WIN, "diff": DIFF}
ALL = 500
"""More moves than any state here has."""


def facts(found: Found) -> list[tuple[Any, ...]]:
    """Moves and values, which do not depend on how they were found."""
    return [
        (row.move, row.depth, row.exact, row.proven, *np.round(row.values, 9).ravel())
        for row in found.moves
    ]


# --- the values -------------------------------------------------------------------------


def oracle_round_end(objective: str) -> Any:
    """The evaluation "score", by the oracle."""

    def value(state: rules.State) -> list[float]:
        return list(UTILITIES[objective](rules.final_points(state), rules.win_shares(state)))

    return value


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize(("players", "number"), [(2, 70), (3, 40), (4, 30)])
def test_every_move_has_the_oracles_value(players: int, number: int, objective: str) -> None:
    for state in small_states(players, number, decisions=4, seed=number):
        asked = problem(state, objective=OBJECTIVES[objective], top=ALL)
        found = search(asked)
        expected = solve(to_oracle(state), objective, oracle_round_end(objective))
        assert sorted(row.move for row in found.moves) == sorted(asked.moves)
        for row in found.moves:
            assert row.exact
            outcome = expected[notation.format_move(state, row.move)]
            shares, points, _ = row.values.T
            assert UTILITIES[objective](list(points), list(shares)) == pytest.approx(
                outcome.utilities, abs=1e-9
            )


@pytest.mark.parametrize("players", [2, 3])
def test_a_fixed_depth_is_plain_search_to_that_depth(players: int) -> None:
    for state in small_states(players, 8, decisions=6, seed=3, fewest=4):
        for depth in (1, 2, 3):
            asked = problem(state, evaluation.HANDMADE, depth=depth, top=ALL)
            found = utilities(search(asked), asked)
            for move in asked.moves:
                values = plain_to_depth(state, int(move), depth, asked)
                expected = python_utility(values, int(state["mover"]), WIN)
                assert found[int(move)] == pytest.approx(expected, abs=1e-6)


def plain_to_depth(state: Any, move: int, depth: int, asked: Problem) -> Any:
    """The values of a move if the round ends after so many decisions."""
    if depth == 1 or after(state, move)["stage"] != game.DECISION:
        return values_after(asked.model, state, [move])[0]
    state = after(state, move)
    outcomes = [
        plain_to_depth(state, reply, depth - 1, asked) for reply in legal_moves(state, True)
    ]
    mover, players = int(state["mover"]), int(state["players"])
    order = [(mover + step) % players for step in range(players)]

    def key(values: Any) -> tuple[float, ...]:
        own, *others = (round(python_utility(values, player, WIN), 12) for player in order)
        return (-own, *others)

    return min(outcomes, key=key)


@pytest.mark.parametrize("players", [3, 4])
def test_paranoid_is_plain_paranoid_search(players: int) -> None:
    searcher = Expectimax(multiplayer="paranoid")
    for state in small_states(players, 15, decisions=5, seed=1):
        asked = problem(state, top=ALL)
        found = utilities(search(asked, searcher), asked)
        mover = int(state["mover"])
        for move in asked.moves:
            expected = plain_paranoid(after(state, int(move)), mover, WIN)
            assert found[int(move)] == pytest.approx(expected, abs=1e-9)


def test_the_best_are_exact_and_the_others_bounded() -> None:
    for state in small_states(2, 40, decisions=7, seed=9):
        everything = problem(state, top=ALL)
        true = utilities(search(everything), everything)
        for top in (1, 3):
            found = search(problem(state, top=top))
            exact = [row for row in found.moves if row.exact]
            assert [row.exact for row in found.moves] == sorted(
                (row.exact for row in found.moves), reverse=True
            )
            assert len(exact) == min(top, len(true))
            for row in found.moves:
                bound = python_utility(row.values, int(state["mover"]), WIN)
                if row.exact:
                    assert bound == pytest.approx(true[row.move], abs=1e-12)
                else:
                    assert bound >= true[row.move] - 1e-12
            best = sorted(true.values(), reverse=True)[: len(exact)]
            assert [true[row.move] for row in exact] == pytest.approx(best, abs=1e-12)


# --- what must not matter ---------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3])
def test_neither_table_nor_threads_change_what_is_found(players: int) -> None:
    for state in small_states(players, 12, decisions=11 - 2 * players, seed=5):
        for depth in (4, None):
            asked = problem(state, evaluation.HANDMADE, top=3, depth=depth)
            usual = facts(search(asked))
            hardly_any_table = problem(
                state, evaluation.HANDMADE, top=3, depth=depth, memory=1 << 8
            )
            assert facts(search(hardly_any_table)) == usual
            for threads in (2, 3):
                assert facts(search(asked, threads=threads)) == usual


@pytest.mark.parametrize("players", [2, 3])
def test_the_order_of_displays_does_not_matter(players: int) -> None:
    generator = np.random.default_rng(4)
    for state in small_states(players, 12, decisions=11 - 2 * players, seed=6):
        displays = {2: 5, 3: 7}[players]
        shuffled = state.copy()
        order = 1 + generator.permutation(displays)
        shuffled["presence"] = permuted(int(state["presence"]), order)
        shuffled["sources"][1 : displays + 1] = state["sources"][order]
        best, other = (search(problem(position, top=1)).moves[0] for position in (state, shuffled))
        assert best.values == pytest.approx(other.values)


def permuted(presence: int, order: Any) -> int:
    """The presence word if display i shows what display order[i - 1] showed."""
    word = 0
    for color in range(5):
        field = presence >> 10 * color
        word |= (field & 1) << 10 * color
        for display, before in enumerate(order, 1):
            word |= (field >> int(before) & 1) << 10 * color + display
    return word


def test_what_is_hidden_does_not_matter_before_a_deal() -> None:
    for state in small_states(2, 10, decisions=6, seed=8):
        unknown = state.copy()
        unknown["bag"], unknown["lid"] = state["bag"] + state["lid"], 0
        unknown["hidden"] = sum(int(state["lid"]) >> 6 * color & 63 for color in range(5))
        known = search(problem(state, evaluation.HANDMADE, top=ALL))
        assert facts(search(problem(unknown, evaluation.HANDMADE, top=ALL))) == facts(known)
        reseeded = problem(unknown, evaluation.HANDMADE, top=ALL, seed=99)
        assert facts(search(reseeded)) == facts(known)


# --- slices -----------------------------------------------------------------------------


def test_killed_at_any_slice_it_has_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    (state,) = small_states(2, 1, decisions=6, seed=2, fewest=6)
    asked = problem(state, evaluation.HANDMADE, top=2)
    whole = search(asked)
    monkeypatch.setattr(module, "CHUNK", 1)
    searcher = Expectimax()
    (task,) = searcher.begin(asked, 1)
    slices = 0
    while True:
        found = searcher.found(asked, [task])
        assert sorted(row.move for row in found.moves) == sorted(asked.moves)
        assert found.moves[0].exact
        assert found.moves[0].depth >= 1
        if task.run(0.0):
            break
        slices += 1
    assert slices > 50
    assert facts(searcher.found(asked, [task])) == facts(whole)
    assert searcher.found(asked, [task]).nodes == whole.nodes


@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_a_node_limit_stops_at_the_same_place_whatever_the_slices(
    chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (state,) = small_states(2, 1, decisions=12, seed=2, fewest=12)
    asked = problem(state, evaluation.HANDMADE, top=2, nodes=3000)
    usual = search(asked)
    monkeypatch.setattr(module, "CHUNK", chunk)
    found = search(asked)
    assert facts(found) == facts(usual)
    assert found.nodes == usual.nodes
    assert 3000 <= found.nodes < 3100


def test_a_growing_table_stays_within_its_memory() -> None:
    (state,) = small_states(2, 1, decisions=13, seed=4, fewest=13)
    memory = 1 << 19
    asked = problem(state, evaluation.HANDMADE, nodes=2_000_000, memory=memory)
    searcher = Expectimax()
    (task,) = searcher.begin(asked, 1)
    while not task.run(1.0):
        pass
    assert memory // 4 < task.table.nbytes <= memory


# --- proof ------------------------------------------------------------------------------


def test_proven_is_what_certainly_ends_the_game() -> None:
    proven = 0
    for state in small_states(2, 60, decisions=4, seed=11):
        found = search(problem(state, top=ALL))
        for row in found.moves:
            ends = [end["stage"] == game.OVER for end in line_ends(after(state, row.move))]
            assert row.proven == all(ends)
            proven += row.proven
    assert proven > 20


def line_ends(state: Any) -> list[Any]:
    """The states at the end of the round, over all lines of play."""
    if state["stage"] != game.DECISION:
        return [state]
    return [end for move in legal_moves(state, True) for end in line_ends(after(state, move))]


def test_the_round_cap_proves_nothing() -> None:
    for state in small_states(2, 10, decisions=4, seed=12):
        last = state.copy()
        last["round_cap"] = last["round"]
        for row in search(problem(last, top=ALL)).moves:
            assert row.proven == all(map(has_complete_row, line_ends(after(last, row.move))))


def has_complete_row(state: Any) -> bool:
    return any(board["wall"] >> 5 * row & 31 == 31 for board in state["boards"] for row in range(5))


def test_less_than_all_of_the_round_proves_nothing() -> None:
    for state in small_states(2, 20, decisions=6, seed=13):
        depth = int(state["presence"]).bit_count() - 1
        assert not any(row.proven for row in search(problem(state, depth=depth)).moves)


# --- deals ------------------------------------------------------------------------------


def nearly_empty(players: int, number: int, bag: str, lid: str, seed: int) -> Iterator[Any]:
    """States with a tile of each of two colors in the center and hardly any others.

    Walls and scores are those of random games, all lines empty; one more round will be played.
    """
    choices = np.random.default_rng(seed)
    for state in small_states(players, number, decisions=9, seed=seed):
        table = to_oracle(state)
        table.displays = [[] for _ in table.displays]
        table.center = list(choices.choice(list(rules.COLORS), 2, replace=False))
        table.bag, table.lid = Counter(bag), Counter(lid)
        table.round_cap = table.round + 1
        for board in table.boards:
            board.lines = [rules.NO_LINE] * rules.SIZE
            board.floor = []
        yield record(table)


def all_deals(state: Any) -> list[tuple[float, Any]]:
    """Every order in which the tiles can be drawn, with its probability, dealt."""
    displays = [0] * 5
    outcomes: dict[tuple[int, ...], float] = {}

    def draw(bag: int, lid: int, drawn: int, probability: float) -> None:
        if not bag:
            bag, lid = lid, 0
        if not bag or drawn == 4 * len(displays):
            key = tuple(displays)
            outcomes[key] = outcomes.get(key, 0.0) + probability
            return
        total = sum(bag >> 6 * color & 63 for color in range(5))
        for color in range(5):
            here = bag >> 6 * color & 63
            if here:
                tile = 1 << 6 * color
                displays[drawn // 4] += tile
                draw(bag - tile, lid, drawn + 1, probability * here / total)
                displays[drawn // 4] -= tile

    draw(int(state["bag"]), int(state["lid"]), 0, 1.0)
    dealt = []
    for contents, probability in outcomes.items():
        following = state.copy()
        game.lay_out_round(following, np.array(contents))
        dealt.append((probability, following))
    return dealt


@pytest.mark.parametrize("objective", OBJECTIVES.values())
def test_all_deals_of_a_tiny_bag_are_brute_force(objective: int) -> None:
    searcher = Expectimax(chance="all")
    for tiny in nearly_empty(2, 10, bag="B", lid="R", seed=14):
        asked = problem(tiny, objective=objective, top=ALL)
        found = search(asked, searcher)

        def average(pending: Any) -> Any:
            return sum(
                probability * plain_maxn(dealt, objective, score)
                for probability, dealt in all_deals(pending)
            )

        for row in found.moves:
            values = plain_maxn(after(tiny, row.move), objective, average)
            expected = python_utility(values, int(tiny["mover"]), objective)
            got = python_utility(row.values, int(tiny["mover"]), objective)
            assert got == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("players", [2, 3])
def test_a_few_deals_are_the_average_over_them(players: int) -> None:
    number, seed = 3, 21
    searcher = Expectimax(chance=str(number))
    for tiny in nearly_empty(players, 7 - players, bag="Y", lid="", seed=15):
        asked = problem(tiny, top=ALL, seed=seed)

        def average(pending: Any) -> Any:
            total = new_values()
            for deal in range(number):
                dealt = pending.copy()
                game.deal_round(dealt, rng.new(seed, 0, deal))
                total += plain_maxn(dealt, WIN, score) / number
            return total

        found = utilities(search(asked, searcher), asked)
        for move in asked.moves:
            values = plain_maxn(after(tiny, int(move)), WIN, average)
            expected = python_utility(values, int(tiny["mover"]), WIN)
            assert found[int(move)] == pytest.approx(expected, abs=1e-9)


def test_deals_are_pruned_without_changing_values() -> None:
    searcher = Expectimax(chance="4")
    for tiny in nearly_empty(2, 4, bag="BY", lid="R", seed=16):
        everything = problem(tiny, top=ALL)
        true = utilities(search(everything, searcher), everything)
        asked = problem(tiny, top=1)
        found = search(asked, searcher)
        best = utilities(found, asked)
        assert max(true.values()) == pytest.approx(next(iter(best.values())), abs=1e-9)
        assert found.nodes < search(everything, searcher).nodes


# --- settings ---------------------------------------------------------------------------


@pytest.mark.parametrize("setting", [{"chance": "some"}, {"chance": "-1"}, {"chance": "9999"}])
def test_bad_chance_is_named(setting: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="chance must be all or 0-256"):
        Expectimax(**setting)


def test_bad_multiplayer_is_named() -> None:
    with pytest.raises(ValueError, match="multiplayer must be maxn or paranoid"):
        Expectimax(multiplayer="minimax")
