# SPDX-License-Identifier: MIT
"""Checks free memory, so that a call that needs too much raises an exception instead of ending the process."""
from __future__ import annotations

import os
import sys
from typing import Iterator, List, Optional

from ._library import InvalidValue, OutOfMemory, whole_number

_LITTLE = 32 << 20


def _lines(path: str) -> List[str]:
    """The lines of a system file; empty if it is missing."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().splitlines()
    except (OSError, ValueError):
        return []


def _number(path: str) -> Optional[int]:
    return next((int(line) for line in _lines(path) if line.isdigit()), None)  # "max": no limit


def _available() -> int:
    """The free memory of the machine, unlimited on systems without /proc/meminfo."""
    told = (line.split() for line in _lines("/proc/meminfo") if line.startswith("MemAvailable:"))
    return next((1024 * int(words[1]) for words in told), sys.maxsize)


def _groups() -> Iterator[str]:
    """The folders of this process's control groups and of the groups above them."""
    for line in _lines("/proc/self/cgroup"):
        _, controllers, path = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        for root in ["/sys/fs/cgroup/memory"] if controllers else ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"]:
            steps = [step for step in path.split("/") if step not in ("", "..")]
            for depth in range(len(steps), -1, -1):
                yield "/".join([root, *steps[:depth]])


def _cached(folder: str) -> int:
    """Cached files count as used memory, but are dropped when memory is needed."""
    pairs = (line.split() for line in _lines(folder + "/memory.stat"))
    return sum(int(words[1]) for words in pairs if words[0] in ("inactive_file", "active_file"))


def _address_space() -> int:
    """What ulimit -v leaves."""
    try:
        import resource
        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit != resource.RLIM_INFINITY:
            return max(0, limit - int(_lines("/proc/self/statm")[0].split()[0]) * os.sysconf("SC_PAGE_SIZE"))
    except (ImportError, IndexError):
        pass
    return sys.maxsize


def free() -> int:
    """The bytes that are free within the limits of the machine, of this process's control groups and of ulimit -v."""
    least = min(_available(), _address_space())
    for folder in _groups():
        for limit, used in (("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes")):
            most, taken = _number(f"{folder}/{limit}"), _number(f"{folder}/{used}")
            if most is not None and taken is not None and most - taken < least:
                least = min(least, max(0, most - max(0, taken - _cached(folder))))
    return least


def check(what: str, need: int, most: Optional[int]) -> None:
    """Raises OutOfMemory if `need` bytes are more than `most`, or if that is None, than the free memory."""
    if most is not None and whole_number(most, "max_memory", 64) < 1:
        raise InvalidValue(f"max_memory is {most}; a number of bytes above 0 is right")
    if most is None and need < _LITTLE:
        return
    room = most or free()
    if need > room:
        raise OutOfMemory(f"{what} takes about {need / 1e6:.1f} MB of memory, but {room / 1e6:.1f} MB " +
                          ("are free" if most is None else "are allowed by max_memory"))
