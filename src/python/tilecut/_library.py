# SPDX-License-Identifier: MIT
"""Loads the shared library, calls it, and turns its statuses into exceptions."""
import _thread
import ctypes
import ctypes.util
import os
import threading
from typing import Any, TypeVar

from . import _header as c


class Error(Exception):
    """The library refused a call or failed; the text is its own sentence."""


class InvalidValue(Error, ValueError):
    """An argument breaks its contract, or a capacity is too large to be exact."""


class SeedsError(Error, ValueError):
    """The seeds do not define a cut: a class is missing."""


class DeviceError(Error, RuntimeError):
    """The device is not in this build or not usable, or a call to it failed."""


class Cancelled(Error, RuntimeError):
    """The caller's flag was raised."""


class Unproven(Error, RuntimeError):
    """The answer failed its certificate and is not returned: a bug in a solver."""


class OutOfMemory(Error, MemoryError):
    """Memory ran out on the host or on the device."""


ERRORS = {c.TILECUT_EINVAL: InvalidValue, c.TILECUT_ESEEDS: SeedsError, c.TILECUT_ENOMEM: OutOfMemory,
          c.TILECUT_ERANGE: InvalidValue, c.TILECUT_ENODEVICE: DeviceError, c.TILECUT_EDEVICE: DeviceError,
          c.TILECUT_ECANCELLED: Cancelled, c.TILECUT_EUNPROVEN: Unproven}


def file_name(library, number):
    return f"{library}-{number}.dll" if os.name == "nt" else f"{library}.so.{number}"


def candidates():
    """Where the library may be: a named path, the package, the system."""
    name = file_name("libtilecut", c.TILECUT_SOVERSION)
    named = os.environ.get("TILECUT_LIBRARY")
    return [named] if named else [os.path.join(os.path.dirname(os.path.abspath(__file__)), name), name]


def load():
    reasons = []
    for path in candidates():
        try:
            library = ctypes.CDLL(path)
            break
        except OSError as error:
            reasons.append(str(error))
    else:
        raise ImportError("tilecut: the shared library was not found: " + "; ".join(reasons) + "; set TILECUT_LIBRARY to its path")
    for name, (result, arguments) in c.FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


library = load()


def failure(status):
    """Makes the exception for a status, with the sentence of this thread's last failure."""
    text = library.tilecut_error_detail().decode("utf-8", "replace")
    return ERRORS.get(status, Error)(text or library.tilecut_strerror(status).decode())


def check(status):
    if status != c.TILECUT_OK:
        raise failure(status)


class Flag:
    """A request to stop, for `cancel=` of every function that cuts. Any thread may raise it."""

    def __init__(self):
        self.struct = c.tilecut_flag()

    def raise_(self) -> None:
        library.tilecut_flag_raise(ctypes.byref(self.struct))

    def lower(self) -> None:
        library.tilecut_flag_lower(ctypes.byref(self.struct))

    def __bool__(self) -> bool:
        return bool(library.tilecut_flag_raised(ctypes.byref(self.struct)))


def shown(value):
    """The value as one short line, for messages."""
    return " ".join(repr(value).split())[:80]


def whole_number(value, what, bits=32):
    """The value as an int of at most `bits` bits; raises InvalidValue if it is larger, as ctypes would drop bits."""
    if type(value).__name__.startswith("bool") or not hasattr(value, "__index__") or getattr(value, "shape", ()):
        raise TypeError(f"{what} is {shown(value)}, which is no whole number")
    if not -2 ** (bits - 1) <= value.__index__() < 2 ** (bits - 1):
        raise InvalidValue(f"{what} is {shown(value)}, which is beyond all bounds")
    return value.__index__()


def flag_of(cancel):
    """Returns the caller's flag, or a new one. A flag that is not raised is false, so `or` would take it for None."""
    if cancel is None:
        return Flag()
    if not isinstance(cancel, Flag):
        raise TypeError(f"cancel is {shown(cancel)}; a tilecut.Flag is right")
    return cancel


def call(function, *arguments, cancel=None):
    """Calls a function that returns a status, and raises its exception.

    ctypes releases the lock meanwhile. The main thread leaves the work to another thread, so that it sees Ctrl-C at
    once: it raises the flag, the call ends soon, and KeyboardInterrupt continues. Arrays are held until then.
    """
    if cancel is None or threading.current_thread() is not threading.main_thread():
        check(function(*arguments))
        return
    outcome, done = [], _thread.allocate_lock()
    done.acquire()

    def work():
        try:
            status = function(*arguments)
            outcome.append(None if status == c.TILECUT_OK else failure(status))
        except BaseException as error:  # arguments that ctypes refuses
            outcome.append(error)
        finally:
            done.release()

    try:
        try:
            _thread.start_new_thread(work, ())
        except RuntimeError:  # no more threads
            work()
        done.acquire()
    except BaseException:
        cancel.raise_()
        _wait(done)
        cancel.lower()
        raise
    if outcome[0] is not None:
        raise outcome[0]


def _wait(lock):
    """Wait for the release in any case: until then the library writes to the caller's arrays."""
    while True:
        try:
            return lock.acquire()
        except BaseException:
            pass


_ZERO_MEANS_NONE = ("lambda", "spatial", "prior_weight", "overlap", "time", "carry")


def fill(struct, options, names, keep):
    """Sets fields of a struct by keyword. `names`: the options and their types. `keep` receives objects that must
    outlive the call. TypeError for an unknown option or a value of another type, ValueError for one out of range."""
    for name, value in options.items():
        field = name.rstrip("_") if name == "lambda_" else name
        if field not in names:
            raise TypeError(f"there is no option {name!r}; there are {', '.join(sorted(names))}")
        kind = names[field]
        if kind is ctypes.c_char_p and value is not None:
            if "\0" in str(value):
                raise InvalidValue(f"{name} is {shown(value)}, which is no name")
            value = str(value).encode()
            keep.append(value)
        if field in _ZERO_MEANS_NONE and value == 0 and value is not False:
            value = c.TILECUT_NONE  # in Python 0 means zero; in C a field of 0 means the default
        try:
            setattr(struct, field, value)
        except TypeError:
            raise TypeError(f"{name} is {shown(value)}, which is no {_wanted(kind)}") from None
        if kind in (ctypes.c_int, ctypes.c_int64) and getattr(struct, field) != value:
            raise InvalidValue(f"{name} is {shown(value)}, which is beyond all bounds")


def _wanted(kind):
    return {ctypes.c_double: "number", ctypes.c_char_p: "name"}.get(kind, "whole number")


def plain(struct, leave=()):
    """The fields of a report as a dict, with text as str."""
    values = ((name, getattr(struct, name)) for name, _ in struct._fields_ if name != "size" and name not in leave)
    return {name: value.decode() if isinstance(value, bytes) else value for name, value in values}


_Some = TypeVar("_Some", bound="Owner")


class Owner:
    """Owns objects of the library, and frees them at once with close() or `with`."""

    _owns = {"_session": library.tilecut_session_destroy, "_graph": library.tilecut_graph_destroy}  # in this order
    _graph: ctypes.c_void_p
    _session: ctypes.c_void_p
    _keep: list

    def __init__(self) -> None:
        for name in self._owns:
            setattr(self, name, ctypes.c_void_p())
        self._keep = []

    def close(self) -> None:
        """Frees the memory; no other call may follow."""
        owned = [(destroy, getattr(self, name)) for name, destroy in self._owns.items()]
        for name in self._owns:
            setattr(self, name, ctypes.c_void_p())
        for destroy, handle in owned:
            destroy(handle)

    def __enter__(self: _Some) -> _Some:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_keep"):
            self.close()
