# SPDX-License-Identifier: MIT
"""The interface of PyMaxflow's Graph on tilecut's solvers: `import tilecut.maxflow as maxflow`.

    g = maxflow.Graph[int]()
    ids = g.add_grid_nodes(image.shape)
    g.add_grid_edges(ids, 50)
    g.add_grid_tedges(ids, image, 255 - image)
    g.maxflow()
    segments = g.get_grid_segments(ids)

Graphs are grids of two dimensions with 4 or 8 neighbours, or chains of nodes (add_nodes(), then edges between nodes that
follow each other). Edges between other nodes raise NotImplementedError. Where there are several minimum cuts, the one with
the fewest nodes on the sink's side is taken, which is also what PyMaxflow says of nodes that neither terminal reaches.

Capacities of Graph[int] are whole numbers below 2**24 at each node (see tilecut.Graph). Those of Graph[float] are rounded to
the finest power of two that fits: flow() is then exact for the rounded capacities.
"""
from typing import Any

import numpy as np

from ._grid import Graph as _Grid

# (dy, dx) of the forward links of tilecut.Graph, by the names of its arguments, and of the links back.
_FORWARD = {(0, 1): ("right", "left"), (1, 0): ("down", "up"), (1, 1): ("down_right", "up_left"),
            (1, -1): ("down_left", "up_right")}
_MOST = (1 << 24) - 1


class _Graph:
    _dtype: Any = None  # int or float

    def __init__(self, est_node_num=0, est_edge_num=0):
        self._shape, self._caps, self._mask, self._flow, self._kind = None, {}, None, 0, None

    # -- nodes

    def _begin(self, shape, kind):
        if self._shape is not None and not (kind == "chain" and self._kind == "chain"):
            raise NotImplementedError("tilecut.maxflow: a graph has one grid of nodes, or one chain; make another graph")
        self._kind = kind
        first = 0 if self._shape is None else self._shape[1]
        self._shape = (1, first + shape[1]) if kind == "chain" else shape
        for name, plane in self._caps.items():
            wider = np.zeros(self._shape, self._dtype)
            wider[:, :plane.shape[1]] = plane
            self._caps[name] = wider
        return first

    def add_nodes(self, n):
        """n more nodes of a chain; their numbers."""
        first = self._begin((1, int(n)), "chain")
        return np.arange(first, first + int(n))

    def add_grid_nodes(self, shape):
        """Nodes of a grid (height, width); an array of their numbers."""
        shape = (shape,) if np.isscalar(shape) else tuple(int(n) for n in shape)
        if len(shape) == 1:
            return self.add_nodes(shape[0])
        if len(shape) != 2:
            raise NotImplementedError(f"tilecut.maxflow: a grid of {len(shape)} dimensions; 2 are right")
        self._begin(shape, "grid")
        return np.arange(shape[0] * shape[1]).reshape(shape)

    # -- capacities

    def _plane(self, name):
        if name not in self._caps:
            self._caps[name] = np.zeros(self._shape, self._dtype)
        return self._caps[name]

    def _check_ids(self, nodeids):
        nodeids = np.asarray(nodeids)
        if self._shape is None:
            raise ValueError("tilecut.maxflow: there are no nodes yet")
        if nodeids.size and (nodeids.min() < 0 or nodeids.max() >= self._shape[0] * self._shape[1]):
            raise ValueError("tilecut.maxflow: a node that was not added")
        return nodeids

    def _is_whole(self, ids):
        """Whether these are all nodes of the grid in their order, so that planes can be added as they are."""
        return ids.shape == self._shape and bool((ids.ravel() == np.arange(ids.size)).all())

    def add_tedge(self, i, cap_source, cap_sink):
        self.add_grid_tedges(np.asarray([i]), cap_source, cap_sink)

    def add_grid_tedges(self, nodeids, sourcecaps, sinkcaps):
        """Links of these nodes to source and sink; given again, they add up."""
        nodeids = self._check_ids(nodeids)
        for name, caps in (("source", sourcecaps), ("sink", sinkcaps)):
            if self._is_whole(nodeids):
                self._plane(name)[...] += np.asarray(caps, self._dtype)
                continue
            np.add.at(self._plane(name).reshape(-1), nodeids.ravel(),
                      np.broadcast_to(np.asarray(caps, self._dtype), nodeids.shape).ravel())

    def add_edge(self, i, j, cap, rcap):
        """A link i -> j of capacity cap, and j -> i of rcap, between neighbours of the grid or chain."""
        self._check_ids([i, j])
        (y, x), (v, u) = divmod(int(i), self._shape[1]), divmod(int(j), self._shape[1])
        if (v - y, u - x) in _FORWARD:
            there, back = _FORWARD[v - y, u - x]
            self._plane(there)[y, x] += cap
            self._plane(back)[y, x] += rcap
        elif (y - v, x - u) in _FORWARD:
            self.add_edge(j, i, rcap, cap)
        else:
            raise NotImplementedError(f"tilecut.maxflow: an edge between the nodes {i} and {j}, which are no neighbours of "
                                      "the grid; graphs of any shape are not there yet")

    def add_edges(self, i, j, cap, rcap):
        i, j, cap, rcap = np.broadcast_arrays(i, j, cap, rcap)
        for edge in zip(i.ravel(), j.ravel(), cap.ravel(), rcap.ravel()):
            self.add_edge(*edge)

    def add_grid_edges(self, nodeids, weights=1, structure=None, symmetric=False, periodic=False):
        """Links from each of these nodes to the neighbours that `structure` names, 3 x 3 of factors; None: the four.

        weights    of the links that leave a node, a number or an array as large as nodeids
        symmetric  the links back have the same capacity; else `structure` names both ways
        """
        if np.any(periodic):
            raise NotImplementedError("tilecut.maxflow: periodic grids are not there")
        nodeids = self._check_ids(nodeids)
        ids = nodeids if nodeids.ndim == 2 else nodeids.reshape(1, -1)
        weights = np.broadcast_to(np.asarray(weights, self._dtype), nodeids.shape).reshape(ids.shape)
        if structure is None:
            structure, symmetric = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]), False
        factors = np.asarray(structure)
        factors = factors.reshape((1,) * (2 - factors.ndim) + factors.shape)
        if factors.shape[0] > 3 or factors.shape[1] > 3 or factors.shape[0] % 2 == 0 or factors.shape[1] % 2 == 0:
            raise NotImplementedError(f"tilecut.maxflow: a structure of {factors.shape}; at most 3 x 3, of odd sides")
        for (row, column), factor in np.ndenumerate(factors):
            step = (row - factors.shape[0] // 2, column - factors.shape[1] // 2)
            if factor and step != (0, 0):
                self._link(ids, step, self._dtype(factor) * weights, symmetric)

    def _link(self, ids, step, weights, symmetric):
        dy, dx = step
        y0, y1 = max(0, -dy), ids.shape[0] - max(0, dy)
        x0, x1 = max(0, -dx), ids.shape[1] - max(0, dx)
        if y0 >= y1 or x0 >= x1:
            return
        if self._is_whole(ids):
            self._add(step, np.s_[y0:y1, x0:x1], np.s_[y0 + dy:y1 + dy, x0 + dx:x1 + dx], weights[y0:y1, x0:x1], symmetric)
            return
        begin, end = ids[y0:y1, x0:x1].ravel(), ids[y0 + dy:y1 + dy, x0 + dx:x1 + dx].ravel()
        caps = weights[y0:y1, x0:x1].ravel()
        width = self._shape[1]
        steps = np.stack([end // width - begin // width, end % width - begin % width])
        if (steps != steps[:, :1]).any():
            raise NotImplementedError("tilecut.maxflow: an edge between nodes that are no neighbours of the grid; graphs of "
                                      "any shape are not there yet")
        step = (int(steps[0, 0]), int(steps[1, 0]))
        self._add(step, np.divmod(begin, width), np.divmod(end, width), caps, symmetric)

    def _add(self, step, begin, end, caps, symmetric):
        """Adds capacities from nodes to those one step further; a link back stands where its forward one begins."""
        forward = step in _FORWARD
        names = _FORWARD.get(step) or _FORWARD.get((-step[0], -step[1]))
        if names is None:
            raise NotImplementedError("tilecut.maxflow: an edge between nodes that are no neighbours of the grid; graphs of "
                                      "any shape are not there yet")
        at = begin if forward else end
        there, back = names if forward else names[::-1]
        for name in (there, back) if symmetric else (there,):
            plane = self._plane(name)
            if isinstance(at[0], slice):
                plane[at] += caps
            else:
                np.add.at(plane, at, caps)

    # -- solving

    def _scale(self):
        """What capacities are multiplied with so that they are whole: a power of two; 1 where they are whole already."""
        planes = list(self._caps.values())
        if any((p < 0).any() for p in planes):
            raise ValueError("tilecut.maxflow: a capacity below 0")
        if self._dtype is int or all((p == np.rint(p)).all() and p.max() < 1 << 20 for p in planes):
            return 1.0
        most = max(float(sum(np.abs(p) for name, p in self._caps.items() if name not in ("source", "sink")).max()
                         if len(planes) > 2 else 0), *(float(p.max()) for p in planes))
        return 2.0 ** np.floor(np.log2(((1 << 21) - 1) / most)) if most > 0 else 1.0

    def maxflow(self, reuse_trees=False):
        """Solves; the flow."""
        if self._shape is None:
            return 0
        scale = self._scale()
        settled = 0
        zeros = np.zeros(self._shape, np.int32)
        planes = {}
        for name, plane in self._caps.items():
            whole = plane if self._dtype is int else np.rint(plane * scale)
            planes[name] = whole.astype(np.int64)
        if "source" in planes and "sink" in planes:  # what goes straight through needs no solver
            straight = np.minimum(planes["source"], planes["sink"])
            settled = int(straight.sum())
            planes["source"], planes["sink"] = planes["source"] - straight, planes["sink"] - straight
        # A terminal beyond all links of its node binds it as well as an infinite one.
        links = [name for pair in _FORWARD.values() for name in pair if name in planes]
        room = self._node_sum(planes, links)
        for name in ("source", "sink"):
            if name in planes:
                planes[name] = np.minimum(planes[name], room + 1)
        if any(p.max(initial=0) > _MOST for p in planes.values()):
            raise ValueError(f"tilecut.maxflow: a capacity above {_MOST}; scale them down, or use Graph[float]")
        arguments = {name: plane.astype(np.int32) for name, plane in planes.items()}
        for there, back in _FORWARD.values():
            if there in arguments or back in arguments or there in ("right", "down"):
                arguments.setdefault(there, zeros)
                arguments.setdefault(back, zeros)
        if "down_right" in arguments or "down_left" in arguments:
            for name in ("down_right", "up_left", "down_left", "up_right"):
                arguments.setdefault(name, zeros)
        arguments.setdefault("source", zeros)
        arguments.setdefault("sink", zeros)
        with _Grid(**arguments) as grid:
            result = grid.solve()
        self._mask = result.mask
        flow = (result.flow + settled) / scale
        self._flow = int(flow) if self._dtype is int else float(flow)
        return self._flow

    def _node_sum(self, planes, links):
        total = np.zeros(self._shape, np.int64)
        for (dy, dx), pair in _FORWARD.items():
            for name in pair:
                if name in links:
                    total += planes[name]
                    shifted = np.zeros_like(total)
                    source = planes[name][:self._shape[0] - dy, max(0, -dx):self._shape[1] - max(0, dx)]
                    shifted[dy:, max(0, dx):self._shape[1] - max(0, -dx)] = source
                    total += shifted
        return total

    def get_segment(self, i):
        """0: the source's side, 1: the sink's."""
        return int(self.get_grid_segments(np.asarray([i]))[0])

    def get_grid_segments(self, nodeids):
        """True where a node is on the sink's side."""
        if self._mask is None:
            raise ValueError("tilecut.maxflow: maxflow() comes first")
        return np.asarray(self._mask).reshape(-1)[self._check_ids(nodeids)] == 0

    def get_node_count(self):
        return 0 if self._shape is None else self._shape[0] * self._shape[1]

    get_node_num = get_node_count

    def reset(self):
        self.__init__()


class GraphInt(_Graph):
    _dtype = int


class GraphFloat(_Graph):
    _dtype = float


class _ByType(dict):
    def __missing__(self, key):
        raise TypeError("Graph[int] and Graph[float] are right")


Graph = _ByType({int: GraphInt, float: GraphFloat})


def moore_structure(ndim=2, directed=False):
    """3 x 3 of ones around the middle: 8 neighbours."""
    if ndim != 2:
        raise NotImplementedError("tilecut.maxflow: grids have 2 dimensions")
    out = np.ones((3, 3), int)
    out[1, 1] = 0
    if directed:
        out[0], out[1, 0] = 0, 0
    return out


def vonNeumann_structure(ndim=2, directed=False):
    """3 x 3 with the four direct neighbours."""
    out = moore_structure(ndim, directed)
    out[::2, ::2] = 0
    return out
