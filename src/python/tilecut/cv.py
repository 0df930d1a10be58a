# SPDX-License-Identifier: MIT
"""The interface of OpenCV's grabCut on tilecut: `import tilecut.cv as cv`, or `from tilecut.cv import grabCut`.

    mask = numpy.zeros(image.shape[:2], numpy.uint8)
    bgd, fgd = numpy.zeros((1, 65)), numpy.zeros((1, 65))
    cv.grabCut(image, mask, (50, 50, 450, 290), bgd, fgd, 5, cv.GC_INIT_WITH_RECT)
    object_ = (mask == cv.GC_FGD) | (mask == cv.GC_PR_FGD)

Differences from OpenCV:

- The cut is exact and certified, of tilecut's energy with its own colour model, so masks are similar but not the same.
- The two models are accepted and returned unchanged. GC_EVAL continues from the mask: it learns the colours from it,
  and needs no models of an earlier call.
- Grey images are accepted, too. Errors are ValueError and TypeError, not cv2.error.

All other names are those of cv2, if that is installed.
"""
from __future__ import annotations

from typing import Any, Optional, Sequence, Tuple

import numpy as np

from . import _header as c
from ._segment import segment

GC_BGD, GC_FGD, GC_PR_BGD, GC_PR_FGD = 0, 1, 2, 3
GC_INIT_WITH_RECT, GC_INIT_WITH_MASK, GC_EVAL, GC_EVAL_FREEZE_MODEL = 0, 1, 2, 3

_SEEDS = np.array([c.TILECUT_BACKGROUND, c.TILECUT_FOREGROUND, c.TILECUT_UNKNOWN, c.TILECUT_UNKNOWN], np.uint8)
_PRIOR = np.array([0, 255, 0, 255], np.uint8)


def grabCut(img: Any, mask: Any, rect: Optional[Sequence[float]], bgdModel: Any, fgdModel: Any, iterCount: int,
            mode: int = GC_EVAL) -> Tuple[Any, Any, Any]:
    """Cuts the object out; cv2.grabCut().

    img        (height, width, 3) uint8, blue first, as cv2.imread() gives it; or (height, width) grey
    mask       (height, width) uint8 of GC_BGD, GC_FGD, GC_PR_BGD, GC_PR_FGD, updated in place: certain pixels stay, all
               others become GC_PR_BGD or GC_PR_FGD. None with GC_INIT_WITH_RECT: a new one
    rect       (x, y, width, height) in pixels, with GC_INIT_WITH_RECT: outside is background for certain. A side that
               is a hundredth of a side of 50 pixels or more from the border, or less, is at the border
    bgdModel, fgdModel
               anything; returned unchanged
    iterCount  how often colours are learnt again from the cut, at most; 0 only fills the mask from the rectangle
    mode       GC_INIT_WITH_RECT, GC_INIT_WITH_MASK, GC_EVAL, or GC_EVAL_FREEZE_MODEL, which learns once

    Returns mask, bgdModel, fgdModel. Raises ValueError if a shape, a value of the mask, the rectangle or the mode is
    wrong, or if the mask lacks background or foreground; TypeError for other types. The mask is then unchanged.
    """
    image = np.asarray(img)
    if image.ndim not in (2, 3) or (image.ndim == 3 and image.shape[2] != 3):
        raise ValueError(f"img has the shape {image.shape}; (height, width, 3) is right")
    if image.dtype != np.uint8:
        raise TypeError(f"img is {image.dtype}; uint8 is right")
    if mode not in (GC_INIT_WITH_RECT, GC_INIT_WITH_MASK, GC_EVAL, GC_EVAL_FREEZE_MODEL):
        raise ValueError(f"mode is {mode}; GC_INIT_WITH_RECT, GC_INIT_WITH_MASK, GC_EVAL, GC_EVAL_FREEZE_MODEL are right")
    mask = np.zeros(image.shape[:2], np.uint8) if mask is None and mode == GC_INIT_WITH_RECT else mask
    labels = _labels_of(mask, image.shape[:2])
    labels = _labels_in(rect, labels.shape) if mode == GC_INIT_WITH_RECT else labels.copy()
    if iterCount > 0:
        rgb = image[..., ::-1] if image.ndim == 3 else image
        inside = _cut(rgb, labels, 1 if mode == GC_EVAL_FREEZE_MODEL else min(int(iterCount), c.TILECUT_MAX_ITERATIONS))
        open_ = labels >= GC_PR_BGD
        labels[open_] = np.where(inside[open_], GC_PR_FGD, GC_PR_BGD)
    mask[...] = labels
    return mask, bgdModel, fgdModel


def _labels_of(mask: Any, shape: Tuple[int, ...]) -> Any:
    if not isinstance(mask, np.ndarray) or mask.dtype != np.uint8:
        raise TypeError("mask has to be a NumPy array of uint8, which is updated in place")
    if mask.shape != shape:
        raise ValueError(f"mask has the shape {mask.shape} but img is {shape}")
    if not mask.flags.writeable:
        raise ValueError("mask is read-only; it is updated in place")
    if mask.max(initial=0) > GC_PR_FGD:
        raise ValueError(f"mask holds {mask.max()}; GC_BGD 0, GC_FGD 1, GC_PR_BGD 2 and GC_PR_FGD 3 are right")
    return mask


def _labels_in(rect: Optional[Sequence[float]], shape: Tuple[int, ...]) -> Any:
    """The mask that a rectangle means, clipped to the image."""
    if rect is None or len(rect) != 4:
        raise ValueError(f"rect is {rect!r}; (x, y, width, height) is right with GC_INIT_WITH_RECT")
    given, size = np.array([int(v) for v in rect]).reshape(2, 2), np.array(shape[1::-1])
    start, end, near = given[0], given.sum(0), np.where(size < 50, 0, (size + 99) // 100)
    if (end < 1).any() or (start >= np.minimum(end, size)).any():
        raise ValueError(f"rect {tuple(rect)} lies outside of the image, which is {shape[1]}x{shape[0]}")
    (x, y), (right, bottom) = np.where(start <= near, 0, start), np.where(size - end <= near, size, end)
    labels = np.full(shape, GC_BGD, np.uint8)
    labels[y:bottom, x:right] = GC_PR_FGD
    return labels


def _cut(image: Any, labels: Any, iterations: int) -> Any:
    """Returns where the foreground is. GC_BGD around GC_PR_FGD and nothing else is treated as a box."""
    if not np.isin(labels, (GC_FGD, GC_PR_BGD)).any():
        seeds = np.where(labels == GC_BGD, c.TILECUT_OUTSIDE, c.TILECUT_UNKNOWN).astype(np.uint8)
        box = None if seeds.any() else (0, 0, *seeds.shape[::-1])
        return np.asarray(segment(image, seeds, box=box, iterations=iterations).mask) == 255
    prior = _PRIOR[labels]
    if prior.min() == prior.max():
        kind = "foreground (GC_FGD, GC_PR_FGD)" if not prior.max() else "background (GC_BGD, GC_PR_BGD)"
        raise ValueError(f"mask has no {kind}, from which its colours could be learnt")
    strokes, kinds = _SEEDS[labels], np.bincount(labels.ravel(), minlength=4) > 0
    if kinds[:2].all() and not kinds[2:].all():  # probable pixels of one kind tell no more than the strokes do
        return np.asarray(segment(image, strokes, iterations=iterations).mask) == 255
    result = segment(image, strokes, prior=prior, prior_weight=c.TILECUT_NONE, iterations=iterations)
    return np.asarray(result.mask) == 255


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    try:
        import cv2
    except ImportError:
        raise AttributeError(f"tilecut.cv has no {name!r}, and cv2, which may have it, is not installed") from None
    return getattr(cv2, name)
