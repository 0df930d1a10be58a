# SPDX-License-Identifier: MIT
"""Photos with truth, their two halves, and what a simulated user starts from."""
import os
import re
import zlib

import numpy as np
from PIL import Image
from scipy import ndimage

RADIUS = 8  # radius of the disc that the robot paints


class Photo:
    """One photo of a folder; its pictures are read when they are needed."""

    def __init__(self, folder, name, box):
        self.folder, self.name, self.box = folder, name, box
        self.unit = unit_of(name)

    def path(self, *ends):
        for end in ends:
            path = os.path.join(self.folder, self.name + end)
            if os.path.exists(path):
                return path
        return None

    def image(self):
        path = self.path(".jpg", ".png")
        if not path:
            raise ValueError(f"has no photo {self.name}.jpg or {self.name}.png")
        return path

    def truth(self):
        """Returns the truth: 0 background, 128 not judged, 255 foreground."""
        grey = read_grey(self.path("_gt.png"))
        return np.where(grey < 64, 0, np.where(grey > 191, 255, 128)).astype(np.uint8)

    def strokes(self, dense):
        path = self.path("_seeds2.png", "_s2.png") if dense else self.path("_seeds1.png", "_s1.png")
        if not path:
            raise ValueError("has no strokes NAME_seeds1.png or NAME_s1.png")
        grey = read_grey(path)
        return np.where(grey < 32, -1, np.where(grey > 223, 1, 0)).astype(np.int8)


def read_grey(path):
    return np.asarray(Image.open(path).convert("L"))


def unit_of(name):
    """Frames of one clip, NAME_013, are similar: they count as one unit and stay in one half."""
    return re.sub(r"_\d{3}$", "", name)


def half_of(name):
    """Returns the half of a photo, "test" or "tune". It is a bit of a hash of its unit's name, so it does not change
    when photos are added."""
    return "test" if zlib.crc32(unit_of(name).encode()) & 1 else "tune"


def read_boxes(folder):
    boxes = {}
    for table, first in (("boxes.tsv", 1), ("index.tsv", 4)):
        path = os.path.join(folder, table)
        if os.path.exists(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                for number, line in enumerate(file, 1):
                    if number > 1 and line.strip():
                        name, box = box_of(line.rstrip("\n").split("\t"), first, f"{path}: line {number}")
                        boxes[name] = box
    return boxes


def box_of(cells, first, where):
    try:
        x, y, w, h = (int(v) for v in cells[first:first + 4])
    except ValueError:
        raise ValueError(f"{where}: columns {first + 1} to {first + 4} are x, y, width and height of a box in pixels") \
            from None
    if w < 1 or h < 1:
        raise ValueError(f"{where}: a box of {w}x{h} pixels")
    return cells[0], (x, y, w, h)


def photos_of(folder, half="all", middle=False, only=None):
    boxes = read_boxes(folder)
    names = sorted(f[:-len("_gt.png")] for f in os.listdir(folder) if f.endswith("_gt.png"))
    if middle:
        clips = {}
        for name in names:
            clips.setdefault(unit_of(name), []).append(name)
        names = sorted(frames[len(frames) // 2] for frames in clips.values())
    photos = [Photo(folder, name, boxes.get(name)) for name in names
              if half in ("all", half_of(name)) and (not only or name in only)]
    if not photos:
        raise ValueError(f"{folder}: holds no such photos with a truth NAME_gt.png")
    return photos


# ---- starts --------------------------------------------------------------------------------------

class Evidence:
    """The user's input so far: seeds (1 foreground, -1 background, 0 nothing), a box (x, y, w, h), and a mask (bool).
    `clicks` is true if all seeds are clicks."""

    def __init__(self, shape, box=None, mask=None, seeds=None, clicks=False):
        self.box, self.mask, self.clicks = box, mask, clicks
        self.seeds = np.zeros(shape, np.int8) if seeds is None else seeds.copy()


def disc(shape, y, x, radius):
    rows, columns = np.ogrid[:shape[0], :shape[1]]
    return (rows - y) ** 2 + (columns - x) ** 2 <= radius * radius


def deepest(region):
    """Returns the pixel of `region` farthest from its outside, the first of several. The border of the image counts as
    outside."""
    depth = ndimage.distance_transform_edt(np.pad(region, 1))[1:-1, 1:-1]
    return np.unravel_index(np.argmax(depth), depth.shape)


def middle_of(truth):
    return disc(truth.shape, *deepest(truth == 255), RADIUS) & (truth == 255)


def tight_box(photo, truth):
    if photo.box:
        return photo.box
    rows, columns = np.nonzero(truth == 255)
    return (int(columns.min()), int(rows.min()), int(np.ptp(columns)) + 1, int(np.ptp(rows)) + 1)


def clip_box(x, y, w, h, shape):
    x0, y0 = max(0, int(round(x))), max(0, int(round(y)))
    x1, y1 = min(shape[1], int(round(x + w))), min(shape[0], int(round(y + h)))
    return (x0, y0, x1 - x0, y1 - y0)


def eroded(mask, by):
    inside = ndimage.distance_transform_edt(mask) > by
    return inside if inside.any() else mask  # masks that are too thin stay as they are


def dilated(mask, by):
    return ndimage.distance_transform_edt(~mask) <= by


def without_limb(mask, part=0.16):
    """Removes a sixth of the object: the pixels nearest to the pixel that is farthest from its deepest point."""
    rows, columns = np.nonzero(mask)
    y, x = deepest(mask)
    tip = np.argmax((rows - y) ** 2 + (columns - x) ** 2)
    away = (rows - rows[tip]) ** 2 + (columns - columns[tip]) ** 2
    limb = away <= np.partition(away, int(part * len(away)))[int(part * len(away))]
    left = mask.copy()
    left[rows[limb], columns[limb]] = False
    return left


def with_blob(mask, part=0.37):
    """Adds a disc of 0.37 of the object's area, at the point of its edge where the disc covers most background."""
    radius = max(3, int(round(np.sqrt(part * mask.sum() / np.pi))))
    edge = np.argwhere(mask & ~ndimage.binary_erosion(mask, border_value=1))
    edge = edge[::max(1, len(edge) // 64)]
    gain = [int((disc(mask.shape, y, x, radius) & ~mask).sum()) for y, x in edge]
    return mask | disc(mask.shape, *edge[int(np.argmax(gain))], radius)


DAMAGES = {
    "eroded10": lambda mask: eroded(mask, 10),
    "eroded20": lambda mask: eroded(mask, 20),
    "dilated10": lambda mask: dilated(mask, 10),
    "limb": without_limb,
    "blob": with_blob,
    "intact": lambda mask: mask,
}


def box_start(kind, photo, truth):
    x, y, w, h = tight_box(photo, truth)
    if kind == "large":  # enlarged by a fifth
        return clip_box(x - 0.1 * w, y - 0.1 * h, 1.2 * w, 1.2 * h, truth.shape)
    if kind == "shifted":  # shifted by a tenth
        return clip_box(x + 0.1 * w, y + 0.1 * h, w, h, truth.shape)
    return (x, y, w, h)


def within(seeds, box):
    """Drops the strokes outside of a box, because the box already makes everything there background."""
    x, y, w, h = box
    inside = np.zeros(seeds.shape, bool)
    inside[y:y + h, x:x + w] = True
    return np.where(inside, seeds, 0).astype(np.int8)


def start_of(kind, photo, truth):
    """Returns the evidence with which a game of `kind` begins."""
    shape = truth.shape
    if kind in DAMAGES:
        return Evidence(shape, mask=DAMAGES[kind](truth == 255))
    if kind == "click":
        return Evidence(shape, seeds=middle_of(truth).astype(np.int8), clicks=True)
    if kind in ("sparse", "dense"):
        return Evidence(shape, seeds=photo.strokes(kind == "dense"))
    box = box_start(kind[4:] if kind in ("box-large", "box-shifted") else "", photo, truth)
    seeds = {"box": None, "box-large": None, "box-shifted": None,
             "box+dot": lambda: middle_of(truth).astype(np.int8),
             "box+sparse": lambda: photo.strokes(False),
             "box+dense": lambda: photo.strokes(True),
             "box+sparse-fg": lambda: np.maximum(photo.strokes(False), 0)}[kind]
    return Evidence(shape, box=box, seeds=within(seeds(), box) if seeds else None)


STARTS = ["box", "box-large", "box-shifted", "box+dot", "box+sparse", "box+sparse-fg", "box+dense", "sparse", "dense",
          "click"] + list(DAMAGES)
