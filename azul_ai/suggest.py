"""The closest of the known words to one that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint for a word that is not among the known ones: the closest of them, or all.

    >>> did_you_mean("expolration", ["exploration", "leaf"])
    "Did you mean 'exploration'?"
    >>> did_you_mean("zzz", ["exploration", "leaf"])
    'Choose from exploration, leaf.'
    """
    choices = list(known)
    close = difflib.get_close_matches(word.lower(), choices, n=1)
    return f"Did you mean {close[0]!r}?" if close else f"Choose from {', '.join(choices)}."
