# SPDX-License-Identifier: MIT
"""Images: a single call, or a session whose seeds change."""
from __future__ import annotations

import ctypes
import math
import warnings
from array import array
from typing import Any, NamedTuple, Optional, Sequence, Tuple

from . import _header as c
from ._arrays import View, new, on_device, rows, type_name
from ._show import show
from ._library import Flag, Owner, call, check, fill, flag_of, library, plain, shown

OPTIONS = {name: kind for name, kind in c.tilecut_params._fields_ if not name.endswith("_stride") and name not in (
    "size", "cancel", "prior", "where", "stream")}


class Result(NamedTuple):
    """The result of a cut.

    mask    (height, width) uint8: 0 background, 255 foreground
    flow    maximum flow, in quanta; equals cut, or there would be no result
    cut     cost of the mask, in quanta
    energy  cost of the mask, in the units of the model
    report  all other values, by their names in tilecut_report: times in ms, solver, device, ...
    """

    mask: Any
    flow: int
    cut: int
    energy: float
    report: dict

    def _repr_html_(self) -> str:
        return show(self)._repr_html_()

    def _repr_png_(self) -> bytes:
        return show(self)._repr_png_()


class Change(NamedTuple):
    """The change of a mask: a rectangle that contains it, and the number of changed pixels."""

    x: int
    y: int
    width: int
    height: int
    pixels: int

    @classmethod
    def of(cls, struct):
        return cls(struct.x, struct.y, struct.width, struct.height, struct.pixels)


def params_of(options, cancel, keep):
    """tilecut_params with these options. `keep` receives objects that must outlive the call."""
    params = c.tilecut_params(size=ctypes.sizeof(c.tilecut_params))
    fill(params, options, OPTIONS, keep)
    keep.append(cancel)
    params.cancel = ctypes.pointer(cancel.struct)
    return params


def add_prior(params, prior, size, keep):
    """Sets another tool's mask as the prior of tilecut_params."""
    if prior is not None:
        view = plane_of(prior, "prior", size, keep)
        params.prior, params.prior_stride = view.address, view.strides[0] if size[0] > 1 else 0


def channels_of(view, most=3):
    """The number of channels of an image, 1 to `most`. ValueError, TypeError: the view is not an image."""
    shape = view.shape
    if len(shape) not in (2, 3) or (len(shape) == 3 and shape[2] not in ((1, 3) if most == 3 else (1, 2, 3, 4))):
        raise ValueError(f"image has the shape {shape}; (height, width) or (height, width, 3) is right"
                         + (", or 2 or 4 with transparency" if most > 3 else ""))
    if view.kind != "u" or view.itemsize > 2:
        raise TypeError(f"image is {type_name(view)}; uint8 or uint16 is right")
    return shape[2] if len(shape) == 3 else 1


def without_alpha(view, channels):
    """A view of a copy without alpha. Warns if a pixel is transparent, because its hidden colour counts as visible."""
    colors, letter = channels - 1, "BH"[view.itemsize - 1]
    samples = array(letter, b"".join(ctypes.string_at(view.address + y * view.strides[0], view.shape[1] * channels * view.itemsize)
        for y in range(view.shape[0])))
    alpha = samples[colors::channels]
    transparent = len(alpha) - alpha.count(256 ** view.itemsize - 1)
    if transparent:
        warnings.warn(f"image is transparent in {transparent} pixels; their colours are used as if they were opaque", stacklevel=2)
    kept = array(letter, bytes(len(alpha) * colors * view.itemsize))
    for k in range(colors):
        kept[k::colors] = samples[k::channels]
    return rows(memoryview(kept).cast("B").cast(letter, (*view.shape[:2], colors)), "image")


def image_of(image, keep):
    """tilecut_image over an array of (height, width) or (height, width, 1 to 4), uint8 or uint16: grey or RGB, and
    alpha, which is dropped."""
    view = rows(image, "image")
    channels = channels_of(view, most=4)
    if channels % 2 == 0:
        view = without_alpha(view, channels)
        channels -= 1
    shape = view.shape
    keep.append(view)
    return c.tilecut_image(size=ctypes.sizeof(c.tilecut_image), width=shape[1], height=shape[0], channels=channels,
                           depth=8 * view.itemsize, stride=view.strides[0] if shape[0] > 1 else 0, pixels=view.address)


def plane_of(array, what, size, keep):
    """A view of seeds: (height, width) uint8 of that size."""
    view = rows(array, what)
    if view.shape != size:
        raise ValueError(f"{what} has the shape {view.shape} but the image is {size}")
    if view.itemsize != 1 or view.kind not in "ub":
        raise TypeError(f"{what} is {type_name(view)}; uint8 is right: 0 unknown, 1 background, 2 foreground, 3 outside")
    keep.append(view)
    return view


def mask_for(out, size, keep):
    """The array that receives a mask, and its view."""
    array = new(size) if out is None else out
    view = View(array, "out", writable=True)
    if view.shape != size or view.itemsize != 1 or view.kind not in "u":
        raise ValueError(f"out is {type_name(view)} of the shape {view.shape}; uint8 of {size} is right")
    if len(size) == 2 and (size[1] > 1 and view.strides[1] != 1 or size[0] > 1 and view.strides[0] < size[1]):
        raise ValueError("out has to have its pixels side by side and its rows below each other")
    keep.append(view)
    return array, view


def seeds_in_box(size, box, strip=True):
    """Seeds of a box (x, y, width, height): outside of it is background. If a strip is wanted, a box around the whole
    image leaves the border outside; the library widens that to a hundredth of the image."""
    height, width = size
    if len(box) != 4:
        raise ValueError(f"box is {shown(box)}; (x, y, width, height) is right")
    x, y, w, h = (int(v) for v in box)
    left, top, right, bottom = max(x, 0), max(y, 0), min(x + w, width), min(y + h, height)
    if w < 1 or h < 1 or left >= right or top >= bottom:
        raise ValueError(f"box {tuple(box)} lies outside of the image, which is {width}x{height}")
    if strip and (left, top, right, bottom) == (0, 0, width, height):
        left, right = (1, width - 1) if width > 2 else (left, right)
        top, bottom = (1, height - 1) if height > 2 else (top, bottom)
    seeds = bytearray([c.TILECUT_OUTSIDE]) * (width * height)
    for row in range(top, bottom):
        seeds[row * width + left:row * width + right] = bytes(right - left)
    return memoryview(seeds).cast("B", size)


def clicked(image, click, brush, border):
    """Seeds of clicks on the object: discs, and if wanted the border as background, as for `--fg X,Y`."""
    height, width = View(image, "image").shape[:2]
    points = [click] if len(click) == 2 and not hasattr(click[0], "__len__") else list(click)
    if not all(hasattr(point, "__len__") and len(point) == 2 for point in points):
        raise ValueError(f"click is {shown(click)}; (x, y) or several such pairs are right")
    seeds = bytearray(width * height)
    if border and seeds:
        seeds[:width] = seeds[-width:] = bytes([c.TILECUT_OUTSIDE]) * width
        seeds[::width] = seeds[width - 1::width] = bytes([c.TILECUT_OUTSIDE]) * height
    for x, y in points:
        if not (0 <= x < width and 0 <= y < height):
            raise ValueError(f"click {x}, {y} lies outside of the image, which is {width}x{height}")
        for row in range(max(0, math.ceil(y - brush)), min(height - 1, math.floor(y + brush)) + 1):
            reach = math.sqrt(max(0, brush * brush - (row - y) ** 2)) + 1e-9
            left, right = max(0, math.ceil(x - reach)), min(width - 1, math.floor(x + reach))
            seeds[row * width + left:row * width + right + 1] = bytes([c.TILECUT_FOREGROUND]) * max(0, right + 1 - left)
    return memoryview(seeds).cast("B", (height, width))


def report_of(report):
    decisions = (c.tilecut_decision * c.TILECUT_DECISIONS)()
    out = plain(report, ("iteration_energy",))
    out["iteration_energy"] = report.iteration_energy[:report.iterations + 1]
    out["decision"] = [plain(d) for d in decisions[:library.tilecut_decisions(decisions, c.TILECUT_DECISIONS)]]
    return out


def result_of(mask, report):
    return Result(mask, report.flow, report.cut, report.energy, report_of(report))


def new_report():
    return c.tilecut_report(size=ctypes.sizeof(c.tilecut_report))


def how_sure(function, size, *given, cancel=None):
    """Returns the results of a function whose last arguments are an array of that size and a tilecut_doubt."""
    sure, doubt = new(size), c.tilecut_doubt(size=ctypes.sizeof(c.tilecut_doubt))
    call(function, *given, View(sure, "sure", writable=True).address, ctypes.byref(doubt), cancel=cancel)
    return sure, doubt


def segment(image: Any, seeds: Any = None, *, box: Optional[Sequence[float]] = None, click: Any = None,
            brush: float = 3, prior: Any = None, previous: Any = None, learn: bool = False,
            sparing: bool = False, out: Any = None, cancel: Optional[Flag] = None, **options: Any) -> Result:
    """Cuts an image along its seeds: tilecut_segment(). With `previous`, corrects that mask by them: tilecut_correct().

    image    (height, width) or (height, width, 3), uint8 or uint16. Rows may lie apart; any other layout is copied.
             With 2 or 4 channels the last is alpha, which is left out, with a warning if something is transparent
    seeds    (height, width) uint8: UNKNOWN, BACKGROUND, FOREGROUND, OUTSIDE
    box      (x, y, width, height) instead of or beside seeds: outside of it is background. A box around the whole image
             leaves a strip along the border outside, unless there are seeds of both classes
    click    (x, y) on the object, or several of them, instead of seeds: each is a disc of radius `brush`. Without a box
             the border of the image is background, as for --fg X,Y
    prior    (height, width) uint8: another tool's mask, the probability of foreground in 255ths. Seeds overrule it
    previous (height, width) uint8, nonzero in the foreground; it is not changed. Foreground seeds only add to it,
             background seeds only take away, in regions connected to them. report["added"], report["removed"]: pixels
    learn    with previous, for clicks: learn again from all seeds, so give all so far; for a class without seeds the
             mask serves. Only regions around new seeds, and others that are no larger, change
    sparing  the call may write to image and seeds, so a large image takes less memory. Seeds are restored afterwards,
             pixels only if the call fails. TILECUT_HOST_SPARE
    out      (height, width) uint8 to write the mask to; unchanged if the call fails
    cancel   a Flag
    options  fields of tilecut_params: solver, colors, connectivity, lambda_, sigma, spatial, iterations, threads, ...

    An image on a GPU stays there (__dlpack__, __cuda_array_interface__), and so does the mask: seeds are there, too,
    and out, which is made where the image is PyTorch's or CuPy's. The work is done on the stream of these arrays, or on
    stream=, a cudaStream_t as a number. TILECUT_DEVICE lists the data that are copied to the host.

    Raises ValueError (InvalidValue, SeedsError), TypeError, MemoryError, DeviceError, Cancelled.
    """
    if click is not None:
        if seeds is not None or on_device(image):
            raise TypeError("click is instead of seeds, for an image on the host; paint it into the seeds")
        seeds = clicked(image, click, brush, box is None and prior is None and previous is None)
    if previous is not None and sparing:
        raise TypeError("sparing is for a cut of the whole image; leave it out where a mask is corrected")
    if previous is not None:
        return corrected(image, seeds, box, prior, previous, learn, out, cancel, options)
    if learn:
        raise TypeError("learn is how seeds correct a mask; give it as previous")
    if on_device(image):
        from ._device import segment_on_device
        return segment_on_device(image, seeds, box=box, prior=prior, out=out, cancel=cancel, **options)
    keep: list = []
    if sparing:
        keep += [View(array, what, writable=True) for array, what in ((image, "image"), (seeds, "seeds")) if array is not None]
    picture, labels, params, flag, size = given(image, seeds, box, prior, prior, cancel, options, keep)
    mask, view = mask_for(out, size, keep)
    params.mask_stride = view.strides[0] if size[0] > 1 else 0
    report = new_report()
    params.where = c.TILECUT_HOST_SPARE if sparing else c.TILECUT_HOST
    call(library.tilecut_segment, ctypes.byref(picture), labels.address, ctypes.byref(params), view.address,
         ctypes.byref(report), cancel=flag)
    return result_of(mask, report)


def given(image, seeds, box, start, prior, cancel, options, keep):
    """Arguments of the library for both kinds of segment(). `start`: a mask; without it seeds or a box are needed."""
    picture = image_of(image, keep)
    size = (picture.height, picture.width)
    labels = labels_of(seeds, box, start, size, keep)
    params = params_of(options, flag := flag_of(cancel), keep)
    add_prior(params, prior, size, keep)
    params.seeds_stride = labels.strides[0] if size[0] > 1 else 0
    return picture, labels, params, flag, size


def corrected(image, seeds, box, prior, previous, learn, out, cancel, options):
    """Corrects the mask `previous` by seeds: segment() with that argument."""
    keep: list = []
    picture, labels, params, flag, size = given(image, seeds, box, previous, prior, cancel, options, keep)
    before = plane_of(previous, "previous", size, keep)
    mask, to = mask_for(out, size, keep)
    work = to if out is None else mask_for(None, size, keep)[1]  # a failure leaves `out` unchanged
    copy_rows(work, before, size)
    report, count = new_report(), c.tilecut_corrected(size=ctypes.sizeof(c.tilecut_corrected))
    call(library.tilecut_correct, ctypes.byref(picture), labels.address, ctypes.byref(params),
         c.TILECUT_BY_LEARNING if learn else c.TILECUT_BY_STROKES, work.address, ctypes.byref(count),
         ctypes.byref(report), cancel=flag)
    if out is not None:
        copy_rows(to, work, size)
    told = result_of(mask, report)
    told.report.update(added=count.added, removed=count.removed)
    return told


def copy_rows(to, view, size):
    for y in range(size[0]):
        ctypes.memmove(to.address + y * to.strides[0], view.address + y * view.strides[0], size[1])


def labels_of(seeds, box, prior, size, keep):
    if seeds is None and box is None and prior is None:
        raise TypeError("seeds, a box or a prior mask are needed; segment() also takes a click")
    if seeds is None and box is None:
        seeds = memoryview(bytes(size[0] * size[1])).cast("B", size)
    if box is None:
        return plane_of(seeds, "seeds", size, keep)
    rows = []
    if seeds is not None:
        given = plane_of(seeds, "seeds", size, keep)
        rows = [ctypes.string_at(given.address + y * given.strides[0], size[1]) for y in range(size[0])]
    painted = set().union(*rows)
    said = c.TILECUT_OUTSIDE in painted or {c.TILECUT_FOREGROUND, c.TILECUT_BACKGROUND} <= painted
    framed = seeds_in_box(size, box, strip=prior is None and not said)
    for y, row in enumerate(rows):
        if any(row):
            for x, label in enumerate(row):
                if label:
                    framed[y, x] = label
    return plane_of(framed, "seeds", size, keep)


class Session(Owner):
    """An image whose seeds change: each solve starts from the flow of the last one.

    image, seeds, box, prior and options as of segment(). The first mask comes from solve(), segment() or begin(). There
    are two ways to continue: reseed() and solve(), which may change any pixel, or stroke(), whose changes are nested.
    advance() moves to the next frame of a film. Until learn(), colours are those learnt from the first seeds and from
    strokes. Not for two threads at once; sessions do not disturb each other.
    """

    def __init__(self, image: Any, seeds: Any = None, *, box: Optional[Sequence[float]] = None, prior: Any = None,
                 cancel: Optional[Flag] = None, **options: Any) -> None:
        super().__init__()
        self._frame: list = []
        picture = image_of(image, self._frame)
        self.size = (picture.height, picture.width)
        labels = labels_of(seeds, box, prior, self.size, self._keep)
        self._flag = flag_of(cancel)
        self._params = params_of(options, self._flag, self._keep)
        add_prior(self._params, prior, self.size, self._keep)
        self._params.seeds_stride = labels.strides[0] if self.size[0] > 1 else 0
        call(library.tilecut_graph_from_image, ctypes.byref(self._graph), ctypes.byref(picture), labels.address,
             ctypes.byref(self._params), cancel=self._flag)
        call(library.tilecut_session_create, ctypes.byref(self._session), self._graph)

    def reseed(self, seeds: Any) -> None:
        """Replaces the seeds: (height, width) uint8, copied. They take effect in the next solve()."""
        keep: list = []
        labels = plane_of(seeds, "seeds", self.size, keep)
        params = c.tilecut_params(size=ctypes.sizeof(c.tilecut_params))
        params.seeds_stride = labels.strides[0] if self.size[0] > 1 else 0
        call(library.tilecut_session_reseed, self._session, labels.address, ctypes.byref(params))

    def segment(self, *, out: Any = None) -> Result:
        """The mask that segment() returns: colours are learnt from the cut, and it is cut again, a few times. The
        session continues from that mask with these colours; earlier steps cannot be undone. tilecut_graph_segment()."""
        keep: list = []
        mask, view = self._writes_to(out, keep)
        report = new_report()
        session, self._session = self._session, ctypes.c_void_p()
        library.tilecut_session_destroy(session)
        try:
            call(library.tilecut_graph_segment, self._graph, ctypes.byref(self._params), view.address, ctypes.byref(report),
                 cancel=self._flag)
        finally:
            call(library.tilecut_session_create, ctypes.byref(self._session), self._graph)
        self.begin(mask)
        return result_of(mask, report)

    def advance(self, image: Any, seeds: Any = None, *, prior: Any = None, **options: Any) -> None:
        """Moves to the next frame of a film: tilecut_session_advance(). Colours stay, links follow the new pixels, and
        the last mask becomes a prior mask, so that the next solve() finds moved edges by contrast.

        image    of the same size, channels and type as the last one
        seeds    (height, width) uint8, the strokes on this frame; no class is required. None: no strokes
        prior    a mask in place of the session's own, as of segment()
        options  prior_weight, threads

        Raises ValueError, also if there is no mask yet, TypeError, MemoryError; the session is then unchanged.
        """
        frame: list = []
        keep: list = []
        picture = image_of(image, frame)
        params = params_of(options, self._flag, keep)
        add_prior(params, prior, self.size, keep)
        labels = None if seeds is None else plane_of(seeds, "seeds", self.size, keep)
        if labels is not None:
            params.seeds_stride = labels.strides[0] if self.size[0] > 1 else 0
        call(library.tilecut_session_advance, self._session, ctypes.byref(picture), labels and labels.address, ctypes.byref(params))
        self._frame = frame

    def solve(self, *, out: Any = None) -> Result:
        """Returns the mask for the current seeds."""
        keep: list = []
        mask, view = mask_for(out, self.size, keep)
        self._params.mask_stride = view.strides[0] if self.size[0] > 1 else 0
        report = new_report()
        call(library.tilecut_session_solve, self._session, ctypes.byref(self._params), view.address,
             ctypes.byref(report), cancel=self._flag)
        return result_of(mask, report)

    def begin(self, mask: Any) -> None:
        """Starts from this mask, (height, width) uint8, nonzero in the foreground, instead of one that was solved."""
        keep: list = []
        view = plane_of(mask, "mask", self.size, keep)
        params = c.tilecut_params(size=ctypes.sizeof(c.tilecut_params))
        params.mask_stride = view.strides[0] if self.size[0] > 1 else 0
        call(library.tilecut_session_begin, self._session, view.address, ctypes.byref(params))

    def stroke(self, painted: Any, label: int, *, at: Tuple[int, int] = (0, 0), out: Any = None) -> Tuple[Any, Change]:
        """Corrects the mask by a stroke: a stroke of foreground only adds foreground, one of background only takes it
        away, and changed pixels are connected to the stroke.

        painted  (h, w) uint8, nonzero where painted: the whole image, or the part of it whose corner is `at` (x, y)
        label    FOREGROUND or BACKGROUND
        Returns the whole mask and a Change.
        """
        keep: list = []
        view = rows(painted, "painted")
        if len(view.shape) != 2 or view.itemsize != 1:
            raise TypeError(f"painted is {type_name(view)} of the shape {view.shape}; (h, w) uint8 is right")
        keep.append(view)
        stroke = c.tilecut_stroke(size=ctypes.sizeof(c.tilecut_stroke), x=at[0], y=at[1], width=view.shape[1],
                                  height=view.shape[0], label=label, stride=view.strides[0] if view.shape[0] > 1 else 0,
                                  painted=view.address)
        return self._changed(library.tilecut_session_stroke, out, ctypes.byref(stroke))

    def learn(self, *, out: Any = None) -> Tuple[Any, Change]:
        """Learns the colours again from the mask and all seeds, and cuts the whole image: the only step that may spoil
        correct pixels. Returns the mask and a Change."""
        return self._changed(library.tilecut_session_learn, out)

    def confidence(self) -> Tuple[Any, Any]:
        """The confidence in the current mask: tilecut_session_confidence().

        Returns (height, width) uint8, how likely each label is right in 255ths, and a tilecut_doubt: `unsure`, the
        unsure share of the outline; x, y, where a stroke helps most (-1: nowhere); `label`, the label that the mask
        lacks there. Raises ValueError without a mask, MemoryError.
        """
        return how_sure(library.tilecut_session_confidence, self.size, self._session, ctypes.byref(self._params), cancel=self._flag)

    def undo(self, *, out: Any = None) -> Optional[Tuple[Any, Change]]:
        """Undoes the last stroke or learn(), bit for bit. Returns the mask and a Change; None if there was none."""
        keep: list = []
        undone = ctypes.c_int()
        mask, view = self._writes_to(out, keep)
        change = c.tilecut_change(size=ctypes.sizeof(c.tilecut_change))
        call(library.tilecut_session_undo, self._session, ctypes.byref(self._params), view.address, ctypes.byref(change),
             ctypes.byref(undone))
        return (mask, Change.of(change)) if undone.value else None

    def _writes_to(self, out, keep):
        mask, view = mask_for(out, self.size, keep)
        self._params.mask_stride = view.strides[0] if self.size[0] > 1 else 0
        return mask, view

    def _changed(self, function, out, *first):
        keep: list = []
        mask, view = self._writes_to(out, keep)
        change = c.tilecut_change(size=ctypes.sizeof(c.tilecut_change))
        report = new_report()
        call(function, self._session, *first, ctypes.byref(self._params), view.address, ctypes.byref(change),
             ctypes.byref(report), cancel=self._flag)
        return mask, Change.of(change)
