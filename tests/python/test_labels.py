# SPDX-License-Identifier: MIT
"""Several labels: three regions in two and three dimensions, two labels compared with segment(), and refusals."""
import importlib.util
import itertools
import unittest

import numpy as np

from scenes import SEED
import tilecut
from tilecut import segmentation


def stripes(shape, channels=1):
    """Returns three noisy stripes along the axis before the last, a line of seeds in each, and the truth: 4, 6, 9."""
    rng = np.random.default_rng(SEED)
    rows, columns = shape[-2:]
    truth = np.zeros(shape, np.uint8)
    truth[...] = np.array([4, 6, 9], np.uint8)[np.arange(rows) * 3 // rows][:, None]
    grey = truth.astype(int) * 25 + rng.integers(0, 20, shape)
    seeds = np.zeros(shape, np.uint8)
    for middle in (rows // 6, rows // 2, rows * 5 // 6):
        seeds[..., middle, 3:columns - 3] = truth[..., middle, 3:columns - 3]
    image = grey.astype(np.uint8)
    return (np.stack([image] * 3, -1) if channels == 3 else image), seeds, truth


class Several(unittest.TestCase):
    def test_three_regions(self):
        for channels in (1, 3):
            image, seeds, truth = stripes((36, 50), channels)
            found = tilecut.labels(image, seeds)
            self.assertGreater((found.labels == truth).mean(), 0.98)
            self.assertLessEqual(found.bound, found.energy)
            self.assertEqual(sum(found.pixels.values()), truth.size)
            self.assertEqual(found.report["labels"], 3)
            again = tilecut.labels(np.asfortranarray(image), seeds, threads=3, solver="push")
            np.testing.assert_array_equal(again.labels, found.labels)
            out = np.zeros((36, 100), np.uint8)[:, ::2]
            with self.assertRaises((ValueError, TypeError)):
                tilecut.labels(image, seeds, out=out)

    def test_in_space(self):
        volume, seeds, truth = stripes((4, 36, 50))
        found = tilecut.labels(volume, seeds, spacing=(2, 1, 1))
        self.assertGreater((found.labels == truth).mean(), 0.98)

    def test_two_labels_are_segment(self):
        image, seeds, _ = stripes((36, 50), 3)
        seeds[seeds == 9] = 0
        two = np.select([seeds == 4, seeds == 6], [tilecut.BACKGROUND, tilecut.FOREGROUND]).astype(np.uint8)
        found = tilecut.labels(image, seeds)
        np.testing.assert_array_equal(found.labels == 6, tilecut.segment(image, two).mask != 0)
        self.assertEqual(found.gap, 0)

    def test_corrected(self):
        for shape in ((36, 50), (4, 36, 50)):
            image, seeds, truth = stripes(shape)
            before = np.where((truth == 6) & (np.arange(50) < 30), 4, truth).astype(np.uint8)
            found = tilecut.correct_labels(image, seeds, before)
            self.assertGreater((found.labels == truth).mean(), 0.98)
            self.assertEqual(found.changed, (found.labels != before).sum())
            self.assertEqual(set(found.labels[found.labels != before]), {6})
            out = np.zeros_like(before)
            again = tilecut.correct_labels(image, seeds, found.labels, out=out, threads=2)
            self.assertEqual(again.changed, 0)
            np.testing.assert_array_equal(out, found.labels)
            with self.assertRaises(ValueError):
                tilecut.correct_labels(image, seeds, before[..., :-1])

    def test_session(self):
        for shape in ((36, 50), (4, 36, 50)):
            image, seeds, truth = stripes(shape)
            before = np.where((truth == 6) & (np.arange(50) < 30), 4, truth).astype(np.uint8)
            before[..., 30:, :10] = 6
            known = np.where(seeds == before, seeds, 0).astype(np.uint8)
            with tilecut.LabelsSession(image, before, known) as session:
                one = session.stroke(seeds == 6, 6)
                strokes = np.where(seeds == 6, 6, known).astype(np.uint8)
                np.testing.assert_array_equal(one.labels, tilecut.correct_labels(image, strokes, before).labels)
                two = session.stroke(seeds == 9, 9)
                self.assertGreater((two.labels == truth).mean(), 0.98)
                self.assertEqual(two.changed, (two.labels != one.labels).sum())
                np.testing.assert_array_equal(session.undo().labels, one.labels)
                out = np.zeros_like(before)
                self.assertIs(session.undo(out=out).labels, out)
                np.testing.assert_array_equal(out, before)
                self.assertEqual(session.undo().changed, 0)
                for label in (9, 4, 6):
                    session.stroke(seeds == label, label)
                fresh, all_anew = tilecut.labels(image, seeds), session.label(out=out)
                np.testing.assert_array_equal(out, fresh.labels)
                self.assertEqual((all_anew.energy, all_anew.bound), (fresh.energy, fresh.bound))
                session.undo()
                with self.assertRaises(tilecut.InvalidValue):
                    session.label(background=7)
                with self.assertRaises(tilecut.InvalidValue):
                    session.stroke(seeds == 6, 256)

    def test_refined(self):
        for shape, more in (((60, 80), {}), ((6, 60, 80), {"spacing": (1, 1, 2)})):
            image, _, truth = stripes(shape, 1 if more else 3)
            before = np.roll(truth, 2, -2)
            before[..., :2, :] = 4
            found = tilecut.refine_labels(image, before, prior_reach=4, **more)
            self.assertLess((found.labels != truth).sum(), (before != truth).sum() * 2 / 3)
            self.assertEqual(found.changed, (found.labels != before).sum())
            self.assertLessEqual(set(np.unique(found.labels)), {4, 6, 9})
        with self.assertRaises(tilecut.InvalidValue):
            tilecut.refine_labels(image, before, background=256)

    def test_refused(self):
        image, seeds, _ = stripes((36, 50))
        with self.assertRaises(tilecut.InvalidValue):
            tilecut.labels(image, seeds, background=5)
        with self.assertRaises(tilecut.SeedsError):
            tilecut.labels(image, np.zeros_like(seeds))
        with self.assertRaises(TypeError):
            tilecut.labels(image, seeds, spacing=(1, 1, 1))
        with self.assertRaises(ValueError):
            tilecut.labels(image, seeds[:-1])


class Solve(unittest.TestCase):
    @staticmethod
    def energy(costs, links, labels):
        pairs = {2: [(0, 1), (1, 0), (1, 1), (1, -1)], 3: [(0, 0, 1), (0, 1, 0), (1, 0, 0)]}[labels.ndim]
        total = int(np.take_along_axis(costs, labels[None].astype(int), 0).sum())
        for step, link in zip(pairs, links):
            for at in np.ndindex(labels.shape):
                to = tuple(a + s for a, s in zip(at, step))
                if all(0 <= t < n for t, n in zip(to, labels.shape)):
                    total += int(link[at]) * bool(labels[at] != labels[to])
        return total

    def test_against_all_labelings(self):
        rng = np.random.default_rng(SEED)
        for case in range(24):
            shape, links = (((2, 3), 2), ((3, 2), 4), ((2, 2, 2), 3))[case % 3]
            costs = rng.integers(-9, 20, (2 + case % 2,) + shape).astype(np.int32)
            links = [rng.integers(0, 12, shape).astype(np.int32) for _ in range(links)]
            found = tilecut.solve_labels(costs, links, threads=1 + case % 2)
            best = min(self.energy(costs, links, np.reshape(each, shape))
                       for each in itertools.product(range(len(costs)), repeat=int(np.prod(shape))))
            with self.subTest(seed=SEED, case=case):
                self.assertEqual(self.energy(costs, links, found.labels), found.energy)
                self.assertLessEqual(found.bound, best)
                self.assertLessEqual(best, found.energy)
                if len(costs) == 2:
                    self.assertEqual(found.energy, best)
                self.assertEqual(sum(found.pixels.values()), found.labels.size)
                self.assertEqual(found.report["certified"], 1)

    def test_what_is_refused(self):
        costs, link = np.zeros((3, 4, 5), np.int32), np.ones((4, 5), np.int32)
        wide = costs.copy()
        wide[1, 2, 3] = 2 ** 21 + 1
        for kind, text, given in ((ValueError, "3 links", (costs, [link] * 3)), (TypeError, "int32", (costs.astype(float), [link] * 2)),
                                  (ValueError, "shape", (costs, [link, link[1:]])), (ValueError, "negative", (costs, [link, -link])),
                                  (ValueError, r"2\^21 at pixel 3,2", (wide, [link] * 2)), (ValueError, "1 labels", (costs[:1], [link] * 2)),
                                  (ValueError, "shape", (link, [link] * 2))):
            with self.subTest(text=text), self.assertRaisesRegex(kind, text):
                tilecut.solve_labels(*given)
        out = np.full((4, 5), 7, np.uint8)
        with self.assertRaises(ValueError):
            tilecut.solve_labels(wide, [link] * 2, out=out)
        self.assertTrue((out == 7).all())


class Skimage(unittest.TestCase):
    """The interfaces of skimage.segmentation: its arguments and shapes, and the labels of labels()."""

    def test_image(self):
        image, seeds, truth = stripes((36, 50), 3)
        markers = np.select([seeds == 4, seeds == 6, seeds == 9], [70000, -3, 12], 0)
        wanted = np.select([truth == 4, truth == 6, truth == 9], [70000, -3, 12])
        for connectivity, sides in ((1, 4), (2, 8)):
            found = segmentation.watershed(image, markers, connectivity, channel_axis=-1)
            self.assertEqual((found.dtype, found.shape), (markers.dtype, (36, 50)))
            self.assertGreater((found == wanted).mean(), .98)
        plain = tilecut.labels(image, np.where(seeds == 0, 0, np.searchsorted([4, 6, 9], seeds) + 1).astype(np.uint8), background=2)
        walked = segmentation.random_walker(np.moveaxis(image, -1, 0), seeds.astype(np.int64), 130, "bf", channel_axis=0,
                                            background=6)
        np.testing.assert_array_equal(walked, plain.labels)  # scikit-image numbers the labels 1, 2, 3
        self.assertEqual(walked.dtype, np.int64)
        for array, n in ((np.ones((3, 3)), 2), (np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], bool), 1)):
            np.testing.assert_array_equal(segmentation.watershed(image, markers, array, channel_axis=-1),
                                          segmentation.watershed(image, markers, n, channel_axis=-1))
        for kind in (np.float32, np.uint8):  # markers may have any type, and the result must have the same type
            found = segmentation.watershed(image, seeds.astype(kind), channel_axis=-1)
            self.assertEqual((found.dtype, set(np.unique(found))), (np.dtype(kind), {4, 6, 9}))

    def test_volume_of_floats(self):
        volume, seeds, truth = stripes((4, 30, 20))
        seeds = seeds.astype(np.int32)
        seeds[:, :, 17:] = -1
        for grey in (volume / 255.0, volume.astype(np.int64) - 100):
            found = segmentation.random_walker(grey, seeds, spacing=(3, 1, 1))
            self.assertTrue((found[:, :, 17:] == -1).all())
            self.assertGreater((found == np.array([0, 0, 0, 0, 1, 0, 2, 0, 0, 3])[truth])[:, :, :17].mean(), .98)
        back = segmentation.random_walker(volume, seeds, copy=False)
        self.assertIs(back, seeds)

    def test_mask_and_one_label(self):
        image, seeds, truth = stripes((36, 50))
        mask = np.ones((36, 50), bool)
        mask[10:20] = False
        found = segmentation.watershed(image, seeds, mask=mask)
        np.testing.assert_array_equal(found == 0, ~mask)
        self.assertTrue((segmentation.watershed(image, np.where(seeds == 4, 5, 0)) == 5).all())
        self.assertTrue((segmentation.random_walker(image, np.where(seeds == 4, 5, 0)) == 1).all())

    @unittest.skipUnless(importlib.util.find_spec("scipy"), "there is no SciPy")
    def test_regions_have_their_own_labels(self):
        image, seeds, _ = stripes((36, 50))
        seeds[:, 25:] = 0
        labels = seeds.astype(np.int16)
        labels[:, 25] = -7
        labels[30:, 40] = 2  # these seeds lie beyond the gap and are connected to nothing else
        labels[:9, 30] = -7
        labels[9, 30:] = -7  # no label can reach this corner
        found = segmentation.random_walker(image, labels)
        np.testing.assert_array_equal(found == -7, labels == -7)
        self.assertEqual((set(np.unique(found[:, :25])), set(np.unique(found[10:, 26:]))), ({2, 3, 4}, {1}))
        self.assertTrue((found[:9, 31:] == 0).all())
        np.testing.assert_array_equal(found[:, :25], segmentation.random_walker(image[:, :25], labels[:, :25]) + 1)
        cut = segmentation.watershed(image, np.maximum(labels, 0), mask=labels >= 0)
        np.testing.assert_array_equal(cut, np.array([0, 2, 4, 6, 9])[np.maximum(found, 0)])
        self.assertFalse(segmentation.watershed(image, labels, mask=np.zeros((36, 50))).any())

    def test_what_is_refused(self):
        image, seeds, _ = stripes((36, 50))
        refused = ((segmentation.random_walker, dict(return_full_prob=True)), (segmentation.watershed, dict(compactness=1)),
                   (segmentation.watershed, dict(connectivity=3)), (segmentation.random_walker, dict(background=5)),
                   (segmentation.watershed, dict(connectivity=np.eye(3))), (segmentation.random_walker, dict(spacing=(2, 1))),
                   (segmentation.watershed, dict(mask=np.ones((9, 50)))), (segmentation.watershed, dict(markers=None)))
        for call, more in refused:
            with self.subTest(more=more), self.assertRaisesRegex(ValueError, "tilecut.segmentation: "):
                call(*((image,) if "markers" in more else (image, seeds)), **more)
        for data, labels in ((image, 3), (image[:9], seeds), (image, seeds / 2), (image * np.nan, seeds),
                             (np.zeros((20, 20)), np.arange(400).reshape(20, 20))):
            with self.assertRaises(ValueError):
                segmentation.watershed(data, labels)

if __name__ == "__main__":
    unittest.main()
