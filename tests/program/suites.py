# SPDX-License-Identifier: MIT
"""Suites of TIFF, WebP, BMP, TGA and CMYK JPEG. The program must read every variant written here as the pixels that
were drawn, or as the format's own library shows them. Also checks files written in these formats, and what is copied
from a photo to its results. Arguments: see suite_cases.py."""
import io
import struct
import subprocess
import sys
import zlib

import numpy as np
from PIL import Image

sys.dont_write_bytecode = True
from samples import png_samples
from suite_cases import H, W, cases, failed, never_cut, noise, random, reads, refused, run, saved, seeds_for
from suite_tiff import tiff, tiff_suite, turned


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


def bmp_of(header, bits, colors, gap, rows):
    """Returns a file with rows from bottom to top, each padded to a multiple of four bytes, after a palette and a
    gap."""
    body = b''.join(row.tobytes() + bytes(-row.nbytes % 4) for row in rows[::-1])
    fields = struct.pack('<HHHH', W, H, 1, bits) if header == 12 else struct.pack('<iiHH', W, H, 1, bits)
    head = (struct.pack('<I', header) + fields).ljust(header, b'\0') + colors + b'\xa5' * gap
    return struct.pack('<2sIII', b'BM', 14 + len(head) + len(body), 0, 14 + len(head)) + head + body


def bmp_headers_suite(rgb, palette, index):
    """Headers of every size, with palettes that are complete, too short, or not needed, and with and without a gap
    between palette and pixels."""
    bgr, index = rgb[:, :, ::-1], index.copy()
    index[:2] = [[248], [255]]
    colors = palette[index]
    four = np.dstack([palette[None, :, ::-1], np.zeros((1, 256, 1), np.uint8)]).tobytes()
    three = palette[:, ::-1].tobytes()
    for gap in (0, 2, 84):
        for header in (40, 52, 56, 64, 108, 124):
            reads(f'BMP with a header of {header}, a palette, a gap of {gap}', bmp_of(header, 8, four, gap, index), colors)
            reads(f'BMP with a header of {header}, a gap of {gap}', bmp_of(header, 24, b'', gap, bgr), rgb)
        reads(f'BMP of OS/2, 256 colours, a gap of {gap}', bmp_of(12, 8, three, gap, index), colors)
        reads(f'BMP of OS/2 in colour, a gap of {gap}', bmp_of(12, 24, b'', gap, bgr), rgb)
    reads('BMP in colour with a palette', bmp_of(40, 24, four, 0, bgr), rgb)
    short = palette.copy()
    short[200:] = 0
    reads('BMP that lacks colours', bmp_of(40, 8, four[:800], 0, index), short[index],
          'colours that its palette of 200 lacks; they are black')
    reads('BMP of OS/2 that lacks colours', bmp_of(12, 8, three[:600], 0, index), short[index],
          'colours that its palette of 200 lacks')
    refused('BMP without a palette', bmp_of(40, 8, b'', 0, index), 'begin within')
    refused('BMP of two bits', bmp_of(40, 2, four[:16], 0, index), 'two bits a pixel')


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
    bmp_headers_suite(rgb, palette, index[:, :, 0])
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
    bits = np.asarray(black.convert('L'))[:, :, None]
    one = saved(black, 'TGA')
    assert one[16] == 1, 'PIL wrote no TGA of one bit'
    reads('TGA of one bit', one, bits)
    rows = np.packbits(bits[:, :, 0] > 0, axis=1)
    reads('TGA of one bit, upside down', one[:17] + b'\x20' + rows.tobytes(), bits)
    never_cut('TGA of one bit', one[:18] + rows.tobytes(), 31)
    refused('TGA of one bit in runs', one[:2] + b'\x0b' + one[3:], 'one bit a pixel with run lengths')
    denied = saved(by_palette, 'TGA')
    denied = denied[:1] + b'\0' + denied[2:5] + b'\xd4\0' + denied[7:]
    refused('TGA that denies its palette', denied, 'a palette that its header denies')
    refused('TGA of a palette beside colours', bare[:1] + b'\1' + bare[2:5] + b'\1\0\x18' + bare[8:], 'does not use')
    refused('an icon', struct.pack('<HHHBBBBHHII', 0, 1, 1, 32, 32, 0, 0, 1, 32, 70000, 22) + bytes(99), 'an icon file')
    refused('a cursor', struct.pack('<HHHBBBBHHII', 0, 2, 1, 32, 32, 0, 0, 1, 32, 70000, 22) + bytes(99), 'an icon file')
    refused('text that begins as PFM does', b'Pfingsten is a feast' + bytes(99), 'not a PNG')
    refused('a thumbnail of xv', b'P7 332\n#END_OF_COMMENTS\n4 4 255\n' + bytes(16), 'a thumbnail of xv')
    refused('TGA from right to left', bare[:17] + b'\x30' + bare[18:], 'from right to left')
    refused('BMP of runs', header[:30] + b'\1' + header[31:] + whole.tobytes(), 'run lengths')
    refused('BMP beyond the memory allowed', saved(Image.new('RGB', (900, 900)), 'BMP'), 'of memory', status=5,
            more=('--max-memory', '1M'))
    refused('BMP of 900 million pixels', header[:18] + struct.pack('<ii', 30000, 30000) + header[26:] + whole.tobytes(),
            'at most 268435456')


def cmyk_suite():
    """These files store the light that each ink lets through, with or without Adobe's marker."""
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



def packed(pixels, clear_first=True):
    """Packs pixels of 8 bits as GIF does. The table of codes is never cleared once it is full, which few programs do."""
    table, width, bits, count, codes = {bytes([i]): i for i in range(256)}, 9, 0, 0, bytearray()
    known = 258  # codes that the reader knows: it adds one after each code but the first
    def put(code):
        nonlocal bits, count
        bits, count = bits | code << count, count + width
        while count >= 8:
            codes.append(bits & 255)
            bits, count = bits >> 8, count - 8
    if clear_first:
        put(256)
    text, written = b'', 0
    for pixel in bytes(pixels) + b'\0':  # the last one only ends the text before it
        longer = text + bytes([pixel])
        if longer in table and len(longer) + written <= len(bytes(pixels)):
            text = longer
            continue
        put(table[text])
        written += len(text)
        if known < 4096 and written > len(text):
            known += 1
        if len(table) < 4096 - 2:
            table[longer] = len(table) + 2
        if known == 1 << width and width < 12:
            width += 1
        text = bytes([pixel])
    put(257)
    codes.append(bits & 255)
    blocks = (codes[i:i + 255] for i in range(0, len(codes), 255))
    return b'\x08' + b''.join(bytes([len(block)]) + block for block in blocks) + b'\0'


def gif_suite():
    palette = random.integers(0, 256, (256, 3)).astype(np.uint8)
    def by_palette(index):
        picture = Image.fromarray(index, 'P')
        picture.putpalette(palette.tobytes())
        return picture
    for colors in (2, 5, 256):
        index = random.integers(0, colors, (H, W)).astype(np.uint8)
        for interlace in (0, 1):
            name = f'GIF of {colors} colours{", interlaced" if interlace else ""}'
            reads(name, saved(by_palette(index), 'GIF', interlace=interlace), palette[index])
        holes = np.dstack([palette[index], np.where(index == 1, 0, 255).astype(np.uint8)])
        holes[index == 1] = 0 # colours behind holes are nobody's
        reads(f'GIF with holes, {colors} colours', saved(by_palette(index), 'GIF', transparency=1), holes)
        never_cut('GIF', saved(by_palette(index), 'GIF', interlace=0), 97)
    flat = np.zeros((H, W), np.uint8)
    reads('GIF of one colour', saved(by_palette(flat), 'GIF'), palette[flat])
    both = saved(by_palette(index), 'GIF', save_all=True, append_images=[by_palette(flat)])
    reads('GIF of two frames', both, palette[index], 'the first one is read')
    reads('GIF that is all hole', saved(by_palette(flat), 'GIF', transparency=0), np.zeros((H, W, 4), np.uint8))
    # Pixels outside of the frame are transparent, as in browsers, whatever the background colour is.
    part = bytearray(saved(by_palette(index[:H - 9, :W - 7]), 'GIF', interlace=0))
    bare = np.zeros((H, W, 4), np.uint8)
    bare[4:H - 5, 3:W - 4] = np.dstack([palette[index[:H - 9, :W - 7]], np.full((H - 9, W - 7), 255, np.uint8)])
    part[6:10] = struct.pack('<HH', W, H)
    frame = part.index(b',', 13 + 3 * 256)
    part[frame + 1:frame + 5] = struct.pack('<HH', 3, 4)
    for background in 0, 7:
        part[11] = background
        reads(f'GIF of a part, background {background}', bytes(part), bare)
    # Colours that are missing in its table of eight are transparent, as in browsers and ffmpeg.
    sixteen = Image.fromarray(index % 16, 'P')
    sixteen.putpalette(palette[:16].tobytes())
    whole = saved(sixteen, 'GIF', interlace=0, optimize=False)
    shown = np.dstack([palette[index % 16], np.full_like(index, 255)])
    shown[index % 16 > 7] = 0
    assert whole[10] & 7 == 3, 'PIL wrote no table of 16'
    reads('GIF that lacks colours', whole[:10] + bytes([whole[10] & ~7 | 2]) + whole[11:37] + whole[61:], shown)
    refused('GIF without colours', whole[:10] + b'\0' + whole[11:13] + whole[61:], 'missing color table')
    big = random.integers(0, 256, (120, 130)).astype(np.uint8)
    head = struct.pack('<6sHHBBB', b'GIF89a', 130, 120, 0xf7, 0, 0) + palette.tobytes()
    for clear_first in (True, False):
        reads(f'GIF whose table of codes stays full, {"with" if clear_first else "without"} a clear code',
              head + struct.pack('<BHHHHB', 44, 0, 0, 130, 120, 0) + packed(big, clear_first) + b';', palette[big])
    # Four pixels of two colours; and six pixels in a picture of four.
    tiny = b'GIF89a\2\0\2\0\x80\0\0' + bytes(3) + b'\xff' * 3 + b',\0\0\0\0\2\0\2\0\0\2'
    refused('GIF of an empty frame', tiny.replace(b'\2\0\2\0\0\2', b'\2\0\0\0\0\2') + b'\1\5\0;', 'first frame is empty')
    large = tiny.replace(b'\2\0\2\0\0\2', b'\3\0\2\0\0\2')
    refused('GIF whose frame is larger', large + b'\4\x44\2\x11\5\0;', 'first frame lies outside of the picture')
    control = b'!\xf9\5' + bytes(5) + b'\0,'
    refused('GIF with a control block of five', tiny.replace(b',', control) + b'\3\x48\xa0\0\0;', 'have 4 bytes')


# ---- What is written --------------------------------------------------------------------------------------------------

def writes_suite():
    for channels, depth in (1, 8), (3, 8), (4, 8), (1, 16), (3, 16):
        pixels = noise(channels, depth)
        photo = tiff(pixels, depth, extra=(2,) if channels == 4 else ())
        open('photo.tif', 'wb').write(photo)
        seeds_for(W, H)
        for extension in ('tif', 'tiff', 'webp', 'tga', 'bmp'):
            cases.append(f'mask.{extension}')
            words = ['segment', 'photo.tif', '-s', 'seeds.pgm:trimap', '-o', f'mask.{extension}']
            if extension != 'bmp':
                words += ['--edge', 'hard', '--cutout', f'cut.{extension}', '--keep-hidden']
            ran = run(*words)
            again = run('segment', 'photo.tif', '-s', 'seeds.pgm:trimap', '-o', 'mask.pgm', '--edge', 'hard',
                        '--cutout', 'cut.png', '--keep-hidden')
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
            # Written seeds, masks and cutouts are read again.
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
    """Returns the metadata of a camera: density, a preview of the photo in a second directory, and maker notes."""
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
    """Copies density, EXIF (without previews and turned upright) and the profile, or nothing if metadata is not
    wanted."""
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
                name = f'facts of {kind} in {result}{", not wanted" if bare else ""}'
                cases.append(name)
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


def png_chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))


def xmp_suite():
    """The orientation is only in XMP, in both of its forms, or in the texts that ImageMagick writes."""
    for form in ' tiff:Orientation="6" >', " tiff:Orientation = '6'>", '><tiff:Orientation> 6 </tiff:Orientation>':
        xmp = (f'<x:xmpmeta><rdf:Description tiff:Orientation="99"/><rdf:Description{form}</rdf:Description>'
               '</x:xmpmeta>').encode()
        pixels = noise(3)
        stored = np.ascontiguousarray(turned(pixels, 6))
        photo = Image.fromarray(stored)
        png, jpeg = saved(photo, 'PNG'), saved(photo, 'JPEG', quality=95)
        body = b'http://ns.adobe.com/xap/1.0/\0' + xmp
        with_xmp = jpeg[:2] + b'\xff\xe1' + struct.pack('>H', len(body) + 2) + body + jpeg[2:]
        seen = turned(np.asarray(Image.open(io.BytesIO(jpeg))), 8)
        reads('JPEG turned by XMP', with_xmp, seen)
        at_once = saved(photo, 'JPEG', quality=95, exif=b'Exif\0\0' + exif_block(1, '<'))
        reads('JPEG upright by EXIF, turned by XMP', at_once[:2] + with_xmp[2:len(body) + 6] + at_once[2:], turned(seen, 6))
        for kind, data in {b'iTXt': b'XML:com.adobe.xmp\0\0\0en\0XMP\0' + xmp,
                           b'iTXt ': b'XML:com.adobe.xmp\0\1\0\0\0' + zlib.compress(xmp)}.items():
            reads('PNG turned by XMP', png[:33] + png_chunk(kind[:4], data) + png[33:], pixels)
            reads('PNG turned by XMP at its end', png[:-12] + png_chunk(kind[:4], data) + png[-12:], pixels)
        reads('WebP turned by XMP', saved(photo, 'WEBP', lossless=True, exact=True, xmp=xmp), pixels)
        reads('TIFF turned by XMP', tiff(stored, more={700: (1, list(xmp))}.items()), pixels)
        reads('TIFF upright by its tag', tiff(stored, orientation=1, more={700: (1, list(xmp))}.items()), stored)
    digits = (b'Exif\0\0' + exif_block(6, '>')).hex().encode()
    lines = b'\nexif\n%8d\n' % (len(digits) // 2) + b'\n'.join(digits[i:i + 72] for i in range(0, len(digits), 72)) + b'\n'
    for name in b'exif', b'APP1':
        text = b'Raw profile type ' + name + b'\0'
        reads('PNG turned by a text', png[:33] + png_chunk(b'tEXt', text + lines) + png[33:], pixels)
        packed = png_chunk(b'zTXt', text + b'\0' + zlib.compress(lines))
        reads('PNG turned by a packed text', png[:-12] + packed + png[-12:], pixels)
    bomb = png_chunk(b'zTXt', text + b'\0' + zlib.compress(bytes(1 << 27)))
    reads('PNG with a text that says nothing', png[:33] + bomb + png[33:], stored)


tiff_suite()
xmp_suite()
facts_suite()
webp_suite()
bmp_and_tga_suite()
gif_suite()
cmyk_suite()
writes_suite()
for line in failed:
    print('      ' + line)
print(f'{len(cases)} pictures, {len(failed)} not as they should be')
sys.exit(bool(failed) or not cases)
