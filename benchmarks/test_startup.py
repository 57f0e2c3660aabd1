"""How long a person waits for a command: whole processes, as pytest-benchmark cases.

    pytest benchmarks/test_startup.py

``cold`` compiles everything that an analysis needs into an empty cache, once a round: minutes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from azul_ai.jit import CACHE_VARIABLE

POSITION = Path(__file__).parent.parent / "positions" / "opening-2p.toml"
ANALYZE = ("analyze", str(POSITION), "--iterations", "1000", "--engine", "ismcts")


def run(cache: Path, *arguments: str) -> None:
    """Run ``azul-ai`` in a process of its own."""
    command = [sys.executable, "-m", "azul_ai", *arguments]
    environment = {**os.environ, CACHE_VARIABLE: str(cache)}
    subprocess.run(command, check=True, capture_output=True, env=environment)


@pytest.fixture(scope="module")
def warm_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache in which everything is compiled that an analysis needs."""
    cache = tmp_path_factory.mktemp("warm")
    run(cache, *ANALYZE)
    return cache


@pytest.mark.parametrize("arguments", [("--version",), ("--help",), ("analyze", "--help")])
def test_help(benchmark: BenchmarkFixture, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """What needs neither numba nor numpy."""
    benchmark.pedantic(run, (tmp_path, *arguments), rounds=10, warmup_rounds=1)


def test_warm_analyze(benchmark: BenchmarkFixture, warm_cache: Path) -> None:
    """A short analysis, everything compiled."""
    benchmark.pedantic(run, (warm_cache, *ANALYZE), rounds=5, warmup_rounds=1)


def test_cold_analyze(
    benchmark: BenchmarkFixture, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The same, nothing compiled."""

    def empty_cache() -> tuple[tuple[str | Path, ...], dict[str, str]]:
        return (tmp_path_factory.mktemp("cold"), *ANALYZE), {}

    benchmark.pedantic(run, setup=empty_cache, rounds=3)
