# SPDX-License-Identifier: MIT
"""Looks for calls that make a mask worse which was better before: the strokes are correct, the mask is refined once
more, the box ends beside the frame, an outline is snapped. Each photo is mirrored, turned and made smaller at random,
so that no game is on a photo as rules were tuned on it. The table counts, by call, the IoU that fell by .02 and .2."""
import argparse
import multiprocessing
import os
import subprocess
import sys
import tempfile
import zlib

import numpy as np
from PIL import Image
from scipy import ndimage

from . import data, engines, masks, play, report


class Scene:
    """A photo, varied at random, in a folder of its own, and the calls of the program on it."""

    def __init__(self, photo, random, program, folder, crop=False):
        self.random, self.folder, self.calls, self.beside = random, folder, 0, program[1:]
        self.program = program[0]
        picture, truth = Image.open(photo.image()).convert("RGB"), photo.truth()
        strokes = np.where(photo.strokes(False) == 0, 128, np.where(photo.strokes(False) > 0, 255, 0)).astype(np.uint8)
        turn, part = int(random.integers(0, 6)), int(random.choice([1, 1, 2, 4]))
        size = (picture.width // part, picture.height // part)
        how = [None, Image.Transpose.FLIP_LEFT_RIGHT, Image.Transpose.FLIP_TOP_BOTTOM, Image.Transpose.ROTATE_90,
               Image.Transpose.ROTATE_270, Image.Transpose.TRANSPOSE][turn]
        pictures = [picture.resize(size, Image.BOX) if part > 1 else picture]
        pictures += [Image.fromarray(p).resize(size, Image.NEAREST) for p in (truth, strokes)]
        if how is not None:
            pictures = [p.transpose(how) for p in pictures]
        if crop:
            pictures = self.cropped(pictures)
        pictures[0].save(f"{folder}/photo.png", compress_level=1)
        self.truth = np.asarray(pictures[1])
        self.strokes = np.where(np.asarray(pictures[2]) == 128, 0, np.where(np.asarray(pictures[2]) > 128, 1, -1))
        self.what = f"{photo.name} turn {turn} part {part}"

    def cropped(self, pictures):
        """Cuts off one to three sides, such that the object touches the frame there."""
        rows, columns = np.nonzero(np.asarray(pictures[1]) == 255)
        box = [0, 0, *pictures[0].size]
        ends = (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
        self.cut = [bool(v) for v in self.random.random(4) < .45]
        for side in range(4):
            length = ends[2 + side % 2] - ends[side % 2]
            inward = max(1, int(length * self.random.uniform(.05, .25)))
            if self.cut[side]:
                box[side] = int(ends[side] + (inward if side < 2 else -inward))
        return [p.crop(tuple(box)) for p in pictures]

    def tight(self):
        """Returns the tight box of the object: left, top, and the first column and row beyond it."""
        rows, columns = np.nonzero(self.truth == 255)
        return int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1

    def file(self, mask, name):
        path = f"{self.folder}/{name}.png"
        Image.fromarray(mask if mask.dtype == np.uint8 else mask.astype(np.uint8) * 255).save(path, compress_level=1)
        return path

    def seeds(self, strokes):
        self.file(np.where(strokes > 0, 255, np.where(strokes < 0, 0, 128)).astype(np.uint8), "seeds")
        return ["-s", f"{self.folder}/seeds.png:trimap"]

    def call(self, *words, verb="segment"):
        """Returns the mask of a call, or None if it was refused for want of seeds. The options of `beside` must not
        change it."""
        self.calls += 1
        mask = self.answer(verb, words)
        if self.beside:
            other = self.answer(verb, [*words, *self.beside])
            if (mask is None) != (other is None) or (mask is not None and (mask != other).any()):
                raise RuntimeError(f"{self.what}: {verb} {' '.join(words)}: another mask with {' '.join(self.beside)}")
        return mask

    def answer(self, verb, words):
        command = [self.program, verb, f"{self.folder}/photo.png", *words, "-q", "-o", f"{self.folder}/out.png"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode == 4:
            return None
        if done.returncode:
            raise RuntimeError(f"{self.what}: {' '.join(command)}: status {done.returncode}: {done.stderr.strip()}")
        return np.asarray(Image.open(f"{self.folder}/out.png").convert("L")) > 127

    def box(self, x0, y0, x1, y1):
        h, w = self.truth.shape
        x0, y0, x1, y1 = max(0, x0), max(0, y0), min(w, x1), min(h, y1)
        return ["--box", f"{x0},{y0},{x1 - x0},{y1 - y0}"]

    def stroke(self, label=None, radius=None):
        """Returns a disc of the true label anywhere, which holds for the truth alone."""
        label = label or (1 if self.random.random() < .5 else -1)
        where = self.truth == (255 if label > 0 else 0)
        y, x = self.random.choice(np.argwhere(where))
        painted = data.disc(self.truth.shape, y, x, radius or int(self.random.integers(1, 9))) & where
        return painted * np.int8(label)

    def correction(self, mask, axis=False):
        """Returns a stroke in the largest error, or one anywhere if there is none."""
        wrong = play.largest_wrong(mask, self.truth)
        if wrong is None:
            return self.stroke()
        return play.paint(wrong[0], wrong[1], self.truth, "axis" if axis else "disc")[0] * np.int8(wrong[1])

    def start(self):
        """Returns a first mask and the words that gave it: a box, sparse strokes or a click."""
        kind = self.random.integers(0, 3)
        if kind == 0:
            words, strokes = self.box(*self.tight()), np.zeros(self.truth.shape, np.int8)
        else:
            words, strokes = [], self.strokes if kind == 1 else data.middle_of(self.truth).astype(np.int8)
            if kind == 2:
                words = self.box(1, 1, self.truth.shape[1] - 1, self.truth.shape[0] - 1)
        mask = self.call(*words, *(self.seeds(strokes) if strokes.any() else []))
        return mask, words if kind == 0 else [], strokes

    def damaged(self):
        """Returns a mask made from the truth, and its kind."""
        kinds = [kind for kind in masks.KINDS if kind != "network"]
        kind = kinds[int(self.random.integers(0, len(kinds)))]
        return masks.KINDS[kind](self.truth), kind


# ---- games: each yields (what was done, the mask before, the mask after) ---------------------------

def again(scene):
    """The same call once more, from its own answer: nothing is asked for."""
    mask, words, strokes = scene.start()
    if mask is None:
        return
    before = ["--previous", scene.file(mask, "before")]
    if strokes.any():
        words = scene.seeds(strokes)
        yield "--previous, the same strokes", mask, scene.call(*before, *words)
        yield "--previous --learn, the same strokes", mask, scene.call(*before, "--learn", *words)


def right(scene):
    """A correct stroke anywhere, mostly where the mask is right already."""
    mask, words, strokes = scene.start()
    if mask is None:
        return
    new = np.where(strokes != 0, strokes, scene.stroke())
    yield "a correct stroke, --previous", mask, scene.call("--previous", scene.file(mask, "before"), *scene.seeds(new))
    yield "the same, --learn", mask, scene.call("--previous", scene.file(mask, "before"), "--learn", *scene.seeds(new))
    if words:
        yield "the same in the box at once", mask, scene.call(*words, *scene.seeds(new))


def wrong(scene):
    """Three strokes in errors, discs or lines, with --learn or without."""
    mask, words, strokes = scene.start()
    learn = ["--learn"] * int(scene.random.integers(0, 2))
    axis = bool(scene.random.integers(0, 2))
    for _ in range(3):
        if mask is None or scene.score(mask) > .995:
            return
        strokes = np.where(strokes != 0, strokes, scene.correction(mask, axis))
        after = scene.call("--previous", scene.file(mask, "before"), *learn, *scene.seeds(strokes))
        yield f"{'a line' if axis else 'a disc'} in an error, {' '.join(['--previous'] + learn)}", mask, after
        mask = after


def given(scene):
    """A mask of another tool, refined, and correct strokes in it and beside it."""
    mask, kind = scene.damaged()
    path = scene.file(mask, "given")
    refined = scene.call(path, verb="refine")
    if kind == "truth":
        yield "refine, the truth", mask >= 128, refined
    if refined is None:
        return
    yield "refine once more", refined, scene.call(scene.file(refined, "refined"), verb="refine")
    anywhere, error = scene.stroke(), scene.correction(refined, bool(scene.random.integers(0, 2)))
    yield "refine, a correct stroke", refined, scene.call(path, *scene.seeds(anywhere), verb="refine")
    yield "refine, a stroke in an error", refined, scene.call(path, *scene.seeds(error), verb="refine")
    both = np.where(error != 0, error, anywhere)
    yield "refine, both", refined, scene.call(path, *scene.seeds(both), verb="refine")
    yield "refine --snap", refined, scene.call(path, "--snap", verb="refine")


def banded(scene):
    """A mask as seeds with a band, and strokes beside it. The truth keeps what it has."""
    mask, kind = scene.damaged()
    band, path = int(scene.random.choice([2, 3, 5, 8, 12, 20])), scene.file(mask, "given")
    refined = scene.call(path, "--band", str(band), verb="refine")
    if kind == "truth":
        yield "refine --band, the truth", mask >= 128, refined
    elif refined is not None:
        stroke = scene.correction(refined)
        yield "refine --band, a stroke in an error", refined, \
            scene.call(path, "--band", str(band), *scene.seeds(stroke), verb="refine")
    seeds = ["-s", f"{path}:mask", "--band", str(band)]
    cut = scene.call(*seeds)
    if cut is not None:
        yield "-s MASK:mask --band --snap", cut, scene.call(*seeds, "--snap")


def snapped(scene):
    """The outline of a first mask is snapped."""
    mask, words, strokes = scene.start()
    if mask is not None and (words or (strokes < 0).any()):
        yield "--snap", mask, scene.call(*words, *(scene.seeds(strokes) if strokes.any() else []), "--snap")


def framed(scene):
    """An object that the frame cuts, in a box whose sides end a few pixels beside the frame."""
    tight, (h, w) = scene.tight(), scene.truth.shape
    best = scene.call(*scene.box(*tight))
    off = int(scene.random.integers(1, 13))
    moved = [v + (off if side < 2 else -off) if v == (0, 0, w, h)[side] else v for side, v in enumerate(tight)]
    if moved != list(tight) and best is not None and moved[2] - moved[0] > 8 and moved[3] - moved[1] > 8:
        near = "within 1 %" if off <= max(1, min(w, h) // 100) else "farther"
        yield f"a box beside the frame, {near}", best, scene.call(*scene.box(*moved))
    if best is not None:
        after = scene.call(*scene.box(*tight), *scene.seeds(scene.stroke()))
        yield "the frame: a correct stroke in the box", best, after
        truth = scene.truth == 255
        yield "the frame: refine, the truth", truth, scene.call(scene.file(truth, "given"), verb="refine")


GAMES = {game.__name__: game for game in (again, right, wrong, given, banded, snapped, framed)}


def work(task):
    """Returns rows (game, photo, IoU before, IoU after) of one game, or a message."""
    photo, name, number, program = task
    random = np.random.default_rng(zlib.crc32(f"{photo.name} {name} {number}".encode()))
    try:
        with tempfile.TemporaryDirectory(prefix="harm") as folder:
            scene = Scene(photo, random, program, folder, crop=name == "framed")
            if (scene.truth == 255).sum() < 30 or not (scene.truth == 0).any():
                return []
            scene.score = lambda mask: play.score(mask, scene.truth)[1]
            rows = []
            for what, before, after in GAMES[name](scene):
                rows.append((what, f"{scene.what} {name} {number}", scene.score(before),
                             -1. if after is None else scene.score(after)))
            return rows
    except (RuntimeError, ValueError, OSError) as error:
        return f"{photo.name}, {name} {number}: {error}"


def table_of(rows):
    print("| call | cases | hurt by .02 | by .2 | the worst | better by .02 |\n|---|---|---|---|---|---|")
    for what in sorted({row[0] for row in rows}):
        ours = [row for row in rows if row[0] == what]
        worst = min(ours, key=lambda row: row[3] - row[2])
        lost = [row[2] - row[3] for row in ours]
        print(f"| {what} | {len(ours)} | {sum(v > report.HURT for v in lost)} | {sum(v > .2 for v in lost)} | "
              f"{worst[2]:.3f} -> {worst[3]:.3f}, {worst[1]} | {sum(v < -report.HURT for v in lost)} |")


def play_all(play_one, tasks, asked):
    """Plays all tasks by asked.jobs processes, and writes their rows to asked.output. Returns the status of the
    program."""
    rows, failed = [], 0
    with multiprocessing.Pool(asked.jobs) as pool, open(asked.output, "w", encoding="utf-8") as out:
        for got in pool.imap_unordered(play_one, tasks):
            if isinstance(got, str):
                failed += 1
                print(f"robot: {got}", file=sys.stderr)
                continue
            for row in got:
                print(*row[:2], f"{row[2]:.5f}", f"{row[3]:.5f}", sep="\t", file=out, flush=True)
            rows += got
    table_of(rows)
    return 1 if failed else 0


def main(words):
    parser = argparse.ArgumentParser(prog="robot harm", description=__doc__)
    add = parser.add_argument
    add("folders", nargs="+")
    add("-o", "--output", required=True, help="TSV: call, photo, IoU before and after; -1: refused")
    add("--half", choices=["all", "tune", "test"], default="all")
    add("--game", action="append", choices=list(GAMES), help="this game alone; repeatable")
    add("--times", type=play.whole(1), default=1, help="variations of each photo and game (default 1)")
    add("--first", type=play.whole(0), default=0, help="the number of the first variation (default 0)")
    add("--program", default=os.path.join(os.path.dirname(__file__), "../../tilecut"), help="default ./tilecut")
    add("--beside", default="", help="make each call once more with these options too; the masks must be equal")
    add("--jobs", type=play.whole(1), default=1)
    asked = parser.parse_args(words)
    program = [os.path.abspath(asked.program), *asked.beside.split()]
    try:
        photos = [p for folder in asked.folders for p in data.photos_of(folder, asked.half, True)]
    except (ValueError, OSError) as error:
        sys.exit(f"robot: {error}")
    tasks = [(photo, game, number, program)
             for number in range(asked.first, asked.first + asked.times)
             for game in asked.game or GAMES for photo in photos]
    return play_all(work, tasks, asked)
