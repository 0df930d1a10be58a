# SPDX-License-Identifier: MIT
"""Plays the games: a start, a mask, a stroke where the mask is most wrong, the next mask."""
import argparse
import multiprocessing
import os
import sys

import numpy as np
from PIL import Image, ImageOps
from scipy import ndimage
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra

from . import data, engines, table


# ---- strokes -------------------------------------------------------------------------------------

def largest_wrong(mask, truth):
    """Returns the largest connected region of wrong pixels of one class as (region, class), or None."""
    best, size, label = None, 0, 0
    for wanted, wrong in ((1, (truth == 255) & ~mask), (-1, (truth == 0) & mask)):
        parts, count = ndimage.label(wrong)
        if count == 0:
            continue
        sizes = np.bincount(parts.ravel())
        sizes[0] = 0
        if sizes.max() > size:
            best, size, label = parts == sizes.argmax(), int(sizes.max()), wanted
    return (best, label) if best is not None else None


def axis_of(region):
    """Returns the pixels of a path along the region's medial axis, from end to end and as deep inside as possible."""
    depth = ndimage.distance_transform_edt(np.pad(region, 1))[1:-1, 1:-1]
    where = np.argwhere(region)
    number = np.full(region.shape, -1)
    number[region] = np.arange(len(where))
    cost = 1 / (depth[region] ** 2)
    ends, other, weight = [], [], []
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        y, x = where[:, 0] + dy, where[:, 1] + dx
        ok = (y < region.shape[0]) & (x >= 0) & (x < region.shape[1])
        a, b = np.nonzero(ok)[0], number[y[ok], x[ok]]
        a, b = a[b >= 0], b[b >= 0]
        ends.append(a), other.append(b), weight.append((cost[a] + cost[b]) / 2 * np.hypot(dy, dx))
    links = coo_matrix((np.concatenate(weight), (np.concatenate(ends), np.concatenate(other))), (len(where),) * 2)
    start = int(np.argmax(depth[region]))
    first = farthest(dijkstra(links, directed=False, indices=start, unweighted=True))
    last = farthest(dijkstra(links, directed=False, indices=first, unweighted=True))
    before = dijkstra(links, directed=False, indices=first, return_predecessors=True)[1]
    path = [last]
    while path[-1] != first and before[path[-1]] >= 0:
        path.append(before[path[-1]])
    return where[path]


def farthest(distance):
    return int(np.argmax(np.where(np.isfinite(distance), distance, -1)))


def paint(region, label, truth, kind):
    """Returns the stroke that corrects `region`, and its deepest point."""
    y, x = data.deepest(region)
    same = truth == (255 if label > 0 else 0)
    if kind == "disc":
        return data.disc(truth.shape, y, x, data.RADIUS) & same, y, x
    along = np.ones(truth.shape, bool)
    along[tuple(axis_of(region).T)] = False
    return (ndimage.distance_transform_edt(along) <= 3) & same, y, x


# ---- games ---------------------------------------------------------------------------------------

def score(mask, truth):
    judged = truth != 128
    wrong = int(((mask != (truth == 255)) & judged).sum())
    both = int((mask & (truth == 255)).sum())
    either = int(((mask & judged) | (truth == 255)).sum())
    return 100 * wrong / int(judged.sum()), both / either if either else 1.0


def ask(engine, evidence):
    """Returns the engine's mask. If the engine needs both classes and only one has seeds, all pixels get that class."""
    try:
        return engine.cut(evidence) + ("",)
    except engines.Refused:
        return np.full(evidence.seeds.shape, not (evidence.seeds < 0).any()), 0.0, "refused"


def truth_of(photo):
    """Returns the truth of a photo. Refuses photos that cannot be played."""
    truth = photo.truth()
    with Image.open(photo.image()) as opened:
        width, height = ImageOps.exif_transpose(opened).size
    if truth.shape != (height, width):
        raise ValueError(f"its truth is {truth.shape[1]}x{truth.shape[0]} but the photo is {width}x{height}")
    if not (truth == 255).any():
        raise ValueError("its truth has no foreground, pixels of 192 to 255")
    return truth


def play(settings, photo, start):
    """Returns all rows of one game."""
    truth = truth_of(photo)
    evidence = data.start_of(start, photo, truth)
    engine = engines.make(settings, photo)
    rows, label, y, x, pixels = [], 0, -1, -1, int((evidence.seeds != 0).sum())
    for stroke in range(settings.strokes + 1):
        mask, ms, note = ask(engine, evidence)
        error, iou = score(mask, truth)
        rows.append(table.Row(photo.name, start, stroke, label, x, y, pixels, error, iou, ms, note))
        wrong = largest_wrong(mask, truth)
        if wrong is None or stroke == settings.strokes:
            break
        painted, y, x = paint(wrong[0], wrong[1], truth, settings.stroke)
        label, pixels = wrong[1], int(painted.sum())
        evidence.seeds[painted] = label
    rows[-1].note = (rows[-1].note + " end").strip()
    return rows


def work(task):
    settings, photo, start = task
    try:
        return play(settings, photo, start)
    except (RuntimeError, ValueError, OSError) as error:
        return f"{photo.name}, {start}: {error}"


def whole(least):
    """Returns a parser for an option that is a whole number of at least `least`."""
    def number(text):
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of at least {least}")
        return int(text)
    return number


def arguments(words):
    options = []
    if "--" in words:
        at = words.index("--")
        words, options = words[:at], words[at + 1:]
    parser = argparse.ArgumentParser(prog="robot run", epilog="What follows -- goes to tilecut segment.")
    add = parser.add_argument
    add("folder")
    add("-o", "--output", required=True, help="TSV to write, or to go on with")
    add("--start", default="box", help=f"one or more, commas between, or all: {' '.join(data.STARTS)} (default box)")
    add("--strokes", type=whole(0), default=20, help="at most (default 20)")
    add("--stroke", choices=["disc", "axis"], default="disc", help="a disc of radius 8, or a stroke along the region")
    add("--half", choices=["all", "tune", "test"], default="all", help="of the photos, by their names")
    add("--middle", action="store_true", help="the middle frame of each clip alone")
    add("--photo", action="append", help="this photo alone; repeatable")
    add("--engine", choices=["tilecut", "opencv"], default="tilecut")
    add("--program", default=os.path.join(os.path.dirname(__file__), "../../tilecut"), help="default ./tilecut")
    add("--rule", choices=["all", "previous", "learn"], default="all",
        help="cut from all evidence each time, or hand in the mask before with --previous, or with --learn, too")
    add("--mask-as", choices=["prior", "band"], default="prior", help="how a damaged mask is handed in")
    add("--jobs", type=whole(1), default=1, help="games at once (default 1)")
    settings = parser.parse_args(words)
    settings.options = options
    return settings


def described(settings):
    """Returns the settings on which the rows depend, for the first line of the TSV."""
    words = [f"engine {settings.engine}", f"stroke {settings.stroke}", f"strokes {settings.strokes}"]
    if settings.engine == "tilecut":
        words += [f"rule {settings.rule}", f"mask {settings.mask_as}", "options " + (" ".join(settings.options) or "-")]
    return ", ".join(words)


def main(words):
    settings = arguments(words)
    try:
        engines.check(settings)
        photos = data.photos_of(settings.folder, settings.half, settings.middle, settings.photo)
        starts = data.STARTS if settings.start == "all" else settings.start.split(",")
        if set(starts) - set(data.STARTS):
            raise ValueError(f"--start {settings.start}: there is {' '.join(data.STARTS)}")
        out = table.Output(settings.output, described(settings))
    except (ValueError, OSError) as error:
        sys.exit(f"robot: {error}")
    tasks = [(settings, photo, start) for start in starts for photo in photos if not out.has(photo.name, start)]
    failed = 0
    with multiprocessing.Pool(settings.jobs) as pool:
        for done, rows in enumerate(pool.imap(work, tasks), 1):
            if isinstance(rows, str):
                failed += 1
                print(f"robot: {rows}", file=sys.stderr)
            else:
                out.add(rows)
            if sys.stderr.isatty():
                print(f"\r{done} of {len(tasks)}", end="\n" if done == len(tasks) else "", file=sys.stderr)
    return 1 if failed else 0


def split(words):
    parser = argparse.ArgumentParser(prog="robot split")
    parser.add_argument("folder")
    try:
        photos = data.photos_of(parser.parse_args(words).folder)
    except (ValueError, OSError) as error:
        sys.exit(f"robot: {error}")
    for half in ("tune", "test"):
        print(f"{half}: {' '.join(sorted({photo.unit for photo in photos if data.half_of(photo.name) == half}))}")
    return 0
