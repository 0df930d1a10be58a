# SPDX-License-Identifier: MIT
"""PyMaxflow's interface maxflow.fastmin: labels for the pixels of a grid, by alpha-expansion and alpha-beta-swap.

    labels = tilecut.maxflow.fastmin.aexpansion_grid(D, V)

The energy is the sum of D[p, label of p] over all pixels and of V[label of p, label of q] over all pairs of neighbours,
p before q. Each move is a minimum cut, so it is the best of its kind; the final labeling need not be the best of all.
aexpansion_grid() is tilecut.solve_labels() if V is a Potts model and the grid has up to three axes; otherwise moves are
made one by one.
"""
from __future__ import annotations

import itertools
from typing import Any, Optional

import numpy as np

from ._grid import BACK, maxflow_grid
from ._labels import solve_labels
from ._volume import maxflow_volume


def energy_of_grid_labeling(D: Any, V: Any, labels: Any) -> Any:
    """The energy of that labeling. Arguments as of aexpansion_grid()."""
    D, V = _given(D, V)
    labels = np.asarray(labels)
    pairs = sum(V[here, there].sum() for here, there in (_ends(labels, axis) for axis in range(labels.ndim)))
    return np.take_along_axis(D, labels[..., None].astype(np.int64), -1).sum() + pairs


def aexpansion_grid(D: Any, V: Any, max_cycles: Optional[int] = None, labels: Any = None) -> Any:
    """Finds labels of low energy: no move of any pixels to one label makes it lower.

    D           (..., L): the cost of each label at each pixel; infinity where it is forbidden
    V           (L, L): the cost of two labels at neighbours, a metric
    max_cycles  how many times all labels are tried; None: until nothing changes
    labels      initial labels, changed in place; None: the cheapest at each pixel

    Raises ValueError for other shapes, and if V is not a metric.
    """
    D, V = _given(D, V)
    if labels is None and max_cycles is None and (found := _potts(D, V)) is not None:
        return found
    moves = [lambda now, a=a: (now, np.full(now.shape, a)) for a in range(D.shape[-1])]
    return _descend(D, V, moves, max_cycles, labels)


def abswap_grid(D: Any, V: Any, max_cycles: Optional[int] = None, labels: Any = None) -> Any:
    """Finds labels of low energy: no exchange of two labels at any pixels makes it lower. Arguments as of
    aexpansion_grid(); V need only fulfil V[a, a] + V[b, b] <= V[a, b] + V[b, a]."""
    D, V = _given(D, V)
    moves = [lambda now, a=a, b=b: (np.where(now == b, a, now), np.where(now == a, b, now))
             for a, b in itertools.combinations(range(D.shape[-1]), 2)]
    return _descend(D, V, moves, max_cycles, labels)


def _given(D: Any, V: Any) -> Any:
    D, V = np.asarray(D, np.float64), np.asarray(V, np.float64)
    if D.ndim < 2 or V.shape != (D.shape[-1],) * 2:
        raise ValueError(f"tilecut.maxflow: D has the shape {D.shape} and V {V.shape}; (..., labels) and (labels, labels) are "
                         "right")
    if np.isnan(D).any() or not np.isfinite(V).all():
        raise ValueError("tilecut.maxflow: a cost that is no number; only those in D may be infinite")
    return D, V


def _potts(D: Any, V: Any) -> Any:
    """Labels by all moves at once; None if V is not a Potts model or tilecut_labels.h has no such grid. A label that
    exceeds the cheapest by more than all links of its pixel is never chosen, whatever its cost."""
    count, axes, shape = D.shape[-1], D.ndim - 1, D.shape[:-1]
    apart = V[0, -1] - V[0, 0]
    if not (2 <= count <= 255 and axes <= 3 and D.size and apart > 0) or (V - V[0, 0] != apart * (1 - np.eye(count))).any():
        return None
    scale = 2.0 ** np.floor(20 - np.log2(2 * axes * apart))
    with np.errstate(invalid="ignore"):
        costs = np.nan_to_num(np.rint((D - D.min(-1, keepdims=True)) * scale), posinf=np.inf)
    costs = np.moveaxis(np.minimum(costs, 2 ** 21), -1, 0).reshape((count,) + (shape if axes > 1 else (1,) + shape))
    links = [np.full(costs.shape[1:], np.rint(apart * scale), np.int32)] * max(axes, 2)
    found = solve_labels(costs.astype(np.int32), links, bound_rounds=-1).labels.reshape(shape)
    return found.astype(np.int8 if count <= 127 else np.int64)


def _ends(array: Any, axis: int) -> Any:
    """Two views of an array: all pixels with a next one along the axis, and those next pixels."""
    at = [slice(None)] * array.ndim
    first, second = list(at), list(at)
    first[axis], second[axis] = slice(None, -1), slice(1, None)
    return array[tuple(first)], array[tuple(second)]


def _descend(D: Any, V: Any, moves: Any, max_cycles: Optional[int], labels: Any) -> Any:
    if labels is None:
        labels = D.argmin(-1).astype(np.int8 if D.shape[-1] <= 127 else np.int64)
    if labels.shape != D.shape[:-1]:
        raise ValueError(f"tilecut.maxflow: labels have the shape {labels.shape} but D {D.shape}")
    best, in_vain = energy_of_grid_labeling(D, V, labels), 0
    for number, move in enumerate(itertools.cycle(moves)):
        if in_vain == len(moves) or (max_cycles is not None and number == max_cycles * len(moves)):
            break
        moved = _best_move(D, V, *move(labels))
        energy = energy_of_grid_labeling(D, V, moved)
        in_vain = 1 if energy < best else in_vain + 1  # repeating the move would change nothing
        if energy < best:
            labels[...], best = moved, energy
    return labels


def _best_move(D: Any, V: Any, zero: Any, one: Any) -> Any:
    """The cheapest labeling with the label of `zero` or of `one` at each pixel, by one cut; `one` is the sink's side. A
    pair with costs by (p, q) has a link of c01 + c10 - c00 - c11, which must not be negative."""
    at_one, at_zero = (np.where(zero == one, 0, np.take_along_axis(D, labels[..., None].astype(np.int64), -1)[..., 0])
                       for labels in (one, zero))
    links = []
    for axis in range(zero.ndim):
        (p0, q0), (p1, q1) = _ends(zero, axis), _ends(one, axis)
        link = V[p0, q1] + V[p1, q0] - V[p0, q0] - V[p1, q1]
        if link.min(initial=0) < -1e-9 * np.abs(V).max(initial=0):
            raise ValueError("tilecut.maxflow: V is no metric; a move that cuts can find needs one")
        first, second = _ends(at_one, axis)
        first += V[p1, q0] - V[p0, q0]
        second += V[p1, q1] - V[p1, q0]
        links.append(np.maximum(link, 0))
    return np.where(_on_sink_side(at_one, at_zero, links), one, zero)


_TO = {1: ("right",), 2: ("down", "right"), 3: ("back", "down", "right")}


def _on_sink_side(source: Any, sink: Any, links: list) -> Any:
    """The cut of a grid with `links` along each axis, from a pixel to the next: true on the sink's side, which is as
    small as possible."""
    if not 1 <= source.ndim <= 3 or not source.size:
        return _on_sink_side_of_graph(source, sink, links)
    most = max(2.0, 2 * sum(link.max(initial=0) for link in links))
    scale = 2.0 ** np.floor(22 - np.log2(most))  # sums at a pixel of a grid must be below 2**24
    arrays, total = {}, np.ones(source.shape)  # a limit for terminals: the links of a pixel, plus 1
    for axis, (name, link) in enumerate(zip(_TO[source.ndim], links)):
        arrays[name] = np.zeros(source.shape, np.int32)
        arrays[BACK[name]] = np.zeros(source.shape, np.int32)
        for end in (_ends(arrays[name], axis)[0], *_ends(total, axis)):
            end += np.rint(link * scale).astype(end.dtype)
    with np.errstate(invalid="ignore"):
        lean = np.clip(np.nan_to_num(np.rint((source - sink) * scale), posinf=np.inf, neginf=-np.inf), -total, total)
    arrays["source"], arrays["sink"] = (np.maximum(each, 0).astype(np.int32) for each in (lean, -lean))
    if source.ndim == 3:
        return maxflow_volume(**arrays).mask == 0
    if source.ndim == 1:
        arrays = {name: each[None] for name, each in arrays.items()}
        arrays["down"] = np.zeros_like(arrays["right"])
    return maxflow_grid(**arrays).mask.reshape(source.shape) == 0


def _on_sink_side_of_graph(source: Any, sink: Any, links: list) -> Any:
    from .maxflow import GraphFloat

    graph = GraphFloat()
    ids = graph.add_grid_nodes(source.shape)
    for axis, link in enumerate(links):
        begin, end = _ends(ids, axis)
        graph.add_edges(begin, end, link, 0)
    graph.add_grid_tedges(ids, source, sink)
    graph.maxflow()
    return graph.get_grid_segments(ids)
