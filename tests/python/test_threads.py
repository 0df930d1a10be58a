# SPDX-License-Identifier: MIT
"""Calls from several threads, cancelling, and functions that must work without NumPy, run in a separate process that
cannot import it."""
import ctypes
import gc
import os
import signal
import subprocess
import sys
import threading
import time
import unittest
from unittest import mock

import numpy as np

import tilecut
from scenes import scene
from tilecut import _header, _library, network, parts


class Threads(unittest.TestCase):
    def test_the_lock_is_released_while_cutting(self):
        image, seeds, _ = scene(600, 800)
        ticks, done = [0], threading.Event()

        def tick():
            while not done.is_set():
                ticks[0] += 1
                time.sleep(0.0005)

        thread = threading.Thread(target=tick)
        thread.start()
        before = ticks[0]
        _library.library.tilecut_version()
        tilecut.segment(image, seeds, colors="none")
        during = ticks[0] - before
        done.set()
        thread.join()
        self.assertGreater(during, 3)

    def test_many_at_once_give_the_same(self):
        image, seeds, _ = scene(100, 120)
        want = tilecut.segment(image, seeds).mask.tobytes()
        got, errors = [], []

        def work():
            try:
                for _ in range(5):
                    got.append(tilecut.segment(image, seeds).mask.tobytes())
                    with self.assertRaises(tilecut.SeedsError):
                        tilecut.segment(image, np.zeros_like(seeds))
            except BaseException as error:  # keeps the exception, so that the main thread can report it
                errors.append(error)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertFalse(errors)
        self.assertEqual(set(got), {want})

    def test_a_raised_flag_cancels(self):
        image, seeds, _ = scene()
        flag = tilecut.Flag()
        flag.raise_()
        with self.assertRaises(tilecut.Cancelled):
            tilecut.segment(image, seeds, cancel=flag)
        flag.lower()
        tilecut.segment(image, seeds, cancel=flag)

    def test_a_flag_raised_after_the_call_has_begun_cancels(self):
        image, seeds, _ = scene()
        volume, inside = np.stack([image[..., 0]] * 3), np.stack([seeds] * 3)
        ends, caps = np.array([0, 1], np.int32), np.zeros((4, 5), np.int32)
        exchange = parts.threads(1)[0]
        flag = tilecut.Flag()
        cases = {
            "tilecut_segment": lambda: tilecut.segment(image, seeds, cancel=flag),
            "tilecut_correct": lambda: tilecut.segment(image, seeds, previous=seeds, cancel=flag),
            "tilecut_graph_segment": lambda: tilecut.Session(image, seeds, cancel=flag).segment(),
            "tilecut_volume_segment": lambda: tilecut.segment_volume(volume, inside, cancel=flag),
            "tilecut_volume_solve": lambda: tilecut.maxflow_volume(*[np.stack([caps] * 2)] * 5, cancel=flag),
            "tilecut_graph_solve": lambda: tilecut.maxflow_grid(caps, caps, caps, caps, cancel=flag),
            "tilecut_part_segment": lambda: parts.segment(image, seeds, exchange, 48, 0, 48, cancel=flag),
            "tilecut_network_solve": lambda: network.maximum_flow((ends, ends[::-1]), 0, 1, cancel=flag),
            "tilecut_network_match": lambda: network.match((ends, ends), shape=(2, 2), cancel=flag),
            "tilecut_network_assign": lambda: network.assign(np.eye(2, dtype=int), cancel=flag),
            "tilecut_network_levels": lambda: network.levels((ends, ends), 0, shape=(2, 2), cancel=flag),
        }
        for name, action in cases.items():
            flag.lower()
            real = getattr(_library.library, name)

            def late(*arguments, real=real):
                flag.raise_()
                return real(*arguments)

            with self.subTest(name), mock.patch.object(_library.library, name, late):
                with self.assertRaises(tilecut.Cancelled):
                    action()
        with self.assertRaisesRegex(TypeError, "Flag is right"):
            tilecut.segment(image, seeds, cancel=True)

    def test_ctrl_c_ends_a_long_cut(self):
        program = ("import os, signal, threading, numpy as n, tilecut\n"
                   "signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job may ignore it\n"
                   "r = n.random.default_rng(1); s = (1500, 1500)\n"
                   "a, b = (r.integers(0, 3000, s).astype('i4') * (r.random(s) < .02) for _ in 'ab')\n"
                   "c, d = (r.integers(0, 100, s).astype('i4') for _ in 'cd')\n"
                   "threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
                   "try:\n"
                   "    while True: tilecut.maxflow_grid(a, b, c, d, solver='bk')\n"
                   "except KeyboardInterrupt: print('interrupted')\n")
        out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
        self.assertEqual(out.stdout.strip(), "interrupted", out.stderr)

    def test_whatever_comes_while_it_ends_arrays_are_kept_until_it_has(self):
        ended = []

        class Status:  # simulates a call that takes some time to notice the flag
            def __call__(self, *_):
                while not flag:
                    time.sleep(0.01)
                os.kill(os.getpid(), signal.SIGINT)  # sends a second signal while the main thread waits for the end
                time.sleep(0.2)
                ended.append(True)
                return _header.TILECUT_ECANCELLED

        flag = tilecut.Flag()
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            timer = threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                _library.call(Status(), cancel=flag)
        finally:
            signal.signal(signal.SIGINT, before)
        self.assertEqual((ended, bool(flag)), ([True], False))


class Plain(unittest.TestCase):
    def test_works_without_numpy(self):
        program = ("import sys; sys.modules['numpy'] = None\n"
                   "import tilecut, array\n"
                   "w, h = 30, 20\n"
                   "pixels = bytearray(200 if 8 < x < 22 else 30 for y in range(h) for x in range(w))\n"
                   "image = memoryview(pixels).cast('B', (h, w))\n"
                   "seeds = bytearray(w * h); seeds[10 * w + 15] = 2; seeds[10 * w + 1] = 1\n"
                   "r = tilecut.segment(image, memoryview(seeds).cast('B', (h, w)), colors='none')\n"
                   "assert [r.mask[5, x] for x in (2, 15)] == [0, 255], r.mask.tolist()[5]\n"
                   "one = memoryview(array.array('i', [1] * 6)).cast('B').cast('i', (2, 3))\n"
                   "assert tilecut.maxflow_grid(one, one, one, one).flow == 6\n"
                   "print('fine')\n")
        out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
        self.assertEqual(out.stdout.strip(), "fine", out.stderr)

    def test_structs_are_those_of_the_compiler(self):
        sizes = os.environ.get("TILECUT_SIZES")
        if not sizes:
            self.skipTest("TILECUT_SIZES is not set")
        for word in sizes.split():
            name, size = word.split("=")
            with self.subTest(struct=name):
                self.assertEqual(ctypes.sizeof(getattr(_header, name)), int(size))

    def test_nothing_is_kept_after_many_calls(self):
        image, seeds, _ = scene(16, 16)

        def resident():
            with open("/proc/self/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        volume, marks = np.stack([image[..., 0]] * 3), np.stack([seeds] * 3)
        tail, head = np.arange(6), np.arange(6) + 1

        def others():
            with tilecut.Session(image, seeds) as session:
                session.segment()
                session.advance(image.copy())
                session.solve()
                session.stroke(np.ones((2, 2), np.uint8), tilecut.FOREGROUND, at=(1, 1))
                session.undo()
            with tilecut.VolumeSession(volume) as scan:
                scan.solve(marks)
            network.maximum_flow((tail, head), 0, 6, nodes=7, flows=True)
            network.match((tail, head), shape=(7, 7))
            with self.assertRaises(ValueError):
                network.maximum_flow((tail, head), 0, 9, nodes=7)

        def growth(calls):
            before = resident()
            for i in range(calls):
                tilecut.segment(image, seeds)
                if i % 50 == 0:
                    others()
                    with self.assertRaises(tilecut.SeedsError):
                        tilecut.segment(image, np.zeros_like(seeds))
            gc.collect()
            return resident() - before

        # A leak would add memory in every round. In some rounds the allocator takes a new arena, which is no leak.
        calls = int(os.environ.get("TEST_CALLS", "1000")) // 4
        if calls == 0:
            self.skipTest("TEST_CALLS is 0")
        self.assertLess(min(growth(calls) for _ in range(5)), calls * 512)
