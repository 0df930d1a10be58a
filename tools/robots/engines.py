# SPDX-License-Identifier: MIT
"""The engines that turn evidence into a mask: the program, or OpenCV's grabCut. Both have the same interface."""
import json
import os
import subprocess
import tempfile
import time

import numpy as np
from PIL import Image
from scipy import ndimage

BAND = 20  # width in pixels of the unknown band around the edge of a mask given as seeds


class Refused(Exception):
    """Raised if an engine could not cut; the text gives the reason."""


class Tilecut:
    """Runs `tilecut segment` with the strokes as a picture of labels.

    how: "all" cuts from all evidence each time. "previous" also passes the previous mask, so that masks are nested.
    "learn" passes it too, but learns anew from all evidence.
    mask: "prior" passes the start mask with --mask. "band" passes it as seeds with an unknown band of 20 pixels around
    its edge; strokes override these seeds.
    """

    def __init__(self, photo, program, options, how, mask):
        self.photo, self.program, self.options = photo, program, options
        self.how, self.mask = how, mask
        self.before = None

    def cut(self, evidence):
        with tempfile.TemporaryDirectory(prefix="robot") as folder:
            command = [self.program, "segment", "-q", self.photo.image(), "-o", f"{folder}/out.png",
                       "--json", f"{folder}/run.json"]
            command += self.words(evidence, folder) + self.options
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
            if done.returncode == 4:
                raise Refused(done.stderr.strip())
            if done.returncode:
                raise RuntimeError(f"{' '.join(command)}: status {done.returncode}: "
                                   f"{done.stderr.strip()}")
            with open(f"{folder}/run.json", encoding="utf-8") as told:
                spent = json.load(told)["ms"]
            self.before = np.asarray(Image.open(f"{folder}/out.png").convert("L")) > 127
        ms = sum(spent.get(stage) or 0 for stage in ("model", "graph", "copy", "solve", "certify"))
        return self.before, ms

    def words(self, evidence, folder):
        """Returns the options that pass `evidence` to the program."""
        words, seeds = [], evidence.seeds
        if self.how in ("previous", "learn") and self.before is not None:
            save_mask(self.before, f"{folder}/before.png")
            words += ["--previous", f"{folder}/before.png"] + ["--learn"] * (self.how == "learn")
        elif evidence.mask is not None and self.mask == "band":
            seeds = np.where(seeds != 0, seeds, band_of(evidence.mask))
        elif evidence.mask is not None:
            save_mask(evidence.mask, f"{folder}/prior.png")
            words += ["--mask", f"{folder}/prior.png"]
        alone = not evidence.box and evidence.mask is None and (seeds > 0).any() and not (seeds < 0).any()
        if (alone or evidence.clicks) and ("--previous" not in words or self.how == "learn"):
            # has the same effect as --fg and --bg with points
            words += [f"--box=1,1,{seeds.shape[1] - 2},{seeds.shape[0] - 2}"]
            seeds = without_frame(seeds)
        if evidence.box:
            words += ["--box=" + ",".join(str(v) for v in evidence.box)]
        if seeds.any():
            labels = np.where(seeds > 0, 1, np.where(seeds < 0, 2, 0)).astype(np.uint8)
            Image.fromarray(labels).save(f"{folder}/labels.png", compress_level=1)
            words += ["-s", f"{folder}/labels.png", "--seeds-format", "labels"]
        return words


def without_frame(seeds):
    """Returns the seeds without foreground seeds outside of the box above."""
    inner = seeds.copy()
    for edge in (inner[0], inner[-1], inner[:, 0], inner[:, -1]):
        edge[edge > 0] = 0
    return inner


def save_mask(mask, path):
    Image.fromarray(mask.astype(np.uint8) * 255).save(path, compress_level=1)


def band_of(mask):
    """Returns a mask as seeds, with an unknown band around its edge."""
    inside = ndimage.distance_transform_edt(mask)
    outside = ndimage.distance_transform_edt(~mask)
    return np.where(inside > BAND, 1, np.where(outside > BAND, -1, 0)).astype(np.int8)


class Grabcut:
    """OpenCV's grabCut: five iterations at first, then one for each stroke, starting from the existing models."""

    def __init__(self, photo, iterations=5, again=1):
        import cv2
        self.cv2 = cv2
        cv2.setNumThreads(1)
        cv2.setRNGSeed(1)
        self.image = cv2.imread(photo.image(), cv2.IMREAD_COLOR)
        self.iterations, self.again = iterations, again
        self.labels = None
        self.models = np.zeros((1, 65)), np.zeros((1, 65))

    def first(self, evidence):
        cv2 = self.cv2
        labels = np.full(evidence.seeds.shape, cv2.GC_PR_BGD, np.uint8)
        if evidence.box:
            x, y, w, h = evidence.box
            labels[:] = cv2.GC_BGD
            labels[y:y + h, x:x + w] = cv2.GC_PR_FGD
        if evidence.mask is not None:
            labels[evidence.mask] = cv2.GC_PR_FGD
        return labels

    def cut(self, evidence):
        cv2, before = self.cv2, self.labels
        labels = self.first(evidence) if before is None else before.copy()
        labels[evidence.seeds > 0] = cv2.GC_FGD
        labels[evidence.seeds < 0] = cv2.GC_BGD
        clock = time.perf_counter()
        try:
            cv2.grabCut(self.image, labels, None, *self.models, self.iterations if before is None else self.again,
                        cv2.GC_INIT_WITH_MASK if before is None else cv2.GC_EVAL)
        except cv2.error as error:  # a class has no pixel
            raise Refused(str(error).strip()) from error
        self.labels = labels
        return (labels & 1) == 1, 1000 * (time.perf_counter() - clock)


def make(settings, photo):
    if settings.engine == "opencv":
        return Grabcut(photo)
    return Tilecut(photo, os.path.abspath(settings.program), settings.options, settings.rule, settings.mask_as)


def check(settings):
    """Reports missing modules at once, rather than in each process."""
    if settings.engine == "opencv":
        try:
            import cv2  # noqa: F401
        except ImportError:
            raise ValueError("--engine opencv needs the Debian package python3-opencv") from None
    elif not os.access(settings.program, os.X_OK):
        raise ValueError(f"{settings.program}: there is no such program; run 'make', or name it with --program")
