# SPDX-License-Identifier: MIT
"""Shared by the tests of the binding: a picture with seeds and its truth."""
import os

import numpy as np

import tilecut

SEED = int(os.environ.get("TEST_SEED", "1"))


def scene(height=48, width=64, channels=3, dtype=np.uint8, seed=SEED):
    """Returns a bright disc on a dark background with noise, seeds in both, and the truth."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:height, :width]
    truth = (x - width / 2) ** 2 + (y - height / 2) ** 2 < (min(height, width) / 3) ** 2
    top = np.iinfo(dtype).max
    shape = (height, width, channels) if channels == 3 else (height, width)
    levels = np.where(truth if channels == 1 else truth[..., None], 0.75, 0.25) + rng.normal(0, 0.04, shape)
    image = (np.clip(levels, 0, 1) * top).astype(dtype)
    seeds = np.zeros((height, width), np.uint8)
    seeds[height // 2 - 2:height // 2 + 2, width // 2 - 2:width // 2 + 2] = tilecut.FOREGROUND
    seeds[:2] = seeds[-2:] = tilecut.BACKGROUND
    seeds[:, :2] = seeds[:, -2:] = tilecut.BACKGROUND
    return image, seeds, truth


def refuses(test, cases):
    """Runs cases of an exception type, a part of its message, and the action that raises it."""
    for kind, text, action in cases:
        with test.subTest(text=text):
            with test.assertRaises(kind) as caught:
                action()
            test.assertIn(text, str(caught.exception))
