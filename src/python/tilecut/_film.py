# SPDX-License-Identifier: MIT
"""Films: follows an object from frame to frame, cut in windows. Corresponds to the films of tilecut_volume.h."""
from __future__ import annotations

import ctypes
from typing import Any, List, Optional

from . import _header as c
from ._arrays import View, new, packed_of
from ._library import Flag, Owner, call, fill, flag_of, library
from ._segment import Result, how_sure, new_report, params_of, result_of
from ._volume import _labels


class Film(Owner):
    """Follows an object through a film: frames are added one by one, masks come when windows are cut. tilecut_film.

    width, height  of each frame
    channels  1 or 3
    window    frames that are cut together, 1 to 256
    overlap   how many of them the next window cuts again, below window; None: half of them
    time      weight of links between frames relative to links within a frame, 0 to 4
    carry     weight of the evidence from earlier frames, at least 0
    ahead     later frames that are read before a frame is begun, 0 to 256: with 1 or more, motion is seen, and the
              object is also followed backwards from strokes on these frames
    confidence  True: `sure` has the confidence of each Result returned last, as Session.confidence() returns it
    cancel    a Flag
    options   tilecut_params: lambda_, sigma, colors, data_weight, spatial, iterations, effort, islands, solver, threads

    Not for two threads at once. Memory is given back by close() or `with`.
    Raises ValueError (InvalidValue), MemoryError.
    """

    _owns = {"_film": library.tilecut_film_destroy}
    _film: ctypes.c_void_p

    def __init__(self, width: int, height: int, *, channels: int = 3, window: int = 6, overlap: Optional[int] = None,
                 time: float = 0.2, carry: float = 8, ahead: int = 0, confidence: bool = False, cancel: Optional[Flag] = None,
                 **options: Any) -> None:
        super().__init__()
        self._flag = flag_of(cancel)
        self.size, self.confidence, self.sure = (height, width), confidence, []
        shape = c.tilecut_film_shape(size=ctypes.sizeof(c.tilecut_film_shape))
        given = dict(width=width, height=height, channels=channels, window=window, time=time, carry=carry, ahead=ahead)
        fill(shape, given if overlap is None else dict(given, overlap=overlap), dict(shape._fields_), self._keep)
        if window < 1:
            raise ValueError(f"window is {window}; 1 to {c.TILECUT_MAX_WINDOW} frames are right")
        call(library.tilecut_film_create, ctypes.byref(self._film), ctypes.byref(shape),
             ctypes.byref(params_of(options, self._flag, self._keep)), cancel=self._flag)
        self.channels = channels

    def add(self, image: Any, seeds: Any = None, *, mask: Any = None) -> List[Result]:
        """Adds the next frame: tilecut_film_add().

        image  (height, width, 3) or (height, width) uint8; copied
        seeds  None, or (height, width) uint8: UNKNOWN, BACKGROUND, FOREGROUND, OUTSIDE
        mask   None, or (height, width) uint8 to begin from: how likely each pixel is foreground, in 255ths

        Returns a Result for each frame that is finished, in order; often there is none.
        Raises ValueError (InvalidValue, SeedsError), TypeError, MemoryError, Cancelled. The film is then unchanged.
        """
        keep: list = []
        height, width = self.size
        wanted = (height, width, 3) if self.channels == 3 else (height, width)
        pixels = packed_of(image, "image", wanted, "u", 1, keep, "uint8")
        frame = c.tilecut_image(width=width, height=height, channels=self.channels, depth=8, pixels=pixels.address)
        labels = None if seeds is None else _labels(seeds, self.size, keep)
        prior = None if mask is None else packed_of(mask, "mask", self.size, "ub", 1, keep, "uint8, 0 to 255").address
        ready = ctypes.c_int()
        call(library.tilecut_film_add, self._film, ctypes.byref(frame), labels, prior, ctypes.byref(ready), cancel=self._flag)
        return self._take(ready.value)

    def end(self) -> List[Result]:
        """Ends the film and returns the Results of the remaining frames: tilecut_film_end()."""
        ready = ctypes.c_int()
        call(library.tilecut_film_end, self._film, ctypes.byref(ready), cancel=self._flag)
        return self._take(ready.value)

    def _take(self, count: int) -> List[Result]:
        results, self.sure = [], []
        for _ in range(count):
            if self.confidence:
                self.sure.append(how_sure(library.tilecut_film_confidence, self.size, self._film, cancel=self._flag))
            mask, report = new(self.size), new_report()
            call(library.tilecut_film_take, self._film, View(mask, "mask", writable=True).address, ctypes.byref(report))
            results.append(result_of(mask, report))
        return results
