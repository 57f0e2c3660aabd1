"""Functions chosen by the record type of their first argument."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

from azul_ai.generic import generic
from azul_ai.jit import jit

pytestmark = pytest.mark.nojit

CIRCLE = np.dtype((np.record, [("radius", "f8")]))
SQUARE = np.dtype((np.record, [("side", "f8")]))
BLOB = np.dtype((np.record, [("mess", "f8")]))


@generic
def area(shape: Any, scale: float) -> float:
    """The area of a shape whose lengths are scaled."""


@area.register(CIRCLE)
@jit
def circle_area(shape: Any, scale: float) -> float:
    return 3.0 * (shape.radius * scale) ** 2


@area.register(SQUARE)
@jit
def square_area(shape: Any, scale: float) -> float:
    return (shape.side * scale) ** 2


@jit
def twice(shape: Any) -> float:
    return area(shape, 1.0) + area(shape, 1.0)


def record(dtype: Any, length: float) -> Any:
    shape = np.zeros(1, dtype=dtype)[0]
    shape[0] = length
    return shape


def test_the_record_type_chooses_the_body() -> None:
    assert area(record(CIRCLE, 2.0), 0.5) == 3.0
    assert area(record(SQUARE, 2.0), 0.5) == 1.0


def test_compiled_code_chooses_too() -> None:
    assert twice(record(CIRCLE, 1.0)) == 6.0
    assert twice(record(SQUARE, 3.0)) == 18.0


def test_a_type_without_a_body() -> None:
    with pytest.raises(KeyError, match="mess"):
        area(record(BLOB, 1.0), 1.0)
    error = KeyError if numba.config.DISABLE_JIT else TypingError
    with pytest.raises(error):
        twice(record(BLOB, 1.0))


def test_a_second_body_for_a_type_is_refused() -> None:
    same_fields = np.dtype((np.record, [("side", "f8")]))
    with pytest.raises(ValueError, match="area already has a body for this record type"):
        area.register(same_fields)(circle_area)
    assert area(record(SQUARE, 2.0), 1.0) == 4.0


def test_it_looks_like_its_stub() -> None:
    assert area.__name__ == "area"
    assert "lengths are scaled" in area.__doc__
