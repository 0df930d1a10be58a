# SPDX-License-Identifier: MIT
"""Several labels at once, in images and volumes. Corresponds to tilecut_labels.h."""
from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Optional, Sequence

from . import _header as c
from ._arrays import View, packed_of
from ._library import Flag, Owner, call, flag_of, library, plain
from ._segment import image_of, mask_for, params_of
from ._volume import _described, _mask_for


class CorrectedLabels(NamedTuple):
    """Corrected labels; `changed` is the number of pixels whose label has changed."""
    labels: Any
    changed: int


class Labels(NamedTuple):
    """The labels, their energy, a bound below every energy, the gap in percent, the pixels of each label, and the
    report."""
    labels: Any
    energy: float
    bound: float
    gap: float
    pixels: dict
    report: dict


def labels(image: Any, seeds: Any, *, background: int = 0, bound_rounds: int = 0, spacing: Optional[Sequence[float]] = None,
           low: float = 0, high: float = 0, out: Any = None, cancel: Optional[Flag] = None, **options: Any) -> Labels:
    """Gives each pixel or voxel one of the labels of the seeds: tilecut_labels(), tilecut_volume_labels().
    image    (height, width) or (height, width, 3), uint8 or uint16, as of segment(); or, if seeds have three axes, a
             volume with spacing, low and high as of segment_volume(), in grey or in colour
    seeds    uint8 of the same height and width (and depth): 0 unknown, else a label, 1 to 255
    background    the label of the background; 0: the smallest label
    bound_rounds  rounds for the bound; 0: up to 20, until the gap is .1 percent; TILECUT_NONE (-1): none
    out      uint8 to write the labels to; unchanged if the call fails
    options  fields of tilecut_params: solver, colors, lambda_, connectivity, threads, ...; raises what segment()
    does"""
    place = _Place(image, seeds, options, cancel, spacing, low, high)
    return place.label(library.tilecut_volume_labels if place.space else library.tilecut_labels,
                       place.given(seeds), background, bound_rounds, out)


def solve_labels(costs: Any, links: Sequence[Any], *, bound_rounds: int = 0, out: Any = None, cancel: Optional[Flag] = None,
                 **options: Any) -> Labels:
    """Labels 0, 1, ... that minimise the caller's own Potts energy: tilecut_labels_solve().
    costs    int32 (labels, height, width), or (labels, depth, height, width): they differ by at most 2**21 at a pixel
    links    int32 of one label's shape: cost of different labels at two neighbours, stored at the first: right, down,
             with 8 neighbours down_right, down_left, in a volume right, down, back; sum at a pixel at most 2**20
    bound_rounds, out, cancel, options    as of labels(); report["certain"]: pixels with a label proven optimal"""
    shape, place = View(costs, "costs").shape, _Place.__new__(_Place)
    if len(shape) not in (3, 4) or len(links) not in ((2, 4) if len(shape) == 3 else (3,)):
        raise ValueError(f"costs has the shape {shape}, with {len(links)} links; (labels, height, width) with 2 or 4 is right, "
                         "or (labels, depth, height, width) with 3")
    place.begin(shape[1:], options, cancel)
    arrays = c.tilecut_labels_arrays(size=ctypes.sizeof(c.tilecut_labels_arrays), labels=shape[0], width=shape[-1],
                                     height=shape[-2], depth=shape[1] if place.space else 0)
    arrays.costs = packed_of(costs, "costs", shape, "i", 4, place.keep, "int32").address
    for k, link in enumerate(links):
        arrays.links[k] = packed_of(link, f"links[{k}]", place.size, "i", 4, place.keep, "int32").address
    return place.label(library.tilecut_labels_solve, (ctypes.byref(arrays),), 0, bound_rounds, out)


class _Place:
    """An image or, if labels `like` has three axes, a volume, with labels of its size in packed rows."""

    def __init__(self, image: Any, like: Any, options: Any, cancel: Any, spacing: Any = None, low: float = 0, high: float = 0):
        keep: list = []
        space = len(getattr(like, "shape", ())) == 3
        if not space and (spacing is not None or low or high):
            raise TypeError("spacing, low and high are of volumes; labels of (depth, height, width) go with them")
        seen, size = _described(image, spacing, low, high, keep) if space else (image_of(image, keep), ())
        self.begin(size or (seen.height, seen.width), options, cancel)
        self.keep, self.seen = self.keep + keep, ctypes.byref(seen)

    def begin(self, size: tuple, options: Any, cancel: Any) -> None:
        self.size, self.space, self.keep, self.flag = size, len(size) == 3, [], flag_of(cancel)
        self.width, self.rows = size[-1], size[0] * (size[1] if self.space else 1)
        self.params = params_of(options, self.flag, self.keep)

    def read(self, array: Any, what: str, keep: list) -> Any:
        return None if array is None else packed_of(array, what, self.size, "ub", 1, keep, "uint8").address

    def given(self, seeds: Any) -> tuple:
        return self.seen, self.read(seeds, "seeds", self.keep)

    def write(self, out: Any, before: Any = None) -> tuple:
        """Returns memory for labels, with a copy of `before` in it, and a function that moves it to `out` or an array."""
        keep: list = []
        result, to = (_mask_for if self.space else mask_for)(out, self.size, keep)
        at = _mask_for(None, self.size, keep)[1]
        if before is not None:
            ctypes.memmove(at, self.read(before, "previous", keep), self.width * self.rows)

        def finish(held=keep):
            first, stride = (to, self.width) if self.space else (to.address, to.strides[0])
            for y in range(self.rows):
                ctypes.memmove(first + y * stride, at + y * self.width, self.width)
            return result
        return at, finish

    def label(self, function: Any, given: tuple, background: int, bound_rounds: int, out: Any, change: tuple = ()) -> Labels:
        how = c.tilecut_labels_params(ctypes.sizeof(c.tilecut_labels_params), background, bound_rounds)
        report = c.tilecut_labels_report(size=ctypes.sizeof(c.tilecut_labels_report))
        at, finish = self.write(out)
        call(function, *given, ctypes.byref(self.params), ctypes.byref(how), at, *change, ctypes.byref(report), cancel=self.flag)
        pixels = {label: n for label, n in enumerate(report.pixels) if n}
        return Labels(finish(), report.energy, report.bound, report.gap, pixels, plain(report, ("pixels",)))

    def change(self, function: Any, previous: Any, out: Any, first: tuple, *last: Any) -> "CorrectedLabels":
        changed = ctypes.c_int64()
        at, finish = self.write(out, previous)
        call(function, self.seen, *first, ctypes.byref(self.params), *last, at, ctypes.byref(changed), cancel=self.flag)
        return CorrectedLabels(finish(), changed.value)


def correct_labels(image: Any, seeds: Any, previous: Any, *, spacing: Optional[Sequence[float]] = None, low: float = 0,
                   high: float = 0, out: Any = None, cancel: Optional[Flag] = None, **options: Any) -> CorrectedLabels:
    """Corrects the labels `previous` where seeds lie in other labels: tilecut_labels_correct(),
    tilecut_volume_labels_correct(). Seeds of a label only add pixels connected to them to that label; all others stay.
    image, seeds, spacing, low, high, options
             as of labels(); give all seeds so far, one label is enough
    previous uint8 of the same shape as seeds: labels, 0: none; out: as of labels()"""
    place = _Place(image, seeds, options, cancel, spacing, low, high)
    function = library.tilecut_volume_labels_correct if place.space else library.tilecut_labels_correct
    return place.change(function, previous, out, (place.read(seeds, "seeds", place.keep),))


class LabelsSession(Owner):
    """Labels that strokes correct one by one: tilecut_labels_session. Colours learnt for a label are kept, so a stroke,
    except the first of its label, takes about half as long as correct_labels(). undo() takes it back. Arguments as of
    correct_labels(); seeds, the strokes so far, may be None. The image must not change meanwhile."""

    _owns = {"_session": library.tilecut_labels_session_destroy}

    def __init__(self, image: Any, previous: Any, seeds: Any = None, *, spacing: Optional[Sequence[float]] = None,
                 low: float = 0, high: float = 0, cancel: Optional[Flag] = None, **options: Any) -> None:
        super().__init__()
        self._place = place = _Place(image, previous, options, cancel, spacing, low, high)
        call(library.tilecut_volume_labels_session_create if place.space else library.tilecut_labels_session_create,
             ctypes.byref(self._session), place.seen, place.read(previous, "previous", place.keep),
             place.read(seeds, "seeds", place.keep), ctypes.byref(place.params), cancel=place.flag)

    def stroke(self, painted: Any, label: int, *, out: Any = None) -> CorrectedLabels:
        """Returns the labels after a stroke of `label`, which gains the painted pixels and fitting ones connected to
        them; nothing else changes. painted: uint8 of the shape of the labels, nonzero where painted."""
        place, keep = self._place, []
        at = place.read(painted, "painted", keep)
        stroke = c.tilecut_stroke(ctypes.sizeof(c.tilecut_stroke), 0, 0, place.width, place.rows, label, 0, at)
        return self._changed(library.tilecut_labels_session_stroke, out, (ctypes.byref(stroke),))

    def label(self, *, background: int = 0, bound_rounds: int = 0, out: Any = None) -> Labels:
        """Labels all pixels again from all strokes, bit for bit as labels() does. undo() takes this back, too."""
        volume = self._place.seen if self._place.space else None
        return self._place.label(library.tilecut_labels_session_label, (self._session, volume), background, bound_rounds, out,
                                 (None,))

    def undo(self, *, out: Any = None) -> CorrectedLabels:  # takes back the last stroke or label()
        return self._changed(library.tilecut_labels_session_undo, out, (), None)

    def _changed(self, function: Any, out: Any, first: tuple, *last: Any) -> CorrectedLabels:
        change = c.tilecut_change(size=ctypes.sizeof(c.tilecut_change))
        at, finish = self._place.write(out)
        call(function, self._session, *first, ctypes.byref(self._place.params), at, ctypes.byref(change), *last,
             cancel=self._place.flag)
        return CorrectedLabels(finish(), change.pixels)


def refine_labels(image: Any, previous: Any, *, background: int = 0, out: Any = None, **options: Any) -> CorrectedLabels:
    """Refines each label of a network's output. background: its label, 0: the smallest; else as correct_labels()."""
    place = _Place(image, previous, options, *map(options.pop, ("cancel", "spacing", "low", "high"), (None, None, 0, 0)))
    function = library.tilecut_volume_labels_refine if place.space else library.tilecut_labels_refine
    return place.change(function, previous, out, (), background)
