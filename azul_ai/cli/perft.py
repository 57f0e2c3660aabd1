"""``azul-ai perft``: how many sequences of moves there are, to check the rules and their speed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import click
import numpy as np

from azul_ai import game
from azul_ai.cli import kernels, options, output, setup
from azul_ai.notation import format_move
from azul_ai.position import to_state

SCHEMA = "azul-perft/1"


@click.command
@options.position
@click.option(
    "--depth",
    type=int,
    required=True,
    metavar="D",
    callback=options.at_least(1),
    help="Length of the sequences.",
)
@click.option("--divide", is_flag=True, help="Count by first move.")
@options.as_json
@setup.board_components
@options.no_count_check
@options.quiet
def command(
    position: str,
    depth: int,
    divide: bool,
    as_json: bool,
    components: str | None,
    no_count_check: bool,
) -> None:
    """Count the sequences of D moves.

    A sequence that ends the round early counts as one. Dealing is not a move, and identical
    displays count separately.
    """
    loaded = setup.load_position(position, no_count_check, components)
    kernels.ready(loaded.game, game.close_round, game.list_moves, game.play, game.perft_leaves)
    state = to_state(loaded)
    start = time.perf_counter()
    counts: dict[str, int] = {}
    for name, leaves in _divide(state, depth):
        counts[name] = leaves
        if divide and not as_json:
            click.echo(f"{name}: {leaves}")
    seconds = time.perf_counter() - start
    total = sum(counts.values()) if state["stage"] == game.DECISION else 1
    if as_json:
        result = {"leaves": total, **({"divide": counts} if divide else {}), "time_s": seconds}
        output.write_json({"schema": SCHEMA, "position": loaded.code, "depth": depth, **result})
    else:
        rate = total / max(seconds, 1e-9)
        click.echo(f"{total} leaves at depth {depth} ({seconds:.3f} s, {rate:,.0f} per second)")


def _divide(state: Any, depth: int) -> Iterator[tuple[str, int]]:
    """The number of sequences below each first move; Ctrl-C works between two of them."""
    if state["stage"] != game.DECISION:
        return
    pool = np.zeros(depth, dtype=state.dtype)
    moves = np.zeros(game.MAX_MOVES, dtype=np.int64)
    buffer = np.zeros((depth, game.MAX_MOVES), dtype=np.int64)
    number = game.list_moves(state, moves, False)
    for move in moves[:number].tolist():
        pool[0] = state
        game.play(pool[0], move)
        leaves = game.perft_leaves(pool, depth - 1, buffer) if depth > 1 else 1
        yield format_move(state, move), int(leaves)
