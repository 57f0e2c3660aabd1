"""What errors searches make: values found with a budget beside those found with 50 times as much.

    python benchmarks/errors.py --players 2 --positions 200 --out errors-2.jsonl

Positions come from games of quick bots with some random moves in between. Each engine searches each
of them with three budgets, and again with 50 times each. A line of the output is one of the
best moves of one search: what was known of it then, and what the long search says. Moves
whose value is proven are left out: they have no error.

`benchmarks/calibrate.py` fits the errors that the program states to such lines;
`benchmarks/quality.py --coverage` checks them against other such lines.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from azul_ai import engine as engines
from azul_ai import game, games, rng
from azul_ai.engine import Limit, Player
from azul_ai.evaluation.interface import DIFF, WIN, python_utility
from azul_ai.search.searcher import Found, RootMove

FACTOR = 50
"""How much longer the long search is."""
TOP = 4
"""So many of the best moves are compared."""
BUDGETS = {
    "ismcts": [Limit(iterations=number) for number in (250, 1000, 4000)],
    "expectimax": [Limit(nodes=number) for number in (1000, 8000, 64_000)],
}
RANDOM = 0.15
"""How often a bot plays any move, so that positions are not all well played."""
PER_GAME = 4
"""Positions taken from a game."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A move of a search, and of the long one.

    ``position``: its number; ``phase``: the part of the game, see :func:`phase`; ``budget``:
    iterations or nodes; ``moves``: candidates at the root; ``rank`` from 1. Then what was found:
    ``visits``, ``depth``, ``win``, ``diff``, ``lead`` (utility of the best move less that of
    this one), and after ``long_`` what the long search says.
    """

    game: str
    players: int
    engine: str
    objective: str
    position: int
    phase: str
    budget: int
    round: int
    moves: int
    rank: int
    visits: int
    depth: int
    complete: bool
    win: float
    diff: float
    lead: float
    gap: float
    long_win: float
    long_diff: float
    long_lead: float


def main() -> None:
    """Measure, and write line by line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", default="azul", choices=games.NAMES)
    parser.add_argument("--players", type=int, action="append", choices=(2, 3, 4))
    parser.add_argument("--engine", action="append", choices=tuple(BUDGETS))
    parser.add_argument("--objective", choices=tuple(engines.OBJECTIVES), default="win")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    with options.out.open("a", encoding="utf-8") as file:
        for players in options.players or (2, 3, 4):
            states = list(positions(options.game, players, options.positions, options.seed))
            for engine in options.engine or BUDGETS:
                for number, state in enumerate(states):
                    for sample in measure(number, state, engine, options.objective):
                        file.write(json.dumps(dataclasses.asdict(sample)) + "\n")
                    file.flush()


def read(*paths: Path) -> list[Sample]:
    """The samples of some files."""
    lines = [line for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    return [Sample(**json.loads(line)) for line in lines]


# --- positions ------------------------------------------------------------------------------


def positions(game_name: str, players: int, number: int, seed: int) -> Iterator[Any]:
    """States with a choice, some from each of as many games as are needed."""
    player = Player(game_name, "ismcts", Limit(iterations=200))
    left = number
    while left:
        states = list(decisions(player, game_name, players, seed))
        chosen = np.random.default_rng(seed).choice(len(states), min(PER_GAME, left), replace=False)
        yield from (states[index] for index in sorted(chosen))
        left -= len(chosen)
        seed += 1


def decisions(player: Player, game_name: str, players: int, seed: int) -> Iterator[Any]:
    """The states of a game in which the player to move has a choice."""
    choices, deals = np.random.default_rng(seed), rng.new(seed)
    state = games.load(game_name).new_state(players)
    moves = np.zeros(game.MAX_MOVES, dtype=np.int64)
    while state["stage"] != game.OVER:
        if state["stage"] == game.DEAL:
            game.deal_round(state, deals)
            continue
        number = game.list_moves(state, moves, True)
        if number > 1:
            yield state.copy()
        if choices.random() < RANDOM:
            game.play(state, int(choices.choice(moves[:number])))
        else:
            game.play(state, player.choose(state, seed))


def phase(moves: int) -> str:
    """The part of a round, told by the number of candidate moves."""
    return "begin" if moves > 60 else "middle" if moves > 20 else "end"


# --- searches -------------------------------------------------------------------------------


def measure(number: int, state: Any, engine: str, objective: str) -> Iterator[Sample]:
    """The samples of a position."""
    candidates = legal_moves(state)
    for limit in BUDGETS[engine]:
        (name, budget), *_ = limit.given().items()
        quick = search(state, engine, objective, limit, candidates)
        long = search(state, engine, objective, Limit(**{name: FACTOR * budget}), candidates)
        compared = [move for move in quick.moves[:TOP] if move.exact and not move.proven]
        truths = values_of(compared, long, state, engine, objective)
        column, mover = engines.OBJECTIVES[objective], int(state["mover"])

        def worth(move: RootMove, mover: int = mover, column: int = column) -> float:
            return python_utility(move.values, mover, column)

        for rank, move in enumerate(quick.moves[:TOP], 1):
            if move.move not in truths or quick.moves[0].move not in truths:
                continue
            truth, best = truths[move.move], truths[quick.moves[0].move]
            yield Sample(
                game=games.of(state).NAME,
                players=int(state["players"]),
                engine=engine,
                objective=objective,
                position=number,
                phase=phase(len(candidates)),
                budget=budget,
                round=int(state["round"]),
                moves=len(candidates),
                rank=rank,
                visits=move.visits,
                depth=move.depth,
                complete=move.complete,
                win=float(move.values[mover, WIN]),
                diff=float(move.values[mover, DIFF]),
                lead=worth(quick.moves[0]) - worth(move),
                gap=worth(quick.moves[0]) - worth(quick.moves[1]),
                long_win=float(truth.values[mover, WIN]),
                long_diff=float(truth.values[mover, DIFF]),
                long_lead=worth(best) - worth(truth),
            )


def values_of(
    moves: Sequence[RootMove], long: Found, state: Any, engine: str, objective: str
) -> dict[int, RootMove]:
    """What the long search says of some moves; where it has only bounds, searched to its depth."""
    known = {move.move: move for move in long.moves if move.exact}
    missing = [move.move for move in moves if move.move not in known]
    if missing:
        limit = Limit(depth=long.moves[0].depth)
        more = search(state, engine, objective, limit, np.array(missing, dtype=np.int64))
        known |= {move.move: move for move in more.moves}
    return {move.move: known[move.move] for move in moves}


def legal_moves(state: Any) -> Any:
    """The distinct legal moves."""
    moves = np.zeros(game.MAX_MOVES, dtype=np.int64)
    return moves[: game.list_moves(state, moves, True)].copy()


def search(state: Any, engine: str, objective: str, limit: Limit, candidates: Any) -> Found:
    """What an engine finds with the default settings and evaluation."""
    settings, evaluation = engines.split_settings(games.of(state).NAME, {})
    searcher = engines.make_searcher(engine, settings)
    problem = engines.make_problem(
        state,
        evaluation.model,
        candidates,
        limit,
        objective=engines.OBJECTIVES[objective],
        top=TOP,
    )
    return engines.run(searcher, problem, limit, 1).found


if __name__ == "__main__":
    main()
