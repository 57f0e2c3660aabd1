"""``azul-ai bench``: fixed searches, their speed, and a signature of what they found."""

from __future__ import annotations

import re

import click

from azul_ai import bench, game
from azul_ai.cli import errors, kernels, options, output
from azul_ai.position import load

ENGINES = tuple(bench.LIMITS)


def _signature(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is not None and not re.fullmatch(r"[0-9a-f]{8}", value.lower(), re.ASCII):
        raise click.BadParameter(f"{value!r} is no signature; give eight hexadecimal digits.")
    return value and value.lower()


@click.command
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    help="Only this engine; by default all of them.",
)
@click.option(
    "--threads",
    type=int,
    default=1,
    metavar="N",
    callback=options.at_least(1),
    help="Threads of each search. With another number the signature may be another.",
)
@click.option(
    "--expect", metavar="HEX", callback=_signature, help="Exit with 1 unless this is the signature."
)
@options.as_json
@options.quiet
def command(engine: str | None, threads: int, expect: str | None, as_json: bool) -> None:
    """Search fixed positions and print a signature of what was found.

    The signature stays the same from run to run and machine to machine, until a change of
    rules, search or evaluation changes what is found. It covers the engines that ran.
    """
    for name in sorted({load(code).game for code in bench.positions()}):
        kernels.ready(name, game.list_moves)
    chosen = (engine,) if engine else ENGINES
    result = bench.run(chosen, threads, None if as_json else _print_line, output.notice)
    if not as_json:
        rate = result.nodes / max(result.time_s, 1e-9)
        click.echo(f"{result.nodes} nodes in {result.time_s:.2f} s, {rate:,.0f} per second")
        click.echo(f"signature {result.signature}")
    if expect is not None and expect != result.signature:
        reason = f"the signature is {result.signature}, not {expect}"
        hint = "a change of what is found needs a match result; then store the new signature"
        raise errors.Failure(errors.Reason("signature", reason, hint))
    if as_json:
        output.write_json(result.to_dict())


def _print_line(line: bench.Line) -> None:
    rate = line.nodes / max(line.time_s, 1e-9)
    click.echo(
        f"{line.engine:<10} {line.label:<39} {line.best:<9} {line.nodes:>9} nodes "
        f"{rate:>11,.0f} per second  {line.signature}"
    )
