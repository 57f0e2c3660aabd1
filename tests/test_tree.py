"""The tree of ISMCTS: blocks of nodes, and what the numbers in them say of each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azul_ai import game
from azul_ai.evaluation import interface
from azul_ai.evaluation.interface import DIFF
from azul_ai.search import tree
from azul_ai.search.ismcts import Ismcts, IsmctsTask
from azul_ai.search.tree import EXHAUSTED, NODE, NONE, ROOT
from tests.playing import legal_moves, random_states
from tests.trees import golden, problem_of, searched, walk

pytestmark = pytest.mark.nojit

GOLDEN_FILE = Path(__file__).parent / "data" / "tree_azul.txt"
ITERATIONS = 400


def blocks(nodes: Any, store: Any) -> list[tuple[int, int]]:
    """First slot and size of the root's slot, every family's block and every free one."""
    found = [(ROOT, 1)]
    waiting = [ROOT]
    while waiting:
        node = nodes[waiting.pop()]
        first, number = int(node["first"]), int(node["children"])
        if number:
            found.append((first, 1 << (number - 1).bit_length()))
            waiting += range(first, first + number)
    for exponent, head in enumerate(store.free):
        block = int(head)
        while block != NONE:
            found.append((block, 1 << exponent))
            block = int(nodes[block]["first"])
    return sorted(found)


def assert_partition(nodes: Any, store: Any) -> None:
    """All slots ever used belong to exactly one block."""
    end = 0
    for first, size in blocks(nodes, store):
        assert first == end
        end = first + size
    assert end == store.used <= len(nodes)


# --- blocks -----------------------------------------------------------------------------


@settings(max_examples=25)
@given(st.data())
def test_families_grow_without_losing_anybody(data: st.DataObject) -> None:
    """Children are added to any node; each keeps its number, as its move, and its place."""
    room = data.draw(st.integers(1, 60))
    nodes, store = tree.new_tree(room)
    tree.make_root(nodes, store)
    parents: dict[int, int] = {}  # by number: who is whose child

    def places() -> dict[int, int]:
        """By number, where each node is; the root is number 0."""
        found, waiting = {0: ROOT}, [ROOT]
        while waiting:
            node = nodes[waiting.pop()]
            for child in range(node["first"], node["first"] + node["children"]):
                found[int(nodes[child]["move"])] = child
                waiting.append(child)
        return found

    for number in range(1, 40):
        parent = data.draw(st.sampled_from(sorted(places())))
        child = tree.add_child(nodes, store, places()[parent], number, 0.5, 4.0)
        if child != NONE:
            parents[number] = parent
            node = nodes[child]
            fresh = ("value", "width", "visits", "children", "move")
            assert [node[field] for field in fresh] == [0.5, 0.5, 0, 0, number]
        where = places()
        assert where.keys() == {0, *parents}
        for own, parent in parents.items():
            first, siblings = (nodes[where[parent]][field] for field in ("first", "children"))
            assert first <= where[own] < first + siblings
        assert_partition(nodes, store)


def test_blocks_left_behind_are_used_again() -> None:
    nodes, store = tree.new_tree(100)
    tree.make_root(nodes, store)
    for number in range(1, 6):  # blocks of 1, 2 and 4 are left behind for one of 8
        tree.add_child(nodes, store, ROOT, number, 0.0, 1.0)
    used = int(store.used)
    assert used == 1 + 1 + 2 + 4 + 8
    first = int(nodes[ROOT]["first"])
    for number in range(4):  # takes the 1, the 2, then the 4; nothing new
        tree.add_child(nodes, store, first, 10 + number, 0.0, 1.0)
    assert store.used == used
    tree.add_child(nodes, store, first, 14, 0.0, 1.0)
    assert store.used == used + 8


def test_a_full_tree_stays_as_it_is() -> None:
    nodes, store = tree.new_tree(4)
    tree.make_root(nodes, store)
    assert tree.add_child(nodes, store, ROOT, 1, 0.0, 1.0) != NONE
    assert tree.add_child(nodes, store, ROOT, 2, 0.0, 1.0) != NONE
    before = nodes.copy()
    assert tree.add_child(nodes, store, ROOT, 3, 0.0, 1.0) == NONE
    assert (nodes == before).all()
    assert_partition(nodes, store)


# --- results ----------------------------------------------------------------------------


@given(
    st.lists(st.tuples(st.floats(-50, 50), st.floats(-50, 50)), min_size=1, max_size=20),
    st.floats(0.1, 10),
    st.floats(-1, 1),
)
def test_means(results: list[tuple[float, float]], prior_visits: float, prior: float) -> None:
    nodes, _ = tree.new_tree(1)
    nodes[0]["value"] = prior
    for moved, own in results:
        tree.record(nodes, 0, prior_visits, moved, own)
    number = len(results)
    moved, own = map(sum, zip(*results, strict=True))
    assert nodes[0]["visits"] == number
    expected = (moved + prior * prior_visits) / (number + prior_visits)
    assert nodes[0]["value"] == pytest.approx(expected, abs=1e-9)
    assert nodes[0]["own"] == pytest.approx(own / number, abs=1e-9)
    assert nodes[0]["width"] == pytest.approx((number + prior_visits) ** -0.5)


def test_the_most_visited_child() -> None:
    nodes = np.zeros(6, dtype=NODE)
    assert tree.most_visited(nodes, ROOT) == NONE
    nodes[ROOT]["first"], nodes[ROOT]["children"] = 1, 4
    nodes["visits"][1:] = [3, 7, 7, 7, 9]  # the last is not a child
    nodes["value"][1:] = [9.0, 0.2, 0.3, 0.3, 9.0]
    assert tree.most_visited(nodes, ROOT) == 3  # of equals the higher value, then the first


# --- searches ---------------------------------------------------------------------------


def middle_of_a_round(players: int) -> Any:
    decisions = [s for s in random_states(players, seed=31) if s.stage == game.DECISION]
    return decisions[len(decisions) // 2]


@pytest.fixture(scope="module", params=[2, 3, 4])
def task(request: pytest.FixtureRequest) -> IsmctsTask:
    """A search of a position in the middle of a game of two to four players."""
    searcher = Ismcts(prior_visits=1e-9, exploration=1e-5)
    return searched(
        searcher, problem_of(middle_of_a_round(request.param), ITERATIONS, objective=DIFF)
    )


def test_every_iteration_adds_a_node_unless_it_meets_a_known_end(task: IsmctsTask) -> None:
    assert_partition(task.nodes_array, task.arguments[4][0])
    seen = list(walk(task))
    assert len({visit.index for visit in seen}) == len(seen)
    known_ends = sum(
        int(task.nodes_array[visit.index]["visits"]) - (visit.depth > 1)
        for visit in seen
        if visit.state["stage"] != game.DECISION
    )
    assert len(seen) == 1 + len(task.sums) + ITERATIONS - known_ends


def test_moves_are_legal_and_tried_once(task: IsmctsTask) -> None:
    for visit in walk(task):
        node = task.nodes_array[visit.index]
        own = task.nodes_array[node["first"] : node["first"] + node["children"]]["move"].tolist()
        if visit.state["stage"] != game.DECISION:
            assert own == []
            continue
        legal = legal_moves(visit.state, distinct=True)
        assert len(set(own)) == len(own)
        assert set(own) <= set(legal)
        if visit.index == ROOT:
            assert own == legal
        elif own:
            assert (node["behind"] == np.float32(EXHAUSTED)) == (len(own) == len(legal))


def test_moves_are_tried_best_rated_first_of_equals_the_first(task: IsmctsTask) -> None:
    families = 0
    moves, ratings = np.zeros(game.MAX_MOVES, dtype=np.int64), np.zeros(game.MAX_MOVES)
    for visit in walk(task):
        node = task.nodes_array[visit.index]
        if visit.index == ROOT or not node["children"]:
            continue
        number = interface.rate_moves(visit.state, moves, ratings)
        order = np.argsort(-ratings[:number], kind="stable")
        own = task.nodes_array[node["first"] : node["first"] + node["children"]]["move"]
        assert own.tolist() == moves[order[: len(own)]].tolist()
        if len(own) < number:
            behind = ratings[order[len(own)]] - ratings[order[0]]
            assert node["behind"] == np.float32(behind)
        families += len(own) > 2
    assert families > 1


def test_visits_add_up(task: IsmctsTask) -> None:
    nodes = task.nodes_array
    assert nodes[ROOT]["visits"] == ITERATIONS
    for visit in walk(task):
        node = nodes[visit.index]
        below = nodes[node["first"] : node["first"] + node["children"]]["visits"].sum()
        if node["children"]:
            # Nodes are made where a visit ends, but for the root and its moves, made before.
            assert below == node["visits"] - (visit.depth > 1)


def test_utilities_belong_to_who_moves_and_who_decides() -> None:
    """Between two players, what one gains the other loses, at every node."""
    searcher = Ismcts(prior_visits=1e-9, exploration=1e-5)
    task = searched(searcher, problem_of(middle_of_a_round(2), ITERATIONS, objective=DIFF))
    for visit in walk(task):
        node = task.nodes_array[visit.index]
        if visit.depth and node["visits"]:
            sign = 1 if visit.mover == visit.state["mover"] else -1
            assert node["value"] == pytest.approx(sign * node["own"], abs=1e-6)


def test_the_root_adds_up_values_of_its_moves(task: IsmctsTask) -> None:
    mover = int(task.pool[0]["mover"])
    first = int(task.nodes_array[ROOT]["first"])
    children = task.nodes_array[first : first + len(task.sums)]
    for child, sums in zip(children, task.sums, strict=True):
        assert sums[mover, DIFF] == pytest.approx(child["value"] * child["visits"], abs=1e-6)


def test_golden_tree() -> None:
    assert golden() == GOLDEN_FILE.read_text()
