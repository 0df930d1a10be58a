# SPDX-License-Identifier: MIT
"""Checks shapes that the program writes with other readers: decoders of COCO's RLE and polygons, of LabelMe, GeoJSON
and SVG, written here from the specifications of those formats, and GDAL, LabelMe and PIL if they are installed."""
import importlib.util
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import numpy as np

from scenes import SEED
import tilecut

PROGRAM = os.environ.get("TILECUT") or os.path.join(os.path.dirname(tilecut.__file__), "bin", "tilecut")
HAS_GDAL = importlib.util.find_spec("osgeo") is not None


def pgm(path, array):
    with open(path, "wb") as file:
        file.write(b"P5 %d %d 255\n" % array.shape[::-1] + array.astype(np.uint8).tobytes())


def masks():
    """Yields noise, blobs with holes, and regions that touch at corners."""
    rng = np.random.default_rng(SEED)
    for height, width in ((1, 1), (1, 9), (7, 1), (13, 17), (24, 31), (40, 37)):
        for density in (0.15, 0.5, 0.85):
            yield rng.random((height, width)) < density
    y, x = np.mgrid[:60, :80]
    ring = abs(np.hypot(y - 30, x - 40) - 18) < 6
    yield ring | (np.hypot(y - 30, x - 40) < 5)
    yield (x + y) % 2 == 0
    yield np.ones((5, 6), bool)


def from_runs(counts, size):
    """Decodes COCO's RLE: columns first, background first. Text has 5 bits of a number in each letter; from the third
    number on it holds differences."""
    if isinstance(counts, str):
        numbers, value, shift = [], 0, 0
        for letter in counts:
            code = ord(letter) - 48
            value |= (code & 31) << shift
            shift += 5
            if not code & 32:
                if code & 16:
                    value -= 1 << shift
                numbers.append(value + (numbers[-2] if len(numbers) > 2 else 0))
                value = shift = 0
        counts = numbers
    flat = np.repeat(np.arange(len(counts)) % 2 == 1, counts)
    return flat.reshape(size[1], size[0]).T


def fill(rings, shape):
    """Fills by the even-odd rule: counts the edges to the left of each pixel's centre."""
    inside = np.zeros(shape, bool)
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1]):
            for y in range(max(0, int(min(ay, by))), min(shape[0], int(max(ay, by)) + 1)):
                if min(ay, by) <= y + 0.5 < max(ay, by):
                    inside[y] ^= np.arange(shape[1]) + 0.5 > ax + (y + 0.5 - ay) / (by - ay) * (bx - ax)
    return inside


def pairs(flat):
    return list(zip(flat[::2], flat[1::2]))


def unpacked(packed):
    """Decodes bytes of thi.ng/rle-pack, the compression of Label Studio's brushes."""
    bits = "".join(f"{byte:08b}" for byte in packed)
    at, out = 0, []

    def take(count):
        nonlocal at
        at += count
        return int(bits[at - count:at], 2)

    total, word = take(32), take(5) + 1
    sizes = [take(4) + 1 for _ in range(4)]
    while len(out) < total:
        repeated, length = take(1), take(sizes[take(2)]) + 1
        out += [take(word)] * length if repeated else [take(word) for _ in range(length)]
    return out


def svg_rings(text):
    rings = []
    for word in re.findall(r"[MLHVZ][^MLHVZ]*", re.search(r' d="([^"]*)"', text).group(1)):
        numbers = [float(n) for n in re.findall(r"-?[\d.]+", word)]
        if word[0] == "M":
            rings.append([tuple(numbers)])
        elif word[0] == "L":
            rings[-1].append(tuple(numbers))
        elif word[0] in "HV":
            x, y = rings[-1][-1]
            rings[-1].append((numbers[0], y) if word[0] == "H" else (x, numbers[0]))
    return rings


class Written(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, mask, name, *options):
        """Writes the mask through the program: it stays as it is, because no seed contradicts it."""
        pgm(self.path("photo.pgm"), np.zeros(mask.shape))
        pgm(self.path("mask.pgm"), mask * 255)
        done = subprocess.run([PROGRAM, "segment", self.path("photo.pgm"), "--previous", self.path("mask.pgm"), "-o",
                               self.path(name), *options], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file) if name.endswith("json") else file.read()

    def test_coco(self):
        for mask in masks():
            for form in ("coco", "coco-rle"):
                data = self.write(mask, "a.json", "--format", form, "--label", "cup")
                self.assertEqual((data["images"][0]["width"], data["images"][0]["height"]), mask.shape[::-1])
                self.assertEqual(data["images"][0]["file_name"], "photo.pgm")
                self.assertEqual(data["categories"][0]["name"], "cup")
                got = np.zeros(mask.shape, bool)
                for annotation in data["annotations"]:
                    self.assertEqual(annotation["area"], mask.sum())
                    y, x = np.nonzero(mask)
                    self.assertEqual(annotation["bbox"], [x.min(), y.min(), np.ptp(x) + 1, np.ptp(y) + 1])
                    segmentation = annotation["segmentation"]
                    if form == "coco":
                        for polygon in segmentation:  # polygons add up
                            got |= fill([pairs(polygon)], mask.shape)
                    else:
                        self.assertEqual(segmentation["size"], list(mask.shape))
                        got |= from_runs(segmentation["counts"], segmentation["size"])
                np.testing.assert_array_equal(got, mask)

    def test_yolo(self):
        for mask in masks():
            got = np.zeros(mask.shape, bool)
            for line in self.write(mask, "a.yolo.txt", "--label", "3").splitlines():
                number, *shares = line.split()
                self.assertEqual(number, "3")
                sides = mask.shape[::-1]
                got |= fill([pairs([float(v) * sides[i % 2] for i, v in enumerate(shares)])], mask.shape)
            np.testing.assert_array_equal(got, mask)

    def test_label_studio(self):
        for mask in masks():
            data = self.write(mask, "a.studio.json", "--label", "cup")
            self.assertEqual(data["data"]["image"], "photo.pgm")
            [region] = data["annotations"][0]["result"]
            self.assertEqual((region["original_width"], region["original_height"]), mask.shape[::-1])
            self.assertEqual(region["value"]["brushlabels"], ["cup"])
            alpha = np.array(unpacked(region["value"]["rle"]), np.uint8).reshape(mask.shape + (4,))[..., 3]
            np.testing.assert_array_equal(alpha, mask * np.uint8(255))

    def test_labelme(self):
        for mask in masks():
            data = self.write(mask, "a.labelme.json")
            self.assertEqual((data["imageWidth"], data["imageHeight"]), mask.shape[::-1])
            got = np.zeros(mask.shape, bool)
            for shape in data["shapes"]:
                self.assertEqual((shape["shape_type"], shape["label"]), ("polygon", "object"))
                got |= fill([[tuple(p) for p in shape["points"]]], mask.shape)
            np.testing.assert_array_equal(got, mask)

    def test_geojson(self):
        for mask in masks():
            geometry = self.write(mask, "a.geojson")["features"][0]["geometry"]
            self.assertEqual(geometry["type"], "MultiPolygon")
            got = np.zeros(mask.shape, bool)
            for polygon in geometry["coordinates"]:
                # RFC 7946: rings are closed; the outer one is anticlockwise, holes are clockwise
                for i, ring in enumerate(polygon):
                    self.assertEqual(ring[0], ring[-1])
                    turn = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:]))
                    self.assertTrue((turn > 0) == (i == 0))
                part = fill([[tuple(p) for p in ring[:-1]] for ring in polygon], mask.shape)
                self.assertFalse((part & got).any())
                got |= part
            np.testing.assert_array_equal(got, mask)

    def test_svg(self):
        for mask in masks():
            text = self.write(mask, "a.svg")
            self.assertIn(f'viewBox="0 0 {mask.shape[1]} {mask.shape[0]}"', text)
            self.assertIn('fill-rule="evenodd"', text)
            np.testing.assert_array_equal(fill(svg_rings(text), mask.shape), mask)

    @unittest.skipUnless(HAS_GDAL, "there is no GDAL for Python")
    def test_gdal_reads_valid_polygons_of_the_same_pixels(self):
        from osgeo import gdal, ogr
        ogr.UseExceptions()
        for mask in masks():
            self.write(mask, "a.geojson")
            source = ogr.Open(self.path("a.geojson"))
            layer = source.GetLayer(0)
            raster = gdal.GetDriverByName("MEM").Create("", mask.shape[1], mask.shape[0], 1, gdal.GDT_Byte)
            raster.SetGeoTransform((0, 1, 0, 0, 0, 1))  # coordinates grow to the right and downwards, as in the picture
            self.assertEqual(gdal.RasterizeLayer(raster, [1], layer, burn_values=[1]), 0)
            np.testing.assert_array_equal(raster.ReadAsArray() == 1, mask)
            layer.ResetReading()
            for feature in layer:
                geometry = feature.GetGeometryRef()
                self.assertEqual(geometry.GetArea(), mask.sum())
                for i in range(geometry.GetGeometryCount()):
                    self.assertTrue(geometry.GetGeometryRef(i).IsValid())

    @unittest.skipUnless(HAS_GDAL, "there is no GDAL for Python")
    def test_what_gdal_polygonizes_is_read(self):
        from osgeo import gdal, ogr
        ogr.UseExceptions()
        for i, mask in enumerate(masks()):
            if not mask.any():
                continue
            raster = gdal.GetDriverByName("MEM").Create("", mask.shape[1], mask.shape[0], 1, gdal.GDT_Byte)
            raster.GetRasterBand(1).WriteArray(mask.astype(np.uint8))
            path = self.path(f"gdal{i}.geojson")
            target = ogr.GetDriverByName("GeoJSON").CreateDataSource(path)
            layer = target.CreateLayer("mask", None, ogr.wkbPolygon)
            layer.CreateField(ogr.FieldDefn("value", ogr.OFTInteger))
            gdal.Polygonize(raster.GetRasterBand(1), raster.GetRasterBand(1), layer, 0)
            del layer, target
            pgm(self.path("truth.pgm"), mask * 255)
            done = subprocess.run([PROGRAM, "score", path, self.path("truth.pgm"), "--json", "-"], capture_output=True,
                                  text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["wrong"], 0)

    @unittest.skipUnless(importlib.util.find_spec("labelme"), "there is no labelme")
    def test_labelme_opens_it(self):
        from labelme import label_file, utils
        mask = list(masks())[-3]
        data = self.write(mask, "a.labelme.json")
        for shape in data["shapes"]:
            drawn = utils.shape_to_mask(mask.shape, shape["points"], shape_type=shape["shape_type"])
            # LabelMe also draws the edges of a polygon, so it covers one more pixel to the right and below.
            part = fill([[tuple(p) for p in shape["points"]]], mask.shape)
            self.assertFalse((part & ~drawn).any())
            near = part.copy()
            near[1:] |= part[:-1]
            near[:, 1:] |= near[:, :-1].copy()
            self.assertLess((drawn & ~near).sum(), 40)  # only the connections to the holes may differ
        self.assertTrue(label_file.LabelFile.is_label_file(self.path("a.labelme.json")))
