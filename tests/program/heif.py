# SPDX-License-Identifier: MIT
"""Compares how the program and heif-convert read HEIC and AVIF files written by heif-enc.

Arguments: the program, an empty folder, and a third one if AVIF can be written. The program also reads the PNG of
heif-convert (suites.sh compares that reader with others), and both cutouts must have the same samples."""
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
random = np.random.default_rng(31)
tilecut = sys.argv[1]
os.chdir(sys.argv[2])
cases, failed = 0, []


def blocks(channels, depth=8):
    """Returns patches of random colours, which survive compression."""
    patches = random.integers(0, 1 << depth, (8, 10, channels))
    return np.kron(patches, np.ones((4, 4, 1), int))[:H, :W].astype(np.uint16 if depth > 8 else np.uint8)


def write_png(path, pixels, icc=b''):
    height, width, channels = pixels.shape
    depth = pixels.dtype.itemsize * 8

    def chunk(kind, body):
        return struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))
    rows = pixels.astype('>u2' if depth == 16 else np.uint8).reshape(height, -1)
    packed = zlib.compress(b''.join(b'\0' + row.tobytes() for row in rows))
    header = struct.pack('>IIBBBBB', width, height, depth, {1: 0, 3: 2, 4: 6}[channels], 0, 0, 0)
    profile = chunk(b'iCCP', b'some\0\0' + zlib.compress(icc)) if icc else b''
    with open(path, 'wb') as file:
        file.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) + profile + chunk(b'IDAT', packed) + chunk(b'IEND', b''))


def run(*words):
    return subprocess.run([tilecut, *words], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)


def tool(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    if done.returncode:
        failed.append(f'{" ".join(words)}: {done.stderr or done.stdout}')
    return not done.returncode


def shown(path):
    """Returns the photo as the program reads it: RGB and alpha of a cutout in which all but a corner is foreground."""
    ran = run('segment', path, '--exif', 'apply' if path != 'tool.png' else 'ignore', '--fg', '1,1 1,1', '--bg', '0,0',
              '--brush', '0', '--colors', 'none', '--lambda', '1', '--edge', 'hard', '--cutout', 'cut.png', '--keep-hidden',
              '--no-metadata')
    if ran.returncode or [line for line in ran.stderr.splitlines() if 'is transparent in' not in line]:
        failed.append(f'{path}: status {ran.returncode}: {ran.stderr.strip()}')
        return None
    got = png_samples('cut.png')
    return got if got.shape[2] == 4 else got[:, :, [0, 0, 0, 1]]


def same(name, source, made, *options, bits=8):
    """heif-enc compresses `source` into `made`, and both readers must give the same samples. Samples of more than 8
    bits are compared at the depth of the file, because older versions of heif-convert leave the other bits 0."""
    global cases
    cases += 1
    if tool('heif-enc', *options, source, '-o', made) and tool('heif-convert', made, 'tool.png'):
        ours, theirs = shown(made), shown('tool.png')
        if ours is None or theirs is None or ours.shape != theirs.shape or ours.dtype != theirs.dtype:
            failed.append(f'{name}: {getattr(ours, "shape", 0)} and {getattr(theirs, "shape", 0)}')
            return
        unused = ours.dtype.itemsize * 8 - bits
        if (ours >> unused != theirs >> unused).any():
            failed.append(f'{name}: {np.count_nonzero(ours >> unused != theirs >> unused)} other samples than heif-convert')


def pictures():
    for extension in 'heic', 'avif':
        for channels in 1, 3, 4:
            write_png('photo.png', blocks(channels))
            same(f'{extension} of {channels} channels', 'photo.png', f'p{channels}.{extension}', '-q', '60')
    for bits, channels, kind in (10, 3, 'heic'), (12, 3, 'heic'), (10, 4, 'heic'), (12, 3, 'avif'):
        write_png('deep.png', blocks(channels, 16))
        same(f'{kind} of {bits} bits, {channels} channels', 'deep.png', f'd{bits}{channels}.{kind}', '-b', str(bits), '-q',
             '70', bits=bits)
        if png_samples('cut.png').dtype != np.uint16:
            failed.append(f'{kind} of {bits} bits is read as 8')


def turned(data, kind, how):
    """Returns the file with a property that turns or mirrors the picture, in place of the property that gives the bit
    depth."""
    at = data.find(b'pixi')
    if at < 0:
        failed.append('heif-enc wrote no pixi, which was to be replaced')
        return data
    return data[:at] + kind + bytes([how]) + data[at + 5:]


def turns():
    """The file's own rotation counts. The EXIF of a camera is ignored, because it repeats the rotation or is out of
    date."""
    global cases
    picture, exif = Image.fromarray(blocks(3)), Image.Exif()
    exif[0x112] = 6
    picture.save('turned.jpg', quality=95, exif=exif)
    tool('heif-enc', '-q', '60', 'turned.jpg', '-o', 'straight.heic')
    straight, sizes = shown('straight.heic'), set()
    for kind, how in (b'irot', 0), (b'irot', 1), (b'irot', 2), (b'irot', 3), (b'imir', 0), (b'imir', 1):
        cases += 1
        name = f'{kind} {how}'
        with open('turned.heic', 'wb') as file:
            file.write(turned(open('straight.heic', 'rb').read(), kind, how))
        if not tool('heif-convert', 'turned.heic', 'tool.png'):
            continue
        ours, theirs = shown('turned.heic'), shown('tool.png')
        if ours is None or theirs is None or ours.shape != theirs.shape or (ours != theirs).any():
            failed.append(f'{name}: other pixels than those of heif-convert')
            continue
        sizes.add(ours.shape[:2])
        if name != "b'irot' 0" and ours.shape == straight.shape and (ours[:, :, :3] == straight[:, :, :3]).all():
            failed.append(f'{name}: is not turned')
        run('segment', 'turned.heic', '--fg', '1,1 1,1', '--bg', '20,20', '--cutout', 'cut.png')
        if Image.open('cut.png').getexif().get(0x112) != 1:
            failed.append(f'{name}: the cutout is said to be turned by {Image.open("cut.png").getexif().get(0x112)}')
        ran = run('segment', 'turned.heic', '--exif', 'ignore', '--fg', '1,1 1,1', '--bg', '0,0', '--brush', '0', '--colors',
                  'none', '--lambda', '1', '--edge', 'hard', '--cutout', 'cut.png', '--keep-hidden', '--no-metadata')
        if ran.returncode or (png_samples('cut.png') != straight).any():
            failed.append(f'{name}, ignored: {ran.stderr or "other pixels than as it is stored"}')
    if sizes != {(W, H), (H, W)}:
        failed.append(f'turned pictures are of {sizes}')


def profile():
    global cases
    cases += 1
    from PIL import ImageCms
    icc = ImageCms.ImageCmsProfile(ImageCms.createProfile('sRGB')).tobytes()
    write_png('profile.png', blocks(3), icc)
    tool('heif-enc', 'profile.png', '-o', 'profile.heic')
    ran = run('segment', 'profile.heic', '--fg', '1,1 1,1', '--bg', '20,20', '--cutout', 'cut.png')
    if ran.returncode or Image.open('cut.png').info.get('icc_profile') != icc:
        failed.append(f'the profile is lost: {ran.stderr}')


def refused(name, data, status=(3,), said='case.heic: ', more=()):
    global cases
    cases += 1
    with open('case.heic', 'wb') as file:
        file.write(data)
    ran = run('segment', 'case.heic', '--fg', '1,1 1,1', '--bg', '20,20', '-o', 'none.png', *more)
    errors = [line for line in ran.stderr.splitlines() if not line.startswith('tilecut: note: ')]
    if ran.returncode not in status or len(errors) != bool(ran.returncode) or ran.returncode and said not in ran.stderr:
        failed.append(f'{name}: status {ran.returncode}: {ran.stderr.strip()}')


def sized(data, width, height):
    """Returns the file with another size in its header."""
    at, changed = data.find(b'ispe'), data
    while at > 0:
        changed = changed[:at + 8] + struct.pack('>II', width, height) + changed[at + 16:]
        at = data.find(b'ispe', at + 4)
    return changed


def refusals():
    for extension in 'heic', 'avif':
        data = open(f'p3.{extension}', 'rb').read()
        for size in [*range(12, len(data), len(data) // 9), len(data) - 1]:
            refused(f'{extension} cut after {size} of {len(data)} bytes', data[:size])
        for _ in range(12):
            bad = bytearray(data)
            for at in random.integers(12, len(bad), 4):
                bad[at] = random.integers(0, 256)
            refused(f'{extension} damaged', bytes(bad), (0, 3, 5))
        refused(f'{extension} of 3 thousand million pixels', sized(data, 60000, 60000), (3,), 'case.heic: ')
        refused(f'{extension} of 10^10 columns', sized(data, 2 ** 31 + 5, 4))
        refused(f'{extension} of no columns', sized(data, 0, 4))
        refused(f'{extension} beyond the pixels allowed', data, (3,), 'at most 900 are accepted', ('--max-pixels', '900'))
        refused(f'{extension} beyond the memory allowed', data, (5,), 'of memory', ('--max-memory', '40K'))


def written():
    """For heif-convert and for the program, each result as AVIF has the samples and the profile of the same result as
    PNG."""
    global cases
    from PIL import ImageCms
    icc = ImageCms.ImageCmsProfile(ImageCms.createProfile('sRGB')).tobytes()
    for channels in 1, 3, 4:
        write_png('photo.png', random.integers(0, 256, (H, W, channels)).astype(np.uint8), icc if channels == 3 else b'')
        for result in ('--output', '--alpha', '--cutout', '--overlay') if channels == 3 else ('--cutout',):
            cases += 1
            for made in 'made.png', 'made.avif':
                ran = run('segment', 'photo.png', '--fg', '9,9 20,15', '--bg', '0,0 30,1', result, made)
                if ran.returncode:
                    failed.append(f'{result} {made} of {channels} channels: {ran.stderr.strip()}')
            if tool('heif-convert', 'made.avif', 'tool.png'):
                ours, theirs = Image.open('made.png'), Image.open('tool.png')
                if (np.asarray(ours.convert('RGBA')) != np.asarray(theirs.convert('RGBA'))).any():
                    failed.append(f'{result} of {channels} channels: heif-convert sees other samples than in the PNG')
                if ours.info.get('icc_profile') != theirs.info.get('icc_profile'):
                    failed.append(f'{result} of {channels} channels: another profile than in the PNG')
            if result == '--output':
                ran = run('score', 'made.avif', 'made.png')
                if ran.returncode or '1.0000' not in ran.stdout:
                    failed.append(f'the mask read again: {ran.stdout} {ran.stderr}')


if len(sys.argv) > 3:
    written()
pictures()
turns()
profile()
refusals()
for line in failed:
    print('      ' + line)
print(f'{cases} pictures, {len(failed)} not as they should be')
sys.exit(bool(failed) or not cases)
