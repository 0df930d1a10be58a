# SPDX-License-Identifier: MIT
"""Several labels at once, in images and volumes. One to one with tilecut_labels.h."""
from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Optional, Sequence

from . import _header as c
from ._library import Flag, call, flag_of, library, plain
from ._segment import copy_rows, image_of, mask_for, params_of, plane_of
from ._volume import _described, _mask_for, _packed


class CorrectedLabels(NamedTuple):
    """Labels of every pixel; changed: how many have another one than before."""
    labels: Any
    changed: int


class Labels(NamedTuple):
    """Labels of every pixel; the energy and a lower bound for any labelling; gap: between them, in percent of the energy;
    pixels: how many have each label; report: the fields of tilecut_labels_report."""
    labels: Any
    energy: float
    bound: float
    gap: float
    pixels: dict
    report: dict


def _photo(image: Any, seeds: Any, params: Any, of_volumes: Any, keep: list) -> tuple:
    """The image, its height and width, and its seeds, whose stride goes to `params`."""
    if of_volumes:
        raise TypeError("spacing, low and high are of volumes; seeds of (depth, height, width) go with them")
    picture = image_of(image, keep)
    size = (picture.height, picture.width)
    view = plane_of(seeds, "seeds", size, keep)
    params.seeds_stride = view.strides[0] if size[0] > 1 else 0
    return picture, size, view


def labels(image: Any, seeds: Any, *, background: int = 0, bound_rounds: int = 0, spacing: Optional[Sequence[float]] = None,
           low: float = 0, high: float = 0, out: Any = None, cancel: Optional[Flag] = None, **options: Any) -> Labels:
    """Gives each pixel, or each voxel, one of the labels of the seeds: tilecut_labels(), tilecut_volume_labels().

    image    (height, width) or (height, width, 3), uint8 or uint16, as of segment(); or with seeds of three axes a volume,
             (depth, height, width), as of segment_volume(), and then spacing, low and high are as there
    seeds    uint8 of the same height and width (and depth): 0 unknown, else a label, 1 to 255
    background
             the label that is the background; 0: the least
    bound_rounds
             rounds for the bound; 0: up to 20, until the gap is .1 percent; TILECUT_NONE (-1): none
    out      uint8 to write the labels to; it is left alone if the call fails
    options  fields of tilecut_params: solver, colors, lambda_, sigma, connectivity, threads, ...

    Raises ValueError (InvalidValue, SeedsError), TypeError, MemoryError, Cancelled.
    """
    keep: list = []
    flag = flag_of(cancel)
    params = params_of(options, flag, keep)
    how = c.tilecut_labels_params(size=ctypes.sizeof(c.tilecut_labels_params), background=background,
                                  bound_rounds=bound_rounds)
    report = c.tilecut_labels_report(size=ctypes.sizeof(c.tilecut_labels_report))
    if len(getattr(seeds, "shape", ())) == 3:
        volume, size = _described(image, spacing, low, high, keep)
        given = _packed(seeds, "seeds", size, "u", 1, keep, "uint8 of 0 unknown, else a label").address
        result, address = _mask_for(out, size, keep)
        call(library.tilecut_volume_labels, ctypes.byref(volume), given, ctypes.byref(params), ctypes.byref(how), address,
             ctypes.byref(report), cancel=flag)
    else:
        picture, size, view = _photo(image, seeds, params, spacing is not None or low or high, keep)
        result, to = mask_for(out, size, keep)
        params.mask_stride = to.strides[0] if size[0] > 1 else 0
        call(library.tilecut_labels, ctypes.byref(picture), view.address, ctypes.byref(params), ctypes.byref(how),
             to.address, ctypes.byref(report), cancel=flag)
    facts = plain(report, ("pixels",))
    pixels = {label: n for label, n in enumerate(report.pixels) if n}
    return Labels(result, report.energy, report.bound, report.gap, pixels, facts)


def correct_labels(image: Any, seeds: Any, previous: Any, *, spacing: Optional[Sequence[float]] = None, low: float = 0,
                   high: float = 0, out: Any = None, cancel: Optional[Flag] = None, **options: Any) -> CorrectedLabels:
    """The labels `previous`, corrected by seeds that lie in other labels: tilecut_labels_correct(),
    tilecut_volume_labels_correct(). Seeds of a label only add to it, and only what is connected to them; all else stays.

    image, seeds, spacing, low, high, options
             as of labels(); give all seeds so far, one label is enough
    previous uint8 of the same shape as seeds: labels, 0 where there is none
    out      uint8 to write the labels to; it is left alone if the call fails
    """
    keep: list = []
    flag = flag_of(cancel)
    params = params_of(options, flag, keep)
    changed = ctypes.c_int64()
    if len(getattr(seeds, "shape", ())) == 3:
        volume, shape = _described(image, spacing, low, high, keep)
        given = _packed(seeds, "seeds", shape, "u", 1, keep, "uint8 of 0 unknown, else a label").address
        before = _packed(previous, "previous", shape, "u", 1, keep, "uint8 of labels, 0: none").address
        result, address = _mask_for(out, shape, keep)
        work, at = _mask_for(None, shape, keep)  # `out` is left alone by a failure
        count = shape[0] * shape[1] * shape[2]
        ctypes.memmove(at, before, count)
        call(library.tilecut_volume_labels_correct, ctypes.byref(volume), given, ctypes.byref(params), at,
             ctypes.byref(changed), cancel=flag)
        ctypes.memmove(address, at, count)
        return CorrectedLabels(result, changed.value)
    picture, size, view = _photo(image, seeds, params, spacing is not None or low or high, keep)
    result, to = mask_for(out, size, keep)
    labels_now = mask_for(None, size, keep)[1]
    copy_rows(labels_now, plane_of(previous, "previous", size, keep), size)
    call(library.tilecut_labels_correct, ctypes.byref(picture), view.address, ctypes.byref(params), labels_now.address,
         ctypes.byref(changed), cancel=flag)
    copy_rows(to, labels_now, size)
    return CorrectedLabels(result, changed.value)


def refine_labels(image: Any, previous: Any, *, background: int = 0, out: Any = None, cancel: Optional[Flag] = None,
                  **options: Any) -> CorrectedLabels:
    """The labels `previous`, as a network finds them, each refined like a prior mask: tilecut_labels_refine(). background:
    the label that is it; 0: the least, which may be 0. Else as correct_labels(), for images."""
    keep: list = []
    flag = flag_of(cancel)
    params = params_of(options, flag, keep)
    changed = ctypes.c_int64()
    picture = image_of(image, keep)
    size = (picture.height, picture.width)
    result, to = mask_for(out, size, keep)
    work = mask_for(None, size, keep)[1]
    copy_rows(work, plane_of(previous, "previous", size, keep), size)
    call(library.tilecut_labels_refine, ctypes.byref(picture), ctypes.byref(params), background, work.address,
         ctypes.byref(changed), cancel=flag)
    copy_rows(to, work, size)
    return CorrectedLabels(result, changed.value)
