# SPDX-License-Identifier: MIT
"""Volumes: scans and stacks of slices; voxels have 6 neighbours. Corresponds to tilecut_volume.h."""
from __future__ import annotations

import ctypes
from typing import Any, Optional, Sequence, Tuple

from . import _header as c
from ._arrays import View, new, packed, packed_of, type_name, whole
from ._grid import GridResult, arrays_of
from ._library import Flag, Owner, call, flag_of, library, shown
from ._matte import clean, how_moved
from ._segment import Result, how_sure, mask_for, new_report, params_of, report_of, result_of

_TYPES = {("u", 1): c.TILECUT_VOXEL_U8, ("u", 2): c.TILECUT_VOXEL_U16, ("i", 2): c.TILECUT_VOXEL_I16, ("f", 4): c.TILECUT_VOXEL_F32}
LINKS = ("right", "down", "back")


def _mask_for(out: Any, size: Any, keep: list) -> Any:
    array, view = mask_for(out, size, keep)
    if any(n > 1 and s != t for n, s, t in zip(size, view.strides, packed(size, 1))):
        raise ValueError("out has to have its voxels one after the other, without gaps")
    return array, view.address


def _voxels(volume: Any, keep: list) -> Any:
    """tilecut_volume over an array; rows and slices may have gaps between them, other layouts are copied."""
    view = View(volume, "volume")
    if len(view.shape) != 3 and (len(view.shape) != 4 or view.shape[3] != 3):
        raise ValueError(f"volume has the shape {view.shape}; (depth, height, width), or with 3 channels behind, is right")
    if (view.kind, view.itemsize) not in _TYPES:
        raise TypeError(f"volume is {type_name(view)}; uint8, uint16, int16 and float32 are right")
    (depth, height, width), channels, item = view.shape[:3], 3 if view.shape[3:] else 1, view.itemsize
    row, step = width * channels * item, (channels * item, item)[:len(view.shape) - 2]
    across = (view.strides[2:] == step or width < 2 and view.strides[3:] == step[1:]) and view.address % item == 0
    down = height < 2 or view.strides[1] >= row and view.strides[1] % item == 0
    deep = depth < 2 or view.strides[0] >= (view.strides[1] * (height - 1) if height > 1 else 0) + row
    if not (across and down and deep and view.strides[0] % item == 0):
        view = whole(volume, "volume")
    keep.append(view)
    return c.tilecut_volume(size=ctypes.sizeof(c.tilecut_volume), width=width, height=height, depth=depth,
                            type=_TYPES[view.kind, item], voxels=view.address, row_stride=view.strides[1] if height > 1 else 0,
                            slice_stride=view.strides[0] if depth > 1 else 0, channels=channels)


def _described(volume: Any, spacing: Optional[Sequence[float]], low: float, high: float, keep: list) -> Any:
    """tilecut_volume, and its size along the array's axes."""
    voxels = _voxels(volume, keep)
    if spacing is not None:
        if getattr(spacing, "ndim", 1) != 1 or len(spacing) != 3:
            raise ValueError(f"spacing is {shown(spacing)}; three distances, between slices, rows and columns, are right")
        voxels.spacing[:] = [float(s) for s in reversed(list(spacing))]
    voxels.low, voxels.high = low, high
    return voxels, (voxels.depth, voxels.height, voxels.width)


def _labels(seeds: Any, size: Any, keep: list) -> Optional[int]:
    return None if seeds is None else packed_of(seeds, "seeds", size, "ub", 1, keep, "uint8 of labels 0 to 3").address


def segment_volume(volume: Any, seeds: Any = None, *, spacing: Optional[Sequence[float]] = None, low: float = 0,
                   high: float = 0, prior: Any = None, previous: Any = None, learn: bool = False, out: Any = None,
                   cancel: Optional[Flag] = None, **options: Any) -> Result:
    """Cuts a volume along its seeds: tilecut_volume_segment().

    volume   (depth, height, width), uint8, uint16, int16 or float32; or (depth, height, width, 3), uint8 or uint16.
             Rows and slices may have gaps between them; any other layout is copied
    seeds    (depth, height, width) uint8: UNKNOWN, BACKGROUND, FOREGROUND; OUTSIDE counts as background
    spacing  distances between neighbours along the axes of the array: between slices, rows and columns. None: 1 each
    low, high
             values that become black and white; others are clipped. Both 0: 0 and 255 for uint8, else the 0.1 and 99.9
             percentiles, as in the program
    prior    (depth, height, width) uint8: another tool's mask, the probability of foreground in 255ths, which is
             refined along edges; seeds, which are optional then, correct it. prior_reach: how far its outline may be
             off, in steps of the smallest spacing; 0: half a cell of a mask of low resolution
    previous (depth, height, width) uint8: a mask for seeds to correct, tilecut_volume_correct(). Foreground seeds only
             add to it, background seeds only take away; report["added"] and report["removed"] count the voxels. learn:
             a seed deep in the wrong label may change a whole part, as in the editor; give all seeds so far
    out      (depth, height, width) uint8 without gaps to write the mask to; unchanged if the call fails
    cancel   a Flag
    options  of tilecut_params: lambda_, sigma (in 256 levels from low to high), colors, data_weight, spatial,
             iterations, islands, soft_seeds, prior_reach, solver, threads

    Returns a Result, its mask (depth, height, width) uint8: 0 background, 255 foreground.
    Raises ValueError (InvalidValue, SeedsError), TypeError, MemoryError, Cancelled.
    """
    keep: list = []
    voxels, size = _described(volume, spacing, low, high, keep)
    if previous is not None:
        return _corrected(library.tilecut_volume_correct, ctypes.byref(voxels), seeds, previous, size,
                          (out, cancel, learn, options))
    labels = _labels(seeds, size, keep)
    params = params_of(options, flag := flag_of(cancel), keep)
    params.prior = packed_of(prior, "prior", size, "ub", 1, keep, "uint8").address if prior is not None else None
    mask, address = _mask_for(out, size, keep)
    report = new_report()
    call(library.tilecut_volume_segment, ctypes.byref(voxels), labels, ctypes.byref(params), address,
         ctypes.byref(report), cancel=flag)
    return result_of(mask, report)


def _corrected(function: Any, whose: Any, seeds: Any, previous: Any, size: Any, how: Any) -> Result:
    """Corrects the mask `previous` by a function of the library. how: out, cancel, learn and options."""
    keep: list = []
    out, cancel, learn, options = how
    labels = _labels(seeds, size, keep)
    params = params_of(options, flag := flag_of(cancel), keep)
    mask, address = _mask_for(out, size, keep)
    work, at = _mask_for(None, size, keep)  # a failure leaves `mask` unchanged
    count = size[0] * size[1] * size[2]
    ctypes.memmove(at, packed_of(previous, "previous", size, "ub", 1, keep, "uint8").address, count)
    report, changed = new_report(), c.tilecut_corrected(size=ctypes.sizeof(c.tilecut_corrected))
    call(function, whose, labels, ctypes.byref(params), c.TILECUT_BY_LEARNING if learn else c.TILECUT_BY_STROKES, at,
         ctypes.byref(changed), ctypes.byref(report), cancel=flag)
    ctypes.memmove(address, at, count)
    told = result_of(mask, report)
    told.report.update(added=changed.added, removed=changed.removed)
    return told


def volume_range(volume: Any) -> Tuple[float, float]:
    """The values of a volume that become black and white by default: tilecut_volume_range()."""
    keep: list = []
    voxels, _ = _described(volume, None, 0, 0, keep)
    found = (ctypes.c_double * 2)()
    call(library.tilecut_volume_range, ctypes.byref(voxels), found)
    return found[0], found[1]


def volume_window(volume: Any, seeds: Any, *, spacing: Optional[Sequence[float]] = None) -> Tuple[slice, slice, slice]:
    """The window of a volume that is cut if seeds have OUTSIDE, as an index (z, y, x): tilecut_volume_window()."""
    keep: list = []
    voxels, size = _described(volume, spacing, 0, 0, keep)
    found = (ctypes.c_int * 6)()
    call(library.tilecut_volume_window, ctypes.byref(voxels), _labels(seeds, size, keep), found)
    x, y, z, width, height, depth = found
    return slice(z, z + depth), slice(y, y + height), slice(x, x + width)


def volume_capacities(volume: Any, seeds: Any, *, spacing: Optional[Sequence[float]] = None, low: float = 0, high: float = 0,
                      **options: Any) -> Tuple[dict, float]:
    """The capacities that segment_volume() cuts: tilecut_volume_capacities(). Arguments as of segment_volume().

    Returns them by the names of maxflow_volume()'s arguments, int32 (depth, height, width), with links equal in both
    directions; and the units of the energy in a capacity of one.
    """
    keep: list = []
    voxels, size = _described(volume, spacing, low, high, keep)
    labels = _labels(seeds, size, keep)
    params = params_of(options, Flag(), keep)
    source, sink, links = (new((n * size[0],) + size[1:], 4, "i") for n in (1, 1, len(LINKS)))
    quantum = ctypes.c_double()
    call(library.tilecut_volume_capacities, ctypes.byref(voxels), labels, ctypes.byref(params),
         *[View(plane, "out", writable=True).address for plane in (source, sink, links)], ctypes.addressof(quantum))
    slabs = {name: links[k * size[0]:(k + 1) * size[0]] for k, name in enumerate(LINKS)}
    return {"source": source, "sink": sink, **slabs}, quantum.value


def volume_moved(volume: Any, given: Any, mask: Any, *, spacing: Optional[Sequence[float]] = None, low: float = 0,
                 high: float = 0) -> dict:
    """Measures how refining changed a mask (segment_volume(prior=given)): tilecut_volume_moved(). Returns a dict as
    outline_moved(), with distances in steps of the smallest spacing."""
    keep: list = []
    voxels, size = _described(volume, spacing, low, high, keep)
    masks = [packed_of(array, what, size, "ub", 1, keep, "uint8").address for array, what in ((given, "given"), (mask, "mask"))]
    return how_moved(library.tilecut_volume_moved, voxels, masks)


def volume_confidence(volume: Any, seeds: Any, mask: Any, *, spacing: Optional[Sequence[float]] = None, low: float = 0,
                      high: float = 0, prior: Any = None, cancel: Optional[Flag] = None, **options: Any) -> Tuple[Any, Any]:
    """The confidence in a mask of segment_volume(): tilecut_volume_confidence(). Arguments as there; mask: its mask;
    prior: the same mask, if it was corrected or refined.

    Returns (depth, height, width) uint8, how likely each label is right in 255ths, and a tilecut_doubt: `unsure`, the
    unsure share of the surface; x, y, z, where a stroke helps most (-1: nowhere); `label`, what the mask lacks there.
    """
    keep: list = []
    voxels, size = _described(volume, spacing, low, high, keep)
    before = packed_of(mask, "mask", size, "ub", 1, keep, "uint8").address
    params = params_of(options, flag := flag_of(cancel), keep)
    params.prior = packed_of(prior, "prior", size, "ub", 1, keep, "uint8").address if prior is not None else None
    return how_sure(library.tilecut_volume_confidence, size, ctypes.byref(voxels), _labels(seeds, size, keep), before, ctypes.byref(params), cancel=flag)


class VolumeSession(Owner):
    """A volume whose seeds change: each solve starts from the flow of the last one. tilecut_volume_session.

    volume, spacing, low, high as of segment_volume(). Voxels in a suitable layout are not copied, and must not change
    before the session ends. Not for two threads at once; sessions are independent. close() or `with` frees memory.
    """

    _owns = {"_session": library.tilecut_volume_session_destroy}

    def __init__(self, volume: Any, *, spacing: Optional[Sequence[float]] = None, low: float = 0, high: float = 0) -> None:
        super().__init__()
        voxels, self.size = _described(volume, spacing, low, high, self._keep)
        self._mask: Any = None
        call(library.tilecut_volume_session_create, ctypes.byref(self._session), ctypes.byref(voxels))

    def solve(self, seeds: Any, *, prior: Any = None, out: Any = None, cancel: Optional[Flag] = None, **options: Any) -> Result:
        """The result of segment_volume() for these seeds, all of them, bit for bit. Arguments and errors as there;
        report["warm"] is true if the last flow was kept."""
        keep: list = []
        labels = _labels(seeds, self.size, keep)
        params = params_of(options, flag := flag_of(cancel), keep)
        params.prior = packed_of(prior, "prior", self.size, "ub", 1, keep, "uint8").address if prior is not None else None
        mask, address = _mask_for(out, self.size, keep)
        report = new_report()
        call(library.tilecut_volume_session_solve, self._session, labels, ctypes.byref(params), address,
             ctypes.byref(report), cancel=flag)
        self._mask = mask
        return result_of(mask, report)

    def correct(self, seeds: Any, *, previous: Any = None, learn: bool = False, out: Any = None,
                cancel: Optional[Flag] = None, **options: Any) -> Result:
        """Corrects the last mask, or `previous`, by the seeds that contradict it, as segment_volume(previous=). Give
        all seeds so far: lambda follows from both classes."""
        before = self._mask if previous is None else previous
        if before is None:
            raise ValueError("there is no mask to correct; solve(), or give one as previous")
        told = _corrected(library.tilecut_volume_session_correct, self._session, seeds, before, self.size,
                          (out, cancel, learn, options))
        self._mask = told.mask
        return told

    def clean(self, seeds: Any = None, **how: Any) -> Tuple[int, ...]:
        """tilecut.clean() of the last mask, in place; correct() then starts from it."""
        return clean(self._mask, seeds, **how)

    def undo(self, *, out: Any = None) -> Any:
        """Undoes the last correct() since solve(); returns the mask before, bit for bit, or None. Seeds stay."""
        keep: list = []
        undone = ctypes.c_int()
        mask, address = _mask_for(out, self.size, keep)
        call(library.tilecut_volume_session_undo, self._session, address, ctypes.byref(undone))
        if not undone.value:
            return None
        self._mask = mask
        return mask


def volume_arrays(keep: list, **given: Any) -> Any:
    return arrays_of(given, LINKS, c.tilecut_volume_arrays, ("depth", "height", "width"), keep)


def maxflow_volume(source: Any, sink: Any, right: Any, down: Any, back: Any, *, left: Any = None, up: Any = None,
                   front: Any = None, out: Any = None, cancel: Optional[Flag] = None, **options: Any) -> GridResult:
    """Maximum flow and minimum cut of a volume with the caller's own capacities: tilecut_volume_solve().

    source, sink       int32 (depth, height, width): capacities from the source to a voxel and from a voxel to the sink
    right, down, back  the same shape: links to the next voxel of the row, to the next row, to the next slice; links out
                       of the volume are ignored
    left, up, front    the reverse links, at the voxel where the forward link begins; None: equal to the forward ones
    out, cancel        as of segment_volume()
    options            solver, threads

    Raises ValueError, also if capacities at a voxel sum to 2**24 or more, TypeError, MemoryError, Cancelled.
    """
    keep: list = []
    arrays, size = volume_arrays(keep, source=source, sink=sink, right=right, down=down, back=back, left=left, up=up, front=front)
    params = params_of(options, flag := flag_of(cancel), keep)
    mask, address = _mask_for(out, size, keep)
    report = new_report()
    call(library.tilecut_volume_solve, ctypes.byref(arrays), ctypes.byref(params), address, ctypes.byref(report), cancel=flag)
    return GridResult(mask, report.flow, report_of(report))
