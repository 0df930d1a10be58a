// SPDX-License-Identifier: MIT
//
// answer.js - the mask on the screen, made from the last proved mask and newer sketches. A sketch is coarse, so the
// proved mask stays wherever the sketch is the same as when that mask was cut. Elsewhere the sketch's cells are shown
// until the next proved mask comes.

export class Answer {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.shown = new Uint8Array(width * height); // the mask on the screen, 0 or 255 a pixel
    this.proved = null;                          // the mask of the last cut of all pixels, 0 or 255
    this.sketch = null;                          // the mask of the last sketch, in cells
    this.anchor = null;                          // the mask, in cells, of the sketch at the time of `proved`
    this.factor = 1;
  }

  // Where the new sketch has changed, pixels take the value of their cell, or that of `proved` again. Returns the
  // rectangle of the photo in which the mask has changed, or null.
  takeSketch(cells, factor) {
    const w = Math.ceil(this.width / factor), h = Math.ceil(this.height / factor);
    const before = this.sketch;
    let left = w, right = -1, top = h, bottom = -1;
    this.factor = factor;
    for (let cy = 0, c = 0; cy < h; cy++)
      for (let cx = 0; cx < w; cx++, c++) {
        if (before && before[c] === cells[c]) continue;
        this.fillCell(cx, cy, this.anchor?.[c] === cells[c] ? this.proved : null, cells[c]);
        left = Math.min(left, cx);
        right = Math.max(right, cx);
        top = Math.min(top, cy);
        bottom = cy;
      }
    this.sketch = cells;
    if (right < 0) return null;
    return {x: left * factor, y: top * factor, width: Math.min(this.width, (right + 1) * factor) - left * factor,
            height: Math.min(this.height, (bottom + 1) * factor) - top * factor};
  }

  fillCell(cx, cy, from, value) {
    const f = this.factor, left = cx * f, right = Math.min(left + f, this.width);
    for (let y = cy * f; y < Math.min(cy * f + f, this.height); y++) {
      const row = y * this.width;
      if (from) this.shown.set(from.subarray(row + left, row + right), row + left);
      else this.shown.fill(value, row + left, row + right);
    }
  }

  takeProved(mask) {
    this.proved = mask;
    this.shown.set(mask);
    this.anchor = this.sketch;
  }

  // Strokes continue from the proved mask: later sketches are compared with that mask in cells.
  settle(factor) { this.sketch = this.anchor = this.cellsOf(factor); }

  // Returns the proved mask in cells, reduced by the rule of edit_prior().
  cellsOf(factor) {
    const {width, height, proved} = this, w = Math.ceil(width / factor);
    const set = new Int32Array(w * Math.ceil(height / factor));
    for (let y = 0, p = 0; y < height; y++)
      for (let x = 0, row = Math.floor(y / factor) * w; x < width; row++)
        for (const end = Math.min(x + factor, width); x < end; x++, p++) if (proved[p]) set[row]++;
    return Uint8Array.from(set, (count, c) => {
      const columns = Math.min(factor, width - c % w * factor);
      const rows = Math.min(factor, height - Math.floor(c / w) * factor), area = columns * rows;
      return Math.floor((255 * count + Math.floor(area / 2)) / area) >= 128 ? 255 : 0;
    });
  }

  // Forgets all masks, for instance when the seeds are gone.
  forget() {
    this.shown.fill(0);
    this.proved = this.sketch = this.anchor = null;
  }

  get empty() { return !this.sketch && !this.proved; }

  // Returns the smallest rectangle, with a margin, around the proved object and all pixels for which `seen(p)` is true;
  // or null.
  bounds(margin, seen = () => false) {
    const {width, height, proved} = this;
    let left = width, right = -1, top = height, bottom = -1;
    for (let y = 0, p = 0; y < height; y++)
      for (let x = 0; x < width; x++, p++)
        if (proved[p] || seen(p)) {
          if (x < left) left = x;
          if (x > right) right = x;
          if (y < top) top = y;
          bottom = y;
        }
    if (right < 0) return null;
    const x = Math.max(0, left - margin), y = Math.max(0, top - margin);
    return {x, y, width: Math.min(width, right + 1 + margin) - x, height: Math.min(height, bottom + 1 + margin) - y};
  }
}
