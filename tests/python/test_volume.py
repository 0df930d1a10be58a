# SPDX-License-Identifier: MIT
"""Compares volumes with scipy's maximum flow, and with each other in every equivalent layout and type."""
import unittest

import numpy as np

from scenes import SEED, refuses
import tilecut
import tilecut.numpymaxflow as numpymaxflow

NAMES = {"right": (0, 0, 1), "down": (0, 1, 0), "back": (1, 0, 0)}
BACK = {"right": "left", "down": "up", "back": "front"}


def ball(shape=(9, 14, 20), dtype=np.uint8, seed=SEED):
    """Returns a bright ball with noise in a dark volume, seeds in both, and the truth."""
    rng = np.random.default_rng(seed)
    z, y, x = np.mgrid[tuple(slice(n) for n in shape)]
    middle = [(n - 1) / 2 for n in shape]
    truth = sum(((a - m) / (0.33 * n)) ** 2 for a, m, n in zip((z, y, x), middle, shape)) < 1
    levels = np.where(truth, 170, 80) + rng.normal(0, 8, shape)
    seeds = np.zeros(shape, np.uint8)
    seeds[0], seeds[:, 0], seeds[:, :, 0] = (tilecut.BACKGROUND,) * 3
    seeds[tuple(slice(int(m), int(m) + 2) for m in middle)] = tilecut.FOREGROUND
    return np.clip(levels, 0, 255).astype(dtype), seeds, truth


def scipy_flow(source, sink, links):
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_flow
    n = source.size
    dense = np.zeros((n + 2, n + 2), np.int32)
    dense[n, :n], dense[:n, n + 1] = source.ravel(), sink.ravel()
    ids = np.arange(n).reshape(source.shape)
    for name, step in NAMES.items():
        begin = tuple(slice(0, m - d) for m, d in zip(source.shape, step))
        end = tuple(slice(d, m) for m, d in zip(source.shape, step))
        dense[ids[begin].ravel(), ids[end].ravel()] += links[name][begin].ravel()
        dense[ids[end].ravel(), ids[begin].ravel()] += links.get(BACK[name], links[name])[begin].ravel()
    return maximum_flow(csr_matrix(dense), n, n + 1).flow_value


def cost(mask, source, sink, links):
    inside = mask == 255
    total = int(sink[inside].sum() + source[~inside].sum())
    for name, step in NAMES.items():
        begin = tuple(slice(0, m - d) for m, d in zip(source.shape, step))
        end = tuple(slice(d, m) for m, d in zip(source.shape, step))
        total += int(links[name][begin][inside[begin] & ~inside[end]].sum())
        total += int(links.get(BACK[name], links[name])[begin][~inside[begin] & inside[end]].sum())
    return total


def cleaned_by_scipy(mask, seeds, connectivity, keep_largest=False, min_area=0, fill_holes=0, connected=False):
    """Computes with scipy.ndimage what tilecut.clean() must return and report."""
    from scipy import ndimage
    axes = mask.ndim
    object_, ground = (ndimage.generate_binary_structure(axes, n) for n in (1 if connectivity in (4, 6) else axes, 1))
    mask, told = mask > 0, [0, 0, 0, 0]
    inner = np.zeros(mask.shape, bool)
    inner[tuple(slice(1, -1) if n > 1 else slice(None) for n in mask.shape)] = True

    def step(of, structure, changes, at):
        regions, count = ndimage.label(of, structure)
        areas, doomed = np.bincount(regions.ravel(), minlength=count + 1), np.zeros(count + 1, bool)
        seeded = np.unique(regions[seeds == 2] if at == 0 else regions[(seeds == 1) | (seeds == 3)])
        for region in range(1, count + 1):
            doomed[region] = region not in seeded and changes(region, areas)
        told[at] += int(doomed.sum())
        told[at + 1] += int(areas[doomed].sum())
        return doomed[regions]

    if keep_largest:
        mask &= ~step(mask, object_, lambda region, areas: region != areas[1:].argmax() + 1, 0)
    mask &= ~step(mask, object_, lambda region, areas: areas[region] < min_area, 0)
    if fill_holes:
        open_ = np.unique(ndimage.label(~mask, ground)[0][~inner])
        mask |= step(~mask, ground, lambda region, areas: areas[region] <= fill_holes and region not in open_, 2)
    if connected:
        mask &= ~step(mask, object_, lambda region, areas: True, 0)
    return mask * np.uint8(255), tuple(told)


class CleanUp(unittest.TestCase):
    def test_regions_are_those_of_scipy(self):
        rng = np.random.default_rng(SEED)
        changed = [0, 0, 0, 0]
        for turn in range(120):
            shape = tuple(int(n) for n in rng.integers(1, 9 if turn % 2 else 25, 3 if turn % 2 else 2))
            mask = (rng.random(shape) < rng.uniform(.2, .8)) * np.uint8(255)
            seeds = np.where(rng.random(shape) < .02, rng.integers(1, 4, shape), 0).astype(np.uint8)
            connectivity = int(rng.choice((0, 6, 26) if turn % 2 else (0, 4, 8)))
            how = {"keep_largest": bool(rng.integers(0, 2)), "min_area": int(rng.integers(0, 6)),
                   "fill_holes": int(rng.integers(0, 6)), "connected": bool(rng.integers(0, 2))}
            want = cleaned_by_scipy(mask, seeds, connectivity or (6 if turn % 2 else 8), **how)
            with self.subTest(seed=SEED, turn=turn, shape=shape):
                self.assertEqual(tilecut.clean(mask, seeds, connectivity=connectivity, **how), want[1])
                np.testing.assert_array_equal(mask, want[0])
            changed = [a + b for a, b in zip(changed, want[1])]
        self.assertGreater(min(changed), 20)

    def test_a_session_goes_on_from_the_cleaned_mask(self):
        volume, seeds, _ = ball()
        volume[4, 1:3, 1:3] = 170  # an island
        session = tilecut.VolumeSession(volume)
        self.assertRaises(TypeError, session.clean)
        mask = session.solve(seeds, lambda_=1, spatial=-1, islands=1).mask
        before = mask.copy()
        want = cleaned_by_scipy(mask, seeds, 6, keep_largest=True)
        self.assertEqual(session.clean(seeds, keep_largest=True), want[1])
        self.assertGreater(want[1][1], 3)
        np.testing.assert_array_equal(mask, want[0])
        np.testing.assert_array_equal(session.correct(seeds).mask, want[0])
        np.testing.assert_array_equal(session.undo(), want[0])
        self.assertTrue((before != mask).any())


class Corrections(unittest.TestCase):
    def test_strokes_only_add_or_only_take_away(self):
        volume, seeds, truth = ball()
        before = np.where(truth & (np.indices(truth.shape)[2] < 10), 255, 0).astype(np.uint8)
        before[1:3, 1:3, 1:5] = 255
        for label, where in ((tilecut.FOREGROUND, (4, 7, 13)), (tilecut.BACKGROUND, (1, 1, 2))):
            stroke = np.zeros_like(seeds)
            stroke[where] = label
            for learn in (False, True):
                told = tilecut.segment_volume(volume, seeds if learn else stroke, previous=before, learn=learn)
                after = np.asarray(told.mask)
                self.assertEqual(told.report["added"], ((after > 0) & (before == 0)).sum())
                self.assertEqual(told.report["removed"], ((after == 0) & (before > 0)).sum())
                if not learn:
                    self.assertEqual(after[where] > 0, label == tilecut.FOREGROUND)
                    self.assertTrue((after >= before if label == tilecut.FOREGROUND else after <= before).all())
        self.assertRaises(ValueError, tilecut.segment_volume, volume, seeds, previous=before[1:])

    def test_strokes_of_one_voxel_never_ruin_it(self):
        for seed in (1, 2, 3):
            rng = np.random.default_rng(seed)
            volume, seeds, truth = ball((13, 22, 24), np.int16, seed)
            likeness = lambda mask: (truth & (mask > 0)).sum() / (truth | (mask > 0)).sum()
            seeds[seeds == tilecut.FOREGROUND] = 0
            seeds[-1], seeds[:, -1], seeds[:, :, -1] = (tilecut.BACKGROUND,) * 3
            alone = seeds.copy()
            # this one seed shows few of the object's greys, but the mask does not leak
            alone[6, 10, 11] = tilecut.FOREGROUND
            mask = np.asarray(tilecut.segment_volume(volume, alone).mask) > 0
            self.assertGreater(likeness(mask), 0.8, seed)
            self.assertLess((mask & ~truth).sum(), 0.02 * truth.sum(), seed)
            dot = alone.copy()
            dot[6, 10, 10:13] = dot[6, 9:12, 11] = tilecut.FOREGROUND
            self.assertGreater(likeness(np.asarray(tilecut.segment_volume(volume, dot).mask)), 0.9, seed)
            before = np.where(truth, 255, 0).astype(np.uint8)
            before[:, :, 12:], before[2:5, 2:5, 2:6] = 0, 255
            for label, wrong in ((tilecut.FOREGROUND, truth & (before == 0)), (tilecut.BACKGROUND, ~truth & (before > 0))):
                for place in rng.permutation(np.argwhere(wrong))[:3]:
                    stroke = alone.copy()
                    stroke[tuple(place)] = label
                    after = np.asarray(tilecut.segment_volume(volume, stroke, previous=before).mask)
                    self.assertGreater(likeness(after), likeness(before) - 0.001, (seed, place))

    def test_a_session_corrects_its_last_mask(self):
        volume, seeds, truth = ball()
        session = tilecut.VolumeSession(volume)
        self.assertRaises(ValueError, session.correct, seeds)
        self.assertRaises(ValueError, session.undo)
        before = np.asarray(session.solve(seeds).mask).copy()
        seeds[4, 7, 2] = tilecut.FOREGROUND
        told = session.correct(seeds)
        expected = tilecut.segment_volume(volume, seeds, previous=before)
        np.testing.assert_array_equal(told.mask, expected.mask)
        # by then the mask agrees with the seeds, so nothing changes
        np.testing.assert_array_equal(session.correct(seeds, learn=True).mask, told.mask)
        again = session.correct(seeds, previous=before)
        np.testing.assert_array_equal(again.mask, expected.mask)
        self.assertGreater((again.mask != before).sum(), 0)
        np.testing.assert_array_equal(session.undo(), before)
        self.assertIsNone(session.undo())
        # corrects the restored mask once more
        np.testing.assert_array_equal(session.correct(seeds).mask, expected.mask)
        out = np.empty_like(before)
        self.assertIs(session.undo(out=out), out)
        np.testing.assert_array_equal(out, before)

    def test_another_tools_mask_is_refined(self):
        volume, seeds, truth = ball()
        nothing = np.zeros_like(seeds)
        same = tilecut.segment_volume(volume, prior=truth)
        np.testing.assert_array_equal(np.asarray(same.mask) > 0, truth > 127)
        np.testing.assert_array_equal(tilecut.segment_volume(volume, nothing, prior=truth).mask, same.mask)
        np.testing.assert_array_equal(tilecut.VolumeSession(volume).solve(None, prior=truth).mask, same.mask)
        for wrong in ({}, {"previous": truth}):
            self.assertRaises(ValueError, tilecut.segment_volume, volume, **wrong)
        moved = tilecut.volume_moved(volume, truth, same.mask)
        self.assertEqual((moved["added"], moved["removed"], moved["too_much"]), (0, 0, False))
        wider = tilecut.segment_volume(volume, nothing, prior=np.roll(truth, 1, 2), prior_reach=2)
        moved = tilecut.volume_moved(volume, np.roll(truth, 1, 2), wider.mask)
        self.assertEqual(moved["added"], ((np.asarray(wider.mask) > 0) & (np.roll(truth, 1, 2) < 128)).sum())
        self.assertRaises(ValueError, tilecut.segment_volume, volume, nothing, prior=truth[1:])
        with self.assertRaisesRegex(ValueError, "the outline of a prior, and there is none"):
            tilecut.segment_volume(volume, seeds, prior_reach=2)
        self.assertRaises(ValueError, tilecut.volume_moved, volume, truth, truth[1:])


class Confidence(unittest.TestCase):
    def test_seeds_are_sure_and_a_session_says_as_much(self):
        volume, seeds, truth = ball()
        mask = tilecut.segment_volume(volume, seeds).mask
        sure, doubt = tilecut.volume_confidence(volume, seeds, mask)
        self.assertEqual(sure.shape, volume.shape)
        self.assertTrue((sure[seeds != 0] == 255).all())
        self.assertGreater((sure > 127).mean(), 0.9)
        self.assertTrue(0 <= doubt.unsure <= 1)
        with self.assertRaises(ValueError):
            tilecut.volume_confidence(volume, seeds, mask[1:])
        session = tilecut.Session(volume[4], seeds[4])
        with self.assertRaises(tilecut.InvalidValue):
            session.confidence()
        session.solve()
        mine, place = session.confidence()
        graph = tilecut.Graph.from_image(volume[4], seeds[4])
        again, other = graph.confidence(graph.solve().mask)
        np.testing.assert_array_equal(mine, again)
        self.assertEqual((place.x, place.y, place.label), (other.x, other.y, other.label))


class Capacities(unittest.TestCase):
    def test_flows_are_those_of_scipy(self):
        rng = np.random.default_rng(SEED)
        for turn in range(40):
            shape = tuple(int(n) for n in rng.integers(1, 6, 3))
            source, sink = (rng.integers(0, 40, shape).astype(np.int32) for _ in range(2))
            names = list(NAMES) + (list(BACK.values()) if turn % 2 else [])
            links = {name: rng.integers(0, 20, shape).astype(np.int32) for name in names}
            answer = tilecut.maxflow_volume(source, sink, **links)
            with self.subTest(seed=SEED, turn=turn, shape=shape):
                self.assertEqual(answer.flow, scipy_flow(source, sink, links))
                self.assertEqual(cost(answer.mask, source, sink, links), answer.flow)
                self.assertEqual(answer.report["connectivity"], 6)

    def test_what_is_wrong_is_told(self):
        one = np.ones((2, 3, 4), np.int32)
        cases = [
            (ValueError, "shape", lambda: tilecut.maxflow_volume(one[0], one, one, one, one)),
            (ValueError, "down has the shape", lambda: tilecut.maxflow_volume(one, one, one, one[:1], one)),
            (TypeError, "int32", lambda: tilecut.maxflow_volume(one, one, one, one, one.astype(float))),
            (ValueError, "negative", lambda: tilecut.maxflow_volume(one, -one, one, one, one)),
            (ValueError, "add up", lambda: tilecut.maxflow_volume(one, one, one << 24, one, one)),
        ]
        refuses(self, cases)


class Segment(unittest.TestCase):
    def test_finds_the_ball_and_proves_it(self):
        volume, seeds, truth = ball()
        result = tilecut.segment_volume(volume, seeds)
        self.assertEqual((result.flow, result.report["certified"]), (result.cut, 1))
        self.assertEqual((result.mask.shape, result.mask.dtype), (volume.shape, np.uint8))
        self.assertGreater(np.mean((result.mask == 255) == truth), 0.97)

    def test_layouts_and_types_that_mean_the_same_give_the_same(self):
        volume, seeds, _ = ball()
        want = tilecut.segment_volume(volume, seeds, low=0, high=255).mask
        wide = np.zeros((9, 17, 26), np.uint8)
        wide[:, 1:15, 3:23] = volume
        frozen = volume.copy()
        frozen.flags.writeable = False
        others = {"gaps": wide[:, 1:15, 3:23], "readonly": frozen, "fortran": np.asfortranarray(volume),
                  "reversed": volume[::-1, :, ::-1].copy()[::-1, :, ::-1], "every second": np.repeat(volume, 2, 0)[::2],
                  "uint16": volume.astype(np.uint16), "int16": volume.astype(np.int16), "float32": volume.astype(np.float32),
                  "gaps, float32": wide.astype(np.float32)[:, 1:15, 3:23]}
        for name, other in others.items():
            with self.subTest(name=name):
                out = np.full(volume.shape, 7, np.uint8)
                result = tilecut.segment_volume(other, np.asfortranarray(seeds), low=0, high=255, out=out)
                self.assertIs(result.mask, out)
                np.testing.assert_array_equal(out, want)

    def test_one_slice_in_colour_is_the_image(self):
        rng = np.random.default_rng(SEED)
        _, seeds, truth = ball((1, 30, 40))
        levels = np.clip(np.where(truth[..., None], (150, 90, 120), (100, 130, 110)) + rng.normal(0, 25, (1, 30, 40, 3)), 0, 255)
        for image, white in ((levels.astype(np.uint8), 0), (levels.astype(np.uint16) * 257, 65535)):
            one = tilecut.segment(image[0], seeds[0], connectivity=8)
            found = tilecut.segment_volume(image, seeds, connectivity=26, high=white)
            np.testing.assert_array_equal(found.mask[0], one.mask)
            self.assertEqual((found.report["flow"], found.report["beta"]), (one.report["flow"], one.report["beta"]))

    def test_colours_in_any_layout_give_the_same_everywhere(self):
        grey, seeds, truth = ball()
        rng = np.random.default_rng(SEED)
        image = np.stack([grey, 200 - grey // 2, rng.integers(0, 99, grey.shape)], -1).astype(np.uint8)
        expected = tilecut.segment_volume(image, seeds)
        self.assertGreater(((expected.mask == 255) == truth).mean(), 0.98)
        far = np.zeros((9, 16, 23, 3), np.uint8)
        far[:, :14, :20] = image
        reversed_ = np.ascontiguousarray(image[..., ::-1])[..., ::-1]
        for same in (far[:, :14, :20], reversed_, np.asfortranarray(image), np.moveaxis(np.moveaxis(image, -1, 0).copy(), 0, -1)):
            found = tilecut.segment_volume(same, seeds)
            np.testing.assert_array_equal(found.mask, expected.mask)
            self.assertEqual(found.report["flow"], expected.report["flow"])
        with tilecut.VolumeSession(image) as session:
            np.testing.assert_array_equal(session.solve(seeds).mask, expected.mask)
        self.assertNotEqual(expected.report["flow"], tilecut.segment_volume(image[..., 0], seeds).report["flow"])
        labels = tilecut.labels(image, seeds).labels
        self.assertGreater(((labels == tilecut.FOREGROUND) == truth).mean(), 0.95)
        for wrong in (image.astype(np.float32), image.astype(np.int16), image[..., :2]):
            with self.assertRaises((ValueError, TypeError)):
                tilecut.segment_volume(wrong, seeds)

    def test_what_fits_is_not_copied(self):
        from tilecut import _volume
        volume = np.zeros((4, 20, 30), np.float32)
        self.assertEqual(_volume._voxels(volume[1:, 2:, 5:], []).voxels, volume[1:, 2:, 5:].ctypes.data)

    def test_spacing_is_in_the_order_of_the_axes(self):
        volume, seeds, _ = ball(shape=(12, 12, 12))
        turned = [np.ascontiguousarray(np.moveaxis(a, 0, 2)) for a in (volume, seeds)]
        want = tilecut.segment_volume(volume, seeds, spacing=(5, 1, 2))
        got = tilecut.segment_volume(*turned, spacing=(1, 2, 5))
        self.assertEqual(got.flow, want.flow)
        np.testing.assert_array_equal(np.moveaxis(got.mask, 2, 0), want.mask)
        self.assertNotEqual(want.flow, tilecut.segment_volume(volume, seeds, spacing=(2, 1, 5)).flow)

    def test_what_is_wrong_is_told_and_the_mask_left_alone(self):
        volume, seeds, _ = ball()
        out = np.full(volume.shape, 9, np.uint8)
        segment = tilecut.segment_volume
        cases = [
            (TypeError, "float64", lambda: segment(volume.astype(float), seeds, out=out)),
            (ValueError, "shape", lambda: segment(volume[0], seeds, out=out)),
            (ValueError, "shape", lambda: segment(volume, seeds[1:], out=out)),
            (TypeError, "seeds is int32", lambda: segment(volume, seeds.astype(np.int32), out=out)),
            (ValueError, "spacing", lambda: segment(volume, seeds, spacing=(1, 2), out=out)),
            (ValueError, "spacing", lambda: segment(volume, seeds, spacing=(1, -2, 1), out=out)),
            (tilecut.SeedsError, "", lambda: segment(volume, np.zeros_like(seeds), out=out)),
            (ValueError, "out has", lambda: segment(volume, seeds, out=np.zeros((18, 14, 20), np.uint8)[::2])),
            (TypeError, "no option", lambda: segment(volume, seeds, spaces=3, out=out)),
        ]
        for kind, text, action in cases:
            with self.subTest(text=text):
                with self.assertRaises(kind) as caught:
                    action()
                self.assertIn(text, str(caught.exception))
                self.assertTrue((out == 9).all())

    def test_a_session_gives_what_each_call_would(self):
        volume, seeds, _ = ball()
        with tilecut.VolumeSession(volume.astype(np.int16), spacing=(2, 1, 1)) as session:
            for turn in range(4):
                seeds[turn + 1, 3 + turn, 2:6] = (tilecut.BACKGROUND, tilecut.FOREGROUND)[turn % 2]
                got = session.solve(seeds, threads=1 + turn)
                want = tilecut.segment_volume(volume.astype(np.int16), seeds, spacing=(2, 1, 1))
                self.assertEqual((got.flow, got.cut), (want.flow, want.cut))
                np.testing.assert_array_equal(got.mask, want.mask)
            with self.assertRaises(tilecut.SeedsError):
                session.solve(np.zeros_like(seeds))
            np.testing.assert_array_equal(session.solve(seeds).mask, want.mask)
        with self.assertRaises(ValueError):
            session.solve(seeds)

    def test_a_raised_flag_cancels(self):
        volume, seeds, _ = ball((24, 60, 60))
        flag = tilecut.Flag()
        flag.raise_()
        with self.assertRaises(tilecut.Cancelled):
            tilecut.segment_volume(volume, seeds, cancel=flag)


class Capacities(unittest.TestCase):
    def test_they_are_what_is_cut(self):
        volume, seeds, _ = ball()
        want = tilecut.segment_volume(volume, seeds, spacing=(2, 1, 1), iterations=-1)
        planes, quantum = tilecut.volume_capacities(volume, seeds, spacing=(2, 1, 1))
        got = tilecut.maxflow_volume(**planes)
        np.testing.assert_array_equal(got.mask, want.mask)
        self.assertEqual(got.flow, want.flow)
        self.assertAlmostEqual(got.flow * quantum, want.energy, delta=1e-6 * want.energy)


class Numpymaxflow(unittest.TestCase):
    def test_no_label_costs_less_in_a_volume(self):
        rng = np.random.default_rng(SEED)
        for turn in range(4):
            shape = (2, 2, 2)
            image = rng.integers(0, 60, (1,) + shape).astype(np.float32)
            foreground = np.clip(rng.normal(0.5, 0.4, shape), 0, 1).astype(np.float32)
            prob = np.stack([1 - foreground, foreground])
            label = numpymaxflow.maxflow(image, prob, 1.5, 20.0)

            def energy(labels):
                terms = -np.log(np.maximum(np.where(labels == 1, prob[1], prob[0]), 2.0 ** -23)).sum()
                for step in NAMES.values():
                    begin = tuple(slice(0, m - d) for m, d in zip(shape, step))
                    end = tuple(slice(d, m) for m, d in zip(shape, step))
                    links = 1.5 * np.exp(-(image[0][begin] - image[0][end]) ** 2 / 800)
                    terms += links[labels[begin] != labels[end]].sum()
                return terms

            best = min(energy(np.array([bits >> k & 1 for k in range(8)]).reshape(shape)) for bits in range(1 << 8))
            with self.subTest(seed=SEED, turn=turn):
                self.assertEqual((label.shape, label.dtype), ((1,) + shape, np.float32))
                self.assertAlmostEqual(energy(label[0]), best, delta=1e-4)
