"""Compiled code on disk: kept, found again, and never a stale answer."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import textwrap
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import pytest

import azul_ai
from azul_ai import jit

PACKAGE = Path(azul_ai.__file__).parent
DAY = 24 * 3600

# --- a package with the real compiler module, one building block and two kernels ---------

MINIATURE = {
    "__init__.py": "",
    "bits.py": """
from azul_ai.jit import jit

@jit
def twice(number):
    return 2 * number
""",
    "game.py": """
from azul_ai.bits import twice
from azul_ai.jit import kernel

@kernel
def doubled(numbers):
    return twice(numbers[0])

@kernel
def doubled_sum(numbers):
    return twice(numbers[0] + numbers[1])
""",
    "report.py": """
import json, sys
import numpy as np
from azul_ai import game, jit

numbers = np.array([10, 4])
kernels = [game.doubled, game.doubled_sum][:: int(sys.argv[1])]
calls = [(kernel, (numbers,)) for kernel in kernels]
stored = [kernel.is_stored(numbers) for kernel in kernels]
notices = []
seconds = jit.prepare(calls, notices.append)
report = {
    "stored": stored,
    "notices": notices,
    "seconds": seconds,
    "results": {kernel.name: int(kernel(numbers)) for kernel in kernels},
    "of_floats": [game.doubled.is_stored(numbers / 4), float(game.doubled(numbers / 4))],
    "hits": sum(sum(kernel._dispatcher.stats.cache_hits.values()) for kernel in kernels)
    if hasattr(game.doubled._dispatcher, "stats") else None,
    "directory": str(jit.cache_directory()),
}
json.dump(report, sys.stdout)
""",
}
RESULTS = {"doubled": 20, "doubled_sum": 28}


class Miniature:
    """The small package in a directory of its own, and a cache."""

    def __init__(self, directory: Path) -> None:
        self.package = directory / "azul_ai"
        self.cache = directory / "cache"
        self.package.mkdir(parents=True)
        for source in ("jit.py", "blocks.py"):
            shutil.copy(PACKAGE / source, self.package)
        for name, text in MINIATURE.items():
            (self.package / name).write_text(text)

    def start(self, order: int = 1, **environment: str) -> subprocess.Popen[str]:
        """A process that prints a report; ``order`` -1 takes the kernels from the last on."""
        variables = {
            **os.environ,
            "PYTHONPATH": str(self.package.parent),
            "PYTHONDONTWRITEBYTECODE": "1",
            jit.CACHE_VARIABLE: str(self.cache),
            **environment,
        }
        command = [sys.executable, "-m", "azul_ai.report", str(order)]
        return subprocess.Popen(
            command,
            env=variables,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.package.parent,
        )

    def report(self, order: int = 1, **environment: str) -> dict[str, Any]:
        return finished(self.start(order, **environment))


def finished(process: subprocess.Popen[str], stderr: str = "") -> dict[str, Any]:
    """What a process reported, after it wrote ``stderr`` and nothing else."""
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert stderr in err
    if not stderr:
        assert err == ""
    report: dict[str, Any] = json.loads(out)
    return report


@pytest.fixture
def miniature(tmp_path: Path) -> Miniature:
    return Miniature(tmp_path / "house")


def test_a_second_process_loads_what_the_first_compiled(miniature: Miniature) -> None:
    first, second = miniature.report(), miniature.report()
    assert first["stored"] == [False, False]
    assert [notice.split(";")[0].split(" in ")[0] for notice in first["notices"]] == [
        "compiling doubled (1 of 2, first use only)",
        "compiling doubled_sum (2 of 2, first use only)",
        "compiled",
    ]
    assert first["notices"][2].endswith(f"kept in {first['directory']}")
    assert first["seconds"] > 0
    assert second["stored"] == [True, True]
    assert (second["notices"], second["seconds"]) == ([], 0)
    assert (first["hits"], second["hits"]) == (0, 3)
    # Other types are another entry; they were compiled when they were first met.
    assert (first["of_floats"], second["of_floats"]) == ([False, 5.0], [True, 5.0])
    assert first["results"] == second["results"] == RESULTS
    assert Path(second["directory"]).parent == miniature.cache


def test_a_changed_building_block_changes_the_answers(miniature: Miniature) -> None:
    before = miniature.report()
    source = miniature.package / "bits.py"
    source.write_text(source.read_text().replace("2 * number", "2 * number + 1"))
    after = miniature.report()
    assert after["stored"] == [False, False]
    assert after["results"] == {name: number + 1 for name, number in before["results"].items()}
    assert after["directory"] != before["directory"]


def test_two_processes_may_fill_one_cold_cache_at_once(miniature: Miniature) -> None:
    both = [miniature.start(order) for order in (1, -1)]
    assert [finished(process)["results"] for process in both] == [RESULTS, RESULTS]
    third = miniature.report()
    assert third["stored"] == [True, True]
    assert (third["results"], third["hits"]) == (RESULTS, 3)


def test_without_a_place_to_write_it_works_and_says_so_once(
    miniature: Miniature, tmp_path: Path
) -> None:
    miniature.cache.write_text("a file is no directory")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    process = miniature.start(TMPDIR=str(temporary))
    report = finished(process, stderr=f"the cache directory {miniature.cache} cannot be written")
    assert report["results"] == RESULTS
    assert Path(report["directory"]).parent == temporary
    assert list(temporary.iterdir()) == []  # nothing is left behind


def test_without_compilation_nothing_is_compiled_or_kept(miniature: Miniature) -> None:
    report = miniature.report(NUMBA_DISABLE_JIT="1")
    assert report["results"] == RESULTS
    assert (report["stored"], report["notices"], report["seconds"]) == ([True, True], [], 0)
    assert list(Path(report["directory"]).iterdir()) == []


# --- where it is kept -------------------------------------------------------------------


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache; :func:`jit.cache_directory` is asked anew."""
    root = tmp_path / "cache"
    monkeypatch.setenv(jit.CACHE_VARIABLE, str(root))
    jit.cache_directory.cache_clear()
    yield root
    jit.cache_directory.cache_clear()


@pytest.fixture
def directory_of(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], Path]:
    """Where a copy of the package, in ``tmp_path / "copy"``, keeps its code now."""
    copy = tmp_path / "copy"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(jit, "_PACKAGE", copy)

    def ask() -> Path:
        jit.cache_directory.cache_clear()
        directory = jit.cache_directory()
        assert directory.parent == cache
        return directory

    return ask


@pytest.mark.parametrize(
    "source",
    [
        "jit.py",
        "blocks.py",
        "generic.py",
        "bits.py",
        "rng.py",
        "game.py",
        "games/supply.py",
        "games/azul.py",
        "evaluation/azul.py",
        "search/ismcts.py",
        "search/weights.bin",  # a new file, data too
    ],
)
def test_every_compiled_source_counts(
    source: str, tmp_path: Path, directory_of: Callable[[], Path]
) -> None:
    before = directory_of()
    assert directory_of() == before
    with (tmp_path / "copy" / source).open("a") as file:
        file.write("\n")
    assert directory_of() != before


def test_a_renamed_source_counts(tmp_path: Path, directory_of: Callable[[], Path]) -> None:
    before = directory_of()
    games = tmp_path / "copy" / "games"
    (games / "supply.py").rename(games / "stock.py")
    assert directory_of() != before


@pytest.mark.parametrize("source", ["engine.py", "cli/main.py", "games/__pycache__/azul.pyc"])
def test_other_files_do_not_count(
    source: str, tmp_path: Path, directory_of: Callable[[], Path]
) -> None:
    before = directory_of()
    path = tmp_path / "copy" / source
    path.parent.mkdir(exist_ok=True)
    with path.open("a") as file:
        file.write("\n")
    assert directory_of() == before


def test_bounds_checks_count(
    directory_of: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = directory_of()
    monkeypatch.setattr(numba.config, "BOUNDSCHECK", 0 if numba.config.BOUNDSCHECK else 1)
    assert directory_of() != before


def test_what_nobody_used_for_long_is_removed(cache: Path) -> None:
    ages = {
        "0123456789abcdef": jit.UNUSED_DAYS + 1,
        "fedcba9876543210": jit.UNUSED_DAYS - 1,  # another checkout's, in use
        "0123456789abcde": jit.UNUSED_DAYS + 1,  # not of this program
        "family photos 98": jit.UNUSED_DAYS + 1,
    }
    for name, days in ages.items():
        (cache / name).mkdir(parents=True)
        (cache / name / "file").touch()
        os.utime(cache / name, (time.time() - days * DAY,) * 2)
    own = jit.cache_directory()
    assert {path.name for path in cache.iterdir()} == {own.name, *list(ages)[1:]}


def test_using_a_cache_keeps_it(cache: Path) -> None:
    own = jit.cache_directory()
    assert own.parent == cache
    old = time.time() - (jit.UNUSED_DAYS + 1) * DAY
    os.utime(own, (old, old))
    jit.cache_directory.cache_clear()
    assert jit.cache_directory() == own
    assert own.stat().st_mtime > old + DAY


def test_one_notice_if_it_cannot_be_written(cache: Path) -> None:
    cache.write_text("a file is no directory")
    with pytest.warns(jit.CacheNotice, match=jit.CACHE_VARIABLE):
        directory = jit.cache_directory()
    assert directory.is_dir()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert jit.cache_directory() == directory
    shutil.rmtree(directory)


# --- decorators -------------------------------------------------------------------------


def function_in(path: Path) -> Any:
    """A function whose source is said to be this file."""
    space: dict[str, Any] = {}
    exec(compile("def f(x):\n    return x + 1\n", str(path), "exec"), space)
    return space["f"]


@pytest.mark.parametrize("decorate", [jit.jit, jit.kernel])
@pytest.mark.parametrize("place", ["cli/main.py", "engine.py", "new.py", "position/games/x.py"])
def test_compiled_code_outside_the_covered_sources_is_refused(
    decorate: Callable[[Any], Any], place: str
) -> None:
    with pytest.raises(RuntimeError, match="COMPILED_SOURCES"):
        decorate(function_in(PACKAGE / place))


@pytest.mark.parametrize("place", [PACKAGE / "games" / "new.py", Path("/elsewhere/new.py")])
def test_compiled_code_elsewhere_is_fine(place: Path) -> None:
    assert jit.jit(function_in(place))(1) == 2


def test_numbas_own_cache_setting_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", "somebody's")

    @jit.kernel
    def successor(number: int) -> int:
        """The next integer."""
        return number + 1

    assert numba.config.CACHE_DIR == "somebody's"
    assert (successor(1), successor.name, successor.__doc__) == (
        2,
        "successor",
        "The next integer.",
    )


# --- records and the memory of their arrays ---------------------------------------------


def compiled_functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Every function with the decorator ``jit`` or ``kernel``, and where it is."""
    package = Path(azul_ai.__file__).parent
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                names = {name.id for name in node.decorator_list if isinstance(name, ast.Name)}
                if names & {"jit", "kernel"}:
                    yield f"{path.relative_to(package)}: {node.name}", node


def freed_too_early(function: ast.FunctionDef) -> list[str]:
    """Local arrays of records whose last mention takes a record out of them.

    The array is freed then, while the record is in use. A loop around it keeps the array.
    """
    arrays = {
        statement.targets[0].id
        for statement in ast.walk(function)
        if isinstance(statement, ast.Assign)
        and isinstance(statement.targets[0], ast.Name)
        and isinstance(statement.value, ast.Call)
        and ast.unparse(statement.value.func) in ("np.empty", "np.zeros")
        and any(
            word.arg == "dtype" and not ast.unparse(word.value).startswith("np.")
            for word in statement.value.keywords
        )
    }
    in_loops = {
        id(node)
        for loop in ast.walk(function)
        if isinstance(loop, (ast.For, ast.While))
        for node in ast.walk(loop)
    }
    found = []
    for array in arrays:
        *_, last = sorted(
            (
                node
                for node in ast.walk(function)
                if isinstance(node, ast.Name) and node.id == array
            ),
            key=lambda node: (node.lineno, node.col_offset),
        )
        taken = any(
            isinstance(node, ast.Subscript) and node.value is last for node in ast.walk(function)
        )
        if taken and id(last) not in in_loops:
            found.append(array)
    return found


@pytest.mark.nojit
def test_no_record_outlives_its_array() -> None:
    functions = dict(compiled_functions())
    assert len(functions) > 300
    assert [name for name, node in functions.items() if freed_too_early(node)] == []


@pytest.mark.nojit
def test_a_record_that_outlives_its_array_is_found() -> None:
    source = """
    def faulty(state):
        pool = np.empty(1, dtype=STATE)
        pool[0] = state
        change(pool[0])
    """
    (function,) = ast.parse(textwrap.dedent(source)).body
    assert isinstance(function, ast.FunctionDef)
    assert freed_too_early(function) == ["pool"]
