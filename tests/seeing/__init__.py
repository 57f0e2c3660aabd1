"""What a network should see of a position after a round, in slow, obvious Python, by game.

Each module has TABLE and BOARD, the names of the inputs in the order of their places; ``table``
and ``board`` say by name what is seen.
"""

from __future__ import annotations

from types import ModuleType

from tests.seeing import azul, gray, sintra
from tests.seeing.walls import Name, Seen

MODULES: dict[str, ModuleType] = {
    "azul": azul,
    "azul-gray": gray,
    "sintra-A": sintra,
    "sintra-B": sintra,
}
"""By variant (:data:`tests.playing.VARIANTS`)."""


def in_order(seen: Seen, names: list[Name]) -> list[float]:
    """What is seen of each name; a name that is not among them may only count nothing at all."""
    assert all(name in names or name[-1] == 0 for name, value in seen.items() if value)
    return [float(seen.get(name, 0)) for name in names]
