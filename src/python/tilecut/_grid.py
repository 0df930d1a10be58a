# SPDX-License-Identifier: MIT
"""Grids with the caller's own capacities."""
from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Optional, Sequence, Tuple

from . import _header as c
from ._arrays import View, new, packed_of
from ._library import Flag, Owner, call, flag_of, library
from ._segment import add_prior, how_sure, image_of, labels_of, mask_for, new_report, params_of, plane_of, report_of

LINKS = ("right", "down", "down_right", "down_left")


class GridResult(NamedTuple):
    """The result of a minimum cut of a grid.

    mask    (height, width) uint8: 255 where a pixel is on the source's side, 0 on the sink's
    flow    maximum flow = cost of the cut, in the units of the capacities
    report  all other values, by their names in tilecut_report
    flows   with flows=True: the flow on each link, by name: source, sink, right, down, ...; int32
    """

    mask: Any
    flow: int
    report: dict
    flows: Optional[dict] = None


BACK = {"right": "left", "down": "up", "down_right": "up_left", "down_left": "up_right", "back": "front"}


def arrays_of(given, names, struct, axes, keep):
    """Returns `struct`, tilecut_arrays or tilecut_volume_arrays, and the size along its axes. `given` has the
    capacities by argument name, None where there are none."""
    size = View(given["source"], "source").shape
    if len(size) != len(axes):
        raise ValueError(f"source has the shape {size}; ({', '.join(axes)}) is right")
    at = {name: None if plane is None else packed_of(plane, name, size, "iu", 4, keep, "int32").address
          for name, plane in given.items()}
    arrays = struct(size=ctypes.sizeof(struct), source=at["source"], sink=at["sink"], **dict(zip(axes, size)))
    for k, name in enumerate(names):
        arrays.to[k], getattr(arrays, "from")[k] = at[name], at[BACK[name]]
    return arrays, size


def image_arrays(keep, **given):
    return arrays_of(given, LINKS, c.tilecut_arrays, ("height", "width"), keep)


class Graph(Owner):
    """A grid of (height, width) pixels with the caller's own capacities: tilecut_graph_create().

    source, sink      int32 (height, width): capacities from the source to a pixel and from a pixel to the sink
    right, down       int32 (height, width): links to the right and down; those out of the image are ignored
    left, up          the reverse links, at the pixel where the forward link begins; None: equal to the forward ones
    down_right, down_left, up_left, up_right
                      both forward ones make it 8 neighbours

    Packed arrays are not copied; they must not change while the graph lives, except source and sink (see solve()).
    """

    size: Tuple[int, int]
    connectivity: int

    def __init__(self, source: Any, sink: Any, right: Any, down: Any, *, left: Any = None, up: Any = None,
                 down_right: Any = None, down_left: Any = None, up_left: Any = None, up_right: Any = None) -> None:
        super().__init__()
        arrays, self.size = image_arrays(self._keep, source=source, sink=sink, right=right, down=down, left=left, up=up,
                                         down_right=down_right, down_left=down_left, up_left=up_left, up_right=up_right)
        self.connectivity = 8 if down_right is not None else 4
        call(library.tilecut_graph_create, ctypes.byref(self._graph), ctypes.byref(arrays))

    @classmethod
    def from_image(cls, image: Any, seeds: Any = None, *, box: Optional[Sequence[float]] = None, prior: Any = None,
                   cancel: Optional[Flag] = None, **options: Any) -> "Graph":
        """The graph that segment() cuts first, to read its capacities or to solve it with several solvers:
        tilecut_graph_from_image(). Arguments as of segment()."""
        graph = cls.__new__(cls)
        Owner.__init__(graph)
        picture = image_of(image, graph._keep)
        graph.size = (picture.height, picture.width)
        labels = labels_of(seeds, box, prior, graph.size, graph._keep)
        params = params_of(options, flag := flag_of(cancel), graph._keep)
        add_prior(params, prior, graph.size, graph._keep)
        params.seeds_stride = labels.strides[0] if graph.size[0] > 1 else 0
        call(library.tilecut_graph_from_image, ctypes.byref(graph._graph), ctypes.byref(picture), labels.address,
             ctypes.byref(params), cancel=flag)
        told = (ctypes.c_int * 3)()
        library.tilecut_graph_size(graph._graph, *[ctypes.addressof(told) + k * ctypes.sizeof(ctypes.c_int) for k in range(3)])
        graph.connectivity = told[2]
        return graph

    @property
    def quantum(self) -> float:
        """Units of the model in one unit of capacity; 1 for the caller's own capacities."""
        return library.tilecut_graph_quantum(self._graph)

    def capacities(self) -> dict:
        """Copies of all capacities, int32 (height, width), by their argument names. Links out of the image are
        0. C: tilecut_graph_row()."""
        names = ("source", "sink") + tuple(n for f in LINKS[:self.connectivity // 2] for n in (f, BACK[f]))
        out = {name: new(self.size, 4, "i") for name in names}
        at = {name: View(plane, name, writable=True).address for name, plane in out.items()}
        for y in range(self.size[0]):
            there = {name: address + 4 * y * self.size[1] for name, address in at.items()}
            row = c.tilecut_row(size=ctypes.sizeof(c.tilecut_row), source=there["source"], sink=there["sink"])
            for k, name in enumerate(LINKS[:self.connectivity // 2]):
                row.to[k], getattr(row, "from")[k] = there[name], there[BACK[name]]
            call(library.tilecut_graph_row, self._graph, y, ctypes.byref(row))
        return out

    def solve(self, *, out: Any = None, cancel: Optional[Flag] = None, flows: bool = False, warm: bool = False,
              **options: Any) -> GridResult:
        """The minimum cut. options: solver, threads, device. With warm=True it starts from the flow of the last solve
        with warm=True; source and sink may have been changed in place meanwhile."""
        keep: list = []
        params = params_of(options, flag := flag_of(cancel), keep)
        mask, view = mask_for(out, self.size, keep)
        params.mask_stride = view.strides[0] if self.size[0] > 1 else 0
        report = new_report()
        if warm and not self._session:
            call(library.tilecut_session_create, ctypes.byref(self._session), self._graph)
        told, flow = self._flows(keep) if flows else (None, ())
        function = library.tilecut_session_solve if warm else library.tilecut_graph_solve
        call(library.tilecut_graph_flow if flows else function, self._session if warm and not flows else self._graph,
             ctypes.byref(params), view.address, *flow, ctypes.byref(report), cancel=flag)
        return GridResult(mask, report.flow, report_of(report), told)

    def confidence(self, mask: Any, *, cancel: Optional[Flag] = None, **options: Any) -> Tuple[Any, Any]:
        """The confidence in a mask of this graph, from solve() or changed: tilecut_confidence(). options: threads.

        Returns the same as Session.confidence().
        """
        keep: list = []
        params = params_of(options, flag := flag_of(cancel), keep)
        view = plane_of(mask, "mask", self.size, keep)
        params.mask_stride = view.strides[0] if self.size[0] > 1 else 0
        return how_sure(library.tilecut_confidence, self.size, self._graph, view.address, ctypes.byref(params), cancel=flag)

    def _flows(self, keep):
        told, flow = {}, c.tilecut_flow(size=ctypes.sizeof(c.tilecut_flow))
        for name in ("source", "sink") + LINKS[:self.connectivity // 2]:
            told[name] = new(self.size, 4, "i")
            keep.append(View(told[name], name, writable=True))
            if name in LINKS:
                flow.to[LINKS.index(name)] = keep[-1].address
            else:
                setattr(flow, name, keep[-1].address)
        return told, (ctypes.byref(flow),)


def maxflow_grid(source: Any, sink: Any, right: Any, down: Any, *, flows: bool = False, out: Any = None,
                 cancel: Optional[Flag] = None, left: Any = None, up: Any = None, down_right: Any = None,
                 down_left: Any = None, up_left: Any = None, up_right: Any = None, **options: Any) -> GridResult:
    """Maximum flow and minimum cut of a grid in one call. Capacities as of Graph, options as of Graph.solve()."""
    with Graph(source, sink, right, down, left=left, up=up, down_right=down_right, down_left=down_left, up_left=up_left,
               up_right=up_right) as graph:
        return graph.solve(out=out, cancel=cancel, flows=flows, **options)
