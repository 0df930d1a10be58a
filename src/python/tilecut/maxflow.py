# SPDX-License-Identifier: MIT
"""The interface of PyMaxflow's Graph on tilecut's solvers: `import tilecut.maxflow as maxflow`.

    g = maxflow.Graph[int]()
    ids = g.add_grid_nodes(image.shape)
    g.add_grid_edges(ids, 50)
    g.add_grid_tedges(ids, image, 255 - image)
    g.maxflow()
    segments = g.get_grid_segments(ids)

Graphs have any shape. One that is a single grid of two dimensions with 4 or 8 neighbours, or of three with 6, goes to the
solvers for grids; every other one to those of tilecut.network. Where there are several minimum cuts, the one with the fewest
nodes on the sink's side is taken, which is also what PyMaxflow says of nodes that neither terminal reaches.

Capacities of Graph[int] are whole numbers of 64 bits. Those of Graph[float] are rounded to multiples of a power of two: in a
grid such that at most 2**24 of them meet at a node, else finer; the flow is exact for the rounded capacities.
"""
from __future__ import annotations

from typing import Any, Dict, List, Tuple

import numpy as np

from . import network as _network
from ._grid import maxflow_grid
from ._volume import maxflow_volume

# Forward steps along the axes, the links that solvers for grids have; and their names there, forward and back.
_NAMES: Dict[int, Dict[Tuple[int, ...], Tuple[str, str]]] = {
    2: {(0, 1): ("right", "left"), (1, 0): ("down", "up"), (1, 1): ("down_right", "up_left"),
        (1, -1): ("down_left", "up_right")},
    3: {(0, 0, 1): ("right", "left"), (0, 1, 0): ("down", "up"), (1, 0, 0): ("back", "front")},
}
_DIAGONAL = ((1, 1), (1, -1))
_LIMIT = 1 << 24  # capacities at a node of a grid add up to less


def link_ends(shape: Any, step: Any) -> Tuple[Any, Any]:
    """Where links of that step begin, and where they end."""
    begin = tuple(slice(max(0, -d), max(0, n - max(0, d))) for n, d in zip(shape, step))
    end = tuple(slice(min(n, max(0, d)), max(0, n - max(0, -d))) for n, d in zip(shape, step))
    return begin, end


def _back(step: Any) -> Any:
    return tuple(-d for d in step)


class _Graph:
    _dtype: Any = None  # int or float
    _wide: Any = None   # of sums

    def __init__(self, est_node_num: int = 0, est_edge_num: int = 0) -> None:
        self.reset()

    def reset(self) -> None:
        """As new: no nodes, no edges."""
        self._count = 0
        self._shape: Any = None  # of the first nodes, where they are a grid; its links are planes, by their step
        self._ids: Any = None
        self._planes: Dict[Any, Any] = {}
        self._terminals: Dict[str, Any] = {}
        self._single: List[Any] = []  # all other edges: one by one
        self._many: List[Any] = []    # and in arrays: from, to, capacity there, and back
        self._edges = 0
        self._on_sink: Any = None
        self._flow: Any = 0

    # -- nodes

    def add_nodes(self, n: int) -> Any:
        """n more nodes; their numbers."""
        first, self._count = self._count, self._count + int(n)
        for name, caps in self._terminals.items():
            self._terminals[name] = np.concatenate([caps, np.zeros(int(n), caps.dtype)])
        return np.arange(first, self._count)

    def add_grid_nodes(self, shape: Any) -> Any:
        """Nodes of a grid; an array of their numbers, of that shape."""
        shape = tuple(int(n) for n in np.atleast_1d(shape))
        if self._count == 0 and len(shape) in _NAMES:
            self._shape = shape
            self._ids = np.arange(int(np.prod(shape))).reshape(shape)
        return self.add_nodes(int(np.prod(shape))).reshape(shape)

    def get_node_count(self) -> int:
        return self._count

    get_node_num = get_node_count

    def get_edge_count(self) -> int:
        """Arcs between nodes, two for each edge."""
        return 2 * self._edges

    get_edge_num = get_edge_count

    # -- capacities

    def _check_ids(self, nodeids: Any) -> Tuple[Any, bool]:
        """Node numbers as an array, and whether they are all nodes of the grid in their order."""
        ids = np.asarray(nodeids)
        if ids.dtype.kind not in "iu" and ids.size:
            raise TypeError(f"tilecut.maxflow: node numbers are whole, not {ids.dtype}")
        if ids.shape == self._shape and np.array_equal(ids, self._ids):
            return ids, True
        if ids.size and (ids.min() < 0 or ids.max() >= self._count):
            raise ValueError("tilecut.maxflow: a node that was not added" if self._count else
                             "tilecut.maxflow: there are no nodes yet")
        return ids, False

    def _caps(self, caps: Any, shape: Any) -> Any:
        """Capacities of that shape; they may be one number for all. Small types stay as they are: int32, float64."""
        out = np.asarray(caps)
        if out.dtype.kind not in "iufb":
            raise TypeError(f"tilecut.maxflow: capacities are numbers, not {out.dtype}")
        if out.size and out.dtype.kind == "f" and not np.isfinite(out).all():
            raise ValueError("tilecut.maxflow: a capacity that is no finite number")
        if out.size and out.dtype.kind in "if" and out.min() < 0:
            raise ValueError("tilecut.maxflow: a capacity below 0")
        kind = np.int32 if self._dtype is int and np.can_cast(out.dtype, np.int32) else self._wide
        return np.broadcast_to(out.astype(kind, copy=False), shape)

    def _add_to(self, planes: Dict[Any, Any], name: Any, shape: Any, at: Any, caps: Any) -> None:
        """Adds capacities to a plane, at these places; what comes first is stored as it is."""
        plane = planes.get(name)
        if plane is None:
            planes[name] = plane = np.zeros(shape, caps.dtype)
            plane[at] = caps
        else:
            if plane.dtype != self._wide:
                planes[name] = plane = plane.astype(self._wide)
            plane[at] += caps

    def add_tedge(self, i: int, cap_source: Any, cap_sink: Any) -> None:
        """Links of a node to source and sink; given again, they add up."""
        self.add_grid_tedges(np.asarray([i]), cap_source, cap_sink)

    def add_grid_tedges(self, nodeids: Any, sourcecaps: Any, sinkcaps: Any) -> None:
        """Links of these nodes to source and sink; given again, they add up."""
        ids, whole = self._check_ids(nodeids)
        for name, caps in (("source", self._caps(sourcecaps, ids.shape)), ("sink", self._caps(sinkcaps, ids.shape))):
            if whole and ids.size == self._count:
                self._add_to(self._terminals, name, self._count, np.s_[:], caps.reshape(-1))
            else:
                to = self._terminals.get(name, np.zeros(self._count, self._wide)).astype(self._wide, copy=False)
                np.add.at(to, ids.reshape(-1), caps.reshape(-1))
                self._terminals[name] = to

    def add_edge(self, i: int, j: int, cap: Any, rcap: Any) -> None:
        """A link i -> j of capacity cap, and j -> i of rcap, between any two nodes."""
        if not (0 <= i < self._count and 0 <= j < self._count):
            raise ValueError(f"tilecut.maxflow: an edge between {i} and {j}; nodes are 0 to {self._count - 1}")
        if not (cap >= 0 and rcap >= 0):
            raise ValueError("tilecut.maxflow: a capacity below 0")
        self._single.append((int(i), int(j), self._dtype(cap), self._dtype(rcap)))
        self._edges += 1

    def add_edges(self, i: Any, j: Any, cap: Any, rcap: Any) -> None:
        """add_edge() for vectors of nodes; capacities may be one number for all."""
        begin, end = np.broadcast_arrays(self._check_ids(i)[0], self._check_ids(j)[0])
        self._add_many(begin, end, self._caps(cap, begin.shape), self._caps(rcap, begin.shape))

    def _add_many(self, begin: Any, end: Any, there: Any, back: Any) -> None:
        self._many.append(tuple(np.array(a).reshape(-1) for a in (begin, end, there, back)))
        self._edges += begin.size

    def add_grid_edges(self, nodeids: Any, weights: Any = 1, structure: Any = None, symmetric: bool = False,
                       periodic: Any = False) -> None:
        """Links from each of these nodes to the neighbours that `structure` names.

        nodeids    an array of any shape; neighbours are those in this array
        weights    of the links that leave a node, a number or an array as large as nodeids
        structure  factors of the weights, of odd sides, its middle the node itself; None: vonNeumann_structure()
        symmetric  the links back have the same capacity
        periodic   along which axes the last follows on the first: one for all, or one an axis
        """
        ids, whole = self._check_ids(nodeids)
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
            scaled = caps if factor == 1 else self._caps(caps.astype(self._wide) * factor, ids.shape)
            if whole and (step in _NAMES[ids.ndim] or _back(step) in _NAMES[ids.ndim]):
                self._link(step, scaled, symmetric)
            else:
                self._link_ids(ids, step, scaled, symmetric, around)

    def _link(self, step: Any, caps: Any, symmetric: bool) -> None:
        """Links of all nodes of the grid. A link stands where its forward one begins, so that there is one way to say it."""
        begin, end = link_ends(self._shape, step)
        forward = step in _NAMES[len(step)]
        for each in (step, _back(step)) if symmetric else (step,):
            self._add_to(self._planes, each, self._shape, begin if forward else end, caps[begin])
        self._edges += caps[begin].size

    def _link_ids(self, ids: Any, step: Any, caps: Any, symmetric: bool, around: Any) -> None:
        begin, end = link_ends(ids.shape, [0 if p else d for d, p in zip(step, around)])
        turned = np.roll(ids, [-d if p else 0 for d, p in zip(step, around)], tuple(range(ids.ndim)))
        self._add_many(ids[begin], turned[end], caps[begin], caps[begin] if symmetric else np.zeros_like(caps[begin]))

    # -- solving

    def _loose(self) -> Any:
        """All edges that are not in planes: from, to, capacity there, and back; None without any."""
        if self._single:
            columns = list(zip(*self._single))
            self._many.append(tuple(np.array(c, np.int64 if k < 2 else self._wide) for k, c in enumerate(columns)))
            self._single = []
        if len(self._many) > 1:
            self._many = [tuple(np.concatenate(parts) for parts in zip(*self._many))]
        return self._many[0] if self._many else None

    def _as_grid(self) -> Any:
        """Planes by step, where the graph is one grid and no more; else None."""
        if self._shape is None or self._count != int(np.prod(self._shape)):
            return None
        loose = self._loose()
        if loose is None:
            return self._planes
        begin, end = (np.stack(np.unravel_index(ids, self._shape)) for ids in loose[:2])
        steps, left = end - begin, np.ones(begin.shape[1], bool)
        planes = {step: plane.astype(self._wide) for step, plane in self._planes.items()}
        for step in list(_NAMES[len(self._shape)]):
            for each, at in ((step, begin), (_back(step), end)):
                these = left & (steps == np.asarray(each)[:, None]).all(axis=0)
                if not these.any():
                    continue
                where = tuple(at[:, these])  # where the forward one begins
                for way, caps in ((each, loose[2]), (_back(each), loose[3])):
                    np.add.at(planes.setdefault(way, np.zeros(self._shape, self._wide)), where, caps[these])
                left &= ~these
        return None if left.any() else planes

    def maxflow(self, reuse_trees: bool = False) -> Any:
        """Solves; the flow."""
        planes = self._as_grid()
        source, sink = (self._terminals.get(name, np.zeros(self._count, self._wide))
                        for name in ("source", "sink"))
        answer = None if planes is None else _solve_grid(self._shape, source, sink, planes)
        if answer is None:
            answer = self._solve_network(source, sink)
        flow, self._on_sink = answer
        self._flow = self._dtype(flow)
        return self._flow

    def _solve_network(self, source: Any, sink: Any) -> Any:
        """The flow and who is on the sink's side, by the solvers for graphs of any shape."""
        tails: List[Any] = []
        heads: List[Any] = []
        caps: List[Any] = []
        for step, plane in self._planes.items():
            forward = step in _NAMES[len(step)]
            begin, end = link_ends(self._shape, step if forward else _back(step))
            ways = (self._ids[begin], self._ids[end]) if forward else (self._ids[end], self._ids[begin])
            tails, heads, caps = tails + [ways[0].ravel()], heads + [ways[1].ravel()], caps + [plane[begin].ravel()]
        loose = self._loose()
        if loose is not None:
            tails, heads, caps = tails + [loose[0], loose[1]], heads + [loose[1], loose[0]], caps + [loose[2], loose[3]]
        straight = np.minimum(source, sink)
        for at, rest in ((0, source - straight), (1, sink - straight)):
            nodes = np.flatnonzero(rest)
            terminal = np.full(nodes.size, self._count + at)
            tails, heads = tails + [nodes if at else terminal], heads + [terminal if at else nodes]
            caps.append(rest[nodes])
        tail, head, cap = (np.concatenate(parts) for parts in (tails, heads, caps))
        some = cap > 0
        tail, head, cap = tail[some].astype(np.int32), head[some].astype(np.int32), cap[some]
        scale = 1.0
        if self._dtype is float:
            cap, scale = _whole_numbers(tail, head, cap, self._count)
        flow = _network.maximum_flow((tail, head, cap), self._count, self._count + 1, nodes=self._count + 2)
        settled = int(straight.sum()) if self._dtype is int else float(straight.sum())
        return settled + (flow.flow if self._dtype is int else flow.flow / scale), np.asarray(flow.side)[:-2] == 0

    def get_segment(self, i: int) -> int:
        """0: the source's side, 1: the sink's."""
        return int(self.get_grid_segments(np.asarray([i]))[0])

    def get_grid_segments(self, nodeids: Any) -> Any:
        """True where a node is on the sink's side."""
        if self._on_sink is None:
            raise ValueError("tilecut.maxflow: maxflow() comes first")
        ids, whole = self._check_ids(nodeids)
        return self._on_sink[:ids.size].reshape(ids.shape).copy() if whole else self._on_sink[ids]


def _node_sum(shape: Any, planes: Any) -> Any:
    """Capacities of all links at a node, there and back."""
    total = np.zeros(shape, np.float64 if any(p.dtype.kind == "f" for p in planes.values()) else np.int64)
    for step, plane in planes.items():
        begin, end = link_ends(shape, step if step in _NAMES[len(step)] else _back(step))
        total[begin] += plane[begin]
        total[end] += plane[begin]
    return total


def _solve_grid(shape: Any, source: Any, sink: Any, planes: Any) -> Any:
    """The flow and who is on the sink's side; None where capacities are beyond what solvers for grids hold."""
    source, sink = source.reshape(shape), sink.reshape(shape)
    settled: Any = 0
    greatest = [p.max(initial=0).item() for p in (source, sink, *planes.values())]
    most = max(greatest[:2]) + 2 * sum(greatest[2:])
    whole = source.dtype.kind == "i" or all((p == np.rint(p)).all() for p in (source, sink, *planes.values()))
    scale = 1.0
    if most >= _LIMIT or not whole:
        # What goes straight through needs no solver, and a link beyond all that one of the terminals can give is never full.
        straight = np.minimum(source, sink)
        source, sink, settled = source - straight, sink - straight, straight.sum()
        enough = _above(min(source.sum(), sink.sum()))
        planes = {step: np.minimum(plane, enough) for step, plane in planes.items()}
        room = _node_sum(shape, planes)
        source, sink = _bound(source, sink, room)
        load = (room + np.maximum(source, sink)).max(initial=0)
        if not whole and load > 0:
            scale = 2.0 ** np.floor(np.log2((_LIMIT - 64) / float(load)))
            source, sink = np.rint(source * scale), np.rint(sink * scale)
            planes = {step: np.rint(plane * scale) for step, plane in planes.items()}
        elif load >= _LIMIT:
            return None
    mask, flow = _call_grid(shape, source, sink, planes)
    return settled + (flow if source.dtype.kind == "i" else flow / scale), mask.reshape(-1) == 0


def _call_grid(shape: Any, source: Any, sink: Any, planes: Any) -> Any:
    names = _NAMES[len(shape)]
    zeros = None
    arguments = {}
    eight = any(each in planes for step in _DIAGONAL for each in (step, _back(step)))
    for step, (there, back) in names.items():
        if step in _DIAGONAL and not eight:
            continue
        for each, name in ((step, there), (_back(step), back)):
            plane = planes.get(each)
            if plane is None:
                plane = zeros = np.zeros(shape, np.int32) if zeros is None else zeros
            arguments[name] = plane.astype(np.int32, copy=False)
    solve: Any = maxflow_grid if len(shape) == 2 else maxflow_volume
    result = solve(source.astype(np.int32), sink.astype(np.int32), **arguments)
    return np.asarray(result.mask), result.flow


def _above(most: Any) -> Any:
    """A little more than a capacity, so that what carries no more than that is never full."""
    return most + 1 if isinstance(most, (int, np.integer)) else 2 * most if most > 0 else np.inf


def _bound(source: Any, sink: Any, room: Any) -> Any:
    """Terminals that bind their node as well as larger ones: beyond all of its links. A node without links keeps one that
    is not out of proportion to the others."""
    if source.dtype.kind == "i":
        return np.minimum(source, room + 1), np.minimum(sink, room + 1)
    beyond = np.maximum(2 * room, room.max(initial=0) or np.inf)
    return np.minimum(source, beyond), np.minimum(sink, beyond)


def _whole_numbers(tail: Any, head: Any, caps: Any, nodes: int) -> Any:
    """Capacities of arcs times a power of two, rounded; and that power. The terminals are the last two nodes."""
    of_source, of_sink = tail == nodes, head == nodes + 1
    inner = ~(of_source | of_sink)
    room: Any = sum(np.bincount(ends[inner], caps[inner], nodes + 2) for ends in (tail, head))
    caps = caps.copy()
    for these, at in ((of_source, head), (of_sink, tail)):
        caps[these] = _bound(caps[these], caps[these], room[at[these]])[0]
    given, taken = float(caps[of_source].sum()), float(caps[of_sink].sum())
    caps[inner] = np.minimum(caps[inner], _above(min(given, taken)))
    most = max(float(caps.max(initial=0)) * 2.0 ** 9, given, taken)
    scale = 2.0 ** np.floor(61 - np.log2(most)) if most > 0 else 1.0
    return np.rint(caps * scale).astype(np.int64), scale


class GraphInt(_Graph):
    _dtype, _wide = int, np.int64


class GraphFloat(_Graph):
    _dtype, _wide = float, np.float64


class _ByType(dict):
    def __missing__(self, key):
        raise TypeError("Graph[int] and Graph[float] are right")


Graph = _ByType({int: GraphInt, float: GraphFloat})


def moore_structure(ndim: int = 2, directed: bool = False) -> Any:
    """3 x 3 x ... of ones around the middle: all neighbours; directed: only those that come after it."""
    out = np.ones((3,) * ndim, int)
    middle = out.size // 2
    out.reshape(-1)[:middle + 1 if directed else middle] = 0 if directed else 1
    out.reshape(-1)[middle] = 0
    return out


def vonNeumann_structure(ndim: int = 2, directed: bool = False) -> Any:
    """3 x 3 x ... with the direct neighbours along the axes; directed: only those that come after the middle."""
    steps: Any = np.indices((3,) * ndim) - 1
    return moore_structure(ndim, directed) * (np.abs(steps).sum(axis=0) == 1)
