# SPDX-License-Identifier: MIT
"""Scans as a user cuts them, and calls that make a mask worse which was better before, in space. A folder holds
NAME.nii.gz, NAME_seeds.nii.gz and NAME_gt.nii.gz (0, 255, and 128 not judged)."""
import argparse
import glob
import gzip
import multiprocessing
import os
import struct
import sys
import zlib

import numpy as np
from scipy import ndimage

from . import harm, play

MOST = 600_000  # voxels of a crop; larger ones are made coarser


def load(path):
    """Returns the voxels of a little-endian NIfTI-1 file as [z, y, x], and the spacing in that order."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        content = file.read()
    width, height, depth = struct.unpack_from("<3h", content, 42)
    kind = {2: "<u1", 4: "<i2", 16: "<f4", 512: "<u2", 64: "<f8"}[struct.unpack_from("<h", content, 70)[0]]
    begin = int(struct.unpack_from("<f", content, 108)[0])
    voxels = np.frombuffer(content, kind, width * height * depth, begin).reshape(depth, height, width)
    return voxels, struct.unpack_from("<3f", content, 80)[::-1]


def read_seeds(path):
    """Reads seeds as `check` does: a trimap, or labels 0, 1 foreground and 2 background. Returns 1, -1 and 0."""
    voxels, _ = load(path)
    trimap = voxels.max() > 2
    seeds = np.zeros(voxels.shape, np.int8)
    seeds[voxels == (255 if trimap else 1)] = 1
    seeds[voxels == (0 if trimap else 2)] = -1
    return seeds


def names_of(folder):
    return sorted(os.path.basename(path)[:-10] for path in glob.glob(os.path.join(folder, "*_gt.nii.gz")))


def read(folder, name):
    """Returns the voxels, the truth, the seeds (1, -1, 0), and options for segment_volume(): spacing and grey values
    as in the program."""
    path = os.path.join(folder, name)
    (volume, spacing), (truth, _) = load(path + ".nii.gz"), load(path + "_gt.nii.gz")
    if volume.dtype.itemsize > 4 or volume.dtype.kind == "f":
        volume = volume.astype(np.float32)
    how = {"spacing": spacing}
    if volume.dtype != np.uint8:
        how["low"], how["high"] = (float(q) for q in np.percentile(volume, (0.1, 99.9)))
    return volume, truth, read_seeds(path + "_seeds.nii.gz"), how


def iou(mask, truth):
    inside, judged = truth == 255, truth != 128
    return ((mask > 0) & inside & judged).sum() / (((mask > 0) | inside) & judged).sum()


def stroke(mask, truth, along=False):
    """Returns the voxels that a user paints, and their label; None if nothing is wrong. It is a disc of radius 3 at
    most in the middle of the largest error of the slice with most, or a line along the middle of that error."""
    wrong = ((mask > 0) != (truth == 255)) & (truth != 128)
    z = wrong.sum(axis=(1, 2)).argmax()
    best = None
    for foreground in (True, False):
        parts, count = ndimage.label(wrong[z] & ((truth[z] == 255) == foreground))
        if count:
            sizes = np.bincount(parts.ravel())[1:]
            if best is None or sizes.max() > best[0]:
                best = sizes.max(), parts == 1 + sizes.argmax(), foreground
    if best is None:
        return None
    _, part, foreground = best
    depth = ndimage.distance_transform_edt(np.pad(part, 1))[1:-1, 1:-1]
    y, x = np.unravel_index(depth.argmax(), depth.shape)
    rows, columns = np.indices(part.shape)
    disc = part & ((rows - y) ** 2 + (columns - x) ** 2 <= min(3, depth[y, x]) ** 2)
    painted = np.zeros(mask.shape, bool)
    painted[z] = part & (depth >= 0.75 * ndimage.maximum_filter(depth, 7)) if along else disc
    return painted, 1 if foreground else -1


def cropped(truth, margin):
    inside = np.argwhere(truth == 255)
    return tuple(slice(max(0, a - margin), b + 1 + margin) for a, b in zip(inside.min(0), inside.max(0)))


# ---- Strokes, one after the other ------------------------------------------------------------------

def correct(tilecut, asked, name):
    """Returns the IoU after 0, 1, ... strokes."""
    volume, truth, seeds, how = read(asked.folder, name)
    if asked.lambda_:
        how["lambda_"] = asked.lambda_
    if asked.crop is not None:
        window = cropped(truth, asked.crop)
        volume, truth, seeds = volume[window], truth[window], seeds[window]
    mask = np.asarray(tilecut.segment_volume(volume, labels_of(tilecut, seeds), **how).mask)
    found = [iou(mask, truth)]
    for _ in range(asked.strokes):
        painted = stroke(mask, truth, asked.along)
        if painted is None:
            break
        seeds[painted[0]] = painted[1]
        previous = {} if asked.anew else {"previous": mask, "learn": asked.learn}
        mask = np.asarray(tilecut.segment_volume(volume, labels_of(tilecut, seeds), **how, **previous).mask)
        found.append(iou(mask, truth))
    return found + found[-1:] * (asked.strokes + 1 - len(found))


def labels_of(tilecut, strokes, box=None):
    """Returns the library's labels of strokes 1 and -1, in a box or in the whole scan."""
    seeds = np.full(strokes.shape, tilecut.UNKNOWN if box is None else tilecut.OUTSIDE, np.uint8)
    if box is not None:
        seeds[box] = tilecut.UNKNOWN
    seeds[strokes > 0], seeds[strokes < 0] = tilecut.FOREGROUND, tilecut.BACKGROUND
    return seeds


def main(words):
    parser = argparse.ArgumentParser(prog="robot scans", description="Cuts scans along their seeds, corrects them "
                                     "stroke by stroke, and prints a Markdown table of the IoU after each.")
    add = parser.add_argument
    add("folder")
    add("names", nargs="*")
    add("--strokes", type=play.whole(0), default=10)
    add("--crop", type=play.whole(0), help="crop the scan to the truth and that many voxels around it")
    add("--anew", action="store_true", help="cut anew from all seeds instead of correcting the mask")
    add("--along", action="store_true", help="paint lines along the middle of errors instead of discs")
    add("--learn", action="store_true")
    add("--lambda", dest="lambda_", type=float, default=0)
    asked, tilecut = parser.parse_args(words), binding()
    print("| scan | " + " | ".join(str(n) for n in range(asked.strokes + 1)) + " | hurt |")
    print("|---" * (asked.strokes + 3) + "|")
    rows = []
    for name in asked.names or names_of(asked.folder):
        rows.append(correct(tilecut, asked, name))
        hurt = sum(b < a - .02 for a, b in zip(rows[-1], rows[-1][1:]))
        print(f"| {name} | " + " | ".join(f"{v:.3f}" for v in rows[-1]) + f" | {hurt} |", flush=True)
    print("| mean | " + " | ".join(f"{v:.3f}" for v in np.mean(rows, axis=0)) + " | |")
    return 0


def binding():
    try:
        import tilecut
    except ImportError as missing:
        sys.exit(f"robot: {missing}; run 'make python' and set PYTHONPATH=build/release/python")
    return tilecut


# ---- Harm ------------------------------------------------------------------------------------------

class Scene:
    """A crop of a scan, mirrored, turned and made coarser at random, and calls on it."""

    def __init__(self, folder, name, random, beside):
        self.tilecut, self.random, self.beside, self.calls = binding(), random, beside, 0
        volume, truth, seeds, how = read(folder, name)
        window = cropped(truth, int(random.integers(6, 25)))
        volume, truth, seeds = volume[window], truth[window], seeds[window]
        parts = [int(v) for v in random.choice([1, 1, 2], 3)]
        while np.prod([n // p for n, p in zip(truth.shape, parts)]) > MOST:
            parts[int(np.argmax([n // p for n, p in zip(truth.shape, parts)]))] += 1
        axes = random.permutation(3)
        flips = tuple(slice(None, None, int(v)) for v in random.choice([1, -1], 3))
        every = tuple(slice(p // 2, None, p) for p in parts)
        self.volume, self.truth, self.strokes = (np.ascontiguousarray(v[every].transpose(axes)[flips])
                                                 for v in (volume, truth, seeds))
        how["spacing"] = [how["spacing"][a] * parts[a] for a in axes]
        self.how, self.what = {**how, "threads": 1}, f"{name} {'x'.join(str(n) for n in self.truth.shape)}"
        self.box = cropped(self.truth, 0)
        self.boxed = self.truth.shape != self.truth[self.box].shape  # false: nothing lies outside of the box
        self.none = np.zeros(self.truth.shape, np.int8)

    def score(self, mask):
        return iou(mask, self.truth)

    def call(self, strokes, box=None, **options):
        """Returns the mask of a call; the options of `beside` must not change it."""
        self.calls += 1
        seeds = labels_of(self.tilecut, strokes, box)
        masks = [np.asarray(self.tilecut.segment_volume(self.volume, seeds, **{**self.how, **options, **also}).mask)
                 for also in [{}] + ([self.beside] if self.beside else [])]
        if len(masks) > 1 and (masks[0] != masks[1]).any():
            raise RuntimeError(f"{self.what}: call {self.calls}: {(masks[0] != masks[1]).sum()} voxels differ with "
                               f"{self.beside}, {sorted(options)}, {'box' if box else 'no box'}")
        return masks[0]

    def ball(self):
        """Returns a correct ball of radius 1 to 3 anywhere; half of them are in the object."""
        label = 1 if self.random.random() < .5 else -1
        where = self.truth == (255 if label > 0 else 0)
        if label < 0 and self.random.random() < .5:  # in the box
            inside = np.zeros(where.shape, bool)
            inside[self.box] = True
            where = where & inside if (where & inside).any() else where
        middle = self.random.choice(np.argwhere(where))
        off = sum((grid - at) ** 2 for grid, at in zip(np.indices(where.shape), middle))
        return ((off <= int(self.random.integers(1, 4)) ** 2) & where) * np.int8(label)

    def error(self, mask):
        found = stroke(mask, self.truth)
        return self.none if found is None else found[0] * np.int8(found[1])

    def start(self, boxed):
        strokes = self.none if boxed else self.strokes
        return strokes, self.call(strokes, self.box if boxed else None)


def over(first, second):
    return np.where(first != 0, first, second)


def boxed(scene):
    """A box, and correct strokes in it at once."""
    if not scene.boxed:
        return
    _, mask = scene.start(True)
    ball, disc = scene.ball(), scene.error(mask)
    yield "a correct stroke in the box at once", mask, scene.call(ball, scene.box)
    once = scene.call(disc, scene.box)
    yield "a disc in an error in the box at once", mask, once
    both = over(disc, scene.error(once))
    yield "a second one", once, scene.call(both, scene.box)
    yield "both and a correct one", once, scene.call(over(both, ball), scene.box)


def corrected(scene):
    """Correct strokes anywhere and in errors, after a box or strokes."""
    for kind in (True, False) if scene.boxed else (False,):
        strokes, mask = scene.start(kind)
        start, new = "a box" if kind else "strokes", over(strokes, scene.ball())
        yield f"{start}, a correct stroke, --previous", mask, scene.call(new, previous=mask)
        yield f"{start}, the same, --learn", mask, scene.call(new, previous=mask, learn=True)
        for _ in range(2):
            strokes = over(strokes, scene.error(mask))
            after = scene.call(strokes, previous=mask)
            yield f"{start}, a disc in an error, --previous", mask, after
            mask = after


def given(scene):
    """Another tool's mask, refined, and strokes on it."""
    inside, random = scene.truth == 255, scene.random
    ball = ndimage.generate_binary_structure(3, 1)
    kind, by = int(random.integers(0, 5)), int(random.integers(1, 4))
    masks = {0: lambda: inside, 1: lambda: ndimage.binary_erosion(inside, ball, by),
             2: lambda: ndimage.binary_dilation(inside, ball, by),
             3: lambda: np.roll(inside, by, int(random.integers(0, 3))),
             4: lambda: coarse(inside, 2 * by)}
    prior = masks[kind]().astype(np.uint8) * 255
    if not prior.any():
        return
    mask = scene.call(scene.none, prior=prior)
    yield "refine, the truth" if not kind else "refine", prior, mask
    disc = scene.error(mask)
    once = scene.call(disc, prior=prior)
    yield "refine, a correct stroke", mask, scene.call(scene.ball(), prior=prior)
    yield "refine, a stroke in an error", mask, once
    yield "refine, a second one", once, scene.call(over(disc, scene.error(once)), prior=prior)


def coarse(inside, cell):
    ends = tuple(slice(0, n) for n in inside.shape)
    return np.kron(inside[::cell, ::cell, ::cell], np.ones((cell,) * 3, bool))[ends]


GAMES = {game.__name__: game for game in (boxed, corrected, given)}


def work(task):
    """Returns rows (game, crop, IoU before and after) of one game, or a message."""
    folder, name, game, number, beside = task
    random = np.random.default_rng(zlib.crc32(f"{name} {game} {number}".encode()))
    rows = []
    try:
        scene = Scene(folder, name, random, beside)
        for what, before, after in GAMES[game](scene):
            rows.append((what, f"{scene.what} {game} {number}", scene.score(before), scene.score(after)))
    except (RuntimeError, ValueError, OSError, KeyError) as error:
        return f"{name}, {game} {number}: {error}"
    return rows


def harm_main(words):
    parser = argparse.ArgumentParser(prog="robot harm-scans", description="Looks for correct calls that make the mask "
                                     "of a scan worse, on crops that are varied at random.")
    add = parser.add_argument
    add("folders", nargs="+")
    add("-o", "--output", required=True, help="TSV: call, crop, IoU before and after")
    add("--game", action="append", choices=list(GAMES), help="this game alone; repeatable")
    add("--times", type=play.whole(1), default=1, help="variations of each scan and game (default 1)")
    add("--first", type=play.whole(0), default=0, help="the number of the first variation (default 0)")
    add("--solver", help="make each call once more by this solver: a GPU's, for example; the masks must be equal")
    add("--jobs", type=play.whole(1), default=1)
    asked = parser.parse_args(words)
    beside = {"solver": asked.solver} if asked.solver else None
    tasks = [(folder, name, game, number, beside) for number in range(asked.first, asked.first + asked.times)
             for game in asked.game or GAMES for folder in asked.folders for name in names_of(folder)]
    return harm.play_all(work, tasks, asked)
