"""``azul-ai show``: a position drawn for people."""

from __future__ import annotations

import click

from azul_ai import game, render
from azul_ai.cli import kernels, options, output, setup, terminal


@click.command
@options.position
@click.option("--moves", is_flag=True, help="List the legal moves too.")
@setup.board_components
@options.no_count_check
@options.quiet
def command(position: str, moves: bool, components: str | None, no_count_check: bool) -> None:
    """Draw a position.

    Each board says what its player would score if the round ended now.
    """
    loaded = setup.load_position(position, no_count_check, components)
    listing = [game.list_moves] if moves else []
    kernels.ready(loaded.game, game.close_round, game.result, *listing)
    output.notice(*loaded.warnings)
    console = terminal.out()
    console.print(render.draw(loaded, moves=moves))
    terminal.print_code(console, loaded)
