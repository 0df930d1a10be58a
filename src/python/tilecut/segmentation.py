# SPDX-License-Identifier: MIT
"""The interfaces of skimage.segmentation's random_walker() and watershed() with markers, on tilecut's labels: for a program
that calls these it is enough to import them from here.

    from tilecut.segmentation import random_walker, watershed

Results are those of tilecut.labels(), not of these methods: labels of least energy, with a colour model of each marker. So
`image` is the picture itself, not its gradient.
"""
from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np

from ._labels import labels as _labels


def random_walker(data: Any, labels: Any, beta: Any = None, mode: Any = None, tol: Any = None, copy: bool = True,
                  return_full_prob: bool = False, spacing: Optional[Sequence[float]] = None, *, channel_axis: Optional[int] = None,
                  **options: Any) -> Any:
    """Labels of an image or a volume from some pixels' labels.

    data       (height, width) or (depth, height, width) of any real numbers; with channel_axis one axis more, of 1 or 3
               channels of an image
    labels     of the same shape, whole numbers: 0 unknown, above 0 a label, below 0 left out: such pixels stay as they are
    copy       False: the result is written to `labels`, too, and that is returned
    spacing    between voxels along each axis of a volume, as of data's axes
    options    fields of tilecut_params, and `background`: the label that is the background, else the least
    beta, mode, tol  have no meaning here

    Returns whole numbers of the type of `labels`. Raises ValueError for other shapes, for more than 255 labels and where
    probabilities are asked for, and what labels() raises.
    """
    labels = np.asarray(labels)
    if return_full_prob:
        raise ValueError("tilecut.segmentation: cuts have no probabilities; leave return_full_prob out")
    found = _cut(data, np.where(labels > 0, labels, 0), channel_axis, spacing, options)
    found[labels < 0] = labels[labels < 0]
    if copy:
        return found
    labels[...] = found
    return labels


def watershed(image: Any, markers: Any, connectivity: Any = 1, offset: Any = None, mask: Any = None, compactness: float = 0,
              watershed_line: bool = False, *, channel_axis: Optional[int] = None, **options: Any) -> Any:
    """Labels of an image or a volume from markers. `image`, channel_axis and options as `data` of random_walker().

    markers        of the same shape, whole numbers: 0 unknown, all others labels
    connectivity   1: 4 or 6 neighbours; the number of axes: 8 or 26
    mask           where it is false the result is 0
    offset, compactness, watershed_line  have to be left as they are

    Returns whole numbers of the type of `markers`. Raises ValueError for what is not as said here.
    """
    markers = np.asarray(markers)
    if markers.ndim != np.ndim(image) - (channel_axis is not None):
        raise ValueError("tilecut.segmentation: markers have to be an array of the image's shape; how many there are does not "
                         "say where they are")
    if offset is not None or compactness or watershed_line:
        raise ValueError("tilecut.segmentation: offset, compactness and watershed_line are not possible here")
    if connectivity not in (1, markers.ndim):
        raise ValueError(f"tilecut.segmentation: connectivity is {connectivity}; 1 or {markers.ndim} is right")
    if connectivity != 1:
        options["connectivity"] = 8 if markers.ndim == 2 else 26
    keep = None if mask is None else np.asarray(mask, bool)
    if keep is not None:
        markers = np.where(keep, markers, 0)
    found = _cut(image, markers, channel_axis, None, options)
    if keep is not None:
        found[~keep] = 0
    return found


def _cut(data: Any, markers: Any, channel_axis: Optional[int], spacing: Any, options: dict) -> Any:
    """Labels as of labels(), for markers of any whole numbers."""
    data = np.asarray(data)
    if channel_axis is not None:
        data = np.moveaxis(data, channel_axis, -1)
        data = data[..., 0] if data.shape[-1] == 1 else data
    channels = channel_axis is not None and data.ndim == markers.ndim + 1
    if markers.ndim not in (2, 3) or data.shape[:markers.ndim] != markers.shape or \
            (channels and (markers.ndim == 3 or data.shape[-1] != 3)) or (not channels and data.ndim != markers.ndim):
        raise ValueError(f"tilecut.segmentation: the image has the shape {data.shape} and its labels {markers.shape}; both "
                         "have to be (height, width) or (depth, height, width), and an image may have 3 channels")
    if markers.dtype.kind not in "iu":
        raise ValueError(f"tilecut.segmentation: labels are {markers.dtype}; they have to be whole numbers")
    values = np.unique(markers)
    values = values[values != 0]
    if len(values) > 255:
        raise ValueError(f"tilecut.segmentation: {len(values)} labels; up to 255 are possible")
    if len(values) == 1:
        return np.full_like(markers, values[0])
    background = options.pop("background", 0)
    if background:
        if background not in values:
            raise ValueError(f"tilecut.segmentation: background is {background}, which is none of the labels")
        options["background"] = int(np.searchsorted(values, background)) + 1
    seeds = np.where(markers == 0, 0, np.searchsorted(values, markers) + 1).astype(np.uint8)
    if spacing is not None:
        options["spacing"] = spacing
    found = _labels(_samples(data), seeds, **options).labels
    return values[np.asarray(found) - 1].astype(markers.dtype)


def _samples(data: Any) -> Any:
    """Numbers of 8 or 16 bits as they are, others with their range spread over 16 bits."""
    if data.dtype in (np.uint8, np.uint16):
        return np.ascontiguousarray(data)
    if data.dtype.kind not in "biuf" or not np.isfinite(data).all():
        raise ValueError("tilecut.segmentation: the image has to hold finite real numbers")
    low, high = float(data.min()), float(data.max())
    return np.rint((data.astype(np.float64) - low) * (65535 / (high - low) if high > low else 0)).astype(np.uint16)
