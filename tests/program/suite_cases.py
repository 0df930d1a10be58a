# SPDX-License-Identifier: MIT
"""Shared by the suites of picture formats: random pictures, and checks that the program reads a file as the drawn
pixels, or refuses it.

Arguments of the program that imports this: tilecut, and an empty folder. The program reads a photo in which all but the
last pixel is foreground, so the cutout with hidden colours kept is the photo again. It is written as PPM, PGM or PNG,
and read by PIL or by samples.py."""
import io
import os
import subprocess
import sys

import numpy as np
from PIL import Image

from samples import png_samples

W, H = 37, 29
random = np.random.default_rng(20)
tilecut, folder = sys.argv[1], sys.argv[2]
os.chdir(folder)
cases, failed = [], []


def noise(channels, depth=8, width=W, height=H):
    """Returns random samples that are smooth enough to be compressible."""
    most = (1 << depth) - 1
    slope = np.add.outer(np.arange(height), np.arange(width))[:, :, None] * np.arange(1, channels + 1)
    values = (slope * most // (6 * (width + height)) + random.integers(0, most // 4 + 1, slope.shape)) % (most + 1)
    return values.astype(np.uint16 if depth > 8 else np.uint8)


def run(*words):
    return subprocess.run([tilecut, *words], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)


def seeds_for(width, height):
    label = np.full((height, width), 255, np.uint8)
    label[-1, -1] = 0
    Image.fromarray(label).save('seeds.pgm')


def reads(name, data, wanted, said='', kind='bin'):
    """Checks that the file of these bytes is read as `wanted` (height, width, channels), with this note and no
    other."""
    cases.append(name)
    path = 'case.' + kind
    open(path, 'wb').write(data)
    height, width, channels = wanted.shape
    seeds_for(width, height)
    ran = run('segment', path, '-s', 'seeds.pgm:trimap', '--edge', 'hard', '--cutout', 'out.png', '--keep-hidden')
    told = [line for line in ran.stderr.splitlines() if 'every pixel is labelled' not in line and
            ': is transparent in ' not in line]
    if ran.returncode or len(told) != bool(said) or said not in ran.stderr:
        failed.append(f'{name}: status {ran.returncode}: {ran.stderr.strip()}')
        return
    got = png_samples('out.png')
    colors = channels - 1 + channels % 2
    if got.dtype != wanted.dtype or got.shape != (height, width, colors + 1):
        failed.append(f'{name}: {got.dtype} {got.shape}, not {wanted.dtype} {wanted.shape} and alpha')
        return
    same = (got[:, :, :colors] == wanted[:, :, :colors]).all(axis=2)
    alpha = wanted[:, :, -1] if channels % 2 == 0 else np.full_like(wanted[:, :, 0], np.iinfo(wanted.dtype).max)
    same &= got[:, :, -1] == alpha
    same[-1, -1] = (got[-1, -1, :colors] == wanted[-1, -1, :colors]).all() and got[-1, -1, -1] == 0
    if not same.all():
        y, x = np.argwhere(~same)[0]
        failed.append(f'{name}: {np.count_nonzero(~same)} pixels differ, the first at {x},{y}: {got[y, x]}, '
                      f'not {wanted[y, x]}')


def refused(name, data, said, kind='bin', status=3, more=()):
    cases.append(name)
    open('case.' + kind, 'wb').write(data)
    ran = run('segment', 'case.' + kind, '--fg', '3,3 3,3', '--bg', '0,0', '-o', 'out.png', *more)
    lines = ran.stderr.splitlines()
    errors = [line for line in lines if not line.startswith('tilecut: note: ')]
    if ran.returncode != status or len(errors) != 1 or said not in ran.stderr:
        failed.append(f'{name}: status {ran.returncode}, not {status} and "{said}": {ran.stderr.strip()}')


def never_cut(name, data, step=1, kind='bin', upto=None):
    """Checks that the file is refused with one line wherever it is cut off."""
    for size in range(12, upto or len(data), step):
        refused(f'{name} cut after {size} of {len(data)} bytes', data[:size], 'case.' + kind + ': ', kind)


def saved(picture, kind, **how):
    file = io.BytesIO()
    picture.save(file, kind, **how)
    return file.getvalue()
