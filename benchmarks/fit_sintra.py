"""What the hand-made evaluation of Sintra leaves open: points to come, and their spread.

Plays games of ISMCTS against itself and compares the evaluation's values after every round
with the final points. Prints the tables of ``azul_ai/evaluation/sintra.py``: by rounds to come,
for 2-4 players, the mean and the standard deviation of a difference of two players.

    python benchmarks/fit_sintra.py --games 200 --iterations 300 --seed 1
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from typing import Any

import numpy as np

from azul_ai import evaluation, game, games, rng
from azul_ai.engine import Player
from azul_ai.evaluation.interface import POINTS, exact_values, new_values, value_of
from azul_ai.jit import kernel
from azul_ai.settings import Limit

SIDES = ("A", "B")


@kernel
def value_now(model: Any, state: Any, values: Any) -> None:
    """The values of a scored round."""
    value_of(model, state, values)


def play(bot: Player, model: Any, start: Any, seed: int) -> list[tuple[int, list[float]]]:
    """Final points less the evaluation after each round, with the rounds to come."""
    state, deals, seen = start, rng.new(seed), []
    values = new_values()
    players, ply = int(state.players), 0
    while state.stage != game.OVER:
        if state.stage == game.DEAL:
            if state["round"]:
                value_now(model, state, values)
                seen.append((6 - int(state["round"]), values[:players, POINTS].tolist()))
            game.deal_round(state, deals)
        else:
            game.play(state, bot.choose(state, seed * 1000 + ply))
            ply += 1
    exact_values(state, values)
    end = values[:players, POINTS].tolist()
    return [
        (to_come, [final - own for final, own in zip(end, expected, strict=True)])
        for to_come, expected in seen
    ]


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--iterations", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    bot = Player("sintra", "ismcts", Limit(iterations=options.iterations))
    model = evaluation.load("sintra", evaluation.HANDMADE).model.copy()
    model["future"][:] = 0
    for side in SIDES:
        errors: dict[tuple[int, int], list[list[float]]] = defaultdict(list)
        for players in (2, 3, 4):
            for index in range(options.games):
                seed = options.seed * 100_000 + index
                start = games.new_game("sintra", players, seed=seed, side=side)
                for to_come, left in play(bot, model, start, seed):
                    errors[to_come, players].append(left)
        for to_come in range(1, 6):
            kinds = [np.array(errors[to_come, players]) for players in (2, 3, 4)]
            means = ", ".join(f"{kind.mean():.1f}" for kind in kinds)
            spreads = ", ".join(f"{math.sqrt(2) * within(kind):.1f}" for kind in kinds)
            print(f"{side} {to_come}: ({means}), ({spreads})", flush=True)


def within(errors: Any) -> float:
    """The standard deviation of one player's error around the mean of his game."""
    games_, players = errors.shape
    around = errors - errors.mean(axis=1, keepdims=True)
    return math.sqrt((around**2).sum() / (games_ * (players - 1)))


if __name__ == "__main__":
    main()
