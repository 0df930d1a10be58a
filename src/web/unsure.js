// SPDX-License-Identifier: MIT
//
// unsure.js - what is said about a mask besides the mask: which of its outline a slightly different setting would move,
// where that is, and whether the outline runs through hair.

const MOST = 3;        // places that are named
const LEAST = 0.01;    // share of the outline that a place has at least
const AROUND = 2;      // cells of the sketch: so near to the outline, and to each other, are those of one place

function* around(c, reach, w, h) {
  const x = c % w, y = Math.floor(c / w);
  for (let j = Math.max(0, y - reach); j <= Math.min(h - 1, y + reach); j++)
    for (let i = Math.max(0, x - reach); i <= Math.min(w - 1, x + reach); i++) yield j * w + i;
}

// Cells of the object that have a neighbour that is none.
export function outlineOf(mask, w) {
  const all = [];
  for (let c = 0; c < mask.length; c++)
    if (mask[c] && ((c % w && !mask[c - 1]) || (c % w < w - 1 && !mask[c + 1]) || (c >= w && !mask[c - w]) ||
        (c + w < mask.length && !mask[c + w]))) all.push(c);
  return all;
}

// Cells that can be reached from the first of `left`, which it takes out of that set.
function takePlace(left, w, h) {
  const place = [left.values().next().value];
  left.delete(place[0]);
  for (const c of place)
    for (const next of around(c, AROUND, w, h)) if (left.delete(next)) place.push(next);
  return place;
}

// mask, unsure: a byte for each cell of the sketch, in rows of `w`. Returns {share, places}: the share of the outline
// that moves, and the longest pieces of it that do, [{x, y, size}] in pixels of the photo.
export function findUnsure(mask, unsure, w, factor) {
  const h = mask.length / w, outline = outlineOf(mask, w), moved = new Set();
  for (const c of outline)
    for (const near of around(c, AROUND, w, h)) if (unsure[near]) moved.add(c);
  const share = outline.length ? moved.size / outline.length : 0, places = [];
  while (moved.size) places.push(takePlace(moved, w, h));
  const least = Math.max(4, LEAST * outline.length);
  const large = places.filter(each => each.length >= least).sort((a, b) => b.length - a.length).slice(0, MOST);
  return {share, places: large.map(place => {
    const mean = axis => place.reduce((sum, c) => sum + axis(c), 0) / place.length;
    const mx = mean(c => c % w), my = mean(c => Math.floor(c / w));
    const away = c => Math.hypot(c % w - mx, Math.floor(c / w) - my);
    const middle = place.reduce((best, c) => away(c) < away(best) ? c : best);
    const reach = Math.max(...place.map(away));
    return {x: (middle % w + 0.5) * factor, y: (Math.floor(middle / w) + 0.5) * factor,
            size: Math.max(24, 4 * reach) * factor};
  })};
}

// Whether the outline runs through hair or fur: just outside of it the photo changes from pixel to pixel more than
// further away, as single hairs do on what is behind them. photo: an ImageBitmap; mask: cells in rows of `w`.
export function looksHairy(photo, mask, w) {
  const h = mask.length / w, context = new OffscreenCanvas(w, h).getContext('2d', {willReadFrequently: true});
  context.drawImage(photo, 0, 0, w, h);
  const {data} = context.getImageData(0, 0, w, h), grey = c => data[4 * c] + 2 * data[4 * c + 1] + data[4 * c + 2];
  const away = new Uint8Array(mask.length); // rings around the object: 1, 2, ...
  let ring = outlineOf(mask, w);
  const sum = [0, 0], count = [0, 0];
  for (let n = 1; n <= 12 && ring.length; n++) {
    const next = new Set();
    for (const c of ring)
      for (const near of around(c, 1, w, h)) if (!mask[near] && !away[near]) next.add(near);
    for (const c of next) away[c] = n;
    ring = [...next];
    const part = n > 2 && n < 6 ? 0 : n > 8 ? 1 : -1; // the outline itself is an edge of its own
    if (part < 0) continue;
    for (const c of ring) {
      if (c % w === 0 || c % w === w - 1 || c < w || c + w >= mask.length) continue;
      sum[part] += Math.abs(4 * grey(c) - grey(c - 1) - grey(c + 1) - grey(c - w) - grey(c + w));
      count[part]++;
    }
  }
  if (!count[0] || !count[1]) return false;
  const near = sum[0] / count[0], far = sum[1] / count[1];
  return near > HAIRY.least && near > HAIRY.times * far;
}

export const HAIRY = {least: 40, times: 2};
