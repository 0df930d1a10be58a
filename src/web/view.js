// SPDX-License-Identifier: MIT
//
// view.js - shows photo, mask and strokes. There are two canvases of the window's size: the photo, drawn by the
// browser, and above it the mask and the strokes (overlay.js). If only these have changed, the photo is not drawn
// again.
import {drawGround, ground} from './looks.js';
import {EDITED, EDITED_DARK, Overlay, PLAIN} from './overlay.js';
import {FOREGROUND, union} from './strokes.js';

const MARK = 7; // radius of the ring around a click, in CSS pixels
const REDUCED = 2048; // longest side of the smaller copy, which is drawn when the photo is shown smaller than that

export class View {
  // sides: lengths of a pixel's sides, relative to the shorter one.
  constructor(below, above, sides = [1, 1]) {
    this.below = below;
    this.above = above;
    this.sides = sides;
    this.scale = 1; // pixels of the screen for one pixel of the photo
    this.left = this.top = 0; // position of the photo, in pixels of the screen
    this.before = false;      // only the photo is shown
    this.strokesShown = true;
    this.soft = null;         // the cutout with its soft edge, shown in place of photo and mask
    this.others = null;       // objects that are not chosen: {map, colours, line}, see palette.js
    this.place = null;        // [x, y] in the photo where a stroke helps most
    this.night = matchMedia('(prefers-color-scheme: dark)');
    this.night.addEventListener('change', () => this.redraw());
    this.waiting = false;
    new ResizeObserver(() => this.resize()).observe(above.parentElement);
    addEventListener('resize', () => this.resize());
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
    if (!this.above.isConnected) return; // a scan has replaced the photo
    const {clientWidth, clientHeight} = this.above.parentElement, ratio = devicePixelRatio || 1;
    const width = Math.max(1, Math.round(clientWidth * ratio)), height = Math.max(1, Math.round(clientHeight * ratio));
    if (this.above.width === width && this.above.height === height) return;
    const grown = ratio / (this.ratio ?? ratio); // on a finer or coarser screen everything keeps its size
    this.ratio = ratio;
    for (const each of ['scale', 'left', 'top']) this[each] *= grown;
    for (const canvas of [this.below, this.above]) {
      canvas.width = width;
      canvas.height = height;
    }
    this.overlay = new Overlay(width, height);
    if (this.bitmap && this.fitted) this.fit();
    this.redraw();
  }

  // ---- where things are ----

  get scaleX() { return this.scale * this.sides[0]; }
  get scaleY() { return this.scale * this.sides[1]; }

  // Converts a point of the page to one of the photo.
  toPhoto(clientX, clientY) {
    const box = this.above.getBoundingClientRect(), ratio = this.above.width / box.width;
    const x = (clientX - box.left) * ratio, y = (clientY - box.top) * ratio;
    return [(x - this.left) / this.scaleX, (y - this.top) / this.scaleY];
  }

  // Converts a point of the photo to the stage, in CSS pixels.
  toStage(x, y) {
    const ratio = this.above.getBoundingClientRect().width / this.above.width;
    return [(x * this.scaleX + this.left) * ratio, (y * this.scaleY + this.top) * ratio];
  }

  get cssScale() { return this.scale * this.above.getBoundingClientRect().width / this.above.width; }

  fit() {
    const {width, height} = this.above;
    this.scale = Math.min(width / this.width / this.sides[0], height / this.height / this.sides[1]) * 0.98;
    this.left = (width - this.width * this.scaleX) / 2;
    this.top = (height - this.height * this.scaleY) / 2;
    this.fitted = true;
    this.redraw();
  }

  // `x`, `y`: the point of the screen, in its pixels, that stays fixed; by default the middle.
  zoom(factor, x = this.above.width / 2, y = this.above.height / 2) {
    const least = 16 / Math.max(this.width, this.height);
    const scale = Math.min(64, Math.max(least, this.scale * factor)), grown = scale / this.scale;
    this.left = x - (x - this.left) * grown;
    this.top = y - (y - this.top) * grown;
    this.scale = scale;
    this.move(0, 0);
  }

  // Zooms to a place, with `size` pixels of the photo around it.
  goTo([x, y], size) {
    const {width, height} = this.above;
    const all = Math.min(width / this.width, height / this.height);
    this.scale = Math.min(8, Math.max(all, Math.min(width, height) / size));
    this.left = width / 2 - x * this.scaleX;
    this.top = height / 2 - y * this.scaleY;
    this.move(0, 0);
  }

  // Moves the photo, but keeps a part of it in view.
  move(dx, dy) {
    const keep = 40, w = this.width * this.scaleX, h = this.height * this.scaleY;
    this.left = Math.min(this.above.width - keep, Math.max(keep - w, this.left + dx));
    this.top = Math.min(this.above.height - keep, Math.max(keep - h, this.top + dy));
    this.fitted = false;
    this.redraw();
  }

  // ---- drawing ----

  // `rect`: the part of the photo where mask or strokes have changed; without it, everything is drawn.
  redraw(rect = null) {
    if (!rect) this.stale = true;
    else if (rect.width > 0) this.changed = union(this.changed, rect);
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    if ((devicePixelRatio || 1) !== this.ratio) this.resize(); // not every browser tells
    const {stale, changed} = this;
    this.changed = null;
    this.stale = false;
    if (stale) this.drawBelow();
    if (this.bitmap && this.strokes && (stale || changed)) this.drawAbove(stale ? null : changed);
    this.drawn?.();
  }

  drawBelow() {
    const context = this.below.getContext('2d', {alpha: false});
    context.fillStyle = getComputedStyle(this.above.parentElement).backgroundColor;
    context.fillRect(0, 0, this.below.width, this.below.height);
    if (!this.bitmap) return;
    const w = this.width * this.scaleX, h = this.height * this.scaleY;
    context.imageSmoothingEnabled = this.scale < 2;
    const small = w <= this.reduced.width ? this.reduced : this.bitmap, soft = this.softNow();
    if (soft) drawGround(context, this.reduced, soft, this.left, this.top, w, h);
    context.drawImage(soft ?? small, this.left, this.top, w, h);
  }

  get isResult() { return ground.look !== 'edit' && !this.before; }

  softNow() { return this.isResult ? this.soft : null; }

  // Returns the look of photo and mask. The ground is shown behind a result, whose soft edge may not be ready yet.
  lookNow() {
    const nothing = this.answer.empty || this.answer.hidden, edited = this.night.matches ? EDITED_DARK : EDITED;
    if (this.before || this.softNow()) return PLAIN;
    if (this.others && !this.isResult) return this.lookBeside(nothing ? PLAIN : edited);
    if (nothing) return PLAIN;
    if (!this.isResult) return edited;
    return {edge: false, back: (x, y, at) => this.behind[at]};
  }

  // Adds the other objects around the chosen one, in their colours.
  lookBeside(look) {
    const {map, colours, line} = this.others, none = look.back(), {overlay} = this; // placed later
    return {...look, line, back: (x, y) => colours[map[overlay.ys[y] * this.width + overlay.xs[x]]] || none};
  }

  drawBehind() {
    const {width, height} = this.above, context = new OffscreenCanvas(width, height).getContext('2d');
    drawGround(context, this.reduced, null, this.left, this.top, this.width * this.scaleX, this.height * this.scaleY);
    this.behind = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
  }

  // Returns the column of the photo under each column of the screen, or -1; rows work in the same way.
  columns(count, start, limit, scale) {
    return Int32Array.from({length: count}, (_, i) => {
      const at = Math.floor((i + 0.5 - start) / scale);
      return at >= 0 && at < limit ? at : -1;
    });
  }

  // `rect` as for redraw(); null: everything, because the photo may have moved.
  drawAbove(rect) {
    const {overlay, answer} = this, {width, height} = this.above, look = this.lookNow();
    if (!rect) {
      overlay.place(this.columns(width, this.left, this.width, this.scaleX),
                    this.columns(height, this.top, this.height, this.scaleY));
      if (this.isResult) this.drawBehind();
    }
    const part = rect ? overlay.part(this.withMarks(rect), this) : overlay.all;
    const strokes = this.strokesShown && !this.isResult && !this.before ? this.strokes : null;
    const {left, top, right, bottom} = overlay.paint(part, answer.shown, this.width, strokes, look);
    const context = this.above.getContext('2d');
    context.putImageData(overlay.frame, 0, 0, left, top, right - left, bottom - top);
    context.save();
    context.beginPath();
    context.rect(left, top, right - left, bottom - top);
    context.clip();
    if (strokes) {
      this.drawBox(context);
      this.drawMarks(context);
    }
    this.drawCross(context);
    context.restore();
  }

  // Enlarges a rectangle, because rings around clicks extend beyond the strokes.
  withMarks({x, y, width, height}) {
    const more = Math.ceil(2 * MARK * this.ratio / this.scale);
    return {x: x - more, y: y - more, width: width + 2 * more, height: height + 2 * more};
  }

  drawRing(context, [x, y], radius, colors) {
    context.setLineDash([]);
    for (const [color, width] of colors) {
      context.strokeStyle = color;
      context.lineWidth = width * this.ratio;
      context.beginPath();
      context.arc(this.left + x * this.scaleX, this.top + y * this.scaleY, radius * this.ratio, 0, 7);
      context.stroke();
    }
  }

  drawMarks(context) {
    for (const {label, points} of this.strokes.sinceBase().filter(entry => entry.click))
      this.drawRing(context, points[0], MARK - 1, [['#fff', 5], [label === FOREGROUND ? '#178a48' : '#c9302c', 3]]);
    if (this.place) this.drawRing(context, this.place, 14, [['#000', 4], ['#ffb020', 2]]);
  }

  drawBox(context) {
    const box = this.draft ?? this.strokes.box;
    if (!box) return;
    const rect = [this.left + box.x * this.scaleX, this.top + box.y * this.scaleY, box.width * this.scaleX,
                  box.height * this.scaleY];
    for (const [color, dash] of [['#000', []], ['#fff', [8, 8]]]) {
      context.strokeStyle = color;
      context.setLineDash(dash);
      context.lineWidth = 2;
      context.strokeRect(...rect);
    }
  }

  // Draws the cross that the arrow keys move.
  drawCross(context) {
    if (!this.cross) return;
    const x = this.left + this.cross[0] * this.scaleX, y = this.top + this.cross[1] * this.scaleY;
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
