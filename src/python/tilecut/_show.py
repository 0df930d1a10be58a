# SPDX-License-Identifier: MIT
"""Shows masks and cutouts as PNGs in memory, which notebooks display. Needs neither NumPy nor a widget."""
from __future__ import annotations

import base64
import ctypes
import math
import struct
import sys
import zlib
from pathlib import Path
from typing import Any, Union

from ._arrays import whole
from ._library import shown

_CHECKERS = "background:repeating-conic-gradient(#ccc 0 25%,#fff 0 50%) 0 0/16px 16px"


def png(width: int, height: int, channels: int, pixels: Union[bytes, bytearray]) -> bytes:
    """Makes a PNG of 8 bits from 1 channel (grey) or 4 (RGBA)."""
    row = width * channels
    raw = b"".join(b"\0" + bytes(pixels[y * row:(y + 1) * row]) for y in range(height))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, {1: 0, 4: 6}[channels], 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw, 6)) + chunk(b"IEND", b"")


def _bytes_of(array: Any, what: str) -> Any:
    """Width, height, channels, and the samples with 8 bits."""
    view = whole(array, what)
    if len(view.shape) not in (2, 3) or view.kind not in "ub" or view.itemsize > 2:
        raise TypeError(f"{what} has to be (height, width) or (height, width, channels), uint8 or uint16")
    samples = ctypes.string_at(view.address, view.itemsize * math.prod(view.shape))
    if view.itemsize == 2:  # the high bytes
        samples = samples[1 if sys.byteorder == "little" else 0::2]
    return view.shape[1], view.shape[0], view.shape[2] if len(view.shape) == 3 else 1, samples


class Picture:
    """A picture that notebooks display; save() writes it to a file."""

    def __init__(self, data: bytes, width: int, height: int, caption: str) -> None:
        self.png, self.width, self.height, self.caption = data, width, height, caption

    def save(self, path: Any) -> None:
        """Writes the PNG; the name has to end in .png."""
        if Path(path).suffix.lower() != ".png":
            raise ValueError(f"{path} does not end in .png, but what is written is a PNG")
        Path(path).write_bytes(self.png)

    def _repr_png_(self) -> bytes:
        return self.png

    def _repr_html_(self) -> str:
        source = base64.b64encode(self.png).decode()
        return (f'<figure style="margin:0"><img alt="{self.caption}" style="max-width:100%;{_CHECKERS}" '
                f'width="{self.width}" height="{self.height}" src="data:image/png;base64,{source}">'
                f"<figcaption>{self.caption}</figcaption></figure>")

    def __repr__(self) -> str:
        return f"<tilecut picture, {self.width}x{self.height}: {self.caption}>"


def show(result: Any, image: Any = None, *, edge: str = "soft") -> Picture:
    """Makes a picture of a result, which a notebook displays as the value of a cell.

    result  a Result of segment(), or a mask: (height, width) uint8
    image   the photo: the picture is the cutout, with a transparent background; None: it is the mask
    edge    edge of the cutout: "soft", or "hard" like the mask

    Outside of notebooks: show(result, image).save("cutout.png").
    """
    if not isinstance(edge, str) or edge not in ("soft", "hard"):
        raise ValueError(f"edge is {shown(edge)}; soft or hard is right")
    width, height, channels, mask = _bytes_of(getattr(result, "mask", result), "mask")
    if channels != 1:
        raise TypeError("result has to be a result of segment(), or a mask of (height, width)")
    mask = mask.translate(bytes([0]) + bytes([255]) * 255)
    inside = len(mask) - mask.count(0)
    caption = f"the object has {inside} of {width * height} pixels, {100 * inside / max(1, width * height):.3g} %"
    if image is None:
        return Picture(png(width, height, 1, mask), width, height, caption)
    w, h, n, samples = _bytes_of(image, "image")
    if (w, h) != (width, height):
        raise ValueError(f"image is {w}x{h} but the mask {width}x{height}")
    if edge == "soft":
        from ._matte import edge as soften  # imported here because it needs segment(), which imports this file
        alpha, colors = soften(image, memoryview(mask).cast("B", (height, width)))
        mask, (w, h, n, samples) = _bytes_of(alpha, "alpha")[3], _bytes_of(colors, "colors")
    out = bytearray(4 * width * height)
    for c in range(3):
        out[c::4] = samples[(c if n > 2 else 0)::n]
    out[3::4] = mask
    return Picture(png(width, height, 4, out), width, height, caption)
