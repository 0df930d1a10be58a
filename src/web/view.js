// SPDX-License-Identifier: MIT
//
// view.js - photo, mask and strokes on the screen. Two canvases of the window's size: the photo below, drawn by the
// browser, and above it, pixel by pixel of the screen, what mask and labels say there. So the work is that of the
// screen, whatever the size of the photo.
import {BACKGROUND, FOREGROUND} from './strokes.js';

const rgba = (r, g, b, a) => (a << 24 | b << 16 | g << 8 | r) >>> 0; // in memory red comes first
const NOTHING = 0, EDGE = rgba(255, 214, 0, 255), RIM = rgba(20, 20, 20, 220);
const STROKE = {[FOREGROUND]: rgba(40, 200, 90, 170), [BACKGROUND]: rgba(235, 60, 50, 170)};
const LOOKS = {
  contour: {edge: true, back: () => NOTHING},
  dimmed: {edge: true, back: () => rgba(0, 0, 0, 165)},
  veil: {edge: false, back: () => rgba(230, 20, 30, 125)},
  white: {edge: false, back: () => rgba(255, 255, 255, 255)},
  black: {edge: false, back: () => rgba(0, 0, 0, 255)},
  checker: {edge: false, back: (x, y) => (x >> 3 ^ y >> 3) & 1 ? rgba(255, 255, 255, 255) : rgba(190, 190, 190, 255)},
  photo: {edge: false, back: () => NOTHING},
};
const REDUCED = 2048; // side of the smaller copy that is drawn when the photo is shown smaller than that

export class View {
  constructor(below, above) {
    this.below = below;
    this.above = above;
    this.scale = 1; // pixels of the screen for one of the photo
    this.left = this.top = 0; // where the photo begins, in pixels of the screen
    this.look = 'contour';
    this.strokesShown = true;
    this.soft = null; // the cutout with its soft edge, shown instead of photo and mask
    this.waiting = false;
    new ResizeObserver(() => this.resize()).observe(above.parentElement);
  }

  async setPhoto(imageData) {
    this.width = imageData.width;
    this.height = imageData.height;
    this.bitmap = await createImageBitmap(imageData);
    const shrink = REDUCED / Math.max(this.width, this.height);
    this.reduced = shrink < 1 ? await createImageBitmap(this.bitmap, {
      resizeWidth: Math.max(1, Math.round(this.width * shrink)),
      resizeHeight: Math.max(1, Math.round(this.height * shrink)), resizeQuality: 'medium'}) : this.bitmap;
    this.soft = null;
    this.resize();
    this.fit();
  }

  setContent(strokes, answer) {
    this.strokes = strokes;
    this.answer = answer;
  }

  resize() {
    const {clientWidth, clientHeight} = this.above.parentElement, ratio = devicePixelRatio || 1;
    const width = Math.max(1, Math.round(clientWidth * ratio)), height = Math.max(1, Math.round(clientHeight * ratio));
    if (this.above.width === width && this.above.height === height) return;
    for (const canvas of [this.below, this.above]) {
      canvas.width = width;
      canvas.height = height;
    }
    this.frame = new ImageData(width, height);
    if (this.bitmap && this.fitted) this.fit();
    this.redraw();
  }

  // ---- where things are ----

  // From a point of the page to one of the photo.
  toPhoto(clientX, clientY) {
    const box = this.above.getBoundingClientRect(), ratio = this.above.width / box.width;
    const x = (clientX - box.left) * ratio, y = (clientY - box.top) * ratio;
    return [(x - this.left) / this.scale, (y - this.top) / this.scale];
  }

  // From the photo to the stage, in CSS pixels.
  toStage(x, y) {
    const ratio = this.above.getBoundingClientRect().width / this.above.width;
    return [(x * this.scale + this.left) * ratio, (y * this.scale + this.top) * ratio];
  }

  get cssScale() { return this.scale * this.above.getBoundingClientRect().width / this.above.width; }

  fit() {
    const {width, height} = this.above;
    this.scale = Math.min(width / this.width, height / this.height) * 0.98;
    this.left = (width - this.width * this.scale) / 2;
    this.top = (height - this.height * this.scale) / 2;
    this.fitted = true;
    this.redraw();
  }

  // `x`, `y`: the point of the screen (in its pixels) that stays; without it, the middle.
  zoom(factor, x = this.above.width / 2, y = this.above.height / 2) {
    const least = 16 / Math.max(this.width, this.height);
    const scale = Math.min(64, Math.max(least, this.scale * factor)), grown = scale / this.scale;
    this.left = x - (x - this.left) * grown;
    this.top = y - (y - this.top) * grown;
    this.scale = scale;
    this.move(0, 0);
  }

  // Some of the photo always stays in view.
  move(dx, dy) {
    const keep = 40, w = this.width * this.scale, h = this.height * this.scale;
    this.left = Math.min(this.above.width - keep, Math.max(keep - w, this.left + dx));
    this.top = Math.min(this.above.height - keep, Math.max(keep - h, this.top + dy));
    this.fitted = false;
    this.redraw();
  }

  // ---- drawing ----

  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    const context = this.below.getContext('2d', {alpha: false});
    context.fillStyle = getComputedStyle(this.above.parentElement).backgroundColor;
    context.fillRect(0, 0, this.below.width, this.below.height);
    if (!this.bitmap) return;
    const w = this.width * this.scale, h = this.height * this.scale;
    context.imageSmoothingEnabled = this.scale < 2;
    const soft = this.softNow();
    if (soft) this.drawGround(context, w, h);
    const small = w <= this.reduced.width ? this.reduced : this.bitmap;
    context.drawImage(soft ?? small, this.left, this.top, w, h);
    if (this.strokes) this.drawAbove(soft !== null);
    this.drawn?.();
  }

  softNow() { return this.soft && ['white', 'black', 'checker'].includes(this.look) ? this.soft : null; }

  drawGround(context, w, h) {
    if (this.look === 'checker') {
      const tile = new OffscreenCanvas(16, 16), t = tile.getContext('2d');
      t.fillStyle = '#bebebe';
      t.fillRect(0, 0, 16, 16);
      t.fillStyle = '#fff';
      t.fillRect(8, 0, 8, 8);
      t.fillRect(0, 8, 8, 8);
      context.fillStyle = context.createPattern(tile, 'repeat');
    } else context.fillStyle = this.look;
    context.fillRect(this.left, this.top, w, h);
  }

  // The column of the photo under each column of the screen, or -1; the same for rows.
  columns(count, start, limit) {
    return Int32Array.from({length: count}, (_, i) => {
      const at = Math.floor((i + 0.5 - start) / this.scale);
      return at >= 0 && at < limit ? at : -1;
    });
  }

  // Which pixels of the screen show the object: 1 or 0; beside the photo what its border says.
  sample(width, height, xs, ys) {
    const {shown} = this.answer, out = new Uint8Array(width * height);
    for (let y = 0; y < height; y++) {
      if (ys[y] < 0) continue;
      for (let x = 0, row = ys[y] * this.width, to = y * width; x < width; x++, to++)
        if (xs[x] >= 0 && shown[row + xs[x]]) out[to] = 1;
    }
    return out;
  }

  drawAbove(soft) {
    const {width, height} = this.above, out = new Uint32Array(this.frame.data.buffer);
    const xs = this.columns(width, this.left, this.width), ys = this.columns(height, this.top, this.height);
    const look = soft || this.answer.empty ? LOOKS.photo : LOOKS[this.look];
    const inside = this.sample(width, height, xs, ys);
    out.fill(NOTHING);
    for (let y = 0; y < height; y++) {
      if (ys[y] < 0) continue;
      const up = y > 0 && ys[y - 1] >= 0 ? width : 0, down = y + 1 < height && ys[y + 1] >= 0 ? width : 0;
      const wide = up && down && ys[y - 2] >= 0 && ys[y + 2] >= 0;
      for (let x = 0, to = y * width; x < width; x++, to++) {
        if (xs[x] < 0) continue;
        const here = inside[to];
        let color = here ? NOTHING : look.back(x, y);
        if (look.edge) {
          const left = x > 0 && xs[x - 1] >= 0 ? 1 : 0, right = x + 1 < width && xs[x + 1] >= 0 ? 1 : 0;
          if (inside[to - left] !== here || inside[to + right] !== here || inside[to - up] !== here ||
              inside[to + down] !== here) color = here ? EDGE : RIM;
          else if (here && wide && xs[x - 2] >= 0 && xs[x + 2] >= 0 && (inside[to - 2] !== 1 || inside[to + 2] !== 1 ||
              inside[to - 2 * width] !== 1 || inside[to + 2 * width] !== 1)) color = EDGE;
        }
        out[to] = color;
      }
    }
    if (this.strokesShown) this.paintStrokes(out, width, height, xs, ys);
    const context = this.above.getContext('2d');
    context.putImageData(this.frame, 0, 0);
    this.drawBox(context);
    this.drawCross(context);
  }

  // What was painted; not what a loaded mask says.
  paintStrokes(out, width, height, xs, ys) {
    const {labels, base} = this.strokes;
    for (let y = 0; y < height; y++) {
      if (ys[y] < 0) continue;
      for (let x = 0, row = ys[y] * this.width, to = y * width; x < width; x++, to++) {
        const p = row + xs[x], label = labels[p];
        if (xs[x] < 0 || (label !== FOREGROUND && label !== BACKGROUND) || base?.[p] === label) continue;
        out[to] = STROKE[label];
      }
    }
  }

  drawBox(context) {
    const box = this.draft ?? this.strokes.box;
    if (!box) return;
    const rect = [this.left + box.x * this.scale, this.top + box.y * this.scale, box.width * this.scale,
                  box.height * this.scale];
    for (const [color, dash] of [['#000', []], ['#fff', [8, 8]]]) {
      context.strokeStyle = color;
      context.setLineDash(dash);
      context.lineWidth = 2;
      context.strokeRect(...rect);
    }
  }

  // The cross that the arrow keys move.
  drawCross(context) {
    if (!this.cross) return;
    const x = this.left + this.cross[0] * this.scale, y = this.top + this.cross[1] * this.scale;
    context.setLineDash([]);
    for (const [color, width] of [['#000', 4], ['#fff', 2]]) {
      context.strokeStyle = color;
      context.lineWidth = width;
      context.beginPath();
      context.moveTo(x - 12, y);
      context.lineTo(x + 12, y);
      context.moveTo(x, y - 12);
      context.lineTo(x, y + 12);
      context.stroke();
    }
  }
}
