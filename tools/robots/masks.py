# SPDX-License-Identifier: MIT
"""Masks as other tools make them, derived from the truth: with low resolution, as polygons, as coarse as a network's,
damaged, or already right. All are grey pictures of the truth, 0 background, 128 not judged, 255 foreground."""
import numpy as np
from PIL import Image, ImageDraw

from . import data


def grey(mask):
    return mask.astype(np.uint8) * 255


# ---- cells ---------------------------------------------------------------------------------------

def averaged(truth, size, how=Image.BILINEAR):
    """Averages cells of about `size` pixels and enlarges the result."""
    height, width = truth.shape
    cells = Image.fromarray(truth).convert("F").resize((max(1, round(width / size)), max(1, round(height / size))),
                                                       Image.BOX)
    return np.asarray(cells.resize((width, height), how)).round().clip(0, 255).astype(np.uint8)


def of_cells(size, how=Image.BILINEAR):
    return lambda truth: averaged(truth, size, how)


def decided(make):
    """Thresholds at one half. If no pixel reaches that, the threshold is the largest value."""
    def decide(truth):
        soft = make(truth)
        return grey(soft >= min(128, int(soft.max())))
    return decide


def network(truth):
    """A map with few cells like that of a network, thresholded: ten cells along the longer side."""
    return decided(of_cells(max(truth.shape) / 10))(truth)


# ---- polygons ------------------------------------------------------------------------------------

def outlines(mask):
    """Returns closed lines along the edges of pixels, with corners as (x, y). Foreground lies to the right of each
    line."""
    padded = np.pad(mask, 1)
    here, right, below = padded[1:-1, 1:-1], padded[1:-1, 2:], padded[2:, 1:-1]
    left, above = padded[1:-1, :-2], padded[:-2, 1:-1]
    after = {}
    for wrong, start, end in ((above, (0, 0), (1, 0)), (right, (1, 0), (1, 1)), (below, (1, 1), (0, 1)),
                              (left, (0, 1), (0, 0))):
        for y, x in np.argwhere(here & ~wrong):
            after.setdefault((x + start[0], y + start[1]), []).append((x + end[0], y + end[1]))
    lines = []
    while after:
        first = at = next(iter(after))
        line = []
        while at in after:
            line.append(at)
            following = after[at].pop()
            if not after[at]:
                del after[at]
            at = following
        if at == first and len(line) > 3:
            lines.append(np.array(line, float))
    return lines


def simplified(line, tolerance):
    """Returns the corners of an open line that Douglas and Peucker (1973) keep."""
    kept = np.zeros(len(line), bool)
    kept[[0, -1]] = True
    stack = [(0, len(line) - 1)]
    while stack:
        a, b = stack.pop()
        if b - a < 2:
            continue
        along, away = line[b] - line[a], line[a + 1:b] - line[a]
        length = np.hypot(*along)
        off = np.abs(along[0] * away[:, 1] - along[1] * away[:, 0]) / length if length else np.hypot(*away.T)
        k = int(np.argmax(off))
        if off[k] > tolerance:
            kept[a + 1 + k] = True
            stack += [(a, a + 1 + k), (a + 1 + k, b)]
    return line[kept]


def polygon(tolerance):
    """Makes polygons of the corners that a tolerance in pixels keeps. Polygons that shrink to a line are left out."""
    def make(truth):
        mask = truth == 255
        picture = Image.new("L", mask.shape[::-1], 0)
        draw = ImageDraw.Draw(picture)
        rings = []
        for line in outlines(mask):
            half = int(np.argmax(np.hypot(*(line - line[0]).T)))
            ring = np.concatenate([simplified(line[:half + 1], tolerance)[:-1],
                                   simplified(np.concatenate([line[half:], line[:1]]), tolerance)[:-1]])
            area = float(np.dot(line[:, 0], np.roll(line[:, 1], -1)) - np.dot(line[:, 1], np.roll(line[:, 0], -1)))
            if len(ring) > 2:
                rings.append((area, ring))
        for area, ring in sorted(rings, key=lambda r: -abs(r[0])):
            draw.polygon([(x - .5, y - .5) for x, y in ring], fill=255 if area > 0 else 0)
        made = np.asarray(picture)
        return made if made.any() else grey(mask)
    return make


KINDS = {
    "truth": lambda truth: grey(truth == 255),
    "cells10": of_cells(10),
    "cells20": of_cells(20),
    "cells10, 0 and 255": decided(of_cells(10)),
    "cells20, 0 and 255": decided(of_cells(20)),
    "blocks20": of_cells(20, Image.NEAREST),
    "blocks10, 0 and 255": decided(of_cells(10, Image.NEAREST)),
    "fine polygon": polygon(6),
    "coarse polygon": polygon(11),
    "rough polygon": polygon(27),
    "network": network,
}
KINDS.update({name: lambda truth, damage=damage: grey(damage(truth == 255)) for name, damage in data.DAMAGES.items()
              if name != "intact"})
