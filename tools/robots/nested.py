# SPDX-License-Identifier: MIT
"""Random sessions on photos: strokes are nested, changes are connected to their strokes, can be undone, and have the
same bits everywhere. Corrections that learn anew have the same properties, except that they cannot be undone and may
change regions without a stroke."""
import argparse
import sys

import numpy as np
from PIL import Image
from scipy import ndimage

from . import data

MOST = 6  # strokes of a session


def painted_at(random, truth, mask):
    """Returns a stroke and its label: where the mask is wrong, or anywhere, always with the true label."""
    wrong = (truth != 128) & ((truth == 255) != mask)
    where = wrong if wrong.any() and random.random() < 0.7 else truth != 128
    y, x = (int(v) for v in random.choice(np.argwhere(where)))
    label = truth[y, x]
    brush = data.disc(truth.shape, y, x, int(random.integers(1, 12)))
    return brush & (truth == label), bool(label)


def fault(before, after, painted, foreground, elsewhere=False):
    """Returns the promise that a stroke has broken, or None. With `elsewhere` it may change pixels that it does not
    touch."""
    changed = before != after
    if (changed & (after != foreground)).any():
        return "does not nest"
    if (after[painted] != foreground).any():
        return "does not hold where it was painted"
    parts, _ = ndimage.label(changed | painted)
    if elsewhere or set(np.unique(parts[changed])) <= set(np.unique(parts[painted])):
        return None
    return "changes what it does not touch"


class Pair:
    """A session played twice, with solver and threads drawn anew for each stroke."""
    elsewhere = False  # true if a stroke may change pixels that it does not touch

    def __init__(self, tilecut, random, photo, image):
        self.tilecut, self.random, self.image = tilecut, random, image
        seeds = np.zeros(image.shape[:2], np.uint8)
        seeds[:] = tilecut.OUTSIDE
        x, y, w, h = data.tight_box(photo, photo.truth())
        seeds[y:y + h, x:x + w] = tilecut.UNKNOWN
        first = tilecut.segment(image, seeds, threads=2).mask
        self.masks, self.seeds = [np.asarray(first) > 0], seeds
        self.begin(first)

    def begin(self, first):
        self.both = [self.tilecut.Session(self.image, self.seeds, threads=2) for _ in range(2)]
        for session in self.both:
            session.begin(np.asarray(first))

    def solver(self):
        on_cpu = [name for name in self.tilecut.solvers() if not name.startswith("cuda") and name != "hybrid"]
        return self.random.choice(["auto"] + on_cpu), int(self.random.integers(1, 4))

    def stroke(self, painted, foreground):
        """Returns what is wrong with the answers, or None."""
        label = self.tilecut.FOREGROUND if foreground else self.tilecut.BACKGROUND
        ways = [self.solver() for _ in range(2)]
        masks = [np.asarray(self.answer(i, painted, label, *way)) > 0 for i, way in enumerate(ways)]
        if (masks[0] != masks[1]).any():
            return " and ".join(f"{name} with {threads} threads" for name, threads in ways) + " differ"
        self.masks.append(masks[0])
        return fault(self.masks[-2], self.masks[-1], painted, foreground, self.elsewhere)

    def answer(self, i, painted, label, solver, threads):
        session = self.both[i]
        session._params.solver = None if solver == "auto" else solver.encode()
        session._params.threads = threads
        return session.stroke(painted.astype(np.uint8), label)[0]

    def undo(self):
        while len(self.masks) > 1:
            self.masks.pop()
            if ((np.asarray(self.both[0].undo()[0]) > 0) != self.masks[-1]).any():
                return f"undoing stroke {len(self.masks)} does not restore the mask"
        return None


class Corrections(Pair):
    """A session with tilecut_correct(), which learns from all strokes so far."""
    elsewhere = True

    def begin(self, first):
        pass

    def answer(self, i, painted, label, solver, threads):
        self.seeds[painted] = label
        return self.tilecut.segment(self.image, self.seeds, previous=self.masks[-1].astype(np.uint8), learn=True,
                                    solver=solver, threads=threads).mask

    def undo(self):
        return None


def play(tilecut, photo, image, seed, kind):
    random = np.random.default_rng(seed)
    pair, truth = kind(tilecut, random, photo, image), photo.truth()
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
    parser.add_argument("--learn", action="store_true", help="strokes correct and teach, by tilecut_correct()")
    asked = parser.parse_args(words)
    try:
        import tilecut
    except ImportError as missing:
        sys.exit(f"robot: {missing}; run 'make python' and set PYTHONPATH=build/release/python")
    try:
        photos = [photo for folder in asked.folder for photo in data.photos_of(folder) if photo.box]
    except (ValueError, OSError) as error:
        sys.exit(f"robot: {error}")
    if not photos:
        sys.exit(f"robot: {asked.folder[0]}: no photo has a box in boxes.tsv or index.tsv; sessions begin with one")
    strokes = sessions = 0
    for seed in range(asked.first, asked.first + asked.sessions):
        photo = photos[seed % len(photos)]
        image = np.asarray(Image.open(photo.image()).convert("RGB"))
        x, y, w, h = photo.box
        if (w, h) == (image.shape[1], image.shape[0]):
            continue
        sessions += 1
        played, wrong = play(tilecut, photo, image, seed, Corrections if asked.learn else Pair)
        strokes += played
        if wrong:
            sys.exit(f"robot: session {seed}, {photo.name}: {wrong}")
    print(f"{sessions} sessions on {len(photos)} photos, {strokes} strokes, each by two solvers: all nest "
          + ("and agree" if asked.learn else "and agree, hang together and can be undone"))
    return 0
