# SPDX-License-Identifier: MIT
"""tilecut.parts gives the same bits as one part, for images and volumes, with the library's exchange between threads
and with an exchange written in Python. Also tests parts that fail."""
import importlib.util
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy as np

from scenes import SEED
import tilecut
from tilecut import parts


class Queues(parts.Exchange):
    """An exchange between parts through queues, as over a network."""

    def __init__(self, part, count, mail, fails_at=None):
        super().__init__(part, count)
        self.mail, self.calls, self.fails_at = mail, 0, fails_at

    def send(self, to, data):
        self.mail[self.part, to].put(data)

    def receive(self, sender):
        data = self.mail[sender, self.part].get(timeout=20)
        if data is None:
            raise ConnectionError("the other part has left")
        return data

    def count(self):
        self.calls += 1
        if self.calls == self.fails_at:
            raise ConnectionResetError("the cable")

    def sum(self, values):
        self.count()
        others = [part for part in range(self.parts) if part != self.part]
        for to in others:
            self.send(to, bytes(values))
        total = np.array(values, np.int64)
        for sender in others:
            total += np.frombuffer(self.receive(sender), np.int64)
        np.frombuffer(values, np.int64)[:] = total

    def swap(self, to_above, to_below, from_above, from_below):
        self.count()
        for to, data in ((self.part - 1, to_above), (self.part + 1, to_below)):
            if data is not None:
                self.send(to, bytes(data))
        for sender, data in ((self.part - 1, from_above), (self.part + 1, from_below)):
            if data is not None:
                data[:] = self.receive(sender)

    def leave(self):
        for to in range(self.parts):
            if to != self.part:
                self.send(to, None)


def queues(count, fails=None):
    mail = {(a, b): queue.Queue() for a in range(count) for b in range(count)}
    return [Queues(part, count, mail, 4 if part == fails else None) for part in range(count)]


def together(exchanges, height, work):
    """Runs work(exchange, first row, rows, top, bottom) in all parts at the same time. Returns what each has returned
    or raised."""
    told = [None] * len(exchanges)

    def run(at):
        first, count = parts.rows(height, len(exchanges), at)
        try:
            told[at] = work(exchanges[at], first, count, max(first - 1, 0), min(first + count + 1, height))
        except Exception as error:
            told[at] = error

    threads = [threading.Thread(target=run, args=(at,)) for at in range(len(exchanges))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return told


def whole(told, height):
    rows = []
    for at, result in enumerate(told):
        if isinstance(result, Exception):
            raise result
        first, count = parts.rows(height, len(told), at)
        rows.append(np.asarray(result.labels if hasattr(result, "labels") else result.mask)[first > 0:][:count])
    return np.concatenate(rows)


def scene(rng, height, width):
    image = rng.integers(60, 120, (height, width, 3)).astype(np.uint8)
    image[height // 4:3 * height // 4, width // 4:3 * width // 4] += 70
    seeds = np.zeros((height, width), np.uint8)
    seeds[:2], seeds[height // 3:2 * height // 3, width // 2] = tilecut.BACKGROUND, tilecut.FOREGROUND
    return image, seeds


class Parts(unittest.TestCase):
    def test_an_image_in_parts_has_the_bits_of_the_whole(self):
        rng = np.random.default_rng(SEED)
        for count, make in ((1, parts.threads), (3, parts.threads), (2, queues), (4, queues)):
            height, width = (int(n) for n in rng.integers(40, 90, 2))
            image, seeds = scene(rng, height, width)
            want = tilecut.segment(image, seeds)
            told = together(make(count), height, lambda exchange, first, rows, top, bottom: parts.segment(
                image[top:bottom], seeds[top:bottom], exchange, height, first, rows, threads=1))
            with self.subTest(seed=SEED, parts=count, make=make.__name__):
                np.testing.assert_array_equal(whole(told, height), want.mask)
                for result in told:
                    self.assertEqual((result.flow, result.cut, result.energy), (want.flow, want.cut, want.energy))
                    self.assertGreater(result.part["meetings"], 0)

    def test_capacities_in_parts(self):
        rng = np.random.default_rng(SEED)
        for turn in range(4):
            shape = tuple(int(n) for n in rng.integers(12, 50, 2))
            names = ("right", "down") + (("left", "up") if turn % 2 else ())
            planes = {name: rng.integers(0, 50, shape).astype(np.int32) for name in ("source", "sink") + names}
            want = tilecut.maxflow_grid(**planes)
            told = together(queues(3), shape[0], lambda exchange, first, rows, top, bottom: parts.solve(
                **{name: plane[top:bottom] for name, plane in planes.items()}, exchange=exchange, height=shape[0],
                first=first, rows=rows))
            with self.subTest(seed=SEED, turn=turn):
                np.testing.assert_array_equal(whole(told, shape[0]), want.mask)
                self.assertEqual({result.flow for result in told}, {want.flow})

    def test_a_mask_is_cleaned_in_parts(self):
        rng = np.random.default_rng(SEED)
        for shape, options in (((40, 31), {}), ((40, 31), {"connectivity": 4}), ((12, 9, 10), {"connectivity": 26})):
            given = (rng.random(shape) < .55) * np.uint8(255)
            seeds = np.where(rng.random(shape) < .01, 2, 0).astype(np.uint8)
            options.update(keep_largest=True, min_area=3, fill_holes=4)
            want = given.copy()
            counts = tilecut.clean(want, seeds, **options)
            masks = {}

            def work(exchange, first, rows, top, bottom):
                mask = given[top:bottom].copy()
                masks[exchange.part] = mask[first - top:first - top + rows]
                return parts.clean(mask, seeds[top:bottom], exchange, shape[0], first, rows, **options)

            for make in (parts.threads, queues):
                with self.subTest(seed=SEED, shape=shape, make=make.__name__):
                    self.assertEqual(together(make(3), shape[0], work), [counts] * 3)
                    np.testing.assert_array_equal(np.concatenate([masks[part] for part in range(3)]), want)

    def test_what_an_exchange_raises_comes_out_and_ends_all_parts(self):
        image, seeds = scene(np.random.default_rng(SEED), 60, 50)
        told = together(queues(3, fails=1), 60, lambda exchange, first, rows, top, bottom: parts.segment(
            image[top:bottom], seeds[top:bottom], exchange, 60, first, rows))
        self.assertIsInstance(told[1], ConnectionResetError)
        for other in (told[0], told[2]):
            self.assertIsInstance(other, ConnectionError)

    def test_a_part_that_is_refused_at_the_door_ends_all(self):
        image, seeds = scene(np.random.default_rng(SEED), 60, 50)
        for make in (parts.threads, queues):
            told = together(make(2), 60, lambda exchange, first, rows, top, bottom: parts.segment(
                image[top:bottom], seeds[top:bottom, exchange.part:], exchange, 60, first, rows))
            self.assertIsInstance(told[1], ValueError)
            self.assertIsInstance(told[0], Exception)

    def test_what_is_wrong_is_told(self):
        image, seeds = scene(np.random.default_rng(SEED), 60, 50)
        alone = parts.threads(1)[0]
        self.assertEqual((alone.part, alone.parts), (0, 1))
        self.assertEqual([parts.rows(10, 3, part) for part in range(3)], [(0, 3), (3, 3), (6, 4)])
        for kind, work in ((ValueError, lambda: parts.segment(image, seeds, alone, 60, 5, 60)),
                           (ValueError, lambda: parts.segment(image, seeds[1:], alone, 60, 0, 60)),
                           (TypeError, lambda: parts.segment(image, seeds, alone, 60, 0, 60, box=3)),
                           (ValueError, lambda: parts.threads(0)),
                           (tilecut.SeedsError, lambda: parts.segment(image, seeds * 0, alone, 60, 0, 60))):
            with self.assertRaises(kind):
                work()


def ball(rng, shape, dtype):
    """Returns a bright ball in noise, whose values do not fill the range of the type, and seeds in the first and last
    slices."""
    z, y, x = np.mgrid[tuple(slice(n) for n in shape)]
    inside = sum(((a - (n - 1) / 2) / (0.36 * n)) ** 2 for a, n in zip((z, y, x), shape)) < 1
    volume = (np.where(inside, 150, 70) + rng.normal(0, 30, shape)).clip(0, 255).astype(dtype)
    seeds = np.zeros(shape, np.uint8)
    seeds[:1], seeds[:, :1], seeds[-1:, :2] = tilecut.BACKGROUND, tilecut.BACKGROUND, tilecut.OUTSIDE
    seeds[shape[0] // 2, shape[1] // 2, shape[2] // 2] = tilecut.FOREGROUND
    return volume, seeds


class Volumes(unittest.TestCase):
    def test_a_volume_in_parts_has_the_bits_of_the_whole(self):
        rng = np.random.default_rng(SEED)
        crossed = 0
        for count, make, dtype in ((1, parts.threads, np.uint8), (3, parts.threads, np.int16), (4, queues, np.float32),
                                   (5, queues, np.uint16)):
            shape = tuple(int(n) for n in rng.integers(12, 26, 3))
            volume, seeds = ball(rng, shape, dtype)
            how = {4: dict(spacing=(2.5, 1, 1), low=3, high=240, colors="hist"), 5: dict(connectivity=26)}.get(count, {})
            want = tilecut.segment_volume(volume, seeds, **how)
            told = together(make(count), shape[0], lambda exchange, first, slices, top, bottom: parts.segment_volume(
                volume[top:bottom], seeds[top:bottom], exchange, shape[0], first, slices, threads=1, **how))
            ranges = together(make(count), shape[0], lambda exchange, first, slices, top, bottom: parts.volume_range(
                volume[top:bottom], exchange, shape[0], first, slices))
            with self.subTest(seed=SEED, parts=count, make=make.__name__):
                self.assertEqual(set(ranges), {tilecut.volume_range(volume)})
                np.testing.assert_array_equal(whole(told, shape[0]), want.mask)
                self.assertTrue(0 < (want.mask == 255).sum() < want.mask.size)
                for result in told:
                    self.assertEqual((result.flow, result.cut, result.energy), (want.flow, want.cut, want.energy))
                crossed += sum(result.part["solves"] > 1 for result in told)
        self.assertGreater(crossed, 0, "flow has crossed a border")

    def test_labels_in_parts_are_those_of_the_whole(self):
        rng = np.random.default_rng(SEED)
        for shape, make in (((24, 18), queues), ((12, 14, 9), parts.threads)):
            image = rng.integers(0, 256, shape).astype(np.uint8) // 3
            image[:, shape[1] // 2:] += 90
            seeds = np.zeros(shape, np.uint8)
            seeds[0, 0], seeds[0, -1], seeds[-1, -1] = 1, 2, 3
            want = tilecut.labels(image, seeds)
            told = together(make(3), shape[0], lambda exchange, first, rows, top, bottom: parts.labels(
                image[top:bottom], seeds[top:bottom], exchange, shape[0], first, rows, threads=1))
            with self.subTest(seed=SEED, shape=shape):
                np.testing.assert_array_equal(whole(told, shape[0]), want.labels)
                self.assertGreater(len(want.pixels), 1)
                for result in told:
                    self.assertEqual((result.energy, result.bound, result.pixels), (want.energy, want.bound, want.pixels))
        with self.assertRaises(ValueError):
            parts.labels(image, seeds, parts.threads(1)[0], 12, 1, 12)

    def test_capacities_of_a_volume_in_parts(self):
        rng = np.random.default_rng(SEED)
        for turn in range(4):
            shape = tuple(int(n) for n in rng.integers(3, 14, 3))
            names = ("right", "down", "back") + (("left", "up", "front") if turn % 2 else ())
            planes = {name: rng.integers(0, 50, shape).astype(np.int32) for name in ("source", "sink") + names}
            want = tilecut.maxflow_volume(**planes)
            told = together(queues(3), shape[0], lambda exchange, first, slices, top, bottom: parts.solve_volume(
                **{name: plane[top:bottom] for name, plane in planes.items()}, exchange=exchange, depth=shape[0],
                first=first, slices=slices))
            with self.subTest(seed=SEED, turn=turn):
                np.testing.assert_array_equal(whole(told, shape[0]), want.mask)
                self.assertEqual({result.flow for result in told}, {want.flow})

    def test_out_is_filled_and_what_is_wrong_ends_all(self):
        volume, seeds = ball(np.random.default_rng(SEED), (8, 9, 10), np.uint8)
        alone = parts.threads(1)[0]
        out = np.empty(volume.shape, np.uint8)
        self.assertIs(parts.segment_volume(volume, seeds, alone, 8, 0, 8, out=out).mask, out)
        np.testing.assert_array_equal(out, tilecut.segment_volume(volume, seeds).mask)
        for kind, work in ((ValueError, lambda: parts.segment_volume(volume, seeds, alone, 8, 1, 8)),
                           (ValueError, lambda: parts.segment_volume(volume, seeds[1:], alone, 8, 0, 8)),
                           (tilecut.SeedsError, lambda: parts.segment_volume(volume, seeds * 0, alone, 8, 0, 8)),
                           (ValueError, lambda: parts.segment_volume(volume, seeds, alone, 8, 0, 8, solver="wave"))):
            with self.assertRaises(kind):
                work()
        for make in (parts.threads, queues):
            told = together(make(2), 8, lambda exchange, first, slices, top, bottom: parts.segment_volume(
                volume[top:bottom], seeds[top:bottom, exchange.part:], exchange, 8, first, slices))
            self.assertIsInstance(told[1], ValueError)
            self.assertIsInstance(told[0], Exception)
            told = together(make(2), 8, lambda exchange, first, slices, top, bottom: parts.volume_range(
                "no volume" if exchange.part else volume[top:bottom], exchange, 8, first, slices))
            self.assertIsInstance(told[1], TypeError)
            self.assertIsInstance(told[0], Exception)


def example():
    """Returns the example for mpirun in docs/guide/python.md."""
    page = os.path.join(os.path.dirname(__file__), "../../docs/guide/python.md")
    with open(page, encoding="utf-8") as file:
        return file.read().split("```mpi\n")[1].split("```")[0]


class Communicator(unittest.TestCase):
    """Tests the exchange over mpi4py between processes of mpirun."""

    def setUp(self):
        if importlib.util.find_spec("mpi4py") is None or shutil.which("mpirun") is None:
            self.skipTest("parts over mpi4py: no Debian packages python3-mpi4py and openmpi-bin")
        if os.environ.get("LD_PRELOAD"):
            self.skipTest("parts over mpi4py: not under a sanitizer")

    def ranks(self, count, folder, lines):
        with open(os.path.join(folder, "cut.py"), "w", encoding="utf-8") as file:
            file.write(lines)
        root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl": "self,tcp",
                "OMPI_MCA_btl_tcp_if_include": "lo"}
        return subprocess.run(["mpirun", "-q", "--oversubscribe", "-n", str(count), sys.executable, "cut.py"], cwd=folder,
                              env={**os.environ, **root}, capture_output=True, text=True, timeout=100)

    def test_processes_have_the_bits_of_the_whole(self):
        image, seeds = scene(np.random.default_rng(SEED), 61, 50)
        want = tilecut.segment(image, seeds)
        with tempfile.TemporaryDirectory() as folder:
            np.save(os.path.join(folder, "image.npy"), image)
            np.save(os.path.join(folder, "seeds.npy"), seeds)
            done = self.ranks(2, folder, example())
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            masks = [np.load(os.path.join(folder, f"mask-{part}.npy")) for part in range(2)]
        np.testing.assert_array_equal(np.concatenate(masks), want.mask)

    def test_processes_cut_a_volume(self):
        volume, seeds = ball(np.random.default_rng(SEED), (21, 17, 19), np.int16)
        want = tilecut.segment_volume(volume, seeds)
        with tempfile.TemporaryDirectory() as folder:
            np.save(os.path.join(folder, "image.npy"), volume)
            np.save(os.path.join(folder, "seeds.npy"), seeds)
            done = self.ranks(2, folder, example().replace("parts.segment(", "parts.segment_volume("))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            masks = [np.load(os.path.join(folder, f"mask-{part}.npy")) for part in range(2)]
        np.testing.assert_array_equal(np.concatenate(masks), want.mask)

    def test_a_part_that_fails_ends_all(self):
        image, seeds = scene(np.random.default_rng(SEED), 61, 50)
        lines = example().replace("seeds[top:bottom]", "seeds[top:bottom, exchange.part:]").replace(
            "result =", "try:\n  result =").replace(
            "numpy.save", "except Exception as error:\n  open(f'said-{exchange.part}', 'w').write(type(error).__name__)\n"
            "else: numpy.save")
        with tempfile.TemporaryDirectory() as folder:
            np.save(os.path.join(folder, "image.npy"), image)
            np.save(os.path.join(folder, "seeds.npy"), seeds)
            done = self.ranks(2, folder, lines)
            self.assertEqual(done.returncode, 0, done.stderr)
            # The answers are in files, because mpirun mixes the standard output of its processes even within lines.
            said = [pathlib.Path(folder, f"said-{part}").read_text(encoding="utf-8") for part in range(2)]
            self.assertEqual(said, ["ConnectionError", "ValueError"])
            self.assertFalse([name for name in os.listdir(folder) if name.startswith("mask")])
