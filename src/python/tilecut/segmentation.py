# SPDX-License-Identifier: MIT
"""skimage.segmentation's interfaces random_walker() and watershed() with markers, on tilecut's labels: it is enough to

    from tilecut.segmentation import random_walker, watershed

The results are those of tilecut.labels(), labels of least energy with a colour model for each marker, and not those of
the original methods. So `image` is the picture itself, not its gradient.
"""
from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np

from ._labels import labels as _labels


def random_walker(data: Any, labels: Any, beta: Any = None, mode: Any = None, tol: Any = None, copy: bool = True,
                  return_full_prob: bool = False, spacing: Optional[Sequence[float]] = None, *, prob_tol: Any = None,
                  channel_axis: Optional[int] = None, **options: Any) -> Any:
    """Labels an image or a volume from the labels of some pixels.

    data       (height, width) or (depth, height, width) of any real numbers; with channel_axis one axis more, of 1 or 3
               channels
    labels     of the same shape, whole numbers: 0 unknown, positive a label, negative excluded. Excluded pixels stay,
               and each region of the others is cut by itself, or stays 0 if it has no label
    copy       False: the result is written to `labels`, which is returned
    spacing    between voxels along each axis of a volume, as of data's axes
    options    fields of tilecut_params, and `background`: the label that is the background, else the least
    beta, mode, tol, prob_tol  have no effect

    Returns numbers of the type of `labels`, which are 1, 2, ... for the labels in order. Raises ValueError for other
    shapes, for more than 255 labels in a region and for return_full_prob; else as labels().
    """
    labels = np.asarray(labels)
    if return_full_prob:
        raise ValueError("tilecut.segmentation: cuts have no probabilities; leave return_full_prob out")
    if labels.ndim == 2 and spacing is not None:
        if len(set(spacing)) != 1:
            raise ValueError(f"tilecut.segmentation: pixels are squares here, and spacing is {tuple(spacing)}")
        spacing = None
    found = _cut(data, labels, labels >= 0, 1, channel_axis, spacing, options)
    values = np.unique(labels[labels > 0])
    found = np.where(labels < 0, labels, np.where(found > 0, np.searchsorted(values, found) + 1, 0)).astype(labels.dtype)
    if not copy:
        labels[...] = found
    return found if copy else labels


def watershed(image: Any, markers: Any = None, connectivity: Any = 1, offset: Any = None, mask: Any = None,
              compactness: float = 0, watershed_line: bool = False, *, channel_axis: Optional[int] = None, **options: Any) -> Any:
    """Labels an image or a volume from markers. `image`, channel_axis and options as `data` of random_walker().

    markers        of the same shape, whole numbers: 0 unknown, all others labels
    connectivity   1: 4 or 6 neighbours; the number of axes: 8 or 26; or an array with these
    mask           the result is 0 where it is false; each region of the other pixels is labelled by its own markers
    offset, compactness, watershed_line  must keep their defaults

    Returns numbers of the type of `markers`. Raises ValueError for other values and shapes.
    """
    markers = np.asarray(markers)
    if markers.ndim != np.ndim(image) - (channel_axis is not None):
        raise ValueError("tilecut.segmentation: markers have to be an array of the image's shape; how many there are does not "
                         "say where they are")
    if offset is not None or compactness or watershed_line:
        raise ValueError("tilecut.segmentation: offset, compactness and watershed_line are not possible here")
    if np.ndim(connectivity):
        near, given = np.abs(np.indices((3,) * markers.ndim) - 1).sum(0), np.asarray(connectivity, bool)
        connectivity = next((n for n in (1, markers.ndim) if np.array_equal(near <= n, given)), "another array")
    if connectivity not in (1, markers.ndim):
        raise ValueError(f"tilecut.segmentation: connectivity is {connectivity}; 1 or {markers.ndim} is right")
    if connectivity != 1:
        options["connectivity"] = 8 if markers.ndim == 2 else 26
    mask = np.ones(markers.shape, bool) if mask is None else np.asarray(mask, bool)
    return _cut(image, markers, mask, connectivity, channel_axis, None, options)


def _cut(data: Any, markers: Any, kept: Any, connectivity: int, channel_axis: Optional[int], spacing: Any, options: dict) -> Any:
    """Labels as of labels(), for markers of any whole numbers, for each region of `keep` by itself; 0 elsewhere."""
    data = np.asarray(data)
    if channel_axis is not None:
        data = np.moveaxis(data, channel_axis, -1)
        data = data[..., 0] if data.shape[-1] == 1 else data
    channels = channel_axis is not None and data.ndim == markers.ndim + 1
    if markers.ndim not in (2, 3) or data.shape[:markers.ndim] != markers.shape or kept.shape != markers.shape or \
            (channels and data.shape[-1] != 3) or (not channels and data.ndim != markers.ndim):
        raise ValueError(f"tilecut.segmentation: the shapes are {data.shape}, of labels {markers.shape}, of a mask {kept.shape}; all "
                         "have to be (height, width) or (depth, height, width); with channel_axis there may be 3 channels")
    if markers.dtype.kind not in "biuf" or (markers != np.rint(markers)).any():
        raise ValueError(f"tilecut.segmentation: labels are {markers.dtype}; they have to be whole numbers")
    if spacing is not None:
        options["spacing"] = spacing
    background = options.pop("background", 0)
    if background and not (markers == background).any():
        raise ValueError(f"tilecut.segmentation: background is {background}, which is none of the labels")
    data = _samples(data)
    if kept.all():
        return _label(data, markers, background, options)
    from scipy.ndimage import find_objects, generate_binary_structure, label  # scikit-image needs it, too

    found = np.zeros_like(markers)
    regions, _ = label(kept, generate_binary_structure(markers.ndim, connectivity))
    for i, box in enumerate(find_objects(regions), 1):
        inside = regions[box] == i
        own = np.where(inside, markers[box], 0)
        if own.any():
            found[box][inside] = _label(data[box], own, background, options)[inside]
    return found


def _label(data: Any, markers: Any, background: Any, options: dict) -> Any:
    values = np.unique(markers)
    values = values[values != 0]
    if len(values) > 255:
        raise ValueError(f"tilecut.segmentation: {len(values)} labels; up to 255 are possible")
    if len(values) == 1:
        return np.full_like(markers, values[0])
    first = int(np.searchsorted(values, background)) + 1 if background in values else 0
    seeds = np.where(markers == 0, 0, np.searchsorted(values, markers) + 1).astype(np.uint8)
    found = _labels(np.ascontiguousarray(data), seeds, background=first, **options).labels
    return values[np.asarray(found) - 1].astype(markers.dtype)


def _samples(data: Any) -> Any:
    """Numbers of 8 or 16 bits unchanged; others with their range spread over 16 bits."""
    if data.dtype in (np.uint8, np.uint16):
        return data
    if data.dtype.kind not in "biuf" or not np.isfinite(data).all():
        raise ValueError("tilecut.segmentation: the image has to hold finite real numbers")
    low, high = float(data.min()), float(data.max())
    return np.rint((data.astype(np.float64) - low) * (65535 / (high - low) if high > low else 0)).astype(np.uint16)
