"""How well the colors in an unknown lid are worked out, compared with the truth of games.

    python benchmarks/hidden_tiles.py                     # 400 games for each number of players
    python benchmarks/hidden_tiles.py --engine ismcts --iterations 200 --games 50

At the start of every round before the first refill the position is written down without bag and
lid. The hidden tiles are then drawn twice: with what the walls prove in place, as the
searchers draw them, and uniformly from all unseen tiles, as if only the size of the lid were
known. The error of a draw is how many tiles it puts on the wrong side.
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from azul_ai import game, games, rng
from azul_ai.engine import Player
from azul_ai.games.supply import COLORS, FIELD, FIELD_MASK
from azul_ai.position import from_state, to_state
from azul_ai.settings import Limit

DRAWS = 20


def main() -> None:
    """Play the games and print a line for each number of players and round."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--engine", default="greedy")
    parser.add_argument("--iterations", type=int)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    table = Table(title=f"{options.games} games of {options.engine} each")
    for column in ("Players", "Round", "Lid", "Proven", "Error", "± ", "Uniform", "±", "Ratio"):
        table.add_column(column, justify="right")
    for players in (2, 3, 4):
        player = Player("azul", options.engine, Limit(iterations=options.iterations))
        seeds = range(options.seed, options.seed + options.games)
        rows: dict[int, list[tuple[float, ...]]] = {}
        for seed in seeds:
            for state in round_starts(player, players, seed):
                rows.setdefault(int(state["round"]), []).append(compare(state, seed))
        for round_number, figures in sorted(rows.items()):
            table.add_row(str(players), str(round_number), *summary(figures))
    Console().print(table)


def round_starts(player: Player, players: int, seed: int) -> Iterator[Any]:
    """The states of a game after each deal while something of the lid is unknown."""
    state, deals = games.load("azul").new_state(players), rng.new(seed)
    while state["stage"] != game.OVER:
        if state["stage"] == game.DEAL:
            game.deal_round(state, deals)
            blind = to_state(replace(from_state(state), bag=None, lid=None))
            if state["round"] > 1 and not blind["hidden"]:
                return
            if state["round"] > 1:
                yield state.copy()
        game.play(state, player.choose(state, seed))


def compare(state: Any, seed: int) -> tuple[float, ...]:
    """Tiles in the lid, how many of them are proven, and the mean error of both draws."""
    blind = to_state(replace(from_state(state), bag=None, lid=None))
    uniform = blind.copy()
    uniform["bag"] += uniform["lid"]
    uniform["hidden"] += tiles(uniform["lid"]).total()
    uniform["lid"] = 0
    truth, proven = tiles(state["lid"]), tiles(blind["lid"])
    generator = rng.new(seed, int(state["round"]))
    errors = [
        np.mean([misplaced(start, truth, generator) for _ in range(DRAWS)])
        for start in (blind, uniform)
    ]
    return (truth.total(), proven.total(), *map(float, errors))


def misplaced(blind: Any, truth: Counter[int], generator: Any) -> int:
    """How many tiles a draw has in the bag that lie in the lid."""
    drawn = blind.copy()
    game.draw_hidden(drawn, generator)
    return (truth - tiles(drawn["lid"])).total()


def tiles(word: int) -> Counter[int]:
    """The tiles of a supply word by color."""
    return Counter({color: int(word) >> FIELD * color & FIELD_MASK for color in range(COLORS)})


def summary(figures: list[tuple[float, ...]]) -> list[str]:
    """The cells of a line: means, with the standard errors of both draws' errors."""
    lid, proven, error, uniform = (list(column) for column in zip(*figures, strict=True))
    spread = [statistics.stdev(column) / len(column) ** 0.5 for column in (error, uniform)]
    means = [statistics.mean(column) for column in (lid, proven, error, uniform)]
    return [
        f"{means[0]:.1f}",
        f"{means[1]:.1f}",
        f"{means[2]:.2f}",
        f"{spread[0]:.2f}",
        f"{means[3]:.2f}",
        f"{spread[1]:.2f}",
        f"{means[2] / means[3]:.2f}",
    ]


if __name__ == "__main__":
    main()
