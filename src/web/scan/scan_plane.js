// SPDX-License-Identifier: MIT
//
// scan_plane.js - one of the three planes on the screen: a view (view.js) whose photo is a slice. Slices are requested
// from the program when needed; the page keeps some of them. Columns and rows are turned as radiologists view them: the
// patient's right is on the left, and the front or the head is on top.
import {PLAIN, rgba} from '../overlay.js';
import {View} from '../view.js';
import {flat} from './scan_strokes.js';

const KEPT = 64; // slices
const OUTLINED = {edge: true, back: () => 0, inside: rgba(60, 220, 190, 50), line: rgba(60, 240, 200, 255)};
const NOWHERE = {x: 0, y: 0, width: 0, height: 0};
const NAMES = ['Sagittal', 'Coronal', 'Axial'], OTHERS = ['Across x', 'Across y', 'Across z'];
const ENDS = ['RL', 'AP', 'SI']; // sides of the patient; the first of a pair is at the left or top of the screen

export class Plane extends View {
  // element: built like that of index.html, with two canvases; way: 0 sagittal, 1 coronal, 2 axial.
  constructor(element, way) {
    super(element.querySelector('.below'), element.querySelector('.above'));
    Object.assign(this, {element, way});
  }

  // Opens a scan, {size, spacing, sides}; `sides` such as "LPS", or empty.
  open(scan, editor) {
    const placed = scan.sides.length === 3;
    const axisOf = r => placed ? [...scan.sides].findIndex(letter => ENDS[r].includes(letter)) : r;
    const turned = r => placed && scan.sides[axisOf(r)] === ENDS[r][0];
    const [rh, rv] = [[1, 2], [0, 2], [0, 1]][this.way], least = Math.min(...scan.spacing);
    Object.assign(this, {scan, editor, axis: axisOf(this.way), h: axisOf(rh), v: axisOf(rv)});
    Object.assign(this, {turnH: turned(rh), turnV: turned(rv), wanted: 0, grey: null, kept: new Map()});
    this.name = (placed ? NAMES : OTHERS)[this.way];
    this.ends = placed ? [ENDS[rh][0], ENDS[rh][1], ENDS[rv][0], ENDS[rv][1]] : [];
    this.width = scan.size[this.h];
    this.height = scan.size[this.v];
    this.sides = [scan.spacing[this.h] / least, scan.spacing[this.v] / least];
    this.reduced = this.bitmap = new OffscreenCanvas(this.width, this.height);
    this.strokes = {labels: new Uint8Array(this.width * this.height), base: null};
    this.answer = {shown: new Uint8Array(this.width * this.height), get empty() { return editor.answer.empty; }};
  }

  get plane() {
    const {axis, index, h, v, turnH, turnV} = this;
    return {axis, index, h, v, turnH, turnV};
  }

  // Returns the indices of the voxel at a point of the plane.
  toVoxel(point) {
    const [i, j] = this.editor.strokes.toVoxels(point, this.plane), voxel = [];
    const clip = (value, axis) => Math.max(0, Math.min(this.scan.size[axis] - 1, Math.floor(value)));
    voxel[this.axis] = this.index;
    voxel[this.h] = clip(i, this.h);
    voxel[this.v] = clip(j, this.v);
    return voxel;
  }

  // ---- slices ----

  // Copies a plane of `from` to `to` in the orientation of the screen. `first` is its first index; `h` and `v` are the
  // steps.
  turn(from, to, first, h, v) {
    const {width, height, turnH, turnV} = this, dx = turnH ? -h : h, dy = turnV ? -v : v;
    const start = first + (turnH ? (width - 1) * h : 0) + (turnV ? (height - 1) * v : 0);
    for (let y = 0, p = 0; y < height; y++)
      for (let x = 0, q = start + y * dy; x < width; x++, p++, q += dx) to[p] = from[q];
    return to;
  }

  turnSlice(from, to) {
    const low = this.scan.size[Math.min(this.h, this.v)];
    return this.turn(from, to, 0, this.h < this.v ? 1 : low, this.h < this.v ? low : 1);
  }

  takeLabels() {
    const {labels, steps} = this.editor.strokes;
    this.turn(labels, this.strokes.labels, this.index * steps[this.axis], steps[this.h], steps[this.v]);
    this.late = false;
  }

  // Shows the slice with that index when it arrives; only the last request counts.
  goTo(index) {
    this.wanted = Math.max(0, Math.min(this.scan.size[this.axis] - 1, index));
    this.due = true;
    return this.fetching ??= this.fetch().finally(() => { this.fetching = null; });
  }

  // Shows the slice with that index, which may be on the screen or on its way already.
  show(index) {
    if (index !== this.wanted || !this.grey) return this.goTo(index);
    this.redraw();
    return this.fetching;
  }

  // The mask has changed.
  renew() { return this.goTo(this.wanted); }

  async fetch() {
    while (this.due) {
      const index = this.wanted, held = this.kept.get(index);
      this.due = false;
      const {grey, mask} = await this.editor.engine.slice(this.axis, index, !held);
      if (!mask) return;
      if (grey) this.kept.set(index, this.turnSlice(grey, new Uint16Array(grey.length)));
      if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value);
      this.index = index;
      this.grey = this.kept.get(index) ?? held;
      this.turnSlice(mask, this.answer.shown);
      this.late = true;
      this.shade();
    }
  }

  // Draws grey values on the screen, by the table for the chosen window and level.
  shade() {
    const {width, height, grey} = this, table = this.editor.greys, image = new ImageData(width, height);
    const out = new Uint32Array(image.data.buffer);
    for (let p = 0; p < out.length; p++) out[p] = table[grey[p]];
    this.bitmap.getContext('2d').putImageData(image, 0, 0);
    this.redraw();
  }

  // ---- drawing ----

  // Redraws a part; `rect` may be a box of voxels.
  redraw(rect = null) {
    if (!rect || !('z' in rect)) return super.redraw(rect);
    const at = ['x', 'y', 'z'][this.axis], thick = rect[['width', 'height', 'depth'][this.axis]];
    if (this.index < rect[at] || this.index >= rect[at] + thick) return super.redraw(NOWHERE);
    const {x, y, width, height} = flat(rect, this);
    this.late = true;
    super.redraw({x: this.turnH ? this.width - x - width : x, y: this.turnV ? this.height - y - height : y,
                  width, height});
  }

  drawAbove(rect) {
    if (!this.grey || !this.editor.strokes) return; // the scan has been closed since the frame was asked for
    if (this.late) this.takeLabels();
    super.drawAbove(rect);
  }

  get isResult() { return false; }

  lookNow() {
    const {look} = this.editor.palette;
    if (this.before || this.answer.empty) return look ? {...look, edge: false, shown: look.shown.map(() => 0)} : PLAIN;
    return look ?? OUTLINED;
  }

  drawBox() {}
  drawMarks() {}

  // Draws the positions of the other two planes, except near the point itself, and the cross of the keys.
  drawCross(context) {
    this.drawPlanes(context);
    super.drawCross(context);
  }

  drawPlanes(context) {
    const {cross} = this.editor, {width, height} = this.above, gap = 14 * this.ratio;
    const along = (axis, turned) => (turned ? this.scan.size[axis] - 0.5 - cross[axis] : cross[axis] + 0.5);
    const x = Math.round(this.left + along(this.h, this.turnH) * this.scaleX);
    const y = Math.round(this.top + along(this.v, this.turnV) * this.scaleY);
    context.setLineDash([]);
    for (const [color, thick] of [['rgb(0 0 0 / .45)', 3], ['rgb(130 190 255 / .9)', 1]]) {
      context.strokeStyle = color;
      context.lineWidth = thick * this.ratio;
      context.beginPath();
      const lines = [[0, y, x - gap, y], [x + gap, y, width, y], [x, 0, x, y - gap], [x, y + gap, x, height]];
      for (const [fromX, fromY, toX, toY] of lines) {
        context.moveTo(fromX, fromY);
        context.lineTo(toX, toY);
      }
      context.stroke();
    }
  }
}
