"""Searchers by name, with the settings, the limits and the evaluation that are asked of them."""

from __future__ import annotations

import dataclasses
import importlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from azul_ai import evaluation
from azul_ai.search.searcher import Searcher
from azul_ai.suggest import did_you_mean

ENGINES = {
    "ismcts": ("azul_ai.search.ismcts", "Ismcts"),
    "expectimax": ("azul_ai.search.expectimax", "Expectimax"),
    "greedy": ("azul_ai.search.greedy", "Greedy"),
}
"""Searchers by the name of ``--engine``: module and class."""

AUTO = "auto"
DEFAULT_TIME = 5.0


class SettingError(ValueError):
    """A limit or setting that cannot be used; ``field`` names it, ``hint`` says what to do."""

    def __init__(self, field: str, reason: str, hint: str = "") -> None:
        super().__init__(f"{field}: {reason}" + (f" ({hint})" if hint else ""))
        self.field, self.reason, self.hint = field, reason, hint


@dataclass(frozen=True, slots=True)
class Limit:
    """When a search stops: the first limit reached. ``time`` in seconds; None is no limit.

    :raises SettingError: a limit is not positive.
    """

    time: float | None = None
    iterations: int | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        for name, value in self.given().items():
            if not 0 < value < math.inf:
                reason = f"{value:g} is not a positive number"
                raise SettingError(name, reason, "give more than 0")

    def given(self) -> dict[str, Any]:
        """The limits that are set, by name."""
        return {key: value for key, value in dataclasses.asdict(self).items() if value is not None}

    def or_default(self) -> Limit:
        """This, or the default time when no limit is set."""
        return self if self.given() else Limit(time=DEFAULT_TIME)


def make_searcher(name: str, settings: Mapping[str, Any]) -> Searcher:
    """A searcher with settings, whose values may be text as in ``--set KEY=VALUE``.

    :raises SettingError: unknown engine or setting (with the closest match), or bad value.
    """
    if name not in ENGINES:
        raise SettingError("engine", f"unknown engine {name!r}", did_you_mean(name, ENGINES))
    module, attribute = ENGINES[name]
    kind = getattr(importlib.import_module(module), attribute)
    fields = {field.name: field for field in dataclasses.fields(kind)}
    chosen = {}
    for key, value in settings.items():
        if key not in fields:
            hint = did_you_mean(key, [*fields, "evaluation"])
            raise SettingError(f"set.{key}", f"the {name} engine has no such setting", hint)
        chosen[key] = _convert(key, value, type(fields[key].default))
    try:
        searcher: Searcher = kind(**chosen)
    except ValueError as error:
        raise SettingError("set", str(error)) from None
    return searcher


def check_limits(searcher: Searcher, limit: Limit) -> None:
    """Raise SettingError for a limit that the searcher does not know."""
    for name in limit.given():
        if name != "time" and name not in searcher.limits:
            known = ", ".join(["time", *sorted(searcher.limits)])
            raise SettingError(
                name, f"the {searcher.name} engine has no such limit", f"use {known}"
            )


def fits(name: str, limit: Limit, settings: Mapping[str, Any]) -> bool:
    """Whether an engine knows all of these limits and settings."""
    try:
        check_limits(make_searcher(name, settings), limit)
    except SettingError:
        return False
    return True


def split_settings(
    game_name: str, settings: Mapping[str, Any], players: int
) -> tuple[dict[str, Any], Any]:
    """Take the evaluation out of settings: (the searcher's settings, the Evaluation).

    :raises SettingError: the game has no evaluation of that name for so many players.
    """
    check_evaluation(game_name, settings)
    rest = dict(settings)
    name = str(rest.pop("evaluation", evaluation.default(game_name, players)))
    try:
        return rest, evaluation.load(game_name, name, players)
    except evaluation.WeightsError as error:
        raise SettingError("set.evaluation", str(error)) from None


def check_evaluation(game_name: str, settings: Mapping[str, Any]) -> None:
    """Raise SettingError unless the evaluation's name is one the game has, or that of a file."""
    if "evaluation" not in settings:
        return
    name = str(settings["evaluation"])
    known = evaluation.names(game_name)
    if name not in known and not evaluation.is_file(name):
        hint = f"{game_name} has: {', '.join(known)}; or give a file of azul-ai train: NAME.npz"
        raise SettingError("set.evaluation", f"no evaluation is called {name!r}", hint)


def _convert(key: str, value: Any, kind: type) -> Any:
    """A setting's value in the type of its default."""
    try:
        if kind is bool and isinstance(value, str):
            return {"true": True, "false": False, "1": True, "0": False}[value.lower()]
        return kind(value)
    except (ValueError, KeyError):
        reason = f"{value!r} is not of type {kind.__name__}"
        raise SettingError(f"set.{key}", reason, "see azul-ai analyze --help") from None
