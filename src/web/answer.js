// SPDX-License-Identifier: MIT
//
// answer.js - the mask on the screen, made of the last proved one and of sketches newer than it. A sketch is coarse; so
// the proved mask stays where the sketch says what it said when that was made, and only what has changed since is shown
// in the sketch's cells until the next proved one comes.

export class Answer {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.shown = new Uint8Array(width * height); // 0 or 255 a pixel
    this.proved = null;                          // the same, of the last cut of all pixels
    this.sketch = null;                          // cells of the last sketch
    this.anchor = null;                          // cells of the sketch at the time of `proved`
    this.factor = 1;
  }

  // The pixels of the cells that the new sketch changes take its value, or that of `proved` again. Returns the
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

  // Strokes go on from the proved mask: a sketch is compared with that mask in cells.
  settle(factor) { this.sketch = this.anchor = this.cellsOf(factor); }

  // The proved mask in cells, made as edit_prior() makes them.
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

  // Nothing holds any more, as when the seeds that were there are gone.
  forget() {
    this.shown.fill(0);
    this.proved = this.sketch = this.anchor = null;
  }

  get empty() { return !this.sketch && !this.proved; }

  // The smallest rectangle around the proved object, and all that `seen(p)` says is part of it, with a margin; or null.
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
