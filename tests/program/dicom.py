# SPDX-License-Identifier: MIT
"""Makes DICOM folders and files with known numbers byte by byte, and compares their cut with that of a NRRD file with
the same numbers.

Arguments: the program, an empty folder. The same numbers must give the same flow, range, spacing and labels; the
position is compared with the header of the labels in NIfTI."""
import glob
import gzip
import json
import os
import shutil
import struct
import subprocess
import sys
import time

import numpy as np

# The reader is a separate process whose standard error is not shown, so sanitizers write their reports to files. It is
# no error if a sanitizer refuses it memory.
for name in ('ASAN_OPTIONS', 'UBSAN_OPTIONS'):
    logs = os.path.join(os.path.abspath(sys.argv[2]), 'sanitizer')
    os.environ[name] = f"{os.environ.get(name, '')}:log_path={logs}:allocator_may_return_null=1"
W, H, D = 9, 7, 6
random = np.random.default_rng(47)
tilecut = sys.argv[1]
os.chdir(sys.argv[2])
cases, failed = 0, []
LONG = ('OB', 'OW', 'SQ', 'UN')
LITTLE, SECONDARY = '1.2.840.10008.1.2.1', '1.2.840.10008.5.1.4.1.1.2'


# ---- A writer: explicit types, little endian ------------------------------------------------------

def element(group, number, kind, value):
    """Returns one element. The value is text, 16-bit numbers, bytes, or the elements of each item of a sequence."""
    if kind == 'SQ':
        value = b''.join(struct.pack('<HHI', 0xfffe, 0xe000, len(item)) + item for item in value)
    elif isinstance(value, str):
        value = value.encode() + (b'\0' if kind == 'UI' else b' ') * (len(value) % 2)
    elif kind == 'US':
        value = struct.pack('<H', value)
    head = struct.pack('<HH2s', group, number, kind.encode())
    return head + (struct.pack('<HI', 0, len(value)) if kind in LONG else struct.pack('<H', len(value))) + value


def text(numbers):
    return '\\'.join(f'{n:.9g}' for n in np.ravel(numbers))


def dicom(path, values, **says):
    """Writes a file. `values` has the rows of a slice, or of frames. The elements in `says` are added in the order of
    their tags."""
    values = np.asarray(values)
    frames, channels = says.get('frames'), says.get('channels', 1)
    rows, columns = values.shape[1 if frames else 0:][:2] if not says.get('planar') else values.shape[1:]
    bits = values.dtype.itemsize * 8
    stored = says.get('stored', bits)
    all_of = {
        (0x0008, 0x0016): ('UI', SECONDARY), (0x0008, 0x0018): ('UI', says.get('uid', f'1.9.{abs(hash(path)) % 10**9}')),
        (0x0008, 0x0060): ('CS', 'CT'), (0x0008, 0x103e): ('LO', says.get('description', 'chest')),
        (0x0020, 0x000e): ('UI', says.get('series', '1.2.3')), (0x0020, 0x0013): ('IS', str(says.get('number', 1))),
        (0x0028, 0x0002): ('US', channels), (0x0028, 0x0004): ('CS', says.get('colors', 'MONOCHROME2')),
        (0x0028, 0x0010): ('US', rows), (0x0028, 0x0011): ('US', columns), (0x0028, 0x0100): ('US', bits),
        (0x0028, 0x0101): ('US', stored), (0x0028, 0x0102): ('US', says.get('high', stored - 1)),
        (0x0028, 0x0103): ('US', int(values.dtype.kind == 'i')), (0x0018, 0x0050): ('DS', '99'),
        (0x7fe0, 0x0010): ('OW', values.tobytes())}
    if frames:
        all_of[0x0028, 0x0008] = 'IS', str(frames)
    if channels > 1:
        all_of[0x0028, 0x0006] = 'US', int(bool(says.get('planar')))
    for name, tag in (('position', (0x0020, 0x0032)), ('direction', (0x0020, 0x0037)), ('spacing', (0x0028, 0x0030)),
                      ('offset', (0x0028, 0x1052)), ('slope', (0x0028, 0x1053))):
        if name in says:
            all_of[tag] = 'DS', text(says[name])
    all_of.update(says.get('more', {}))
    body = b''.join(element(*tag, *all_of[tag]) for tag in sorted(all_of) if all_of[tag])
    meta = element(2, 2, 'UI', SECONDARY) + element(2, 3, 'UI', '1.9') + element(2, 0x10, 'UI', LITTLE)
    begin = b'\0' * 128 + b'DICM' + element(2, 0, 'UL', struct.pack('<I', len(meta))) + meta
    with open(path, 'wb') as file:
        file.write(begin + body)


# ---- A volume that lies askew ---------------------------------------------------------------------

row, column = np.array([0.8, 0.6, 0]), np.array([0, 0, -1.0])
normal = np.cross(row, column)
# spacing is the distance between rows, and between columns
step, corner, spacing = 2.5, np.array([-30.5, 12.25, 100]), (0.75, 0.5)
AXES = {'direction': [row, column], 'spacing': spacing}


def place(z):
    return corner + z * step * normal


def folder(name, volume, **says):
    """Writes a file for each slice; the order of the names differs from that of the slices."""
    os.makedirs(name, exist_ok=True)
    for z, values in enumerate(volume):
        its = {'position': place(z), 'number': z + 1, **AXES, **says}
        its = {key: value(z) if callable(value) else value for key, value in its.items()}
        dicom(f'{name}/{says.get("prefix", "")}{(z * 5 + 2) % len(volume)}.dcm', values,
              **{key: value for key, value in its.items() if value is not None})


def nrrd(name, volume, distances=(spacing[1], spacing[0], step)):
    kinds = {'u1': 'uint8', 'i2': 'int16', 'u2': 'uint16', 'f4': 'float'}
    head = ['NRRD0004', f'type: {kinds[volume.dtype.str[1:]]}', 'dimension: 3',
            f'sizes: {" ".join(str(n) for n in volume.shape[::-1])}', f'spacings: {" ".join(map(repr, distances))}',
            'endian: little', 'encoding: raw', '', '']
    with open(name, 'wb') as file:
        file.write('\n'.join(head).encode() + volume.tobytes())


def run(*words, stdin=subprocess.DEVNULL):
    return subprocess.run([tilecut, *words], capture_output=True, text=True, timeout=60, stdin=stdin)


def cut(path, *options):
    """Returns the report of a run, and its standard error."""
    ran = run('segment', path, '--fg', '4,3,2', '--bg', '0,0,0 8,0,0', '--brush', '0', '-o', 'mask.nii.gz', '--json', 'r.json',
              *options)
    if ran.returncode:
        return {'status': ran.returncode}, ran.stderr
    with open('r.json', encoding='utf-8') as file:
        report = json.load(file)
    return {key: report[key] for key in ('width', 'height', 'slices', 'flow', 'mask_sha256', 'range', 'spacing')}, ran.stderr


def same(what, path, volume, *options, says='', scale=(1, 0), **other):
    """Checks that the cut equals that of a NRRD file, and that a note contains `says`."""
    global cases
    cases += 1
    nrrd('other.nrrd', volume, **other)
    ours, said = cut(path, *options)
    theirs, refused = cut('other.nrrd')
    if 'range' in theirs:
        theirs['range'] = [scale[0] * value + scale[1] for value in theirs['range']]
    if ours != theirs or says not in said or (said and not says):
        failed.append(f'{what}: {ours} {said!r}, and of a NRRD {theirs} {refused!r}')


def refused(what, path, status, says, *options):
    global cases
    cases += 1
    ours, said = cut(path, *options)
    if ours != {'status': status} or says not in said or said.count('\n') != 1:
        failed.append(f'{what}: {ours} {said!r}, and not {status} with {says!r}')


ball = np.fromfunction(lambda z, y, x: (x - 4) ** 2 + (y - 3) ** 2 + 2 * (z - 2) ** 2, (D, H, W)) < 8
volume = (ball * 700 - 300 + random.integers(-90, 90, ball.shape)).astype('<i2')

# ---- Folders --------------------------------------------------------------------------------------

folder('plain', volume, slope=2, offset=-1000)
same('signed, scaled, in the order of places', 'plain', volume, scale=(2, -1000))
cut('plain')
with gzip.open('mask.nii.gz') as file:
    head = file.read(348)
lies = np.array(struct.unpack_from('<12f', head, 280)).reshape(3, 4)
lps = np.stack([row * spacing[1], column * spacing[0], normal * step, corner], 1)
if not np.allclose(lies, np.diag([-1, -1, 1]) @ lps, atol=1e-4):
    failed.append(f'labels lie at {lies}')
same('in parts', 'plain', volume, '--parts', '2', scale=(2, -1000))

folder('high', (volume + 1000 & 0xfff | 0x5000).astype('<u2'), stored=12)
same('12 bits, with something above', 'high', (volume + 1000).astype('<u2'))
folder('left', (volume + 1000 << 4).astype('<u2'), stored=12, high=15)
refused('12 bits on the left', 'left', 3, 'of a kind that is not read (its values are not in the lowest bits)')
folder('narrow', (volume & 0xfff).astype('<i2'), stored=12)
same('12 bits with a sign', 'narrow', volume)
folder('bytes', (volume + 400 >> 2).astype('u1'), colors='MONOCHROME1')
same('MONOCHROME1', 'bytes', (volume + 400 >> 2).astype('u1'), says='MONOCHROME1')
folder('slopes', volume, slope=lambda z: 1 + z % 2)
same('slices of several scales', 'slopes', (volume * (1 + np.arange(D) % 2)[:, None, None]).astype('<f4'))

shutil.copytree('plain', 'notes')
with open('notes/README.txt', 'w', encoding='utf-8') as file:
    file.write('no scan')
dicom('notes/DICOMDIR', np.zeros((1, 1), 'u1'), more={(0x0028, 0x0010): None, (0x0028, 0x0011): None})
same('beside other files', 'notes', volume, says='2 of its files, DICOMDIR among them, are no images', scale=(2, -1000))
shutil.copy('plain/1.dcm', 'notes/again.dcm')
same('one twice', 'notes', volume, '-q', scale=(2, -1000))
cases += 1
if '1 images twice' not in (said := cut('notes')[1]):
    failed.append(f'one twice: {said!r}')

folder('nowhere', volume, position=None)
same('without places', 'nowhere', volume, says='in the order of their numbers', distances=(0.5, 0.75, 99.0))
folder('moments', volume, number=lambda z: 2 * z)
folder('moments', volume[::-1].copy(), prefix='b', number=lambda z: 2 * z + 1)
same('the second of two volumes', 'moments', volume[::-1].copy(), '--volume', '2')
refused('two volumes', 'moments', 3, 'holds 2 volumes; say which one is meant with --volume 1 to 2')
folder('tilted', volume, position=lambda z: place(z) + 0.6 * z * column)
same('a tilted gantry', 'tilted', volume, says='tilted by 13.5 degrees', distances=(0.5, 0.75, float(np.hypot(2.5, 0.6))))

shutil.copytree('plain', 'series')
folder('series', volume[:, ::-1].copy(), prefix='b', series='1.2.4', description='head')
refused('two series', 'series', 3, 'holds 2 series; say which one is meant with --series UID: 1.2.3 (CT, chest, 6 images), '
        '1.2.4 (CT, head, 6 images)')
same('one of two series', 'series', volume[:, ::-1].copy(), '--series', '1.2.4')
refused('another series', 'series', 2, '--series 1.2.5: series holds no such series; it holds 1.2.3', '--series', '1.2.5')
refused('no DICOM', 'other.nrrd', 2, '--series: chooses in a folder of DICOM files', '--series', '1.2.3')

# ---- What is no volume ----------------------------------------------------------------------------

shutil.copytree('plain', 'gap')
os.remove('gap/5.dcm')  # the value that is in the middle of the six slices
refused('a missing slice', 'gap', 3, 'lie unevenly: 5 mm from ')
shutil.copytree('plain', 'more')
dicom('more/x.dcm', volume[0], position=place(2), number=9, **AXES)
refused('two at one place', 'more', 3, 'more images at one place than at others: ')
dicom('more/x.dcm', volume[0, :5], position=place(9), number=9, **AXES)
refused('another size', 'more', 3, 'x.dcm has another size than 0.dcm')
dicom('more/x.dcm', volume[0], position=place(6), direction=[column, row], spacing=spacing)
refused('another direction', 'more', 3, 'x.dcm has another direction than 0.dcm')

# ---- Single files ---------------------------------------------------------------------------------

groups = [element(0x20, 0x9113, 'SQ', [element(0x20, 0x32, 'DS', text(place(z)))]) for z in (3, 0, 5, 1, 2, 4)]
shared = element(0x20, 0x9116, 'SQ', [element(0x20, 0x37, 'DS', text([row, column]))]) + \
    element(0x28, 0x9110, 'SQ', [element(0x28, 0x30, 'DS', text(spacing))])
dicom('frames.dcm', volume[[3, 0, 5, 1, 2, 4]], frames=D, more={(0x5200, 0x9229): ('SQ', [shared]), (0x5200, 0x9230): ('SQ', groups)})
same('frames in any order', 'frames.dcm', volume)
dicom('dose.dcm', volume, frames=D, position=corner, more={(0x3004, 0x000c): ('DS', text(np.arange(D) * step))}, **AXES)
same('frames at offsets', 'dose.dcm', volume)
colors = random.integers(0, 255, (H, W, 3)).astype('u1')
dicom('color.dcm', colors, channels=3, colors='RGB', position=corner, **AXES)
dicom('planes.dcm', colors.transpose(2, 0, 1).copy(), channels=3, colors='RGB', planar=1, position=corner, **AXES)

# One slice in colour is a photo, if its channels are red, green and blue.
with open('color.ppm', 'wb') as file:
    file.write(b'P6\n%d %d\n255\n' % (W, H) + colors.tobytes())
photos = []
for name in ('color.ppm', 'color.dcm', 'planes.dcm'):
    cases += 1
    run('segment', name, '--fg', '1,1', '--bg', '5,5', '--brush', '0', '-o', 'mask.pgm', '--cutout', 'cut.png', '-q')
    photos.append([open(made, 'rb').read() for made in ('mask.pgm', 'cut.png')])
if photos[1:] != photos[:1] * 2:
    failed.append('a photo in colour is not cut like the same PPM')
shutil.copy('mask.pgm', 'photo.pgm')
for name in ('color.dcm', 'planes.dcm'):  # and as a scan it is cut in colour, too
    cases += 1
    run('segment', name, '--fg', '1,1,0', '--bg', '5,5,0', '--brush', '0', '-o', 'mask.pgm', '--range', '0,255', '-q')
    if open('mask.pgm', 'rb').read() != open('photo.pgm', 'rb').read():
        failed.append(f'{name}: a scan in colour is not cut like the photo')
dicom('luma.dcm', colors, channels=3, colors='YBR_FULL', position=corner, **AXES)
for status, says, *options in ((3, 'say which one is meant with --channel 1 to 3'),
                               (2, 'is for photos, and luma.dcm is a volume', '--cutout', 'luma.png')):
    cases += 1
    ran = run('segment', 'luma.dcm', '--fg', '1,1', '--bg', '5,5', '--brush', '0', '-o', 'luma.pgm', *options)
    if ran.returncode != status or says not in ran.stderr or os.path.exists('luma.pgm') or os.path.exists('luma.png'):
        failed.append(f'YBR as a photo: {ran}')
cases += 1
ran = run('segment', 'color.ppm', '--fg', '1,1', '--bg', '5,5', '--brush', '0', '--cutout', 'luma.png', '--background', 'luma.dcm')
if ran.returncode != 3 or 'luma.dcm: by its header its channels are not red, green' not in ran.stderr or os.path.exists('luma.png'):
    failed.append(f'YBR as a background: {ran}')
for name in ('color.dcm', 'planes.dcm'):
    for channel in range(3):
        cases += 1
        words = ('--fg', '1,1,0', '--bg', '5,5,0', '--brush', '0', '-o', 'mask.nii', '--json', 'r.json', '-q')
        nrrd('other.nrrd', colors[None, :, :, channel].copy(), distances=(0.5, 0.75, 99.0))
        sums = []
        for scan in ((name, '--channel', str(channel + 1)), ('other.nrrd',)):
            run('segment', *scan, *words)
            with open('r.json', encoding='utf-8') as file:
                report = json.load(file)
            sums.append([report[key] for key in ('flow', 'mask_sha256', 'spacing')])
        if sums[0] != sums[1]:
            failed.append(f'{name}, channel {channel}: {sums}')
with gzip.open('packed.dcm.gz', 'wb') as file:
    file.write(open('plain/1.dcm', 'rb').read())
refused('packed', 'packed.dcm.gz', 3, 'is a DICOM file packed by gzip; unpack it first')
dicom('palette.dcm', volume[0], colors='PALETTE COLOR')
refused('a palette', 'palette.dcm', 3, 'of a kind that is not read (its values are numbers in a palette of colours)')
dicom('report.dcm', volume[0], more={(0x0028, 0x0010): None, (0x0028, 0x0011): None})
refused('a report', 'report.dcm', 3, 'is a DICOM file without an image')

# The header has no types, though its transfer syntax requires them. gdcm reads it, but cannot tell where the compressed
# values begin.
bare = b''.join(struct.pack('<HHI', *tag, len(value)) + value for tag, value in (
    ((8, 0x16), SECONDARY.encode() + b'\0'), ((0x20, 0xe), b'1.2.3 '), ((0x28, 2), b'\1\0'), ((0x28, 4), b'MONOCHROME2 '),
    ((0x28, 0x10), b'\2\0'), ((0x28, 0x11), b'\2\0'), ((0x28, 0x100), b'\x08\0'), ((0x28, 0x101), b'\x08\0'),
    ((0x28, 0x102), b'\7\0'), ((0x28, 0x103), b'\0\0')))
items = struct.pack('<HHIHHIHHI4sHHI', 0x7fe0, 0x10, 0xffffffff, 0xfffe, 0xe000, 0, 0xfffe, 0xe000, 4, b'\xff\xd8\xff\xd9',
                    0xfffe, 0xe0dd, 0)
with open('bare.dcm', 'wb') as file:
    about = element(2, 2, 'UI', SECONDARY) + element(2, 3, 'UI', '1.9') + element(2, 0x10, 'UI', '1.2.840.10008.1.2.4.50')
    file.write(b'\0' * 128 + b'DICM' + element(2, 0, 'UL', struct.pack('<I', len(about))) + about + bare + items)
refused('a header of another kind', 'bare.dcm', 3, 'its header is written in another way than its transfer syntax says')

# ---- Damage ---------------------------------------------------------------------------------------
# The damage is the same in every run; at night it is new each time, and there is more of it. DICOM_SEED=N repeats the
# damage of a run that printed this seed.

night = os.environ.get('NIGHTLY')
seed = int(os.environ.get('DICOM_SEED') or (time.time() if night else 47))
random = np.random.default_rng(seed)
print(f'damage of DICOM_SEED={seed}')
wholes = []
for path in ('plain/1.dcm', 'frames.dcm', 'planes.dcm'):
    with open(path, 'rb') as file:
        wholes.append(file.read())
for _ in range(100 if night else 10):
    size = int(random.integers(132, len(wholes[0])))
    with open('short.dcm', 'wb') as file:
        file.write(wholes[0][:size])
    refused(f'cut at {size}', 'short.dcm', 3, 'short.dcm: ')
for k in range(1000 if night else 18):
    flipped = bytearray(wholes[k % 3])
    for at in random.integers(132, len(flipped), 1 + k % 4):
        flipped[at] ^= 1 << int(random.integers(8))
    with open('flipped.dcm', 'wb') as file:
        file.write(flipped)
    cases += 1
    ran = run('check', 'flipped.dcm', '--fg', '1,1,0', '--bg', '5,5,0', '--brush', '0', '--channel', '1')
    if ran.returncode not in (0, 2, 3, 4, 5) or (ran.returncode and ran.stderr.count('\n') != 1):
        failed.append(f'flipped {k}: status {ran.returncode}, {ran.stderr!r}')
    for path in glob.glob('sanitizer.*'):
        with open(path, encoding='utf-8') as file:
            report = file.read(2000)
        if ('ERROR' in report and 'failed to allocate' not in report) or 'runtime error' in report:
            failed.append(f'flipped {k}: {report}')
        os.remove(path)

print('\n'.join(failed[:8]) if failed else f'{cases} DICOM scans as they should be')
sys.exit(bool(failed))
