# SPDX-License-Identifier: MIT
"""Solvers for tilecut.maxflow: those for grids take planes of capacities, those for graphs of any shape take arcs."""
from __future__ import annotations

from collections import Counter
from typing import Any, Dict, Optional, Tuple

import numpy as np

from . import network as _network
from ._grid import maxflow_grid
from ._volume import maxflow_volume

# The links in solvers for grids: each forward step along the axes, with the names of the link and its reverse.
NAMES: Dict[int, Dict[Tuple[int, ...], Tuple[str, str]]] = {
    2: {(0, 1): ("right", "left"), (1, 0): ("down", "up"), (1, 1): ("down_right", "up_left"),
        (1, -1): ("down_left", "up_right")},
    3: {(0, 0, 1): ("right", "left"), (0, 1, 0): ("down", "up"), (1, 0, 0): ("back", "front")},
}
_DIAGONAL = ((1, 1), (1, -1))
_LIMIT = 1 << 24  # the capacities at a node of a grid have a smaller sum than this
MOST = (1 << 63) - 1


def link_ends(shape: Any, step: Any) -> Tuple[Any, Any]:
    """The nodes where links of that step begin, and where they end."""
    begin = tuple(slice(max(0, -d), max(0, n - max(0, d))) for n, d in zip(shape, step))
    end = tuple(slice(min(n, max(0, d)), max(0, n - max(0, -d))) for n, d in zip(shape, step))
    return begin, end


def back_of(step: Any) -> Any:
    return tuple(-d for d in step)


def in_order(ids: Any) -> bool:
    """True if an array is 0, 1, 2, ...; compared in blocks that fit the cache."""
    flat, block = ids.reshape(-1), np.arange(min(ids.size, 1 << 14))
    return all(np.array_equal(part - at, block[:part.size])
               for at in range(0, flat.size, 1 << 14) for part in (flat[at:at + (1 << 14)],))


def fit(least: int, most: int) -> None:
    """Refuses numbers beyond 64 bits, because NumPy would drop their upper bits."""
    if least < -MOST or most > MOST:
        raise ValueError(f"tilecut.maxflow: a capacity of {most if most > MOST else least}; Graph[int] holds 64 bits")


def add_at(to: Any, at: Any, caps: Any) -> None:
    """Does to[at] += caps, where `at` may contain a number more than once. Refuses sums beyond 64 bits."""
    once = isinstance(at, slice) or isinstance(at[0], slice)
    there = to[at] if to.dtype.kind == "i" else caps[:0]
    if there.size == 1 and caps.size == 1:
        fit(there.item() + caps.item(), there.item() + caps.item())
    elif there.size:
        most = max(int(there.max()), int(caps.max()), -int(there.min()), -int(caps.min()))
        if most * (2 if once else 1 + caps.size) > MOST:  # rare, so it may be slow
            summed = to.astype(object)
            np.add.at(summed, at, caps.astype(object))
            fit(summed.min(), summed.max())
    if once:
        to[at] += caps
    else:
        np.add.at(to, at, caps)


def total(caps: Any) -> Any:
    """The sum; exact for whole numbers, also beyond 64 bits."""
    if caps.dtype.kind == "f":
        return caps.sum()
    large = float(np.abs(caps).sum(dtype=np.float64)) >= 2.0 ** 62
    return sum(caps.ravel().tolist()) if large else int(caps.sum())


def straight(source: Any, sink: Any) -> Any:
    """Returns the terminals' capacities without the flow that goes straight from source to sink, and that flow."""
    both = np.minimum(source, sink)
    if both.dtype.kind == "i" and both.min(initial=0) < 0:
        apart = np.maximum(source, sink).astype(np.float64) - both
        if apart.max(initial=0) >= 2.0 ** 63:
            raise ValueError("tilecut.maxflow: capacities of source and sink at a node are further apart than 64 bits hold")
    return source - both, sink - both, total(both)


def _node_sum(shape: Any, planes: Any) -> Any:
    """The sum of the capacities of all links at a node, in both directions."""
    total = np.zeros(shape, np.float64 if any(p.dtype.kind == "f" for p in planes.values()) else np.int64)
    for step, plane in planes.items():
        begin, end = link_ends(shape, step if step in NAMES[len(step)] else back_of(step))
        total[begin] += plane[begin]
        total[end] += plane[begin]
    return total


def solve_grid(shape: Any, source: Any, sink: Any, planes: Any) -> Any:
    """The flow and the nodes on the sink's side; None if the capacities are too large for the solvers for grids."""
    source, sink = source.reshape(shape), sink.reshape(shape)
    settled: Any = 0
    greatest = [p.max(initial=0).item() for p in (source, sink, *planes.values())]
    most = max(greatest[:2]) + 2 * sum(greatest[2:])
    whole = source.dtype.kind == "i" or all((p == np.rint(p)).all() for p in (source, sink, *planes.values()))
    scale = 1.0
    if most >= _LIMIT or not whole:
        # Flow straight through a node needs no solver, and a link larger than the whole supply or demand is never full.
        source, sink, settled = straight(source, sink)
        enough = _above(min(total(source), total(sink)))
        if source.dtype.kind == "i":
            enough = np.int64(min(enough, MOST))
            if 2 * sum(min(most, int(enough)) for most in greatest[2:]) >= MOST // 2:
                return None
        planes = {step: np.minimum(plane, enough) for step, plane in planes.items()}
        room = _node_sum(shape, planes)
        source, sink = _bound(source, sink, room)
        load = (room + np.maximum(source, sink)).max(initial=0)
        if not whole and load > 0:
            scale = _power(np.log2(_LIMIT - 64) - np.log2(load))
            source, sink = np.rint(source * scale), np.rint(sink * scale)
            planes = {step: np.rint(plane * scale) for step, plane in planes.items()}
        elif load >= _LIMIT:
            return None
    mask, flow = _call_grid(shape, source, sink, planes)
    return settled + (flow if source.dtype.kind == "i" else flow / scale), mask.reshape(-1) == 0


def _power(exponent: Any) -> Any:
    """The largest power of two that is not above, within float64: capacities below 1e-300 may become 0."""
    return 2.0 ** min(np.floor(exponent), 1023)


def _call_grid(shape: Any, source: Any, sink: Any, planes: Any) -> Any:
    names = NAMES[len(shape)]
    zeros = None
    arguments = {}
    eight = any(each in planes for step in _DIAGONAL for each in (step, back_of(step)))
    for step, (there, back) in names.items():
        if step in _DIAGONAL and not eight:
            continue
        for each, name in ((step, there), (back_of(step), back)):
            plane = planes.get(each)
            if name == back and plane is not None and plane is planes.get(step):
                continue  # as much as forward
            if plane is None:
                plane = zeros = np.zeros(shape, np.int32) if zeros is None else zeros
            arguments[name] = plane.astype(np.int32, copy=False)
    solve: Any = maxflow_grid if len(shape) == 2 else maxflow_volume
    result = solve(source.astype(np.int32, copy=False), sink.astype(np.int32, copy=False), **arguments)
    return np.asarray(result.mask), result.flow


def _above(most: Any) -> Any:
    """A little more than a capacity, so that a link never fills if it carries no more than that."""
    return most + 1 if isinstance(most, (int, np.integer)) else 2 * most if most > 0 else np.inf


def _bound(source: Any, sink: Any, room: Any) -> Any:
    """Lowers terminals that exceed the sum of their node's links to just above it, which has the same effect. Terminals
    of nodes without links are lowered to the size of the others."""
    if source.dtype.kind == "i":
        return np.minimum(source, room + 1), np.minimum(sink, room + 1)
    beyond = np.maximum(2 * room, room.max(initial=0) or np.inf)
    return np.minimum(source, beyond), np.minimum(sink, beyond)


def solve_arcs(arcs: Any, source: Any, sink: Any, fractions: bool, carried: bool = False) -> Any:
    """The flow and the nodes on the sink's side, by the solvers for graphs of any shape. No node has both terminals.
    carried: also the arcs' tails, heads and flows, and the unit to which capacities were rounded."""
    count = source.size
    tails, heads, caps = ([part] for part in arcs)
    for at, terminal_caps in ((0, source), (1, sink)):
        nodes = np.flatnonzero(terminal_caps)
        terminal = np.full(nodes.size, count + at)
        tails, heads = tails + [nodes if at else terminal], heads + [terminal if at else nodes]
        caps.append(terminal_caps[nodes])
    tail, head, cap = (np.concatenate(parts) for parts in (tails, heads, caps))
    some = cap > 0
    tail, head, cap = tail[some].astype(np.int32), head[some].astype(np.int32), cap[some]
    scale = 1.0
    if fractions:
        cap, scale = _whole_numbers(tail, head, cap, count)
    flow = _network.maximum_flow((tail, head, cap), count, count + 1, nodes=count + 2, flows=carried)
    answer = flow.flow / scale if fractions else flow.flow, np.asarray(flow.side)[:-2] == 0
    if not carried:
        return answer
    much = np.asarray(flow.flows)
    return (*answer, (tail, head, much / scale if fractions else much, 1 / scale if fractions else 0))


def _whole_numbers(tail: Any, head: Any, caps: Any, nodes: int) -> Any:
    """Rounds capacities of arcs times a power of two; returns that power, too. The terminals are the last two nodes."""
    of_source, of_sink = tail == nodes, head == nodes + 1
    inner = ~(of_source | of_sink)
    room: Any = sum(np.bincount(ends[inner], caps[inner], nodes + 2) for ends in (tail, head))
    caps = caps.copy()
    for these, at in ((of_source, head), (of_sink, tail)):
        caps[these] = _bound(caps[these], caps[these], room[at[these]])[0]
    given, taken = float(caps[of_source].sum()), float(caps[of_sink].sum())
    caps[inner] = np.minimum(caps[inner], _above(min(given, taken)))
    most = max(float(caps.max(initial=0)) * 2.0 ** 9, given, taken)
    scale = _power(61 - np.log2(most)) if most > 0 else 1.0
    return np.rint(caps * scale).astype(np.int64), scale


def drawn(arcs: Any, source: Any, sink: Any, flow: Optional[Any], on_sink: Optional[Any]) -> Any:
    """A networkx.DiGraph of the links that are not full; slow, to inspect small graphs.

    arcs     from, to, capacity
    flow     as of solve_arcs(): tails, heads, flows, with the terminals as the last nodes, and the unit. None: no flow
    on_sink  the nodes on the sink's side, for their attribute "segment"; None without a flow
    """
    import networkx
    count = source.size
    left: Dict[Any, Any] = {}
    for tail, head, cap in zip(*(a.tolist() for a in arcs)):
        left[tail, head] = left.get((tail, head), 0) + cap
    for i, (out, into) in enumerate(zip(source.tolist(), sink.tolist())):
        if out != into:
            left[("s", i) if out > into else (i, "t")] = abs(out - into)
    side_by_side: Any = Counter()
    if flow is not None:
        for tail, head, much in zip(*(a.tolist() for a in flow[:3])):
            way = ("s" if tail == count else tail, "t" if head == count + 1 else head)
            left[way] -= much
            side_by_side[way] += 1
            if "s" not in way and "t" not in way:
                left[head, tail] = left.get((head, tail), 0) + much
    graph = networkx.DiGraph()
    graph.add_nodes_from([*range(count), "s", "t"])
    for (tail, head), cap in left.items():
        # a full link has nothing left, whatever rounding says
        if cap > (flow[3] * side_by_side[tail, head] if flow is not None else 0):
            graph.add_edge(tail, head, weight=cap)
    if on_sink is not None:
        networkx.set_node_attributes(graph, dict(enumerate(on_sink.astype(int).tolist())), "segment")
    return graph
