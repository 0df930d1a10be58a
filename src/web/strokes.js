// SPDX-License-Identifier: MIT
//
// strokes.js - the user's input: strokes in order, a box, a map to start from; and the labels made from these, which
// are all that the cut uses. Undo repaints the remaining strokes where the last one was.

export const UNKNOWN = 0, BACKGROUND = 1, FOREGROUND = 2, OUTSIDE = 3; // as in tilecut_types.h
const CLICK = 3; // radius of a click in pixels, the default of --brush

// The sides of rectangles in a photo, and of boxes in a scan, which also have z and depth.
const SIDES = [['x', 'width'], ['y', 'height'], ['z', 'depth']];

export function union(a, b) {
  if (!a || !b) return a || b;
  const out = {};
  for (const [at, size] of SIDES)
    if (at in a) {
      out[at] = Math.min(a[at], b[at]);
      out[size] = Math.max(a[at] + a[size], b[at] + b[size]) - out[at];
    }
  return out;
}

export function intersection(a, b) {
  const out = {};
  for (const [at, size] of SIDES)
    if (at in a) {
      out[at] = Math.max(a[at], b[at]);
      out[size] = Math.min(a[at] + a[size], b[at] + b[size]) - out[at];
      if (out[size] <= 0) return null;
    }
  return out;
}

// Returns the squared distance from a point to the segment from a to b.
function distance2(x, y, [ax, ay], [bx, by]) {
  const dx = bx - ax, dy = by - ay, length2 = dx * dx + dy * dy;
  const t = length2 ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length2)) : 0;
  const ex = x - ax - t * dx, ey = y - ay - t * dy;
  return ex * ex + ey * ey;
}

// Paints the pixels of `rect` whose centres are within `radius` of the segment, and the pixel that contains its end.
// grid: the index of the first pixel, the steps from column to column and from row to row, and the sides of a pixel.
export function paintSegment(labels, {first, along, down, sides: [w, h]}, rect, {label, radius}, from, to) {
  const r2 = Math.max(radius, 0.5) ** 2, a = [from[0] * w, from[1] * h], b = [to[0] * w, to[1] * h];
  const endX = Math.floor(to[0]), endY = Math.floor(to[1]);
  for (let y = rect.y; y < rect.y + rect.height; y++)
    for (let x = rect.x, p = first + y * down + x * along; x < rect.x + rect.width; x++, p += along)
      if (distance2((x + 0.5) * w, (y + 0.5) * h, a, b) <= r2 || (x === endX && y === endY)) labels[p] = label;
}

// Returns a rectangle with all pixels that may be within the radius of the segment.
export function around(radius, from, to, [w, h] = [1, 1]) {
  const r = Math.max(radius, 0.5), low = (k, side) => Math.floor(Math.min(from[k], to[k]) - r / side);
  const high = (k, side) => Math.ceil(Math.max(from[k], to[k]) + r / side);
  return {x: low(0, w), y: low(1, h), width: high(0, w) - low(0, w) + 1, height: high(1, h) - low(1, h) + 1};
}

// A mask that was cut here and from which strokes continue; a bit a pixel, because each stroke of a long session keeps
// one.
export class KeptMask {
  constructor(mask, name) {
    this.name = name;
    this.made = true;   // the mask was made here: there is no file of it yet
    this.latest = true; // the engine still has this mask from its last cut
    this.size = mask.length;
    this.bits = new Uint8Array(mask.length + 7 >> 3);
    for (let p = 0; p < mask.length; p++) if (mask[p]) this.bits[p >> 3] |= 1 << (p & 7);
  }

  get mask() {
    const mask = new Uint8Array(this.size);
    for (let p = 0; p < mask.length; p++) mask[p] = this.bits[p >> 3] >> (p & 7) & 1 ? 255 : 0;
    return mask;
  }
}

export class Strokes {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.labels = new Uint8Array(width * height); // labels of strokes, or of the base
    this.base = null;                             // initial labels, or null: all are unknown
    this.box = null;                              // {x, y, width, height}: outside of it is background
    this.prior = null;                             // {mask, name}: a mask for strokes to correct
    this.learns = true;                            // colours are learnt again after a further stroke
    this.others = null;                            // other objects' strokes, background here, as labels; or null
    this.done = [];
    this.undone = [];
  }

  get all() { return {x: 0, y: 0, width: this.width, height: this.height}; }

  // Paints a segment of a stroke within the rectangle `within`.
  paint(stroke, from, to, within = this.all) {
    const rect = intersection(around(stroke.radius, from, to), within);
    const grid = {first: 0, along: 1, down: this.width, sides: [1, 1]};
    if (rect) paintSegment(this.labels, grid, rect, stroke, from, to);
    return rect;
  }

  // Returns the index of the first pixel in each row of a rectangle.
  rows({x, y, height}) { return Array.from({length: height}, (_, i) => (y + i) * this.width + x); }

  // Each of the following changes is an entry of `done`; all return the rectangle in which labels may have changed, or
  // null.
  begin(label, radius, point) {
    this.undone = [];
    this.done.push({label, radius, points: [point], rect: null});
    return this.extend(point);
  }

  extend(point) {
    const stroke = this.done.at(-1), last = stroke.points.at(-1);
    if (point !== last) stroke.points.push(point);
    const rect = this.paint(stroke, last, point);
    stroke.rect = union(stroke.rect, rect);
    return rect;
  }

  setBox(box) {
    this.undone = [];
    this.done.push({box, before: this.box});
    this.box = box;
    return this.all;
  }

  // Sets labels to start from; earlier strokes are dropped until this is undone.
  setBase(base, prior = null) {
    this.undone = [];
    this.done.push({base, prior, before: {base: this.base, box: this.box, prior: this.prior}});
    Object.assign(this, {base, prior, box: null});
    this.repaint(this.all);
    return this.all;
  }

  clear() { return this.setBase(null); }

  // Sets another tool's mask, {mask, name}, and drops strokes and box.
  setPrior(prior) { return this.setBase(null, prior); }

  // The rectangle that contains the object: the box, or the photo without its border; or null.
  get frame() {
    if (!this.bordered) return this.box;
    const [x, y] = [this.width, this.height].map(side => side > 2 ? 1 : 0);
    return {x, y, width: this.width - 2 * x, height: this.height - 2 * y};
  }

  // True if the photo's border is background, by the rule of the command line: there are only clicks or only strokes of
  // the object (seeds_are_clicks), or a box around the whole photo without strokes of both kinds.
  get bordered() {
    const {box, prior} = this;
    if (box) {
      return !prior && box.width === this.width && box.height === this.height &&
        !(this.has(FOREGROUND) && this.has(BACKGROUND));
    }
    if (this.base || (prior && !this.learns)) return false;
    const painted = this.sinceBase().filter(({label}) => label !== UNKNOWN);
    const alone = painted.every(({label}) => label === FOREGROUND) || painted.every(({points}) => points.length === 1);
    return alone && painted.some(({label}) => label === FOREGROUND) && this.has(FOREGROUND);
  }

  // [label, x, y] of each click, if there are only clicks and no two contradict each other on a pixel.
  get clicks() {
    const all = this.sinceBase();
    if (this.box || this.others || !this.bordered) return null;
    if (!all.every(({click, label}) => click && label !== UNKNOWN)) return null;
    const clicks = all.map(({label, points: [[x, y]]}) => [label, Math.floor(x), Math.floor(y)]);
    const clash = ([a, ax, ay], [b, bx, by]) => a !== b && Math.hypot(ax - bx, ay - by) <= 2 * CLICK;
    return clicks.some((one, i) => clicks.slice(0, i).some(other => clash(one, other))) ? null : clicks;
  }

  // Adds a click, which equals a point of the command line: a disc around the middle of a pixel.
  click(label, [x, y]) {
    const rect = this.begin(label, CLICK, [Math.floor(x) + 0.5, Math.floor(y) + 0.5]);
    this.done.at(-1).click = true;
    return rect;
  }

  // True if a cut can learn from the seeds: there is a frame, or both kinds are painted.
  get teach() { return Boolean(this.frame) || (this.has(FOREGROUND) && this.has(BACKGROUND)); }

  // True if some pixel has that label. The end of a stroke usually shows it at once, unless it was painted over.
  has(label) {
    if (label === BACKGROUND && this.others) return true;
    return this.done.some(entry => entry.label === label && this.labels[this.endOf(entry)] === label) ||
      this.labels.includes(label);
  }

  // Returns the index of the pixel where a stroke ends; -1: outside.
  endOf({points}) {
    const [x, y] = points.at(-1).map(Math.floor);
    return x >= 0 && x < this.width && y >= 0 && y < this.height ? y * this.width + x : -1;
  }

  // True if the current mask is good enough to be corrected: it comes from strokes of both kinds, from a box, or from a
  // loaded mask and strokes. A mask from one stroke alone must not bind the second one.
  get correctable() { return this.prior ? Boolean(this.base || this.box) || this.sinceBase().length > 0 : this.teach; }

  // Makes the next stroke correct `prior`, the mask of all strokes so far. Both are undone together. Earlier strokes
  // are dropped, unless they are still needed for learning.
  keep(prior, teaches) {
    if (teaches) {
      this.undone = [];
      this.done.push({prior, before: {prior: this.prior}, kept: true, rect: null});
      this.prior = prior;
      return null;
    }
    const rect = this.base || this.box ? this.all
      : this.sinceBase().reduce((sum, stroke) => union(sum, stroke.rect), null);
    this.undone = [];
    this.done.push({base: null, prior, before: {base: this.base, box: this.box, prior: this.prior}, kept: true, rect});
    Object.assign(this, {base: null, prior, box: null});
    if (rect) this.repaint(rect);
    return rect;
  }

  // Makes other objects' strokes background from the next stroke on. Both are undone together.
  meet(others) {
    this.undone = [];
    this.done.push({others, before: this.others, kept: true, rect: this.all});
    this.others = others;
    return this.all;
  }

  undo() {
    let rect = null;
    do {
      const last = this.done.pop();
      if (!last) return rect;
      this.undone.push(last);
      rect = union(rect, this.apply(last, true));
    } while (this.done.at(-1)?.kept);
    return rect;
  }

  redo() {
    let rect = null, next;
    do {
      next = this.undone.pop();
      if (!next) return rect;
      this.done.push(next);
      rect = union(rect, this.apply(next, false));
    } while (next.kept);
    return rect;
  }

  apply(entry, back) {
    if ('box' in entry) this.box = back ? entry.before : entry.box;
    if ('others' in entry) {
      this.others = back ? entry.before : entry.others;
      return this.all;
    }
    if (entry.kept) entry.prior.latest = false; // another cut may have come meanwhile
    if ('base' in entry) Object.assign(this, back ? entry.before : {base: entry.base, prior: entry.prior, box: null});
    else if (entry.kept) this.prior = back ? entry.before.prior : entry.prior;
    const rect = entry.points || entry.kept ? entry.rect : this.all;
    if (rect && !('box' in entry)) this.repaint(rect);
    return rect;
  }

  sinceBase() {
    let first = this.done.length;
    while (first > 0 && !('base' in this.done[first - 1])) first--;
    return this.done.slice(first).filter(entry => entry.points);
  }

  // Repaints the strokes since the base was set, in `rect`.
  repaint(rect) {
    for (const from of this.rows(rect)) {
      const to = from + rect.width;
      if (this.base) this.labels.set(this.base.subarray(from, to), from);
      else this.labels.fill(UNKNOWN, from, to);
    }
    for (const stroke of this.sinceBase()) {
      if (!stroke.rect || !intersection(stroke.rect, rect)) continue;
      stroke.points.forEach((point, i) => this.paint(stroke, stroke.points[Math.max(i - 1, 0)], point, rect));
    }
  }

  // The labels of all strokes, including those before a mask that strokes correct.
  get lasting() {
    const from = this.done.findLastIndex(entry => 'base' in entry && !entry.kept) + 1, since = this.done.slice(from);
    const first = since.find(entry => 'base' in entry);
    if (!first) return this.labels;
    const all = Object.assign(Object.create(Object.getPrototypeOf(this)), this, {base: first.before.base,
      labels: new Uint8Array(this.labels.length), done: since.filter(entry => !('base' in entry))});
    all.repaint(all.all);
    return all.labels;
  }

  // Returns the labels for the cut in a rectangle, packed: strokes, then the frame.
  compose(rect) {
    const out = new Uint8Array(rect.width * rect.height), box = this.frame;
    for (let row = 0, to = 0; row < rect.height; row++) {
      const y = rect.y + row, from = y * this.width + rect.x;
      const beside = box && (y < box.y || y >= box.y + box.height);
      for (let i = 0; i < rect.width; i++, to++) {
        const label = this.labels[from + i] || (this.others?.[from + i] ?? UNKNOWN), x = rect.x + i;
        out[to] = label !== UNKNOWN || !box ? label
          : beside || x < box.x || x >= box.x + box.width ? OUTSIDE : UNKNOWN;
      }
    }
    return out;
  }

  // Counts the pixels of each label that the cut uses.
  count() {
    const count = [0, 0, 0, 0];
    for (const label of this.labels) count[label]++;
    if (this.box) count[OUTSIDE] += this.width * this.height - this.box.width * this.box.height;
    return count;
  }
}

// ---- from and to pictures ----

// Returns grey values: 0 background, 128 unknown, 255 foreground. The box is left out; --box gives it.
export function toTrimap(strokes) {
  const {width, height, labels, others} = strokes, grey = Uint8Array.of(128, 0, 255, 0);
  const pixels = labels.map((label, p) => grey[label || (others?.[p] ?? UNKNOWN)]);
  return {width, height, channels: 1, depth: 8, pixels};
}

// Returns the eight-bit grey and alpha of pixel p.
function greyAlpha({channels, depth, pixels}, p) {
  const step = depth / 8, at = p * channels * step + step - 1, colors = channels > 2 ? 3 : 1;
  let grey = pixels[at];
  if (colors === 3)
    grey = Math.round((pixels[at] * 299 + pixels[at + step] * 587 + pixels[at + 2 * step] * 114) / 1000);
  return [grey, channels % 2 ? 255 : pixels[at + (channels - 1) * step]];
}

export function fromTrimap(picture) {
  const area = picture.width * picture.height, labels = new Uint8Array(area);
  for (let p = 0; p < area; p++) {
    const [grey, alpha] = greyAlpha(picture, p);
    labels[p] = alpha < 128 ? UNKNOWN : grey < 32 ? BACKGROUND : grey > 223 ? FOREGROUND : UNKNOWN;
  }
  return labels;
}

// Reads a mask of another tool in the same way as the program (mask_file.h): the probability of foreground in 255ths,
// from its alpha, its grey, 0 and 1, or one colour on black.
export function fromMask(picture) {
  const {width, height, channels, depth, pixels} = picture, area = width * height, out = new Uint8Array(area);
  const values = Array.from({length: area}, (_, p) => greyAlpha(picture, p));
  if (values.some(([, alpha]) => alpha < 128)) return out.map((_, p) => values[p][1]);
  const step = depth / 8, at = (p, c) => pixels[(p * channels + c) * step + step - 1];
  const colored = p => channels > 2 && (at(p, 0) !== at(p, 1) || at(p, 1) !== at(p, 2));
  const black = p => channels > 2 ? !at(p, 0) && !at(p, 1) && !at(p, 2) : !at(p, 0);
  let first = -1;
  for (let p = 0; p < area && first < 0; p++) if (colored(p)) first = p;
  if (first < 0) {
    const most = values.reduce((most, [grey]) => Math.max(most, grey), 0);
    return out.map((_, p) => most === 1 ? 255 * values[p][0] : values[p][0]);
  }
  const same = p => [0, 1, 2].every(c => at(p, c) === at(first, c));
  for (let p = 0; p < area; p++)
    if (!black(p) && !same(p))
      throw new Error('is in colour, which says nothing as a mask; a grey picture or a cutout does');
  return out.map((_, p) => black(p) ? 0 : 255);
}
