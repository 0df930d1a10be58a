# SPDX-License-Identifier: MIT
"""One scan, one answer: command line, C, sessions, parts, processes and a GPU give the same labels for the same task.

TEST_VOLUMES names a folder with more scans to cut: NAME.nii.gz and NAME_seeds.nii.gz (1 foreground, 2 background).
"""
import glob
import os
import shutil
import subprocess
import tempfile
import unittest

import numpy as np

import tilecut
from tilecut import parts
from test_parts import together, whole

PROGRAM = os.environ.get("TILECUT") or os.path.join(os.path.dirname(tilecut.__file__), "bin", "tilecut")
TASKS = ("strokes", "strokes and a box", "box", "click", "mask", "correction")
FROM_A_MASK = TASKS[4:]


def drawn(folder):
    """Returns a tube in noise as raw int16 with spacing, and strokes that several answers satisfy."""
    rng = np.random.default_rng(int(os.environ.get("TEST_SEED", "1")))
    z, y, x = np.mgrid[:18, :30, :34]
    inside = ((y - 15 - 3 * np.sin(z / 4)) / 7) ** 2 + ((x - 16) / 8) ** 2 < 1
    volume = (np.where(inside, 900, 400) + rng.normal(0, 190, inside.shape)).astype(np.int16)
    seeds = np.zeros(volume.shape, np.uint8)
    seeds[4:14:4, 13:17, 15:18] = tilecut.FOREGROUND
    seeds[4:14:4, 3, 4:30], seeds[4:14:4, 27, 4:30] = tilecut.BACKGROUND, tilecut.BACKGROUND
    words = [os.path.join(folder, "scan.raw"), "--size", "34x30x18:i16", "--spacing", "1,1,2.5"]
    volume.tofile(words[0])
    return volume, seeds, (2.5, 1, 1), words


def saved(path):
    import nibabel
    file, seeds = nibabel.load(path), nibabel.load(path.replace(".nii", "_seeds.nii"))
    volume = np.asarray(file.dataobj).transpose()
    labels = np.asarray(seeds.dataobj).transpose()
    labels = np.where(labels == 1, tilecut.FOREGROUND, np.where(labels == 2, tilecut.BACKGROUND, 0)).astype(np.uint8)
    if volume.dtype not in (np.uint8, np.int16, np.uint16):
        volume = volume.astype(np.float32)
    return np.ascontiguousarray(volume), labels, file.header.get_zooms()[2::-1], [path]


class Doors:
    """One scan with one method for each way to cut it. Each method takes a task and returns its labels, or None if the
    task is not for it."""

    def __init__(self, folder, scan):
        self.folder = folder
        self.volume, self.seeds, self.spacing, self.words = scan
        middle = np.argwhere(self.seeds == tilecut.FOREGROUND)
        self.low, self.high = np.maximum(middle.min(0) - 6, 0), np.minimum(middle.max(0) + 7, self.volume.shape)
        self.previous, self.extra, self.click = None, None, tuple(middle[len(middle) // 2])

    def labels(self, task):
        """Returns the seeds of the task, a byte a voxel, and the other arguments."""
        seeds, how = self.seeds.copy(), {}
        if task in ("box", "click"):
            seeds[:] = 0
        if task == "click":
            seeds[:] = tilecut.OUTSIDE
            seeds[1:-1, 1:-1, 1:-1] = 0
            seeds[self.click] = tilecut.FOREGROUND
        if "box" in task:
            outside = np.ones(seeds.shape, bool)
            outside[tuple(slice(a, b) for a, b in zip(self.low, self.high))] = False
            seeds[outside] = tilecut.OUTSIDE
        if task == "mask":
            how = dict(prior=self.previous, prior_reach=3)
        if task == "correction":
            seeds[tuple(self.extra)] = tilecut.BACKGROUND
            how = dict(previous=self.previous)
        return seeds, how

    def library(self, task):
        seeds, how = self.labels(task)
        return tilecut.segment_volume(self.volume, seeds, spacing=self.spacing, **how).mask

    def session(self, task):
        seeds, how = self.labels(task)
        with tilecut.VolumeSession(self.volume, spacing=self.spacing) as session:
            if task == "correction":
                return session.correct(seeds, **how).mask
            session.solve(self.seeds)
            return session.solve(seeds, **how).mask

    def parts(self, task):
        seeds, how = self.labels(task)
        depth = len(self.volume)
        low, high = tilecut.volume_range(self.volume)
        return None if how else whole(together(parts.threads(3), depth, lambda exchange, first, slices, top, bottom:
                                               parts.segment_volume(self.volume[top:bottom], seeds[top:bottom], exchange,
                                                                    depth, first, slices, spacing=self.spacing, low=low,
                                                                    high=high, threads=1)), depth)

    def program(self, task, before=(), more=()):
        name = {what: os.path.join(self.folder, what + ".raw") for what in ("seeds", "previous", "out")}
        x, y, z = self.low[::-1]
        box = ",".join(str(n) for n in (x, y, z, *(self.high - self.low)[::-1]))
        words = list(self.words)
        np.select([self.seeds == tilecut.FOREGROUND, self.seeds == tilecut.BACKGROUND], [1, 2]).astype(np.uint8).tofile(
            name["seeds"])
        if task == "click":
            words += ["--brush", "0", "--fg", ",".join(str(n) for n in self.click[::-1])]
        elif task != "box":
            words += ["-s", name["seeds"] + ":labels"]
        if "box" in task:
            words += ["--box", box]
        if self.previous is not None:
            self.previous.tofile(name["previous"])
        if task == "mask":
            words += ["--mask", name["previous"], "--mask-cell", "6"]
        if task == "correction":
            words += ["--previous", name["previous"], "--brush", "0", "--seed-conflict", "last", "--bg",
                      ",".join(str(n) for n in self.extra[::-1])]
        if "--size" not in words:
            words += ["--size", "x".join(str(n) for n in self.volume.shape[::-1])]
        done = subprocess.run([*before, PROGRAM, "segment", *words, "-o", name["out"], "-q", *more], capture_output=True,
                              text=True, timeout=600)
        if done.returncode:
            raise AssertionError(done.stderr)
        return np.fromfile(name["out"], np.uint8).reshape(self.volume.shape)

    def in_parts(self, task):
        return None if task in FROM_A_MASK else self.program(task, more=("--parts", "2"))

    def processes(self, task):
        ranks = ("mpirun", "--allow-run-as-root", "--oversubscribe", "-q", "-n", "2")
        return None if task in FROM_A_MASK else self.program(task, ranks, ("--threads", "1"))

    def one_thread(self, task):
        return self.program(task, more=("--threads", "1"))

    def two_threads(self, task):
        return self.program(task, more=("--threads", "2"))

    def gpu(self, task):
        return self.program(task, more=("--device", "cuda"))


class OneAnswer(unittest.TestCase):
    def every_door(self, folder, scan):
        info = subprocess.run([PROGRAM, "info"], capture_output=True, text=True, timeout=60).stdout
        doors = Doors(folder, scan)
        names = ["session", "parts", "program", "in_parts", "one_thread", "two_threads"]
        names += ["processes"] if shutil.which("mpirun") and "Open MPI" in info else []
        names += ["gpu"] if "cuda:0" in info else []
        asked = dict.fromkeys(names, 0)
        for task in TASKS:
            want = np.array(doors.library(task))
            self.assertTrue(task == "box" or 0 < (want == 255).sum() < want.size, task)
            if task == TASKS[0]:
                inside = np.argwhere((want == 255) & (doors.seeds == 0))
                doors.previous, doors.extra = want, inside[len(inside) // 3]
            for name in names:
                got = getattr(doors, name)(task)
                with self.subTest(task=task, door=name, scan=scan[3][0]):
                    if got is not None:
                        asked[name] += 1
                        np.testing.assert_array_equal(got, want)
        return asked

    def test_a_drawn_scan(self):
        with tempfile.TemporaryDirectory() as folder:
            asked = self.every_door(folder, drawn(folder))
        wanted = dict(session=6, parts=4, program=6, in_parts=4, one_thread=6, two_threads=6, processes=4, gpu=6)
        self.assertEqual(asked, {name: wanted[name] for name in asked})

    @unittest.skipUnless(os.environ.get("TEST_VOLUMES"), "no TEST_VOLUMES")
    def test_saved_scans(self):
        scans = [path for path in sorted(glob.glob(os.path.join(os.environ["TEST_VOLUMES"], "*.nii.gz")))
                 if os.path.exists(path.replace(".nii", "_seeds.nii"))]
        self.assertTrue(scans)
        for path in scans:
            with tempfile.TemporaryDirectory() as folder:
                self.every_door(folder, saved(path))


class Photo(unittest.TestCase):
    def test_edges_confidence_and_the_next_stroke_are_those_of_the_program(self):
        images = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "images")
        photo, strokes = os.path.join(images, "coffee.png"), os.path.join(images, "coffee_seeds.png")
        image = tilecut.read_image(photo)
        seeds = tilecut.read_seeds(strokes, image)
        session = tilecut.Session(image, seeds)
        mask = session.segment().mask
        sure, doubt = session.confidence()
        with tempfile.TemporaryDirectory() as folder:
            alpha, confidence = os.path.join(folder, "alpha.png"), os.path.join(folder, "sure.png")
            for kind in ("soft", "matte"):
                subprocess.run([PROGRAM, photo, "-s", strokes, "--alpha", alpha, "--edge", kind, "--confidence",
                                confidence, "-q"], check=True)
                share = np.asarray(tilecut.edge(image, mask, seeds, hair=kind == "matte")[0]).astype(int)
                np.testing.assert_array_equal(tilecut.read_image(alpha), (share + 128) // 257, kind)
                np.testing.assert_array_equal(tilecut.read_image(confidence), sure)
            first, second = os.path.join(folder, "first.png"), os.path.join(folder, "second.png")
            subprocess.run([PROGRAM, photo, "--fg", "290,270", "-o", first, "-q"], check=True)
            for learn in ([], ["--learn"]):
                subprocess.run([PROGRAM, photo, "-s", strokes, "--previous", first, *learn, "-o", second, "--confidence",
                                confidence, "-q"], check=True)
                mask = tilecut.read_image(second)
                with tilecut.Session(image, seeds, prior=mask, prior_weight=0) as session:
                    session.begin(mask)
                    np.testing.assert_array_equal(tilecut.read_image(confidence), session.confidence()[0])
        said = subprocess.run([PROGRAM, "check", photo, "-s", strokes, "--suggest"], check=True, capture_output=True)
        self.assertIn(f"a stroke at {doubt.x},{doubt.y}:", said.stdout.decode())
