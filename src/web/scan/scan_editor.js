// SPDX-License-Identifier: MIT
//
// scan_editor.js - the editor of a scan: like that of a photo, with three planes that share a cross. Strokes, undo, the
// quick sketch and the later cut work as for photos (editor.js).
import {Editor} from '../editor.js';
import * as options from '../options.js';
import {FOREGROUND, union, UNKNOWN} from '../strokes.js';
import {describe, layBack, layOut} from './scan_layout.js';
import {Plane} from './scan_plane.js';
import {ScanPalette} from './scan_palette.js';
import {ScanStrokes} from './scan_strokes.js';

const $ = id => document.getElementById(id);
const SETTINGS = ['lambda', 'colors', 'keep-largest', 'connected', 'min-area', 'fill-holes'];
const WHEEL = 40; // wheel movement that makes one slice

function download(bytes, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const MASK = 0, STROKES = 1, PREVIOUS = 2; // files

// Saves a file. as: 0 in the format of the scan, 1 as NIfTI, 2 as a segmentation of 3D Slicer.
async function save(editor, what, as = 0) {
  if (what === MASK && !await editor.prove()) return;
  const {version, names} = editor, named = [names.mask, names.strokes, names.previous][what];
  const name = as ? `${editor.stem}-labels${['', '.nii.gz', '.seg.nrrd'][as]}` : named;
  try {
    const bytes = await editor.engine.file(what, as);
    if (!bytes) return;
    download(bytes, name);
    if (what !== PREVIOUS) editor.keep(version);
    editor.say(`Downloaded as ${name}.`);
  } catch (error) {
    editor.say(error.message, true);
  }
}

class ScanEditor extends Editor {
  constructor(planes) {
    super(planes);
    this.prepare(planes);
  }

  prepare(planes) {
    this.what = 'scan';
    this.least = 1e-5;
    this.results = {saveMask: () => save(this, MASK), saveCutout: () => save(this, MASK),
                    saveStrokes: () => save(this, STROKES), savePrevious: () => save(this, PREVIOUS),
                    saveLabels: (_, slicer) => save(this, MASK, slicer ? 2 : 1)};
    this.turned = 0; // wheel movement since the last slice
    for (const plane of planes) this.wire(plane);
    for (const id of ['level', 'width']) $(id).onchange = () => this.setGrey();
    $('auto').onclick = () => this.showGrey(...this.picture.range);
  }

  wire(plane) {
    const [slider, large] = ['input', '.large'].map(what => plane.element.querySelector(what));
    slider.addEventListener('input', () => this.goAlong(plane, slider.value - 1));
    large.onclick = () => this.enlarge(plane);
    plane.above.addEventListener('pointermove', event => this.tell(plane, event));
  }

  // ---- the scan ----

  async show(picture, name) {
    this.hand.leave('cancel');
    clearTimeout(this.timer);
    this.step();
    this.stage('empty');
    const {width, height, depth, spacing} = picture, least = Math.min(...spacing);
    this.picture = {...picture, size: [width, height, depth]};
    this.name = name;
    this.prior = null;
    this.bordered = false;
    this.strokes = new ScanStrokes(picture, spacing.map(side => side / least));
    this.palette = new ScanPalette(this);
    this.palette.show();
    this.answer = {empty: true, forget() { this.empty = true; }};
    this.cross = this.picture.size.map(side => Math.floor(side / 2));
    this.views.forEach(plane => plane.open(this.picture, this));
    this.showGrey(...picture.range);
    await this.goTo(this.cross);
    for (const plane of this.views) {
      plane.resize();
      plane.fit();
    }
    $('name').textContent = `${name}, ${this.picture.size.join(' x ')}, ` +
      `${spacing.map(side => Number(side.toPrecision(4))).join(' x ')}${picture.millimetres ? ' mm' : ''}`;
    document.title = `${name} - tilecut`;
    this.fillColors();
    this.stage('open');
    const {missing} = picture; // used in the same note as in the command line
    this.say(`${missing ? `${missing} voxels are no numbers (NaN); they are taken for background. ` : ''}` +
      'Paint a stroke on the object, in any of the planes.');
    this.refresh();
  }

  takeSeeds({labels, fields, named}) {
    const {strokes} = this;
    if (named) this.palette.load(named);
    if (labels) strokes.base = labels;
    if (fields.box) {
      const [x, y, z, width, height, depth] = fields.box.split(' ').map(Number);
      strokes.box = {x, y, z, width, height, depth};
    }
    const number = Number(fields.number);
    if (number) strokes.prior = this.prior = {made: !fields.mask, name: fields.mask ?? this.names.previous, number};
    if (number) options.setFurther(fields.corrects === '1', fields.learns === '1');
    if (!labels && !fields.box && !number) return;
    strokes.repaint(strokes.all);
    this.changed(strokes.all);
  }

  // Turns this editor back into one of photos, because a photo is opened.
  leave() {
    this.hand.leave('cancel');
    clearTimeout(this.timer);
    this.engine.end();
    this.engine = this.strokes = this.palette = this.results = null;
    this.due = false;
    options.choose('tool', 'foreground');
    $('stage').classList.remove('large');
    document.body.classList.remove('joint');
    this.see(this.photos);
    this.what = 'photo';
    this.least = 0.001;
    Object.setPrototypeOf(this, Editor.prototype);
    layBack();
  }

  // ---- where ----

  // Moves the cross to a voxel, given by its indices.
  async goTo(voxel) {
    this.cross = voxel;
    await Promise.all(this.views.map(plane => plane.show(voxel[plane.axis])));
    this.views.forEach(describe);
    this.tell();
  }

  goAlong(plane, index) {
    const voxel = this.cross.slice();
    voxel[plane.axis] = Math.max(0, Math.min(this.picture.size[plane.axis] - 1, index));
    return this.goTo(voxel);
  }

  // Shows the voxel under the pointer, or that of the cross.
  tell(plane, event) {
    const voxel = plane?.grey ? plane.toVoxel(plane.toPhoto(event.clientX, event.clientY)) : this.cross;
    const value = this.views[0].grey && this.valueAt(voxel, plane ?? this.views[0]);
    $('voxel').textContent = voxel.join(', ');
    $('value').textContent = Number.isFinite(value) ? Number(value.toPrecision(6)) : '';
  }

  valueAt(voxel, {h, v, turnH, turnV, width, height, grey}) {
    const x = turnH ? width - 1 - voxel[h] : voxel[h], y = turnV ? height - 1 - voxel[v] : voxel[v];
    const [low, step] = this.picture.meaning;
    return low + step * grey[y * width + x];
  }

  wheel(event) {
    if (event.ctrlKey) return false;
    this.turned += event.deltaY * (event.deltaMode === 1 ? 30 : 1);
    const steps = Math.trunc(this.turned / WHEEL);
    this.turned -= steps * WHEEL;
    if (steps && !this.hand.action) this.goAlong(this.view, this.view.index + steps);
    return true;
  }

  enlarge(plane) {
    const now = !plane.element.classList.contains('now');
    for (const {element} of this.views) {
      element.classList.toggle('now', now && element === plane.element);
      element.querySelector('.large').setAttribute('aria-pressed', now && element === plane.element);
    }
    $('stage').classList.toggle('large', now);
  }

  key(key) {
    if (key === 'PageUp' || key === 'PageDown') this.goAlong(this.view, this.view.index + (key === 'PageUp' ? -1 : 1));
    else if (key === '6') options.choose('tool', 'window');
    else if (key.toLowerCase() === 'e') this.enlarge(this.view);
    else return ['v', '9'].includes(key.toLowerCase());
    return true;
  }

  // ---- tools of its own ----

  begin(name, point) {
    if (name === 'shift' || name === 'box') return this.moveCross(point);
    return name === 'window' ? this.dragGrey(point) : null;
  }

  moveCross(point) {
    const plane = this.view, move = to => { this.goTo(plane.toVoxel(to)); };
    move(point);
    return {move, end: () => {}, cancel: () => {}};
  }

  dragGrey([x, y]) {
    const {low, high} = this, {cssScale} = this.view, [first, last] = this.picture.range;
    const step = (last - first) / 400; // the change for one pixel of movement
    return {
      move: ([toX, toY]) => {
        const half = Math.max(step, (high - low) / 2 + (toX - x) * cssScale * step / 2);
        const middle = (low + high) / 2 + (toY - y) * cssScale * step;
        this.showGrey(middle - half, middle + half);
      },
      end: () => {},
      cancel: () => this.showGrey(low, high),
    };
  }

  setGrey() {
    const middle = Number($('level').value), half = Math.max(0, Number($('width').value)) / 2;
    this.showGrey(middle - half, middle + half);
  }

  // Sets the values that become black and white on the screen; the cut has its own (--range).
  showGrey(low, high) {
    const [least, step] = this.picture.meaning, span = high - low || 1e-9;
    Object.assign(this, {low, high, greys: new Uint32Array(65536)});
    for (let sample = 0; sample < 65536; sample++) {
      const grey = Math.max(0, Math.min(255, Math.round(255 * (least + step * sample - low) / span)));
      this.greys[sample] = (0xff000000 | grey << 16 | grey << 8 | grey) >>> 0;
    }
    $('level').value = Number(((low + high) / 2).toPrecision(5));
    $('width').value = Number((high - low).toPrecision(5));
    for (const plane of this.views) if (plane.grey) plane.shade();
  }

  // ---- from a stroke to a mask ----

  get settings() { return options.textFor(SETTINGS, this.strokes); }

  // Begins a stroke; if strokes correct, it starts from the proved mask, which the program keeps.
  beginStroke(label, radius, point) {
    const {strokes} = this;
    let rect = null;
    const {joint, now} = this.palette, code = label === FOREGROUND ? now.code : label;
    if (options.corrects() && label !== UNKNOWN && this.isProved && strokes.corrects(code))
      rect = strokes.keep({made: true, name: this.names.previous, number: this.engine.keep()},
        joint || options.learns());
    strokes.plane = this.view.plane;
    return union(rect, strokes.begin(code, radius ?? this.hand.radius, point));
  }

  // Moves all planes to the start of the stroke.
  lift() {
    super.lift();
    const last = this.strokes.done.at(-1), plane = this.view;
    if (last?.points && last.plane.index === plane.index) this.goTo(plane.toVoxel(last.points[0]));
  }

  reframed(rect) { return rect; }

  async askSketch(rect) {
    const {strokes} = this, {prior} = strokes;
    await this.sendNames();
    if (prior !== this.prior) await this.engine.prior(prior);
    this.prior = prior;
    return this.engine.sketch(rect, rect && strokes.compose(rect), this.settings, strokes.bordered);
  }

  async sendNames() { if (this.palette.joint) await this.engine.legend(this.palette.text); }

  async prove() {
    const proved = await super.prove();
    if (proved) await this.sendNames();
    return proved;
  }

  async renew() {
    await Promise.all(this.views.map(plane => plane.renew()));
    this.answer.empty = false;
    return null;
  }

  takeSketch() { return this.renew(); }

  takeProved() { return this.renew(); }

  failed(error) {
    super.failed(error);
    if (error.status === 4 && this.palette.joint) this.say('Paint a stroke of a label.');
    else if (error.status === 4 && !this.strokes.has(FOREGROUND)) this.say('Paint a stroke on the object.');
  }

  get advice() {
    return this.palette.joint ? 'Wrong somewhere? Choose the right label and paint there.' : super.advice;
  }

  soften() {}

  nextUnsure() {
    if (!this.place) return;
    this.goTo(this.place);
    this.say('A stroke helps most where the planes meet: is that the object?');
  }

  // ---- files ----

  get stem() { return this.name.replace(/(\.nii)?\.[^.]*$/, ''); }

  get names() {
    const {ending} = this.picture;
    const named = what => `${this.stem}-${what}${ending}`;
    const mask = named(this.palette.joint ? 'labels' : 'mask');
    return {mask, strokes: named('strokes'), previous: named('previous')};
  }

  // The command for several labels: the saved strokes also contain the box and the frame.
  get jointCommand() {
    const {strokes, names, picture: {given}} = this;
    const before = strokes.prior && options.corrects() ? ['--previous', strokes.prior.name] : [];
    return ['tilecut', 'labels', this.name, ...before, '-s', names.strokes, ...given ? given.split(' ') : [],
            ...options.wordsFor(['lambda', 'colors']), '-o', names.mask].map(options.quoted).join(' ');
  }

  get command() {
    if (this.palette.joint) return this.jointCommand;
    const {strokes, names, picture: {size, given}} = this, line = ['tilecut', 'segment', this.name];
    if (strokes.base || strokes.done.some(({label}) => label !== UNKNOWN)) line.push('-s', `${names.strokes}:labels`);
    const open = size.map(side => side > 2), inner = size.map((side, k) => open[k] ? side - 2 : side);
    const frame = [...open.map(Number), ...inner].join(',');
    if (strokes.box) line.push('--box', Object.values(strokes.box).join(','), '--seed-conflict', 'bg');
    else if (strokes.bordered) line.push('--box', frame, '--seed-conflict', 'fg');
    if (strokes.prior && options.corrects()) line.push('--previous', strokes.prior.name, ...options.learning(strokes));
    line.push(...given ? given.split(' ') : [], ...options.wordsFor(SETTINGS), '-o', names.mask);
    return line.map(options.quoted).join(' ');
  }
}

const makePlanes = () => layOut().map((element, i) => new Plane(element, 2 - i)); // axial, coronal, sagittal

export const create = () => new ScanEditor(makePlanes());

// Turns the editor of photos, which buttons and keys use, into one of scans. Returns its planes the first time.
export function become(editor) {
  const {planes} = editor, {prototype} = ScanEditor;
  editor.photos = editor.views;
  editor.palette = null;
  editor.planes ??= makePlanes();
  Object.setPrototypeOf(editor, prototype).see(editor.planes);
  if (planes) layOut();
  editor.prepare(planes ? [] : editor.planes);
  return planes ? [] : editor.planes;
}
