// SPDX-License-Identifier: MIT
//
// worker.js - runs one instance of the WebAssembly module in a thread of its own. The page starts two: one sketches,
// the other cuts the photo itself. Messages are {id, do, ...}; the answer is {id, ...} or {id, error, status}.

let wasm;

// The functions that wasi-libc needs from outside. The library only reads the clock.
const surroundings = new Proxy({
  clock_time_get(_clock, _precision, at) {
    new DataView(wasm.memory.buffer).setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
    return 0;
  },
  proc_exit(status) { throw new Error(`ended with status ${status}`); },
}, {get: (calls, name) => calls[name] ?? (() => 52)}); // "not supported"

function text() {
  const bytes = new Uint8Array(wasm.memory.buffer, wasm.web_text() >>> 0);
  return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
}

function check(status) {
  if (status) throw Object.assign(new Error(text()), {status});
}

// Copies `bytes` to the module's memory and calls use(pointer).
function lent(bytes, use) {
  const at = wasm.web_alloc(Math.max(bytes.length, 1)) >>> 0; // addresses above 2 GiB arrive as negative numbers
  if (!at) throw Object.assign(new Error('not enough memory'), {status: 5});
  new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
  try {
    return use(at);
  } finally {
    wasm.web_free(at);
  }
}

const withOptions = (options, use) => {
  const bytes = new TextEncoder().encode(options);
  return lent(bytes, at => use(at, bytes.length));
};

const copyOf = (at, size) => new Uint8Array(wasm.memory.buffer, at >>> 0, size).slice();

const numbersOf = list => new Uint8Array(Int32Array.from(list).buffer);

let shape;

const calls = {
  async start({module}) {
    wasm = (await WebAssembly.instantiate(module, {wasi_snapshot_preview1: surroundings})).exports;
    wasm._initialize();
    const colors = [];
    for (let i = 0; ; i++) {
      if (!wasm.web_colors(i)) break;
      colors.push(text());
    }
    return {colors};
  },

  sketchBegin({width, height, channels, depth, pixels, cells}) {
    check(wasm.web_sketch_begin(width, height, channels, depth, cells));
    const factor = wasm.web_sketch_factor(), row = width * channels * depth / 8;
    const strip = factor * Math.max(1, Math.floor(1 << 20) / (row * factor) | 0);
    for (let y = 0; y < height; y += strip) {
      const rows = Math.min(strip, height - y);
      lent(pixels.subarray(y * row, (y + rows) * row), at => wasm.web_sketch_rows(y, rows, channels, at));
    }
    shape = {width: Math.ceil(width / factor), height: Math.ceil(height / factor)};
    return {factor};
  },

  sketch({rect, labels, options}) {
    if (rect)
      check(lent(labels, at => wasm.web_sketch_patch(rect.x, rect.y, rect.width, rect.height, at)));
    check(withOptions(options, wasm.web_sketch_cut));
    return {mask: copyOf(wasm.web_mask(), shape.width * shape.height), text: text()};
  },

  // Returns the labels of the sketch, for unsure() in another worker.
  sketched() { return {labels: copyOf(wasm.web_labels(), shape.width * shape.height)}; },

  unsure({options, labels, mask}) {
    new Uint8Array(wasm.memory.buffer, wasm.web_labels() >>> 0).set(labels);
    new Uint8Array(wasm.memory.buffer, wasm.web_mask() >>> 0).set(mask);
    check(withOptions(options, wasm.web_sketch_unsure));
    return {text: text()};
  },

  sketchPrior({prior}) {
    check(prior ? lent(prior, at => wasm.web_sketch_prior(at)) : wasm.web_sketch_prior(0));
    return {};
  },

  photo({width, height, channels, depth, pixels}) {
    check(wasm.web_photo(width, height, channels, depth));
    new Uint8Array(wasm.memory.buffer, wasm.web_pixels() >>> 0, pixels.length).set(pixels);
    shape = {width, height, channels, depth};
    return {};
  },

  // Cuts one object or, with a `plan` from Palette.plan(), all objects together.
  cut({labels, options, plan}) {
    const area = shape.width * shape.height;
    let map;
    new Uint8Array(wasm.memory.buffer, wasm.web_labels() >>> 0, area).set(labels);
    if (plan)
      map = lent(numbersOf(plan.divide), how => lent(plan.body, from => lent(new Uint8Array(area), to => {
        check(withOptions(options, (at, size) =>
          wasm.web_divide_objects(at, size, how, from, plan.body.length, to)));
        return copyOf(to, area);
      })));
    else check(withOptions(options, wasm.web_photo_cut));
    return {mask: copyOf(wasm.web_mask(), area), map, text: text()};
  },

  prior({prior}) {
    const at = wasm.web_prior(prior ? 1 : 0) >>> 0;
    if (prior && !at) throw Object.assign(new Error('not enough memory'), {status: 5});
    if (prior) new Uint8Array(wasm.memory.buffer, at, prior.length).set(prior);
    return {};
  },

  // The module has the mask of the last cut, unless another one is given.
  cutout({options, mask, labels}) {
    if (mask) new Uint8Array(wasm.memory.buffer, wasm.web_mask() >>> 0, mask.length).set(mask);
    if (labels) new Uint8Array(wasm.memory.buffer, wasm.web_labels() >>> 0, labels.length).set(labels);
    const at = withOptions(options, wasm.web_cutout);
    if (!at) check(5);
    const channels = shape.channels + shape.channels % 2;
    return {channels, pixels: copyOf(at, shape.width * shape.height * channels * shape.depth / 8)};
  },

  // `labels`: a label map.
  divide({labels, options, background, rounds}) {
    new Uint8Array(wasm.memory.buffer, wasm.web_labels() >>> 0, labels.length).set(labels);
    check(withOptions(options, (at, size) => wasm.web_divide(at, size, background, rounds)));
    return {mask: copyOf(wasm.web_mask(), shape.width * shape.height), text: text()};
  },

  // ---- a scan: exports_scan.c ----

  scan({head, voxels, size}) {
    const bytes = new Uint8Array(head.buffer);
    check(lent(bytes, at => lent(voxels, from => wasm.web_scan(at, from))));
    shape = {size, all: size[0] * size[1] * size[2]};
    return {text: text()};
  },

  scanSketch({box, labels, options, framed}) {
    if (box) {
      const six = numbersOf([box.x, box.y, box.z, box.width, box.height, box.depth]);
      check(lent(six, at => lent(labels, from => wasm.web_scan_patch(at, from, labels.length))));
    }
    check(withOptions(options, (at, size) => wasm.web_scan_sketch(at, size, framed ? 1 : 0)));
    return {text: text()};
  },

  scanName({names}) {
    check(withOptions(names, wasm.web_scan_name));
    return {};
  },

  // The same as sketched() and unsure(), of the label with that code or the only one.
  scanSketched({code}) {
    const at = wasm.web_scan_one(code) >>> 0;
    if (!at) check(5);
    return {one: copyOf(at, 2 * wasm.web_scan_cells())};
  },

  scanUnsure({options, one}) {
    check(lent(one, at => withOptions(options, (text, size) => wasm.web_scan_unsure(text, size, at))));
    return {text: text()};
  },

  scanKeep() { return {number: wasm.web_scan_keep()}; },

  scanPrior({number}) {
    check(wasm.web_scan_prior(number));
    return {};
  },

  scanPlane({axis, index, grey}) {
    const at = wasm.web_scan_plane(axis, index, grey ? 1 : 0) >>> 0, count = shape.all / shape.size[axis];
    if (!at) throw Object.assign(new Error('not enough memory'), {status: 5});
    const samples = grey ? copyOf(at, 2 * count) : null;
    return {grey: samples && new Uint16Array(samples.buffer), mask: copyOf(at + (grey ? 2 * count : 0), count)};
  },

  // Returns, for a cut in another worker, the strokes and the mask that they correct.
  scanLabels() {
    const prior = wasm.web_scan_given();
    return {labels: copyOf(wasm.web_scan_labels(1), shape.all), prior: prior ? copyOf(prior, shape.all) : null};
  },

  scanCut({labels, prior, options, names}) {
    if (names) calls.scanName({names});
    new Uint8Array(wasm.memory.buffer, wasm.web_scan_labels(0) >>> 0, shape.all).set(labels);
    const cut = at => check(withOptions(options, (text, size) => wasm.web_scan_cut(text, size, at)));
    if (prior) lent(prior, cut);
    else cut(0);
    return {mask: copyOf(wasm.web_scan_mask(), shape.all), text: text()};
  },

  scanProved({mask}) {
    new Uint8Array(wasm.memory.buffer, wasm.web_scan_mask() >>> 0, shape.all).set(mask);
    wasm.web_scan_proved();
    return {};
  },

  // Returns the voxels of the file `what`, a byte each. 0: the mask; 1: the strokes, as 1 foreground and 2 background,
  // or with `joint` as the codes of several objects' labels; 2: the mask that the strokes correct.
  scanFile({what, joint}) {
    const from = [wasm.web_scan_mask, () => wasm.web_scan_labels(joint ? 1 : 0), wasm.web_scan_given][what];
    const labels = copyOf(from(), shape.all);
    return {labels: what === 1 && !joint ? labels.map(label => [0, 2, 1, 0][label]) : labels};
  },

  memory() { return {bytes: wasm.memory.buffer.byteLength}; },
};

async function answerTo(data) {
  let answer;
  try {
    answer = await calls[data.do](data);
  } catch (error) {
    const short = error instanceof RangeError || error instanceof WebAssembly.RuntimeError;
    const text = short ? `not enough memory in the page (${error.message})` : error.message;
    answer = {error: text, status: error.status ?? 5};
  }
  const given = [answer.mask, answer.pixels, answer.labels, answer.one].filter(Boolean);
  postMessage({id: data.id, ...answer}, given.map(array => array.buffer));
}

// Answers messages in order, because the next one may come while the module is being made.
let last = Promise.resolve();
onmessage = ({data}) => { last = last.then(() => answerTo(data)); };
