"""``azul-ai rate``: tables and ratings from games on record."""

from __future__ import annotations

from pathlib import Path

import click

from azul_ai.cli import options, output, terminal, tournament_table
from azul_ai.cli.errors import Reason, WrongUsage
from azul_ai.cli.tournament_options import file_path
from azul_ai.tournament import records, report
from azul_ai.tournament.records import Record


@click.command
@click.argument("files", nargs=-1, required=True, type=file_path, metavar="FILE...")
@options.as_json
@options.quiet
def command(files: tuple[Path, ...], as_json: bool) -> None:
    """Compute tables and ratings again from the games in FILE...

    Players of the same name in several files are the same player.
    """
    with tournament_table.failures_told():
        read = {str(path): records.read(path) for path in files}
    _check(read)
    figures = report.of_records(read)
    if as_json:
        output.write_json(figures.to_dict())
    else:
        terminal.out().print(tournament_table.render(figures))


def _check(read: dict[str, Record]) -> None:
    """Refuse to mix games that cannot be compared."""
    kinds = {(record.settings.game, record.settings.seats): name for name, record in read.items()}
    if len(kinds) > 1:
        listed = [f"{name}: {game}, {seats} seats" for (game, seats), name in kinds.items()]
        raise WrongUsage(Reason("files", "; ".join(listed), "Rate them one after the other."))
