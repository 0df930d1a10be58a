# SPDX-License-Identifier: MIT
"""Makes photos and volumes of several objects, with colours or grey levels, truth and strokes, and label maps of them
as other tools make them. Label 1 is the background, 2 .. K are the objects; 0 means not judged, and no stroke."""
import numpy as np
from PIL import Image
from scipy import ndimage

from . import data, masks


# ---- photos --------------------------------------------------------------------------------------

def crop_of(photo, dense, side):
    """Returns one object: colours, truth (bool) and strokes (bool), scaled so that its longer side is `side`."""
    truth = photo.truth() == 255
    rows, columns = np.where(truth)
    box = (int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1)
    scale = side / max(box[2] - box[0], box[3] - box[1])
    size = (max(8, round((box[2] - box[0]) * scale)), max(8, round((box[3] - box[1]) * scale)))

    def scaled(picture, how):
        return np.asarray(picture.crop(box).resize(size, how))
    stroke = Image.fromarray((photo.strokes(dense) > 0).astype(np.uint8))
    return (scaled(Image.open(photo.image()).convert("RGB"), Image.BICUBIC),
            scaled(Image.fromarray(truth), Image.NEAREST), scaled(stroke, Image.NEAREST) > 0)


def place_of(truth, inside, draw):
    """Returns a place in the background, so that no other object is hidden, or None. Every other time it is the one of
    400 places where most of the outline touches another object."""
    height, width = truth.shape
    edge = ndimage.binary_dilation(np.pad(inside, 1)) & ~np.pad(inside, 1)
    best, most, touching = None, -1, draw.random() < .5
    for _ in range(400):
        y, x = draw.randrange(1, height - inside.shape[0] - 1), draw.randrange(1, width - inside.shape[1] - 1)
        here = (slice(y, y + inside.shape[0]), slice(x, x + inside.shape[1]))
        if not (truth[here][inside] == 1).all():
            continue
        around = (slice(y - 1, y + inside.shape[0] + 1), slice(x - 1, x + inside.shape[1] + 1))
        contact = int((truth[around][edge] > 1).sum())
        if contact > most:
            best, most = here, contact
        if not touching:
            break
    return best


def photo_of(photos, draw, dense):
    """Returns (name, colours, truth, seeds, K)."""
    ground = draw.choice(photos)
    colours = np.asarray(Image.open(ground.image()).convert("RGB")).copy()
    given, strokes = ground.truth(), ground.strokes(dense)
    truth = np.where(given == 255, 2, np.where(given == 128, 0, 1)).astype(np.uint8)
    seeds = np.where(strokes > 0, 2, np.where(strokes < 0, 1, 0)).astype(np.uint8)
    height, width = truth.shape
    others = draw.sample([p for p in photos if p.unit != ground.unit], draw.randint(1, 5))
    label = 2
    for other in others:
        pixels, inside, stroke = crop_of(other, dense, draw.uniform(.25, .45) * min(height, width))
        here = place_of(truth, inside, draw)
        if here and stroke[inside].sum() > 20:
            label += 1
            colours[here][inside], truth[here][inside], seeds[here][inside] = pixels[inside], label, 0
            seeds[here][inside & stroke] = label
    return f"{ground.name}+{label - 2}", colours, truth, seeds, label


# ---- volumes -------------------------------------------------------------------------------------

def head(number, size=72, parts=8):
    """Makes a ball of touching parts, each with its own grey level, blurred and noisy. The strokes of a part are in its
    largest slice, at pixels at least .6 as deep as the deepest. The background has a ring 2 to 4 voxels outside in the
    same slices."""
    draw = np.random.default_rng(number)
    at = np.indices((size, size, size)).astype(float)
    centres = draw.uniform(.25 * size, .75 * size, (parts, 3))
    far = np.array([((at - c[:, None, None, None]) ** 2).sum(0) for c in centres])
    far += 4000 * ndimage.gaussian_filter(draw.normal(0, 1, far.shape), (0, 4, 4, 4))
    ball = ((at - size / 2) ** 2).sum(0) < (.4 * size) ** 2
    truth = np.where(ball, far.argmin(0) + 2, 1).astype(np.uint8)
    level = np.r_[0, 20, draw.permutation(np.linspace(60, 220, parts))]
    voxels = ndimage.gaussian_filter(level[truth], 1) + draw.normal(0, 12, truth.shape)
    seeds = np.zeros(truth.shape, np.uint8)
    for label in range(2, parts + 2):
        z = int(np.argmax((truth == label).sum((1, 2))))
        depth = ndimage.distance_transform_edt(truth[z] == label)
        seeds[z][depth >= .6 * max(1, depth.max())] = label
        away = ndimage.distance_transform_edt(truth[z] == 1)
        seeds[z][(away > 2) & (away < 4)] = 1
    return f"head{number}", voxels.clip(0, 255).astype(np.uint8), truth, seeds, parts + 1


# ---- label maps ----------------------------------------------------------------------------------

def by_shares(size):
    """Makes a network's map with cells of about `size` pixels: the share of each label is enlarged, and the largest
    share wins."""
    def make(truth):
        shares = [masks.averaged(masks.grey(truth == label), size) for label in range(1, int(truth.max()) + 1)]
        return (np.argmax(shares, 0) + 1).astype(np.uint8)
    return make


def of_masks(make):
    """Makes a mask of each object. Pixels that a mask adds are taken only from the background."""
    def make_all(truth):
        made = np.ones_like(truth)
        for label in range(2, int(truth.max()) + 1):
            if (truth == label).any():
                made[(make(masks.grey(truth == label)) >= 128) & (truth <= 1)] = label
        for label in range(2, int(truth.max()) + 1):
            if (truth == label).any():
                made[(make(masks.grey(truth == label)) >= 128) & (truth == label)] = label
        return made
    return make_all


MAPS = {
    "truth": lambda truth: np.maximum(truth, 1),
    "cells4": by_shares(4),
    "cells8": by_shares(8),
    "cells16": by_shares(16),
    "fine polygon": of_masks(masks.polygon(6)),
    "coarse polygon": of_masks(masks.polygon(11)),
    "eroded4": of_masks(lambda grey: masks.grey(data.eroded(grey == 255, 4))),
    "eroded10": of_masks(lambda grey: masks.grey(data.eroded(grey == 255, 10))),
    "dilated4": of_masks(lambda grey: masks.grey(data.dilated(grey == 255, 4))),
    "dilated10": of_masks(lambda grey: masks.grey(data.dilated(grey == 255, 10))),
}
