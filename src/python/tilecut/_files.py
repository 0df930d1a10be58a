# SPDX-License-Identifier: MIT
"""Seeds and pictures in files, and scores, by the program's own code (libtilecut-files.so). It is loaded on the first
call, because it needs the shared libraries of picture formats."""
from __future__ import annotations

import ctypes
import os
import warnings
from typing import Any, NamedTuple, Optional, Sequence, Tuple, Union

from ._arrays import View, new
from ._library import Error, InvalidValue, OutOfMemory, SeedsError, candidates, file_name, shown
from ._segment import image_of

_Path = Union[str, "os.PathLike[str]"]


class FileError(Error, OSError):
    """A file is missing, unreadable, damaged or of a kind that cannot be read."""


class _Picture(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("channels", ctypes.c_int), ("depth", ctypes.c_int),
                ("pixels", ctypes.c_void_p)]


class _Reading(ctypes.Structure):
    _fields_ = [("paths", ctypes.POINTER(ctypes.c_char_p)), ("count", ctypes.c_int),
                *((name, ctypes.c_char_p) for name in ("format", "fg_color", "bg_color", "conflict", "label", "yolo")),
                *((name, ctypes.c_int) for name in ("tolerance", "band", "strict")),
                ("brush", ctypes.c_double), ("box", ctypes.POINTER(ctypes.c_double))]


class _Figures(ctypes.Structure):
    _fields_ = [("labelled", ctypes.c_int64), ("wrong", ctypes.c_int64), ("error_rate", ctypes.c_double),
                ("iou", ctypes.c_double), ("boundary_f", ctypes.c_double)]


class Score(NamedTuple):
    """How well a mask agrees with ground truth, over the `labelled` pixels that are judged. iou is 1 if both are empty;
    boundary_f is the harmonic mean of precision and recall of boundary pixels, within 0.0075 of the diagonal."""
    error_rate: float
    iou: float
    boundary_f: float
    labelled: int
    wrong: int


_ERRORS = {1: FileError, 2: InvalidValue, 3: FileError, 4: SeedsError, 5: OutOfMemory}
_loaded: Any = None


def _library() -> Any:
    global _loaded
    reasons: list = []
    for path in [] if _loaded else [os.path.join(os.path.dirname(c), file_name("libtilecut-files", 1)) for c in candidates()]:
        try:
            _loaded = ctypes.CDLL(path)
            break
        except OSError as error:
            reasons.append(str(error))
    if not _loaded:
        raise ImportError("tilecut: the shared library for files was not found: " + "; ".join(reasons))
    return _loaded


def _call(name: str, *arguments: Any) -> None:
    sentence = ctypes.create_string_buffer(700)
    status = getattr(_library(), name)(*arguments, sentence, ctypes.c_size_t(len(sentence)))
    text = sentence.value.decode("utf-8", "replace")
    if status:
        raise _ERRORS.get(status, Error)(text)
    if text:
        warnings.warn(text, stacklevel=3)


def _texts(**given: Any) -> list:
    for name in (name for name, text in given.items() if text is not None and not isinstance(text, str)):
        raise TypeError(f"{name} is {shown(given[name])}; a text is right")
    return [None if text is None else text.encode() for text in given.values()]


def _is_path(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike))


def read_image(path: _Path) -> Any:
    """A picture (PNG, JPEG, PNM and all others that the program reads) as an array, upright and without alpha.
    Returns (height, width) or (height, width, 3), uint8 or uint16: NumPy's if that is loaded, else a memoryview. What
    the program would note is a warning. Raises FileError, MemoryError.
    """
    picture = _Picture()
    _call("files_image", os.fsencode(path), ctypes.byref(picture))
    shape: Tuple[int, ...] = (picture.height, picture.width) + ((3,) if picture.channels == 3 else ())
    letter = "B" if picture.depth == 8 else "H"
    out = new(shape, picture.depth // 8, letter)
    view = View(out, "out", writable=True)
    ctypes.memmove(view.address, picture.pixels, picture.width * picture.height * picture.channels * picture.depth // 8)
    _library().files_free(ctypes.byref(picture))
    return out


def _picture(image: Any, keep: list) -> _Picture:
    """Takes an array, or reads a file, as a picture whose rows have no gaps between them."""
    array = read_image(image) if _is_path(image) else image
    found = image_of(array, keep)
    row = found.width * found.channels * found.depth // 8
    pixels = found.pixels
    if found.stride not in (0, row):
        rows = (ctypes.string_at(found.pixels + y * found.stride, row) for y in range(found.height))
        keep.append(View(bytearray().join(rows), "image"))
        pixels = keep[-1].address
    keep.append(array)
    return _Picture(found.width, found.height, found.channels, found.depth, pixels)


def read_seeds(seeds: Union[_Path, Sequence[_Path]], image: Any, *, format: Optional[str] = None,
               fg_color: Optional[str] = None, bg_color: Optional[str] = None, tolerance: int = -1,
               conflict: Optional[str] = None, band: int = -1, brush: float = -1, label: Optional[str] = None,
               box: Optional[Sequence[float]] = None, yolo: Optional[str] = None, strict: bool = False) -> Any:
    """Seeds in files as labels for segment(), read as `tilecut check` does. What that would note is a warning.
    seeds      a file or several: pictures of strokes, trimaps, masks, or annotations (LabelMe, COCO, GeoJSON)
    image      the photo: an array as of segment(), or a file
    format     color, trimap, grabcut, labels, mask, diff or box; None: it is recognised
    fg_color   and bg_color: colours of strokes, "#00ff00"; tolerance: how far a pixel may differ, 0 to 255 per channel
    conflict   how to treat a pixel claimed by both classes: error, fg, bg, drop, last
    band       width of the unknown band of the format mask, and brush: radius of lines and points, both in pixels
    label      use only shapes of annotations with this label
    box        (x, y, width, height); outside of it is background
    yolo       what YOLO's lines are if they can be read in two ways: boxes, polygons or tracks
    strict     refuse annotations with a shape that cannot be read; False: it is left out, with a warning
    Returns (height, width) uint8 of UNKNOWN, BACKGROUND ... Raises FileError, SeedsError, ValueError, MemoryError.
    """
    keep: list = []
    paths: Any = [seeds] if _is_path(seeds) else list(seeds)  # type: ignore[arg-type]
    photo = _picture(image, keep)
    name = os.fsencode(image) if _is_path(image) else b"image"
    texts = _texts(format=format, fg_color=fg_color, bg_color=bg_color, conflict=conflict, label=label, yolo=yolo)
    files = (ctypes.c_char_p * len(paths))(*[os.fsencode(path) for path in paths])
    how = _Reading(files, len(paths), *texts, tolerance, band, strict, brush,
                   (ctypes.c_double * 4)(*box) if box is not None else None)
    labels = new((photo.height, photo.width))
    _call("files_seeds", ctypes.byref(photo), name, ctypes.byref(how),
          ctypes.c_void_p(View(labels, "labels", writable=True).address))
    return labels


def write_mask(path: _Path, mask: Any, *, format: Optional[str] = None, label: Optional[str] = None,
               photo: Optional[str] = None) -> None:
    """Writes a mask to a file, whole or not at all.
    path    its extension names the format: png, pgm, bmp, tga, svg, geojson, labelme.json, coco.json, rle.json, ...
    mask    (height, width) uint8: 0 background, 255 foreground
    format  needed if the name does not show it, as for .json: labelme, coco, coco-rle, geojson, ...
    label   in annotations, the label of the shapes; None: object
    photo   in annotations, the name of the picture's file
    Raises ValueError for a name without a format, FileError, MemoryError.
    """
    keep: list = []
    picture = _picture(mask, keep)
    if picture.channels != 1 or picture.depth != 8:
        raise TypeError("mask has to be (height, width) uint8")
    _call("files_write", os.fsencode(path), ctypes.byref(picture), *_texts(format=format, label=label, photo=photo))


def score(mask: Any, truth: Any) -> Score:
    """The figures of `tilecut score`.
    mask   (height, width) uint8 or a file: foreground from 128 on
    truth  (height, width) uint8 or a file: 0 background, 255 foreground, 128 not judged
    In a mask or truth of only 0 and 1, 1 is foreground.
    Raises FileError; ValueError if sizes differ or truth has other values.
    """
    keep: list = []
    pictures = [_picture(mask, keep), _picture(truth, keep)]
    found = _Figures()
    try:
        _call("files_score", ctypes.byref(pictures[0]), ctypes.byref(pictures[1]), ctypes.byref(found))
    except FileError as error:  # the error is not about a file, but about the arrays
        raise InvalidValue(str(error)) from None
    return Score(found.error_rate, found.iou, found.boundary_f, found.labelled, found.wrong)
