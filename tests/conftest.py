from __future__ import annotations

from collections.abc import Callable

import hypothesis
import pytest
from click.testing import CliRunner, Result

from azul_ai.cli.main import cli

# The first example of a property may have to compile; what a failure needs is printed.
hypothesis.settings.register_profile("azul-ai", deadline=None, print_blob=True)
hypothesis.settings.load_profile("azul-ai")


@pytest.fixture
def run() -> Callable[..., Result]:
    """Run ``azul-ai`` in this process; a fault of the program itself fails the test."""

    def run(*arguments: object, stdin: str | None = None) -> Result:
        result = CliRunner().invoke(cli, list(map(str, arguments)), input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run
