# SPDX-License-Identifier: MIT
"""segment() for arrays on a GPU, which stay there. See TILECUT_DEVICE."""
from __future__ import annotations

import ctypes
import sys
from typing import Any, Optional

from . import _header as c
from ._arrays import DeviceView, on_device, type_name
from ._library import Flag, call, flag_of, library
from ._segment import Result, add_prior, channels_of, new_report, params_of, result_of


def _view(array: Any, what: str, stream: Optional[int], keep: list, writable: bool = False) -> DeviceView:
    """A view on the device whose rows may have gaps between them. Nothing is copied there."""
    if not on_device(array):
        raise TypeError(f"image is on a GPU but {what} is not; bring {what} there, or the image here: image.cpu() or "
                        "cupy.asnumpy(image)")
    view = DeviceView(array, what, stream, writable)
    step = view.itemsize
    for length, stride in list(zip(view.shape, view.strides))[:0:-1]:
        if length > 1 and stride != step:
            raise ValueError(f"{what} has gaps within its rows; on a GPU it is not copied: {what}.contiguous() or "
                             f"cupy.ascontiguousarray({what}) is right")
        step *= length
    if view.shape and view.shape[0] > 1 and view.strides[0] < step:
        raise ValueError(f"{what} has its rows not below each other; on a GPU it is not copied")
    keep.append(view)
    return view


def _plane(array: Any, what: str, size: Any, stream: Optional[int], keep: list, writable: bool = False) -> DeviceView:
    view = _view(array, what, stream, keep, writable)
    if view.shape != size:
        raise ValueError(f"{what} has the shape {view.shape} but the image is {size}")
    if view.itemsize != 1 or view.kind not in "ub":
        raise TypeError(f"{what} is {type_name(view)}; uint8 is right")
    return view


def _new_mask(image: Any, size: Any) -> Any:
    """A uint8 array of that size on the image's device, made by the image's own package."""
    name = type(image).__module__.partition(".")[0]
    package: Any = sys.modules.get(name)
    if name == "torch":
        return package.empty(size, dtype=package.uint8, device=image.device)
    if name == "cupy":
        with image.device:
            return package.empty(size, package.uint8)
    raise TypeError(f"out= has to name a uint8 array of {size} on the GPU: only those of PyTorch and CuPy are made here")


def _common_stream(stream: Optional[int], views: list) -> int:
    """The stream for the work: that of the caller, or the one on which the arrays are ready."""
    told = {view.stream for view in views if view.stream is not None}
    if stream is not None:
        told.discard(stream)
        if not told:
            return stream
    if len(told) > 1 or (told and stream is not None):
        raise ValueError(f"arrays are ready on different streams ({', '.join(str(s) for s in sorted(told))}); synchronise "
                         "them, and hand in arrays of one stream")
    return told.pop() if told else 0


def segment_on_device(image: Any, seeds: Any, *, box: Any = None, prior: Any = None, out: Any = None,
                      stream: Optional[int] = None, cancel: Optional[Flag] = None, **options: Any) -> Result:
    """Does segment() for an image on a GPU; `stream` is a cudaStream_t as a number, on which all the work is done."""
    keep: list = []
    if seeds is None or box is not None:
        raise TypeError("for an image on a GPU seeds= is an array there; outside of a box it holds tilecut.OUTSIDE")
    if not library.tilecut_cuda_built():
        raise TypeError("image is in the memory of a GPU, and this build of tilecut has no CUDA; an array of the host is "
                        "right, as image.cpu() or cupy.asnumpy(image) give it")
    picture = _view(image, "image", stream, keep)
    channels = channels_of(picture)
    size = picture.shape[:2]
    labels = _plane(seeds, "seeds", size, stream, keep)
    mask = _new_mask(image, size) if out is None else out
    written = _plane(mask, "out", size, stream, keep, writable=True)
    params = params_of(options, flag := flag_of(cancel), keep)
    add_prior(params, prior, size, keep)
    apart = size[0] > 1
    params.seeds_stride, params.mask_stride = (view.strides[0] if apart else 0 for view in (labels, written))
    frame = c.tilecut_image(size=ctypes.sizeof(c.tilecut_image), width=size[1], height=size[0], channels=channels,
                            depth=8 * picture.itemsize, stride=picture.strides[0] if apart else 0, pixels=picture.address)
    report = new_report()
    params.where, params.stream = c.TILECUT_DEVICE, _common_stream(stream, [picture, labels, written])
    call(library.tilecut_segment, ctypes.byref(frame), labels.address, ctypes.byref(params), written.address,
         ctypes.byref(report), cancel=flag)
    return result_of(mask, report)

