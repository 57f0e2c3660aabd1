"""What README says of the house is so: its modules and floors, and the default evaluations."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import azul_ai
from azul_ai import evaluation, games

PACKAGE = Path(azul_ai.__file__).parent
README = Path(__file__).parent.parent / "README.md"
HEADING = "## The modules, lowest floor first"
OUTSIDE = {"__init__", "__main__", "__pycache__", "bench_positions", "py"}
"""The entries, and what is no module."""


def floors() -> dict[str, int]:
    """The floor of each module, or folder of modules, of the list."""
    _, _, rest = README.read_text(encoding="utf-8").partition(HEADING)
    section, _, _ = rest.partition("\n## ")
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    names = [
        (name, number) for number, row in enumerate(rows) for name in re.findall("`(.+?)`", row)
    ]
    return {name.rstrip("/").removesuffix(".py"): number for name, number in names}


def imported(path: Path) -> Iterator[str]:
    """The modules of the package, or folders of modules, that a file imports anywhere."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "azul_ai":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("azul_ai."):
            yield str(node.module).split(".")[1]
        elif isinstance(node, ast.Import):
            parts = (alias.name.split(".") for alias in node.names)
            yield from (name for top, *names in parts if top == "azul_ai" for name in names[:1])


def test_the_list_has_every_module() -> None:
    there = {path.name.partition(".")[0] for path in PACKAGE.iterdir()} - OUTSIDE
    assert set(floors()) == there


def test_imports_go_only_upward() -> None:
    known, seen = floors(), 0
    for path in PACKAGE.rglob("*.py"):
        importer = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if importer in OUTSIDE:
            continue
        for name in itertools.filterfalse(OUTSIDE.__contains__, imported(path)):
            assert known[name] <= known[importer], f"{path} imports {name}"
            seen += name != importer
    assert seen > 300


def test_the_defaults_are_those_of_the_table_of_matches() -> None:
    named = {"colored wall": "azul", "gray wall": "azul-gray", "Sintra": "sintra"}
    learned, handmade = set(), set()
    for line in README.read_text(encoding="utf-8").splitlines():
        if found := re.match(r"\| (colored wall|gray wall|Sintra).*? \| ([234]) \|", line):
            name, players = named[found[1]], int(found[2])
            (handmade if "not the default" in line else learned).add((name, players))
    both = {(name, players) for name in games.NAMES for players in (2, 3, 4)}
    assert learned | handmade == both
    for name, players in both:
        expected = evaluation.HANDMADE if (name, players) in handmade else evaluation.LEARNED
        assert evaluation.default(name, players) == expected
