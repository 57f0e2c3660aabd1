"""Fit the numbers of Azul's hand-made evaluation to games that the engine plays itself.

    python benchmarks/fit_handmade.py --games 1500 --iterations 400 --seed 1

Plays games of 2, 3 and 4 players with ISMCTS, looks at every board at the end of every
round, and fits what it still gained (final points minus its score and certain bonuses) by ridge
regression on the terms of the evaluation, each phase apart. Prints the tables for
``azul_ai/evaluation/walls.py`` and how well they predict held-out games. A new fit changes
the bench signature and needs a match result.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

import numpy as np

from azul_ai import game, rng
from azul_ai.engine import Player
from azul_ai.evaluation import interface
from azul_ai.games import azul
from azul_ai.settings import Limit

FILLS = range(1, 5)
"""Tiles in a row, column or color that is neither empty nor complete."""
NAMES = (
    *(f"{kind}{fill}" for kind in ("row", "column", "color") for fill in FILLS),
    "potential",
    "line",
    "start",
    "future2",
    "future3",
    "future4",
)
RIDGE = 20.0
"""As many observations as this weigh against the size of a coefficient (not of ``future``)."""


@dataclass(frozen=True)
class Sample:
    """A board at the end of a round."""

    game: int
    players: int
    phase: int
    player: int
    terms: tuple[float, ...]
    gained: float


def main() -> None:
    """Play, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=1500, help="games for each number of players")
    parser.add_argument("--iterations", type=int, default=400, help="of ISMCTS for each move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    jobs = [
        (players, options.seed * 1_000_000 + number, options.iterations)
        for players in (2, 3, 4)
        for number in range(options.games)
    ]
    with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool:
        samples = [s for found in pool.map(play_game, jobs, chunksize=10) for s in found]
    for phase in sorted({sample.phase for sample in samples}):
        report(phase, [sample for sample in samples if sample.phase == phase])


def play_game(job: tuple[int, int, int]) -> list[Sample]:
    """The samples of one game."""
    players, seed, iterations = job
    mover = Player("azul", "ismcts", Limit(iterations=iterations), memory=1 << 24)
    state = azul.new_state(players)
    boards: list[tuple[int, int, tuple[float, ...], float]] = []
    ply = 0
    while state["stage"] != game.OVER:
        if state["stage"] == game.DEAL:
            if state["round"]:
                boards += observe(state)
            game.deal_round(state, rng.new(seed, int(state["round"])))
        else:
            # Now and then a random move, so that unusual boards are seen, too.
            generator = rng.new(seed, 1, ply)
            random = np.random.default_rng([seed, ply]).random() < 0.05
            choice = game.draw_move(state, generator) if random else mover.choose(state, seed + ply)
            game.play(state, choice)
            ply += 1
    values = interface.new_values()
    interface.exact_values(state, values)
    return [
        Sample(seed, players, phase, player, terms, values[player, interface.POINTS] - known)
        for phase, player, terms, known in boards
    ]


def observe(state: Any) -> Iterator[tuple[int, int, tuple[float, ...], float]]:
    """Phase, player, terms and known points of every board of a scored round."""
    walls = [wall_of(state["boards"][player]) for player in range(state["players"])]
    phase = 5 - max(int(wall.sum(axis=1).max()) for wall in walls)
    for player, wall in enumerate(walls):
        board = state["boards"][player]
        rows, columns = wall.sum(axis=1), wall.sum(axis=0)
        colors = np.array([sum(wall[r, (c + r) % 5] for r in range(5)) for c in range(5)])
        terms = [
            float((counts == fill).sum()) for counts in (rows, columns, colors) for fill in FILLS
        ]
        best = [
            max([gain(wall, r, c) for c in range(5) if not wall[r, c]] or [0]) for r in range(5)
        ]
        terms += [float(sum(best)), begun(board, wall), float(player == state["mover"])]
        terms += [float(state["players"] == players) for players in (2, 3, 4)]
        known = int(board["score"]) + 7 * int((columns == 5).sum()) + 10 * int((colors == 5).sum())
        yield phase, player, tuple(terms), float(known)


def wall_of(board: Any) -> Any:
    """A wall as a bool array, shape (5, 5)."""
    return (
        np.array([[int(board["wall"]) >> 5 * r + c & 1 for c in range(5)] for r in range(5)]) == 1
    )


def gain(wall: Any, row: int, column: int) -> int:
    """Points of a tile placed on an empty cell."""
    runs = [run(wall[row], column), run(wall[:, column], row)]
    return sum(length for length in runs if length > 1) or 1


def run(cells: Any, position: int) -> int:
    """Length of the run of filled cells through a position counted as filled."""
    low = high = position
    while low > 0 and cells[low - 1]:
        low -= 1
    while high < 4 and cells[high + 1]:
        high += 1
    return high - low + 1


def begun(board: Any, wall: Any) -> float:
    """Points of the begun lines' cells, each in proportion to how full the line is."""
    points = 0.0
    for row in range(5):
        line = int(board["lines"]) >> 6 * row & 63
        if line & 7:
            points += gain(wall, row, ((line >> 3) + row) % 5) * (line & 7) / (row + 1)
    return points


def report(phase: int, samples: list[Sample]) -> None:
    """Fit on four of five games, test on the fifth, print."""
    terms = np.array([sample.terms for sample in samples])
    gained = np.array([sample.gained for sample in samples])
    held_out = np.array([sample.game % 5 == 0 for sample in samples])
    penalty = np.diag([RIDGE if not name.startswith("future") else 1e-3 for name in NAMES])
    known, target = terms[~held_out], gained[~held_out]
    fitted = np.linalg.solve(known.T @ known + penalty, known.T @ target)
    error = gained - terms @ fitted
    explained = 1 - (error[held_out] ** 2).mean() / gained[held_out].var()
    print(f"phase {phase}: {len(samples)} boards, held-out R2 {explained:.3f}")
    for name, value in zip(NAMES, fitted, strict=True):
        print(f"  {name:<10} {value:7.3f}")
    for players in (2, 3, 4):
        leads = pair_errors(
            [(s, e) for s, e in zip(samples, error, strict=True) if s.players == players]
        )
        print(f"  spread of the difference, {players} players: {np.std(leads):.2f}")


def pair_errors(errors: list[tuple[Sample, float]]) -> list[float]:
    """Errors of the difference between the first two players at one moment of a game."""
    pairs = itertools.pairwise(errors)
    return [b - a for (first, a), (second, b) in pairs if (first.player, second.player) == (0, 1)]


if __name__ == "__main__":
    main()
