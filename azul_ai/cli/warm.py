"""``azul-ai warm``: fill the compile cache, before many processes or a demonstration."""

from __future__ import annotations

import click
import numpy as np

from azul_ai import engine, games, jit
from azul_ai.cli import kernels, options, output
from azul_ai.settings import ENGINES, Limit, make_searcher, split_settings


@click.command
@click.option(
    "--game",
    "game_names",
    type=click.Choice(games.NAMES),
    multiple=True,
    help="Only this game; may be given several times.  [default: all]",
)
@options.quiet
def command(game_names: tuple[str, ...]) -> None:
    """Compile everything now, so that later commands start at once."""
    calls: list[jit.Call] = []
    for name in game_names or games.NAMES:
        calls += kernels.calls(name, *kernels.ALL)
        for searcher in ENGINES:
            for players in (2, 3):  # with more than two, a search may be of another kind
                calls += _search_calls(name, searcher, players)
    seconds = jit.prepare(calls, output.notice)
    if not seconds:
        output.notice(f"everything is compiled already; kept in {jit.cache_directory()}")


def _search_calls(game_name: str, searcher: str, players: int) -> list[jit.Call]:
    """The kernels of a searcher: they depend on the types of a problem, not on its values."""
    settings, chosen = split_settings(game_name, {}, players)
    problem = engine.make_problem(
        games.load(game_name).new_state(players),
        chosen.model,
        np.zeros(1, dtype=np.int64),
        Limit(iterations=1, nodes=1, depth=1),
        memory=engine.MIN_MEMORY,
    )
    return list(make_searcher(searcher, settings).kernels(problem))
