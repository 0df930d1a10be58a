# SPDX-License-Identifier: MIT
"""The shared library: where it is, how it is called, and what its statuses become."""
import ctypes
import ctypes.util
import os
import threading

from . import _header as c


class Error(Exception):
    """What the library refuses or fails at; the text is the library's own sentence."""


class InvalidValue(Error, ValueError):
    """An argument breaks its contract, or a capacity is too large to be held exactly."""


class SeedsError(Error, ValueError):
    """The seeds cannot give a cut: a class is missing."""


class DeviceError(Error, RuntimeError):
    """Built without that device, none is usable, or a call to it failed."""


class Cancelled(Error, RuntimeError):
    """The flag that was handed in was raised."""


class Unproven(Error, RuntimeError):
    """The answer failed its certificate, and is not handed out: a bug in a solver."""


class OutOfMemory(Error, MemoryError):
    """No memory on the host or on the device."""


ERRORS = {
    c.TILECUT_EINVAL: InvalidValue, c.TILECUT_ESEEDS: SeedsError, c.TILECUT_ENOMEM: OutOfMemory,
    c.TILECUT_ERANGE: InvalidValue, c.TILECUT_ENODEVICE: DeviceError, c.TILECUT_EDEVICE: DeviceError,
    c.TILECUT_ECANCELLED: Cancelled, c.TILECUT_EUNPROVEN: Unproven,
}


def candidates():
    """Where the library may be: named, in the package, where the system has it."""
    name = f"libtilecut.so.{c.TILECUT_SOVERSION}"
    named = os.environ.get("TILECUT_LIBRARY")
    if named:
        return [named]
    return [os.path.join(os.path.dirname(os.path.abspath(__file__)), name), name]


def load():
    reasons = []
    for path in candidates():
        try:
            library = ctypes.CDLL(path)
            break
        except OSError as error:
            reasons.append(str(error))
    else:
        raise ImportError("tilecut: the shared library was not found: " + "; ".join(reasons) +
                          "; set TILECUT_LIBRARY to its path")
    for name, (result, arguments) in c.FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


library = load()


def failure(status):
    """The exception for a status, with the sentence of this thread's last failure."""
    text = library.tilecut_error_detail().decode("utf-8", "replace")
    return ERRORS.get(status, Error)(text or library.tilecut_strerror(status).decode())


def check(status):
    if status != c.TILECUT_OK:
        raise failure(status)


class Flag:
    """A request to stop, for `cancel=` of every function that cuts. May be raised from any thread."""

    def __init__(self):
        self.struct = c.tilecut_flag()

    def raise_(self) -> None:
        library.tilecut_flag_raise(ctypes.byref(self.struct))

    def lower(self) -> None:
        library.tilecut_flag_lower(ctypes.byref(self.struct))

    def __bool__(self) -> bool:
        return bool(library.tilecut_flag_raised(ctypes.byref(self.struct)))


def call(function, *arguments, cancel=None):
    """Calls a function that returns a status, and raises what that becomes.

    ctypes gives the lock up meanwhile. In the main thread the work is done by another one, so that Ctrl-C is seen at
    once: the flag is raised, the call ends soon, and KeyboardInterrupt goes on its way.
    """
    if cancel is None or threading.current_thread() is not threading.main_thread():
        check(function(*arguments))
        return
    outcome = []

    def work():
        status = function(*arguments)
        outcome.append(None if status == c.TILECUT_OK else failure(status))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        thread.join()
    except BaseException:
        cancel.raise_()
        thread.join()
        cancel.lower()
        raise
    if outcome[0] is not None:
        raise outcome[0]


class Owner:
    """Has a graph and perhaps a session of the library, and gives both back: at once with close() or `with`."""

    _graph: ctypes.c_void_p
    _session: ctypes.c_void_p
    _keep: list

    def close(self) -> None:
        session, self._session = self._session, ctypes.c_void_p()
        graph, self._graph = self._graph, ctypes.c_void_p()
        library.tilecut_session_destroy(session)
        library.tilecut_graph_destroy(graph)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_session", None) is not None:
            self.close()
