# SPDX-License-Identifier: MIT
"""The binding as callers use it: values, layouts and errors of one call, grids, and images. Needs NumPy."""
import os
import tracemalloc
import unittest

import numpy as np

import tilecut
from scenes import SEED, scene
from tilecut import _header


class Segment(unittest.TestCase):
    def test_finds_the_disc_and_proves_it(self):
        image, seeds, truth = scene()
        result = tilecut.segment(image, seeds)
        self.assertEqual(result.flow, result.cut)
        self.assertEqual(result.report["certified"], 1)
        self.assertEqual(result.mask.dtype, np.uint8)
        self.assertGreater(np.mean((result.mask == 255) == truth), 0.99)

    def test_layouts_that_mean_the_same_give_the_same(self):
        for channels in (1, 3):
            for dtype in (np.uint8, np.uint16):
                image, seeds, _ = scene(channels=channels, dtype=dtype)
                want = tilecut.segment(image, seeds).mask
                wide = np.zeros((image.shape[0], image.shape[1] + 7) + image.shape[2:], dtype)
                wide[:, :image.shape[1]] = image
                readonly = image.copy()
                readonly.flags.writeable = False
                layouts = {
                    "rows apart": wide[:, :image.shape[1]], "readonly": readonly, "fortran": np.asfortranarray(image),
                    "reversed twice": image[::-1].copy()[::-1], "every second": np.repeat(image, 2, 1)[:, ::2],
                    "columns reversed twice": image[:, ::-1].copy()[:, ::-1],
                }
                for name, other in layouts.items():
                    with self.subTest(name=name, channels=channels, dtype=dtype.__name__, seed=SEED):
                        np.testing.assert_array_equal(tilecut.segment(other, seeds).mask, want)
                flipped = seeds[::-1].copy()[::-1]
                np.testing.assert_array_equal(tilecut.segment(image, flipped).mask, want)

    def test_nothing_is_written_beside_the_mask(self):
        image, seeds, _ = scene()
        want = tilecut.segment(image, seeds).mask
        frame = np.full((50, 80), 7, np.uint8)
        result = tilecut.segment(image, seeds, out=frame[1:49, 3:67])
        np.testing.assert_array_equal(result.mask, want)
        frame[1:49, 3:67] = 7
        self.assertTrue((frame == 7).all())

    def test_an_image_that_may_be_written_gives_the_same_mask(self):
        image, seeds, _ = scene(2100, 2050)
        whole = tilecut.segment(image, seeds, colors="none")
        pixels, labels = image.copy(), seeds.copy()
        spared = tilecut.segment(pixels, labels, sparing=True, colors="none")
        self.assertEqual((spared.flow, spared.mask.tobytes()), (whole.flow, whole.mask.tobytes()))
        self.assertTrue((labels == seeds).all())
        self.assertFalse((pixels == image).all())
        with self.assertRaises(TypeError):
            tilecut.segment(pixels, labels, sparing=True, previous=spared.mask)
        for array in (pixels, labels):
            array.flags.writeable = False
            with self.assertRaises(ValueError):
                tilecut.segment(pixels, labels, sparing=True)
            array.flags.writeable = True

    def test_an_image_with_fitting_layout_is_not_copied(self):
        image, _, _ = scene(512, 512)
        keep = []
        picture = tilecut._segment.image_of(image[:, :400], keep)
        self.assertEqual(picture.pixels, image.ctypes.data)
        self.assertEqual(picture.stride, image.strides[0])

    def test_a_call_takes_no_memory_of_the_size_of_the_image(self):
        image = np.zeros((1000, 1000, 3), np.uint8)
        image[300:700, 300:700] = 200
        seeds = np.zeros(image.shape[:2], np.uint8)
        seeds[:5], seeds[480:520, 480:520] = tilecut.BACKGROUND, tilecut.FOREGROUND
        out = np.zeros(seeds.shape, np.uint8)
        for given in (image, image[:, :900], image[::2]):
            cut = lambda: tilecut.segment(given, seeds[:len(given), :given.shape[1]], colors="none",
                                          out=out[:len(given), :given.shape[1]])
            cut()
            tracemalloc.start()  # tracemalloc counts the memory of Python and NumPy, not that of the library
            cut()
            most = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            self.assertLess(most, 30000)

    def test_a_box_and_seeds_within_it(self):
        image, seeds, truth = scene()
        result = tilecut.segment(image, box=(10, 4, 44, 40))
        self.assertGreater(np.mean((result.mask == 255) == truth), 0.98)
        both = tilecut.segment(image, seeds, box=(10, 4, 44, 40))
        self.assertEqual(both.mask[0].max(), 0)
        with self.assertRaises(ValueError):
            tilecut.segment(image, box=(100, 100, 5, 5))
        # a box around the whole image has the same effect as one that leaves out the border
        height, width = truth.shape
        for more in (None, np.where(seeds == 2, 2, 0).astype(np.uint8)):
            whole = tilecut.segment(image, more, box=(0, 0, width, height)).mask
            near = tilecut.segment(image, more, box=(1, 1, width - 2, height - 2)).mask
            np.testing.assert_array_equal(whole, near)
        np.testing.assert_array_equal(tilecut.segment(image, seeds, box=(0, 0, width, height)).mask,
                                      tilecut.segment(image, seeds).mask)

    def test_every_solver_gives_the_same_bits(self):
        image, seeds, _ = scene(70, 90)
        masks = {}
        for solver in tilecut.solvers():
            try:
                masks[solver] = tilecut.segment(image, seeds, solver=solver, threads=2).mask.tobytes()
            except tilecut.DeviceError:
                continue
        self.assertGreater(len(masks), 2)
        self.assertEqual(len(set(masks.values())), 1, sorted(masks))


class Errors(unittest.TestCase):
    def test_types_and_shapes_are_told(self):
        image, seeds, _ = scene()
        cases = [
            (TypeError, "image is float", lambda: tilecut.segment(image.astype(float), seeds)),
            (TypeError, "image must be an array", lambda: tilecut.segment(3, seeds)),
            (ValueError, "shape", lambda: tilecut.segment(np.zeros(image.shape[:2] + (5,), np.uint8), seeds)),
            (ValueError, "shape", lambda: tilecut.segment(image, seeds[:-1])),
            (TypeError, "uint8", lambda: tilecut.segment(image, seeds.astype(np.int32))),
            (TypeError, "no option", lambda: tilecut.segment(image, seeds, lamda=3)),
            (TypeError, "lambda_", lambda: tilecut.segment(image, seeds, lambda_="much")),
            (TypeError, "native byte order", lambda: tilecut.segment(image.astype(">u2"), seeds)),
            (TypeError, "image.filled(VALUE)", lambda: tilecut.segment(np.ma.masked_less(image, 99), seeds)),
            (ValueError, "there is no solver", lambda: tilecut.segment(image, seeds, solver="none such")),
            (tilecut.SeedsError, "seed", lambda: tilecut.segment(image, np.zeros_like(seeds))),
            (ValueError, "read-only", lambda: tilecut.segment(image, seeds, out=bytes(10))),
            (ValueError, "out is", lambda: tilecut.segment(image, seeds, out=np.zeros((3, 3), np.uint8))),
            (TypeError, "seeds, a box", lambda: tilecut.segment(image)),
        ]
        for kind, text, action in cases:
            with self.subTest(text=text):
                with self.assertRaises(kind) as caught:
                    action()
                if text != "read-only":
                    self.assertIn(text, str(caught.exception))

    def test_a_mask_is_left_alone_by_a_failure(self):
        image, seeds, _ = scene()
        out = np.full(seeds.shape, 9, np.uint8)
        with self.assertRaises(tilecut.SeedsError):
            tilecut.segment(image, np.zeros_like(seeds), out=out)
        self.assertTrue((out == 9).all())


class Grid(unittest.TestCase):
    @staticmethod
    def cost(mask, source, sink, right, down, left, up):
        label = mask == 255
        cost = int(sink[label].sum()) + int(source[~label].sum())
        cost += int(right[:, :-1][label[:, :-1] & ~label[:, 1:]].sum() + left[:, :-1][~label[:, :-1] & label[:, 1:]].sum())
        cost += int(down[:-1][label[:-1] & ~label[1:]].sum() + up[:-1][~label[:-1] & label[1:]].sum())
        return cost

    def test_flow_equals_the_cost_of_the_mask_and_the_least_of_all(self):
        rng = np.random.default_rng(SEED)
        for _ in range(40):
            height, width = rng.integers(1, 4), rng.integers(1, 5)
            draw = [rng.integers(0, 9, (height, width)).astype(np.int32) for _ in range(6)]
            source, sink, right, down, left, up = draw
            result = tilecut.maxflow_grid(source, sink, right, down, left=left, up=up)
            best = min(self.cost(np.array([255 if bits >> p & 1 else 0 for p in range(height * width)]).reshape(height, width),
                                 *draw) for bits in range(1 << (height * width)))
            with self.subTest(seed=SEED, shape=(height, width)):
                self.assertEqual(result.flow, best)
                self.assertEqual(self.cost(result.mask, *draw), best)

    def test_flows_are_conserved_and_within_capacities(self):
        rng = np.random.default_rng(SEED + 1)
        source, sink, right, down = (rng.integers(0, 50, (9, 11)).astype(np.int32) for _ in range(4))
        told = tilecut.maxflow_grid(source, sink, right, down, flows=True).flows
        for name, capacity in (("right", right), ("down", down)):
            self.assertTrue((np.abs(told[name]) <= capacity).all(), name)
        net = told["source"].astype(int) - told["sink"]
        net[:, :-1] -= told["right"][:, :-1]
        net[:, 1:] += told["right"][:, :-1]
        net[:-1] -= told["down"][:-1]
        net[1:] += told["down"][:-1]
        self.assertEqual(np.abs(net).max(), 0)

    def test_goes_on_from_the_flow_before(self):
        rng = np.random.default_rng(SEED + 2)
        source, sink, right, down = (rng.integers(0, 50, (40, 50)).astype(np.int32) for _ in range(4))
        with tilecut.Graph(source, sink, right, down) as graph:
            graph.solve(warm=True)
            source[3, 4] += 17
            again = graph.solve(warm=True)
            self.assertEqual(again.report["warm"], 1)
            self.assertEqual(again.flow, tilecut.maxflow_grid(source, sink, right, down).flow)

    def test_bounds_of_capacities_are_those_of_every_pixel(self):
        rng = np.random.default_rng(SEED)
        limit, told = 1 << 24, {True: 0, False: 0}
        for turn in range(300):
            height, width = (int(n) for n in rng.integers(1, 5, 2))
            draw = [rng.integers(0, limit // 6, (height, width)).astype(np.int32) for _ in range(6)]
            draw[int(rng.integers(0, 6))].flat[int(rng.integers(0, height * width))] = rng.integers(-1, limit + 2)
            source, sink, right, down, left, up = (plane.astype(np.int64) for plane in draw)
            # links out of the image have no effect, so they count as 0
            right[:, -1], left[:, -1], down[-1], up[-1] = 0, 0, 0, 0
            load = abs(source - sink)
            for plane in (right, left):
                load += plane + np.pad(plane, ((0, 0), (1, 0)))[:, :-1]
            for plane in (down, up):
                load += plane + np.pad(plane, ((1, 0), (0, 0)))[:-1]
            negative = any((plane < 0).any() for plane in (source, sink, right, down, left, up))
            fine = not negative and load.max() < limit and source.max() < limit and sink.max() < limit
            told[bool(fine)] += 1
            with self.subTest(seed=SEED, turn=turn):
                if fine:
                    tilecut.Graph(*draw[:4], left=draw[4], up=draw[5]).close()
                else:
                    with self.assertRaises(tilecut.InvalidValue):
                        tilecut.Graph(*draw[:4], left=draw[4], up=draw[5])
        self.assertGreater(min(told.values()), 30)

    def test_wrong_types_are_told(self):
        plane = np.ones((3, 4), np.int32)
        with self.assertRaisesRegex(TypeError, "int32"):
            tilecut.maxflow_grid(plane.astype(float), plane, plane, plane)
        with self.assertRaisesRegex(ValueError, "shape"):
            tilecut.maxflow_grid(plane, plane[:2], plane, plane)
        with self.assertRaises(ValueError):
            tilecut.maxflow_grid(-plane, plane, plane, plane)


class Images(unittest.TestCase):
    def test_the_graph_of_an_image_has_the_capacities_that_are_cut(self):
        image, seeds, _ = scene(30, 41)
        for neighbours in (4, 8):
            with tilecut.Graph.from_image(image, seeds, connectivity=neighbours) as graph:
                self.assertEqual((graph.size, graph.connectivity), ((30, 41), neighbours))
                told = graph.solve()
                self.assertEqual(graph.quantum, told.report["quantum"])
                given = graph.capacities()
            self.assertEqual(len(given), 2 + neighbours)
            again = tilecut.maxflow_grid(**given)
            self.assertEqual(again.flow, told.flow)
            np.testing.assert_array_equal(again.mask, told.mask)

    def test_snap(self):
        rows, columns = np.indices((70, 90))
        truth = np.where((columns - 45) ** 2 + (rows - 34) ** 2 <= 500, 255, 0).astype(np.uint8)
        image, off = np.where(truth > 0, 140, 90).astype(np.uint8), np.roll(truth, 2, 1)
        snapped = tilecut.snap(image, off)
        self.assertLess(2 * np.count_nonzero(snapped != truth), np.count_nonzero(off != truth))
        np.testing.assert_array_equal(tilecut.snap(image, off, given=off), off)
        with self.assertRaisesRegex(ValueError, "given"):
            tilecut.snap(image, off, given=off[1:])

    def test_soft_edges(self):
        image, seeds, truth = scene()
        mask = tilecut.segment(image, seeds).mask
        alpha, colors = tilecut.edge(image, mask)
        fine, kept = tilecut.edge(image, mask, hair=True, threads=3)
        self.assertEqual((fine.shape, fine.dtype, kept.shape), (alpha.shape, alpha.dtype, colors.shape))
        np.testing.assert_array_equal(fine, tilecut.edge(image, mask, np.zeros_like(mask), hair=True)[0])
        self.assertEqual((alpha.dtype, alpha.shape), (np.uint16, mask.shape))
        self.assertEqual((colors.dtype, colors.shape), (image.dtype, image.shape))
        hard = (alpha == 0) | (alpha == 65535)
        self.assertFalse(hard.all())
        np.testing.assert_array_equal(colors[hard], image[hard])
        with self.assertRaisesRegex(ValueError, "shape"):
            tilecut.edge(image, mask[1:])
        same = tilecut.outline_moved(image, mask, mask)
        self.assertEqual((same["added"], same["most"], same["edges"]), (0, 0, same["edges_before"]))
        wider = tilecut.outline_moved(image, mask, np.roll(mask, 2, 1))
        self.assertEqual(wider["added"] + wider["removed"], np.count_nonzero(mask != np.roll(mask, 2, 1)))
        trimap = tilecut.matte_band(image, mask, seeds)
        self.assertTrue(np.isin(trimap, (0, 128, 255)).all())
        alpha = tilecut.matte(image, trimap, threads=2)
        self.assertEqual((alpha.dtype, alpha.shape), (np.uint16, mask.shape))
        self.assertTrue((alpha[trimap == 255] == 65535).all() and (alpha[trimap == 0] == 0).all())
        colors = tilecut.matte_colors(image, alpha)
        self.assertEqual((colors.dtype, colors.shape), (image.dtype, image.shape))
        np.testing.assert_array_equal(colors[alpha == 65535], image[alpha == 65535])
        np.testing.assert_array_equal(tilecut.matte(np.asfortranarray(image), np.asfortranarray(trimap)), alpha)
        with self.assertRaisesRegex(TypeError, "trimap is uint16"):
            tilecut.matte(image, alpha)
        with self.assertRaisesRegex(ValueError, "shape"):
            tilecut.matte_colors(image, alpha[1:])
        with self.assertRaises(tilecut.SeedsError):
            tilecut.matte(image, np.full_like(trimap, 128))

    def test_what_is_built_in(self):
        for name in tilecut.solvers():
            row = tilecut.solver(name)
            self.assertEqual((row.name, row.device in ("cpu", "cuda"), row.nodes > 0), (name, True, True))
        with self.assertRaisesRegex(ValueError, "there is no solver"):
            tilecut.solver("none such")
        if not tilecut.cuda_built():
            self.assertEqual(tilecut.cuda_devices(), 0)
            with self.assertRaises(tilecut.DeviceError):
                tilecut.cuda_device(0)
            self.assertEqual((tilecut.cuda_memory(), tilecut.cuda_reaches(0, 1), tilecut.nccl_version()), (0, False, 0))

    def test_every_function_of_the_headers_is_called_by_the_binding(self):
        folder = os.path.dirname(tilecut.__file__)
        text = ""
        for name in os.listdir(folder):
            if name.endswith(".py") and name != "_header.py":
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text += file.read()
        # Parts of the C interface without a Python function: Python has its own defaults for parameters; summaries of
        # table rows are for the program's help; maxflow_volume() reports errors in capacities; the window of a film is
        # for C tests; exchange by NCCL between threads is for the program; and memos of boxes are for editors in C.
        rest = {"tilecut_params_init", "tilecut_colors_summary", "tilecut_network_solver_summary",
                "tilecut_network_matcher_name", "tilecut_network_matcher_summary", "tilecut_network_matcher_device",
                "tilecut_network_assigner_device", "tilecut_network_levels_device",
                "tilecut_network_assigner_name", "tilecut_network_assigner_summary", "tilecut_network_levels_way",
                "tilecut_network_levels_summary", "tilecut_volume_check", "tilecut_film_window", "tilecut_film_graph",
                "tilecut_exchange_nccl", "tilecut_exchange_nccl_free", "tilecut_memo_create", "tilecut_memo_cut",
                "tilecut_memo_destroy"}
        for name in set(_header.FUNCTIONS) - rest:
            self.assertTrue("library." + name in text, name)
