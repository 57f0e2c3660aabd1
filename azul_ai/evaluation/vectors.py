"""Products of vectors and matrices, for networks: what a compiler does not vectorize by itself.

Loops over arrays keep their sums in memory, since arrays may overlap. Here the sums stay in
vector registers: the code is written for LLVM directly. Every sum has a fixed order, so that
results are the same on all machines, however wide their registers are. Numba's intrinsics do
not run uncompiled; then plain loops stand in, which sum in the same order.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

_LANES = 4
"""Columns are handled so many at a time; the compiler joins them into wider registers."""
_CHAINS = 4
"""Rows are summed in so many independent sums, which are added at the end."""

_FLOAT = ir.FloatType()


def _pointer(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
    """Where the numbers of an array begin, as a pointer to its element type."""
    return make_array(array_type)(context, builder, array).data


def _columns(matrix: Any) -> int:
    """The columns of a matrix that is a field of a record."""
    columns = int(matrix.shape[1])
    if columns % _LANES:
        raise TypeError(f"a matrix needs a multiple of {_LANES} columns, not {columns}")
    return columns


class _Sums:
    """Vector registers that hold one sum for each column of a matrix, zero at first."""

    def __init__(self, builder: Any, columns: int) -> None:
        self._builder = builder
        self._lanes = 8 if columns % 8 == 0 else _LANES
        self._kind = ir.VectorType(_FLOAT, self._lanes)
        zero = ir.Constant(self._kind, [0.0] * self._lanes)
        self._places = []
        for _ in range(columns // self._lanes):
            place = cgutils.alloca_once(builder, self._kind)
            builder.store(zero, place)
            self._places.append(place)

    def add(self, row: Any, amount: Any) -> None:
        """Add a row, times a number."""
        builder = self._builder
        factor = ir.Constant(self._kind, ir.Undefined)
        for lane in range(self._lanes):
            factor = builder.insert_element(factor, amount, ir.Constant(ir.IntType(32), lane))
        for index, place in enumerate(self._places):
            numbers = self._load(row, index)
            builder.store(builder.fadd(builder.load(place), builder.fmul(factor, numbers)), place)

    def join(self, other: _Sums) -> None:
        """Add the sums of another one."""
        for place, theirs in zip(self._places, other._places, strict=True):
            builder = self._builder
            builder.store(builder.fadd(builder.load(place), builder.load(theirs)), place)

    def write(self, target: Any, bias: Any = None) -> None:
        """Write the sums, plus a bias, to where a pointer points."""
        builder = self._builder
        for index, place in enumerate(self._places):
            numbers = builder.load(place)
            if bias is not None:
                numbers = builder.fadd(self._load(bias, index), numbers)
            builder.store(numbers, self._at(target, index), align=4)

    def _at(self, pointer: Any, index: int) -> Any:
        """The vector so many vectors behind a pointer."""
        step = ir.Constant(ir.IntType(64), index * self._lanes)
        return self._builder.bitcast(self._builder.gep(pointer, [step]), self._kind.as_pointer())

    def _load(self, pointer: Any, index: int) -> Any:
        return self._builder.load(self._at(pointer, index), align=4)


def _element(builder: Any, pointer: Any, index: Any) -> Any:
    return builder.load(builder.gep(pointer, [index]))


@intrinsic  # type: ignore[untyped-decorator]
def _sum_rows(
    _context: Any, matrix: Any, places: Any, amounts: Any, number: Any, target: Any
) -> Any:
    columns = _columns(matrix)

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointers = [
            _pointer(context, builder, kind, argument)
            for kind, argument in zip(signature.args, arguments, strict=True)
            if kind is not number
        ]
        rows, which, factors, written = pointers
        sums = _Sums(builder, columns)
        width = ir.Constant(ir.IntType(64), columns)
        with cgutils.for_range(builder, arguments[3]) as loop:
            place = _element(builder, which, loop.index)
            row = builder.gep(rows, [builder.mul(place, width)])
            sums.add(row, _element(builder, factors, loop.index))
        sums.write(written)
        return context.get_dummy_value()

    return types.void(matrix, places, amounts, number, target), build


@intrinsic  # type: ignore[untyped-decorator]
def _pass_layer(_context: Any, inputs: Any, matrix: Any, bias: Any, target: Any) -> Any:
    number, columns = matrix.shape[0], _columns(matrix)
    if number % _CHAINS:
        raise TypeError(f"a matrix needs a multiple of {_CHAINS} rows, not {number}")

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        read, rows, biases, written = (
            _pointer(context, builder, kind, argument)
            for kind, argument in zip(signature.args, arguments, strict=True)
        )
        chains = [_Sums(builder, columns) for _ in range(_CHAINS)]
        zero = ir.Constant(_FLOAT, 0.0)
        width, count = ir.Constant(ir.IntType(64), columns), ir.Constant(ir.IntType(64), number)
        step = ir.Constant(ir.IntType(64), _CHAINS)
        with cgutils.for_range_slice(builder, ir.Constant(step.type, 0), count, step) as (first, _):
            for chain, sums in enumerate(chains):
                index = builder.add(first, ir.Constant(step.type, chain))
                amount = _element(builder, read, index)
                positive = builder.fcmp_ordered(">", amount, zero)
                amount = builder.select(positive, amount, zero)
                sums.add(builder.gep(rows, [builder.mul(index, width)]), amount)
        first_pair, second_pair = chains[0], chains[2]
        first_pair.join(chains[1])
        second_pair.join(chains[3])
        first_pair.join(second_pair)
        first_pair.write(written, biases)
        return context.get_dummy_value()

    return types.void(inputs, matrix, bias, target), build


def sum_rows_slowly(matrix: Any, places: Any, amounts: Any, number: int, target: Any) -> None:
    """:data:`sum_rows`, uncompiled."""
    target[:] = 0.0
    for index in range(number):
        target += amounts[index] * matrix[places[index]]


def pass_layer_slowly(inputs: Any, matrix: Any, bias: Any, target: Any) -> None:
    """:data:`pass_layer`, uncompiled."""
    sums = np.zeros((_CHAINS, matrix.shape[1]), dtype=np.float32)
    for index, amount in enumerate(inputs):
        sums[index % _CHAINS] += max(amount, np.float32(0.0)) * matrix[index]
    target[:] = bias + ((sums[0] + sums[1]) + (sums[2] + sums[3]))


_COMPILED = not numba.config.DISABLE_JIT

sum_rows: Any = _sum_rows if _COMPILED else sum_rows_slowly
"""``sum_rows(matrix, places, amounts, number, target)``: write the sum of some rows of a matrix,
each times its amount. All numbers float32, ``places`` int64; the matrix a field of a record."""

pass_layer: Any = _pass_layer if _COMPILED else pass_layer_slowly
"""``pass_layer(inputs, matrix, bias, target)``: write bias + max(inputs, 0) times the matrix, all
float32 and fields of records."""
