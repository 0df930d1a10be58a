// SPDX-License-Identifier: MIT
//
// index.js - tilecut for browsers and node: exact minimum cuts of photos in a worker with the WebAssembly module.
// index.d.ts describes the functions. Workers, strokes and PNG are those of the editor (editor/), so a mask made here
// is the same as that of the editor and of the program, bit for bit.
import {Instance, PageEngine, fieldsOf, host} from './editor/engine_page.js';
import {compact} from './editor/photo.js';
import {BACKGROUND, FOREGROUND, KeptMask, Strokes, UNKNOWN} from './editor/strokes.js';

export {decodePng as readPng, encodePng as writePng} from './editor/png.js';

const KINDS = {fg: FOREGROUND, bg: BACKGROUND, erase: UNKNOWN};
const BRUSH = 3;         // default radius of a stroke, as for --brush
const MOST = 2 ** 26;    // pixels: larger graphs do not fit in the memory of WebAssembly
const MODEL = ['lambda', 'spatial', 'sigma', 'colors', 'iterations', 'effort', 'islands', 'connectivity'];
const CLEANUP = ['keepLargest', 'minArea', 'fillHoles', 'connected'];
const EDGE = ['edge', 'feather', 'matte', 'keepColors'];
const HINTS = ['fg', 'bg', 'box', 'brush', 'seeds', 'mask', 'previous', 'learn'];

// ---- what comes in ----

const bytesOf = array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

function pictureOf(image) {
  const {width, height} = image ?? {};
  if (!Number.isInteger(width) || !Number.isInteger(height) || width < 1 || height < 1)
    throw new TypeError('image: needs whole numbers width and height, as an ImageData has them');
  if (width * height >= MOST)
    throw new RangeError(`image: has ${Math.round(width * height / 1e6)} megapixels; fewer than 67 are cut here`);
  const samples = image.pixels ?? image.data, wide = samples instanceof Uint16Array;
  const depth = image.depth ?? (wide ? 16 : 8), channels = image.channels ?? (image.pixels ? 3 : 4);
  if (!ArrayBuffer.isView(samples) || ![1, 2, 3, 4].includes(channels) || ![8, 16].includes(depth) ||
      samples.byteLength !== width * height * channels * depth / 8)
    throw new TypeError(`image: ${width}x${height} with ${channels} channels of ${depth} bits are ` +
      `${width * height * channels * depth / 8} bytes; there are ${samples?.byteLength ?? 0}`);
  const pixels = bytesOf(samples);
  if (image.pixels) return {width, height, channels, depth, pixels, icc: image.icc};
  return {width, height, depth, ...compact(pixels, width * height, false)};
}

function planeOf(name, plane, {width, height}) {
  const data = ArrayBuffer.isView(plane) ? plane : plane?.mask ?? plane?.labels ?? plane?.pixels;
  if (!(data instanceof Uint8Array || data instanceof Uint8ClampedArray) || data.length !== width * height)
    throw new TypeError(`${name}: needs a byte for each of the photo's ${width * height} pixels; there are ` +
      `${data?.length ?? 0}`);
  return bytesOf(data);
}

// Parses "X,Y X,Y" or [[x, y], ...]; coordinates mean the middle of a pixel.
function pointsOf(name, stroke) {
  const points = typeof stroke === 'string'
    ? stroke.trim().split(/\s+/).map(point => point.split(',').map(Number)) : stroke;
  if (!Array.isArray(points) || !points.length ||
      !points.every(point => Array.isArray(point) && point.length === 2 && point.every(Number.isFinite)))
    throw new TypeError(`${name}: ${JSON.stringify(stroke)} is no stroke; ` +
      '"180,85 188,150" or [[180, 85], [188, 150]] is');
  return points.map(([x, y]) => [x + 0.5, y + 0.5]);
}

// Converts one stroke or a list of strokes to a list.
function strokesOf(name, given) {
  if (given === undefined || given === null) return [];
  const one = typeof given === 'string' || typeof given[0]?.[0] === 'number';
  return (one ? [given] : [...given]).map(stroke => pointsOf(name, stroke));
}

function radiusOf(brush = BRUSH) {
  if (!Number.isFinite(brush) || brush < 0) throw new TypeError(`brush: ${brush} is no radius in pixels`);
  return brush;
}

function boxOf(box, {width: w, height: h}) {
  const [x, y, width, height] = Array.isArray(box) ? box : [box?.x, box?.y, box?.width, box?.height];
  if (![x, y, width, height].every(Number.isInteger) || x < 0 || y < 0 || width < 1 || height < 1 ||
      x + width > w || y + height > h)
    throw new RangeError(`box: ${[x, y, width, height]} is not within the photo of ${w}x${h}; ` +
      'left, top, width and height in whole pixels are needed');
  return {x, y, width, height};
}

// Converts the named `options` to words of the command line: keepLargest becomes --keep-largest.
function words(options, names) {
  return names.flatMap(name => {
    const value = options[name], word = `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
    if (value === undefined || value === null || value === false) return [];
    if (/\s/.test(value)) throw new TypeError(`${name}: ${value} has a blank in it`);
    return value === true ? [word] : [word, String(value)];
  }).join('\n');
}

function known(options, ...names) {
  const all = names.flat();
  for (const name of Object.keys(options))
    if (!all.includes(name)) throw new TypeError(`${name}: is no option here; there is ${all.join(', ')}`);
  return options;
}

// ---- what goes out ----

function answerOf(mask, said, {width, height}, name = 'mask') {
  const fields = Object.entries(said)
    .map(([key, value]) => [key, key === 'certified' ? value === '1' : isNaN(value) || !value ? value : Number(value)]);
  return {...Object.fromEntries(fields), width, height, [name]: mask};
}

let module;

// Calls work(call) with the photo in a new worker, which ends afterwards.
async function withPhoto(picture, work) {
  module ??= host.module().catch(error => {
    module = null;
    throw error;
  });
  const instance = new Instance(await module);
  try {
    await instance.started;
    await instance.call('photo', picture);
    return await work((what, data) => instance.call(what, data));
  } finally {
    instance.end();
  }
}

// ---- one photo, one answer ----

function hinted(picture, options) {
  const strokes = new Strokes(picture.width, picture.height);
  if (options.seeds) strokes.setBase(planeOf('seeds', options.seeds, picture));
  if (strokes.base?.some(label => label > FOREGROUND))
    throw new RangeError('seeds: hold other values than 0 (unknown), 1 (background) and 2 (object)');
  if (options.box) strokes.setBox(boxOf(options.box, picture));
  for (const kind of ['bg', 'fg'])
    for (const points of strokesOf(kind, options[kind])) paint(strokes, kind, points, options.brush);
  return strokes;
}

function paint(strokes, kind, points, brush) {
  strokes.begin(KINDS[kind], radiusOf(brush), points[0]);
  for (const point of points.slice(1)) strokes.extend(point);
}

export async function segment(image, options = {}) {
  known(options, HINTS, MODEL, CLEANUP);
  const picture = pictureOf(image), strokes = hinted(picture, options);
  if (options.mask && options.previous) throw new TypeError('mask, previous: are two masks to begin from; give one');
  const from = options.previous ?? options.mask;
  const prior = from ? planeOf(options.previous ? 'previous' : 'mask', from, picture) : null;
  const text = [words(options, [...MODEL, ...CLEANUP]), options.previous ? '--previous' : '',
    options.previous && options.learn ? '--learn' : ''].join('\n');
  if (prior) Object.assign(strokes, {prior: {mask: prior}, learns: Boolean(options.learn)});
  return withPhoto(picture, async call => {
    if (prior) await call('prior', {prior});
    const got = await call('cut', {labels: strokes.compose(strokes.all), options: text});
    return answerOf(got.mask, fieldsOf(got.text), picture);
  });
}

export const refine = (image, mask, options = {}) => segment(image, {...options, mask});

export async function cutout(image, mask, options = {}) {
  known(options, EDGE, 'seeds');
  const picture = pictureOf(image), plane = planeOf('mask', mask, picture);
  const labels = options.seeds && planeOf('seeds', options.seeds, picture);
  return withPhoto(picture, async call => {
    const {channels, pixels} = await call('cutout', {options: words(options, EDGE), mask: plane, labels});
    return {...picture, channels, pixels};
  });
}

export async function labels(image, seeds, options = {}) {
  known(options, MODEL, 'background', 'boundRounds');
  const picture = pictureOf(image), plane = planeOf('seeds', seeds, picture);
  const rounds = options.boundRounds ?? 20;
  if (!Number.isInteger(rounds) || rounds < 0 || rounds > 100)
    throw new RangeError(`boundRounds: ${rounds} is not a whole number from 0 to 100`);
  const {background = 0} = options, text = words(options, MODEL);
  return withPhoto(picture, async call => {
    const got = await call('divide', {labels: plane, options: text, background, rounds: rounds || -1});
    return answerOf(got.mask, fieldsOf(got.text), picture, 'labels');
  });
}

// ---- a session ----

export class Session {
  static async open(image, options = {}) {
    known(options, MODEL, CLEANUP, 'further');
    if (!['learn', 'keep', 'anew', undefined].includes(options.further))
      throw new TypeError(`further: ${options.further} is none of learn, keep, anew`);
    const session = new Session(), picture = pictureOf(image);
    Object.assign(session, {picture, options, further: options.further ?? 'learn', queue: Promise.resolve()});
    session.strokes = new Strokes(picture.width, picture.height);
    session.engine = await PageEngine.create();
    await session.engine.open(picture);
    session.prior = null;
    session.result = null;
    return session;
  }

  // Makes changes one after the other, each from the mask that the last one has left.
  step(change) {
    const done = this.queue.then(() => {
      if (!this.engine) throw new Error('the session is closed');
      change();
      return this.cut();
    });
    this.queue = done.catch(() => {});
    return done;
  }

  stroke(kind, stroke, {brush} = {}) {
    if (!(kind in KINDS)) throw new TypeError(`kind: ${kind} is none of ${Object.keys(KINDS).join(', ')}`);
    const points = pointsOf(kind, stroke), radius = radiusOf(brush);
    return this.step(() => {
      const {strokes, result} = this;
      if (this.further !== 'anew' && kind !== 'erase' && result && strokes.correctable)
        strokes.keep(new KeptMask(result.mask, 'previous.png'), this.further === 'learn');
      paint(strokes, kind, points, radius);
    });
  }

  box(box) {
    const checked = boxOf(box, this.picture);
    return this.step(() => this.strokes.setBox(checked));
  }

  start(mask) {
    const plane = planeOf('mask', mask, this.picture).slice();
    return this.step(() => this.strokes.setPrior({mask: plane, name: 'mask.png'}));
  }

  undo() { return this.step(() => this.strokes.undo()); }
  redo() { return this.step(() => this.strokes.redo()); }
  clear() { return this.step(() => this.strokes.clear()); }
  set(options) {
    known(options, MODEL, CLEANUP);
    return this.step(() => { this.options = {...this.options, ...options}; });
  }

  get text() {
    const {options, strokes, further} = this, learns = further === 'learn' && strokes.teach;
    const corrects = further !== 'anew' && strokes.prior;
    return [words(options, [...MODEL, ...CLEANUP]), corrects ? '--previous' : '',
      corrects && learns ? '--learn' : ''].join('\n');
  }

  // Cuts along the strokes; null if they do not say yet where the object is.
  async cut() {
    const {strokes, engine} = this;
    strokes.learns = this.further === 'learn';
    try {
      if (strokes.prior !== this.prior) await engine.prior(strokes.prior);
      this.prior = strokes.prior;
      const got = await engine.cut(() => strokes.compose(strokes.all), this.text);
      return this.result = got && answerOf(got.mask, got.fields, this.picture);
    } catch (error) {
      this.result = null;
      if (error.status === 4) return null;
      throw error;
    }
  }

  async cutout(options = {}) {
    known(options, EDGE);
    const text = words(options, EDGE);
    await this.queue;
    if (!this.engine || !this.result) throw new Error('there is no mask yet');
    return this.engine.cutout(text);
  }

  close() {
    this.engine?.small.end();
    this.engine?.stop();
    this.engine = null;
  }
}
