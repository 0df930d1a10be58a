# SPDX-License-Identifier: MIT
"""Pictures, seeds, masks and scores in files, compared with the program's verbs and with figures computed here."""
import json
import os
import subprocess
import tempfile
import unittest

import numpy as np

from scenes import refuses
import tilecut

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("TILECUT") or os.path.join(os.path.dirname(tilecut.__file__), "bin", "tilecut")
PHOTO, SEEDS = (os.path.join(ROOT, "images", name) for name in ("camera.png", "camera_seeds.png"))


def pnm(path, array, maxval=255):
    kind = b"P6" if array.ndim == 3 else b"P5"
    data = array.astype(">u2" if maxval > 255 else np.uint8).tobytes()
    with open(path, "wb") as file:
        file.write(b"%s %d %d %d\n" % (kind, array.shape[1], array.shape[0], maxval) + data)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = lambda name: os.path.join(folder.name, name)

    def test_pictures_are_read_as_they_are(self):
        rng = np.random.default_rng(1)
        for shape in ((3, 4), (5, 2, 3), (1, 1), (1, 7, 3)):
            for maxval, dtype in ((255, np.uint8), (65535, np.uint16)):
                want = rng.integers(0, maxval + 1, shape).astype(dtype)
                pnm(self.path("a.pnm"), want, maxval)
                got = tilecut.read_image(self.path("a.pnm"))
                self.assertEqual(got.dtype, dtype)
                np.testing.assert_array_equal(got, want)

    def test_seeds_cut_as_the_program_cuts(self):
        labels = tilecut.read_seeds(SEEDS, PHOTO)
        image = tilecut.read_image(PHOTO)
        np.testing.assert_array_equal(labels, tilecut.read_seeds([SEEDS], image, format="color"))
        done = subprocess.run([PROGRAM, "segment", PHOTO, "-s", SEEDS, "-o", self.path("mask.pgm")], capture_output=True,
                              text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        np.testing.assert_array_equal(tilecut.read_image(self.path("mask.pgm")), tilecut.segment(image, labels).mask)

    def test_shapes_are_read_as_the_program_reads_them(self):
        image = np.zeros((20, 20), np.uint8)
        polygon = '{"label": "%s", "points": [%s], "shape_type": "polygon"}'
        with open(self.path("two.json"), "w", encoding="utf-8") as file:
            shapes = [polygon % shape for shape in (("a", "[2,2],[8,2],[8,8]"), ("b", "[1,1],[9,9]"),
                                                    ("background", "[12,12],[18,12],[18,18]"))]
            file.write('{"shapes": [' + ",".join(shapes) + "]}")
        with self.assertWarnsRegex(UserWarning, "a polygon of 2 points; this shape was left out"):
            labels = tilecut.read_seeds(self.path("two.json"), image)
        self.assertTrue(np.any(labels == tilecut.FOREGROUND))
        with self.assertRaisesRegex(tilecut.FileError, "a polygon of 2 points"):
            tilecut.read_seeds(self.path("two.json"), image, strict=True)
        with open(self.path("pose.txt"), "w", encoding="utf-8") as file:
            file.write("0 .5 .5 .6 .4 .4 .5 .6 .4\n")
        with self.assertRaisesRegex(tilecut.FileError, "can be a polygon, or a box with key points"):
            tilecut.read_seeds(self.path("pose.txt"), image)
        with self.assertWarnsRegex(UserWarning, "the object is guessed from the box"):
            box = tilecut.read_seeds(self.path("pose.txt"), image, yolo="boxes")
        np.testing.assert_array_equal(np.argwhere(box == tilecut.UNKNOWN)[[0, -1]], [[6, 4], [13, 15]])
        with self.assertRaisesRegex(ValueError, "yolo: 'pose' is not boxes, polygons or tracks"):
            tilecut.read_seeds(self.path("pose.txt"), image, yolo="pose")

    def test_labels_by_value_and_a_box(self):
        image = np.zeros((6, 8), np.uint8)
        trimap = np.full((6, 8), 128, np.uint8)
        trimap[2, 3], trimap[0] = 255, 0
        pnm(self.path("t.pgm"), trimap)
        labels = tilecut.read_seeds(self.path("t.pgm"), image)
        want = np.zeros((6, 8), np.uint8)
        want[2, 3], want[0] = tilecut.FOREGROUND, tilecut.BACKGROUND
        np.testing.assert_array_equal(labels, want)
        want[:, 7] = np.where(want[:, 7] == 0, tilecut.OUTSIDE, want[:, 7])
        np.testing.assert_array_equal(tilecut.read_seeds(self.path("t.pgm"), image, box=(0, 0, 7, 6)), want)

    def test_masks_written_in_every_format_are_read_back(self):
        mask = (np.random.default_rng(2).random((9, 11)) < 0.4).astype(np.uint8) * 255
        for name, format_ in (("m.png", None), ("m.pbm", None), ("m.geojson", None), ("m.json", "coco"),
                              ("m.json", "coco-rle"), ("m.json", "labelme")):
            tilecut.write_mask(self.path(name), mask, format=format_, label="cup", photo="x/cup.jpg")
            if name.endswith("json"):
                with open(self.path(name), encoding="utf-8") as file:
                    text = file.read()
                    json.loads(text)
                self.assertIn('"cup"', text)
                self.assertIn('"cup.jpg"', text)
                done = subprocess.run([PROGRAM, "score", self.path(name), self.path("m.png"), "--json", "-"],
                                      capture_output=True, text=True, timeout=60)
                self.assertEqual(json.loads(done.stdout)["wrong"], 0)
            else:
                np.testing.assert_array_equal(tilecut.read_image(self.path(name)), mask)
        wide = np.zeros((9, 30), np.uint8)
        wide[:, 4:15] = mask
        tilecut.write_mask(self.path("w.pgm"), wide[:, 4:15])
        np.testing.assert_array_equal(tilecut.read_image(self.path("w.pgm")), mask)

    def test_scores(self):
        rng = np.random.default_rng(3)
        for _ in range(10):
            mask, truth = (rng.choice([0, 255], (13, 9)).astype(np.uint8) for _ in "ab")
            truth[rng.random(truth.shape) < 0.2] = 128
            judged = truth != 128
            got = tilecut.score(mask, truth)
            self.assertEqual(got.labelled, judged.sum())
            self.assertEqual(got.wrong, (mask != truth)[judged].sum())
            both, either = ((mask == 255) & (truth == 255)).sum(), (((mask == 255) | (truth == 255)) & judged).sum()
            self.assertAlmostEqual(got.iou, both / either)
            self.assertAlmostEqual(got.error_rate, got.wrong / got.labelled)
            pnm(self.path("m.pgm"), mask)
            pnm(self.path("t.pgm"), truth)
            self.assertEqual(tilecut.score(self.path("m.pgm"), self.path("t.pgm")), got)
            done = subprocess.run([PROGRAM, "score", self.path("m.pgm"), self.path("t.pgm"), "--json", "-"],
                                  capture_output=True, text=True, timeout=60)
            self.assertAlmostEqual(json.loads(done.stdout)["boundary_f"], got.boundary_f)

    def cut(self, *options):
        """Returns the program's mask for the files that test_clean_up_... has written."""
        done = subprocess.run([PROGRAM, "segment", self.path("a.nrrd"), "-s", self.path("s.nrrd"), "--lambda", ".1", "--islands",
                               "--spatial", "0", "-o", self.path("m.raw"), *options], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return np.fromfile(self.path("m.raw"), np.uint8).reshape(8, 15, 17)

    def test_clean_up_is_that_of_the_program(self):
        rng = np.random.default_rng(8)
        scan, seeds = rng.integers(0, 256, (8, 15, 17)).astype(np.uint8), np.zeros((8, 15, 17), np.uint8)
        seeds[3, 4:6, 5:9], seeds[6, 9:12, 9] = tilecut.FOREGROUND, tilecut.BACKGROUND
        seeds[1, :, 3] = tilecut.BACKGROUND
        scan[seeds == tilecut.FOREGROUND] |= 128
        scan[seeds == tilecut.BACKGROUND] &= 127
        for name, array in (("a", scan), ("s", np.where(seeds == tilecut.FOREGROUND, 1, np.where(seeds > 0, 2, 0)))):
            with open(self.path(name + ".nrrd"), "wb") as file:
                file.write(b"NRRD0004\ntype: uint8\ndimension: 3\nsizes: 17 15 8\nencoding: raw\n\n" +
                           array.astype(np.uint8).tobytes())
        raw = self.cut()
        for how in (dict(keep_largest=True), dict(min_area=3, fill_holes=2), dict(connected=True, fill_holes=50)):
            words = [text for key, value in how.items()
                     for text in ("--" + key.replace("_", "-"), "" if value is True else str(value)) if text]
            mask = raw.copy()
            told = tilecut.clean(mask, seeds, **how)
            np.testing.assert_array_equal(mask, self.cut(*words))
            self.assertEqual(told[1] - told[3], int(raw.astype(int).sum() - mask.astype(int).sum()) // 255)
            self.assertTrue(any(told), how)
        photo = np.zeros((5, 6), np.uint8)
        photo[1, 1] = photo[2, 2] = photo[4, 4] = 255  # diagonal neighbours are one region in a photo
        self.assertEqual(tilecut.clean(photo, keep_largest=True), (1, 1, 0, 0))
        self.assertEqual(photo.nonzero()[0].tolist(), [1, 2])

    def test_masks_that_cannot_be_cleaned(self):
        good = np.zeros((4, 5), np.uint8)
        for mask, seeds, how, error in ((good + 1, None, {}, ValueError), (good.astype(bool), None, {}, TypeError),
                                        (good, good[:3].copy(), {}, ValueError), (good, good + 9, {}, ValueError),
                                        (good[:, ::2], None, {}, TypeError), (good[None], None, {"connectivity": 8}, ValueError),
                                        (good, None, {"min_area": -1}, ValueError)):
            with self.subTest(error=error), self.assertRaises(error):
                tilecut.clean(mask, seeds, **how)

    def test_what_is_wrong_is_told(self):
        image = np.zeros((6, 8), np.uint8)
        pnm(self.path("s.pgm"), np.full((6, 8), 128))
        with open(self.path("bad.json"), "w", encoding="utf-8") as file:
            file.write('{"shapes": [\n')
        cases = [
            (tilecut.FileError, "there is no such file", lambda: tilecut.read_image(self.path("none.png"))),
            (OSError, "bad.json", lambda: tilecut.read_image(self.path("bad.json"))),
            (tilecut.FileError, "line 2", lambda: tilecut.read_seeds(self.path("bad.json"), image)),
            (tilecut.SeedsError, "no strokes", lambda: tilecut.read_seeds(self.path("s.pgm"), image)),
            (tilecut.SeedsError, "is 8x6 but image is 8x5", lambda: tilecut.read_seeds(self.path("s.pgm"), image[1:])),
            (ValueError, "no way to read seeds", lambda: tilecut.read_seeds(self.path("s.pgm"), image, format="x")),
            (ValueError, "not a colour", lambda: tilecut.read_seeds(self.path("s.pgm"), image, fg_color="grean")),
            (ValueError, "--band: is about the edge", lambda: tilecut.read_seeds(self.path("s.pgm"), image, band=3)),
            (ValueError, "no seeds", lambda: tilecut.read_seeds([], image)),
            (ValueError, "--format labelme", lambda: tilecut.write_mask(self.path("m.json"), image)),
            (ValueError, "lossless", lambda: tilecut.write_mask(self.path("m.jpg"), image)),
            (tilecut.FileError, "m.png", lambda: tilecut.write_mask(self.path("no/m.png"), image)),
            (TypeError, "uint8", lambda: tilecut.write_mask(self.path("m.png"), image.astype(np.uint16))),
            (ValueError, "size", lambda: tilecut.score(image, image[1:])),
            (ValueError, "nothing is judged", lambda: tilecut.score(image, image + 128)),
        ]
        refuses(self, cases)
