# SPDX-License-Identifier: MIT
"""The interface of PyMaxflow's maxflow.fastmin: labels for the pixels of a grid, by alpha-expansion and alpha-beta-swap.

    labels = tilecut.maxflow.fastmin.aexpansion_grid(D, V)

The energy is the sum of D[p, label of p] over all pixels and of V[label of p, label of q] over all pairs of direct neighbours,
p before q. Each move is a minimum cut, so none of its kind is better; of all labelings the last one need not be the best.
"""
from __future__ import annotations

import itertools
from typing import Any, Optional

import numpy as np


def energy_of_grid_labeling(D: Any, V: Any, labels: Any) -> Any:
    """What that labeling costs. Arguments as of aexpansion_grid()."""
    D, V = _given(D, V)
    labels = np.asarray(labels)
    pairs = sum(V[here, there].sum() for here, there in (_ends(labels, axis) for axis in range(labels.ndim)))
    return np.take_along_axis(D, labels[..., None].astype(np.int64), -1).sum() + pairs


def aexpansion_grid(D: Any, V: Any, max_cycles: Optional[int] = None, labels: Any = None) -> Any:
    """Labels that no move of any number of pixels to one label makes cheaper.

    D           (..., L): what each label costs at each pixel; infinity where it is forbidden
    V           (L, L): what two labels cost side by side, a metric
    max_cycles  how many times all labels are tried; None: until nothing changes
    labels      those to begin with, changed in place; None: the cheapest at each pixel

    Raises ValueError for other shapes, and where V is no metric.
    """
    D, V = _given(D, V)
    moves = [lambda now, a=a: (now, np.full(now.shape, a)) for a in range(D.shape[-1])]
    return _descend(D, V, moves, max_cycles, labels)


def abswap_grid(D: Any, V: Any, max_cycles: Optional[int] = None, labels: Any = None) -> Any:
    """Labels that no exchange of two labels between any pixels makes cheaper. Arguments as of aexpansion_grid(); of V it is
    enough that V[a, a] + V[b, b] <= V[a, b] + V[b, a]."""
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


def _ends(array: Any, axis: int) -> Any:
    """Views of an array: all pixels that have a next one along the axis, and those next ones."""
    at = [slice(None)] * array.ndim
    first, second = list(at), list(at)
    first[axis], second[axis] = slice(None, -1), slice(1, None)
    return array[tuple(first)], array[tuple(second)]


def _descend(D: Any, V: Any, moves: Any, max_cycles: Optional[int], labels: Any) -> Any:
    if labels is None:
        labels = D.argmin(-1).astype(np.int8 if D.shape[-1] <= 127 else np.int64)
    if labels.shape != D.shape[:-1]:
        raise ValueError(f"tilecut.maxflow: labels have the shape {labels.shape} but D {D.shape}")
    best, cycles = energy_of_grid_labeling(D, V, labels), itertools.count() if max_cycles is None else range(max_cycles)
    for _ in cycles:
        before = best
        for move in moves:
            moved = _best_move(D, V, *move(labels))
            energy = energy_of_grid_labeling(D, V, moved)
            if energy < best:
                labels[...], best = moved, energy
        if best >= before:
            break
    return labels


def _best_move(D: Any, V: Any, zero: Any, one: Any) -> Any:
    """The cheapest labeling that has at each pixel the label of `zero` or of `one`, by one cut: the latter are on the sink's
    side. A pair with costs by (p, q) has a link of c01 + c10 - c00 - c11, which may not be below 0."""
    from .maxflow import GraphFloat

    graph = GraphFloat()
    ids = graph.add_grid_nodes(zero.shape)
    at_one, at_zero = (np.where(zero == one, 0, np.take_along_axis(D, labels[..., None].astype(np.int64), -1)[..., 0])
                       for labels in (one, zero))
    for axis in range(zero.ndim):
        (p0, q0), (p1, q1) = _ends(zero, axis), _ends(one, axis)
        link = V[p0, q1] + V[p1, q0] - V[p0, q0] - V[p1, q1]
        if link.min(initial=0) < -1e-9 * np.abs(V).max(initial=0):
            raise ValueError("tilecut.maxflow: V is no metric; a move that cuts can find needs one")
        first, second = _ends(at_one, axis)
        first += V[p1, q0] - V[p0, q0]
        second += V[p1, q1] - V[p1, q0]
        begin, end = _ends(ids, axis)
        graph.add_edges(begin, end, np.maximum(link, 0), 0)
    graph.add_grid_tedges(ids, at_one, at_zero)
    graph.maxflow()
    return np.where(graph.get_grid_segments(ids), one, zero)
