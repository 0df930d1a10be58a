# SPDX-License-Identifier: MIT
"""Steps after the cut: clean-up, snapping, soft edges, matting."""
from __future__ import annotations

import ctypes
from typing import Any, Tuple

from . import _header as c
from ._arrays import View, new, packed, packed_of
from ._library import call, fill, library, plain, whole_number
from ._segment import image_of

_STEPS = dict(c.tilecut_cleaning._fields_[4:])


def _enter(image: Any, **planes: Any) -> Any:
    """Prepares a call: objects to keep alive, the picture, (height, width), and addresses of planes of that size."""
    keep: list = []
    picture = image_of(image, keep)
    size = (picture.height, picture.width)
    return keep, picture, size, [None if plane is None else packed_of(plane, what, size, "ub", 1, keep, "uint8").address
                                 for what, plane in planes.items()]


def _out(size: Any, itemsize: int, letter: str, keep: list) -> Any:
    array = new(size, itemsize, letter)
    keep.append(View(array, "a result", writable=True))
    return array, keep[-1].address


def matte_band(image: Any, mask: Any, seeds: Any = None, *, threads: int = 1) -> Any:
    """A trimap from a mask, unknown along the edge where the photo shows hair or blur: tilecut_matte_band().

    image    as of segment()
    mask     (height, width) uint8: 0 background, else foreground
    seeds    (height, width) uint8 of labels; these pixels keep their class; None: no seeds

    Returns (height, width) uint8: 0 background, 128 unknown, 255 foreground. Raises ValueError, TypeError, MemoryError.
    """
    keep, picture, size, (masked, labels) = _enter(image, mask=mask, seeds=seeds)
    trimap, address = _out(size, 1, "B", keep)
    call(library.tilecut_matte_band, ctypes.byref(picture), masked, labels, whole_number(threads, "threads"), address)
    return trimap


def _colors_of(image):
    """The shape of the image without its alpha."""
    shape = View(image, "image").shape
    if len(shape) < 3 or shape[2] % 2:
        return shape
    return shape[:2] if shape[2] == 2 else (*shape[:2], 3)


def edge(image: Any, mask: Any, seeds: Any = None, *, hair: bool = False, threads: int = 1) -> Any:
    """The soft edge of an ordinary cutout: tilecut_edge(). Only pixels within 3 pixels of the cut are soft.

    image, mask, seeds    as of matte_band(); seeds matter only with hair
    hair                  True: mat hair or fur along the cut: tilecut_edge_matte()

    Returns alpha, (height, width) uint16 up to 65535, and the image with the object's colours where alpha is between.
    Raises ValueError, TypeError, MemoryError.
    """
    keep, picture, size, (masked, labels) = _enter(image, mask=mask, seeds=seeds if hair else None)
    alpha, share = _out(size, 2, "H", keep)
    colors, address = _out(_colors_of(image), picture.depth // 8, "B" if picture.depth == 8 else "H", keep)
    if hair:
        call(library.tilecut_edge_matte, ctypes.byref(picture), masked, labels, whole_number(threads, "threads"), share, address)
    else:
        call(library.tilecut_edge, ctypes.byref(picture), masked, whole_number(threads, "threads"), share, address)
    return alpha, colors


def snap(image: Any, mask: Any, seeds: Any = None, *, given: Any = None) -> Any:
    """The last step of a finished mask: tilecut_snap(). Its outline moves a few pixels, to fit the colours.

    image, mask, seeds    as of matte_band(); `given`: the mask from which `mask` was refined, as segment()'s prior

    Returns a mask: (height, width) uint8 of 0 and 255. Raises ValueError, TypeError, MemoryError.
    """
    keep, picture, size, (masked, labels, before) = _enter(image, mask=mask, seeds=seeds, given=given)
    moved, address = _out(size, 1, "B", keep)
    values = ctypes.string_at(masked, size[0] * size[1])
    ctypes.memmove(address, values.translate(bytes([0] + [255] * 255)), len(values))
    call(library.tilecut_snap, ctypes.byref(picture), labels, before, address, None)
    return moved


def clean(mask: Any, seeds: Any = None, **how: Any) -> Tuple[int, ...]:
    """Drops specks of a finished mask and fills its holes, in place, in the order of the arguments: tilecut_clean().

    mask          (height, width) or (depth, height, width) uint8 without gaps: 0 and 255
    seeds         labels of that size, as for the cut: a region with a seed of its own label stays. None: no seeds
    keep_largest, min_area, fill_holes, connected
                  as the options with these names: True, or numbers of pixels; only named steps are done
    connectivity  of foreground: 4 or 8 in an image, 6 or 26 in a volume; 0: 8 and 6

    Returns four counts: regions dropped, their pixels, holes filled, theirs. Raises TypeError, ValueError, MemoryError.
    """
    return cleaned(library.tilecut_clean, (), mask, seeds, how)


def cleaned(function: Any, whose: Any, mask: Any, seeds: Any, how: dict) -> Tuple[int, ...]:
    keep: list = []
    view, done = View(mask, "mask", writable=True), c.tilecut_cleaned(size=ctypes.sizeof(c.tilecut_cleaned))
    size = view.shape
    if (view.kind, view.itemsize, view.strides) != ("u", 1, packed(size, 1)) or len(size) not in (2, 3):
        raise TypeError("mask has to be uint8, (height, width) or (depth, height, width), without gaps")
    labels = None if seeds is None else packed_of(seeds, "seeds", size, "ub", 1, keep, "uint8").address
    asked = c.tilecut_cleaning(ctypes.sizeof(c.tilecut_cleaning), size[-1], size[-2], size[0] if len(size) == 3 else 0)
    fill(asked, how, _STEPS, keep)
    call(function, *whose, ctypes.byref(asked), labels, view.address, ctypes.byref(done))
    return tuple(plain(done).values())


def outline_moved(image: Any, given: Any, mask: Any) -> dict:
    """Measures how refining changed a mask: tilecut_outline_moved().

    image          as of segment()
    given, mask    (height, width) uint8, before (prior) and after; foreground from 128 on

    Returns a dict: `added` and `removed` in pixels, `changed` as a share of all; `mean` and `most`, how far the outline
    moved, in pixels; `edges_before` and `edges`, the share of either outline on edges of the photo; `too_much`, whether
    more than half as many pixels changed as the mask had. Raises ValueError, TypeError, MemoryError.
    """
    keep, picture, _, masks = _enter(image, given=given, mask=mask)
    return how_moved(library.tilecut_outline_moved, picture, masks)


def how_moved(function: Any, whose: Any, masks: Any) -> dict:
    told = c.tilecut_moved(size=ctypes.sizeof(c.tilecut_moved))
    call(function, ctypes.byref(whose), *masks, ctypes.byref(told))
    return dict(plain(told), too_much=bool(told.too_much))


def matte(image: Any, trimap: Any, *, threads: int = 1) -> Any:
    """Returns the share of the object in each pixel: tilecut_matte().

    image    as of segment()
    trimap   (height, width) uint8: 0 background, 128 unknown, 255 foreground, as of matte_band()

    Returns (height, width) uint16, 0 to 65535. Raises ValueError (SeedsError), TypeError, MemoryError.
    """
    keep, picture, size, _ = _enter(image)
    known = packed_of(trimap, "trimap", size, "ub", 1, keep, "uint8 of 0, 128, 255").address
    alpha, address = _out(size, 2, "H", keep)
    call(library.tilecut_matte, ctypes.byref(picture), known, whole_number(threads, "threads"), address)
    return alpha


def matte_colors(image: Any, alpha: Any, *, threads: int = 1) -> Any:
    """Returns the object's own colours, without the background's share: tilecut_matte_colors().

    image    as of segment()
    alpha    (height, width) uint16, as of matte()

    Returns an array of the image's shape and type, without alpha. Raises ValueError, TypeError, MemoryError.
    """
    keep, picture, size, _ = _enter(image)
    share = packed_of(alpha, "alpha", size, "ub", 2, keep, "uint16").address
    colors, address = _out(_colors_of(image), picture.depth // 8, "B" if picture.depth == 8 else "H", keep)
    call(library.tilecut_matte_colors, ctypes.byref(picture), share, whole_number(threads, "threads"), address)
    return colors
