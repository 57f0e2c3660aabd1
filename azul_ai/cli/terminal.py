"""Consoles for people: color only on a terminal and without NO_COLOR."""

from __future__ import annotations

from rich.console import Console

from azul_ai.position import Position


class _Console(Console):
    """A console that leaves a closed pipe to the caller instead of ending the process."""

    def on_broken_pipe(self) -> None:
        """Leave it to :mod:`azul_ai.cli.errors`."""
        raise BrokenPipeError


def out() -> Console:
    """Standard output, for results."""
    return _Console(highlight=False)


def err() -> Console:
    """Standard error, for progress."""
    return _Console(stderr=True, highlight=False)


def print_code(console: Console, position: Position) -> None:
    """The one-line code, which every command accepts in place of a file; never wrapped."""
    console.print(f"\nCode: {position.code}", soft_wrap=True, style="dim")
