"""Put the network of a training run into the package, with what made it and what it is worth.

    azul-ai train --out run --game azul --players 2 --seed 2026 --generations 6
    python benchmarks/calibration.py --evaluation run/network.npz --adjust run/network.npz --seed 98
    python benchmarks/ship.py run --figures "expectimax, 0.1 s: 85.0 +- 1.8 % of 400 games"

The note of the file says by which command it was made (the run writes that), the signature of the
bench then, and the figures given here: what it scored against the hand-made evaluation.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from azul_ai import evaluation
from azul_ai.evaluation import weights
from azul_ai.training import run as runs

SIGNATURE = Path(__file__).with_name("signature")


def main() -> None:
    """Copy, and tell where to."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("run", type=Path, help="the directory of a run")
    parser.add_argument("--figures", action="append", default=[], help="may be given several times")
    options = parser.parse_args()
    plan = runs.resume(options.run).plan
    module = evaluation.network_module(plan.game)
    model, note = weights.load(options.run / runs.NETWORK, module.MODEL, runs.wanted(plan))
    note |= {"bench": SIGNATURE.read_text(encoding="utf-8").strip(), "figures": options.figures}
    path = weights.shipped(plan.game, plan.players)
    weights.save(path, model, note)
    print(f"{path}: {path.stat().st_size:,} bytes; {note}")


if __name__ == "__main__":
    main()
