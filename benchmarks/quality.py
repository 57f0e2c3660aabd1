"""How well engines play and value last rounds whose answers are known.

    python benchmarks/quality.py                                    # both engines, three budgets
    python benchmarks/quality.py --engine ismcts --budget time=1 --objective diff
    python benchmarks/quality.py --engine ismcts --set leaf=game --budget iterations=100 --players 2

Runs each engine with each budget over `positions/suite/last-rounds.jsonl` (made by
`benchmarks/suite.py`) and prints, one line each: how often its move is a best one, what its
moves lose on average (in points and in shares of the win, with standard errors), and how often
the value that it states for its move is right to a thousandth.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coverages import coverage_table, kinds, stated_by_the_program
from rich.console import Console
from rich.table import Table

from azul_ai import notation
from azul_ai.engine import Player
from azul_ai.evaluation.interface import DIFF, WIN
from azul_ai.position import load, to_state
from azul_ai.settings import Limit

SUITE = Path(__file__).parent.parent / "positions" / "suite" / "last-rounds.jsonl"
BUDGETS = ("time=0.01", "time=0.1", "time=1")
ENGINES = ("expectimax", "ismcts")
RIGHT = 1e-3
"""A value may be off by so much of a share of the win, and of a point, and still be right."""

Worth = tuple[float, ...]
"""Share of the win, unless only points count, and difference in points."""


@dataclass(frozen=True)
class Puzzle:
    """A position and what each of its moves is worth for the player to move."""

    state: Any
    moves: dict[str, Worth]


@dataclass(frozen=True)
class Answer:
    """What an engine's move loses against the best, and whether its stated value is right."""

    win_loss: float
    points_loss: float
    right: bool

    @property
    def best(self) -> bool:
        """Whether no move is better."""
        return self.win_loss == 0 and self.points_loss == 0


def main() -> None:
    """Measure every engine with every budget."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--engine", action="append", help="may be repeated")
    parser.add_argument(
        "--budget", action="append", help="time=1, iterations=1000, nodes=… depth=…"
    )
    parser.add_argument("--objective", choices=("win", "diff"), default="win")
    parser.add_argument("--players", type=int, action="append", choices=(2, 3, 4))
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="settings")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--coverage",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="instead: how true the stated errors are, for samples of benchmarks/errors.py",
    )
    options = parser.parse_args()
    if options.coverage:
        print_coverage(options.coverage)
        return
    puzzles = load_suite(options.objective, options.players or (2, 3, 4))
    settings = dict(text.split("=", 1) for text in options.settings)
    table = new_table(f"{len(puzzles)} last rounds, objective {options.objective}")
    for engine in options.engine or ENGINES:
        for budget in options.budget or BUDGETS:
            player = Player("azul", engine, limit(budget), settings, options.objective)
            answers = [answer(player, puzzle, options.seed) for puzzle in puzzles]
            table.add_row(engine, budget, *summary(answers))
    Console().print(table)


def print_coverage(paths: Sequence[Path]) -> None:
    """Stated errors beside true ones, by engine, players, budget and phase."""
    for group in kinds(*paths).values():
        stated = stated_by_the_program(group)
        Console(width=190).print(coverage_table(group, stated, parts=True))


def limit(budget: str) -> Limit:
    """The limit that a budget such as ``time=0.1`` means."""
    name, _, number = budget.partition("=")
    return Limit(**{name: float(number) if name == "time" else int(number)})


def load_suite(objective: str, players: Sequence[int]) -> list[Puzzle]:
    """The suite's positions for some numbers of players."""
    puzzles = []
    for line in SUITE.read_text(encoding="utf-8").splitlines():
        document = json.loads(line)
        state = to_state(load(document["position"]))
        if int(state["players"]) in players:
            puzzles.append(Puzzle(state, worths(document[objective], int(state["mover"]))))
    return puzzles


def worths(moves: dict[str, list[Any]], mover: int) -> dict[str, Worth]:
    """Every move with its worth for the mover."""
    own = {move: players[mover] for move, players in moves.items()}
    return {move: tuple(w) if isinstance(w, list) else (w,) for move, w in own.items()}


def answer(player: Player, puzzle: Puzzle, seed: int) -> Answer:
    """What a player makes of a puzzle."""
    player.prepare(puzzle.state)  # loading kernels is no part of the budget
    chosen = player.search(puzzle.state, seed).moves[0]
    *share, points = puzzle.moves[notation.format_move(puzzle.state, chosen.move)]
    *best_share, best_points = max(puzzle.moves.values())
    stated = chosen.values[int(puzzle.state["mover"])]
    right = math.isclose(stated[DIFF], points, abs_tol=RIGHT)
    if not share:
        return Answer(0.0, best_points - points, right)
    right &= math.isclose(stated[WIN], share[0], abs_tol=RIGHT)
    return Answer(best_share[0] - share[0], best_points - points, right)


def new_table(title: str) -> Table:
    """An empty table."""
    table = Table(title=title)
    for column in ("Engine", "Budget"):
        table.add_column(column)
    for column in ("Best %", "Points lost", "±", "Win % lost", "±", "Value right %"):
        table.add_column(column, justify="right")
    return table


def summary(answers: Sequence[Answer]) -> list[str]:
    """The cells of a line."""

    def mean(value: Callable[[Answer], float], digits: int, scale: float = 1.0) -> list[str]:
        values = [scale * value(answer) for answer in answers]
        error = statistics.stdev(values) / math.sqrt(len(values))
        return [f"{statistics.mean(values):.{digits}f}", f"{error:.{digits}f}"]

    best, _ = mean(lambda answer: answer.best, 1, 100)
    right, _ = mean(lambda answer: answer.right, 1, 100)
    points = mean(lambda answer: answer.points_loss, 3)
    wins = mean(lambda answer: answer.win_loss, 2, 100)
    return [best, *points, *wins, right]


if __name__ == "__main__":
    main()
