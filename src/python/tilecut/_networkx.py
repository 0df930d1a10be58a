# SPDX-License-Identifier: MIT
"""A graph of tilecut.maxflow for networkx: its capacities, or what a flow leaves of them. Slow, for looking at small graphs."""
from __future__ import annotations

from collections import Counter
from typing import Any, Dict, Optional


def drawn(arcs: Any, source: Any, sink: Any, flow: Optional[Any], on_sink: Optional[Any]) -> Any:
    """A networkx.DiGraph of the links that are not full.

    arcs     from, to, capacity
    flow     as of solve_arcs(): from, to, how much, where the terminals are the last two nodes; and the grain to which
             capacities were rounded. None: no flow
    on_sink  which nodes are on the sink's side, for their attribute "segment"; None without a flow
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
        # What rounding left of a full link is none.
        if cap > (flow[3] * side_by_side[tail, head] if flow is not None else 0):
            graph.add_edge(tail, head, weight=cap)
    if on_sink is not None:
        networkx.set_node_attributes(graph, dict(enumerate(on_sink.astype(int).tolist())), "segment")
    return graph
