# SPDX-License-Identifier: MIT
"""Films: a drawn disc moves and is found again from strokes on its first frame."""
import unittest

import numpy as np

from scenes import SEED
import tilecut

W, H = 48, 32


def film(frames, seed=SEED):
    """Returns frames with noise, the truth of each, and seeds for the first."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:H, :W]
    truth = [(x - 14 - 2 * t) ** 2 + (y - 16) ** 2 < 64 for t in range(frames)]
    images = [np.clip(np.where(each[..., None], (190, 90, 60), (60, 110, 150)) + rng.normal(0, 6, (H, W, 3)), 0, 255)
              .astype(np.uint8) for each in truth]
    seeds = np.full((H, W), tilecut.UNKNOWN, np.uint8)
    seeds[14:18, 10:18] = tilecut.FOREGROUND
    seeds[:3], seeds[-3:], seeds[:, -10:] = (tilecut.BACKGROUND,) * 3
    return images, truth, seeds


def cut(images, seeds, **how):
    with tilecut.Film(W, H, **how) as work:
        done = [result for t, image in enumerate(images) for result in work.add(image, seeds if t == 0 else None)]
        return done + work.end()


class Films(unittest.TestCase):
    def test_the_object_is_found_in_every_frame(self):
        images, truth, seeds = film(7)
        results = cut(images, seeds, window=3)
        self.assertEqual(len(results), 7)
        for result, want in zip(results, truth):
            both, either = np.sum((result.mask > 0) & want), np.sum((result.mask > 0) | want)
            self.assertGreater(both / either, 0.95)
            self.assertEqual(result.flow, result.cut)

    def test_what_is_wrong_is_said_to_be_less_sure(self):
        images, truth, seeds = film(6)
        sure = []
        with tilecut.Film(W, H, window=3, confidence=True) as work:
            done = []
            for t, image in enumerate(images):
                done += work.add(image, seeds if t == 1 else None)
                sure += work.sure
            done += work.end()
            sure += work.sure
        self.assertEqual(len(done), len(sure))
        self.assertTrue(np.all(sure[0][0] == 128))  # no object is known before the strokes
        self.assertEqual(sure[0][1].x, -1)
        self.assertTrue(np.all(sure[1][0][seeds != tilecut.UNKNOWN] == 255))
        wrong = np.stack([(result.mask > 0) != want for result, want in zip(done[1:], truth[1:])])
        said = np.stack([one[0] for one in sure[1:]]).astype(float)
        self.assertLess(said[wrong].mean() if wrong.any() else 0, said[~wrong].mean())

    def test_one_answer_in_every_layout_and_by_every_solver(self):
        images, _, seeds = film(5)
        want = np.stack([result.mask for result in cut(images, seeds, window=4, overlap=0)])
        turned = [np.ascontiguousarray(image[::-1])[::-1] for image in images]
        for how in ({"solver": "bk"}, {"solver": "push", "threads": 3}):
            got = np.stack([result.mask for result in cut(turned, seeds, window=4, overlap=0, **how)])
            np.testing.assert_array_equal(got, want)

    def test_strokes_on_a_frame_ahead_lead_back(self):
        images, truth, seeds = film(5)
        seeds = np.roll(seeds, 8, axis=1)
        seeds[:, :12] = tilecut.BACKGROUND
        with tilecut.Film(W, H, window=2, ahead=4) as work:
            done = [result for t, image in enumerate(images) for result in work.add(image, seeds if t == 4 else None)]
            done += work.end()
        self.assertEqual(len(done), 5)
        for result, want in zip(done, truth):
            both, either = np.sum((result.mask > 0) & want), np.sum((result.mask > 0) | want)
            self.assertGreater(both / either, 0.9)

    def test_a_mask_begins_a_film(self):
        images, truth, _ = film(2)
        with tilecut.Film(W, H, window=1) as work:
            first, = work.add(images[0], mask=np.where(truth[0], 255, 0).astype(np.uint8))
            second, = work.add(images[1])
            self.assertEqual(work.end(), [])
        self.assertLess(np.mean((first.mask > 0) != truth[0]), 0.02)
        self.assertLess(np.mean((second.mask > 0) != truth[1]), 0.05)

    def test_what_is_wrong_is_said(self):
        images, _, seeds = film(1)
        with self.assertRaisesRegex(ValueError, "window is 0"):
            tilecut.Film(W, H, window=0)
        for what, value in (("window", "3"), ("overlap", 1.5), ("time", "x"), ("carry", None)):
            with self.assertRaisesRegex(TypeError, f"^{what} is {value!r}, which is no "):
                tilecut.Film(W, H, **{what: value})
        with self.assertRaisesRegex(ValueError, "overlap by 3"):
            tilecut.Film(W, H, window=3, overlap=3)
        with tilecut.Film(W, H) as work:
            with self.assertRaisesRegex(ValueError, "shape"):
                work.add(images[0][1:])
            with self.assertRaisesRegex(TypeError, "uint8"):
                work.add(images[0].astype(np.float32))
            with self.assertRaises(tilecut.SeedsError):
                work.add(images[0], np.where(seeds == tilecut.FOREGROUND, seeds, tilecut.UNKNOWN).astype(np.uint8))
            work.add(images[0], seeds)  # the film can be continued after the error
