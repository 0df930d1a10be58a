# SPDX-License-Identifier: MIT
"""The interface of numpymaxflow on tilecut's solvers: `import tilecut.numpymaxflow as numpymaxflow`.

    label = numpymaxflow.maxflow(image, prob, lamda, sigma)

The label minimises, over all labels of 0 and 1,

    sum_p -log P_p(L_p)  +  lamda * sum_{p~q} exp(-|I_p - I_q|^2 / (2 sigma^2)) * [L_p != L_q]

where a probability below 2^-23 is raised to that, and every term is rounded to a multiple of a power of two so small
that sums are exact (at most 2^-23 of the largest sum at a pixel). Logarithm and exponential are NumPy's. Of several
minima it is the one with the most ones, as in the original. With connectivity 8 the original links one of the two
diagonals, and this function both. Volumes have 6 neighbours.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from ._grid import maxflow_grid
from ._volume import maxflow_volume
from .maxflow import link_ends

_LEAST = np.float32(2.0 ** -23)
_STEPS: Any = {4: {"right": (0, 1), "down": (1, 0)},
          8: {"right": (0, 1), "down": (1, 0), "down_right": (1, 1), "down_left": (1, -1)},
          6: {"right": (0, 0, 1), "down": (0, 1, 0), "back": (1, 0, 0)}}


def maxflow(image: Any, prob: Any, lamda: float, sigma: float, connectivity: int = 0) -> Any:
    """The label of least energy for an image or a volume.

    image         (channels, height, width) or (channels, depth, height, width), numbers
    prob          (2, height, width) or (2, depth, height, width): the probability of background, then of foreground
    lamda         weight of the links, 0 or more
    sigma         contrast scale in the units of the image, above 0
    connectivity  4 or 8 neighbours, 6 in a volume; 0: 4 and 6

    Returns float32, 1 foreground and 0 background, (1, height, width) or (1, depth, height, width) as the original.
    Raises ValueError for other shapes and values.
    """
    image, prob = np.asarray(image, np.float32), np.asarray(prob, np.float32)
    if image.ndim not in (3, 4) or prob.shape != (2,) + image.shape[1:]:
        raise ValueError(f"image has the shape {image.shape} and prob {prob.shape}; (channels, height, width) and "
                         "(2, height, width) are right, with a depth before the height in volumes")
    if not (np.isfinite(lamda) and lamda >= 0 and np.isfinite(sigma) and sigma > 0):
        raise ValueError(f"lamda is {lamda} and sigma {sigma}; 0 or more and above 0 are right")
    wanted = (4, 8) if image.ndim == 3 else (6,)
    connectivity = connectivity or wanted[0]
    if connectivity not in wanted:
        raise ValueError(f"connectivity is {connectivity}; {' or '.join(map(str, wanted))} is right")
    if not (np.isfinite(image).all() and np.isfinite(prob).all()):
        raise ValueError("image or prob holds something that is no finite number")
    source, sink = (-np.log(np.maximum(prob, _LEAST)).astype(np.float64))
    links = {name: _weights(image, step, lamda, sigma) for name, step in _STEPS[connectivity].items()}
    # A cost that both labels share does not affect the choice. A link above the total cost of a label is never cut, so
    # it is lowered to that; otherwise a large lamda would leave too few bits for the other terms.
    both = np.minimum(source, sink)
    source, sink = source - both, sink - both
    most = min(source.sum(), sink.sum())
    links = {name: np.minimum(plane, 2 * most) for name, plane in links.items()}
    unit = _unit(source, sink, links)
    planes = {name: np.rint(plane / unit).astype(np.int32) for name, plane in links.items()}
    solve: Any = maxflow_grid if image.ndim == 3 else maxflow_volume
    result = solve(np.rint(source / unit).astype(np.int32), np.rint(sink / unit).astype(np.int32), **planes)
    return (np.asarray(result.mask) == 255).astype(np.float32)[None]


def maxflow_interactive(image: Any, prob: Any, seed: Any, lamda: float, sigma: float, connectivity: int = 0) -> Any:
    """maxflow() with seeds in the shape of prob: background, then foreground, where they are above 0. There the
    probability counts as 0 and 1; if both are set, it is background. All else is as of maxflow(); prob stays."""
    prob, seed = np.array(prob, np.float32), np.asarray(seed)
    if seed.shape != prob.shape:
        raise ValueError(f"seed has the shape {seed.shape} but prob {prob.shape}")
    if prob.ndim in (3, 4) and prob.shape[0] == 2:
        background, foreground = seed[0] > 0, (seed[1] > 0) & ~(seed[0] > 0)
        prob[0][background], prob[1][background] = 1, 0
        prob[0][foreground], prob[1][foreground] = 0, 1
    return maxflow(image, prob, lamda, sigma, connectivity)


def _weights(image: Any, step: Any, lamda: float, sigma: float) -> Any:
    """The cost of a link from each pixel to the one a step further; 0 if that is outside."""
    begin, end = link_ends(image.shape[1:], step)
    here, there = (slice(None),) + begin, (slice(None),) + end
    square = ((image[here].astype(np.float64) - image[there]) ** 2).sum(axis=0)
    out = np.zeros(image.shape[1:])
    out[begin] = lamda * np.exp(-square / (2.0 * sigma * sigma))
    return out


def _unit(source: Any, sink: Any, links: Any) -> float:
    """The smallest power of two such that the terms at a pixel sum to less than 2^24 of it; links count both ways."""
    most = float(np.abs(source - sink).max()) + 4 * sum(float(plane.max(initial=0)) for plane in links.values())
    return float(2.0 ** np.ceil(np.log2(most / (2 ** 24 - 64)))) if most > 0 else 1.0
