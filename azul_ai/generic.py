"""Functions whose compiled body is chosen by the record type of their first argument.

This is what keeps searchers and games apart: a searcher calls ``apply(state, move)``, and
the compiler puts the body in that belongs to the state's record type. The choice costs
nothing at run time and survives in the on-disk cache, unlike jitted functions passed as
arguments or captured in closures, which recompile in every process.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Protocol, TypeVar, cast

import numba
import numpy as np
from numba.extending import overload

from azul_ai.jit import BLOCK_OPTIONS

Body = TypeVar("Body", bound=Callable[..., Any])


class Generic(Protocol):
    """A function chosen by the record type of its first argument."""

    def __call__(self, record: Any, *args: Any) -> Any:
        """Call the body of the record's type."""

    def register(self, dtype: np.dtype[Any]) -> Callable[[Body], Body]:
        """A decorator that adds the body for a record dtype; a second one raises ValueError."""


def generic(stub: Callable[..., Any]) -> Generic:
    """Turn ``stub`` (a signature and a docstring) into a function chosen by record type."""
    bodies: dict[object, Callable[..., Any]] = {}

    @functools.wraps(stub)
    def call(record: Any, *args: Any) -> Any:
        return bodies[record.dtype](record, *args)

    @overload(call, strict=False, jit_options=BLOCK_OPTIONS)  # type: ignore[untyped-decorator]
    def choose(record: Any, *_args: Any) -> Callable[..., Any] | None:
        # The plain function: numba compiles it here, where wrapping a compiled one costs twice.
        body = bodies.get(record)
        return getattr(body, "py_func", body)

    def register(dtype: np.dtype[Any]) -> Callable[[Body], Body]:
        def add(body: Body) -> Body:
            if dtype in bodies:
                raise ValueError(f"{stub.__name__} already has a body for this record type")
            bodies[dtype] = bodies[numba.from_dtype(dtype)] = body
            return body

        return add

    call.register = register  # type: ignore[attr-defined]
    return cast("Generic", call)
