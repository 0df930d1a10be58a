// SPDX-License-Identifier: MIT
//
// engine_program.js - cuts in the program that serves this page (`tilecut edit`). Requests and answers are lines
// "key<TAB>value", an empty line and bytes. Masks are sent as the tiles of 64 x 64 pixels that have changed, a bit a
// pixel.
import * as options from './options.js';
import {packProfile} from './png.js';

const words = editor => editor.settings.replaceAll('\n', ' ');
const $ = id => document.getElementById(id);
const TILE = 64;
const MOST = 2 ** 29; // the most bytes of a file, DESK_FILE_BYTES of the program
const LOST = 'The program does not answer. If it has ended, save the strokes (Files and command line), start it ' +
  'again and load them.';

function packed(fields, body = new Uint8Array(0)) {
  const head = new TextEncoder().encode(fields.map(([key, value]) => `${key}\t${value}\n`).join('') + '\n');
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  return all;
}

function unpacked(bytes) {
  let end = 0;
  while (end + 1 < bytes.length && (bytes[end] !== 10 || bytes[end + 1] !== 10)) end++;
  const lines = new TextDecoder().decode(bytes.subarray(0, end)).split('\n').filter(Boolean);
  return {fields: Object.fromEntries(lines.map(line => line.split('\t'))), body: bytes.subarray(end + 2)};
}

// Writes tiles into `mask`, 0 or 255 a pixel.
function takeTiles(mask, width, height, bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = 8 + TILE * TILE / 8;
  for (let at = 0; at + size <= bytes.length; at += size) {
    const x0 = view.getUint32(at, true) * TILE, y0 = view.getUint32(at + 4, true) * TILE;
    for (let y = 0; y < Math.min(TILE, height - y0); y++)
      for (let x = 0; x < Math.min(TILE, width - x0); x++)
        mask[(y0 + y) * width + x0 + x] = bytes[at + 8 + y * TILE / 8 + (x >> 3)] >> (x & 7) & 1 ? 255 : 0;
  }
}

export class ProgramEngine {
  async call(path, fields = [], body) {
    let response, bytes;
    try {
      response = await fetch(path, {
        method: 'POST', body: packed([['tab', this.tab ?? 0], ...fields], body),
        headers: {'Content-Type': 'application/octet-stream'}});
      bytes = new Uint8Array(await response.arrayBuffer());
    } catch {
      throw Object.assign(new Error(LOST), {lost: true});
    }
    const answer = unpacked(bytes);
    if ('overtaken' in answer.fields) return null;
    if (response.ok && !('error' in answer.fields)) return answer;
    const {error, status} = answer.fields;
    throw Object.assign(new Error(error ?? `the program says ${response.status}`), {status: Number(status ?? 1)});
  }

  // Creates an engine for the photo or scan that the program has open.
  static async create() {
    const engine = new this();
    await engine.begin();
    return engine;
  }

  async begin() {
    const engine = this, {fields, body} = await engine.call('api/open');
    engine.tab = fields.tab;
    engine.fields = fields;
    engine.factor = Number(fields.factor);
    engine.colors = fields.models.split(' ');
    const [width, height, channels, depth] = ['width', 'height', 'channels', 'depth'].map(key => Number(fields[key]));
    let at = 0;
    const next = size => body.slice(at, at += size);
    engine.picture = {width, height, channels, depth, pixels: next(width * height * channels * depth / 8)};
    engine.picture.icc = await packProfile([next(Number(fields.profile))], channels);
    engine.labels = next(width * height);
    engine.opened = null;
    if (Number(fields.legend)) engine.takeMap(next(Number(fields.legend)), next(width * height));
    const rest = next(body.length); // a mask with which the program began
    engine.priorMask = rest.length ? rest : null;
    engine.small = new Uint8Array(Math.ceil(width / engine.factor) * Math.ceil(height / engine.factor));
    engine.mask = new Uint8Array(width * height);
  }

  // Reads the objects of the program's initial label map: lines of desk_legend.h, and codes.
  takeMap(text, codes) {
    const lines = new TextDecoder().decode(text).trimEnd().split('\n').map(line => line.split('\t'));
    const [[, ground], ...rest] = lines;
    this.opened = {ground: Number(ground), list: rest.map(([code, number, colour, name]) =>
      ({number: Number(number), colour, name, mask: codes.map(each => each === Number(code) ? 255 : 0)}))};
  }

  async open() {} // the program has already opened it

  // Opens another photo or scan, a file that the program decodes. The program's output files belonged to the earlier
  // one. Returns true if the page can show it; a photo has no planes.
  async load(file) {
    const name = (file.name || 'photo').replace(/[\t\r\n]/g, ' ');
    if (file.size > MOST) throw new Error(`is larger than 512 MiB; the program opens it by name: tilecut edit ${name}`);
    const answer = await this.call('api/load', [['name', name]], new Uint8Array(await file.arrayBuffer()))
      .catch(error => { throw Object.assign(error, {message: error.message.replace(`${name}: `, '')}); });
    if ((answer.fields.scan === '1') !== (document.body.dataset.of === 'scan')) return false;
    await this.begin();
    return true;
  }

  // The mask of the program's own last cut is not sent to it.
  async prior(prior) {
    if (prior?.latest) {
      prior.latest = false;
      return void await this.call('api/prior', [['own', 1]]);
    }
    await this.call('api/prior', [], prior?.mask);
  }

  async sketch(rect, labels, options, box) {
    const start = performance.now(), {width, height} = this.picture, f = this.factor;
    const numbers = ({x, y, width, height}) => [x, y, width, height].join(' ');
    const where = [...rect ? [['rect', numbers(rect)]] : [], ...box ? [['box', numbers(box)]] : []];
    this.turn = (this.turn ?? 0) + 1;
    const fields = [...where, ['turn', this.turn], ['options', options.replaceAll('\n', ' ')]];
    const answer = await this.call('api/sketch', fields, labels ?? undefined);
    if (!answer) return null;
    takeTiles(this.small, Math.ceil(width / f), Math.ceil(height / f), answer.body);
    return {mask: this.small.slice(), fields: answer.fields, ms: performance.now() - start};
  }

  // The running sketch is out of date: it should return null as soon as it can.
  hurry() { this.call('api/hurry', [['turn', this.turn]]).catch(() => {}); } // the next call will report errors

  stop() { this.call('api/stop').catch(() => {}); }

  async unsure(options, mask, label) {
    const fields = [...label ? [['label', label]] : [], ['options', options.replaceAll('\n', ' ')]];
    return (await this.call('api/unsure', fields, mask ?? undefined))?.fields;
  }

  // Cuts one object. With a `plan` from Palette.plan(), cuts all objects together, and the answer also has their map.
  async cut(labels, options, plan) {
    const start = performance.now(), {width, height} = this.picture, end = plan ? -width * height : undefined;
    const fields = [['options', options.replaceAll('\n', ' ')], ...plan ? [['divide', plan.divide.join(' ')]] : []];
    const answer = await this.call('api/cut', fields, plan?.body);
    if (!answer) return null;
    takeTiles(this.mask, width, height, answer.body.subarray(0, end));
    const map = plan && answer.body.slice(end).map(number => number - 1);
    return {mask: this.mask.slice(), map, fields: answer.fields, ms: performance.now() - start};
  }

  async cutout(options) {
    const answer = await this.call('api/cutout', [['options', options.replaceAll('\n', ' ')]]);
    const {width, height, depth, icc} = this.picture;
    return answer && {width, height, depth, icc, channels: Number(answer.fields.channels), pixels: answer.body.slice()};
  }
}

async function finish(editor, save) {
  try {
    const lost = 'Only the chosen object is written. The others have not been saved and would be lost. Finish?';
    if (save && editor.unsavedOthers && !confirm(lost)) return;
    editor.ending = true; // no more calls of the program that the user did not ask for
    if (save ? !await editor.prove() : !editor.mayLose('Finish without saving?')) return;
    await editor.engine.call('api/done', [['save', save ? 1 : 0], ['options', words(editor)]]);
    document.body.dataset.stage = 'finished';
    editor.keep();
    editor.say('Finished; this page can be closed.');
  } catch (error) {
    editor.say(error.message, true);
  } finally {
    editor.ending = document.body.dataset.stage === 'finished';
  }
}

async function save(editor) {
  try {
    if (!await editor.prove()) return;
    const {version} = editor, answer = await editor.engine.call('api/save', [['options', words(editor)]]);
    if (!answer) return;
    editor.keep(version);
    editor.say(`Saved ${answer.fields.saved}.`);
  } catch (error) {
    editor.say(error.message, true);
  }
}

// Takes the strokes and the box with which the program started, or which another tab has left.
function takeSeeds(editor, {labels, fields, opened, priorMask: prior}) {
  const {strokes} = editor;
  if (opened) {
    editor.palette.ground = opened.ground;
    return editor.palette.open(opened.list, fields.mask);
  }
  if (prior)
    strokes.prior = editor.prior =
      {mask: prior, name: fields.mask ?? `${editor.stem}-previous.png`, made: !fields.mask};
  if (prior) options.setFurther(fields.corrects === '1', fields.learns === '1');
  const painted = labels.some(label => label !== 0);
  if (painted) strokes.base = labels;
  if (fields.box) {
    const [x, y, width, height] = fields.box.split(' ').map(Number);
    strokes.box = {x, y, width, height};
  }
  if (!painted && !fields.box && !prior) return;
  strokes.repaint(strokes.all);
  editor.changed(strokes.all);
}

async function showPhoto(editor, engine) {
  await editor.show(engine.picture, engine.fields.name);
  $('save').hidden = $('done').hidden = !engine.fields.outputs || engine.fields.outputs === '0';
  $('save-cutout').classList.toggle('main', $('save').hidden);
  $('leave').textContent = $('save').hidden ? 'Finish' : 'Finish without saving';
  if (editor.takeSeeds) editor.takeSeeds(engine);
  else takeSeeds(editor, engine);
}

// Opens the program's photo with its strokes.
export async function openProgram(editor) {
  let engine;
  try {
    const {Engine} = editor.what === 'scan' ? await import('./scan/scan_engine.js') : {Engine: ProgramEngine};
    engine = await Engine.create();
  } catch (error) {
    return editor.say(error.message, true);
  }
  editor.engine = engine;
  editor.load = async file => {
    editor.ending = true; // nothing more is asked about the photo that goes
    try {
      if (await engine.load(file)) return await showPhoto(editor, engine);
    } finally { editor.ending = false; }
    Object.defineProperty(editor, 'unsaved', {value: false}); // somebody has been asked
    location.reload(); // reloads as the page for the program's current photo or scan
  };
  $('with-program').hidden = false;
  $('file').removeAttribute('accept'); // the program reads more formats than browsers know
  $('save').onclick = () => save(editor);
  $('done').onclick = () => finish(editor, true);
  $('leave').onclick = () => finish(editor, false);
  if (engine.picture.width) await showPhoto(editor, engine);
  else $('leave').textContent = 'Finish', $('done').hidden = true;
}
