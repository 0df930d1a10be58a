// SPDX-License-Identifier: MIT
//
// engine_page.js - the cut in the page itself: workers with the WebAssembly module. One sketches during strokes.
// Another has the whole photo, and is ended and started again when its work is out of date. A third finds where the
// sketch is unsure; it is started for one answer, and ended by the next stroke.
//
// An engine has: open(picture), prior({mask} or null), sketch(rect, labels, options), cut(labels, options, plan) with a
// function that makes the labels of all pixels, cutout(options), unsure(options), colors, factor. sketch() and cut()
// return {mask, fields, ms}, or null if they were overtaken. With a plan (Palette.plan()) all objects are cut together,
// and the answer also has their map. hurry(), where it exists, makes the running sketch overtaken; stop() does so for
// work on the whole photo.

const SKETCH_CELLS = 1 << 16;   // the most pixels of the small copy
const PATIENCE = 300;           // milliseconds of work after which a cut is no longer waited for but stopped

export const fieldsOf = text => Object.fromEntries(text.trim().split('\n').map(line => line.split('\t')));

// Where worker and module are loaded from; replaced outside of browsers (node.js of the npm package).
export const host = {
  worker: () => new Worker(new URL('worker.js', import.meta.url)),
  async module() {
    const response = await fetch(new URL('tilecut.wasm', import.meta.url));
    if (!response.ok) throw new Error(`tilecut.wasm: ${response.status}`);
    return WebAssembly.compile(await response.arrayBuffer());
  },
};

export class Instance {
  constructor(module) {
    this.worker = host.worker();
    this.waiting = new Map();
    this.count = 0;
    this.worker.onmessage = ({data}) => {
      const {resolve, reject} = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (data.error) reject(Object.assign(new Error(data.error), {status: data.status}));
      else resolve(data);
    };
    this.worker.onerror = event => {
      for (const {reject} of this.waiting.values()) reject(new Error(event.message || 'the worker failed'));
      this.waiting.clear();
    };
    this.started = this.call('start', {module});
  }

  call(what, data = {}, transfer = []) {
    const id = this.count++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, {resolve, reject});
      this.worker.postMessage({id, do: what, ...data}, transfer);
    });
  }

  end() {
    this.worker.terminate();
    for (const {resolve} of this.waiting.values()) resolve(null);
    this.waiting.clear();
  }
}

export class PageEngine {
  static async create() {
    const engine = new this();
    engine.module = await host.module();
    engine.small = new Instance(engine.module);
    engine.colors = (await engine.small.started).colors;
    return engine;
  }

  async open(picture) {
    this.picture = picture;
    this.priorMask = null;
    this.end();
    this.small = new Instance(this.module);
    this.factor = (await this.begin(this.small)).factor;
  }

  begin(instance) { return instance.call('sketchBegin', {...this.picture, cells: SKETCH_CELLS}); }

  async sketch(rect, labels, options) {
    const start = performance.now();
    this.third?.end();
    const answer = await this.small.call('sketch', {rect, labels, options});
    return answer && {mask: answer.mask, fields: fieldsOf(answer.text), ms: performance.now() - start};
  }

  // Returns the fields of edit_unsure(). `mask`: in cells.
  async unsure(options, mask) {
    const now = await this.small.call('sketched');
    return now && this.apart('unsure', {options, labels: now.labels, mask}, [now.labels.buffer]);
  }

  // Runs one call in a worker of its own, which sketch() ends: then it returns null. Buffers in `transfer` are moved.
  async apart(what, data, transfer) {
    this.third?.end();
    const third = this.third = new Instance(this.module);
    try {
      const [begun, answer] = await Promise.all([this.begin(third), third.call(what, data, transfer)]);
      return begun && answer && fieldsOf(answer.text);
    } finally {
      third.end();
    }
  }

  stop() {
    this.large?.end();
    this.large = null;
  }

  end() {
    this.stop();
    this.third?.end();
    this.small.end();
  }

  // `given`: {mask}, or null.
  async prior(given) {
    const prior = this.priorMask = given?.mask ?? null;
    await this.small.call('sketchPrior', {prior});
    if (this.large) this.large.opened = this.large.opened.then(() => this.large?.call('prior', {prior}));
  }

  // Starts the instance with the photo, and copies pixels and prior to it.
  ready() {
    if (!this.large) {
      const fresh = this.large = new Instance(this.module);
      fresh.opened = fresh.call('photo', this.picture);
      if (this.priorMask) fresh.opened = fresh.opened.then(() => fresh.call('prior', {prior: this.priorMask}));
    }
    return this.large;
  }

  // Runs one cut at a time; of those that wait, only the last is done.
  async cut(labels, options, plan) {
    this.next?.(false);
    if (this.edging && performance.now() - this.edging > PATIENCE) this.stop();
    if (this.cutting) {
      if (performance.now() - this.begun > PATIENCE) this.stop();
      const mine = await new Promise(resolve => {
        this.next = resolve;
        this.cutting.then(() => resolve(true));
      });
      if (!mine) return null;
      this.next = null;
    }
    const work = this.work(labels, options, plan);
    this.cutting = work.catch(() => {}).then(() => { this.cutting = null; });
    return work;
  }

  async work(labels, options, plan) {
    this.begun = performance.now();
    const large = this.ready();
    await large.opened;
    const all = labels(), answer = await large.call('cut', {labels: all, options, plan}, [all.buffer]);
    const map = answer?.map?.map(number => number - 1);
    return answer && {mask: answer.mask, map, fields: fieldsOf(answer.text), ms: performance.now() - this.begun};
  }

  async cutout(options) {
    const {width, height, depth} = this.picture;
    this.edging = performance.now();
    const answer = await this.ready().call('cutout', {options}).finally(() => { this.edging = 0; });
    return answer && {width, height, depth, channels: answer.channels, pixels: answer.pixels, icc: this.picture.icc};
  }

  async memory() {
    const parts = await Promise.all([this.small, this.large].filter(Boolean).map(each => each.call('memory')));
    return parts.reduce((sum, part) => sum + part.bytes, 0);
  }
}
