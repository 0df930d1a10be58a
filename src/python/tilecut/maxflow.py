# SPDX-License-Identifier: MIT
"""The interface of PyMaxflow's Graph on tilecut's solvers: `import tilecut.maxflow as maxflow`.

    g = maxflow.Graph[int]()
    ids = g.add_grid_nodes(image.shape)
    g.add_grid_edges(ids, 50)
    g.add_grid_tedges(ids, image, 255 - image)
    g.maxflow()
    segments = g.get_grid_segments(ids)

Graphs may have any shape. The solvers for grids take a graph that is one grid of two dimensions with 4 or 8 neighbours,
or of three with 6; those of tilecut.network take all others. Of several minimum cuts, the result is the one with the
fewest nodes on the sink's side; PyMaxflow, too, puts nodes that neither terminal reaches on the source's side.

Capacities of Graph[int] are whole numbers of 64 bits. Those of Graph[float] are rounded to multiples of a power of two:
in a grid so that those at a node sum to at most 2**24, else finer; the flow is exact for the rounded capacities. A
capacity may be infinite in Graph[float], and those of terminals may be negative.

The interface is that of PyMaxflow 1.2, without save() and load() of later versions.
"""
from __future__ import annotations

import copy
import math
import operator
from typing import Any, Dict, List, Tuple

import numpy as np

from . import __version__, _memory, fastmin
from ._maxflow import MOST, NAMES, add_at, back_of, fit, in_order, link_ends, solve_arcs, solve_grid, straight


class _Graph:
    _dtype: Any = None  # int or float
    _wide: Any = None   # of sums

    def __init__(self, est_node_num: int = 0, est_edge_num: int = 0, copy_rhs: Any = None) -> None:
        """The estimates are accepted and have no effect. copy_rhs: a graph of the same type to copy."""
        self.reset()
        if copy_rhs is not None:
            if type(copy_rhs) is not type(self):
                raise TypeError(f"tilecut.maxflow: a copy of {type(copy_rhs).__name__} is no {type(self).__name__}")
            self.__dict__.update(copy.deepcopy(copy_rhs.__dict__))

    def copy(self) -> Any:
        """A copy of the graph with the same capacities, also after maxflow(), which does not change them."""
        return type(self)(copy_rhs=self)

    def reset(self) -> None:
        """Removes all nodes and edges."""
        self._count = 0
        self._shape: Any = None  # shape of the first nodes if they are a grid, whose links are planes by step
        self._planes: Dict[Any, Any] = {}
        self._terminals: Dict[str, Any] = {}
        self._single: List[Any] = []  # all other edges, one by one
        self._many: List[Any] = []    # edges as arrays: from, to, capacity there and back
        self._edges = 0
        self._on_sink: Any = None
        self._infinite = self._below = False  # whether a capacity is infinite; whether a terminal is negative

    # -- nodes

    def add_nodes(self, n: int) -> Any:
        """Adds n nodes and returns their numbers."""
        n = operator.index(n)
        if n < 0:
            raise ValueError(f"tilecut.maxflow: {n} more nodes; 0 at least is right")
        _memory.check(f"tilecut.maxflow: a graph of {self._count + n} nodes", n * 8 * (1 + len(self._terminals)), None)
        first, self._count = self._count, self._count + n
        for name, caps in self._terminals.items():
            self._terminals[name] = np.concatenate([caps, np.zeros(n, caps.dtype)])
        return np.arange(first, self._count)

    def add_grid_nodes(self, shape: Any) -> Any:
        """Adds the nodes of a grid; returns an array of their numbers in that shape."""
        shape = tuple(operator.index(n) for n in np.atleast_1d(shape))
        if min(shape, default=0) < 0:
            raise ValueError(f"tilecut.maxflow: a grid of {shape}; sides of 0 at least are right")
        if self._count == 0 and len(shape) in NAMES:
            self._shape = shape
        return self.add_nodes(math.prod(shape)).reshape(shape)

    def get_node_count(self) -> int:
        return self._count

    get_node_num = get_node_count

    def get_edge_count(self) -> int:
        """The number of arcs between nodes: two for each edge."""
        return 2 * self._edges

    get_edge_num = get_edge_count

    # -- capacities

    def _check_ids(self, nodeids: Any, least: int = 0) -> Tuple[Any, bool]:
        """Node numbers as an array, and True if they are all nodes of the grid in order. least: -1: no node is
        allowed."""
        ids = np.asarray(nodeids)
        if ids.dtype.kind not in "iu" and ids.size:
            raise TypeError(f"tilecut.maxflow: node numbers are whole, not {ids.dtype}")
        if ids.shape == self._shape and in_order(ids):
            return ids, True
        if ids.size and (ids.min() < least or ids.max() >= self._count):
            raise ValueError("tilecut.maxflow: a node that was not added" if self._count else
                             "tilecut.maxflow: there are no nodes yet")
        return ids, False

    def _caps(self, caps: Any, shape: Any, terminal: bool = False) -> Any:
        """Capacities in that shape, or one number for all. Small types stay as they are: int32, float64."""
        if isinstance(caps, int) and abs(caps) > MOST:  # NumPy has no type for such a number
            caps = float(caps)
        out = np.asarray(caps)
        if out.dtype.kind not in "iufb":
            raise TypeError(f"tilecut.maxflow: capacities are numbers, not {out.dtype}")
        if out.size and out.dtype.kind != "b":
            least, most = out.min(), out.max() if out.dtype.kind != "i" else 0
            if np.isnan(least) or least == -np.inf or (most == np.inf and self._dtype is int):
                raise ValueError("tilecut.maxflow: a capacity that is no finite number")
            if least < 0 and not terminal:
                raise ValueError("tilecut.maxflow: a capacity below 0")
            if self._dtype is int:
                fit(int(least), int(most))
            self._infinite |= bool(most == np.inf)
            self._below |= bool(least < 0)
        kind = np.int32 if self._dtype is int and np.can_cast(out.dtype, np.int32) else self._wide
        return np.broadcast_to(out.astype(kind, copy=False), shape)

    def _add_to(self, planes: Dict[Any, Any], name: Any, shape: Any, at: Any, caps: Any) -> None:
        """Adds `caps` to the plane `name` at the places `at`. A new plane starts with zeros, so there they are stored."""
        plane = planes.get(name)
        if plane is None:
            planes[name] = plane = np.zeros(shape, caps.dtype)
            plane[at] = caps
        else:
            if plane.dtype != self._wide or sum(plane is other for other in planes.values()) > 1:
                planes[name] = plane = plane.astype(self._wide)
            add_at(plane, at, caps)

    def add_tedge(self, i: int, cap_source: Any, cap_sink: Any) -> None:
        """Adds links of a node to source and sink; repeated links add up."""
        self.add_grid_tedges(np.asarray([i]), cap_source, cap_sink)

    def add_grid_tedges(self, nodeids: Any, sourcecaps: Any, sinkcaps: Any) -> None:
        """Adds links of these nodes to source and sink; repeated links add up. If both are negative, they lower the
        flow."""
        ids, whole = self._check_ids(nodeids)
        for name, caps in (("source", self._caps(sourcecaps, ids.shape, True)), ("sink", self._caps(sinkcaps, ids.shape, True))):
            if whole and ids.size == self._count:
                self._add_to(self._terminals, name, self._count, np.s_[:], caps.reshape(-1))
            else:
                to = self._terminals.get(name, np.zeros(self._count, self._wide)).astype(self._wide, copy=False)
                add_at(to, ids.reshape(-1), caps.reshape(-1))
                self._terminals[name] = to

    def add_edge(self, i: int, j: int, cap: Any, rcap: Any) -> None:
        """Adds a link i -> j of capacity cap, and j -> i of rcap, between any two nodes."""
        i, j = operator.index(i), operator.index(j)
        if not (0 <= i < self._count and 0 <= j < self._count):
            raise ValueError(f"tilecut.maxflow: an edge between {i} and {j}; nodes are 0 to {self._count - 1}")
        if not (cap >= 0 and rcap >= 0):
            raise ValueError("tilecut.maxflow: a capacity below 0")
        if max(cap, rcap) >= MOST:
            self._caps(max(cap, rcap), ())
        self._single.append((i, j, self._dtype(cap), self._dtype(rcap)))
        self._edges += 1

    def add_edges(self, i: Any, j: Any, cap: Any, rcap: Any) -> None:
        """add_edge() for vectors of nodes; a capacity may be one number for all."""
        begin, end = np.broadcast_arrays(self._check_ids(i)[0], self._check_ids(j)[0])
        self._add_many(begin, end, self._caps(cap, begin.shape), self._caps(rcap, begin.shape))

    def _add_many(self, begin: Any, end: Any, there: Any, back: Any) -> None:
        there_are = (begin >= 0) & (end >= 0)
        self._many.append(tuple(a[there_are] for a in (begin, end, there, back)))  # copies
        self._edges += int(there_are.sum())

    def add_grid_edges(self, nodeids: Any, weights: Any = 1, structure: Any = None, symmetric: bool = False,
                       periodic: Any = False) -> None:
        """Adds links from each of these nodes to the neighbours that `structure` selects.

        nodeids    an array of any shape; neighbours are those in this array. -1 is no node and gets no links
        weights    capacities of the links that leave a node: a number, or an array of the size of nodeids
        structure  factors of the weights, with odd sides and the node in the middle; None: vonNeumann_structure()
        symmetric  the links back have the same capacity
        periodic   True for axes where the last node is a neighbour of the first: one value for all, or one per axis
        """
        ids, whole = self._check_ids(nodeids, -1)
        caps = self._caps(weights, ids.shape)
        factors = np.asarray(vonNeumann_structure(ids.ndim, symmetric) if structure is None else structure)
        factors = factors.reshape((1,) * (ids.ndim - factors.ndim) + factors.shape)
        if factors.ndim != ids.ndim or any(n % 2 == 0 for n in factors.shape):
            raise ValueError(f"tilecut.maxflow: a structure of {factors.shape} for nodes of {ids.shape}; as many axes, of odd "
                             "lengths, are right")
        around = tuple(bool(p) for p in np.broadcast_to(np.asarray(periodic), (ids.ndim,)))
        whole = whole and not any(around)
        for at, factor in np.ndenumerate(factors):
            step = tuple(k - n // 2 for k, n in zip(at, factors.shape))
            if not factor or not any(step):
                continue
            scaled = caps if factor == 1 else self._caps(self._times(caps, factor), ids.shape)
            if whole and (step in NAMES[ids.ndim] or back_of(step) in NAMES[ids.ndim]):
                self._link(step, scaled, symmetric)
            else:
                self._link_ids(ids, step, scaled, symmetric, around)

    def _times(self, caps: Any, factor: Any) -> Any:
        if factor == np.inf:  # of what there is
            return np.multiply(caps, factor, out=np.zeros(caps.shape), where=caps != 0)
        if factor.dtype.kind in "iu" and self._dtype is int:
            fit(0, int(caps.max(initial=0)) * int(factor))
        return caps.astype(self._wide) * factor

    def _link(self, step: Any, caps: Any, symmetric: bool) -> None:
        """Adds links of all nodes of the grid. A link is stored where its forward direction begins."""
        begin, end = link_ends(self._shape, step)
        at, back = begin if step in NAMES[len(step)] else end, back_of(step)
        fresh = symmetric and step not in self._planes and back not in self._planes
        for each in (step, back) if symmetric and not fresh else (step,):
            self._add_to(self._planes, each, self._shape, at, caps[begin])
        if fresh:  # one plane for both directions, until one of them gets more
            self._planes[back] = self._planes[step]
        self._edges += caps[begin].size

    def _link_ids(self, ids: Any, step: Any, caps: Any, symmetric: bool, around: Any) -> None:
        begin, end = link_ends(ids.shape, [0 if p else d for d, p in zip(step, around)])
        turned = np.roll(ids, [-d if p else 0 for d, p in zip(step, around)], tuple(range(ids.ndim)))
        self._add_many(ids[begin], turned[end], caps[begin], caps[begin] if symmetric else np.zeros_like(caps[begin]))

    # -- solving

    def _loose(self) -> Any:
        """All edges that are not in planes: from, to, capacity there and back; None if there are none."""
        if self._single:
            columns = list(zip(*self._single))
            self._many.append(tuple(np.array(c, np.int64 if k < 2 else self._wide) for k, c in enumerate(columns)))
            self._single = []
        if len(self._many) > 1:
            self._many = [tuple(np.concatenate(parts) for parts in zip(*self._many))]
        return self._many[0] if self._many else None

    def _as_grid(self) -> Any:
        """The planes by step if the graph is exactly one grid; else None."""
        if self._shape is None or self._count != int(np.prod(self._shape)):
            return None
        loose = self._loose()
        if loose is None:
            return self._planes
        begin, end = (np.stack(np.unravel_index(ids, self._shape)) for ids in loose[:2])
        steps, left = end - begin, np.ones(begin.shape[1], bool)
        planes = {step: plane.astype(self._wide) for step, plane in self._planes.items()}
        for step in list(NAMES[len(self._shape)]):
            for each, at in ((step, begin), (back_of(step), end)):
                these = left & (steps == np.asarray(each)[:, None]).all(axis=0)
                if not these.any():
                    continue
                where = tuple(at[:, these])  # the nodes where the forward links begin
                for way, caps in ((each, loose[2]), (back_of(each), loose[3])):
                    add_at(planes.setdefault(way, np.zeros(self._shape, self._wide)), where, caps[these])
                left &= ~these
        return None if left.any() else planes

    def maxflow(self, reuse_trees: bool = False) -> Any:
        """Solves, and returns the flow. reuse_trees is accepted and has no effect."""
        self._in_proportion()
        twin, infinity = self._finite() if self._infinite else (self, np.inf)
        source, sink = (twin._terminals.get(name, np.zeros(self._count, self._wide)) for name in ("source", "sink"))
        settled: Any = 0
        if self._below:
            source, sink, settled = straight(source.astype(self._wide), sink.astype(self._wide))
        # An infinite link exceeds the 24 bits of the solvers for grids.
        planes = twin._as_grid() if twin is self or not twin._endless else None
        answer = None if planes is None else solve_grid(self._shape, source, sink, planes)
        if answer is None:
            source, sink, more = straight(source, sink)
            settled = settled + more
            answer = solve_arcs(twin._arcs(), source, sink, self._dtype is float)
        flow, self._on_sink = settled + answer[0], answer[1]
        return self._dtype(flow if flow < infinity else np.inf)

    def _in_proportion(self) -> None:
        """Graph[float]: checks that sums of capacities, and the powers of two to make them whole, fit float64."""
        if self._dtype is int:
            return
        loose = self._loose()
        caps = [*self._terminals.values(), *self._planes.values(), *(loose[2:] if loose else ())]
        finite: Any = lambda c: np.isfinite(c) if self._infinite else True
        most = max((max(c.max(initial=0, where=finite(c)), -c.min(initial=0)) for c in caps), default=0)
        if most and not (most > 2.0 ** -900 and most < 2.0 ** 1016 / (self._count + self._edges)):
            raise ValueError(f"tilecut.maxflow: the largest capacity is {most:g}, so that sums of them leave the range of float")

    _endless = False

    def _finite(self) -> Any:
        """This graph with a number for infinity, and that number: more than all other capacities together, so that a
        cheaper cut contains no such link."""
        twin, loose = copy.copy(self), self._loose()
        caps = [*self._terminals.values(), *self._planes.values(), *(loose[2:] if loose else ())]
        infinity = 2.0 ** np.ceil(np.log2(1 + 2 * sum(float(np.abs(c[np.isfinite(c)]).sum()) for c in caps)))
        bound: Any = lambda c: np.where(np.isinf(c), infinity, c)
        twin._endless = any(np.isinf(c).any() for c in caps[len(self._terminals):])
        twin._terminals = {name: bound(c) for name, c in self._terminals.items()}
        twin._planes = {step: bound(c) for step, c in self._planes.items()}
        twin._many = [(loose[0], loose[1], bound(loose[2]), bound(loose[3]))] if loose else []
        return twin, infinity

    def _arcs(self) -> Any:
        """All arcs between nodes: from, to, capacity."""
        parts: List[Any] = [(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, self._wide))]
        for step, plane in self._planes.items():
            ids = np.arange(plane.size).reshape(self._shape)
            forward = step in NAMES[len(step)]
            begin, end = link_ends(self._shape, step if forward else back_of(step))
            ways = (ids[begin], ids[end]) if forward else (ids[end], ids[begin])
            parts.append((ways[0].ravel(), ways[1].ravel(), plane[begin].ravel()))
        loose = self._loose()
        if loose is not None:
            parts += [(loose[0], loose[1], loose[2]), (loose[1], loose[0], loose[3])]
        return tuple(np.concatenate(each) for each in zip(*parts))

    def get_nx_graph(self) -> Any:
        """A networkx.DiGraph; "s" and "t" are the terminals, "weight" of an edge is its capacity or, after maxflow(),
        its residual capacity; full edges are left out. Nodes then have a "segment", as of get_segment(). Needs
        networkx. Flow straight from terminal to terminal is omitted."""
        from ._maxflow import drawn
        source, sink = (self._terminals.get(name, np.zeros(self._count, self._wide)) for name in ("source", "sink"))
        flow = None
        if self._on_sink is not None:
            twin = self._finite()[0] if self._infinite else self
            begin, end = (twin._terminals.get(name, np.zeros(self._count, self._wide)) for name in ("source", "sink"))
            begin, end, _ = straight(begin, end)
            flow = solve_arcs(twin._arcs(), begin, end, self._dtype is float, carried=True)[2]
        return drawn(self._arcs(), source, sink, flow, self._on_sink)

    def mark_node(self, i: int) -> None:
        """Does nothing: maxflow() notices every change itself."""
        self._check_ids(i)

    def mark_grid_nodes(self, nodeids: Any) -> None:
        """Does nothing: maxflow() notices every change itself."""
        self._check_ids(nodeids)

    def get_segment(self, i: int) -> int:
        """0 if the node is on the source's side, 1 if on the sink's."""
        return int(self.get_grid_segments(np.asarray([i]))[0])

    def get_grid_segments(self, nodeids: Any) -> Any:
        """True for nodes on the sink's side."""
        if self._on_sink is None:
            raise ValueError("tilecut.maxflow: maxflow() comes first")
        ids, whole = self._check_ids(nodeids)
        return self._on_sink[:ids.size].reshape(ids.shape).copy() if whole else self._on_sink[ids]


class GraphInt(_Graph):
    _dtype, _wide = int, np.int64


class GraphFloat(_Graph):
    _dtype, _wide = float, np.float64


class _ByType(dict):
    def __missing__(self, key):
        raise TypeError("Graph[int] and Graph[float] are right")


Graph = _ByType({int: GraphInt, float: GraphFloat})


def moore_structure(ndim: int = 2, directed: bool = False) -> Any:
    """An array 3 x 3 x ... of ones around the middle: all neighbours; directed: only those after the middle."""
    out = np.ones((3,) * ndim, int)
    middle = out.size // 2
    out.reshape(-1)[:middle + 1 if directed else middle] = 0 if directed else 1
    out.reshape(-1)[middle] = 0
    return out


def vonNeumann_structure(ndim: int = 2, directed: bool = False) -> Any:
    """An array 3 x 3 x ... with ones at the direct neighbours along the axes; directed: only those after the middle."""
    steps: Any = np.indices((3,) * ndim) - 1
    return moore_structure(ndim, directed) * (np.abs(steps).sum(axis=0) == 1)
