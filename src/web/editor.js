// SPDX-License-Identifier: MIT
//
// editor.js - the page: one photo, what is painted on it, and the cut that follows. After every change the engine
// sketches, as often as it can, and when the hand rests it cuts the photo itself; only that mask is called proved, and
// only that one is saved.
import {Answer} from './answer.js';
import {wireControls} from './controls.js';
import {PageEngine} from './engine_page.js';
import {openProgram} from './engine_program.js';
import * as options from './options.js';
import {readPicture, toImageData} from './photo.js';
import {wirePointer} from './pointer.js';
import {KeptMask, Strokes, UNKNOWN, union} from './strokes.js';
import {View} from './view.js';

const $ = id => document.getElementById(id);
const NOWHERE = {x: 0, y: 0, width: 0, height: 0};
const MOST = 2 ** 26; // pixels: no larger graph fits in the memory of WebAssembly (graph_make.c)
const REST = 250; // milliseconds without a change before the photo itself is cut: not between two strokes

export class Editor {
  constructor() {
    this.view = new View($('photo'), $('canvas'));
    this.version = 0;     // of what the cut depends on
    this.held = false;    // a stroke is being painted
    this.view.drawn = () => this.measure();
  }

  // What was proved or made before is out of date.
  step() {
    document.body.dataset.version = ++this.version;
    this.made = null;
  }

  // Whether the proved mask is of what is painted and set now.
  get isProved() { return document.body.dataset.proved === document.body.dataset.version; }

  // What was painted then has been saved, in whatever form, or is no longer wanted.
  keep(version = this.version) { this.kept = version; }

  get unsaved() { return this.strokes?.done.length > 0 && this.kept !== this.version; }

  // Whether what was painted may go: it was saved, or somebody says so.
  mayLose(what) {
    return !this.unsaved || confirm(`${what} What was painted on ${this.name} has not been saved and would be lost.`);
  }

  say(text, wrong = false) {
    $('status').textContent = text;
    $('status').classList.toggle('wrong', wrong);
  }

  stage(name, proof = '') {
    document.body.dataset.stage = name;
    $('proof').textContent = proof;
    $('proof').classList.toggle('open', name !== 'proved');
    for (const id of ['save-mask', 'save-cutout', 'save']) $(id).disabled = !['proved', 'sketched'].includes(name);
  }

  // ---- a photo ----

  async openFile(file) {
    this.say(`${file.name}: reading…`);
    try {
      const picture = await readPicture(file);
      const area = picture.width * picture.height;
      if (area >= MOST) throw new Error(`has ${Math.round(area / 1e6)} megapixels; ` +
        'this page cuts fewer than 67, tilecut edit more');
      if (!this.mayLose(`Open ${file.name}?`)) return this.say(`${this.name} stays open.`);
      this.engine ??= await PageEngine.create();
      await this.show(picture, file.name || 'photo.png');
    } catch (error) {
      this.say(`${file.name}: ${error.message}`, true);
    }
  }

  async show(picture, name) {
    this.hand.leave('cancel');
    this.step();
    this.stage('empty');
    this.picture = picture;
    this.name = name;
    this.prior = null; // the prior mask that the engine has
    this.strokes = new Strokes(picture.width, picture.height);
    this.answer = new Answer(picture.width, picture.height);
    this.view.setContent(this.strokes, this.answer);
    await this.engine.open(picture);
    await this.view.setPhoto(toImageData(picture));
    $('decoded').hidden = !picture.decoded;
    document.title = `${name} - tilecut`;
    this.fillColors();
    this.stage('open');
    this.say(`${name}: ${picture.width} × ${picture.height}. Paint a stroke on the object and one on the ` +
             'background, or draw a box around the object.');
    this.refresh();
  }

  fillColors() {
    const before = $('colors').value;
    $('colors').replaceChildren(...this.engine.colors.map(name => new Option(name, name)));
    if (this.engine.colors.includes(before)) $('colors').value = before;
  }

  get settings() { return options.text(this.strokes); }

  get stem() { return this.name.replace(/\.[^.]*$/, ''); }

  // ---- from a change to a mask ----

  // Where strokes correct, each begins from the proved mask that there is.
  beginStroke(label, radius, point) {
    const {strokes, answer} = this;
    let rect = null;
    if (options.corrects() && label !== UNKNOWN && this.isProved && strokes.correctable) {
      rect = strokes.keep(new KeptMask(answer.proved, `${this.stem}-previous.png`), options.learns());
      answer.settle(this.engine.factor);
    }
    return union(rect, strokes.begin(label, radius, point));
  }

  // `rect`: where labels may have changed; null: only options have.
  changed(rect) {
    this.step();
    const soft = this.view.softNow();
    this.view.soft = null;
    this.pending = union(this.pending, rect);
    this.due = true;
    this.since ??= performance.now();
    this.view.redraw(soft ? null : rect);
    this.refresh();
    this.pump();
  }

  pump() { this.pumping ??= this.sketchAll(); }

  // A stroke has ended: its mask need not wait for that of its beginning.
  lift() {
    this.held = false;
    if (this.due) this.engine.hurry?.();
    this.rest();
  }

  async sketchAll() {
    while (this.due) {
      const rect = this.pending, start = this.since;
      this.due = false;
      this.pending = this.since = null;
      await this.sketch(rect, start);
    }
    this.pumping = null;
    this.rest();
  }

  async sketch(rect, start) {
    const {answer} = this;
    try {
      const {prior} = this.strokes;
      if (prior !== this.prior) await this.engine.prior(prior);
      this.prior = prior;
      const got = await this.engine.sketch(rect, rect && this.strokes.compose(rect), this.settings, this.strokes.box);
      if (!got || answer !== this.answer) return;
      performance.measure('sketch', {start: performance.now() - got.ms, detail: Number(got.fields.ms)});
      const first = answer.empty, part = answer.takeSketch(got.mask, this.engine.factor);
      this.stage('sketched', `Sketch in ${Math.round(got.ms)} ms; the full size is being cut…`);
      this.started = start;
      // A mask where there was none changes the look of all. One that is the same still ends the waiting.
      this.view.redraw(first ? null : part ?? NOWHERE);
    } catch (error) {
      if (error.lost) this.pending = union(this.pending, rect); // the engine has not got it
      this.failed(error);
    }
  }

  // Called when a frame is on the canvas: how long the last change took to get there.
  measure() {
    if (!this.started) return;
    performance.measure('change to sketch', {start: this.started});
    this.started = null;
  }

  failed(error) {
    if (!error.lost) this.answer.forget();
    this.view.redraw();
    if (error.status !== 4) {
      this.stage('failed');
      return this.say(error.message, true);
    }
    this.stage('open');
    const count = this.strokes.count(), box = this.strokes.box;
    const painted = count[1] + count[2];
    this.say(!painted && !box && !this.prior
      ? 'Paint a stroke on the object and one on the background, or draw a box around the object.'
      : count[2] && !count[1] && !box ? 'Now a stroke on the background, or a box around the object.'
      : count[1] && !count[2] && !box ? 'Now a stroke on the object.' : `${error.message}.`);
  }

  // The photo itself, when nothing changes any more.
  rest() {
    clearTimeout(this.timer);
    if (!this.held && !this.due && document.body.dataset.stage === 'sketched')
      this.timer = setTimeout(() => this.prove(), REST);
  }

  // Resolves when the proved mask is on the screen; false: overtaken by another change, or failed.
  prove() {
    if (this.proving?.version === this.version) return this.proving.work;
    const work = this.cut(this.version, performance.now());
    this.proving = {version: this.version, work};
    return work;
  }

  async cut(version, start) {
    try {
      await this.pumping; // the engine has all labels then
      if (version !== this.version) return false;
      const got = await this.engine.cut(() => this.strokes.compose(this.strokes.all), this.settings);
      if (!got || version !== this.version) return false;
      this.answer.takeProved(got.mask);
      document.body.dataset.proved = version;
      const {flow, cut, certified, foreground} = got.fields;
      const share = (100 * foreground / this.answer.shown.length).toFixed(1);
      const seconds = ((performance.now() - start) / 1000).toFixed(2), proved = certified === '1' && flow === cut;
      this.stage('proved', `${proved ? 'Proved' : 'NOT PROVED'}: flow ${flow} = cut ${cut}`);
      this.say(`Object: ${share} % of the photo, at full size in ${seconds} s.`);
      performance.measure('full cut', {start});
      this.view.redraw(this.strokes.all);
      await this.soften(version);
      return proved;
    } catch (error) {
      if (version === this.version) this.failed(error);
      return false;
    }
  }

  // The cutout as it would be saved, or null: overtaken by a change, or failed. One that is shown is not made again.
  async makeCutout() {
    const {settings, version} = this;
    if (this.made?.settings === settings) return this.made.cutout;
    try {
      const cutout = await this.engine.cutout(settings);
      if (cutout && this.isProved && version === this.version) this.made = {settings, cutout};
      return cutout;
    } catch (error) {
      this.say(error.message, true);
      return null;
    }
  }

  // With a soft edge the looks that show a cutout show the one that would be saved.
  async soften(version = this.version) {
    if (!options.isSoft() || !['white', 'black', 'checker'].includes(this.view.look)) return;
    if (!this.isProved) return;
    const {settings} = this, cutout = await this.makeCutout();
    if (!cutout || version !== this.version || settings !== this.settings) return;
    this.view.soft = await createImageBitmap(toImageData(cutout));
    performance.mark('soft edge');
    this.view.redraw();
  }

  // Buttons and the command, after any change.
  refresh() {
    const {strokes, stem} = this;
    $('undo').disabled = !strokes.done.length;
    $('redo').disabled = !strokes.undone.length;
    $('clear').disabled = !strokes.done.length && !strokes.base && !strokes.prior;
    $('save-previous').hidden = !strokes.prior?.made;
    for (const id of ['save-strokes', 'load-mask', 'load-strokes', 'copy']) $(id).disabled = false;
    const painted = strokes.base || strokes.sinceBase().length;
    $('command').value = options.commandLine({
      photo: this.name, strokes: painted ? `${stem}-strokes.png` : null, mask: `${stem}-mask.png`,
      prior: strokes.prior?.name ?? null, cutout: `${stem}-cutout.png`}, strokes);
  }
}

if (location.search) history.replaceState(null, '', location.pathname); // the token has done its work
const editor = new Editor();
wireControls(editor);
wirePointer(editor);
addEventListener('beforeunload', event => { if (editor.unsaved) event.preventDefault(); });
if (!await openProgram(editor) && 'serviceWorker' in navigator && isSecureContext)
  navigator.serviceWorker.register('offline.js').catch(() => {}); // without it the page works while it is reachable
document.body.dataset.ready = 'yes';
