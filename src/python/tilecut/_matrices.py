# SPDX-License-Identifier: MIT
"""Converts the graphs that tilecut.network accepts (sparse matrices of any format, full matrices, lists of rows), and
numbers of any kind to whole numbers of 64 bits."""
from __future__ import annotations

import sys
from typing import Any, NamedTuple, Optional, Tuple

from . import _header as c
from ._arrays import View, type_name
from ._library import InvalidValue

DECIMALS, BITS = 18, 62  # most digits or bits after the point


class Matrix(NamedTuple):
    """The entries: by rows (`first`, `column`, as indptr and indices), in any order (`row`, `column`), or a full one."""

    rows: int
    columns: int
    first: Any
    row: Any
    column: Any
    values: Any


def numpy_for(what: str, why: str) -> Any:
    """NumPy if the caller has loaded it; else an error."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        raise TypeError(f"{what} is {why}, which takes NumPy")
    return numpy


def _shape(graph: Any, what: str) -> Tuple[int, int]:
    """The rows and columns of a sparse matrix; scipy has sparse vectors, too, which are refused."""
    if len(graph.shape) != 2:
        raise ValueError(f"{what} has the shape {tuple(graph.shape)}; (rows, columns) is right")
    rows, columns = graph.shape
    return rows, columns


def _sparse(graph: Any, what: str, costs: bool) -> Optional[Matrix]:
    """A matrix of scipy.sparse, or an object with the attributes of a CSR matrix; else None. Duplicate entries are
    summed if they are costs, as in scipy; arcs stay separate, which is equivalent."""
    form = getattr(graph, "format", None)
    if isinstance(form, str) and hasattr(graph, "tocsr") and form != "csr":
        if not costs:
            coo = graph.tocoo()
            return Matrix(*_shape(coo, what), None, coo.row, coo.col, coo.data)
        graph = graph.tocoo(copy=True)
        if graph.data.dtype.kind in "iu" and graph.data.dtype.itemsize < 8:
            graph.data = graph.data.astype("i8")  # sums of small integers may overflow their own type
        graph = graph.tocsr()
    if not (hasattr(graph, "indptr") and hasattr(graph, "indices")):
        return None
    return Matrix(*_shape(graph, what), graph.indptr, None, graph.indices, graph.data)


def _rows_of_lists(graph: Any, what: str) -> Any:
    """Converts lists of rows to an array; None: vectors. A list of arrays may be either, so a square one is refused."""
    if not isinstance(graph, list) or not graph:
        return None
    if not isinstance(graph[0], (list, tuple)):
        if len(graph) in (2, 3) and hasattr(graph[0], "__len__") and all(len(part) == len(graph) for part in graph):
            raise TypeError(f"{what} is a list of {len(graph)} arrays of {len(graph)} numbers, which may be rows or vectors; "
                            "a tuple is right for vectors, numpy.array(...) for rows")
        return None
    if any(len(row) != len(graph[0]) for row in graph):
        raise ValueError(f"{what} has rows of {len(graph[0])} and of other numbers; equally long ones are right")
    return array_of_list(graph, what)


def array_of_list(numbers: Any, what: str) -> Any:
    """Converts a list to an array. Refuses whole numbers that the array would round because others are fractions."""
    numpy = numpy_for(what, "a list")
    array = numpy.asarray(numbers)
    if array.dtype.kind == "f":
        flat = [v for row in numbers for v in row] if array.ndim == 2 else numbers
        for v in flat:
            if isinstance(v, int) and int(float(v)) != v and v != c.TILECUT_INFINITE:
                raise ValueError(f"{what} holds {v} and fractions, beside which it is no float64")
    return array


def matrix_of(graph: Any, what: str, costs: bool = False) -> Optional[Matrix]:
    """A matrix of any kind, or None. Zeros in a full matrix are not entries, unless they are costs."""
    sparse = _sparse(graph, what, costs)
    if sparse is not None:
        return sparse
    listed = _rows_of_lists(graph, what)
    if listed is not None:
        graph = listed
    elif isinstance(graph, (tuple, list)):
        return None
    elif hasattr(graph, "__array__") and not hasattr(graph, "__array_interface__"):  # a table of pandas
        graph = numpy_for(what, "a table").asarray(graph)
    view = View(graph, what)
    if len(view.shape) != 2:
        raise ValueError(f"{what} has the shape {view.shape}; (rows, columns) is right")
    rows, columns = view.shape
    if rows * columns > c.TILECUT_NETWORK_ARCS and costs:  # checked before a copy is made
        raise InvalidValue(f"{what} has the shape {view.shape}; at most {c.TILECUT_NETWORK_ARCS} costs are right")
    if costs:
        return Matrix(rows, columns, None, None, None, graph)
    full = numpy_for(what, "a full matrix").asarray(graph)
    row, column = full.nonzero()
    return Matrix(rows, columns, None, row, column, full[row, column])


def without_forbidden(matrix: Matrix, what: str) -> Matrix:
    """The matrix without its entries of inf, which forbid their pairs."""
    values, numpy = matrix.values, sys.modules.get("numpy")
    if numpy is None or getattr(getattr(values, "dtype", None), "kind", "") != "f" or numpy.isfinite(values).all():
        return matrix
    allowed = values != numpy.inf
    other = numpy.asarray(values)[allowed]
    if not numpy.isfinite(other).all():
        bad = other[~numpy.isfinite(other)][0]
        raise ValueError(f"{what} holds {bad}; numbers are right, and inf for a pair that is forbidden")
    if matrix.column is None:
        row, column = allowed.nonzero()
        return matrix._replace(row=row, column=column, values=numpy.asarray(values)[row, column])
    row = matrix.row if matrix.row is not None else numpy.repeat(numpy.arange(matrix.rows), numpy.diff(matrix.first))
    return Matrix(matrix.rows, matrix.columns, None, numpy.asarray(row)[allowed], numpy.asarray(matrix.column)[allowed], other)


# ---- fractions ----------------------------------------------------------------------------------


def _decimals(numpy: Any, values: Any) -> Optional[int]:
    """The fewest digits after the point with which every value is a decimal fraction as its type prints it, or None."""
    most = 10.0 ** numpy.finfo(values.dtype).precision
    wide, at = values.astype(numpy.float64), 0
    for digits in range(DECIMALS + 1):
        unit = 10.0 ** digits
        # the first few values show quickly if there are too few digits
        for part in (slice(at, at + 64), slice(None)):
            decimal = numpy.rint(wide[part] * unit)
            if (abs(decimal) >= most).any():
                return None
            other = (decimal / unit).astype(values.dtype) != values[part]
            if other.any():
                at = (part.start or 0) + int(other.argmax())
                break
        else:
            return digits
    return None


def _bits(numpy: Any, values: Any) -> int:
    """The fewest bits after the point with which all values are exact."""
    digits, power = numpy.frexp(values.astype(numpy.float64))
    whole = (digits * 2.0 ** 53).astype(numpy.int64)
    last = whole & -whole  # the lowest bit
    zeros = numpy.where(last > 0, numpy.log2(numpy.maximum(last, 1)), 53).astype(numpy.int64)
    return max(0, int((53 - power - zeros)[whole != 0].max(initial=0)))


def scaled(values: Any, what: str, most: int, limitless: bool) -> Tuple[Any, int]:
    """Returns floats as whole numbers, and the factor by which they were multiplied: a power of ten if all are printed as
    decimal fractions, else a power of two that makes them exact. With `limitless`, inf becomes INFINITE. Raises
    ValueError if with either factor a number is larger than `most`."""
    numpy = sys.modules["numpy"]
    values = numpy.ascontiguousarray(values)
    flat = values.reshape(-1)
    endless = numpy.isposinf(flat) | (flat == 2.0 ** 63) if limitless else numpy.zeros(flat.shape, bool)
    finite = flat[~endless]
    if not numpy.isfinite(finite).all():
        bad = finite[~numpy.isfinite(finite)][0]
        raise ValueError(f"{what} holds {bad}; numbers are right" + (", and inf for no limit" if limitless else ""))
    largest = float(abs(finite).max(initial=0))
    digits, scale, number = _decimals(numpy, finite), 1, numpy.zeros(0, numpy.int64)
    if digits is not None and largest * 10 ** digits <= most:
        scale = 10 ** digits
        number = numpy.rint(finite.astype(numpy.float64) * float(scale)).astype(numpy.int64)
    else:
        bits = _bits(numpy, finite)
        if bits > BITS or largest * 2 ** bits > most:
            raise ValueError(f"{what} holds {_finest(numpy, finite, bits)!r} and {largest!r}: no power of ten or two makes all "
                             f"whole and at most {most}; numpy.round({what}, DIGITS) with fewer digits is right")
        scale = 2 ** bits
        number = (finite.astype(numpy.float64) * float(scale)).astype(numpy.int64)
    whole = numpy.full(flat.shape, c.TILECUT_INFINITE, numpy.int64)
    whole[~endless] = number
    return whole.reshape(values.shape), scale


def _finest(numpy: Any, values: Any, bits: int) -> float:
    """A value that needs `bits` bits after the point."""
    return next((float(v) for v in values if float(v) * 2.0 ** (bits - 1) % 1), float(values[0]))


def is_float(array: Any, what: str) -> bool:
    view = View(array, what)
    if view.kind == "f":
        numpy_for(what, type_name(view))
    return view.kind == "f"
