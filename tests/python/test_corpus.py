# SPDX-License-Identifier: MIT
"""Checks that tools/corpus distinguishes files that are read equally from those that are not."""
import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

try:
    import numpy
    from PIL import Image
except ImportError:
    numpy = None

TOOL = pathlib.Path(__file__).parents[2] / "tools" / "corpus"


def tool():
    loader = importlib.machinery.SourceFileLoader("corpus", str(TOOL))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("corpus", loader))
    loader.exec_module(module)
    return module


@unittest.skipIf(numpy is None, "NumPy or PIL is not installed")
class Corpus(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        self.corpus = tool()
        random = numpy.random.default_rng(5)
        self.colors = random.integers(0, 256, (9, 7, 3)).astype(numpy.uint8)
        for name in ("a.png", "b.bmp", "c.tif", "d.pcx", "g.gif"):
            Image.fromarray(self.colors).save(self.folder / name)
        (self.folder / "e.txt").write_text("no picture")
        try:
            self.corpus.tilecut.read_image(self.folder / "c.tif")
        except self.corpus.tilecut.FileError as error:
            self.skipTest(str(error))
        self.voxels = random.integers(0, 900, (6, 5, 4)).astype(numpy.int16)

    def look(self, name):
        return self.corpus.look_at(self.folder / name)[:2]

    def test_pictures(self):
        self.assertEqual(self.look("a.png"), ("PNG", "equal"))
        self.assertEqual(self.look("b.bmp"), ("BMP", "equal"))
        self.assertEqual(self.look("c.tif"), ("TIFF", "equal"))
        self.assertEqual(self.look("d.pcx"), ("PCX", "refused"))
        self.assertEqual(self.look("g.gif"), ("GIF", "equal"))
        self.assertEqual(self.look("e.txt"), ("", ""))
        wrong = self.colors.copy()
        wrong[3, 2, 1] ^= 1
        with mock.patch.object(self.corpus.tilecut, "read_image", return_value=wrong):
            self.assertEqual(self.look("a.png"), ("PNG", "different"))
        with mock.patch.object(self.corpus.tilecut, "read_image", return_value=self.colors[:8]):
            self.assertEqual(self.look("a.png"), ("PNG", "different"))

    def test_volumes(self):
        try:
            import nibabel
        except ImportError:
            self.skipTest("nibabel is not installed")
        path = self.folder / "scan.nii"
        nibabel.Nifti1Image(self.voxels, numpy.diag((2, 1, 3, 1))).to_filename(path)
        self.assertEqual(self.look("scan.nii"), ("NIfTI", "equal"))
        right = self.corpus.by_nibabel(path)
        right.array = right.array.copy()
        right.array[3, 3, 2] += 500
        self.assertEqual(self.corpus.compare_volumes(path, right)[0], "different")

    def test_table(self):
        def run():
            return subprocess.run([sys.executable, TOOL, self.folder], capture_output=True, text=True, check=False,
                                  env={**os.environ, "PYTHONWARNINGS": ""})
        done = run()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("| all | 4 | 0 | 1 | 0 | 0 | 0 |\n\n6 files, 1 of them read by nobody", done.stdout)
        self.assertIn("refused: PCX: d.pcx: not a PNG, ", done.stdout)
        self.assertIn("     2 FILE: not a PNG, ", done.stdout)
