"""What is printed on the components of Stained Glass of Sintra: data, never code.

The set that comes with the package is not official; see the file's own words.
"""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

JOKER = "*"


@dataclass(frozen=True)
class Prints:
    """What is printed on the boards.

    ``window_points``: eight numbers from the left. ``track``: nine numbers, 0 at the top, the
    others as printed, negative. ``ornaments``: four pairs of windows, from 1.
    """

    window_points: tuple[int, ...]
    track: tuple[int, ...]
    ornaments: tuple[tuple[int, ...], ...]

    def to_document(self) -> dict[str, Any]:
        """The keys of a file, of components or with a position, that says the same."""
        return {
            "window_points": list(self.window_points),
            "track": list(self.track),
            "ornaments": [list(pair) for pair in self.ornaments],
        }


@dataclass(frozen=True)
class Components:
    """A set of components.

    ``colors``: names by letter, in the order of the colors. ``strips``: front and back of the
    eight pattern strips, five letters or jokers each. ``official``: whether the publisher says so.
    """

    colors: dict[str, str]
    strips: tuple[tuple[str, str], ...]
    prints: Prints
    official: bool

    def to_document(self) -> dict[str, Any]:
        """The keys of a file that says the same; see :func:`of_document`."""
        return {
            "official": self.official,
            **self.prints.to_document(),
            "colors": dict(self.colors),
            "strips": [{"front": front, "back": back} for front, back in self.strips],
        }


NOTICE = "the package's components are not official: their strips and window points are made up"
"""What is said where they are used."""


@functools.cache
def default() -> Components:
    """The set that comes with the package."""
    return of_document(tomllib.loads(default_text()))


def default_text() -> str:
    """The file of that set, a pattern for one's own."""
    return files("azul_ai.games").joinpath("sintra.toml").read_text(encoding="utf-8")


def of_document(document: dict[str, Any]) -> Components:
    """The set that a valid document describes."""
    return Components(
        colors=dict(document["colors"]),
        strips=tuple((strip["front"], strip["back"]) for strip in document["strips"]),
        prints=Prints(
            window_points=tuple(document["window_points"]),
            track=tuple(document["track"]),
            ornaments=tuple(tuple(pair) for pair in document["ornaments"]),
        ),
        official=document["official"],
    )
