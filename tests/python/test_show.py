# SPDX-License-Identifier: MIT
"""One click, transparency, and display of results, compared with the program and with PNGs decoded by the program's
reader."""
import os
import subprocess
import sys
import tempfile
import unittest

import numpy

import tilecut
from tilecut._segment import clicked

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TULIPS, COFFEE = (os.path.join(ROOT, "images", name) for name in ("tulips.png", "coffee.png"))


class Clicks(unittest.TestCase):
    def by_program(self, *words):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mask.png")
            subprocess.run([sys.executable, "-m", "tilecut", *words, "-q", "-o", path], check=True)
            return tilecut.read_image(path)

    def test_a_click_is_that_of_the_program(self):
        image = tilecut.read_image(TULIPS)
        got = tilecut.segment(image, click=(180, 330), brush=8).mask
        numpy.testing.assert_array_equal(got, self.by_program(TULIPS, "--fg", "180,330", "--brush", "8"))
        got = tilecut.segment(image, click=[(180, 330), (170, 310.5)]).mask
        numpy.testing.assert_array_equal(got, self.by_program(TULIPS, "--fg", "180,330", "--fg", "170,310.5"))

    def test_a_click_in_a_box(self):
        got = tilecut.segment(tilecut.read_image(COFFEE), box=(70, 12, 420, 385), click=(290, 88)).mask
        numpy.testing.assert_array_equal(got, self.by_program(COFFEE, "--box", "70,12,420,385", "--fg", "290,88"))

    def test_clicks_that_are_none(self):
        image = tilecut.read_image(COFFEE)
        with self.assertRaisesRegex(ValueError, "click 600, 3 lies outside of the image, which is 600x400"):
            tilecut.segment(image, click=(600, 3))
        with self.assertRaisesRegex(TypeError, "instead of seeds"):
            tilecut.segment(image, numpy.zeros((400, 600), numpy.uint8), click=(6, 3))
        for click in ("a", (1, 2, 3), [(1, 2), 3]):
            with self.assertRaisesRegex(ValueError, "click is .*several such pairs"):
                tilecut.segment(image, click=click)
        with self.assertRaisesRegex(ValueError, r"box is \(1, 2, 3\); \(x, y, width, height\) is right"):
            tilecut.segment(image, box=(1, 2, 3))
        with self.assertRaisesRegex(TypeError, "also takes a click"):
            tilecut.segment(image)

    def test_the_border_of_small_images(self):
        for height, width in ((1, 1), (1, 4), (4, 1), (2, 2), (3, 5)):
            seeds = numpy.array(clicked(numpy.zeros((height, width), numpy.uint8), (0, 0), 0, True))
            wanted = numpy.full((height, width), tilecut.OUTSIDE)
            wanted[1:-1, 1:-1] = tilecut.UNKNOWN
            wanted[0, 0] = tilecut.FOREGROUND
            numpy.testing.assert_array_equal(seeds, wanted)


class Transparency(unittest.TestCase):
    def test_alpha_is_no_colour(self):
        color = tilecut.read_image(COFFEE)[40:220:2, 180:440:2]
        box = (10, 10, 110, 70)
        for image in (color, color[:, :, 1], color.astype(numpy.uint16) * 257, color[::-1, :, 0]):
            flat = image if image.ndim == 3 else image[:, :, None]
            opaque = numpy.full(image.shape[:2], numpy.iinfo(image.dtype).max, image.dtype)
            wanted = tilecut.segment(image, box=box)
            # must not warn, since warnings are errors here
            got = tilecut.segment(numpy.dstack([flat, opaque]), box=box)
            numpy.testing.assert_array_equal(got.mask, wanted.mask)
            self.assertEqual(got.flow, wanted.flow)
            opaque[3, 5:9] = 7
            with self.assertWarnsRegex(UserWarning, "transparent in 4 pixels"):
                got = tilecut.segment(numpy.dstack([flat, opaque]), box=box)
            numpy.testing.assert_array_equal(got.mask, wanted.mask)

    def test_colours_of_a_soft_edge_come_without_alpha(self):
        image = numpy.ascontiguousarray(tilecut.read_image(COFFEE)[40:220:2, 180:440:2])
        opaque = numpy.full(image.shape[:2], 255, numpy.uint8)
        mask = tilecut.segment(image, box=(10, 10, 110, 70)).mask
        for wanted, got in zip(tilecut.edge(image, mask), tilecut.edge(numpy.dstack([image, opaque]), mask)):
            numpy.testing.assert_array_equal(got, wanted)
        grey, wanted = image[:, :, 0].copy(), tilecut.edge(image[:, :, 0].copy(), mask)[1]
        numpy.testing.assert_array_equal(tilecut.edge(numpy.dstack([grey, opaque]), mask)[1], wanted)

    def test_five_channels_are_refused(self):
        with self.assertRaisesRegex(ValueError, "2 or 4 with transparency"):
            tilecut.segment(numpy.zeros((4, 4, 5), numpy.uint8), click=(1, 1))


class Shown(unittest.TestCase):
    def read_back(self, picture):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "shown.png")
            picture.save(path)
            return tilecut.read_image(path)

    def test_a_mask(self):
        result = tilecut.segment(tilecut.read_image(COFFEE), box=(70, 12, 420, 385))
        picture = tilecut.show(result)
        numpy.testing.assert_array_equal(self.read_back(picture), result.mask)
        self.assertEqual(result._repr_png_(), picture.png)
        html = result._repr_html_()
        self.assertIn(f"the object has {(result.mask > 0).sum()} of 240000 pixels", html)
        self.assertIn('src="data:image/png;base64,', html)

    def test_a_cutout(self):
        image = tilecut.read_image(COFFEE)
        mask = numpy.zeros((400, 600), numpy.uint8)
        mask[100:200, 50:70] = 255
        for photo in (image, image.astype(numpy.uint16) << 8, image[:, ::-1]):
            picture = tilecut.show(mask, photo, edge="hard")
            with self.assertWarns(UserWarning):  # must warn, because the picture has alpha
                tilecut.segment(self.decode(picture.png), click=(60, 150))
            shown = self.decode(picture.png)
            numpy.testing.assert_array_equal(shown[:, :, :3], photo if photo.dtype == numpy.uint8 else image)
            numpy.testing.assert_array_equal(shown[:, :, 3], mask)
            alpha, colors = tilecut.edge(photo, mask)
            soft = self.decode(tilecut.show(mask, photo).png)
            numpy.testing.assert_array_equal(soft[:, :, 3], alpha >> 8)
            numpy.testing.assert_array_equal(soft[:, :, :3], colors if colors.dtype == numpy.uint8 else colors >> 8)
        self.assertTrue(((soft[:, :, 3] > 0) & (soft[:, :, 3] < 255)).any())

    def decode(self, data):
        """Decodes an RGBA PNG of 8 bits without filters, as show() writes it."""
        import struct
        import zlib
        at, packed = 8, b""
        while at < len(data):
            length, name = struct.unpack(">I4s", data[at:at + 8])
            self.assertEqual(zlib.crc32(data[at + 4:at + 8 + length]), struct.unpack(">I", data[at + 8 + length:][:4])[0])
            if name == b"IHDR":
                width, height = struct.unpack(">II", data[at + 8:at + 16])
            if name == b"IDAT":
                packed += data[at + 8:at + 8 + length]
            at += 12 + length
        lines = numpy.frombuffer(zlib.decompress(packed), numpy.uint8).reshape(height, 1 + 4 * width)
        self.assertFalse(lines[:, 0].any())
        return lines[:, 1:].reshape(height, width, 4)

    def test_a_name_that_is_no_png(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(ValueError, "cutout.jpg does not end in .png"):
                tilecut.show(numpy.zeros((4, 4), numpy.uint8)).save(os.path.join(folder, "cutout.jpg"))
            self.assertEqual(os.listdir(folder), [])

    def test_what_cannot_be_shown(self):
        with self.assertRaisesRegex(ValueError, "image is 3x2 but the mask 4x4"):
            tilecut.show(numpy.zeros((4, 4), numpy.uint8), numpy.zeros((2, 3), numpy.uint8))
        with self.assertRaisesRegex(TypeError, "a mask of"):
            tilecut.show(numpy.zeros((4, 4, 3), numpy.uint8))
        with self.assertRaisesRegex(ValueError, "soft or hard"):
            tilecut.show(numpy.zeros((4, 4), numpy.uint8), edge="round")
