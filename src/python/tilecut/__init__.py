# SPDX-License-Identifier: MIT
"""Foreground/background segmentation by minimum cut, exactly: the mask is proven, and the same on every machine.

    import numpy, tilecut
    seeds = numpy.zeros(image.shape[:2], numpy.uint8)
    seeds[40:60, 40:60] = tilecut.FOREGROUND
    seeds[:5] = tilecut.BACKGROUND
    result = tilecut.segment(image, seeds)
    result.mask, result.flow == result.cut

One to one with tilecut.h: segment() is tilecut_segment(), Session is tilecut_session, Graph is tilecut_graph from arrays.
tilecut.maxflow, tilecut.cv, tilecut.numpymaxflow and tilecut.torchmaxflow have the interfaces of other packages.
"""
import importlib
from typing import List

from ._files import FileError, Score, read_image, read_seeds, score, write_mask
from ._grid import Graph, GridResult, maxflow_grid
from ._header import (TILECUT_BACKGROUND as BACKGROUND, TILECUT_FOREGROUND as FOREGROUND, TILECUT_OUTSIDE as OUTSIDE,
                      TILECUT_UNKNOWN as UNKNOWN)
from ._library import (Cancelled, DeviceError, Error, Flag, InvalidValue, OutOfMemory, SeedsError, Unproven, library)
from ._segment import Change, Result, Session, segment

__version__ = library.tilecut_version().decode()


def solvers() -> List[str]:
    """Names of the solvers that are built in."""
    return _names(library.tilecut_solver_name)


def colors() -> List[str]:
    """Names of the colour models; the first is the default."""
    return _names(library.tilecut_colors_name)


def __getattr__(name):
    if name in ("cv", "maxflow", "numpymaxflow", "torchmaxflow"):  # they need NumPy, so they wait until they are asked for
        return importlib.import_module("." + name, __name__)
    raise AttributeError(f"module 'tilecut' has no attribute {name!r}")


def _names(function):
    names = []
    while True:
        name = function(len(names))
        if name is None:
            return names
        names.append(name.decode())


__all__ = ["segment", "Session", "Graph", "maxflow_grid", "Result", "Change", "GridResult", "Flag", "solvers", "colors", "UNKNOWN",
           "BACKGROUND", "FOREGROUND", "OUTSIDE", "Error", "InvalidValue", "SeedsError", "DeviceError", "Cancelled",
           "Unproven", "OutOfMemory", "FileError", "Score", "read_image", "read_seeds", "score",
           "write_mask"]
