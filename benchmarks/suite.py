"""Make the suite with known answers: last rounds, solved by the plain-Python oracle.

    python benchmarks/suite.py --positions 160 --seed 1 > positions/suite/last-rounds.jsonl

Plays games of 2, 3 and 4 players with the one-ply player and some random moves. From each it
takes a position of the last round, in which some row is bound to be completed whatever is
played, and solves it by a full search of the oracle (`tests/oracle`), which knows nothing of
the package. One position a line, as JSON:

- `position`: its code;
- `win`: for every move, for every player from the first, `[share of the win, difference to the
  best other]` when everybody plays for the win and then for the difference;
- `diff`: for every move, every player's difference when everybody plays for that alone.

Identical displays are one move, named by the lowest. Positions in which the best and the worst
move are worth the same are left out.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from azul_ai import game, notation, rng
from azul_ai.engine import Player
from azul_ai.games import azul
from azul_ai.position import from_state
from azul_ai.settings import Limit
from tests.oracle import azul as rules
from tests.oracle.solve import Outcome, solve

RANDOM_MOVES = 0.2
"""So often a player moves at random."""
OFFERS = {2: (4, 7), 3: (4, 6), 4: (4, 6)}
"""By players, the fewest and most colors on displays and in the center: 5-60 s to solve."""
WIN_SECOND = 10_000
"""A utility is a share of the win plus a difference divided by this."""


def main() -> None:
    """Make positions until there are enough, as many with each number of players."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--positions", type=int, default=160)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool:
        for players in (2, 3, 4):
            wanted = options.positions * (7 - players) // 12
            found = 0
            for line in pool.map(entry, jobs(players, options.seed, 20 * wanted)):
                if line and found < wanted:
                    print(line, flush=True)
                    found += 1
                if found == wanted:
                    break


def jobs(players: int, seed: int, number: int) -> Iterator[tuple[int, int]]:
    """A game each: players and seed."""
    for index in range(number):
        yield players, seed * 1_000_000 + index


def entry(job: tuple[int, int]) -> str | None:
    """The line for a game's position, or None if it has none that says something."""
    state = last_round(*job)
    if state is None:
        return None
    position = from_state(state)
    oracle = rules.from_dict(position.to_dict())
    by_win, by_diff = solve(oracle, "win"), solve(oracle, "diff")
    if len({outcome.utilities[oracle.mover] for outcome in by_diff.values()}) == 1:
        return None
    moves = [notation.format_move(state, move) for move in legal_moves(state)]
    document = {
        "position": position.code,
        "win": {move: shares(by_win[move]) for move in moves},
        "diff": {move: [round(u) for u in by_diff[move].utilities] for move in moves},
    }
    return json.dumps(document, separators=(",", ":"))


def last_round(players: int, seed: int) -> Any:
    """A position of the game's last round that can be solved in reasonable time, or None."""
    choices, deals = np.random.default_rng(seed), rng.new(seed)
    mover = Player("azul", "greedy", Limit())
    fewest, most = OFFERS[players]
    state = azul.new_state(players)
    candidates = []
    while state["stage"] != game.OVER:
        if state["stage"] == game.DEAL:
            game.deal_round(state, deals)
            continue
        if fewest <= int(state["presence"]).bit_count() <= most and is_last(state):
            candidates.append(state.copy())
        move = mover.choose(state, 0)
        if choices.random() < RANDOM_MOVES:
            move = int(choices.choice(legal_moves(state)))
        game.play(state, move)
    return candidates[choices.integers(len(candidates))] if candidates else None


def is_last(state: Any) -> bool:
    """Whether a full line is bound to complete a row."""
    return any(
        rules.is_full(board, row) and sum(map(bool, board.wall[row])) == rules.SIZE - 1
        for board in rules.from_dict(from_state(state).to_dict()).boards
        for row in range(rules.SIZE)
    )


def legal_moves(state: Any) -> Any:
    """The distinct legal moves."""
    moves = np.zeros(game.MAX_MOVES, dtype=np.int64)
    return moves[: game.list_moves(state, moves, True)]


def shares(outcome: Outcome) -> list[tuple[float, int]]:
    """Every player's share and difference, which his utility has in it."""
    shares = outcome.shares or ()
    return [
        (round(share, 6), round((utility - share) * WIN_SECOND))
        for share, utility in zip(shares, outcome.utilities, strict=True)
    ]


if __name__ == "__main__":
    main()
