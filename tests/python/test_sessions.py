# SPDX-License-Identifier: MIT
"""Sessions and corrections in Python: seeds that change between cuts, strokes, films, corrected masks."""
import os
import subprocess
import tempfile
import unittest

import numpy as np

import tilecut
from scenes import SEED, scene


class Sessions(unittest.TestCase):
    def test_reseeded_is_what_the_session_would_have_cut(self):
        image, seeds, _ = scene()
        with tilecut.Session(image, seeds) as session:
            first = session.solve()
            more = seeds.copy()
            more[10:12, 10:12] = tilecut.BACKGROUND
            session.reseed(more)
            second = session.solve()
            self.assertEqual(second.report["warm"], 1)
            self.assertEqual(second.mask[10, 10], 0)
            session.reseed(seeds)
            np.testing.assert_array_equal(session.solve().mask, first.mask)


    def test_strokes_nest_and_are_taken_back(self):
        image, seeds, _ = scene()
        with tilecut.Session(image, seeds) as session:
            first = session.solve().mask.copy()
            brush = np.ones((4, 4), np.uint8)
            added, change = session.stroke(brush, tilecut.FOREGROUND, at=(5, 20))
            self.assertTrue(((added == 255) >= (first == 255)).all())
            self.assertTrue((added[20:24, 5:9] == 255).all())
            self.assertEqual(change.pixels, int((added != first).sum()))
            added = added.copy()
            taken, _ = session.stroke(brush[:, :3], tilecut.BACKGROUND, at=(30, 22))
            self.assertTrue(((taken == 255) <= (added == 255)).all())
            np.testing.assert_array_equal(session.undo()[0], added)
            np.testing.assert_array_equal(session.undo()[0], first)
            self.assertIsNone(session.undo())
            session.learn()
            session.begin(first[::-1].copy())
            after, _ = session.stroke(brush, tilecut.FOREGROUND, at=(5, 20))
            self.assertTrue(((after == 255) >= (first[::-1] == 255)).all())
            with self.assertRaises(ValueError):
                session.stroke(brush, tilecut.FOREGROUND, at=(63, 0))

    def test_a_session_begins_with_the_mask_of_segment(self):
        image, seeds, _ = scene()
        for options in ({}, {"connectivity": 8}):
            want = tilecut.segment(image, seeds, islands=1, **options)
            with tilecut.Session(image, seeds, islands=1, **options) as session:
                first = session.segment()
                self.assertEqual(first.report["connectivity"], options.get("connectivity", 4))
                self.assertGreater(np.mean(first.mask == want.mask), 0.99)
                painted, _ = session.stroke(np.ones((3, 3), np.uint8), tilecut.FOREGROUND, at=(4, 4))
                self.assertTrue(((painted == 255) >= (first.mask == 255)).all())
                np.testing.assert_array_equal(session.undo()[0], first.mask)

    def test_a_film_is_followed(self):
        frames = [scene(seed=SEED + k) for k in range(4)]
        image, seeds, _ = frames[0]
        with tilecut.Session(image, seeds) as session:
            with self.assertRaisesRegex(ValueError, "mask"):
                session.advance(image)
            session.segment()
            for k, (frame, _, truth) in enumerate(frames[1:]):
                moved, now = np.roll(frame, k + 1, 1), np.roll(truth, k + 1, 1)
                session.advance(moved.copy(), threads=2)
                result = session.solve()
                self.assertEqual(result.flow, result.cut)
                self.assertGreater(np.mean((result.mask == 255) == now), 0.98)
            brush = np.zeros_like(seeds)
            brush[3:6, 3:6] = tilecut.FOREGROUND
            session.advance(image, brush, prior=np.zeros_like(seeds), prior_weight=0.5)
            self.assertTrue((session.solve().mask[3:6, 3:6] == 255).all())
            for wrong in (image[1:], image[..., 0], image.astype(np.uint16)):
                with self.assertRaises(ValueError):
                    session.advance(wrong)

    def test_a_prior_mask_is_mended_by_edges(self):
        image, seeds, truth = scene(96, 128)
        prior = (np.roll(truth, 3, 1) * 255).astype(np.uint8)
        result = tilecut.segment(image, prior=prior)
        self.assertGreater(np.mean((result.mask == 255) == truth), np.mean((prior == 255) == truth))


class Corrections(unittest.TestCase):
    def scene(self):
        """Returns two discs; a mask with one of them and two corners of the plain background; clicks on the other disc
        and on a corner; and the truth."""
        y, x = np.mgrid[:60, :160]
        left, right = ((x - at) ** 2 + (y - 30) ** 2 < 400 for at in (40, 120))
        image = np.repeat(np.where((left | right)[..., None], 190, 60).astype(np.uint8), 3, 2)
        image += np.random.default_rng(SEED).integers(0, 9, image.shape, dtype=np.uint8)
        mask = (left * 255).astype(np.uint8)
        mask[:8, :8] = mask[-5:, -5:] = 255
        clicks = np.zeros((60, 160), np.uint8)
        clicks[28:33, 38:43] = clicks[28:33, 118:123] = tilecut.FOREGROUND
        clicks[1:6, 1:6] = tilecut.BACKGROUND
        return image, clicks, mask, left | right

    def test_seeds_add_and_take_away(self):
        image, clicks, mask, truth = self.scene()
        before = mask.copy()
        for learn in False, True:
            result = tilecut.segment(image, clicks, previous=mask, learn=learn)
            np.testing.assert_array_equal(mask, before)
            np.testing.assert_array_equal(result.mask == 255, truth)
            self.assertEqual(result.report["added"], np.sum(result.mask > mask))
            self.assertEqual(result.report["removed"], np.sum(result.mask < mask))
            self.assertEqual(result.report["certified"], 1)
            wide = np.full((60, 170), 9, np.uint8)
            out = tilecut.segment(image, clicks, previous=mask, learn=learn, out=wide[:, :160]).mask
            np.testing.assert_array_equal(out, result.mask)
            self.assertTrue(np.all(wide[:, 160:] == 9))

    def test_what_is_wrong_is_told_and_out_is_left_alone(self):
        image, clicks, mask = self.scene()[:3]
        out = np.full((60, 160), 9, np.uint8)
        with self.assertRaisesRegex(TypeError, "give it as previous"):
            tilecut.segment(image, clicks, learn=True)
        with self.assertRaisesRegex(ValueError, "previous has the shape"):
            tilecut.segment(image, clicks, previous=mask[1:])
        with self.assertRaises(tilecut.InvalidValue):
            clicks[0, 0] = 9
            tilecut.segment(image, clicks, previous=mask, learn=True, out=out)
        self.assertTrue(np.all(out == 9))

    def test_the_mask_is_that_of_the_program(self):
        image, clicks, mask = self.scene()[:3]
        program = os.path.join(os.path.dirname(tilecut.__file__), "bin", "tilecut")
        with tempfile.TemporaryDirectory() as folder:
            def path(name):
                return os.path.join(folder, name)
            with open(path("photo.ppm"), "wb") as file:
                file.write(b"P6 160 60 255\n" + image.tobytes())
            tilecut.write_mask(path("before.png"), mask)
            tilecut.write_mask(path("clicks.png"), np.array([128, 0, 255], np.uint8)[clicks])
            for words, learn in ((["--learn"], True), ([], False)):
                subprocess.run([program, "segment", path("photo.ppm"), "-s", path("clicks.png"), "--seeds-format",
                                "trimap", "--previous", path("before.png"), *words, "-o", path("mask.png"), "-q"],
                               check=True)
                np.testing.assert_array_equal(np.squeeze(tilecut.read_image(path("mask.png"))),
                                              tilecut.segment(image, clicks, previous=mask, learn=learn).mask)
