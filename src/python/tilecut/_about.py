# SPDX-License-Identifier: MIT
"""Lists what is built in: solvers, colour models, devices."""
from __future__ import annotations

import ctypes
import itertools
from typing import Any, List, NamedTuple

from ._library import check, library, shown, whole_number


class Solver(NamedTuple):
    """A row of the table of solvers: name, description, "cpu" or "cuda", and the most pixels that it takes."""

    name: str
    summary: str
    device: str
    nodes: int


def solvers() -> List[str]:
    """The names of the solvers that are built in."""
    return _names(library.tilecut_solver_name)


def solver(name: str) -> Solver:
    """Describes a solver. Raises ValueError for a name that is not built in."""
    known = solvers()
    if not isinstance(name, str) or name not in known:
        raise ValueError(f"there is no solver {shown(name)}; there are {', '.join(known)}")
    at = known.index(name)
    return Solver(name, library.tilecut_solver_summary(at).decode(), library.tilecut_solver_device(at).decode(),
                  library.tilecut_solver_nodes(at))


def colors() -> List[str]:
    """The names of the colour models; the first is the default."""
    return _names(library.tilecut_colors_name)


def cuda_built() -> bool:
    """True if the solvers for GPUs are in this build."""
    return bool(library.tilecut_cuda_built())


def cuda_devices() -> int:
    """The number of GPUs that this process sees."""
    return library.tilecut_cuda_devices()


def cuda_device(index: int = 0) -> str:
    """The name of a GPU, if it can be used. Raises DeviceError, ValueError."""
    name = ctypes.create_string_buffer(256)
    check(library.tilecut_cuda_device(whole_number(index, "index"), name, len(name)))
    return name.value.decode("utf-8", "replace")


def cuda_memory(index: int = 0) -> int:
    """The bytes of a GPU's memory that are free; 0 if there is no such GPU."""
    return library.tilecut_cuda_memory(whole_number(index, "index"))


def cuda_reaches(device: int, other: int) -> bool:
    """True if a GPU can read the memory of another one directly. Otherwise data between them pass through the host."""
    return bool(library.tilecut_cuda_reaches(whole_number(device, "device"), whole_number(other, "other")))


def nccl_version() -> int:
    """The version of NCCL that parts on several GPUs may use, such as 22803 for 2.28.3; 0 if there is none."""
    return library.tilecut_nccl_version()


def _names(function: Any) -> List[str]:
    return [name.decode() for name in itertools.takewhile(bool, map(function, itertools.count()))]
