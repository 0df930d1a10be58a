// SPDX-License-Identifier: MIT
//
// hair.js - detects if the outline of a mask runs through hair.

function* around(c, reach, w, h) {
  const x = c % w, y = Math.floor(c / w);
  for (let j = Math.max(0, y - reach); j <= Math.min(h - 1, y + reach); j++)
    for (let i = Math.max(0, x - reach); i <= Math.min(w - 1, x + reach); i++) yield j * w + i;
}

// Returns the cells of the object that have a neighbour outside of it.
export function outlineOf(mask, w) {
  const all = [];
  for (let c = 0; c < mask.length; c++)
    if (mask[c] && ((c % w && !mask[c - 1]) || (c % w < w - 1 && !mask[c + 1]) || (c >= w && !mask[c - w]) ||
        (c + w < mask.length && !mask[c + w]))) all.push(c);
  return all;
}

// True if the outline runs through hair or fur: just outside of it the photo changes from pixel to pixel more than
// further away, like single hairs on their background. photo: an ImageBitmap; mask: cells in rows of `w`.
export function looksHairy(photo, mask, w) {
  const h = mask.length / w, context = new OffscreenCanvas(w, h).getContext('2d', {willReadFrequently: true});
  context.drawImage(photo, 0, 0, w, h);
  const {data} = context.getImageData(0, 0, w, h), grey = c => data[4 * c] + 2 * data[4 * c + 1] + data[4 * c + 2];
  const away = new Uint8Array(mask.length); // distance from the object in cells: 1, 2, ...; 0: not reached
  let ring = outlineOf(mask, w);
  const sum = [0, 0], count = [0, 0];
  for (let n = 1; n <= 12 && ring.length; n++) {
    const next = new Set();
    for (const c of ring)
      for (const near of around(c, 1, w, h)) if (!mask[near] && !away[near]) next.add(near);
    for (const c of next) away[c] = n;
    ring = [...next];
    const part = n > 2 && n < 6 ? 0 : n > 8 ? 1 : -1; // the outline is left out, because it is an edge itself
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
