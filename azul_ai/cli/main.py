"""The command ``azul-ai``.

A sub-command's module has the sub-command's name and defines ``command``. It is imported
when the sub-command is run, so that ``--help`` and ``--version`` answer at once: they import
neither numba nor numpy nor rich.
"""

from __future__ import annotations

import importlib
import warnings

import click

from azul_ai.cli import errors, output
from azul_ai.suggest import did_you_mean
from azul_ai.version import __version__

COMMANDS = {
    "analyze": "Rank the moves of a position.",
    "show": "Draw a position.",
    "new": "Write the position of a new game.",
    "move": "Play moves and deals, and print the position after them.",
    "perft": "Count sequences of moves.",
    "tournament": "Play matches between bots and say which is stronger.",
    "replay": "Step through a game on record.",
    "rate": "Compute tables and ratings from games on record.",
    "train": "Learn an evaluation from games against itself.",
    "bench": "Search fixed positions and print a signature of what was found.",
    "profile": "Measure where the time goes, and what got slower.",
    "warm": "Compile everything now, so that later commands start at once.",
}
"""Sub-commands in the order of ``--help``, each with its one-line help."""


class LazyGroup(click.Group):
    """A group that knows its sub-commands by name and imports only the one that is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, most used first."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import a sub-command."""
        if name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"azul_ai.cli.{name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the sub-command, or name the one that was probably meant."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            ctx.fail(f"There is no command {name!r}. {did_you_mean(name, COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the sub-commands from the table, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Note whether errors are wanted as JSON before any of them can occur."""
        ctx.meta[errors.AS_JSON] = "--json" in args
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run the sub-command; report what goes wrong."""
        with errors.reported(ctx):
            return super().invoke(ctx)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def cli() -> None:
    """Analyze positions of Azul, Azul with the gray wall, and Stained Glass of Sintra.

    POSITION is everywhere a TOML or JSON file, "-" for standard input, or a one-line code.
    Results go to standard output, everything else to standard error.
    Exit codes: 0 done, 1 failed, 2 wrong usage, 3 bad position, 130 interrupted.
    """


def main() -> None:
    """Run the command line; what the console script calls."""
    warnings.showwarning = output.show_warning
    cli(prog_name="azul-ai")
