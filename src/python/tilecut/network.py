# SPDX-License-Identifier: MIT
"""Graphs of any shape: maximum flow and minimum cut, matching, assignment. Corresponds to tilecut_network.h.

    import tilecut.network as network

    flow = network.maximum_flow(graph, source, sink)      # graph: a matrix of capacities
    flow.flow, flow.side                                  # its value, and the nodes on the source's side
    network.match(graph).column_of                        # the most pairs of a row and a column
    network.assign(costs).column_of                       # a column for each row, for the least cost

A graph is a matrix: of scipy.sparse in any format, a full one of two dimensions, a list of rows, or anything with
indptr, indices, data and shape; or a tuple of vectors (tail, head) or (tail, head, capacity). In a full matrix of
capacities or pairs, 0 is no arc. Sparse matrices by rows (CSR) and vectors, with node numbers of int32 and values of
int64, are not copied; others are, which takes NumPy. Arrays must not change during a call, or while a Network lives.

Values are numbers of any kind. Floats are multiplied by a power of ten if all are decimal fractions as they are printed
(0.1 is 0.1), else by a power of two, so that all are whole; nothing is rounded, and ValueError is raised if neither
fits. Answers are then floats: the numbers of the report divided by report["scale"]. inf is a capacity without limit, or
the cost of a forbidden pair.
"""
from __future__ import annotations

import ctypes
import sys
import threading
from typing import Any, NamedTuple, Optional, Sequence, Tuple, Union

from . import _header as c
from . import _memory
from ._arrays import View, new, type_name
from ._library import Flag, Owner, call, fill, flag_of, library, plain, whole_number
from ._matrices import Matrix, array_of_list, is_float, matrix_of, scaled, without_forbidden

INFINITE = c.TILECUT_INFINITE

_OPTIONS = {name: kind for name, kind in c.tilecut_network_params._fields_ if name not in ("size", "cancel")}
# Bytes for each arc and for each node that a call takes besides its arrays: some 10 % above the measured value. _NAMED
# is for named solvers, of which unit-flow and cost-scaling take more.
_SHORT = 1 << 20  # nodes and arcs that are searched without a thread of their own, in some ten milliseconds
_NEEDS = {"flow": (64, 28), "pairs": (18, 12), "costs": (14, 36), "levels": (18, 6)}
_NAMED = {"pairs": (120, 40), "costs": (24, 60)}
_BASE = 2 << 20
_Terminals = Union[int, Sequence[int], Any]


class Flow(NamedTuple):
    """The result of a maximum flow.

    flow    its value, which is the cost of the cut
    side    uint8 by node: 255 on the side of the sources, 0 on that of the sinks. Of all minimum cuts, the one with the
            fewest nodes on the side of the sinks
    flows   with flows=True: the flow on each arc, in order. Arcs of a sparse matrix are in the order of its tocoo(),
            those of a full matrix by rows, without zeros
    report  all other values, by their names in tilecut_network_report"""

    flow: Any
    side: Any
    flows: Any
    report: dict


class Matching(NamedTuple):
    """A maximum matching: the most pairs of a row and a column, with no row or column in two pairs.

    pairs         their number
    column_of     int32 by row: its column, -1: none
    cover_rows, cover_columns
                  uint8: 1 for the members of a smallest set of rows and columns that touches every edge. It has as many
                  members as there are pairs, which proves both
    report        all other values, by their names in tilecut_network_pairs_report"""

    pairs: int
    column_of: Any
    cover_rows: Any
    cover_columns: Any
    report: dict


class Assignment(NamedTuple):
    """An assignment of least cost: each row has a column of its own.

    cost          sum over the chosen edges
    column_of     int32 by row; -1: none, if there are more rows than columns
    row_price, column_price
                  their sum is at most the cost of each edge, and equal for the chosen ones, which proves the cost
    report        all other values, by their names in tilecut_network_pairs_report"""

    cost: Any
    column_of: Any
    row_price: Any
    column_price: Any
    report: dict


def solvers(device: Optional[str] = None) -> list:
    """The names of the solvers for graphs of any shape; with "cpu" or "cuda", of those on that device."""
    names: list = []
    at = 0
    while library.tilecut_network_solver_name(at) is not None:
        if device in (None, library.tilecut_network_solver_device(at).decode()):
            names.append(library.tilecut_network_solver_name(at).decode())
        at += 1
    return names


# ---- arrays -------------------------------------------------------------------------------------


def _vector(array: Any, what: str, size: int, keep: list, length: Optional[int] = None) -> View:
    """Whole numbers of `size` bytes without gaps: the array itself, or a copy of that type by NumPy."""
    if isinstance(array, (list, tuple, range)):
        array = array_of_list(array, what) if len(array) else new((0,), size, "i" if size == 4 else "q")
    view = View(array, what)
    if len(view.shape) != 1 or (length is not None and view.shape[0] != length):
        raise ValueError(f"{what} has the shape {view.shape}; " + (f"({length},)" if length is not None else "one dimension") +
                         " is right")
    if view.kind not in ("iub" if size == 8 else "iu"):  # truth values are no node numbers
        raise TypeError(f"{what} is {type_name(view)}; whole numbers are right, int{8 * size} best")
    packed = view.shape[0] < 2 or view.strides[0] == view.itemsize
    fits = view.itemsize == size and view.kind == "i" and view.address % size == 0 and packed
    keep.append(view if fits else View(_converted(array, view, what, size), what))
    return keep[-1]


def _converted(array: Any, view: View, what: str, size: int) -> Any:
    numpy = sys.modules.get("numpy")
    if numpy is None:
        raise TypeError(f"{what} is {type_name(view)}; int{8 * size} without gaps is right, others need NumPy")
    given, kind = numpy.asarray(array), numpy.dtype(f"i{size}")
    bounds = numpy.iinfo(kind)
    if given.size and (int(given.min()) < bounds.min or int(given.max()) > bounds.max):
        worst = given.max() if int(given.max()) > bounds.max else given.min()
        raise ValueError(f"{what} holds {worst}; int{8 * size} goes from {bounds.min} to {bounds.max}")
    return numpy.ascontiguousarray(given, kind)


def _values(array: Any, what: str, keep: list, length: int, most: Optional[int]) -> Tuple[int, Optional[int]]:
    """The address of capacities, or with `most` of costs up to that size; the factor of floats, None for integers."""
    if isinstance(array, (list, tuple)) and len(array):
        array = array_of_list(array, what)
    scale = None
    if not isinstance(array, (list, tuple, range)) and is_float(array, what):
        array, scale = scaled(sys.modules["numpy"].asarray(array), what, most or 2 ** 62, most is None)
    return _vector(array, what, 8, keep, length).address, scale


def _real(number: Any, scale: Optional[int]) -> Any:
    """Converts an answer in whole numbers to the unit of the input."""
    return number if scale is None or number is None else number / scale


def _nodes_of(terminals: _Terminals, what: str, keep: list) -> View:
    """One node, or several."""
    if hasattr(terminals, "__index__") and not getattr(terminals, "shape", ()):  # arrays of NumPy also have __index__
        terminals = [terminals]
    if isinstance(terminals, (list, tuple, range, set, frozenset)):
        numbers = [whole_number(v, what) for v in terminals]
        terminals = (ctypes.c_int32 * len(numbers))(*numbers)
    return _vector(terminals, what, 4, keep)


def _params(options: dict, cancel: Flag, keep: list) -> Any:
    params = c.tilecut_network_params(size=ctypes.sizeof(c.tilecut_network_params))
    fill(params, options, _OPTIONS, keep)
    keep.append(cancel)
    params.cancel = ctypes.pointer(cancel.struct)
    return params


def _new(length: int, size: int, letter: str, keep: list) -> Tuple[Any, int]:
    """A new vector and its address. A length that the library will refuse takes no memory."""
    array = new((length if 0 <= length <= c.TILECUT_NETWORK_NODES else 0,), size, letter)
    keep.append(View(array, "a result", writable=True))
    return array, keep[-1].address


def _check_memory(kind: str, nodes: int, arcs: int, named: bool, max_memory: Optional[int], more: int = 0) -> None:
    """Raises MemoryError if the graph and `more` bytes do not fit into memory. The library checks its own bounds."""
    if 0 <= nodes <= c.TILECUT_NETWORK_NODES and 0 <= arcs <= c.TILECUT_NETWORK_ARCS:
        arc, node = _NAMED.get(kind, _NEEDS[kind]) if named else _NEEDS[kind]
        what = f"a graph of {nodes} nodes and {arcs} arcs" if kind in ("flow", "levels") else \
            f"a graph of {nodes} rows and columns and {arcs} edges"
        _memory.check(what, nodes * node + arcs * arc + _BASE + more, max_memory)


# ---- flow ---------------------------------------------------------------------------------------


class Network(Owner):
    """Arcs with capacities, sources and sinks: tilecut_network_create().

    graph           a matrix (nodes, nodes), entry (v, w) the capacity of the arc from v to w; or vectors (tail, head,
                    capacity), or (tail, head): 1 each. INFINITE, or inf, is a capacity without limit
    sources, sinks  a node, or several
    nodes           number of nodes, with vectors; None: from the largest node number, which takes NumPy
    max_memory      bytes that building and solving may take; None: what is free

    Raises ValueError, which names the first arc or terminal that is wrong, TypeError, MemoryError."""

    _owns = {"_network": library.tilecut_network_destroy}
    _network: ctypes.c_void_p

    def __init__(self, graph: Any, sources: _Terminals, sinks: _Terminals, *, nodes: Optional[int] = None,
                 max_memory: Optional[int] = None) -> None:
        self._lock, self._solving = threading.Lock(), 0
        super().__init__()
        arcs = c.tilecut_network_arcs(size=ctypes.sizeof(c.tilecut_network_arcs))
        matrix = matrix_of(graph, "graph")
        self._scale = self._by_vectors(graph, nodes, arcs) if matrix is None else self._by_matrix(matrix, arcs)
        for what, given in (("source", sources), ("sink", sinks)):
            view = _nodes_of(given, what, self._keep)
            setattr(arcs, what + "s", view.address)
            setattr(arcs, what + "_count", view.shape[0])
        self.nodes, self.arcs = arcs.nodes, arcs.arcs
        _check_memory("flow", self.nodes, self.arcs, False, max_memory)
        call(library.tilecut_network_create, ctypes.byref(self._network), ctypes.byref(arcs))

    def _by_matrix(self, graph: Matrix, arcs: Any) -> Optional[int]:
        arcs.nodes = graph.rows
        if graph.rows != graph.columns:
            raise ValueError(f"graph has the shape {graph.rows, graph.columns}; as many rows as columns are right")
        head = _vector(graph.column, "graph.indices", 4, self._keep)
        arcs.arcs = head.shape[0]
        if graph.first is not None:
            arcs.first = _vector(graph.first, "graph.indptr", 4, self._keep, arcs.nodes + 1).address
        else:
            arcs.tail = _vector(graph.row, "graph.row", 4, self._keep, arcs.arcs).address
        arcs.head = head.address
        arcs.capacity, scale = _values(graph.values, "graph.data", self._keep, arcs.arcs, None)
        return scale

    def _by_vectors(self, graph: Any, nodes: Optional[int], arcs: Any) -> Optional[int]:
        if not isinstance(graph, (tuple, list)) or len(graph) not in (2, 3):
            raise TypeError("graph is a matrix, or (tail, head), or (tail, head, capacity)")
        tail, scale = _vector(graph[0], "tail", 4, self._keep), None
        arcs.arcs, arcs.tail = tail.shape[0], tail.address
        arcs.head = _vector(graph[1], "head", 4, self._keep, arcs.arcs).address
        if len(graph) == 3:
            arcs.capacity, scale = _values(graph[2], "capacity", self._keep, arcs.arcs, None)
        if nodes is None:
            numpy = sys.modules.get("numpy")
            if numpy is None:
                raise TypeError("nodes= has to say how many there are")
            nodes = 1 + max((int(numpy.max(v)) for v in graph[:2] if len(v)), default=0)
        arcs.nodes = whole_number(nodes, "nodes", 64)
        return scale

    def solve(self, *, flows: bool = False, cancel: Optional[Flag] = None, **options: Any) -> Flow:
        """Solves: tilecut_network_solve(). flows: also return the flow on each arc, which is slower. options: solver,
        threads."""
        keep: list = []
        flag = flag_of(cancel)
        params = _params(options, flag, keep)
        report = c.tilecut_network_report(size=ctypes.sizeof(c.tilecut_network_report))
        side, side_at = _new(self.nodes, 1, "B", keep)
        carried, carried_at = _new(self.arcs, 8, "q", keep) if flows else (None, None)
        with self._lock:
            network = self._network
            self._solving += 1
        try:
            call(library.tilecut_network_solve, network, ctypes.byref(params), side_at, carried_at, ctypes.byref(report),
                 cancel=flag)
        finally:
            with self._lock:
                self._solving -= 1
        return Flow(_real(report.flow, self._scale), side, _real(carried, self._scale),
                    {**plain(report), "scale": self._scale or 1})

    def close(self) -> None:
        """Frees the memory. ValueError while another thread solves with it."""
        with self._lock:
            if self._solving:
                raise ValueError("the network is being solved; close() may follow when that has ended")
            super().close()


def maximum_flow(graph: Any, sources: _Terminals, sinks: _Terminals, *, nodes: Optional[int] = None, flows: bool = False,
                 max_memory: Optional[int] = None, cancel: Optional[Flag] = None, **options: Any) -> Flow:
    """Maximum flow and minimum cut in one call. Arguments as of Network and Network.solve().

    Raises ValueError (InvalidValue), also if the flow has no limit or sums may exceed 64 bits; TypeError, MemoryError,
    Cancelled."""
    with Network(graph, sources, sinks, nodes=nodes, max_memory=max_memory) as network:
        return network.solve(flows=flows, cancel=cancel, **options)


# ---- pairs --------------------------------------------------------------------------------------


def _most_cost(rows: int, columns: int) -> int:
    """The largest cost that the library accepts."""
    return 2 ** 58 // max(1, rows + columns)


def _edges(graph: Any, what: str, shape: Optional[Sequence[int]], costs: bool, keep: list) -> Tuple[Any, Optional[int]]:
    """The edges, and the factor of the costs."""
    edges = c.tilecut_network_edges(size=ctypes.sizeof(c.tilecut_network_edges))
    matrix = matrix_of(graph, what, costs)
    names = (what + ".indices", what + ".data")
    if matrix is None:
        matrix, names = _edge_vectors(graph, what, shape, costs), ("column", "cost")
    matrix = without_forbidden(matrix, what)
    edges.rows, edges.columns = matrix.rows, matrix.columns
    if matrix.column is None:
        return edges, _full(matrix, what, edges, keep)
    column = _vector(matrix.column, names[0], 4, keep)
    edges.edges, edges.column = column.shape[0], column.address
    if matrix.first is not None:
        edges.first = _vector(matrix.first, what + ".indptr", 4, keep, edges.rows + 1).address
    else:
        edges.row = _vector(matrix.row, "row", 4, keep, edges.edges).address
    scale = None
    if costs:
        edges.cost, scale = _values(matrix.values, names[1], keep, edges.edges, _most_cost(edges.rows, edges.columns))
    return edges, scale


def _edge_vectors(graph: Any, what: str, shape: Optional[Sequence[int]], costs: bool) -> Matrix:
    if not isinstance(graph, (tuple, list)) or len(graph) != (3 if costs else 2):
        raise TypeError(f"{what} is a matrix, or " + ("(row, column, cost)" if costs else "(row, column)"))
    if not isinstance(shape, (tuple, list)) or len(shape) != 2:
        raise TypeError("shape=(rows, columns) has to say how many there are")
    rows, columns = (whole_number(n, "shape", 64) for n in shape)
    values = graph[2] if costs else None
    return Matrix(rows, columns, None, graph[0], graph[1],
                  array_of_list(values, "cost") if isinstance(values, (list, tuple)) and len(values) else values)


def _full(matrix: Matrix, what: str, edges: Any, keep: list) -> Optional[int]:
    """Takes all costs of a full matrix."""
    view, scale, rows, columns = View(matrix.values, what), None, matrix.rows, matrix.columns
    packed = (columns < 2 or view.strides[1] == 8) and (rows < 2 or view.strides[0] == 8 * columns)
    if is_float(matrix.values, what):
        whole, scale = scaled(sys.modules["numpy"].asarray(matrix.values), what, _most_cost(rows, columns), False)
        view = View(whole, what)
    elif not (view.kind == "i" and view.itemsize == 8 and packed and view.address % 8 == 0):
        view = View(_converted(matrix.values, view, what, 8), what)
    keep.append(view)
    edges.edges, edges.cost = rows * columns, view.address
    return scale


def _pairs(function: Any, edges: Any, letter: str, options: dict, max_memory: Optional[int], cancel: Optional[Flag],
           keep: list) -> Tuple[Any, Any, Any]:
    """Calls the library's function: returns the columns of rows, the proof, and the report."""
    if edges.rows >= 0 and edges.columns >= 0:
        # more rows than columns: the library copies the costs by columns
        again = 8 * edges.edges if letter == "q" and edges.rows > edges.columns and not edges.row else 0
        _check_memory("costs" if letter == "q" else "pairs", edges.rows + edges.columns, edges.edges,
                      options.get("solver") is not None, max_memory, again)
    flag = flag_of(cancel)
    params = _params(options, flag, keep)
    report = c.tilecut_network_pairs_report(size=ctypes.sizeof(c.tilecut_network_pairs_report))
    column_of, column_at = _new(edges.rows, 4, "i", keep)
    proof, proof_at = _new(edges.rows + edges.columns, 8 if letter == "q" else 1, letter, keep)
    call(function, ctypes.byref(edges), ctypes.byref(params), column_at, proof_at, ctypes.byref(report), cancel=flag)
    return column_of, proof, report


def match(graph: Any, *, shape: Optional[Sequence[int]] = None, max_memory: Optional[int] = None,
          cancel: Optional[Flag] = None, **options: Any) -> Matching:
    """Finds a maximum matching of rows and columns: tilecut_network_match().

    graph    a matrix (rows, columns); of a sparse one, every stored entry is an edge, whatever its value, but inf is
             none; or (row, column), vectors
    shape    (rows, columns), with vectors
    max_memory
             bytes that the call may take; None: what is free
    options  solver, threads

    Raises ValueError, which names the first edge that is wrong, TypeError, MemoryError, Cancelled."""
    keep: list = []
    edges, _ = _edges(graph, "graph", shape, False, keep)
    column_of, cover, report = _pairs(library.tilecut_network_match, edges, "B", options, max_memory, cancel, keep)
    return Matching(report.pairs, column_of, cover[:edges.rows], cover[edges.rows:], plain(report, ("cost",)))


def assign(costs: Any, *, shape: Optional[Sequence[int]] = None, max_memory: Optional[int] = None,
           cancel: Optional[Flag] = None, **options: Any) -> Assignment:
    """Finds a column for each row so that the sum of costs is least: tilecut_network_assign().

    costs    a matrix (rows, columns); of a sparse one, every stored entry is an edge and its cost; or (row, column,
             cost), vectors. If there are more rows than columns, each column gets a row
    shape    (rows, columns), with vectors
    max_memory
             bytes that the call may take; None: what is free
    options  solver, threads

    Raises ValueError (InvalidValue), also if there is no such assignment, TypeError, MemoryError, Cancelled."""
    keep: list = []
    edges, scale = _edges(costs, "costs", shape, True, keep)
    column_of, price, report = _pairs(library.tilecut_network_assign, edges, "q", options, max_memory, cancel, keep)
    return Assignment(_real(report.cost, scale), column_of, _real(price[:edges.rows], scale), _real(price[edges.rows:], scale),
                      {**plain(report), "scale": scale or 1})


class Levels(NamedTuple):
    """The distance of each node, in arcs.

    level    int32 by node: its distance, -1: not reached
    reached  number of nodes that were reached
    report   all other values, by their names in tilecut_network_levels_report
    """

    level: Any
    reached: int
    report: dict


def levels(graph: Any, start: int, *, shape: Optional[Sequence[int]] = None, max_memory: Optional[int] = None,
           cancel: Optional[Flag] = None, **options: Any) -> Levels:
    """Counts the arcs from `start` to each node: tilecut_network_levels(). Every stored entry is an arc from its row to
    its column, whatever its value, but inf is none.

    graph    a square matrix as of match(), or (tail, head) with shape=(nodes, nodes)
    max_memory
             bytes that the call may take; None: what is free
    options  solver ("both", "down", "up"), threads

    Raises ValueError, TypeError, MemoryError, Cancelled.
    """
    keep: list = []
    edges, _ = _edges(graph, "graph", shape, False, keep)
    flag = flag_of(cancel)
    params = _params(options, flag, keep)
    report = c.tilecut_network_levels_report(size=ctypes.sizeof(c.tilecut_network_levels_report))
    _check_memory("levels", edges.rows, edges.edges, False, max_memory)
    level, address = _new(edges.rows, 4, "i", keep)
    short = edges.rows + edges.edges < _SHORT  # over before anybody presses Ctrl-C
    call(library.tilecut_network_levels, ctypes.byref(edges), whole_number(start, "start", 64), ctypes.byref(params), address,
         ctypes.byref(report), cancel=None if short else flag)
    return Levels(level, report.reached, plain(report))
