# SPDX-License-Identifier: MIT
"""Random layouts and owners of arrays: equal values give the same mask, nothing outside of a mask is written, and
arrays with a suitable layout are not copied."""
import ctypes
import sys
import threading
import types
import unittest
import unittest.mock

import numpy as np

from scenes import SEED
import tilecut


class Tensor:
    """An object with only DLPack, like a tensor of another package."""

    def __init__(self, array, device=1):
        self.array, self.device = array, device

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.device, 0


def scene(rng, channels, dtype):
    height, width = (int(n) for n in rng.integers(4, 40, 2))
    image = rng.integers(0, np.iinfo(dtype).max, (height, width) + ((3,) if channels == 3 else ())).astype(dtype)
    seeds = np.zeros((height, width), np.uint8)
    seeds[0, 0], seeds[-1, -1] = tilecut.BACKGROUND, tilecut.FOREGROUND
    return image, seeds


def laid_out(rng, array):
    """Returns the same values in another layout."""
    kind = int(rng.integers(0, 7))
    if kind == 0:
        wide = np.zeros((array.shape[0], array.shape[1] + int(rng.integers(1, 9))) + array.shape[2:], array.dtype)
        wide[:, :array.shape[1]] = array
        return wide[:, :array.shape[1]]
    if kind == 1:
        return np.asfortranarray(array)
    if kind == 2:
        return array[::-1].copy()[::-1]
    if kind == 3:
        return array[:, ::-1].copy()[:, ::-1]
    if kind == 4:
        return np.repeat(np.repeat(array, 2, 0), 3, 1)[::2, ::3]
    if kind == 5:
        out = array.copy()
        out.flags.writeable = False
        return out
    room = bytearray(array.nbytes + 1)
    out = np.frombuffer(room, np.uint8)[1:].view(array.dtype).reshape(array.shape)  # at odd addresses
    out[...] = array
    return out


class Layouts(unittest.TestCase):
    def test_any_layout_gives_the_same_mask(self):
        rng = np.random.default_rng(SEED)
        for turn in range(120):
            channels, dtype = (1, 3)[turn % 2], (np.uint8, np.uint16)[turn // 2 % 2]
            image, seeds = scene(rng, channels, dtype)
            want = tilecut.segment(image, seeds, colors="none").mask
            out = np.full((seeds.shape[0] + 2, seeds.shape[1] + 5), 9, np.uint8)
            inner = out[1:-1, 2:-3]
            other, labels = laid_out(rng, image), laid_out(rng, seeds)
            with self.subTest(seed=SEED, turn=turn, shape=image.shape, dtype=dtype.__name__):
                tilecut.segment(other, labels, colors="none", out=inner)
                np.testing.assert_array_equal(inner, want)
                np.testing.assert_array_equal(other, image)
                inner[...] = 9
                self.assertTrue((out == 9).all())

    def test_capacities_of_any_layout(self):
        rng = np.random.default_rng(SEED)
        for turn in range(40):
            planes = [rng.integers(0, 50, (7, 9)).astype(np.int32) for _ in range(4)]
            want = tilecut.maxflow_grid(*planes)
            got = tilecut.maxflow_grid(*[laid_out(rng, plane) for plane in planes])
            with self.subTest(seed=SEED, turn=turn):
                self.assertEqual(got.flow, want.flow)
                np.testing.assert_array_equal(got.mask, want.mask)


    def test_arrays_of_ctypes(self):
        image, seeds = scene(np.random.default_rng(SEED), 3, np.uint16)
        want = tilecut.segment(image, seeds, colors="none").mask
        rows = ctypes.c_uint16 * 3 * image.shape[1] * image.shape[0]
        out = (ctypes.c_uint8 * seeds.shape[1] * seeds.shape[0])()
        labels = type(out).from_buffer_copy(seeds.tobytes())
        tilecut.segment(rows.from_buffer_copy(image.tobytes()), labels, colors="none", out=out)
        np.testing.assert_array_equal(np.asarray(out), want)


class Tensors(unittest.TestCase):
    def test_dlpack_of_the_host_is_taken_without_a_copy(self):
        rng = np.random.default_rng(SEED)
        image, seeds = scene(rng, 3, np.uint8)
        want = tilecut.segment(image, seeds, colors="none").mask
        np.testing.assert_array_equal(tilecut.segment(Tensor(image), Tensor(seeds), colors="none").mask, want)
        keep = []
        self.assertEqual(tilecut._segment.image_of(Tensor(image), keep).pixels, image.ctypes.data)
        turned = np.asfortranarray(image)
        np.testing.assert_array_equal(tilecut.segment(Tensor(turned), seeds, colors="none").mask, want)

    def test_what_a_gpu_has_is_refused_with_the_way_out(self):
        wrap_library(self, built=0)
        image, seeds = scene(np.random.default_rng(SEED), 3, np.uint8)
        for tensor in (Tensor(image, 2), types.SimpleNamespace(__cuda_array_interface__={"shape": (4, 5)})):
            with self.assertRaises(TypeError) as caught:
                tilecut.segment(tensor, seeds)
            self.assertIn(".cpu()", str(caught.exception))
            with self.assertRaisesRegex(TypeError, "cpu"):
                tilecut.Session(tensor, seeds)


class OnDevice:
    """An object with only __cuda_array_interface__, over memory that the test can read."""

    def __init__(self, array, stream=None, readonly=False):
        self.array = array
        self.__cuda_array_interface__ = {"shape": array.shape, "typestr": array.dtype.str, "strides": array.strides,
                                         "data": (array.ctypes.data, readonly), "version": 3, "stream": stream}


class Library:
    """Wraps the shared library, so that the binding believes that it has CUDA or not. Calls are cut on the host."""

    def __init__(self, library, built):
        self.library, self.built, self.calls = library, built, []

    def __getattr__(self, name):
        return getattr(self.library, name)

    def tilecut_cuda_built(self):
        return self.built

    def tilecut_segment(self, image, seeds, params, mask, report):
        self.calls.append((image._obj.pixels, image._obj.stride, seeds, mask, params._obj.stream or 0))
        params._obj.where = 0
        return self.library.tilecut_segment(image, seeds, params, mask, report)


def wrap_library(test, built):
    from tilecut import _device
    library = Library(_device.library, built)
    _device.library = library
    test.addCleanup(setattr, _device, "library", library.library)
    return library


class Device(unittest.TestCase):
    def setUp(self):
        self.library = wrap_library(self, built=1)

    def test_arrays_on_a_device_go_in_and_out_where_they_are(self):
        rng = np.random.default_rng(SEED)
        for turn in range(12):
            image, seeds = scene(rng, (1, 3)[turn % 2], (np.uint8, np.uint16)[turn // 2 % 2])
            want = tilecut.segment(image, seeds, colors="none").mask
            frame = np.full((seeds.shape[0], seeds.shape[1] + 5), 9, np.uint8)
            out = frame[:, 3:-2]
            result = tilecut.segment(OnDevice(image, 77), OnDevice(seeds), out=OnDevice(out), colors="none")
            with self.subTest(seed=SEED, turn=turn):
                self.assertIs(result.mask.array, out)
                np.testing.assert_array_equal(out, want)
                self.assertEqual(self.library.calls[-1], (image.ctypes.data, image.strides[0], seeds.ctypes.data,
                                                          out.ctypes.data, 77))
                self.assertTrue((frame[:, :3] == 9).all() and (frame[:, -2:] == 9).all())

    def test_streams(self):
        image, seeds = scene(np.random.default_rng(SEED), 3, np.uint8)
        out = np.zeros_like(seeds)

        def stream_of(first, second, **options):
            tilecut.segment(OnDevice(image, first), OnDevice(seeds, second), out=OnDevice(out), colors="none", **options)
            return self.library.calls[-1][-1]

        self.assertEqual([stream_of(None, None), stream_of(1, None), stream_of(2, 2), stream_of(5, None, stream=5),
                          stream_of(None, None, stream=6)], [0, 0, 2, 5, 6])
        for wrong in (lambda: stream_of(4, 5), lambda: stream_of(4, 4, stream=5)):
            with self.assertRaisesRegex(ValueError, "stream"):
                wrong()

    def test_dlpack_is_asked_for_on_the_stream_of_the_work(self):
        image, seeds = scene(np.random.default_rng(SEED), 3, np.uint8)
        asked = []

        class There(Tensor):
            def __dlpack__(self, stream=None):
                asked.append(stream)
                return self.array.__dlpack__()

        out = np.zeros_like(seeds)
        for stream in (None, 9):
            tilecut.segment(There(image, 2), There(seeds, 2), out=There(out, 2), colors="none",
                            **({} if stream is None else {"stream": stream}))
            self.assertEqual((set(asked), self.library.calls[-1][-1]), ({stream or 1}, stream or 0))
            asked.clear()
        np.testing.assert_array_equal(out, tilecut.segment(image, seeds, colors="none").mask)

    def test_a_mask_is_made_by_the_package_of_the_image(self):
        image, seeds = scene(np.random.default_rng(SEED), 3, np.uint8)
        made = types.ModuleType("torch")
        made.uint8 = np.uint8
        made.empty = lambda size, dtype, device: OnDevice(np.zeros(size, dtype))
        tensor = type("Tensor", (OnDevice,), {"__module__": "torch", "device": "cuda:0"})
        with unittest.mock.patch.dict(sys.modules, {"torch": made}):
            mask = tilecut.segment(tensor(image), tensor(seeds), colors="none").mask.array
        np.testing.assert_array_equal(mask, tilecut.segment(image, seeds, colors="none").mask)

    def test_what_is_wrong_is_told(self):
        image, seeds = scene(np.random.default_rng(SEED), 3, np.uint8)
        there, labels, out = OnDevice(image), OnDevice(seeds), OnDevice(np.zeros_like(seeds))
        cases = [
            (TypeError, "seeds is not", (there, seeds, out)),
            (TypeError, "out is not", (there, labels, out.array)),
            (TypeError, "out= has to", (there, labels, None)),
            (TypeError, "seeds= is an array", (there, None, out)),
            (ValueError, "gaps", (OnDevice(np.asfortranarray(image)), labels, out)),
            (ValueError, "below each other", (OnDevice(image[::-1]), labels, out)),
            (ValueError, "shape", (there, OnDevice(seeds[1:]), out)),
            (TypeError, "float32", (OnDevice(image.astype(np.float32)), labels, out)),
            (ValueError, "read-only", (there, labels, OnDevice(out.array, readonly=True))),
        ]
        for kind, text, (first, second, third) in cases:
            with self.subTest(text=text):
                with self.assertRaises(kind) as caught:
                    tilecut.segment(first, second, out=third)
                self.assertIn(text, str(caught.exception))
        self.assertFalse(self.library.calls)


class Cancelling(unittest.TestCase):
    def test_flags_raised_at_any_time_leave_the_mask_alone_or_whole(self):
        rng = np.random.default_rng(SEED)
        image = rng.integers(0, 255, (160, 200, 3)).astype(np.uint8)
        seeds = np.zeros(image.shape[:2], np.uint8)
        seeds[:3], seeds[60:80, 90:110] = tilecut.BACKGROUND, tilecut.FOREGROUND
        want = tilecut.segment(image, seeds).mask
        ended = {True: 0, False: 0}
        for turn in range(30):
            flag, out = tilecut.Flag(), np.full(seeds.shape, 7, np.uint8)
            timer = threading.Timer(float(rng.uniform(0, 0.08)), flag.raise_)
            timer.start()
            try:
                tilecut.segment(image, seeds, out=out, cancel=flag)
                np.testing.assert_array_equal(out, want)
                ended[True] += 1
            except tilecut.Cancelled:
                self.assertTrue((out == 7).all())
                ended[False] += 1
            timer.join()
        self.assertEqual(sum(ended.values()), 30)
