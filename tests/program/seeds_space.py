# SPDX-License-Identifier: MIT
"""A photo, a scan of one slice, a scan of several slices and its parts read seeds alike: the same status, words, mask
and counts, for every format of seeds, for conflicts, and for files that are refused. `tilecut check` says the same.

Arguments: tilecut, and an empty folder. Pictures are lists of rows of samples. What can differ is the names of things:
alike() makes the words of a scan those of a photo. Prints each case that differs, and ends with 1 if there is one."""
import json
import os
import random
import re
import struct
import subprocess
import sys
import zlib

W, H, SLICES = 60, 52, 4
tilecut, folder = sys.argv[1], sys.argv[2]
os.chdir(folder)
draw = random.Random(5)
failed, compared = [], 0


# ---- Files ----

def grid(value, height=H):
    return [[value(x, y) for x in range(W)] for y in range(height)]


def filled(value):
    return grid(lambda x, y: value)


def painted(picture, *boxes):
    """Returns a copy with some boxes painted: from x to x, from y to y, value."""
    copy = [row[:] for row in picture]
    for left, right, top, bottom, value in boxes:
        for row in copy[top:bottom]:
            row[left:right] = [value] * (right - left)
    return copy


def samples(picture, wide=None):
    return b''.join(struct.pack(wide, v) if wide else bytes([v]) for row in picture for pixel in row
                    for v in (pixel if isinstance(pixel, tuple) else (pixel,)))


def write(name, head, data):
    with open(name, 'wb') as file:
        file.write(head.encode() + data)


def write_grey(name, picture, wide=False):
    """Writes NAME.pgm, or NAME.nrrd of as many slices as the picture has heights."""
    height = len(picture)
    head = 'NRRD0004\ntype: %s\ndimension: 3\nsizes: %d %d %d\nspacings: 1 1 1\nendian: little\nencoding: raw\n\n'
    write(name + '.pgm', 'P5\n%d %d\n%d\n' % (W, height, 65535 if wide else 255),
          samples(picture, '>H' if wide else None))
    write(name + '.nrrd', head % ('uint16' if wide else 'uint8', W, min(H, height), max(1, height // H)),
          samples(picture, '<H' if wide else None))


def write_pages(name, picture):
    """Writes NAME.tif of pages in colour, as many as the picture has heights."""
    colors, size = len(picture[0][0]), W * H * len(picture[0][0])
    tags = {256: W, 257: H, 258: 8, 259: 1, 262: 2, 277: colors, 278: H, 279: size, 338: 2}
    page = 2 + 12 * (len(tags) + (colors == 4)) + 4 + size
    file = struct.pack('<2sHI', b'II', 42, 8)
    for first in range(0, len(picture), H):
        begin, last = len(file), first + H == len(picture)
        tags[273] = begin + page - size
        chosen = sorted(tag for tag in tags if tag != 338 or colors == 4)
        file += struct.pack('<H', len(chosen))
        file += b''.join(struct.pack('<HHII', tag, 4, 1, tags[tag]) for tag in chosen)
        file += struct.pack('<I', 0 if last else begin + page) + samples(picture[first:first + H])
    write(name + '.tif', '', file)


def write_frames(name, picture):
    """Writes NAME.gif of few colours, each frame on a transparent canvas. Codes have 8 bits, as the table is cleared
    before it needs more."""
    colors = [CLEAR] + sorted({pixel[:3] for row in picture for pixel in row if pixel[3:] != (0,)})
    if len(colors) > 128:
        return
    place = {color: i for i, color in enumerate(colors)}
    file = struct.pack('<6sHHBBB', b'GIF89a', W, H, 0xf6, 0, 0)
    file += b''.join(bytes(color[:3]) for color in colors).ljust(3 * 128, b'\0')
    for first in range(0, len(picture), H):
        pixels = [0 if pixel[3:] == (0,) else place[pixel[:3]] for row in picture[first:first + H] for pixel in row]
        file += b'!\xf9\4\11\0\0\0\0,' + struct.pack('<HHHHBB', 0, 0, W, H, 0, 7)
        file += b''.join(bytes([len(part) + 1, 128, *part])
                         for part in (pixels[i:i + 100] for i in range(0, len(pixels), 100))) + b'\1\x81\0'
    write(name + '.gif', '', file + b';')


def write_color(name, picture):
    """Writes NAME.png, and NAME.nrrd, NAME.tif and NAME.gif of as many slices as the picture has heights."""
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    head = struct.pack('>IIBBBBB', W, len(picture), 8, 2 if len(picture[0][0]) == 3 else 6, 0, 0, 0)
    data = zlib.compress(b''.join(b'\0' + samples([row]) for row in picture))
    write(name + '.png', '', b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', head) + chunk(b'IDAT', data) + chunk(b'IEND', b''))
    if len(picture) > H:
        write_pages(name, picture)
        write_frames(name, picture)
    write(name + '.nrrd', 'NRRD0004\ntype: uint8\ndimension: 4\nsizes: %d %d %d %d\nkinds: %s domain domain domain\n'
          'spacings: nan 1 1 1\nencoding: raw\n\n' %
          (len(picture[0][0]), W, H, len(picture) // H, 'RGB-color' if len(picture[0][0]) == 3 else 'RGBA-color'),
          samples(picture))


def write_shapes(name, *shapes):
    with open(name + '.json', 'w') as file:
        json.dump({'version': '5.0', 'imagePath': 'p.pgm', 'imageHeight': H, 'imageWidth': W,
                   'shapes': [{'label': label, 'shape_type': kind, 'points': points}
                              for label, kind, points in shapes]}, file)


OBJECT, TOP = (25, 35, 20, 30), (0, W, 0, 4)
CLEAR, GREEN, RED, BLUE = (0, 0, 0, 0), (0, 255, 0, 255), (255, 0, 0, 255), (0, 0, 255, 255)


def shade(x, y, across):
    return (180 if (x - 30) ** 2 + (y - 26) ** 2 + across < 225 else 70) + draw.randrange(-25, 26)


def make_grey():
    """Returns grey pictures of seeds, each with the value that its unpainted pixels have."""
    trimap = painted(filled(128), OBJECT + (255,), TOP + (0,))
    labels = painted(filled(0), OBJECT + (1,), TOP + (2,))
    mask = grid(lambda x, y: 255 if (x - 30) ** 2 + (y - 26) ** 2 < 225 else 0)
    return {
        'trimap': (trimap, 128), 'between': (painted(trimap, (10, 20, 10, 11, 50)), 128),
        'muddy': (painted(trimap, (0, W, 8, 20, 50)), 128), 'bottom': (painted(trimap, (0, W, 40, 44, 255)), 128),
        'foreground': (painted(trimap, TOP + (128,)), 128), 'background': (painted(trimap, OBJECT + (128,)), 128),
        'contrary': (painted(filled(128), (25, 35, 2, 25, 0), (0, W, 45, H, 255)), 128),
        'labels': (labels, 0), 'nine': (painted(labels, (3, 4, 30, 31, 9)), 0),
        'one': (painted(labels, TOP + (0,)), 0), 'all': (painted(filled(1), (0, 1, 0, 1, 2)), 1),
        'grabcut': (painted(filled(3), OBJECT + (1,), TOP + (0,)), 3), 'mask': (mask, 0),
        'soft': (painted(mask, (30, 33, 30, 31, 100)), 0), 'few': (painted(mask, (0, 20, 0, 10, 2)), 0),
        'zero': (filled(0), 0), 'white': (filled(255), 255)}


def make_color():
    strokes = painted(filled(CLEAR), OBJECT + (GREEN,), TOP + (RED,))
    return {'strokes': strokes, 'blue': painted(strokes, OBJECT + (BLUE,)), 'red': painted(strokes, OBJECT + (CLEAR,)),
            'stray': painted(strokes, (5, 9, 40, 42, (250, 120, 240, 255))),
            'three': painted(strokes, (5, 9, 40, 45, BLUE)), 'empty': filled(CLEAR),
            'ink': painted(filled(CLEAR), OBJECT + ((255,) * 4,), TOP + ((0, 0, 0, 255),)),
            'canvas': painted(filled((200,) * 3), OBJECT + (GREEN[:3],), TOP + (RED[:3],))}


def make_files():
    """Writes photo and scan (p, q), and seeds for both; those for q have a name that ends with 4. Returns the seeds:
    name and extension, and whether there is a volume, too."""
    photo = grid(lambda x, y: shade(x, y, 0))
    scan = grid(lambda x, y: shade(x, y % H, 9 * (y // H - 1) ** 2), H * SLICES)
    write_grey('p', photo)
    write_grey('q', scan)
    found = []
    for name, (picture, empty) in make_grey().items():
        write_grey(name, picture)
        write_grey(name + '4', filled(empty) + picture + picture + filled(empty))
        found.append((name, 'pgm', True))
    for name, picture in make_color().items():
        write_color(name, picture)
        write_color(name + '4', filled(CLEAR[:len(picture[0][0])] if name != 'canvas' else (200,) * 3) + picture * 3)
        found.append((name, 'png', False))
    for name, of, at in (('over', photo, 0), ('over4', scan, H)):
        write_color(name, painted([[(v,) * 3 for v in row] for row in of], (25, 35, at + 20, at + 30, GREEN[:3]),
                                  (0, W, at, at + 4, RED[:3])))
    wide = [[v * 257 for v in row] for row in make_grey()['trimap'][0]]
    write_grey('wide', wide, True)
    write_grey('wide4', wide * SLICES, True)
    for name in 'trimap', 'labels':  # numbers of 8 bits in 16
        write_grey('deep' + name, make_grey()[name][0], True)
        write_grey('deep' + name + '4', make_grey()[name][0] * SLICES, True)
    write_grey('small', wide[:40], True)
    write_shapes('area', ('cat', 'polygon', [[25, 20], [35, 20], [35, 30], [25, 30]]),
                 ('background', 'rectangle', [[0, 0], [60, 4]]))
    write_shapes('boxes', ('cat', 'rectangle', [[12, 8], [48, 44]]))
    write_shapes('lines', ('cat', 'linestrip', [[25, 20], [35, 30], [95, 35]]), ('background', 'point', [[3, 3]]))
    with open('strokes.png', 'rb') as file:
        write('cut.png', '', file.read()[:90])
    return found + [('over', 'png', False), ('wide', 'pgm', True), ('deeptrimap', 'pgm', True),
                    ('deeplabels', 'pgm', True), ('area', 'json', False), ('boxes', 'json', False),
                    ('lines', 'json', False), ('small', 'pgm', False), ('cut', 'png', False), ('none', 'png', False)]


# ---- Cases ----

FORMATS = ['auto', 'color', 'trimap', 'grabcut', 'labels', 'mask', 'diff', 'box']
PAIRS = [('trimap.pgm:trimap', 'contrary.pgm:trimap'), ('contrary.pgm', 'trimap.pgm'),
         ('contrary.pgm:trimap', 'strokes.png:color'), ('strokes.png', 'contrary.pgm'),
         ('over.png:diff', 'contrary.pgm'), ('mask.pgm:mask', 'contrary.pgm'), ('labels.pgm:labels', 'area.json'),
         ('area.json', 'labels.pgm:labels'), ('boxes.json:box', 'trimap.pgm')]
DRAWN = [['--fg', '30,26'], ['--fg', '30,26', '--bg', '2,2'], ['--fg', '30,26 99,26', '--bg', '2,2 5,5'],
         ['--fg', '99,99'], ['--box', '10,6,40,40'], ['--box', '0,0,60,52'], ['--box', '-4,-4,70,60', '--fg', '30,26'],
         ['--box', '70,70,4,4'], ['--box', '1.2,1.2,.2,.2'], ['--bg', '2,2 4,4'], [],
         ['--brush', '9', '--fg', '30,26', '--bg', '2,2 5,5']]
COLORS = [['--seed-tol', '10'], ['--fg-color', '#ff0000'], ['--bg-color', '#00ff00'],
          ['--fg-color', 'red', '--bg-color', 'red'], ['--fg-color', '#ff0000', '--bg-color', '#00ff00']]


def cases(seeds):
    """Yields the files of seeds with their formats, and options."""
    for name, kind, _ in seeds:
        for form in FORMATS:
            yield [name + '.' + kind + ('' if form == 'auto' else ':' + form)], []
        yield [name + '.' + kind], ['--fg', '30,26']
        yield [name + '.' + kind], ['--box', '10,6,40,40']
    for conflict in 'error', 'fg', 'bg', 'drop', 'last':
        rule = ['--seed-conflict', conflict]
        for pair in PAIRS:
            yield list(pair), rule
        yield ['strokes.png'], rule + ['--bg', '30,26 33,28']
        yield ['trimap.pgm'], rule + ['--box', '28,6,30,40']
        yield [], rule + ['--fg', '30,10 30,40', '--bg', '20,30 40,30']
        yield [], rule + ['--fg', '30,10 30,40', '--box', '20,20,30,30']
    for drawn in DRAWN:
        yield [], drawn
    for colors in COLORS:
        for name in 'strokes', 'blue', 'red':
            yield [name + '.png:color'], colors
    for band in '0', '5', '40':
        yield ['mask.pgm:mask'], ['--band', band]
    yield ['red.png:color', 'background.pgm:trimap'], []
    yield ['foreground.pgm:trimap', 'red.png:color'], []


def in_space(options):
    """Returns the options for the second slice of q."""
    third = {'--fg': lambda text: ' '.join(point + ',1' for point in text.split()),
             '--box': lambda text: '%s,%s,0,%s,%s,3' % tuple(text.split(','))}
    third['--bg'] = third['--fg']
    return [third[before](word) if before in third else word for before, word in zip([''] + options, options)]


def for_scan(seeds):
    """Returns the files for q: its own ones, where there are such."""
    own = [re.sub(r'^(\w+)\.', r'\g<1>4.', word) for word in seeds]
    return [mine if os.path.exists(mine.split(':')[0]) else word for mine, word in zip(own, seeds)]


def as_volumes(seeds):
    volumes = [re.sub(r'\.(pgm|png)', '.nrrd', word) for word in seeds]
    return [v if os.path.exists(v.split(':')[0]) and not v.startswith('small') else s for v, s in zip(volumes, seeds)]


def means_labels(seeds):
    """True if `auto` takes a volume for labels that is refused as a picture, because it could be grabcut, too."""
    return any(re.match(r'(labels|deeplabels|all)4?\.nrrd$', word) for word in seeds)


MASKS = [['--mask', 'mask.pgm'], ['--previous', 'mask.pgm'], ['--previous', 'mask.pgm', '--learn'], ['--band', '3'],
         ['--mask', 'mask.pgm', '--band', '3', '--mask-cell', '4'], ['--mask-cell', '4'], ['--mask', 'labels.pgm'],
         ['--mask', 'small.pgm'], ['--mask', 'strokes.png'], ['--mask', 'zero.pgm'], ['--mask', 'deeptrimap.pgm'],
         ['--mask', 'area.json'], ['--mask', 'cut.png'], ['--previous', 'none.png'], ['--label', 'cat'], ['--learn'],
         ['--label', 'dog'], ['--range', '0,255'], ['--range', '900,999'], ['--channel', '2'], ['--max-pixels', '9']]


# ---- Comparing ----

def run(photo, seeds, options):
    """Returns status, words, mask and reported seeds. The options are those with which a photo and a scan of one slice
    have the same mask."""
    for name in 'm.pgm', 'm.raw', 'r.json':
        if os.path.exists(name):
            os.remove(name)
    mask = 'm.raw' if photo.endswith('nrrd') else 'm.pgm'
    words = [tilecut, 'segment', photo, '-o', mask, '--json', 'r.json', '--spatial', '0', '--iterations', '0',
             '--islands', *options]
    for file in seeds:
        words += ['-s', file]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    pixels = open(mask, 'rb').read() if os.path.exists(mask) else b''
    report = json.load(open('r.json')).get('seeds') if os.path.exists('r.json') and pixels else None
    return done.returncode, done.stderr, pixels[pixels.find(b'255\n') + 4:] if mask == 'm.pgm' else pixels, report


def alike(result):
    """Makes the words of a scan of one slice those of a photo."""
    status, words, mask, report = result
    words = re.sub(r'\.(pgm|png|nrrd|tif|gif)\b', '', words)
    words = re.sub(r'(--box: |clipped to )([^, ]+,[^, ]+),0,([^, ]+,[^, ]+),1', r'\1\2,\3', words)
    words = re.sub(r'(at \d+,\d+),0\b', r'\1', words)
    for scan, photo in (('voxel', 'pixel'), ('60x52x1', '60x52'), ('X,Y,Z,W,H,D', 'X,Y,W,H'), ('X,Y,Z', 'X,Y'),
                        (', y is 0 to 51 and z is 0 to 0', ' and y is 0 to 51'), ('of the slice', 'of the photo'),
                        ('is a volume; box', 'is a picture; box'), ('a volume of strokes', 'a picture of strokes'),
                        ('whole volume', 'whole photo')):
        words = words.replace(scan, photo)
    return status, words, mask, json.loads(re.sub(r'\.(pgm|png|nrrd|tif|gif)\b', '', json.dumps(report)))


def compare(what, first, second):
    global compared
    compared += 1
    different = [name for name, a, b in zip(('status', 'words', 'mask', 'report'), first, second) if a != b]
    if different:
        failed.append(what)
        print(*what, 'differ in', ', '.join(different), first[0], second[0])
        for result in first, second:
            print('   ', result[1].strip() if 'words' in different else result[3])


def compare_photo(seeds, options):
    photo = alike(run('p.pgm', seeds, options))
    compare(('photo, scan:', seeds, options), photo, alike(run('p.nrrd', seeds, options)))
    volumes = as_volumes(seeds)
    if volumes == seeds:
        return
    scan = alike(run('p.nrrd', volumes, options))
    compare(('photo, scan:', volumes, options), alike(run('p.pgm', volumes, options)), scan)
    if not means_labels(volumes):
        compare(('picture, volume:', seeds, options), photo, scan)


def compare_check(photo, seeds, options):
    """`tilecut check` refuses and notes what segment does, but for notes on the mask that was cut."""
    global compared
    files = [word for file in seeds for word in ('-s', file)]
    found = []
    for words in ['segment', photo, '-o', 'm.raw' if photo.endswith('nrrd') else 'm.pgm'], ['check', photo]:
        done = subprocess.run([tilecut, *words, *options, *files], capture_output=True, text=True, timeout=60,
                              stdin=subprocess.DEVNULL)
        found.append((done.returncode, sorted(line for line in done.stderr.splitlines() if not re.search(
            'nothing in the box differs|no seed contradicts it|refining changes', line))))
    compared += 1
    if found[0] != found[1]:
        failed.append(photo)
        print('segment, check:', photo, seeds, options, *found, sep='\n    ')


def compare_parts(seeds, options):
    options, volumes = in_space(options), as_volumes(seeds)
    whole = run('q.nrrd', seeds, options)
    compare(('in parts:', seeds, options), whole, run('q.nrrd', seeds, options + ['--parts', '3']))
    if volumes == seeds:
        return
    again = run('q.nrrd', volumes, options)
    compare(('in parts:', volumes, options), again, run('q.nrrd', volumes, options + ['--parts', '3']))
    if not means_labels(volumes):
        compare(('picture, volume:', seeds, options), alike(whole), alike(again))
    for kind in ('.tif', '.gif') if has_pages else ('.gif',):
        pages = [word.replace('.nrrd', kind) for word in volumes]
        for more in ([], ['--parts', '3']) if all(os.path.exists(word.split(':')[0]) for word in pages) else ():
            compare(('volume, pages:', pages, options + more), alike(again), alike(run('q.nrrd', pages, options + more)))


has_pages = 'several pages' in subprocess.run([tilecut, 'info'], capture_output=True, text=True, timeout=60).stdout
every = list(cases(make_files()))
for which, (files, given) in enumerate(every):
    compare_photo(files, given)
    if which % 3 == 0 or os.environ.get('RANDOM_TIMES', '1') != '1':
        compare_parts(for_scan(files), given)
    elif which % 3 == 1:
        compare_check('p.pgm', files, given)
        compare_check('q.nrrd', for_scan(files), in_space(given))
for given in MASKS:
    for files in [], ['trimap.pgm']:
        compare_check('p.pgm', files, given)
        compare_check('q.nrrd', for_scan(files), for_scan(given))
print(compared, 'comparisons,', len(failed), 'differ')
sys.exit(1 if failed or compared < 500 else 0)
