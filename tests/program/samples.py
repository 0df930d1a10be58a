# SPDX-License-Identifier: MIT
"""Reads the PNG that tilecut writes, without a library that would round its samples."""
import struct
import zlib

import numpy as np


def png_samples(path):
    """Returns the samples of a PNG exactly as stored, including 16-bit ones, which PIL would round."""
    data, at, packed = open(path, 'rb').read(), 8, b''
    while at < len(data):
        size, = struct.unpack('>I', data[at:at + 4])
        kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + size]
        if kind == b'IHDR':
            width, height, depth, color = struct.unpack('>IIBB', body[:10])
        packed += body if kind == b'IDAT' else b''
        at += size + 12
    channels = {0: 1, 4: 2, 2: 3, 6: 4}[color]
    row, pixel = width * channels * depth // 8, channels * depth // 8
    lines = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + row)
    out = np.zeros((height + 1, row), np.uint8)
    for y in range(height):
        assert lines[y, 0] in (0, 2), 'the filters that tilecut writes'
        out[y + 1] = lines[y, 1:] + (out[y] if lines[y, 0] == 2 else 0)
    samples = out[1:].copy().view('>u2').astype(np.uint16) if depth == 16 else out[1:]
    return samples.reshape(height, width, channels)
