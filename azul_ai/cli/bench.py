"""``azul-ai bench``: fixed searches, their speed, and a signature of what they found."""

from __future__ import annotations

import click

from azul_ai import bench
from azul_ai.cli import errors, options, output

ENGINES = tuple(bench.LIMITS)


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
    help="Threads of each search. The signature is that of one thread.",
)
@click.option("--expect", metavar="HEX", help="Exit with 1 unless this is the signature.")
@options.as_json
@options.quiet
def command(engine: str | None, threads: int, expect: str | None, as_json: bool) -> None:
    """Search fixed positions and print a signature of what was found.

    The signature stays the same from run to run and machine to machine, until a change of
    rules, search or evaluation changes what is found.
    """
    chosen = (engine,) if engine else ENGINES
    result = bench.run(chosen, threads, None if as_json else _print_line, output.notice)
    if as_json:
        output.write_json(result.to_dict())
    else:
        rate = result.nodes / max(result.time_s, 1e-9)
        click.echo(f"{result.nodes} nodes in {result.time_s:.2f} s, {rate:,.0f} per second")
        click.echo(f"signature {result.signature}")
    if expect is not None and expect != result.signature:
        reason = f"the signature is {result.signature}, not {expect}"
        hint = "a change of what is found needs a match result; then store the new signature"
        raise errors.Failure(errors.Reason("signature", reason, hint))


def _print_line(line: bench.Line) -> None:
    rate = line.nodes / max(line.time_s, 1e-9)
    game, _, fields = line.position.partition(":")
    label = f"{game} {fields.partition(':')[2][:18]}…"
    click.echo(
        f"{line.engine:<10} {label:<26} {line.best:<10} {line.nodes:>10} nodes "
        f"{rate:>12,.0f} per second  {line.signature}"
    )
