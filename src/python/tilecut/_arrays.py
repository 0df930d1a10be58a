# SPDX-License-Identifier: MIT
"""Gives pointers, shapes and strides of arrays of any kind. It does not need NumPy, and copies nothing if the layout
fits."""
import ctypes
import math
import sys


class _Buffer(ctypes.Structure):  # Py_buffer of the stable ABI
    _fields_ = [("buf", ctypes.c_void_p), ("obj", ctypes.py_object), ("len", ctypes.c_ssize_t), ("itemsize", ctypes.c_ssize_t),
                ("readonly", ctypes.c_int), ("ndim", ctypes.c_int), ("format", ctypes.c_char_p),
                *((name, ctypes.POINTER(ctypes.c_ssize_t)) for name in ("shape", "strides", "suboffsets")),
                ("internal", ctypes.c_void_p)]


class _Tensor(ctypes.Structure):  # DLTensor of dlpack.h
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


_ON_HOST = (1, 3)  # kDLCPU; kDLCUDAHost, pinned
_ON_CUDA = (2, 13)  # kDLCUDA, kDLCUDAManaged
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.argtypes, _pointer.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
_get = ctypes.pythonapi.PyObject_GetBuffer
_get.argtypes = [ctypes.py_object, ctypes.POINTER(_Buffer), ctypes.c_int]
_release = ctypes.pythonapi.PyBuffer_Release
_release.argtypes = [ctypes.POINTER(_Buffer)]
_WRITABLE, _FORMAT, _STRIDES = 0x1, 0x4, 0x18

# Letters of the struct module -> (kind, bytes); NumPy's typestr has another notation for the same.
_LETTERS = {"?": ("b", 1), "c": ("u", 1), "b": ("i", 1), "B": ("u", 1), "h": ("i", 2), "H": ("u", 2), "i": ("i", 4),
            "I": ("u", 4), "l": ("i", ctypes.sizeof(ctypes.c_long)), "L": ("u", ctypes.sizeof(ctypes.c_long)),
            "q": ("i", 8), "Q": ("u", 8), "e": ("f", 2), "f": ("f", 4), "d": ("f", 8)}
_OTHERS = {"O": "Python objects", "Zc": "complex numbers", "USsw": "text", "Mm": "dates or times", "TV": "records of fields",
           "g": "long doubles"}


def _letter(text):
    """Converts '<H' to ('u', 2); None for a type that is not a number or has the other byte order."""
    order = text[:1] if text[:1] in "<>=@!|" else "@"
    kind = _LETTERS.get(text.lstrip("<>=@!|") or "B")
    foreign = order in (">!" if sys.byteorder == "little" else "<")
    return None if not kind or (foreign and kind[1] > 1) else kind


def _refusal(text, what):
    held = [name for letters, name in _OTHERS.items() if text.lstrip("0123456789<>=@!|")[:1] in letters]
    return f"{what} holds {held[0] if held else f'elements of the format {text!r}'}; numbers in native byte order are right"


class View:
    """A view of another owner's array: address, shape, strides in bytes, and the type of its elements.

    kind is 'u', 'i', 'f' or 'b' (bool), itemsize in bytes. Holds the owner's buffer until it is released or deleted.
    """

    def __init__(self, owner, what, writable=False):
        self._buffer, self.owner = None, owner
        if getattr(owner, "__cuda_array_interface__", None) is not None:
            raise TypeError(f"{what} is in the memory of a GPU; an array of the host is right, as {what}.cpu() or "
                            f"cupy.asnumpy({what}) give it")
        mask = getattr(owner, "mask", None) if hasattr(owner, "filled") else None
        if mask is not None and mask.any():
            raise TypeError(f"{what} is a masked array, whose mask would not be seen; {what}.filled(VALUE) is right")
        if (self._from_buffer(owner, what, writable) or self._from_interface(owner, what, writable) or
                self._from_dlpack(owner, what)):
            return
        raise TypeError(f"{what} must be an array (NumPy, memoryview, array.array, ...), not {type(owner).__name__}")

    def _from_buffer(self, owner, what, writable):
        buffer = _Buffer()
        try:
            _get(owner, ctypes.byref(buffer), _FORMAT | _STRIDES | (_WRITABLE if writable else 0))
        except (BufferError, ValueError) as error:
            if writable:
                raise ValueError(f"{what} cannot be written: {error}") from None
            return False
        except TypeError:
            return False
        self._buffer = buffer
        text = (buffer.format or b"B").decode("ascii", "replace")
        kind = _letter(text)
        if kind is None:
            raise TypeError(_refusal(text, what))
        self.kind, self.itemsize = kind
        self.address = buffer.buf or 0
        self.shape = tuple(buffer.shape[:buffer.ndim]) if buffer.shape else (buffer.len // self.itemsize,)
        # Arrays of ctypes have no gaps, and no strides.
        self.strides = tuple(buffer.strides[:buffer.ndim]) if buffer.strides else packed(self.shape, self.itemsize)
        return True

    def _from_interface(self, owner, what, writable):
        interface = getattr(owner, "__array_interface__", None)
        if interface is None:
            return False
        data = interface.get("data")
        if not isinstance(data, tuple):  # PIL returns bytes
            self._from_buffer(data, what, writable)
            self.shape = tuple(interface["shape"])
            self.kind, self.itemsize = _typestr(interface["typestr"], what)
            self.strides = packed(self.shape, self.itemsize)
            return True
        self._take(interface, what, writable)
        return True

    def _take(self, interface, what, writable):
        self.address, readonly = interface["data"]
        if writable and readonly:
            raise ValueError(f"{what} cannot be written: it is read-only")
        self.kind, self.itemsize = _typestr(interface["typestr"], what)
        self.shape = tuple(interface["shape"])
        self.strides = tuple(interface.get("strides") or packed(self.shape, self.itemsize))

    def _from_dlpack(self, owner, what):
        """Reads a tensor in host memory by DLPack (array API standard); it stays alive as long as its capsule."""
        if not hasattr(owner, "__dlpack__") or not hasattr(owner, "__dlpack_device__"):
            return False
        if int(owner.__dlpack_device__()[0]) not in _ON_HOST:
            raise TypeError(f"{what} is in the memory of a device; a tensor of the host is right, as {what}.cpu() gives it")
        self._from_capsule(owner.__dlpack__(), what)
        return True

    def _from_capsule(self, capsule, what):
        self._capsule = capsule
        tensor = ctypes.cast(_pointer(capsule, b"dltensor"), ctypes.POINTER(_Tensor)).contents
        kind = {0: "i", 1: "u", 2: "f", 6: "b"}.get(tensor.code)
        if kind is None or tensor.lanes != 1 or tensor.bits % 8:
            raise TypeError(f"{what} has elements that are no plain numbers")
        self.kind, self.itemsize = kind, tensor.bits // 8
        self.address = (tensor.data or 0) + tensor.byte_offset
        self.shape = tuple(tensor.shape[:tensor.ndim])
        self.strides = (tuple(step * self.itemsize for step in tensor.strides[:tensor.ndim]) if tensor.strides
                        else packed(self.shape, self.itemsize))

    def __del__(self):
        buffer, self._buffer = getattr(self, "_buffer", None), None
        if buffer is not None:
            _release(ctypes.byref(buffer))


class DeviceView(View):
    """An array in the memory of a GPU, by DLPack or __cuda_array_interface__.

    stream  the stream that computes its values: a cudaStream_t as a number, 0 for the default one; None: they are ready
    """

    def __init__(self, owner, what, stream=None, writable=False):
        self._buffer, self.owner, self.stream = None, owner, None
        interface = getattr(owner, "__cuda_array_interface__", None)
        if hasattr(owner, "__dlpack__") and hasattr(owner, "__dlpack_device__"):
            # The owner finishes its own work before ours on that stream; 1 is the default stream.
            self._from_capsule(owner.__dlpack__(stream=stream or 1), what)
        elif interface is not None:
            if interface.get("mask") is not None:
                raise TypeError(f"{what} is a masked array; one without a mask is right")
            self._take(interface, what, writable)
            self.stream = 0 if interface.get("stream") == 1 else interface.get("stream")
        else:
            raise TypeError(f"{what} has neither __dlpack__ nor __cuda_array_interface__")


def on_device(owner):
    """True if an array is in the memory of a GPU."""
    if getattr(owner, "__cuda_array_interface__", None) is not None:
        return True
    device = getattr(owner, "__dlpack_device__", None)
    return device is not None and int(device()[0]) in _ON_CUDA


def _typestr(text, what):
    kind, foreign = text[1], text[0] == (">" if sys.byteorder == "little" else "<")
    if kind not in "uifb" or (foreign and text[2:] != "1"):
        raise TypeError(_refusal(text, what))
    return kind, int(text[2:])


def packed(shape, itemsize):
    """The strides of an array without gaps."""
    strides, step = [], itemsize
    for length in reversed(shape):
        strides.append(step)
        step *= length
    return tuple(reversed(strides))


def type_name(view):
    return {"u": "uint", "i": "int", "f": "float", "b": "bool"}[view.kind] + ("" if view.kind == "b" else str(8 * view.itemsize))


def rows(owner, what):
    """A view whose rows may have gaps between them, but whose elements within a row have none. Any other layout
    (reversed, transposed, every second one) is copied."""
    view = View(owner, what)
    shape, strides, step = view.shape, view.strides, view.itemsize
    fits = view.address % step == 0
    for length, stride in zip(shape[:0:-1], strides[:0:-1]):
        fits = fits and (length <= 1 or stride == step)
        step *= length
    if shape and shape[0] > 1:
        fits = fits and strides[0] >= step and strides[0] % view.itemsize == 0
    return view if fits else _copy(owner, view, what)


def whole(owner, what):
    """A view without gaps; any other layout is copied."""
    view = View(owner, what)
    fits = all(n <= 1 or s == t for n, s, t in zip(view.shape, view.strides, packed(view.shape, view.itemsize)))
    return view if fits and view.address % view.itemsize == 0 else _copy(owner, view, what)


def packed_of(array, what, size, kinds, itemsize, keep, wanted):
    """A view of that shape and type without gaps, kept alive by `keep`; any other layout is copied."""
    view = View(array, what)
    if view.shape != size:
        raise ValueError(f"{what} has the shape {view.shape}; {size} is right")
    if view.kind not in kinds or view.itemsize != itemsize:
        raise TypeError(f"{what} is {type_name(view)}; {wanted} is right")
    keep.append(whole(array, what))
    return keep[-1]


def _copy(owner, view, what):
    copy = View(bytearray(_tobytes(owner, view)), what)
    copy.kind, copy.itemsize, copy.shape = view.kind, view.itemsize, view.shape
    copy.strides = packed(view.shape, view.itemsize)
    return copy


def _tobytes(owner, view):
    try:
        return memoryview(owner).tobytes()
    except (TypeError, NotImplementedError):
        return owner.tobytes() if hasattr(owner, "tobytes") else _gather(view, view.address, 0)


def _gather(view, address, dimension):
    """Returns the elements in order, whatever their strides."""
    rest = view.shape[dimension:]
    if view.strides[dimension:] == packed(rest, view.itemsize):
        return ctypes.string_at(address, view.itemsize * math.prod(rest))
    return b"".join(_gather(view, address + i * view.strides[dimension], dimension + 1) for i in range(rest[0]))


def new(shape, itemsize=1, letter="B"):
    """A new array of zeros: NumPy's if the caller has loaded NumPy, else a memoryview."""
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        return numpy.zeros(shape, f"{'u' if letter in 'BH' else 'i'}{itemsize}")
    return memoryview(bytearray(itemsize * math.prod(shape))).cast("B").cast(letter, shape)
