// SPDX-License-Identifier: MIT
//
// overlay.js - draws the layer above the photo, pixel by pixel of the screen: the mask in one of its looks, and the
// strokes. The work depends on the size of the screen, not on that of the photo; after a stroke, on the size of the
// changed part.
import {BACKGROUND, FOREGROUND, OUTSIDE, UNKNOWN} from './strokes.js';

export const rgba = (r, g, b, a) => (a << 24 | b << 16 | g << 8 | r) >>> 0; // the first byte in memory is red
const NOTHING = 0, EDGE = rgba(255, 255, 255, 255), RIM = rgba(20, 20, 20, 220);
const STROKE = {[FOREGROUND]: rgba(40, 200, 90, 120), [BACKGROUND]: rgba(235, 60, 50, 120)};
// These stay visible on photos of the strokes' own colours, and for people who cannot distinguish red and green.
const STROKE_RIM = {[FOREGROUND]: rgba(255, 255, 255, 230), [BACKGROUND]: RIM};
// The ground behind the object for pixel (x, y) of the screen, with index `at`; during editing it is the photo, faded.
const FADED = rgba(255, 255, 255, 178), DARK = rgba(10, 12, 14, 190);
// `line`: colour of the outline, if not white; `inside`: colour over the object, if any. With several labels, `shown`
// gives for each label the label to draw, or 0; `lines`, `insides` and `strokes` are their colours.
export const EDITED = {edge: true, back: () => FADED};
export const EDITED_DARK = {edge: true, back: () => DARK};
export const PLAIN = {edge: false, back: () => NOTHING};
const EDGE_WIDTH = 2; // width of the contour: it is drawn on pixels at most this far from a change of the mask

export class Overlay {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.frame = new ImageData(width, height);
    this.out = new Uint32Array(this.frame.data.buffer);
    this.inside = new Uint8Array(width * height); // label that the pixel shows, 1 or one of several; 0: none
  }

  // `xs`: the column of the photo under each column of the screen, or -1; `ys`: the same for rows.
  place(xs, ys) {
    this.xs = xs;
    this.ys = ys;
    this.inside.fill(0);
    this.out.fill(NOTHING);
  }

  get all() { return {left: 0, top: 0, right: this.width, bottom: this.height}; }

  // Returns the pixels of the screen under a rectangle of the photo, whose corner is at (left, top).
  part({x, y, width, height}, {scaleX, scaleY, left, top}) {
    const clip = (at, most) => Math.max(0, Math.min(most, at));
    return {left: clip(Math.floor(x * scaleX + left) - 1, this.width),
            top: clip(Math.floor(y * scaleY + top) - 1, this.height),
            right: clip(Math.ceil((x + width) * scaleX + left) + 1, this.width),
            bottom: clip(Math.ceil((y + height) * scaleY + top) + 1, this.height)};
  }

  // Repaints `part`, {left, top, right, bottom}, and returns the part that may have changed. `mask`: 0 or 255 a pixel
  // of a photo `stride` pixels wide. `strokes`: null if they are hidden.
  paint(part, mask, stride, strokes, look) {
    const changed = {left: Math.max(0, part.left - EDGE_WIDTH), top: Math.max(0, part.top - EDGE_WIDTH),
                     right: Math.min(this.width, part.right + EDGE_WIDTH),
                     bottom: Math.min(this.height, part.bottom + EDGE_WIDTH)};
    this.sample(part, mask, stride, look.shown);
    this.color(changed, look);
    if (strokes) this.paintStrokes(changed, stride, strokes, look.strokes ?? STROKE);
    return changed;
  }

  // Outside of the photo there is no object.
  sample({left, top, right, bottom}, mask, stride, shown) {
    const {xs, ys, inside, width} = this;
    for (let y = top; y < bottom; y++) {
      if (ys[y] < 0) continue;
      for (let x = left, row = ys[y] * stride, to = y * width + left; x < right; x++, to++)
        inside[to] = xs[x] < 0 ? 0 : shown ? shown[mask[row + xs[x]]] : mask[row + xs[x]] ? 1 : 0;
    }
  }

  color({left, top, right, bottom}, look) {
    const {width, height, xs, ys, inside, out} = this;
    for (let y = top; y < bottom; y++) {
      if (ys[y] < 0) continue;
      const up = y > 0 && ys[y - 1] >= 0 ? width : 0, down = y + 1 < height && ys[y + 1] >= 0 ? width : 0;
      const wide = up && down && ys[y - 2] >= 0 && ys[y + 2] >= 0;
      for (let x = left, to = y * width + left; x < right; x++, to++) {
        if (xs[x] < 0) continue;
        const here = inside[to], line = look.lines?.[here] ?? look.line ?? EDGE;
        let color = here ? look.insides?.[here] ?? look.inside ?? NOTHING : look.back(x, y, to);
        if (look.edge) {
          const before = x > 0 && xs[x - 1] >= 0 ? 1 : 0, after = x + 1 < width && xs[x + 1] >= 0 ? 1 : 0;
          if (inside[to - before] !== here || inside[to + after] !== here || inside[to - up] !== here ||
              inside[to + down] !== here) color = here ? line : RIM;
          else if (here && wide && xs[x - 2] >= 0 && xs[x + 2] >= 0 && [2, -2, 2 * width, -2 * width]
            .some(step => inside[to + step] !== here)) color = line;
        }
        out[to] = color;
      }
    }
  }

  // Paints the strokes, but not the labels of a loaded mask.
  paintStrokes({left, top, right, bottom}, stride, {labels, base}, colours) {
    const {width, xs, ys, out} = this;
    const isStroke = (p, label) => label !== UNKNOWN && label !== OUTSIDE && base?.[p] !== label;
    const goesOn = (x, y, label) => {
      const p = ys[y] * stride + xs[x];
      return xs[x] >= 0 && ys[y] >= 0 && labels[p] === label && isStroke(p, label);
    };
    for (let y = top; y < bottom; y++) {
      if (ys[y] < 0) continue;
      for (let x = left, row = ys[y] * stride, to = y * width + left; x < right; x++, to++) {
        const p = row + xs[x], label = labels[p];
        if (xs[x] < 0 || !isStroke(p, label)) continue;
        const inner = goesOn(Math.max(x - 1, 0), y, label) && goesOn(Math.min(x + 1, width - 1), y, label) &&
          goesOn(x, Math.max(y - 1, 0), label) && goesOn(x, Math.min(y + 1, this.height - 1), label);
        out[to] = inner ? colours[label] : STROKE_RIM[label] ?? STROKE_RIM[FOREGROUND];
      }
    }
  }
}
