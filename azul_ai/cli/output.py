"""What goes to standard output and standard error, without the weight of rich."""

from __future__ import annotations

import json
from typing import Any

import click

QUIET = "azul_ai.quiet"
"""Key in a context's ``meta``: whether notices are unwanted."""


def write_json(document: dict[str, Any]) -> None:
    """Print a result for programs: one line, never NaN or infinity."""
    click.echo(json.dumps(document, ensure_ascii=False, allow_nan=False))


def notice(message: str) -> None:
    """Tell people something beside the result: one line on standard error."""
    context = click.get_current_context(silent=True)
    if context is None or not context.meta.get(QUIET):
        click.echo(f"azul-ai: {' '.join(message.split())}", err=True)


def show_warning(message: Warning | str, *_where: Any, **_more: Any) -> None:
    """Show a warning as a notice; takes the place of :func:`warnings.showwarning`."""
    notice(str(message))
