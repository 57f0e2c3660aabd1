"""``azul-ai new``: the position of a new game, dealt or to be filled in."""

from __future__ import annotations

import click

from azul_ai import game, games
from azul_ai.cli import kernels, options, output, setup
from azul_ai.dealing import deal_generator
from azul_ai.position import from_state, template


@click.command
@click.option(
    "--game",
    "game_name",
    type=click.Choice(games.NAMES),
    default="azul",
    show_default=True,
    help="Which game.",
)
@click.option(
    "--players",
    type=click.IntRange(2, game.MAX_PLAYERS),
    default=2,
    show_default=True,
    help="How many players.",
)
@setup.side
@setup.components
@options.seed
@click.option("--empty", is_flag=True, help="Write a commented template to fill in instead.")
@options.position_format
@options.quiet
def command(
    game_name: str,
    players: int,
    side: str | None,
    components: str | None,
    seed: int,
    empty: bool,
    as_json: bool,
    as_code: bool,
) -> None:
    """Write the position of a new game.

    The displays are dealt at random; player 1 is to move.
    """
    if empty and (as_json or as_code):
        raise click.UsageError("--empty writes TOML only; leave out --json and --code.")
    boards = setup.boards(game_name, side, components)
    if empty:
        click.echo(template(game_name, players, **boards), nl=False)
        return
    state = games.new_game(game_name, players, seed=seed, **boards)
    kernels.ready(game_name, game.deal_round)
    game.deal_round(state, deal_generator(state, seed))
    output.write_position(from_state(state), as_json=as_json, as_code=as_code)
