# SPDX-License-Identifier: MIT
"""The suite of TIFF. Its own writer draws variants that the libraries cannot write."""
import io
import struct
import zlib

import numpy as np
from PIL import Image

from suite_cases import H, W, never_cut, noise, random, reads, refused

def pack_bits(data, row):
    """Compresses each row by itself, as the standard requires."""
    out = b''
    for at in range(0, len(data), row):
        line = data[at:at + row]
        for i in range(0, row, 128):
            out += bytes([len(line[i:i + 128]) - 1]) + line[i:i + 128]
    return out


def lzw(data, row):
    """Uses only codes of 9 bits, because the table is cleared before it needs longer ones."""
    codes = []
    for at in range(0, len(data), 250):
        codes += [256, *data[at:at + 250]]
    bits = ''.join(f'{code:09b}' for code in codes + [257])
    bits += '0' * (-len(bits) % 8)
    return int(bits, 2).to_bytes(len(bits) // 8, 'big')


def deflate(data, row):
    return zlib.compress(data)


PACKERS = {1: lambda data, row: data, 5: lzw, 8: deflate, 32946: deflate, 32773: pack_bits}


def to_bits(samples, bits, order):
    """Returns the rows of samples (height, values) as stored in the file, each padded to whole bytes."""
    if bits == 16:
        return samples.astype(order + 'u2').tobytes()
    if bits == 8:
        return samples.astype(np.uint8).tobytes()
    each = 8 // bits
    padded = np.pad(samples, ((0, 0), (0, -samples.shape[1] % each))).astype(np.uint8)
    groups = padded.reshape(padded.shape[0], -1, each)
    return sum(groups[:, :, i] << (8 - bits * (i + 1)) for i in range(each)).astype(np.uint8).tobytes()


def tiff(pixels, bits=8, photometric=None, packing=1, order='<', tile=None, rows=None, apart=False, differences=False,
         big=False, palette=None, extra=(), orientation=None, more=(), next_page=0):
    height, width, samples = pixels.shape
    if photometric is None:
        photometric = 3 if palette is not None else 2 if samples - len(extra) >= 3 else 1
    planes = [pixels[:, :, s:s + 1] for s in range(samples)] if apart else [pixels]
    blocks = []
    for plane in planes:
        if tile:
            ty, tx = tile
            grown = np.pad(plane, ((0, -height % ty), (0, -width % tx), (0, 0)))
            blocks += [grown[y:y + ty, x:x + tx] for y in range(0, height, ty) for x in range(0, width, tx)]
        else:
            step = rows or height
            blocks += [plane[y:y + step] for y in range(0, height, step)]
    packed = []
    for block in blocks:
        if differences:
            block = np.diff(block.astype(np.int32), axis=1, prepend=0) % (1 << bits)
        raw = to_bits(block.reshape(block.shape[0], -1), bits, order)
        packed.append(PACKERS[packing](raw, len(raw) // block.shape[0]))
    SHORT, LONG, LONG8 = 3, 4, 16
    tags = {256: (LONG, [width]), 257: (LONG, [height]), 258: (SHORT, [bits] * samples), 259: (SHORT, [packing]),
            262: (SHORT, [photometric]), 277: (SHORT, [samples]), 284: (SHORT, [2 if apart else 1])}
    if differences:
        tags[317] = (SHORT, [2])
    if orientation:
        tags[274] = (SHORT, [orientation])
    if extra:
        tags[338] = (SHORT, list(extra))
    if palette is not None:
        tags[320] = (SHORT, list(np.asarray(palette).T.reshape(-1)))
    if tile:
        tags[322], tags[323] = (LONG, [tile[1]]), (LONG, [tile[0]])
    else:
        tags[278] = (LONG, [rows or height])
    tags.update(dict(more))
    file = (b'II' if order == '<' else b'MM') + struct.pack(order + ('HHHQ' if big else 'HI'), *((43, 8, 0, 0) if big
                                                                                                 else (42, 0)))
    offsets = []
    for block in packed:
        offsets.append(len(file))
        file += block + b'\0' * (len(block) % 2)
    tags[324 if tile else 273] = (LONG8 if big else LONG, offsets)
    tags[325 if tile else 279] = (LONG, [len(block) for block in packed])
    letter, sizes = {SHORT: 'H', LONG: 'I', LONG8: 'Q', 7: 'B', 1: 'B'}, 8 if big else 4
    entries = b''
    for tag in sorted(tags):
        kind, values = tags[tag]
        body = struct.pack(f'{order}{len(values)}{letter[kind]}', *values)
        if len(body) > sizes:
            place = len(file)
            file += body + b'\0' * (len(body) % 2)
            body = struct.pack(order + ('Q' if big else 'I'), place)
        entries += struct.pack(order + ('HHQ' if big else 'HHI'), tag, kind, len(values)) + body.ljust(sizes, b'\0')
    at = len(file)
    file += struct.pack(order + ('Q' if big else 'H'), len(tags)) + entries
    file += struct.pack(order + ('Q' if big else 'I'), next_page and at)
    where = struct.pack(order + ('Q' if big else 'I'), at)
    return file[:8 if big else 4] + where + file[16 if big else 8:]


def spread(pixels, bits):
    return (pixels * (255 // ((1 << bits) - 1))).astype(np.uint8) if bits < 8 else pixels


def turned(pixels, orientation):
    """Returns the stored pixels that become `pixels` when they are turned upright."""
    stored = pixels.transpose(1, 0, 2) if orientation > 4 else pixels
    vertical, horizontal = {1: (1, 1), 2: (1, -1), 3: (-1, -1), 4: (-1, 1), 5: (1, 1), 6: (-1, 1), 7: (-1, -1),
                            8: (1, -1)}[orientation]
    if orientation in (6, 8):
        vertical, horizontal = {6: (-1, 1), 8: (1, -1)}[orientation]
    return stored[::vertical, ::horizontal]


def tiff_suite():
    layouts = {'one strip': {}, 'strips of 8 rows': {'rows': 8}, 'a row a strip': {'rows': 1},
               'tiles': {'tile': (16, 16)}, 'tiles of 16x32': {'tile': (32, 16)}}
    for packing in PACKERS:
        for layout, how in layouts.items():
            for order in '<>':
                channels = 1 + (packing + len(layout)) % 4
                extra = (2,) if channels in (2, 4) else ()
                for bits in (8, 16):
                    for apart in (False, True):
                        pixels = noise(channels, bits)
                        name = f'TIFF {channels}x{bits} packing {packing} {layout} {order} apart={apart}'
                        reads(name, tiff(pixels, bits, None, packing, order, apart=apart, extra=extra, **how), pixels)
    for bits in (1, 2, 4):
        for order in '<>':
            pixels = noise(1, bits)
            reads(f'TIFF grey of {bits} bits {order}', tiff(pixels, bits, order=order, rows=5), spread(pixels, bits))
            reads(f'TIFF tiles of {bits} bits', tiff(pixels, bits, order=order, tile=(16, 16)), spread(pixels, bits))
            inverted = tiff(pixels, bits, photometric=0, packing=32773)
            reads(f'TIFF white is 0, {bits} bits', inverted, spread((1 << bits) - 1 - pixels, bits))
        colors = noise(3, bits)
        reads(f'TIFF colours of {bits} bits', tiff(colors, bits), spread(colors, bits))
    for bits in (8, 16):
        pixels = noise(1, bits)
        reads('TIFF white is 0', tiff(pixels, bits, photometric=0), (1 << bits) - 1 - pixels)
        for channels in (1, 3, 4):
            pixels = noise(channels, bits)
            extra = (2,) if channels == 4 else ()
            for packing in (5, 8):
                reads(f'TIFF differences {channels}x{bits}', tiff(pixels, bits, packing=packing, differences=True,
                      extra=extra, rows=7), pixels)
                reads(f'TIFF differences in tiles {channels}x{bits}', tiff(pixels, bits, packing=packing, extra=extra,
                      differences=True, tile=(16, 16), order='>'), pixels)
            reads(f'TIFF of 64-bit offsets {channels}x{bits}', tiff(pixels, bits, big=True, extra=extra, rows=3), pixels)
    for bits in (1, 2, 4, 8):
        index = noise(1, bits)
        map8 = random.integers(0, 256, (1 << bits, 3))
        for name, palette in ('16 bits', map8 * 257), ('8 bits', map8):
            reads(f'TIFF palette of {1 << bits}, {name}', tiff(index, bits, palette=palette),
                  map8.astype(np.uint8)[index[:, :, 0]])
        greys = np.repeat(np.arange(1 << bits)[:, None] * (255 // ((1 << bits) - 1)), 3, axis=1)
        reads('TIFF palette of greys', tiff(index, bits, palette=greys * 257), spread(index, bits))
    for bits in (8, 16):
        most = (1 << bits) - 1
        pixels = noise(4, bits)
        reads('TIFF a fourth sample of unknown meaning', tiff(pixels, bits, extra=(0,)), pixels[:, :, :3])
        reads('TIFF five samples, the last is alpha', tiff(np.dstack([pixels, pixels[:, :, :1]]), bits, extra=(0, 2)),
              np.dstack([pixels[:, :, :3], pixels[:, :, :1]]))
        alpha = pixels[:, :, 3:].astype(np.int64)
        times = (pixels[:, :, :3].astype(np.int64) * alpha + most // 2) // most
        back = np.where(alpha == 0, 0, np.minimum(most, (times * most + alpha // 2) // np.maximum(alpha, 1)))
        reads('TIFF colours times alpha', tiff(np.dstack([times, alpha]).astype(pixels.dtype), bits, extra=(1,)),
              np.dstack([back, alpha]).astype(pixels.dtype))
    for orientation in range(1, 9):
        pixels = noise(3)
        reads(f'TIFF orientation {orientation}', tiff(turned(pixels, orientation), orientation=orientation), pixels)
        cmyk = noise(4)
        shown = ((255 - cmyk[:, :, :3].astype(int)) * (255 - cmyk[:, :, 3:].astype(int)) // 255).astype(np.uint8)
        reads(f'TIFF inks, orientation {orientation}', tiff(turned(cmyk, orientation), photometric=5, extra=(),
              orientation=orientation), shown)
    pixels = noise(3)
    one = tiff(pixels)
    pages = [Image.fromarray(noise(3)) for _ in range(3)]
    many = io.BytesIO()
    pages[0].save(many, 'TIFF', save_all=True, append_images=pages[1:])
    reads('TIFF of three pages', many.getvalue(), np.asarray(pages[0]), 'has more than one page')
    for apart in (False, True):
        reads(f'TIFF of three channels, apart: {apart}', tiff(pixels, photometric=1, apart=apart), pixels[:, :, :1],
              'has 3 channels; only the first one counts')
    for compression in ('raw', 'tiff_lzw', 'tiff_adobe_deflate', 'packbits', 'jpeg'):
        for mode in ('L', 'RGB'):
            picture, file = Image.fromarray(pixels).convert(mode), io.BytesIO()
            picture.save(file, 'TIFF', compression=compression)
            seen = np.asarray(Image.open(io.BytesIO(file.getvalue())).convert(mode)).reshape(H, W, -1)
            reads(f'TIFF by PIL, {compression}, {mode}', file.getvalue(), seen)
    fax = io.BytesIO()
    page = Image.fromarray((noise(1)[:, :, 0] > 100).astype(np.uint8) * 255).convert('1')
    page.save(fax, 'TIFF', compression='group4')
    reads('TIFF by fax', fax.getvalue(), np.asarray(page.convert('L'))[:, :, None])
    tiff_numbers()
    tiff_refusals(one)


def lab_light(samples):
    """Converts CIELAB of D50, with L from 0 to 100, to sRGB from 0 to 1."""
    y = (samples[:, :, 0] + 16) / 116
    bent = np.stack([y + samples[:, :, 1] / 500, y, y - samples[:, :, 2] / 200], 2)
    xyz = np.where(bent > 6 / 29, bent ** 3, 3 * (6 / 29) ** 2 * (bent - 4 / 29)) * [0.96422, 1, 0.82521]
    light = xyz @ np.array([[3.1338561, -1.6168667, -0.4906146], [-0.9787684, 1.9161415, 0.0334540],
                            [0.0719453, -0.2289914, 1.4052427]]).T
    bright = 1.055 * np.maximum(light, 0.0031308) ** (1 / 2.4) - 0.055
    return np.clip(np.where(light <= 0.0031308, 12.92 * light, bright), 0, 1)


def tiff_numbers():
    """CMYK and CIELAB at both depths, and numbers of types that no samples have."""
    for bits in (8, 16):
        most = (1 << bits) - 1
        inks = noise(4, bits)
        wide = inks.astype(np.int64)
        light = ((most - wide[:, :, 3:]) * (most - wide[:, :, :3]) // most).astype(inks.dtype)
        for apart in (False, True):
            reads(f'TIFF inks of {bits} bits apart={apart}', tiff(inks, bits, 5, apart=apart), light)
        lab = noise(3, bits)
        shift = lab[:, :, 1:].astype(f'int{bits}') / (1 << (bits - 8))
        meant = np.dstack([lab[:, :, :1] / most * 100, shift])
        reads(f'TIFF Lab of {bits} bits', tiff(lab, bits, 8), (lab_light(meant) * most + 0.5).astype(lab.dtype))
    labels = noise(1, 8)
    for kind, code in (('int32', 2), ('uint32', 1), ('float32', 3), ('int64', 2), ('float64', 3)):
        raw = labels[:, :, 0].astype(np.dtype(kind).newbyteorder('<')).view(np.uint8).reshape(labels.shape[0], labels.shape[1], -1)
        bits = 8 * raw.shape[2]
        tags = {258: (3, [bits]), 277: (3, [1]), 262: (3, [1]), 339: (3, [code])}
        reads(f'TIFF labels as {kind}', tiff(raw, 8, 1, more=tags.items()), labels)


def tiff_refusals(one):
    refused('TIFF of floating point', tiff(noise(1, 8), more={339: (3, [3])}.items()), 'floating point')
    signs = noise(1, 8)
    reads('TIFF of signs', tiff(signs, more={339: (3, [2])}.items()), signs)
    refused('TIFF of negative numbers', tiff(255 - signs, more={339: (3, [2])}.items()), 'whole numbers from -')
    refused('TIFF of signed numbers, white is 0', tiff(noise(1, 8) // 2, photometric=0, more={339: (3, [2])}.items()),
            'is a TIFF in which 0 is white')
    refused('TIFF that is a raw file', tiff(noise(1, 8), more={50706: (1, [1, 4, 0, 0])}.items()), 'camera raw')
    refused('TIFF that begins with a preview', tiff(noise(1, 8), more={254: (4, [1])}.items()), 'preview')
    for tag in 32997, 32998:
        deep = {tag: (4, [4])}.items()
        refused(f'TIFF of deep pages, by tag {tag}', tiff(noise(1, 8), tile=(16, 16), more=deep), 'several slices deep')
    refused('TIFF of a large palette', tiff(noise(1, 16), 16, palette=np.zeros((65536, 3), int)), 'more than 256 colours')
    refused('TIFF without pixels', tiff(noise(3))[:200], 'case.bin: ')
    for tag, value, said in (256, 0, 'case.bin: '), (256, 2 ** 31, 'pixels a side'), (257, 70000, 'pixels a side'), \
            (259, 60000, 'a compression that'), (277, 4000, 'case.bin: '), (258, 12, 'case.bin: '):
        refused(f'TIFF tag {tag} of {value}', tiff(noise(1, 8), more={tag: (4, [value])}.items()), said)
    refused('TIFF of 900 million pixels', tiff(noise(1, 8), more={256: (4, [30000]), 257: (4, [30000])}.items()),
            'at most 268435456')
    refused('TIFF of large tiles', tiff(noise(1, 8), tile=(16, 16), more={322: (4, [60000]), 323: (4, [60000])}.items()),
            'tiles much larger')
    refused('TIFF beyond the memory allowed', tiff(noise(3, 8, 600, 400)), 'of memory', status=5,
            more=('--max-memory', '1M'))
    never_cut('TIFF', one, 211)
    never_cut('TIFF packed', tiff(noise(3), packing=8, rows=4), 97)
    never_cut('TIFF in tiles', tiff(noise(4, 16), 16, tile=(16, 16), packing=5, extra=(2,)), 501)
