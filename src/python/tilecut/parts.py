# SPDX-License-Identifier: MIT
"""One image or volume cut in parts, each with some rows or slices of it, in a thread, a process or a machine of its
own; mask, flow and energy are bit for bit those of the whole. Corresponds to tilecut_parts.h.

    from mpi4py import MPI
    from tilecut import parts
    exchange = parts.mpi(MPI.COMM_WORLD)
    first, rows = parts.rows(height, exchange.parts, exchange.part)
    top, bottom = max(first - 1, 0), min(first + rows + 1, height)  # own rows and halo
    result = parts.segment(image[top:bottom], seeds[top:bottom], exchange, height, first, rows)

A volume is cut in the same way by segment_volume() and solve_volume(): then slices are what rows are here.

threads() has exchanges between threads, mpi() between processes of mpirun; derive others from Exchange.
"""
from __future__ import annotations

import contextlib
import ctypes
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

from . import _header as c
from ._grid import image_arrays
from ._labels import Labels, _Place
from ._library import Flag, call, check, flag_of, library, plain
from ._matte import cleaned
from ._segment import image_of, mask_for, new_report, params_of, plane_of, report_of
from ._volume import volume_arrays, _described, _labels, _mask_for


class PartResult(NamedTuple):
    """The result of a cut in parts.

    mask    uint8 of this part's rows (or slices) and halo: 255 foreground; the halo has no meaning
    flow, cut, energy   of the whole
    report  all other values, by their names in tilecut_report
    part    counts of this part's work, by their names in tilecut_part_report"""

    mask: Any
    flow: int
    cut: int
    energy: float
    report: dict
    part: dict


class Exchange:
    """The communication of parts. Derive from it, and write sum() and swap(); all parts make the same calls in the same
    order.

    part, parts   this part, counted from 0, and the number of parts

    An exception in one of them ends the cut in this part and is raised there; leave() is called, so that the others
    end, too."""

    def __init__(self, part: int, parts: int) -> None:
        self._error: Optional[BaseException] = None
        self._left = False
        kinds: Any = dict(c.tilecut_exchange._fields_)
        self.struct = c.tilecut_exchange(
            size=ctypes.sizeof(c.tilecut_exchange), part=part, parts=parts, sum=kinds["sum"](self._sum),
            swap=kinds["swap"](self._swap), leave=kinds["leave"](self._leave))

    @property
    def part(self) -> int:
        return self.struct.part

    @property
    def parts(self) -> int:
        return self.struct.parts

    def sum(self, values: memoryview) -> None:
        """Replaces each of these int64 values by its sum over all parts."""
        raise NotImplementedError

    def swap(self, to_above: Optional[memoryview], to_below: Optional[memoryview], from_above: Optional[memoryview],
             from_below: Optional[memoryview]) -> None:
        """Sends bytes to the part above (part - 1) and to the one below, and receives as many from both into the other
        two. None if there is no such part."""
        raise NotImplementedError

    def leave(self) -> None:
        """This part has failed and makes no more calls: the others must get an exception, or be ended."""

    def _guarded(self, work):
        if self._error is None:
            try:
                work()
                return 0
            except BaseException as error:  # an exception must not pass through the library's C code
                self._error = error
                self._leave(None)
        return 1

    def _sum(self, _context, values, count):
        return self._guarded(lambda: self.sum(memoryview((ctypes.c_int64 * count).from_address(values)).cast("B").cast("q")))

    def _swap(self, _context, to_above, to_below, from_above, from_below, size):
        def view(address, there):
            return memoryview((ctypes.c_char * size).from_address(address)).cast("B") if there else None

        above, below = self.part > 0, self.part + 1 < self.parts
        return self._guarded(lambda: self.swap(view(to_above, above), view(to_below, below), view(from_above, above),
                                               view(from_below, below)))

    def _leave(self, _context):
        if self._left:
            return
        self._left = True
        try:
            self.leave()
        except BaseException as error:
            self._error = self._error or error


class _Threads:
    """The exchanges of the library, which live until the last of them is released."""

    def __init__(self, parts):
        self.all = ctypes.c_void_p()
        check(library.tilecut_exchange_threads(ctypes.byref(self.all), parts))

    def __del__(self):
        library.tilecut_exchange_free(ctypes.cast(self.all, ctypes.POINTER(c.tilecut_exchange)))


class _Thread(Exchange):
    def __init__(self, threads, at):
        self._threads, self._error, self._left = threads, None, False
        self.struct = ctypes.cast(threads.all, ctypes.POINTER(c.tilecut_exchange))[at]

    def leave(self):
        self.struct.leave(self.struct.context)


def threads(parts: int) -> List[Exchange]:
    """Exchanges between the given number of threads of this process, 1 to 256. tilecut_exchange_threads()."""
    owner = _Threads(parts)
    return [_Thread(owner, at) for at in range(parts)]


class _MPI(Exchange):
    """Before each call all processes exchange whether one has left, so all of them know."""

    def __init__(self, comm):
        from mpi4py import MPI

        super().__init__(comm.Get_rank(), comm.Get_size())
        self._mpi, self._comm = MPI, comm
        self._over = False

    def _meet(self, leaves):
        leaver = self._comm.allreduce(self.part if leaves else self.parts, self._mpi.MIN)
        if leaver < self.parts:
            self._over = True
        if leaver < self.parts and not leaves:
            raise ConnectionError(f"part {leaver} of the image has failed")

    def sum(self, values):
        self._meet(False)
        self._comm.Allreduce(self._mpi.IN_PLACE, [values, self._mpi.INT64_T])

    def _shift(self, out, to, into, sender):
        nobody = self._mpi.PROC_NULL
        self._comm.Sendrecv(out if out is not None else b"", nobody if out is None else to, 0,
                            into if into is not None else bytearray(), nobody if into is None else sender, 0)

    def swap(self, to_above, to_below, from_above, from_below):
        self._meet(False)
        self._shift(to_above, self.part - 1, from_below, self.part + 1)
        self._shift(to_below, self.part + 1, from_above, self.part - 1)

    def leave(self):
        if not self._over:
            self._meet(True)


def mpi(comm: Any) -> Exchange:
    """Makes an exchange between the processes of a communicator of mpi4py, such as MPI.COMM_WORLD; its rank is the
    part. Nothing else may use the communicator during a cut. A part that fails ends all others with ConnectionError."""
    return _MPI(comm)


def rows(height: int, parts: int, part: int) -> Tuple[int, int]:
    """The first row of a part and its number of rows, distributed evenly: tilecut_part_rows()."""
    first, count = ctypes.c_int(), ctypes.c_int()
    library.tilecut_part_rows(height, parts, part, ctypes.addressof(first), ctypes.addressof(count))
    return first.value, count.value


@contextlib.contextmanager
def _visit(exchange):
    """A part that fails before its first call notifies the others, too."""
    exchange._error, exchange._left = None, False
    try:
        yield
    except BaseException as error:
        exchange._leave(None)
        if isinstance(error, Exception) and exchange._error is not None:
            raise exchange._error
        raise


def _part(exchange, where):
    return ctypes.byref(c.tilecut_part(size=ctypes.sizeof(c.tilecut_part), height=where[0], first=where[1], rows=where[2],
                                       exchange=ctypes.pointer(exchange.struct)))


def _solved(function, exchange, where, arguments, params, mask, address, flag):
    report, more = new_report(), c.tilecut_part_report(size=ctypes.sizeof(c.tilecut_part_report))
    call(function, _part(exchange, where), *arguments, ctypes.byref(params), address, ctypes.byref(report),
         ctypes.byref(more), cancel=flag)
    return PartResult(mask, report.flow, report.cut, report.energy, report_of(report), plain(more))


def _solved_image(function, exchange, where, arguments, params, size, out, flag, keep):
    mask, view = mask_for(out, size, keep)
    params.mask_stride = view.strides[0] if size[0] > 1 else 0
    return _solved(function, exchange, where, arguments, params, mask, view.address, flag)


def segment(image: Any, seeds: Any, exchange: Exchange, height: int, first: int, rows: int, *, out: Any = None,
            cancel: Optional[Flag] = None, **options: Any) -> PartResult:
    """tilecut.segment() in parts: tilecut_part_segment(). All parts call it at the same time.

    image, seeds   as of tilecut.segment(), of own rows and halo: one more row above and below, if the image has one
    height         rows of the whole image
    first, rows    own rows: first .. first + rows - 1 of the image
    out            uint8 of own rows and halo
    options        the same in all parts, except threads. A box is OUTSIDE in the seeds; no prior mask

    Raises what tilecut.segment() does, in at least one part; Cancelled in those whose exchange broke."""
    keep: list = []
    with _visit(exchange):
        picture = image_of(image, keep)
        size = (picture.height, picture.width)
        labels = plane_of(seeds, "seeds", size, keep)
        params = params_of(options, flag := flag_of(cancel), keep)
        params.seeds_stride = labels.strides[0] if size[0] > 1 else 0
        return _solved_image(library.tilecut_part_segment, exchange, (height, first, rows),
                             (ctypes.byref(picture), labels.address), params, size, out, flag, keep)


def solve(source: Any, sink: Any, right: Any, down: Any, exchange: Exchange, height: int, first: int, rows: int, *,
          out: Any = None, cancel: Optional[Flag] = None, left: Any = None, up: Any = None, down_right: Any = None,
          down_left: Any = None, up_left: Any = None, up_right: Any = None, **options: Any) -> PartResult:
    """tilecut.maxflow_grid() in parts: tilecut_part_solve(). Capacities as of tilecut.Graph, of own rows and halo; else
    as segment()."""
    keep: list = []
    with _visit(exchange):
        arrays, size = image_arrays(keep, source=source, sink=sink, right=right, down=down, left=left, up=up,
                                    down_right=down_right, down_left=down_left, up_left=up_left, up_right=up_right)
        flag = flag_of(cancel)
        return _solved_image(library.tilecut_part_solve, exchange, (height, first, rows), (ctypes.byref(arrays),),
                             params_of(options, flag, keep), size, out, flag, keep)


def segment_volume(volume: Any, seeds: Any, exchange: Exchange, depth: int, first: int, slices: int, *,
                   spacing: Optional[Sequence[float]] = None, low: float = 0, high: float = 0, out: Any = None,
                   cancel: Optional[Flag] = None, **options: Any) -> PartResult:
    """tilecut.segment_volume() in parts: tilecut_part_volume_segment(). All parts call it at the same time.

    depth, first and slices count slices as height, first and rows of segment() count rows; spacing, low and high as of
    tilecut.segment_volume(), the same in all parts; out is without gaps. The rest as of segment()."""
    keep: list = []
    with _visit(exchange):
        voxels, size = _described(volume, spacing, low, high, keep)
        labels = _labels(seeds, size, keep)
        params = params_of(options, flag := flag_of(cancel), keep)
        mask, address = _mask_for(out, size, keep)
        return _solved(library.tilecut_part_volume_segment, exchange, (depth, first, slices),
                       (ctypes.byref(voxels), labels), params, mask, address, flag)


def volume_range(volume: Any, exchange: Exchange, depth: int, first: int, slices: int) -> Tuple[float, float]:
    """tilecut.volume_range() of the whole volume; its parts as in segment_volume(): tilecut_part_volume_range()."""
    found = (ctypes.c_double * 2)()
    with _visit(exchange):
        voxels, _ = _described(volume, None, 0, 0, keep := [])
        call(library.tilecut_part_volume_range, _part(exchange, (depth, first, slices)), ctypes.byref(voxels), found)
    return found[0], found[1]


def solve_volume(source: Any, sink: Any, right: Any, down: Any, back: Any, exchange: Exchange, depth: int, first: int,
                 slices: int, *, left: Any = None, up: Any = None, front: Any = None, out: Any = None,
                 cancel: Optional[Flag] = None, **options: Any) -> PartResult:
    """tilecut.maxflow_volume() in parts: tilecut_part_volume_solve(). Capacities as there, of own slices and halo; the
    rest as of segment_volume()."""
    keep: list = []
    with _visit(exchange):
        arrays, size = volume_arrays(keep, source=source, sink=sink, right=right, down=down, back=back, left=left, up=up,
                                     front=front)
        params = params_of(options, flag := flag_of(cancel), keep)
        mask, address = _mask_for(out, size, keep)
        return _solved(library.tilecut_part_volume_solve, exchange, (depth, first, slices), (ctypes.byref(arrays),), params,
                       mask, address, flag)


def labels(image: Any, seeds: Any, exchange: Exchange, height: int, first: int, rows: int, *, background: int = 0,
           bound_rounds: int = 0, spacing: Optional[Sequence[float]] = None, low: float = 0, high: float = 0, out: Any = None,
           cancel: Optional[Flag] = None, **options: Any) -> Labels:
    """tilecut.labels() in parts: tilecut_part_labels(), and for a volume, where rows means slices,
    tilecut_part_volume_labels(). Energy, bound and pixels are those of the whole. The rest as of segment()."""
    with _visit(exchange):
        place = _Place(image, seeds, options, cancel, spacing, low, high)
        return place.label(library.tilecut_part_volume_labels if place.space else library.tilecut_part_labels,
                           (_part(exchange, (height, first, rows)), *place.given(seeds)), background, bound_rounds, out)


def clean(mask: Any, seeds: Any, exchange: Exchange, height: int, first: int, rows: int, **how: Any) -> Tuple[int, ...]:
    """tilecut.clean() in parts: tilecut_part_clean(). Mask and seeds are of own rows, or slices, and halo; counts are
    of the whole."""
    with _visit(exchange):
        return cleaned(library.tilecut_part_clean, (_part(exchange, (height, first, rows)),), mask, seeds, how)
