# SPDX-License-Identifier: MIT
"""How much memory is free, so that a call that needs more ends with an exception and not with the process."""
from __future__ import annotations

import os
import sys
from typing import Iterator, Optional

from ._library import InvalidValue, OutOfMemory


_LITTLE = 32 << 20


def _number(path: str) -> Optional[int]:
    try:
        with open(path, encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError):  # "max": no limit
        return None


def _available() -> int:
    """Of the machine. Nothing is known of systems without /proc/meminfo."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return 1024 * int(line.split()[1])
    except (OSError, ValueError):
        pass
    return sys.maxsize


def _groups() -> Iterator[str]:
    """Folders of the control groups that this process is in, and of those above."""
    try:
        with open("/proc/self/cgroup", encoding="utf-8") as file:
            lines = file.read().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        for root in ["/sys/fs/cgroup/memory"] if controllers else ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"]:
            steps = [step for step in path.split("/") if step not in ("", "..")]
            for depth in range(len(steps), -1, -1):
                yield "/".join([root, *steps[:depth]])


def _cached(folder: str) -> int:
    """Cached files count as used, but are given up where memory is needed."""
    try:
        with open(folder + "/memory.stat", encoding="ascii") as file:
            pairs = dict(line.split() for line in file)
        return int(pairs.get("inactive_file", 0)) + int(pairs.get("active_file", 0))
    except (OSError, ValueError):
        return 0


def _address_space() -> int:
    """What ulimit -v leaves."""
    try:
        import resource
        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit != resource.RLIM_INFINITY:
            with open("/proc/self/statm", encoding="ascii") as file:
                return max(0, limit - int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE"))
    except (ImportError, OSError, ValueError):
        pass
    return sys.maxsize


def free() -> int:
    """Bytes that are free: of the machine, of the control groups that this process is in, and of ulimit -v."""
    least = min(_available(), _address_space())
    for folder in _groups():
        for limit, used in (("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes")):
            most, taken = _number(f"{folder}/{limit}"), _number(f"{folder}/{used}")
            if most is not None and taken is not None and most - taken < least:
                least = min(least, max(0, most - max(0, taken - _cached(folder))))
    return least


def check(what: str, need: int, most: Optional[int]) -> None:
    """OutOfMemory if `need` bytes are more than `most`; None: than what is free, which is asked for where it matters."""
    if most is not None and (isinstance(most, bool) or not hasattr(most, "__index__")):
        raise TypeError(f"max_memory is {most!r}; a whole number of bytes is right")
    if most is not None and most.__index__() < 1:
        raise InvalidValue(f"max_memory is {most}; a number of bytes above 0 is right")
    if most is None and need < _LITTLE:
        return
    room = free() if most is None else most.__index__()
    if need > room:
        raise OutOfMemory(f"{what} takes about {need / 1e6:.1f} MB of memory, but {room / 1e6:.1f} MB " +
                          ("are free" if most is None else "are allowed by max_memory"))
