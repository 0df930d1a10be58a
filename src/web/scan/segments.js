// SPDX-License-Identifier: MIT
//
// segments.js - writes labels of a scan as a segmentation of 3D Slicer, .seg.nrrd, in the same form as
// scan_nrrd_write.c and scan_segments.c: with names, colours and the place of the scan.
import {bytesOf} from '../palette.js';
import {through} from '../png.js';

// scan: of nifti.js. labels: numbers, a byte a voxel. legend: [code, number, colour, name] of each label, as strings.
export async function writeSegments({size, spacing, known, head}, labels, legend) {
  const there = new Set(labels), column = k => `(${[0, 1, 2].map(r => head[11 + 4 * r + k])})`;
  const place = head[10] ? ['space: right-anterior-superior', `space directions: ${[0, 1, 2].map(column).join(' ')}`,
    `space origin: ${column(3)}`, 'kinds: domain domain domain'] : known ? [`spacings: ${spacing.join(' ')}`] : [];
  const segments = legend.filter(([, number]) => there.has(Number(number))).map(([, number, colour, name], i) => [
    ['_ID', `Segment_${number}`], ['_Name', name], ['_LabelValue', number], ['_Layer', 0],
    ['_Color', bytesOf(colour).map(level => (level / 255).toFixed(6)).join(' ')],
    ['_Extent', size.map(side => `0 ${side - 1}`).join(' ')]].map(([key, value]) => `Segment${i}${key}:=${value}`));
  const text = ['NRRD0004', 'type: uint8', 'dimension: 3', `sizes: ${size.join(' ')}`, ...place, ...segments.flat(),
    'encoding: gzip', '', ''].join('\n');
  return new Blob([text, await through(new CompressionStream('gzip'), [labels])]);
}
