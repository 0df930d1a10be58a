// SPDX-License-Identifier: MIT
//
// label_map.js - writes all objects of a photo to one file: a label map, which is a PNG with a palette (0 is no object,
// then the objects in order), COCO, or LabelMe; and reads label maps.
import {bytesOf} from './palette.js';
import {encodePng} from './png.js';

// Makes a picture whose pixels are indices of `colors`.
export function toLabelMap({width, height, items}, pixels) {
  const most = pixels.reduce((most, number) => Math.max(most, number), 0);
  const colors = Array.from({length: most + 1}, () => [0, 0, 0]);
  for (const {colour, number} of items) colors[number] = bytesOf(colour);
  return encodePng({width, height, channels: 1, depth: 8, pixels, colors});
}

// Returns an object's run lengths down the columns, outside and inside in turn, and its bounding box.
function annotate(map, width, height, number) {
  const counts = [];
  let run = 0, inside = false, area = 0, left = width, right = -1, top = height, bottom = -1;
  for (let x = 0; x < width; x++)
    for (let y = 0; y < height; y++, run++) {
      const here = map[y * width + x] === number;
      if (here !== inside) {
        counts.push(run);
        run = 0;
        inside = here;
      }
      if (!here) continue;
      area++;
      left = Math.min(left, x);
      right = x;
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  counts.push(run);
  return {id: number, image_id: 1, category_id: number, iscrowd: 0, area,
          bbox: [left, top, right + 1 - left, bottom + 1 - top], segmentation: {size: [height, width], counts}};
}

export function toCoco({width, height, items}, map, name) {
  const there = new Set(map);
  return JSON.stringify({
    images: [{id: 1, file_name: name, width, height}],
    categories: items.map(({number, name}) => ({id: number, name})),
    annotations: items.flatMap(({number}) => there.has(number) ? [annotate(map, width, height, number)] : [])});
}

// Masks in the form of labelme 5.3 and later: each is a picture at its corner, with 1 where the object is.
export async function toLabelMe({width, height, items}, map, name) {
  const there = items.filter(({number}) => map.includes(number)), shapes = [];
  for (const {number, name: label} of there) {
    const [x, y, w, h] = annotate(map, width, height, number).bbox, pixels = new Uint8Array(w * h);
    for (let p = 0; p < w * h; p++) pixels[p] = map[(y + Math.floor(p / w)) * width + x + p % w] === number ? 1 : 0;
    const png = await encodePng({width: w, height: h, channels: 1, depth: 8, pixels});
    shapes.push({label, points: [[x, y], [x + w - 1, y + h - 1]], group_id: null, shape_type: 'mask', flags: {},
      mask: btoa(Array.from(png, byte => String.fromCharCode(byte)).join(''))});
  }
  return JSON.stringify({version: '5.3.1', flags: {}, shapes, imagePath: name, imageData: null, imageHeight: height,
    imageWidth: width});
}

// Returns the masks of a label map, [{mask, colour}], in the order of its palette or grey levels. Black is no object.
export function fromLabelMap({width, height, channels, depth, pixels, entries}) {
  const step = depth / 8, size = channels * step, grey = channels < 3, masks = new Map();
  const numberOf = at => grey ? pixels[at] + (step > 1 ? pixels[at + 1] << 8 : 0)
    : pixels[at + step - 1] << 16 | pixels[at + 2 * step - 1] << 8 | pixels[at + 3 * step - 1];
  for (let p = 0; p < width * height; p++) {
    const number = numberOf(p * size);
    if (!number) continue;
    if (!masks.has(number) && masks.size >= 255) throw new Error('has more than 255 labels');
    if (!masks.has(number)) masks.set(number, new Uint8Array(width * height));
    masks.get(number)[p] = 255;
  }
  if (!masks.size) throw new Error('has no label: all is black');
  const order = entries?.map(([r, g = r, b = r]) => grey ? r : r << 16 | g << 8 | b);
  return [...masks].sort(([a], [b]) => order ? order.indexOf(a) - order.indexOf(b) : a - b)
    .map(([number, mask]) => ({mask, colour: grey ? undefined : `#${number.toString(16).padStart(6, '0')}`}));
}
