"""The bots that an entrant's engine may name."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Sequence
from typing import Any

from azul_ai import engine, game, rng
from azul_ai.jit import Call
from azul_ai.settings import ENGINES, SettingError
from azul_ai.tournament.bot import Bot
from azul_ai.tournament.players import Entrant
from azul_ai.tournament.process import ProcessBot

RANDOM, PROCESS = "random", "process"
PATIENCE = 10.0
"""Seconds beyond its time that an outside bot has for a move, unless ``timeout`` is given."""


class RandomBot:
    """Plays each legal move with the same probability."""

    def choose(self, state: Any, seed: int) -> int:
        """A random move."""
        return int(game.draw_move(state, rng.new(seed)))

    def kernels(self, state: Any) -> Sequence[Call]:
        """The one kernel."""
        return [(game.draw_move, (state, rng.new(0)))]


class EngineBot(engine.Player):
    """A searcher of this project."""

    def kernels(self, state: Any) -> Sequence[Call]:
        """Those of the searcher."""
        return self._searcher.kernels(self.problem(state, 0))


def make(entrant: Entrant, game_name: str) -> Bot:
    """The bot of an entrant.

    :raises SettingError: unknown engine, limit or setting; a command that does not exist.
        Its field begins with the entrant's name.
    """
    try:
        return _make(entrant, game_name)
    except SettingError as error:
        raise SettingError(f"{entrant.name}.{error.field}", error.reason, error.hint) from None


def _make(entrant: Entrant, game_name: str) -> Bot:
    settings = entrant.settings
    if entrant.engine == RANDOM:
        if entrant.options:
            raise SettingError(entrant.options[0][0], "the random bot has no settings")
        return RandomBot()
    if entrant.engine == PROCESS:
        return _outside(entrant, settings)
    if entrant.engine not in ENGINES:
        known = [RANDOM, *ENGINES, PROCESS]
        reason = f"unknown engine {entrant.engine!r}"
        raise SettingError("engine", reason, f"known: {', '.join(known)}")
    objective = settings.pop("objective", "win")
    if objective not in engine.OBJECTIVES:
        known = list(engine.OBJECTIVES)
        raise SettingError("objective", f"{objective!r} is none", f"known: {', '.join(known)}")
    return EngineBot(game_name, entrant.engine, entrant.limit, settings, objective)


def _outside(entrant: Entrant, settings: dict[str, str]) -> Bot:
    given = entrant.limit
    for name in given.given():
        if name != "time":
            raise SettingError(name, "an outside bot has no such limit", "use time")
    command = shlex.split(settings.pop("command", ""))
    if not command:
        raise SettingError("command", "is missing", 'engine=process,command="python3 bot.py"')
    if shutil.which(command[0]) is None:
        raise SettingError("command", f"there is no program {command[0]!r}", "check the path")
    try:
        timeout = float(settings.pop("timeout", (given.time or 0) + PATIENCE))
    except ValueError:
        raise SettingError("timeout", "is not a number of seconds") from None
    if not timeout > 0:
        raise SettingError("timeout", f"{timeout:g} is not positive", "give more than 0")
    if settings:
        raise SettingError(next(iter(settings)), "an outside bot has no such setting")
    return ProcessBot(command, given.time, timeout)
