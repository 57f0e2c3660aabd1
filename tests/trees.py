"""Searches of ISMCTS laid open: their trees, walked and written down.

``python -m tests.trees > tests/data/tree_azul.txt`` writes the tree of the golden file anew,
after a change that is meant to change it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from azul_ai import evaluation, game, games, notation, position
from azul_ai.evaluation.interface import DIFF, WIN
from azul_ai.search import tree
from azul_ai.search.ismcts import Ismcts, IsmctsTask
from azul_ai.search.searcher import Problem
from tests.oracle.positions import board
from tests.oracle.positions import position as document
from tests.playing import legal_moves

MEMORY = 64 << 20

# F03 of the rules cases: the last picks of a game.
LAST_PICKS = document(
    ["YRYB"],
    "W",
    [
        board(
            score=32,
            lines=["W", "KK", "", "KKKK", "RRRR"],
            wall=("BYRK.", "WBYR.", "KWBY.", "..W..", "....."),
        ),
        board(
            score=26,
            lines=["Y", "WW", "RRR", "", "BBBB"],
            wall=("B..KW", ".B.RK", "K..Y.", "RK.B.", "Y..W."),
            floor="1",
        ),
    ],
    round=5,
    bag="",
    lid="B9 Y12 R8 K8 W11",
)
GOLDEN = Ismcts(exploration=0.2, rating_weight=0.0, prior_visits=1.0, noise=0.0, leaf="static")
GOLDEN_ITERATIONS = 60


def state_of(written: dict[str, Any]) -> Any:
    return position.to_state(position.parse(json.dumps(written), check_counts=False))


def problem_of(
    state: Any, iterations: int, *, objective: int = WIN, seed: int = 1, memory: int = MEMORY
) -> Problem:
    """A search for the best of all distinct moves."""
    model = evaluation.load(games.of(state).NAME, evaluation.HANDMADE).model
    moves = np.array(legal_moves(state, distinct=True))
    return Problem(state, model, moves, objective, seed, memory, iterations=iterations)


def searched(settings: Ismcts, problem: Problem) -> IsmctsTask:
    """The task of one thread, run to its end."""
    (task,) = settings.begin(problem, 1)
    while not task.run(10.0):
        pass
    return task


class Visit(NamedTuple):
    """A node met on a walk: what led there, and the state, None past a deal."""

    index: int
    depth: int
    move: int
    mover: int
    state: Any


def walk(task: IsmctsTask) -> Iterator[Visit]:
    """Every node once, from the root, a parent before its children, in their order."""
    nodes, root = task.nodes_array, task.pool[0].copy()

    def descend(here: Visit) -> Iterator[Visit]:
        yield here
        node = nodes[here.index]
        for child in range(node["first"], node["first"] + node["children"]):
            move, mover, state = int(nodes[child]["move"]), -1, None
            if here.state is not None and here.state["stage"] == game.DECISION:
                mover, state = int(here.state["mover"]), here.state.copy()
                game.play(state, move)
            yield from descend(Visit(child, here.depth + 1, move, mover, state))

    yield from descend(Visit(tree.ROOT, 0, -1, -1, root))


def drawn(task: IsmctsTask) -> str:
    """The tree as text, a node a line."""
    lines = []
    states = {}
    for visit in walk(task):
        node = task.nodes_array[visit.index]
        states[visit.depth] = visit.state
        name = "root"
        if visit.depth:
            name = notation.format_move(states[visit.depth - 1], visit.move)
        numbers = f"{node['visits']:3d}  {node['value']:8.4f}  {node['own']:8.4f}"
        lines.append(f"{'  ' * visit.depth + name:<24}{numbers}")
    return "\n".join(lines) + "\n"


def golden() -> str:
    """The tree of a short search of the last picks of a game, in points."""
    problem = problem_of(state_of(LAST_PICKS), GOLDEN_ITERATIONS, objective=DIFF)
    return f"{'move':<22}visits    value       own\n{drawn(searched(GOLDEN, problem))}"


if __name__ == "__main__":
    print(golden(), end="")  # noqa: T201
