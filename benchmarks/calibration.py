"""Compare what an evaluation predicts at the ends of rounds with how the games end.

    python benchmarks/calibration.py --evaluation learned --games 5000 --seed 99
    python benchmarks/calibration.py --evaluation run/network.npz --players 3 --plot calibration.svg

Plays games of ISMCTS against itself with that evaluation, of a seed that no training used, and
prints, by round: the Brier score and log loss of the shares of the win (of each player by himself,
as he is told it), the expected calibration error (ten bins; less what chance alone would give a
perfect prediction, by drawing outcomes from the predictions), by how much they are too high on the
whole, and the error of the expected points. Then the reliability table of all rounds.
With --adjust FILE a network is made true of these games (by round two factors of chances to win,
and what is added to points and differences), and written there; look again with another seed.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from azul_ai import evaluation, game
from azul_ai.evaluation import weights
from azul_ai.evaluation.correction import CORRECTION
from azul_ai.evaluation.interface import POINTS, WIN
from azul_ai.training import correcting, fitting, kernels, layers, samples, selfplay
from azul_ai.training.samples import Samples
from azul_ai.training.selfplay import Job

BINS = 10
DRAWS = 200
CHUNK = 250
LAST_ROUND = 6
"""Later rounds count as this one."""


def main() -> None:
    """Play, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", default="azul")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--side")
    parser.add_argument("--evaluation", default=evaluation.LEARNED)
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--iterations", type=int, default=200, help="of ISMCTS for each move")
    parser.add_argument("--seed", type=int, default=99)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--plot", type=Path, help="an SVG file; needs the extra `plot`")
    parser.add_argument("--adjust", type=Path, help="write the network, adjusted to these games")
    options = parser.parse_args()
    found = play(options)
    ends = found.states["stage"] == game.DEAL
    states, outcomes = found.states[ends], found.outcomes[ends]
    values = predict(options, states)[:, : options.players]
    if options.adjust:
        adjust(options, found.part(ends))
    rounds = np.minimum(states["round"], LAST_ROUND)
    console = Console()
    console.print(by_round(values, outcomes, rounds))
    bins = reliability(values[:, :, WIN].ravel(), outcomes[:, :, WIN].ravel())
    console.print(reliability_table(bins))
    if options.plot:
        draw(bins, options.plot)


def play(options: Any) -> Samples:
    """The samples of fresh games."""
    settings = {"evaluation": options.evaluation}
    jobs = [
        Job(
            options.game,
            options.players,
            options.side,
            options.seed,
            first,
            min(CHUNK, options.games - first),
            options.iterations,
            settings,
        )
        for first in range(0, options.games, CHUNK)
    ]
    with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool:
        return samples.join(pool.map(selfplay.play, jobs))


def predict(options: Any, states: Any) -> Any:
    """What the evaluation tells each player of states, float64 of shape (n, MAX_PLAYERS, 3)."""
    model = evaluation.load(options.game, options.evaluation, options.players).model
    values = np.zeros((len(states), game.MAX_PLAYERS, 3))
    kernels.value_states(model, states, states[:1].copy(), values)
    return values


def adjust(options: Any, ends: Samples) -> None:
    """Write the network adjusted to the ends of rounds of some games."""
    module = evaluation.network_module(options.game)
    path = Path(options.evaluation)
    if not evaluation.is_file(options.evaluation):
        path = weights.shipped(options.game, options.players)
    model, note = weights.load(path, module.MODEL, {"players": options.players})
    known, seen = fitting.see(ends, module.LAYOUT)
    model[CORRECTION] = correcting.correct(layers.from_model(model), known, seen)
    adjusted = f"by round, to {options.games} games of its own, seed {options.seed}"
    weights.save(options.adjust, model, {**note, "id": f"{note['id']}a", "adjusted": adjusted})
    print(f"{options.adjust}: {adjusted}\n{model[CORRECTION]}")


def by_round(values: Any, outcomes: Any, rounds: Any) -> Table:
    """The figures of each round, and of all."""
    names = ("Round", "Positions", "Brier", "Log loss", "ECE", "Bias", "Points: error", "bias")
    table = Table(*names)
    groups = [(str(number), rounds == number) for number in np.unique(rounds)]
    for name, chosen in [*groups, ("all", rounds > 0)]:
        share, won = values[chosen, :, WIN], outcomes[chosen, :, WIN]
        errors = values[chosen, :, POINTS] - outcomes[chosen, :, POINTS]
        told = np.clip(share, 1e-6, 1 - 1e-6)
        losses = -won * np.log(told) - (1 - won) * np.log(1 - told)
        table.add_row(
            name,
            f"{chosen.sum():,}",
            f"{np.mean((share - won) ** 2):.4f}",
            f"{losses.mean():.4f}",
            f"{calibration_error(share, won):.4f}",
            f"{(share - won).mean():+.4f}",
            f"{np.sqrt(np.mean(errors**2)):.2f}",
            f"{errors.mean():+.2f}",
        )
    return table


def reliability(predicted: Any, happened: Any) -> list[tuple[float, float, float, int]]:
    """By bin of the prediction: mean prediction, mean outcome, its standard error, number."""
    places = np.minimum((predicted * BINS).astype(int), BINS - 1)
    found = []
    for place in range(BINS):
        inside = places == place
        number = int(inside.sum())
        if number > 1:
            won = happened[inside]
            error = float(won.std(ddof=1) / np.sqrt(number))
            found.append((float(predicted[inside].mean()), float(won.mean()), error, number))
    return found


def calibration_error(shares: Any, won: Any) -> float:
    """The expected calibration error beyond what chance alone gives.

    :param shares: predicted, shape (n, players); ``won``: what was won, the same.
    """
    rng = np.random.default_rng(1)
    perfect = shares / shares.sum(axis=1, keepdims=True)  # each is told by itself
    by_chance = np.mean([distance(perfect, winners(perfect, rng)) for _ in range(DRAWS)])
    return max(0.0, distance(shares, won) - float(by_chance))


def winners(shares: Any, rng: np.random.Generator) -> Any:
    """Draw one winner for each position: what one player wins the others do not."""
    sums = shares.cumsum(axis=1)
    drawn = rng.random((len(shares), 1)) * sums[:, -1:]  # which is one, but for rounding
    return np.eye(shares.shape[1])[(drawn >= sums).sum(axis=1)]


def distance(shares: Any, won: Any) -> float:
    """The mean distance between predictions and outcomes of a bin, weighted by number."""
    predicted = shares.ravel()
    places = np.minimum((predicted * BINS).astype(int), BINS - 1)
    gaps = np.bincount(places, weights=predicted - won.ravel(), minlength=BINS)
    return float(np.abs(gaps).sum() / len(predicted))


def reliability_table(bins: list[tuple[float, float, float, int]]) -> Table:
    """How often who was said to win with some chance did."""
    table = Table("Predicted", "Won", "±", "Number")
    for predicted, won, error, number in bins:
        table.add_row(f"{predicted:.3f}", f"{won:.3f}", f"{error:.3f}", f"{number:,}")
    return table


def draw(bins: list[tuple[float, float, float, int]], path: Path) -> None:
    """The reliability table as a picture."""
    from matplotlib import pyplot  # noqa: PLC0415 - an extra

    figure, axes = pyplot.subplots(figsize=(5, 5))
    axes.plot([0, 1], [0, 1], color="gray", linewidth=1)
    predicted, won, errors, _ = zip(*bins, strict=True)
    axes.errorbar(predicted, won, yerr=[2 * error for error in errors], fmt="o")
    axes.set_xlabel("predicted share of the win")
    axes.set_ylabel("share that was won (two standard errors)")
    figure.savefig(path, bbox_inches="tight")


if __name__ == "__main__":
    main()
