# SPDX-License-Identifier: MIT
"""Random sessions on photos: strokes nest, hang together, can be undone, and have the same bits everywhere."""
import argparse
import sys

import numpy as np
from PIL import Image
from scipy import ndimage

from . import data

MOST = 6  # strokes of a session


def painted_at(random, truth, mask):
    """A stroke and its label: where the mask is wrong, or anywhere, as long as the label is what truth says there."""
    wrong = (truth != 128) & ((truth == 255) != mask)
    where = wrong if wrong.any() and random.random() < 0.7 else truth != 128
    y, x = (int(v) for v in random.choice(np.argwhere(where)))
    label = truth[y, x]
    brush = data.disc(truth.shape, y, x, int(random.integers(1, 12)))
    return brush & (truth == label), bool(label)


def fault(before, after, painted, foreground):
    """What a stroke has not kept of its promises, or None."""
    changed = before != after
    if (changed & (after != foreground)).any():
        return "does not nest"
    if (after[painted] != foreground).any():
        return "does not hold where it was painted"
    parts, _ = ndimage.label(changed | painted)
    if set(np.unique(parts[changed])) <= set(np.unique(parts[painted])):
        return None
    return "changes what it does not touch"


class Pair:
    """A session played twice, with solver and threads drawn anew for each stroke."""

    def __init__(self, tilecut, random, photo, image):
        self.tilecut, self.random = tilecut, random
        seeds = np.zeros(image.shape[:2], np.uint8)
        seeds[:] = tilecut.OUTSIDE
        x, y, w, h = data.tight_box(photo, photo.truth())
        seeds[y:y + h, x:x + w] = tilecut.UNKNOWN
        first = tilecut.segment(image, seeds, threads=2).mask
        self.masks = [np.asarray(first) > 0]
        self.both = [tilecut.Session(image, seeds, threads=2) for _ in range(2)]
        for session in self.both:
            session.begin(np.asarray(first))

    def solver(self):
        on_cpu = [name for name in self.tilecut.solvers() if not name.startswith("cuda") and name != "hybrid"]
        return self.random.choice(["auto"] + on_cpu), int(self.random.integers(1, 4))

    def stroke(self, painted, foreground):
        """What is wrong with the answers, or None."""
        label, masks, told = self.tilecut.FOREGROUND if foreground else self.tilecut.BACKGROUND, [], []
        for session in self.both:
            name, threads = self.solver()
            session._params.solver = None if name == "auto" else name.encode()
            session._params.threads = threads
            masks.append(np.asarray(session.stroke(painted.astype(np.uint8), label)[0]) > 0)
            told.append(f"{name} with {threads} threads")
        if (masks[0] != masks[1]).any():
            return f"{told[0]} and {told[1]} differ"
        self.masks.append(masks[0])
        return fault(self.masks[-2], self.masks[-1], painted, foreground)

    def undo(self):
        while len(self.masks) > 1:
            self.masks.pop()
            if ((np.asarray(self.both[0].undo()[0]) > 0) != self.masks[-1]).any():
                return f"undoing stroke {len(self.masks)} does not restore the mask"
        return None


def play(tilecut, photo, image, seed):
    random = np.random.default_rng(seed)
    pair, truth = Pair(tilecut, random, photo, image), photo.truth()
    strokes = int(random.integers(1, MOST + 1))
    for _ in range(strokes):
        wrong = pair.stroke(*painted_at(random, truth, pair.masks[-1]))
        if wrong:
            return strokes, wrong
    return strokes, pair.undo()


def main(words):
    parser = argparse.ArgumentParser(prog="robot sessions", description="Needs the binding: make python, and "
                                     "PYTHONPATH=build/release/python.")
    parser.add_argument("folder", nargs="+")
    parser.add_argument("--sessions", type=int, default=1000, help="how many, over all photos (default 1000)")
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first one's number, to share them out")
    asked = parser.parse_args(words)
    try:
        import tilecut
    except ImportError as missing:
        sys.exit(f"robot: {missing}; run 'make python' and set PYTHONPATH=build/release/python")
    photos = [photo for folder in asked.folder for photo in data.photos_of(folder) if photo.box]
    strokes = 0
    for seed in range(asked.first, asked.first + asked.sessions):
        photo = photos[seed % len(photos)]
        image = np.asarray(Image.open(photo.image()).convert("RGB"))
        x, y, w, h = photo.box
        if (w, h) == (image.shape[1], image.shape[0]):
            continue
        played, wrong = play(tilecut, photo, image, seed)
        strokes += played
        if wrong:
            sys.exit(f"robot: session {seed}, {photo.name}: {wrong}")
    print(f"{asked.sessions} sessions on {len(photos)} photos, {strokes} strokes, each by two solvers: all nest, hang "
          "together, agree and can be undone")
    return 0
