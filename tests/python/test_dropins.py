# SPDX-License-Identifier: MIT
"""The interfaces of other packages: tilecut.cv is compared with cv2 and its documented example, tilecut.numpymaxflow
with all labelings of small images. Labelings are compared by cost if several may be cheapest."""
import importlib.util
import itertools
import os
import runpy
import sys
import types
import unittest

import numpy as np

from scenes import SEED, refuses
import tilecut
import tilecut.cv as cv
import tilecut.numpymaxflow as numpymaxflow
import tilecut.torchmaxflow as torchmaxflow

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HAS_CV2 = importlib.util.find_spec("cv2") is not None


def scene(height=90, width=120, seed=SEED):
    """Returns a red disc on a grey-blue background in BGR order, with noise, and the truth."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:height, :width]
    truth = (x - width * 0.55) ** 2 + (y - height * 0.5) ** 2 < (height / 3.2) ** 2
    image = np.where(truth[..., None], (40, 50, 200), (120, 100, 80)) + rng.normal(0, 12, (height, width, 3))
    return np.clip(image, 0, 255).astype(np.uint8), truth


def iou(a, b):
    return (a & b).sum() / (a | b).sum()


def inside(mask):
    return (mask == cv.GC_FGD) | (mask == cv.GC_PR_FGD)


class GrabCut(unittest.TestCase):
    RECT = (25, 8, 85, 76)

    def models(self):
        return np.zeros((1, 65), np.float64), np.zeros((1, 65), np.float64)

    def test_a_rectangle(self):
        image, truth = scene()
        mask = np.zeros(image.shape[:2], np.uint8)
        bgd, fgd = self.models()
        back = cv.grabCut(image, mask, self.RECT, bgd, fgd, 5, cv.GC_INIT_WITH_RECT)
        self.assertIs(back[0], mask)
        self.assertIs(back[1], bgd)
        self.assertIs(back[2], fgd)
        self.assertGreater(iou(inside(mask), truth), 0.97)
        outside = np.ones(truth.shape, bool)
        outside[8:84, 25:110] = False
        self.assertTrue((mask[outside] == cv.GC_BGD).all())
        self.assertTrue((mask[~outside] >= cv.GC_PR_BGD).all())

    def test_a_mask_keeps_what_is_certain(self):
        image, truth = scene()
        for probable in (cv.GC_PR_BGD, cv.GC_PR_FGD):
            mask = np.full(truth.shape, probable, np.uint8)
            mask[:4], mask[:, :4] = cv.GC_BGD, cv.GC_BGD
            mask[40:50, 60:70] = cv.GC_FGD
            before = mask.copy()
            cv.grabCut(image, mask, None, None, None, 3, cv.GC_INIT_WITH_MASK)
            self.assertGreater(iou(inside(mask), truth), 0.97)
            np.testing.assert_array_equal(mask[before < 2], before[before < 2])
            self.assertTrue((mask[before >= 2] >= 2).all())

    def test_a_mask_of_background_alone_is_a_box_of_any_shape(self):
        image, truth = scene()
        mask = np.full(truth.shape, cv.GC_PR_FGD, np.uint8)
        mask[:6], mask[-6:], mask[:, :20], mask[:, -8:] = 0, 0, 0, 0
        cv.grabCut(image, mask, None, *self.models(), 5, cv.GC_INIT_WITH_MASK)
        self.assertGreater(iou(inside(mask), truth), 0.97)

    def test_a_rectangle_around_everything(self):
        image, _ = scene()
        height, width = image.shape[:2]
        mask = np.zeros((height, width), np.uint8)
        cv.grabCut(image, mask, (0, 0, width, height), *self.models(), 5, cv.GC_INIT_WITH_RECT)
        want = tilecut.segment(image[..., ::-1].copy(), box=(0, 0, width, height), iterations=5).mask
        np.testing.assert_array_equal(inside(mask), np.asarray(want) == 255)

    def test_a_side_near_the_border_is_the_border(self):
        image, _ = scene()
        image = np.ascontiguousarray(image[:70])  # the object touches the lower border
        height, width = image.shape[:2]
        masks = {}
        for x, y, right, bottom in ((25, 8, 110, height), (25, 8, 110, height - 1), (25, 0, 110, height - 1),
                                    (25, 1, 110, height), (1, 1, width - 1, height - 1)):
            rect, mask = (x, y, right - x, bottom - y), np.zeros((height, width), np.uint8)
            cv.grabCut(image, mask, rect, None, None, 5, cv.GC_INIT_WITH_RECT)
            want = tilecut.segment(image[..., ::-1].copy(), box=rect, iterations=5).mask
            np.testing.assert_array_equal(inside(mask), np.asarray(want) == 255, str(rect))
            masks[rect] = mask
        near = masks[25, 8, 85, height - 9]
        np.testing.assert_array_equal(near, masks[25, 8, 85, height - 8])
        self.assertTrue(inside(near)[-1].any())

    def test_it_goes_on_and_a_stroke_in_between_binds(self):
        image, truth = scene()
        mask = np.zeros(truth.shape, np.uint8)
        models = self.models()
        cv.grabCut(image, mask, self.RECT, *models, 2, cv.GC_INIT_WITH_RECT)
        mask[45, 60:75], mask[10:14, 30:34] = cv.GC_BGD, cv.GC_FGD
        for mode in (cv.GC_EVAL, cv.GC_EVAL_FREEZE_MODEL):
            cv.grabCut(image, mask, None, *models, 2, mode)
            self.assertTrue((mask[45, 60:75] == cv.GC_BGD).all())
            self.assertTrue((mask[10:14, 30:34] == cv.GC_FGD).all())
            self.assertGreater(iou(inside(mask), truth), 0.9)

    def test_views_and_no_rounds(self):
        image, truth = scene()
        wide = np.full((truth.shape[0], truth.shape[1] + 9), 77, np.uint8)
        view = wide[:, 4:-5]
        view[...] = 0
        cv.grabCut(image, view, self.RECT, None, None, 5, cv.GC_INIT_WITH_RECT)
        plain = np.zeros(truth.shape, np.uint8)
        cv.grabCut(np.asfortranarray(image), plain, self.RECT, None, None, 5, cv.GC_INIT_WITH_RECT)
        np.testing.assert_array_equal(view, plain)
        self.assertTrue((wide[:, :4] == 77).all() and (wide[:, -5:] == 77).all())
        cv.grabCut(image, plain, self.RECT, None, None, 0, cv.GC_INIT_WITH_RECT)
        self.assertEqual(int((plain == cv.GC_PR_FGD).sum()), 85 * 76)
        fresh, _, _ = cv.grabCut(image, None, self.RECT, None, None, 5, cv.GC_INIT_WITH_RECT)
        np.testing.assert_array_equal(fresh, view)

    def test_what_is_wrong_is_told_and_the_mask_left_alone(self):
        image, truth = scene()
        mask = np.full(truth.shape, cv.GC_PR_BGD, np.uint8)
        other = mask.copy()
        other[0, 0] = 4
        frozen = mask.copy()
        frozen.flags.writeable = False
        cases = [
            (ValueError, "mask holds 4", (image, other, None, None, None, 1, cv.GC_INIT_WITH_MASK)),
            (ValueError, "no foreground", (image, mask, None, None, None, 1, cv.GC_INIT_WITH_MASK)),
            (ValueError, "read-only", (image, frozen, self.RECT, None, None, 1, cv.GC_INIT_WITH_RECT)),
            (ValueError, "lies outside", (image, mask, (200, 0, 5, 5), None, None, 1, cv.GC_INIT_WITH_RECT)),
            (ValueError, "rect is None", (image, mask, None, None, None, 1, cv.GC_INIT_WITH_RECT)),
            (ValueError, "mode is 7", (image, mask, None, None, None, 1, 7)),
            (ValueError, "shape", (image, mask[1:], None, None, None, 1, cv.GC_INIT_WITH_MASK)),
            (ValueError, "shape", (image[..., :2], mask, None, None, None, 1, cv.GC_INIT_WITH_MASK)),
            (TypeError, "uint8", (image.astype(float), mask, None, None, None, 1, cv.GC_INIT_WITH_MASK)),
            (TypeError, "mask has to be", (image, mask.astype(int), None, None, None, 1, cv.GC_INIT_WITH_MASK)),
        ]
        for kind, text, arguments in cases:
            with self.subTest(text=text):
                before = arguments[1].copy()
                with self.assertRaises(kind) as caught:
                    cv.grabCut(*arguments)
                self.assertIn(text, str(caught.exception))
                np.testing.assert_array_equal(arguments[1], before)

    @unittest.skipUnless(HAS_CV2, "there is no cv2")
    def test_conventions_and_masks_are_those_of_cv2(self):
        import cv2
        for name in ("GC_BGD", "GC_FGD", "GC_PR_BGD", "GC_PR_FGD", "GC_INIT_WITH_RECT", "GC_INIT_WITH_MASK", "GC_EVAL",
                     "GC_EVAL_FREEZE_MODEL"):
            self.assertEqual(getattr(cv, name), getattr(cv2, name), name)
        for seed in range(SEED, SEED + 3):
            image, truth = scene(seed=seed)
            masks = []
            for module in (cv, cv2):
                cv2.setRNGSeed(1)
                mask = np.zeros(truth.shape, np.uint8)
                models = self.models()
                module.grabCut(image, mask, self.RECT, models[0], models[1], 5, module.GC_INIT_WITH_RECT)
                first = mask.copy()
                mask[45:47, 60:70] = cv2.GC_FGD
                module.grabCut(image, mask, None, models[0], models[1], 2, module.GC_INIT_WITH_MASK)
                masks.append((first, mask))
            for ours, theirs in zip(*masks):
                with self.subTest(seed=seed):
                    self.assertGreater(iou(inside(ours), inside(theirs)), 0.97)
                    np.testing.assert_array_equal(ours < 2, theirs < 2)
                    self.assertEqual(ours.dtype, theirs.dtype)

    @unittest.skipUnless(HAS_CV2, "there is no cv2")
    def test_the_lines_of_the_tutorial_run_with_another_import(self):
        image = cv.imread(os.path.join(ROOT, "images", "coffee.png"))  # tilecut.cv reads an image as cv2 does
        mask = np.zeros(image.shape[:2], np.uint8)
        bgd, fgd = np.zeros((1, 65), np.float64), np.zeros((1, 65), np.float64)
        cv.grabCut(image, mask, (100, 40, 400, 340), bgd, fgd, 5, cv.GC_INIT_WITH_RECT)
        cutout = image * np.where((mask == 2) | (mask == 0), 0, 1).astype("uint8")[:, :, np.newaxis]
        self.assertEqual(cutout.shape, image.shape)
        share = np.mean(inside(mask))
        self.assertTrue(0.1 < share < 0.5, share)
        # The call equals one with the program's own options, bit for bit; but outside of a rectangle cv2 has no
        # foreground.
        want = tilecut.segment(image[..., ::-1].copy(), box=(100, 40, 400, 340), iterations=5).mask == 255
        np.testing.assert_array_equal(inside(mask)[40:380, 100:500], want[40:380, 100:500])
        self.assertEqual(np.count_nonzero(inside(mask)), np.count_nonzero(want[40:380, 100:500]))

    def test_without_cv2_other_names_say_so(self):
        kept = sys.modules.get("cv2", self)
        sys.modules["cv2"] = None
        try:
            with self.assertRaises(AttributeError) as caught:
                cv.imread
            self.assertIn("cv2", str(caught.exception))
        finally:
            del sys.modules["cv2"]
            if kept is not self:
                sys.modules["cv2"] = kept


def energy(image, prob, label, lamda, sigma, neighbours):
    """Returns the documented energy, term by term."""
    height, width = label.shape
    total = sum(-np.log(max(float(prob[int(label[y, x]), y, x]), 2.0 ** -23)) for y in range(height) for x in range(width))
    steps = [(0, 1), (1, 0)] + ([(1, 1), (1, -1)] if neighbours == 8 else [])
    for y, x in itertools.product(range(height), range(width)):
        for dy, dx in steps:
            v, u = y + dy, x + dx
            if v < height and 0 <= u < width and label[y, x] != label[v, u]:
                square = ((image[:, y, x].astype(float) - image[:, v, u]) ** 2).sum()
                total += lamda * np.exp(-square / (2 * sigma ** 2))
    return total


class Numpymaxflow(unittest.TestCase):
    def test_no_label_costs_less(self):
        rng = np.random.default_rng(SEED)
        for turn in range(12):
            shape, neighbours = ((3, 3), 4 + 4 * (turn % 2))
            image = rng.integers(0, 60, (1 + turn % 3,) + shape).astype(np.float32)
            foreground = np.clip(rng.normal(0.5, 0.4, shape), 0, 1).astype(np.float32)
            prob = np.stack([1 - foreground, foreground])
            lamda, sigma = float(rng.uniform(0.1, 3)), float(rng.uniform(5, 40))
            label = numpymaxflow.maxflow(image, prob, lamda, sigma, neighbours)
            self.assertEqual((label.dtype, label.shape), (np.float32, (1,) + shape))
            self.assertTrue(np.isin(label, (0, 1)).all())
            best = min(energy(image, prob, np.array(bits).reshape(shape), lamda, sigma, neighbours)
                       for bits in itertools.product((0, 1), repeat=9))
            with self.subTest(seed=SEED, turn=turn):
                self.assertAlmostEqual(energy(image, prob, label[0], lamda, sigma, neighbours), best, delta=1e-4)

    def test_links_beyond_all_else_are_not_cut(self):
        prob = np.full((2, 1, 6), 0.5)
        prob[:, 0, 0], prob[:, 0, 5] = (0.4, 0.6), (0.7, 0.3)
        for lamda in (10.0, 1e9):
            self.assertTrue((numpymaxflow.maxflow(np.zeros((1, 1, 6)), prob, lamda, 1.0) == 0).all())
            self.assertTrue((numpymaxflow.maxflow(np.zeros((1, 1, 6)), prob[::-1], lamda, 1.0) == 1).all())

    def test_the_example_of_its_page(self):
        rng = np.random.default_rng(SEED)
        truth = np.zeros((50, 70), bool)
        truth[12:40, 20:55] = True
        image = np.clip(np.where(truth, 150, 90) + rng.normal(0, 5, truth.shape), 0, 255).astype(np.float32)
        image = np.expand_dims(image, axis=0)
        noisy = np.where(rng.random(truth.shape) < 0.25, ~truth, truth)
        fP = 0.5 + (noisy - 0.5) * 0.8
        prob = np.asarray([1.0 - fP, fP])
        label = np.squeeze(numpymaxflow.maxflow(image, prob, 20.0, 10.0))
        self.assertGreater(np.mean((label == 1) == truth), 0.99)
        np.testing.assert_array_equal(label, numpymaxflow.maxflow(image, prob, 20.0, 10.0, 4)[0])

    def test_the_steps_of_a_labelling_server(self):
        """Scribbles 2 and 3 in a scan of one channel, as MONAI Label has them: likelihoods from 32 bins of grey, nearly
        0 and 1 at the scribbles, and a label that has one channel, too."""
        rng = np.random.default_rng(SEED)
        x, y, z = np.mgrid[:30, :26, :20]
        away = (x - 14) ** 2 + (y - 13) ** 2 + (2 * (z - 10)) ** 2
        scan = (np.where(away < 81, 260.0, 120.0) + rng.normal(0, 60, away.shape)).astype(np.float32)[None]
        scribbles = np.zeros(scan.shape, np.float32)
        scribbles[0, 12:17, 11:16, 10], scribbles[0, 2:28, 2, 10], scribbles[0, 2:28, 23, 10] = 3, 2, 2
        image = (scan - scan.min()) / (scan.max() - scan.min())
        counts = [np.histogram(image[scribbles == label], 32, (0, 1))[0] + 1 for label in (2, 3)]
        bins = np.minimum((image * 32).astype(int), 31)
        unary = np.concatenate([(count / count.sum()).astype(np.float32)[bins] for count in counts])
        for k in (0, 1):
            unary[k][scribbles[0] == 2 + k] = 1 - np.finfo(np.float32).eps
            unary[k][scribbles[0] == 3 - k] = np.finfo(np.float32).eps
        label = numpymaxflow.maxflow(image, unary, lamda=5.0, sigma=0.1)
        self.assertEqual((label.dtype, label.shape), (np.float32, scan.shape))
        self.assertTrue((label[scribbles == 3] == 1).all() and (label[scribbles == 2] == 0).all())
        self.assertGreater(iou(label[0] > 0, away < 81), 0.85)

    def test_seeds_bind_where_links_are_weak(self):
        image, prob = np.full((1, 9, 9), 50.0), np.full((2, 9, 9), 0.5)
        seed = np.zeros((2, 9, 9), np.float32)
        seed[1, 4, 4], seed[0, :, 0] = 1, 1
        kept = prob.copy()
        label = numpymaxflow.maxflow_interactive(image, prob, seed, 0.5, 10.0)
        self.assertEqual(label[0, 4, 4], 1)
        self.assertTrue((label[0, :, 0] == 0).all())
        np.testing.assert_array_equal(prob, kept)

    def test_what_is_wrong_is_told(self):
        image, prob = np.zeros((1, 4, 5)), np.full((2, 4, 5), 0.5)
        cases = [
            (ValueError, "shape", lambda: numpymaxflow.maxflow(image[0], prob, 1.0, 1.0)),
            (ValueError, "shape", lambda: numpymaxflow.maxflow(image, prob[:1], 1.0, 1.0)),
            (ValueError, "sigma 0", lambda: numpymaxflow.maxflow(image, prob, 1.0, 0.0)),
            (ValueError, "lamda is -1", lambda: numpymaxflow.maxflow(image, prob, -1.0, 1.0)),
            (ValueError, "connectivity is 6", lambda: numpymaxflow.maxflow(image, prob, 1.0, 1.0, 6)),
            (ValueError, "connectivity is 26", lambda: numpymaxflow.maxflow(image[None], prob[:, None], 1.0, 1.0, 26)),
            (ValueError, "finite", lambda: numpymaxflow.maxflow(image + np.nan, prob, 1.0, 1.0)),
            (ValueError, "seed has", lambda: numpymaxflow.maxflow_interactive(image, prob, prob[:1], 1.0, 1.0)),
        ]
        refuses(self, cases)

    def test_extremes(self):
        image = np.zeros((1, 3, 3))
        for prob in (np.stack([np.zeros((3, 3)), np.ones((3, 3))]), np.stack([np.ones((3, 3)), np.zeros((3, 3))])):
            for lamda in (0.0, 1e-9, 1e9):
                self.assertTrue((numpymaxflow.maxflow(image, prob, lamda, 1.0) == prob[1, 0, 0]).all())
        even = numpymaxflow.maxflow(image, np.full((2, 3, 3), 0.5), 0.0, 1.0)
        self.assertTrue((even == 1).all())  # all cuts cost the same, and the one with the most ones must be returned


class Slicer(unittest.TestCase):
    """Tests tools/examples/slicer_cut.py with a `slicer` module that has the functions it calls."""

    def setUp(self):
        rng = np.random.default_rng(SEED)
        z, y, x = np.mgrid[:20, :24, :26]
        away = 4 * (z - 10) ** 2 + (y - 12) ** 2 + (x - 13) ** 2
        self.ball = away < 64
        self.scan = np.where(self.ball, 200.0, 90.0) + rng.normal(0, 10, away.shape)
        self.painted = {"object": (away < 9).astype(np.uint8), "ground": (away > 180).astype(np.uint8), "cut": None}
        names = ["object", "ground"]
        segmentation = types.SimpleNamespace(
            GetSegmentIdBySegmentName=lambda name: name if name in names else "",
            GetNumberOfSegments=lambda: len(names), AddEmptySegment=lambda key, name: names.append(name) or key,
            GetNthSegment=lambda k: types.SimpleNamespace(GetName=lambda: names[k]))
        nodes = {"Scan": types.SimpleNamespace(GetSpacing=lambda: (1.0, 1.0, 2.0)),
                 "Segmentation": types.SimpleNamespace(GetSegmentation=lambda: segmentation)}
        util = types.SimpleNamespace(
            getNode=nodes.__getitem__, arrayFromVolume=lambda node: self.scan,
            arrayFromSegmentBinaryLabelmap=lambda node, key, volume: self.painted[key],
            updateSegmentBinaryLabelmapFromArray=lambda array, node, key, volume: self.painted.update({key: array}))
        sys.modules["slicer"] = types.SimpleNamespace(util=util)
        self.addCleanup(sys.modules.pop, "slicer")
        self.cut = runpy.run_path(os.path.join(ROOT, "tools", "examples", "slicer_cut.py"))["cut"]

    def test_a_segment_is_cut_and_corrected(self):
        report = self.cut("Scan", "Segmentation", "object", "ground")
        self.assertTrue(report["certified"])
        right = tilecut.segment_volume(self.scan.astype(np.float32), self.seeds(), spacing=(2, 1, 1)).mask
        np.testing.assert_array_equal(self.painted["cut"], right // 255)
        self.assertGreater(iou(self.painted["cut"] > 0, self.ball), 0.9)
        self.painted["ground"][10, 12, 19:21] = 1
        self.cut("Scan", "Segmentation", "object", "ground", correct=True)
        self.assertFalse(self.painted["cut"][10, 12, 19:21].any())
        self.assertTrue((self.painted["cut"] <= right // 255).all())

    def seeds(self):
        return np.where(self.painted["object"], tilecut.FOREGROUND,
                        np.where(self.painted["ground"], tilecut.BACKGROUND, 0)).astype(np.uint8)

    def test_a_segment_that_is_not_there_is_told(self):
        with self.assertRaisesRegex(KeyError, "no segment 'liver'; there are 'object', 'ground'"):
            self.cut("Scan", "Segmentation", "liver", "ground")


class Torch(unittest.TestCase):
    @unittest.skipUnless(importlib.util.find_spec("torch"), "there is no torch")
    def test_tensors_in_and_out(self):
        import torch
        rng = np.random.default_rng(SEED)
        image, fore = rng.random((1, 8, 9)).astype(np.float32), rng.random((8, 9)).astype(np.float32)
        prob = np.stack([1 - fore, fore])
        label = torchmaxflow.maxflow(torch.from_numpy(image)[None], torch.from_numpy(prob)[None], 2.0, 0.5, 8)
        self.assertEqual(tuple(label.shape), (1, 1, 8, 9))
        np.testing.assert_array_equal(label.numpy()[0], numpymaxflow.maxflow(image, prob, 2.0, 0.5, 8))
        volume = torchmaxflow.maxflow(torch.from_numpy(image)[None, None], torch.from_numpy(prob)[None, :, None], 2.0, 0.5)
        np.testing.assert_array_equal(volume.numpy()[0, 0], numpymaxflow.maxflow(image, prob, 2.0, 0.5))

    def test_another_device_is_told(self):
        tensor = types.SimpleNamespace(device=types.SimpleNamespace(type="cuda"), ndim=4, shape=(1, 1, 8, 9))
        with self.assertRaises(TypeError):
            torchmaxflow.maxflow(tensor, tensor, 1.0, 1.0)
