"""Every option and argument that more than one sub-command has, defined once."""

from __future__ import annotations

import functools
import math
import re
import secrets
from collections.abc import Callable
from typing import Any

import click

from azul_ai.cli import output

Callback = Callable[[click.Context, click.Parameter, Any], Any]

DEFAULT_SEED = 1
_UNITS = {"": 1, "B": 1, "K": 10**3, "M": 10**6, "G": 10**9, "KI": 2**10, "MI": 2**20, "GI": 2**30}


def combined(*decorators: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """One decorator that adds several options, listed in the order of the arguments."""
    return lambda command: functools.reduce(
        lambda decorated, decorate: decorate(decorated), reversed(decorators), command
    )


# --- what values are accepted -----------------------------------------------------------


def at_least(lowest: int) -> Callback:
    """A check for whole numbers that says what is allowed."""

    def check(_context: click.Context, _option: click.Parameter, value: int | None) -> int | None:
        if value is not None and value < lowest:
            raise click.BadParameter(f"{value} is too small; give a whole number from {lowest} up.")
        return value

    return check


def _seconds(
    _context: click.Context, _option: click.Parameter, value: float | None
) -> float | None:
    if value is not None and not (0 < value < math.inf):
        raise click.BadParameter(f"{value:g} is not a time; give seconds above 0, such as 0.5.")
    return value


def _seed(_context: click.Context, _option: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    if value == "random":
        drawn = secrets.randbelow(2**31)
        output.notice(f"seed {drawn}")
        return drawn
    if not re.fullmatch(r"\d{1,18}", value, re.ASCII):
        raise click.BadParameter(f"{value!r} is no seed; give a whole number from 0 up, or random.")
    return int(value)


def _size(_context: click.Context, _option: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?) ?([KMG]?I?)B?", value.strip().upper(), re.ASCII)
    size = int(float(match[1]) * _UNITS[match[2]]) if match and match[2] in _UNITS else 0
    if size < 1:
        raise click.BadParameter(f"{value!r} is no size; give for example 200MB, 1.5GB or 64MiB.")
    return size


def _settings(
    _context: click.Context, _option: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    settings: dict[str, str] = {}
    for text in values:
        key, equals, value = text.partition("=")
        if not (key and equals and value):
            raise click.BadParameter(f"{text!r} is no setting; give KEY=VALUE.")
        if settings.setdefault(key, value) != value:
            raise click.BadParameter(f"{key} is set twice, to {settings[key]} and to {value}.")
    return settings


def _comma_separated(
    _context: click.Context, _option: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    return tuple(part for value in values for part in re.split(r"[,\s]+", value) if part)


def _quiet(context: click.Context, _option: click.Parameter, value: bool) -> bool:
    context.meta[output.QUIET] = value
    return value


# --- positions --------------------------------------------------------------------------

position = click.argument("position", metavar="POSITION")

no_count_check = click.option(
    "--no-count-check",
    is_flag=True,
    help="Accept a position in which the tiles of a color do not add up.",
)

position_format = combined(
    click.option("--json", "as_json", is_flag=True, help="Print JSON instead of TOML."),
    click.option("--code", "as_code", is_flag=True, help="Print the one-line code."),
)
"""How a position is printed."""

# --- searching --------------------------------------------------------------------------

limits = combined(
    click.option(
        "--time",
        type=float,
        metavar="SECONDS",
        callback=_seconds,
        help="Stop after so long.  [default: 5, if no other limit is given]",
    ),
    click.option(
        "--iterations",
        type=int,
        metavar="N",
        callback=at_least(1),
        help="Stop after so many iterations, over all threads (ismcts).",
    ),
    click.option(
        "--nodes",
        type=int,
        metavar="N",
        callback=at_least(1),
        help="Stop after so many nodes, over all threads (expectimax).",
    ),
    click.option(
        "--depth",
        type=int,
        metavar="D",
        callback=at_least(1),
        help="Stop when all lines of so many moves are searched (expectimax).",
    ),
)
"""The first limit that is reached stops a search."""

engine = combined(
    click.option(
        "--engine",
        default="auto",
        show_default=True,
        metavar="NAME",
        help="ismcts or expectimax; auto takes the one that suits the position, and says which.",
    ),
    click.option(
        "--chance",
        metavar="0|K|all",
        help="What expectimax does at the end of a round: value it before the deal, search on "
        "through K deals, or through all of them.  [default: 0]",
    ),
    click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        callback=_settings,
        help="A setting of the engine; may be given several times.",
    ),
)

workers = combined(
    click.option(
        "--concurrency",
        type=int,
        metavar="N",
        callback=at_least(1),
        help="Games at the same time.  [default: one for each core]",
    ),
    click.option(
        "--scheduler", metavar="ADDRESS", help="Play on a Dask cluster, at tcp://host:port."
    ),
)
"""Where games between bots are played; see :mod:`azul_ai.tournament.executors`."""

objective = click.option(
    "--objective",
    type=click.Choice(["win", "diff"]),
    default="win",
    show_default=True,
    help="What players maximize: the chance to win (points second), or the points' difference.",
)

seed = click.option(
    "--seed",
    default=str(DEFAULT_SEED),
    show_default=True,
    metavar="N",
    callback=_seed,
    help="Seed of all chance; random draws one and prints it.",
)

optional_seed = click.option(
    "--seed",
    metavar="N",
    callback=_seed,
    help="Seed of all chance; random draws one and prints it.",
)
"""For commands where no seed means that nothing is left to chance."""

threads = click.option(
    "--threads",
    type=int,
    metavar="N",
    callback=at_least(1),
    help="Threads.  [default: all cores under --time, otherwise 1]",
)

memory = click.option(
    "--memory",
    metavar="SIZE",
    callback=_size,
    help="Memory of the search; full, it goes on without growing.  [default: 256MiB]",
)

moves_considered = combined(
    click.option(
        "--moves",
        multiple=True,
        metavar="M,…",
        callback=_comma_separated,
        help="Consider only these moves.",
    ),
    click.option(
        "--avoid",
        multiple=True,
        metavar="M,…",
        callback=_comma_separated,
        help="Do not consider these moves.",
    ),
)

# --- output -----------------------------------------------------------------------------

rows = combined(
    click.option(
        "--top",
        type=int,
        default=10,
        show_default=True,
        metavar="K",
        callback=at_least(1),
        help="Show so many moves.",
    ),
    click.option(
        "--show",
        multiple=True,
        metavar="M,…",
        callback=_comma_separated,
        help="Show these moves too, also outside the top.",
    ),
)

explain = click.option(
    "--explain",
    is_flag=True,
    help="Say why the best move is better than the next one, or than the move of --show.",
)

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

quiet = click.option(
    "--quiet",
    is_flag=True,
    expose_value=False,
    callback=_quiet,
    is_eager=True,
    help="No progress and no notices on standard error.",
)
