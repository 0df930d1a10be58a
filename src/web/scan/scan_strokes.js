// SPDX-License-Identifier: MIT
//
// scan_strokes.js - strokes on a scan: each lies in one plane of voxels, {axis, index, h, v, turnH, turnV}, whose
// voxels have the index `index` along `axis`. Columns of the plane are counted along axis h and rows along axis v, from
// the other end if turned. Points are columns and rows of the plane. Everything else is as on a photo.
import {around, BACKGROUND, intersection, paintSegment, Strokes, UNKNOWN} from '../strokes.js';

const AT = ['x', 'y', 'z'], SIZE = ['width', 'height', 'depth'];

// flat() is the part of a box along two axes, as a rectangle; the other is a rectangle in a plane as a box, one voxel
// thick.
export const flat = (box, {h, v}) =>
  ({x: box[AT[h]], y: box[AT[v]], width: box[SIZE[h]], height: box[SIZE[v]]});
const solid = ({x, y, width, height}, {axis, index, h, v}) =>
  ({[AT[axis]]: index, [SIZE[axis]]: 1, [AT[h]]: x, [SIZE[h]]: width, [AT[v]]: y, [SIZE[v]]: height});

export class ScanStrokes extends Strokes {
  // sides: lengths of a voxel's sides, relative to the shortest.
  constructor({width, height, depth}, sides) {
    super(width, height * depth);
    Object.assign(this, {height, depth, sides, size: [width, height, depth], steps: [1, width, width * height]});
    this.joint = false; // true if there are several labels (scan_palette.js)
  }

  get all() { return {x: 0, y: 0, z: 0, width: this.width, height: this.height, depth: this.depth}; }

  begin(label, radius, point) {
    const {plane} = this; // the plane under the pointer
    this.undone = [];
    this.done.push({label, radius, points: [point], rect: null, plane});
    return this.extend(point);
  }

  // Converts columns and rows to voxel indices along h and v.
  toVoxels([x, y], {h, v, turnH, turnV}) {
    return [turnH ? this.size[h] - x : x, turnV ? this.size[v] - y : y];
  }

  paint(stroke, from, to, within = this.all) {
    const {plane} = stroke, {axis, index, h, v} = plane, sides = [this.sides[h], this.sides[v]];
    const a = this.toVoxels(from, plane), b = this.toVoxels(to, plane);
    const box = intersection(solid(around(stroke.radius, a, b, sides), plane), within);
    const grid = {first: index * this.steps[axis], along: this.steps[h], down: this.steps[v], sides};
    if (box) paintSegment(this.labels, grid, flat(box, plane), stroke, a, b);
    return box;
  }

  rows({x, y, z, height, depth}) {
    return Array.from({length: height * depth}, (_, i) =>
      (z + Math.floor(i / height)) * this.steps[2] + (y + i % height) * this.width + x);
  }

  endOf({points, plane}) {
    const {axis, index, h, v} = plane, [i, j] = this.toVoxels(points.at(-1), plane).map(Math.floor);
    const inside = i >= 0 && i < this.size[h] && j >= 0 && j < this.size[v];
    return inside ? index * this.steps[axis] + i * this.steps[h] + j * this.steps[v] : -1;
  }

  // The box alone: the program adds the frame.
  get frame() { return this.box; }

  // With several labels the faces of the scan are background until background is painted.
  get bordered() {
    return this.joint ? !this.box && !this.base && !this.prior && !this.has(BACKGROUND) : super.bordered;
  }

  // True if a stroke of this label corrects. While labels get their first strokes, everything is cut from scratch.
  corrects(label) {
    if (!this.joint) return this.correctable;
    const painted = new Set(this.sinceBase().map(entry => entry.label));
    return Boolean(this.prior) || (painted.size > 1 && painted.has(label));
  }

  // Forgets a label.
  drop(label) {
    const others = list => list.filter(entry => entry.label !== label);
    Object.assign(this, {done: others(this.done), undone: others(this.undone)});
    this.base = this.base?.map(each => each === label ? UNKNOWN : each);
    this.repaint(this.all);
  }

  get teach() { return this.bordered || super.teach; }

  compose(box) {
    const out = new Uint8Array(box.width * box.height * box.depth);
    let to = 0;
    for (const from of this.rows(box)) {
      out.set(this.labels.subarray(from, from + box.width), to);
      to += box.width;
    }
    return out;
  }

  count() {
    const count = new Uint32Array(256);
    for (const label of this.labels) count[label]++;
    return count;
  }
}
