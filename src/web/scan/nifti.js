// SPDX-License-Identifier: MIT
//
// nifti.js - reads and writes NIfTI-1 in one file, in the same way as scan_nifti.c with libnifti. The labels of a scan
// get a copy of its header, so they have the same place.
import {through} from '../png.js';

const SIZE = 348, BEGINS = 352; // bytes of the header; where voxels begin
// The offsets of fields in the header.
const DIM = 40, TYPE = 70, BITS = 72, PIXDIM = 76, OFFSET = 108, SLOPE = 112, QFORM = 252, SFORM = 254,
  QUATERN = 256, ROWS = 280, MAGIC = 344;
// Fields that labels do not keep: names, intent, the range to show, descriptions, the name of the intent.
const CLEARED = [[4, 32], [56, 70], [124, 132], [148, 252], [328, 344]];
// For NIfTI's number of a type: the program's type (enum scan_kind), and the bytes of a voxel.
const KINDS = {2: [0, 1], 256: [1, 1], 512: [2, 2], 4: [3, 2], 768: [4, 4], 8: [5, 4], 1280: [6, 8], 1024: [7, 8],
               16: [8, 4], 64: [9, 8]};

// Functions that read 16-bit and real numbers of the header at an offset in bytes.
function headerOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < SIZE) throw new Error('is no NIfTI file');
  const little = [true, false].find(each => view.getInt32(0, each) === SIZE);
  const magic = String.fromCharCode(...bytes.subarray(MAGIC, MAGIC + 4));
  if (little === undefined || magic !== 'n+1\0')
    throw new Error('is not NIfTI-1 in one file, which this page reads; the program may: tilecut edit');
  const short = (at, k = 0) => view.getInt16(at + 2 * k, little);
  const real = (at, k = 0) => view.getFloat32(at + 4 * k, little);
  return {view, little, short, real, reals: (at, count) => Array.from({length: count}, (_, k) => real(at, k))};
}

function sizeOf({short}) {
  const sides = Array.from({length: Math.max(0, Math.min(7, short(DIM)))}, (_, k) => short(DIM, k + 1));
  if (short(DIM) !== sides.length || sides.some(side => side < 1)) throw new Error('is a damaged NIfTI file');
  while (sides.length < 3) sides.push(1);
  if (sides.slice(3).some(side => side > 1))
    throw new Error(`is ${sides.join(' x ')}; the program takes one volume of it: tilecut edit --volume N`);
  return sides.slice(0, 3);
}

const isPlace = m => m.flat().every(Number.isFinite) &&
  m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
  m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) !== 0;

function ofQuaternion({reals, real}, sides) {
  const [b, c, d, ...offset] = reals(QUATERN, 6), a = Math.sqrt(Math.max(0, 1 - b * b - c * c - d * d));
  const steps = [sides[0], sides[1], real(PIXDIM) < 0 ? -sides[2] : sides[2]];
  return [[a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
          [2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)],
          [2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c]]
    .map((row, r) => [...row.map((value, k) => value * steps[k]), offset[r]]);
}

// Returns the matrix that places the voxels, or null.
function placeOf(head, sides) {
  const sform = [0, 1, 2].map(r => head.reals(ROWS + 16 * r, 4)), qform = ofQuaternion(head, sides);
  return head.short(SFORM) > 0 && isPlace(sform) ? sform : head.short(QFORM) > 0 && isPlace(qform) ? qform : null;
}

// Returns {size, spacing; known: true if the place is; head: for web_scan(); voxels: bytes of the file; keep: the
// header}. check(size) is called before the main work.
export async function readNifti(file, check) {
  let bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    bytes = await through(new DecompressionStream('gzip'), [bytes]).catch(() => {
      throw new Error('is damaged, gzip cannot unpack it; save or copy it again');
    });
  const head = headerOf(bytes), {little, short, real, reals} = head, size = sizeOf(head), kind = KINDS[short(TYPE)];
  check(size);
  if (!kind)
    throw new Error(`has voxels of NIfTI's type ${short(TYPE)}; whole numbers and floats of one grey value are read`);
  const begins = Math.trunc(real(OFFSET)) || BEGINS, end = begins + size[0] * size[1] * size[2] * kind[1];
  if (!(begins >= SIZE)) throw new Error('is a damaged NIfTI file');
  if (end > bytes.length) throw new Error('is cut short, the file ends within its voxels; save or copy it again');
  const sides = reals(PIXDIM + 4, 3).map(side => Number.isFinite(side) && side ? Math.abs(side) : 1);
  const known = sides.every(side => side < 1e9 && side > 1e-9), place = placeOf(head, sides);
  const [slope, offset] = reals(SLOPE, 2), scaled = slope && Number.isFinite(slope) && Number.isFinite(offset);
  return {size, spacing: known ? sides : [1, 1, 1], known, voxels: bytes.slice(begins, end), keep: bytes.slice(0, SIZE),
          head: Float64Array.of(...size, kind[0], little ? 0 : 1, ...scaled ? [slope, offset] : [1, 0],
                                ...known ? sides : [0, 0, 0], place ? 1 : 0, ...(place ?? Array(12).fill(0)).flat())};
}

// Writes labels with that header, a byte a voxel, as a gzip file.
export function writeNifti(keep, labels) {
  const bytes = new Uint8Array(BEGINS);
  bytes.set(keep);
  const head = headerOf(bytes), {view, little, reals} = head, short = (at, value) => view.setInt16(at, value, little);
  for (const [from, to] of CLEARED) bytes.fill(0, from, to);
  [Math.min(3, head.short(DIM)), ...sizeOf(head), 1, 1, 1, 1].forEach((n, k) => short(DIM + 2 * k, n));
  short(TYPE, 2);
  short(BITS, 8);
  [[OFFSET, BEGINS], [SLOPE, 1], [SLOPE + 4, 0]].forEach(([at, value]) => view.setFloat32(at, value, little));
  if (!isPlace([0, 1, 2].map(r => reals(ROWS + 16 * r, 4)))) short(SFORM, 0);
  return through(new CompressionStream('gzip'), [bytes, labels]);
}
