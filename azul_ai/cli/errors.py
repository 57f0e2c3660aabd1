"""What is said when something goes wrong, where, and with which exit code: one place for all.

People get sentences on standard error; with ``--json`` programs get an ``azul-error/1``
object on standard output. A fault of the program itself keeps its traceback.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import NamedTuple

import click

from azul_ai.cli import output

INTERRUPTED = 130
"""Exit code after Ctrl-C; the others belong to the exceptions: usage errors are click's own."""

AS_JSON = "azul_ai.json"
"""Key in a context's ``meta``: whether errors are wanted as JSON."""


class Reason(NamedTuple):
    """One thing that is wrong: where, why, and what to do; ``field`` and ``hint`` may be ""."""

    field: str
    reason: str
    hint: str = ""


class Failure(click.ClickException):
    """A command cannot do its job."""

    exit_code = 1

    def __init__(self, *reasons: Reason) -> None:
        self.reasons = reasons
        super().__init__("\n".join(map(_sentence, reasons)))

    def show(self, file: object = None) -> None:
        """Print every reason to standard error."""
        del file
        for reason in self.reasons:
            click.echo(f"Error: {_sentence(reason)}", err=True)


class WrongUsage(Failure):
    """Options that do not fit together, or not what they are for."""

    exit_code = 2


class BadPosition(Failure):
    """A position, or the file it should come from, is not usable."""

    exit_code = 3


@contextlib.contextmanager
def reported(context: click.Context) -> Iterator[None]:
    """Report what goes wrong inside, and leave with the right exit code."""
    try:
        yield
        sys.stdout.flush()
    except KeyboardInterrupt:
        click.echo("interrupted", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        # The reader has seen enough (`| head`): nothing failed. Python flushes once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise click.exceptions.Exit(0) from None
    except click.exceptions.Exit:
        raise
    except Exception as error:
        failure = _as_click_error(error)
        if context.meta[AS_JSON]:
            reasons = [reason._asdict() for reason in _reasons(failure or error)]
            output.write_json({"schema": "azul-error/1", "errors": reasons})
            if failure:
                raise click.exceptions.Exit(failure.exit_code) from None
        if failure:
            raise failure from None
        raise


def _as_click_error(error: Exception) -> click.ClickException | None:
    """The error as one with an exit code, or None if it is a fault of the program."""
    if isinstance(error, click.ClickException):
        return error
    # Imported only now that something failed: --help must not pay for it.
    from azul_ai.dealing import DealError  # noqa: PLC0415
    from azul_ai.notation import MoveError  # noqa: PLC0415
    from azul_ai.position import PositionError  # noqa: PLC0415
    from azul_ai.settings import SettingError  # noqa: PLC0415

    failure: Failure | None = None
    match error:
        case OSError():
            failure = Failure(Reason(str(error.filename or "output"), str(error.strerror or error)))
        case PositionError():
            failure = BadPosition(*(Reason(f.field, f.reason, f.hint) for f in error.faults))
        case SettingError():
            option = "--" + error.field.replace(".", " ")
            failure = WrongUsage(Reason(option, error.reason, error.hint))
        case DealError():
            failure = Failure(*(Reason("--deal", reason) for reason in error.reasons))
        case MoveError():
            failure = Failure(Reason("move", str(error)))
    return failure


def _reasons(error: Exception) -> tuple[Reason, ...]:
    """What an error says, for programs."""
    if isinstance(error, Failure):
        return error.reasons
    if isinstance(error, click.UsageError):
        parameter = getattr(error, "param", None)
        field = error.param_hint if isinstance(error, click.BadParameter) else None
        if parameter is not None and field is None:
            field = parameter.get_error_hint(error.ctx)
        hint = f"see {error.ctx.command_path} --help" if error.ctx else ""
        return (Reason(str(field or "").strip("'"), error.message, hint),)
    crash = f"{type(error).__name__}: {error}"
    return (Reason("", crash, "this is a fault of azul-ai: please report it"),)


def _sentence(reason: Reason) -> str:
    """A reason as people read it."""
    place = f"{reason.field}: " if reason.field else ""
    hint = f"\n       {reason.hint}" if reason.hint else ""
    return f"{place}{reason.reason}{hint}"
