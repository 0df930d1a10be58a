# SPDX-License-Identifier: MIT
"""Suites of TIFF, WebP, BMP, TGA and CMYK JPEG: every variant drawn here has to be read as the pixels that were drawn,
or as those that the library's own users see.

Arguments: the program, and an empty folder. A photo is read, all of it but the last pixel is called foreground, and
the cutout with hidden colours kept is the photo again; what is written as PPM, PGM or PNG is read by PIL or here."""
import io
import os
import struct
import subprocess
import sys
import zlib

import numpy as np
from PIL import Image

sys.dont_write_bytecode = True
from samples import png_samples

W, H = 37, 29
random = np.random.default_rng(20)
tilecut, folder = sys.argv[1], sys.argv[2]
os.chdir(folder)
cases, failed = 0, []


def noise(channels, depth=8, width=W, height=H):
    """Random samples, smooth enough that packers have something to do."""
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
    """The file of these bytes is read as `wanted` (height, width, channels), with this note and no other."""
    global cases
    cases += 1
    path = 'case.' + kind
    open(path, 'wb').write(data)
    height, width, channels = wanted.shape
    seeds_for(width, height)
    ran = run('segment', path, '-s', 'seeds.pgm:trimap', '--cutout', 'out.png', '--keep-hidden')
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
    global cases
    cases += 1
    open('case.' + kind, 'wb').write(data)
    ran = run('segment', 'case.' + kind, '--fg', '3,3 3,3', '--bg', '0,0', '-o', 'out.png', *more)
    lines = ran.stderr.splitlines()
    errors = [line for line in lines if not line.startswith('tilecut: note: ')]
    if ran.returncode != status or len(errors) != 1 or said not in ran.stderr:
        failed.append(f'{name}: status {ran.returncode}, not {status} and "{said}": {ran.stderr.strip()}')


def never_cut(name, data, step=1, kind='bin', upto=None):
    """However much of it is missing, it is refused with one line."""
    for size in range(12, upto or len(data), step):
        refused(f'{name} cut after {size} of {len(data)} bytes', data[:size], 'case.' + kind + ': ', kind)


# ---- TIFF, by a writer that can do what those of libraries cannot ---------------------------------------------------

def pack_bits(data, row):
    """Each row by itself, as the standard asks for."""
    out = b''
    for at in range(0, len(data), row):
        line = data[at:at + row]
        for i in range(0, row, 128):
            out += bytes([len(line[i:i + 128]) - 1]) + line[i:i + 128]
    return out


def lzw(data, row):
    """Codes of 9 bits alone: the table is cleared before it would need more."""
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
    """Rows (height, values) as the file has them, each to whole bytes."""
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
    """What is stored, so that it is `pixels` once it has been turned upright."""
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
    tiff_refusals(one)


def tiff_refusals(one):
    refused('TIFF of floating point', tiff(noise(1, 8), more={339: (3, [3])}.items()), 'floating point')
    refused('TIFF of signs', tiff(noise(1, 8), more={339: (3, [2])}.items()), 'with a sign')
    refused('TIFF that is a raw file', tiff(noise(1, 8), more={50706: (1, [1, 4, 0, 0])}.items()), 'camera raw')
    refused('TIFF that begins with a preview', tiff(noise(1, 8), more={254: (4, [1])}.items()), 'preview')
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


# ---- WebP, BMP, TGA, CMYK JPEG --------------------------------------------------------------------------------------

def saved(picture, kind, **how):
    file = io.BytesIO()
    picture.save(file, kind, **how)
    return file.getvalue()


def webp_suite():
    for mode in ('RGB', 'RGBA'):
        picture = Image.fromarray(noise(len(mode)))
        exact = saved(picture, 'WEBP', lossless=True, exact=True)
        reads(f'WebP without loss, {mode}', exact, np.asarray(picture))
        for quality in (5, 50, 95):
            lossy = saved(picture, 'WEBP', quality=quality)
            reads(f'WebP of quality {quality}, {mode}', lossy, np.asarray(Image.open(io.BytesIO(lossy)).convert(mode)))
        never_cut(f'WebP {mode}', exact, 149)
        never_cut(f'lossy WebP {mode}', saved(picture, 'WEBP', quality=30), 61)
    grey = noise(1)
    reads('WebP of greys', saved(Image.fromarray(grey[:, :, 0]).convert('RGB'), 'WEBP', lossless=True), grey)
    pages = [Image.fromarray(noise(3)) for _ in range(3)]
    moving = saved(pages[0], 'WEBP', save_all=True, append_images=pages[1:], lossless=True)
    reads('WebP that moves', moving, np.asarray(pages[0]), 'an animation')
    refused('WebP damaged', moving[:40] + b'\xff' * 200 + moving[240:], 'case.bin: ')
    refused('WebP beyond the memory allowed', saved(Image.new('RGB', (900, 900)), 'WEBP'), 'of memory', status=5,
            more=('--max-memory', '1M'))


def bmp_and_tga_suite():
    rgb, rgba, grey = noise(3), noise(4), noise(1)
    index = noise(1)
    palette = random.integers(0, 256, (256, 3)).astype(np.uint8)
    by_palette = Image.fromarray(index[:, :, 0], 'P')
    by_palette.putpalette(palette.tobytes())
    black = Image.fromarray((grey[:, :, 0] > 90).astype(np.uint8) * 255).convert('1')
    reads('BMP in colour', saved(Image.fromarray(rgb), 'BMP'), rgb)
    reads('BMP grey', saved(Image.fromarray(grey[:, :, 0]), 'BMP'), grey)
    reads('BMP with a palette', saved(by_palette, 'BMP'), palette[index[:, :, 0]])
    reads('BMP of one bit', saved(black, 'BMP'), np.asarray(black.convert('L'))[:, :, None])
    whole = rgba.copy()
    header = struct.pack('<2sIIIIiiHHIIiiII', b'BM', 54 + whole.nbytes, 0, 54, 40, W, -H, 1, 32, 0, whole.nbytes, 0, 0,
                         0, 0)
    reads('BMP of 32 bits, upside down', header + whole[:, :, [2, 1, 0, 3]].tobytes(), whole)
    empty = whole.copy()
    empty[:, :, 3] = 0
    reads('BMP of 32 bits, no alpha', header + empty[:, :, [2, 1, 0, 3]].tobytes(), whole[:, :, :3])
    for packed in (False, True):
        how = {'compression': 'tga_rle'} if packed else {}
        reads('TGA in colour', saved(Image.fromarray(rgb), 'TGA', **how), rgb)
        reads('TGA with alpha', saved(Image.fromarray(rgba), 'TGA', **how), rgba)
        reads('TGA grey', saved(Image.fromarray(grey[:, :, 0]), 'TGA', **how), grey)
        reads('TGA with a palette', saved(by_palette, 'TGA', **how), palette[index[:, :, 0]])
        reads('TGA upside down', saved(Image.fromarray(rgb), 'TGA', orientation=-1, **how), rgb)
    bare = struct.pack('<BBB5xHHHHBB', 0, 0, 2, 0, 0, W, H, 24, 0x20) + rgb[:, :, ::-1].tobytes()
    never_cut('BMP', saved(Image.fromarray(rgb), 'BMP'), 97)
    never_cut('TGA', bare, 97, upto=len(bare))
    never_cut('TGA of runs', saved(Image.fromarray(rgb), 'TGA', compression='tga_rle')[:-26], 97)
    refused('TGA from right to left', bare[:17] + b'\x30' + bare[18:], 'from right to left')
    refused('BMP of runs', header[:30] + b'\1' + header[31:] + whole.tobytes(), 'run lengths')
    refused('BMP beyond the memory allowed', saved(Image.new('RGB', (900, 900)), 'BMP'), 'of memory', status=5,
            more=('--max-memory', '1M'))
    refused('BMP of 900 million pixels', header[:18] + struct.pack('<ii', 30000, 30000) + header[26:] + whole.tobytes(),
            'at most 268435456')


def cmyk_suite():
    """Such files store what the inks leave of the paper, with the marker of Adobe or without it."""
    inks = noise(4)
    marked = saved(Image.fromarray(inks, 'CMYK'), 'JPEG', quality=95, subsampling=0)
    at = marked.find(b'\xff\xee')
    assert at > 0, 'PIL wrote no marker of Adobe'
    bare = marked[:at] + marked[at + 2 + struct.unpack('>H', marked[at + 2:at + 4])[0]:]
    for name, file in ('with the marker', marked), ('without', bare):
        light = 255 - np.asarray(Image.open(io.BytesIO(file))).astype(int)
        reads(f'JPEG of inks, {name}', file, ((light[:, :, :3] * light[:, :, 3:] + 127) // 255).astype(np.uint8))
        if not subprocess.run(['sh', '-c', 'command -v djpeg'], stdout=subprocess.DEVNULL).returncode:
            open('djpeg.jpg', 'wb').write(file)
            shown = subprocess.run(['djpeg', '-ppm', 'djpeg.jpg'], stdout=subprocess.PIPE, check=True).stdout
            reads(f'JPEG of inks as djpeg shows it, {name}', file, np.asarray(Image.open(io.BytesIO(shown))))
    refused('JPEG of inks cut short', marked[:len(marked) // 2], 'is cut short')


# ---- What is written --------------------------------------------------------------------------------------------------

def writes_suite():
    global cases
    for channels, depth in (1, 8), (3, 8), (4, 8), (1, 16), (3, 16):
        pixels = noise(channels, depth)
        photo = tiff(pixels, depth, extra=(2,) if channels == 4 else ())
        open('photo.tif', 'wb').write(photo)
        seeds_for(W, H)
        for extension in ('tif', 'tiff', 'webp', 'tga', 'bmp'):
            cases += 1
            words = ['segment', 'photo.tif', '-s', 'seeds.pgm:trimap', '-o', f'mask.{extension}']
            if extension != 'bmp':
                words += ['--cutout', f'cut.{extension}', '--keep-hidden']
            ran = run(*words)
            again = run('segment', 'photo.tif', '-s', 'seeds.pgm:trimap', '-o', 'mask.pgm', '--cutout', 'cut.png',
                        '--keep-hidden')
            if ran.returncode or again.returncode:
                failed.append(f'{extension} of {channels}x{depth}: {ran.stderr}{again.stderr}')
                continue
            mask, truth = np.asarray(Image.open(f'mask.{extension}').convert('L')), np.asarray(Image.open('mask.pgm'))
            if not (mask == truth).all():
                failed.append(f'{extension}: PIL reads another mask')
            if extension == 'bmp':
                continue
            if depth == 8 or extension in ('tga', 'webp'):
                got = np.asarray(Image.open(f'cut.{extension}').convert('RGBA'))
                want = np.asarray(Image.open('cut.png').convert('RGBA'))
                if depth == 16:
                    deep = png_samples('cut.png').astype(np.uint32)
                    want = ((deep * 255 + 32895) >> 16).astype(np.uint8)
                    want = want if want.shape[2] == 4 else np.dstack([want[:, :, :1]] * 3 + [want[:, :, 1]])
                if not (got == want).all():
                    failed.append(f'{extension} of {channels}x{depth}: PIL reads another cutout')
            # Seeds, masks and cutouts are read again from what was written.
            scored = run('score', '--json', '-', f'mask.{extension}', 'mask.pgm')
            if scored.returncode or '"error_rate": 0' not in scored.stdout:
                failed.append(f'{extension}: a mask cannot be scored: {scored.stderr}{scored.stdout}')
            refined = run('segment', 'photo.tif', '--mask', f'mask.{extension}', '-o', 'refined.pgm')
            if refined.returncode and 'nothing to refine' not in refined.stderr:
                failed.append(f'{extension}: a mask cannot be refined: {refined.stderr}')
            by_seeds = run('segment', 'photo.tif', '-s', f'mask.{extension}:trimap', '-o', 'again.pgm')
            if by_seeds.returncode or open('again.pgm', 'rb').read() != open('mask.pgm', 'rb').read():
                failed.append(f'{extension}: seeds cannot be read from it: {by_seeds.stderr}')


# ---- What goes from photo to result -----------------------------------------------------------------------------------

def exif_block(orientation, order):
    """A camera's: density, a preview of the photo in a second directory, and notes of the maker."""
    def entry(tag, kind, count, value):
        packed = struct.pack(order + 'HH', value, 0) if kind == 3 else struct.pack(order + 'I', value)
        return struct.pack(order + 'HHI', tag, kind, count) + packed

    secret, maker = b'SECRET preview' * 5, b'SECRET of the maker' * 4
    first, last, inner = 8, 8 + 2 + 5 * 12 + 4, 8 + 2 + 5 * 12 + 4 + 2 + 2 * 12 + 4
    density = inner + 2 + 2 * 12 + 4
    notes = density + 8
    block = (b'II' if order == '<' else b'MM') + struct.pack(order + 'HI', 42, first)
    block += struct.pack(order + 'H', 5) + entry(0x112, 3, 1, orientation) + entry(0x11a, 5, 1, density)
    block += entry(0x11b, 5, 1, density) + entry(0x128, 3, 1, 2) + entry(0x8769, 4, 1, inner)
    block += struct.pack(order + 'I', last)
    block += struct.pack(order + 'H', 2) + entry(0x201, 4, 1, notes + len(maker)) + entry(0x202, 4, 1, len(secret))
    block += struct.pack(order + 'I', 0)
    block += struct.pack(order + 'H', 2) + entry(0x8827, 3, 1, 400) + entry(0x927c, 7, len(maker), notes)
    block += struct.pack(order + 'I', 0) + struct.pack(order + 'II', 3000, 10)
    return block + maker + secret


def facts_suite():
    """Density, EXIF without previews and turned upright, and the profile; none of it if it is not wanted."""
    global cases
    from PIL import ImageCms
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile('sRGB')).tobytes()
    picture = Image.fromarray(noise(3))
    for kind, order, has_density in ('png', '<', True), ('jpg', '>', False), ('webp', '>', False), ('tif', '<', True):
        exif = exif_block(6, order)
        how = {'icc_profile': profile, 'dpi': (300, 300)} if has_density else {'icc_profile': profile}
        if kind != 'tif':
            how['exif'] = b'Exif\0\0' + exif if kind != 'webp' else exif
        picture.save('facts.' + kind, **how)
        seeds_for(*((H, W) if kind != 'tif' else (W, H)))
        for result in 'png', 'tif', 'webp', 'jpg', 'bmp':
            for bare in False, True:
                cases += 1
                name = f'facts of {kind} in {result}{", not wanted" if bare else ""}'
                kinds = ['--overlay'] if result in ('jpg', 'bmp') else ['--cutout']
                ran = run('segment', 'facts.' + kind, '-s', 'seeds.pgm:trimap', *kinds, 'made.' + result,
                          *(['--no-metadata'] if bare else []))
                if ran.returncode:
                    failed.append(f'{name}: {ran.stderr}')
                    continue
                data, made = open('made.' + result, 'rb').read(), Image.open('made.' + result)
                if b'SECRET' in data or b'Exif' in data and bare:
                    failed.append(f'{name}: what is cut away is in it')
                dpi = made.info.get('dpi') if result != 'webp' else None
                if result != 'webp' and (dpi is None or abs(dpi[0] - 300) > 0.1) != bare:
                    failed.append(f'{name}: {dpi} dots an inch')
                if result != 'bmp' and (made.info.get('icc_profile') == profile) == bare:
                    failed.append(f'{name}: another profile, or none')
                if kind != 'tif' and result in ('png', 'webp', 'jpg'):
                    seen = made.getexif()
                    told = seen.get(0x112), seen.get_ifd(0x8769).get(0x8827), 0x927c in seen.get_ifd(0x8769)
                    if told != ((None, None, False) if bare else (1, 400, False)):
                        failed.append(f'{name}: orientation, speed and notes are {told}')
        mask = run('segment', 'facts.' + kind, '-s', 'seeds.pgm:trimap', '-o', 'mask.png')
        if mask.returncode or abs(Image.open('mask.png').info.get('dpi', (0,))[0] - 300) > 0.1:
            failed.append(f'facts of {kind}: the mask has lost its density: {mask.stderr}')


tiff_suite()
facts_suite()
webp_suite()
bmp_and_tga_suite()
cmyk_suite()
writes_suite()
for line in failed:
    print('      ' + line)
print(f'{cases} pictures, {len(failed)} not as they should be')
sys.exit(bool(failed) or not cases)
