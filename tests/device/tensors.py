# SPDX-License-Identifier: MIT
"""Checks that tilecut.segment() gives tensors of PyTorch and arrays of CuPy on a GPU the same masks as on the CPU, bit
for bit, and leaves them on the GPU. Needs a GPU, a build with CUDA, NumPy, and PyTorch or CuPy:

    make python CUDA=1 && PYTHONPATH=build/release/python python3 tests/device/tensors.py

Prints one line for each case. The exit status is 1 if a mask differs, a refusal is missing, or nothing could be tried.
"""
import importlib
import sys
import time

import numpy as np

import tilecut

SIZES = ((97, 133), (480, 641), (2000, 3000))
bad = []


def scene(height, width, channels, dtype, seed=1):
    """Draws an object with holes on a textured background, with noise and a few strokes."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:height, :width] / max(height, width)
    inside = (np.hypot(x - 0.45, y - 0.3) < 0.2) & ~(np.hypot(x - 0.5, y - 0.25) < 0.05)
    levels = np.where(inside, 170, 90) + 25 * np.sin(40 * x) * np.cos(23 * y)
    picture = levels[..., None] + np.array([0, 15, -20])[:channels] + rng.normal(0, 18, (height, width, channels))
    picture = np.clip(picture, 0, 255) * (257 if dtype == np.uint16 else 1)
    seeds = np.zeros((height, width), np.uint8)
    unit = max(height, width) // 50 + 1
    seeds[:unit], seeds[-unit:] = tilecut.BACKGROUND, tilecut.BACKGROUND
    row, column = int(0.3 * max(height, width)), int(0.3 * max(height, width))
    seeds[row:row + unit, column:column + 5 * unit] = tilecut.FOREGROUND
    picture = picture.astype(dtype)
    return np.ascontiguousarray(picture[..., 0] if channels == 1 else picture), seeds


class Interface:
    """An object with only the __cuda_array_interface__ of an array."""

    def __init__(self, array):
        self.array = array
        self.__cuda_array_interface__ = array.__cuda_array_interface__


class Exchange:
    """An object with only the __dlpack__ methods of an array."""

    def __init__(self, array):
        self.array = array
        self.__dlpack__, self.__dlpack_device__ = array.__dlpack__, array.__dlpack_device__


class Torch:
    name = "torch"

    def __init__(self):
        self.module = importlib.import_module("torch")
        if not self.module.cuda.is_available():
            raise ImportError("PyTorch sees no GPU")

    def there(self, array):
        return self.module.from_numpy(array).to("cuda")

    def host(self, array):
        return array.cpu().numpy()

    def on_device(self, array):
        return isinstance(array, self.module.Tensor) and array.is_cuda

    def zeros(self, size):
        return self.module.zeros(size, dtype=self.module.uint8, device="cuda")

    def side_stream(self):
        """Returns a stream other than the default one: the context manager and its number."""
        stream = self.module.cuda.Stream()
        return self.module.cuda.stream(stream), stream.cuda_stream

    def busy(self):
        """Starts work on the current stream that takes some ten milliseconds."""
        big = self.module.ones((6000, 6000), device="cuda")
        for _ in range(6):
            big = big @ big * 1e-5
        return big

    def wait(self):
        self.module.cuda.synchronize()


class Cupy:
    name = "cupy"

    def __init__(self):
        self.module = importlib.import_module("cupy")
        self.module.cuda.runtime.getDeviceCount()

    def there(self, array):
        return self.module.asarray(array)

    def host(self, array):
        return self.module.asnumpy(array)

    def on_device(self, array):
        return isinstance(array, self.module.ndarray)

    def zeros(self, size):
        return self.module.zeros(size, self.module.uint8)

    def side_stream(self):
        stream = self.module.cuda.Stream(non_blocking=True)
        return stream, stream.ptr

    def busy(self):
        big = self.module.ones((6000, 6000), "float32")
        for _ in range(6):
            big = self.module.sqrt(big * 1.5 + 0.5)
            big = self.module.sort(big, axis=1)
        return big

    def wait(self):
        self.module.cuda.Device().synchronize()


def tell(name, good, note=""):
    if not good:
        bad.append(name)
    print(f"tensors: {name}: {'same' if good else 'DIFFERENT'}{note}", flush=True)


def one(package, name, image, seeds, give=lambda array: array, out=False, prior=None, **options):
    """Cuts a scene on the CPU and on the GPU; `give` converts an array to the form that is passed. Returns the time on
    the GPU in ms."""
    want = tilecut.segment(image, seeds, prior=prior, **{**options, "solver": "cascade"})
    target = package.zeros(seeds.shape) if out else None
    arrays = [package.there(image), package.there(seeds)]
    package.wait()
    start = time.perf_counter()
    got = tilecut.segment(*(give(a) for a in arrays), prior=prior, out=None if target is None else give(target), **options)
    spent = 1e3 * (time.perf_counter() - start)
    mask = got.mask if target is None else target
    differ = np.count_nonzero(package.host(mask) != want.mask) if package.on_device(mask) else -1
    good = differ == 0 and got.flow == got.cut == want.flow and (package.host(arrays[0]) == image).all()
    tell(f"{package.name}, {name}", good, f", {np.count_nonzero(want.mask)} of {want.mask.size} pixels, {differ} differ, flow "
         f"{got.flow}, solver {got.report['solver']}, {spent:.1f} ms")


def layouts(package):
    for height, width in SIZES:
        for channels, dtype in ((3, np.uint8), (1, np.uint8), (3, np.uint16), (1, np.uint16)):
            image, seeds = scene(height, width, channels, dtype)
            one(package, f"{width}x{height}, {channels} x {dtype.__name__}", image, seeds)
    image, seeds = scene(*SIZES[1], 3, np.uint8)
    one(package, "__cuda_array_interface__ alone, out=", image, seeds, give=Interface, out=True)
    one(package, "__dlpack__ alone, out=", image, seeds, give=Exchange, out=True)
    one(package, "out= of the caller", image, seeds, out=True)
    one(package, "lambda 40, one iteration", image, seeds, lambda_=40, iterations=1)
    one(package, "no colours, no spatial term", image, seeds, colors="none", spatial=0)
    one(package, "another tool's mask as prior, which is on the host", image, seeds,
        prior=np.where(np.arange(image.shape[1]) % 300 < 200, 255, 0)[None].repeat(image.shape[0], 0).astype(np.uint8))
    for solver in ("cuda", "hybrid"):
        one(package, f"solver={solver}", image, seeds, solver=solver)


def rows_apart(package):
    """A window of a larger picture is read and written in place."""
    image, seeds = scene(*SIZES[1], 3, np.uint8)
    want = tilecut.segment(image, seeds).mask
    height, width = seeds.shape
    frame = np.full((height + 9, width + 11, 3), 7, np.uint8)
    frame[4:-5, 3:-8] = image
    wide = package.there(frame)
    marks, target = package.zeros((height, width + 64)), package.zeros((height + 2, width + 5))
    marks[:, 10:10 + width] = package.there(seeds)
    tilecut.segment(wide[4:-5, 3:-8], marks[:, 10:10 + width], out=target[1:-1, 2:-3])
    got = package.host(target)
    inner = got[1:-1, 2:-3].copy()
    got[1:-1, 2:-3] = 0
    tell(f"{package.name}, rows apart", (inner == want).all() and not got.any())


def streams(package):
    """Fills arrays on another stream just before the call, after work that takes longer than the call needs to start.
    Unless the streams are ordered, the values would not be there."""
    image, seeds = scene(*SIZES[1], 3, np.uint8)
    want = tilecut.segment(image, seeds).mask
    context, number = package.side_stream()
    for name, give, options in (("__dlpack__, default stream", Exchange, {}),
                                ("__dlpack__, stream=", Exchange, {"stream": number}),
                                ("__cuda_array_interface__, stream=", Interface, {"stream": number})):
        source = [package.there(image), package.there(seeds)]
        arrays = [package.there(np.zeros_like(image)), package.there(np.zeros_like(seeds))]
        target = package.zeros(seeds.shape)
        package.wait()
        with context:
            keep = package.busy()
            for array, value in zip(arrays, source):
                array[...] = value
            tilecut.segment(*(give(a) for a in arrays), out=give(target), **options)
        differ = np.count_nonzero(package.host(target) != want)
        tell(f"{package.name}, filled on a side stream, {name}", differ == 0, f", {differ} differ")
        del keep


def refusals(package):
    image, seeds = scene(*SIZES[0], 3, np.uint8)
    there, marks = package.there(image), package.there(seeds)
    turned = package.there(np.ascontiguousarray(image.swapaxes(0, 1))).swapaxes(0, 1)
    for name, kind, call in (
            ("seeds on the host", TypeError, lambda: tilecut.segment(there, seeds)),
            ("out on the host", TypeError, lambda: tilecut.segment(there, marks, out=np.zeros_like(seeds))),
            ("columns side by side", ValueError, lambda: tilecut.segment(turned, marks)),
            ("seeds of another size", ValueError, lambda: tilecut.segment(there, marks[1:])),
            ("no object", tilecut.SeedsError, lambda: tilecut.segment(there, package.there(np.minimum(seeds, 1)))),
            ("score() of it", TypeError, lambda: tilecut.score(marks, marks)),
            ("a session of it", TypeError, lambda: tilecut.Session(there, marks))):
        try:
            call()
            tell(f"{package.name}, {name}", False, ", not refused")
        except kind as error:
            tell(f"{package.name}, {name}", True, f", refused: {error}")


def together(torch, cupy):
    image, seeds = scene(*SIZES[1], 3, np.uint8)
    want = tilecut.segment(image, seeds).mask
    mask = tilecut.segment(torch.there(image), cupy.there(seeds)).mask
    tell("image of PyTorch, seeds of CuPy", torch.on_device(mask) and (torch.host(mask) == want).all())


def main():
    if not tilecut.cuda_built() or not tilecut.cuda_devices():
        print(f"tensors: nothing tried: {'no GPU' if tilecut.cuda_built() else 'this build has no CUDA'}")
        return 1
    print(f"tensors: tilecut {tilecut.__version__}, {tilecut.cuda_device()}")
    packages = []
    for kind in (Torch, Cupy):
        try:
            packages.append(kind())
            print(f"tensors: {kind.name} {packages[-1].module.__version__}")
        except Exception as error:  # the package is not installed, or has no driver
            print(f"tensors: skipped: {kind.name}: {error}")
    for package in packages:
        for case in (layouts, rows_apart, streams, refusals):
            try:
                case(package)
            except Exception as error:  # reports the failure and runs the other cases
                tell(f"{package.name}, {case.__name__}", False, f", {type(error).__name__}: {error}")
    if len(packages) == 2:
        together(*packages)
    print(f"tensors: {len(bad)} bad" if bad or not packages else "tensors: all good")
    return 1 if bad or not packages else 0


if __name__ == "__main__":
    sys.exit(main())
