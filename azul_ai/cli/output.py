"""What goes to standard output and standard error, without the weight of rich."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from azul_ai.position import Position

QUIET = "azul_ai.quiet"
"""Key in a context's ``meta``: whether notices are unwanted."""


def write_json(document: dict[str, Any]) -> None:
    """Print a result for programs: one line, never NaN or infinity."""
    click.echo(json.dumps(document, ensure_ascii=False, allow_nan=False))


def write_position(position: Position, *, as_json: bool, as_code: bool) -> None:
    """Print a position: TOML unless something else is asked for."""
    if as_json and as_code:
        raise click.UsageError("Choose one of --json and --code.")
    if as_json:
        write_json(position.to_dict())
    elif as_code:
        click.echo(position.code)
    else:
        click.echo(position.to_toml(), nl=False)


def is_quiet() -> bool:
    """Whether nothing but the result is wanted."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(QUIET))


def notice(*messages: str) -> None:
    """Tell people something beside the result: one line a message on standard error."""
    if not is_quiet():
        for message in messages:
            click.echo(f"azul-ai: {' '.join(message.split())}", err=True)


def show_warning(message: Warning | str, *_where: Any, **_more: Any) -> None:
    """Show a warning as a notice; takes the place of :func:`warnings.showwarning`."""
    notice(str(message))
