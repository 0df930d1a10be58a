# SPDX-License-Identifier: MIT
"""Foreground/background segmentation by minimum cut, exactly: the mask is proven, and it is the same on every machine.

    import numpy, tilecut
    seeds = numpy.zeros(image.shape[:2], numpy.uint8)
    seeds[40:60, 40:60] = tilecut.FOREGROUND
    seeds[:5] = tilecut.BACKGROUND
    result = tilecut.segment(image, seeds)
    result.mask, result.flow == result.cut

The functions correspond to the headers: segment() is tilecut_segment(), Session is tilecut_session, Graph is
tilecut_graph, segment_volume() is tilecut_volume_segment(), tilecut.network has graphs of any shape, and tilecut.parts
cuts one image in several processes. tilecut.maxflow, tilecut.cv, tilecut.segmentation, tilecut.numpymaxflow and
tilecut.torchmaxflow have the interfaces of other packages.
"""
import importlib

from ._about import (Solver, colors, cuda_built, cuda_device, cuda_devices, cuda_memory, cuda_reaches, nccl_version, solver,
                     solvers)
from ._files import FileError, Score, read_image, read_seeds, score, write_mask
from ._grid import Graph, GridResult, maxflow_grid
from ._header import (TILECUT_BACKGROUND as BACKGROUND, TILECUT_FOREGROUND as FOREGROUND, TILECUT_OUTSIDE as OUTSIDE,
                      TILECUT_UNKNOWN as UNKNOWN)
from ._library import (Cancelled, DeviceError, Error, Flag, InvalidValue, OutOfMemory, SeedsError, Unproven, library)
from ._matte import clean, edge, matte, matte_band, matte_colors, outline_moved, snap
from ._show import Picture, show
from ._segment import Change, Result, Session, segment
from ._film import Film
from ._labels import CorrectedLabels, Labels, LabelsSession, correct_labels, labels, refine_labels, solve_labels
from ._volume import VolumeSession, maxflow_volume, segment_volume, volume_capacities, volume_confidence, volume_moved, volume_range, volume_window

__version__ = library.tilecut_version().decode()


def __getattr__(name):
    if name in ("cv", "maxflow", "network", "numpymaxflow", "parts", "segmentation", "torchmaxflow"):  # most load NumPy
        return importlib.import_module("." + name, __name__)
    raise AttributeError(f"module 'tilecut' has no attribute {name!r}")


__all__ = ["segment", "Session", "Graph", "maxflow_grid", "segment_volume", "VolumeSession", "maxflow_volume",
           "volume_capacities", "volume_confidence", "volume_moved", "volume_range", "volume_window", "labels", "correct_labels", "refine_labels", "solve_labels", "Labels", "LabelsSession", "CorrectedLabels", "Film", "edge", "matte_band", "matte", "matte_colors", "outline_moved", "snap", "Result", "Change", "GridResult", "Flag",
           "Solver", "solver", "solvers", "colors", "cuda_built", "cuda_devices", "cuda_device",
           "cuda_memory", "cuda_reaches", "nccl_version", "UNKNOWN", "BACKGROUND", "FOREGROUND", "OUTSIDE", "Error", "InvalidValue", "SeedsError", "DeviceError", "Cancelled",
           "Unproven", "OutOfMemory", "FileError", "Score", "clean", "read_image", "read_seeds", "score", "write_mask", "show", "Picture"]
