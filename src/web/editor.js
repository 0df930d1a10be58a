// SPDX-License-Identifier: MIT
//
// editor.js - the editor: one photo, its strokes, and its cut. After every change the engine sketches, as often as it
// can. When the user pauses, it cuts the photo itself; only that mask is certified and saved.
import {busy} from './busy.js';
import {PageEngine} from './engine_page.js';
import * as options from './options.js';
import {readPicture, toImageData} from './photo.js';
import {ground} from './looks.js';
import {FOREGROUND, KeptMask, UNKNOWN, union} from './strokes.js';
import {looksHairy} from './hair.js';
import {Palette} from './palette.js';
import {View} from './view.js';

const $ = id => document.getElementById(id);
const NOWHERE = {x: 0, y: 0, width: 0, height: 0};
const MOST = 2 ** 26; // pixels: larger graphs do not fit in the memory of WebAssembly (graph_make.c)
const REST = 250; // milliseconds: the photo itself is cut after a pause, not between two strokes
export const SCAN = /\.(nii(\.gz)?|nrrd|nhdr|mha|mhd|hdr|dcm)$/i;

export class Editor {
  constructor(views = [new View($('photo'), $('canvas'))]) {
    this.see(views);
    this.what = 'photo';
    this.version = 0;     // counts changes that affect the cut
    this.held = false;    // true while a stroke is being painted
    this.least = 0.001;   // share of the photo: smaller unsure places are not shown
  }

  see(views) {
    this.views = views;   // all that show it
    [this.view] = views;  // where the hand is
    for (const view of views) view.drawn = () => this.measure();
  }

  redraw(rect) { for (const view of this.views) view.redraw(rect); }

  // Makes everything proved or made before out of date.
  step() {
    document.body.dataset.version = ++this.version;
    this.made = null;
  }

  // True if the proved mask belongs to the current strokes and options.
  get isProved() { return document.body.dataset.proved === document.body.dataset.version; }

  // Marks the strokes of that version as saved, or as no longer wanted.
  keep(version = this.version) { this.kept = version; }

  get unsavedNow() { return this.strokes?.done.length > 0 && this.kept !== this.version; }

  get unsavedOthers() { return Boolean(this.palette?.others.some(item => item.unsaved)); }

  get unsaved() { return this.unsavedNow || this.unsavedOthers; }

  // True if the strokes may be lost: they are saved, or the user agrees.
  mayLose(what) {
    return !this.unsaved || confirm(`${what} What was painted on ${this.name} has not been saved and would be lost.`);
  }

  say(text, wrong = false) {
    $('status').textContent = text;
    $('status').classList.toggle('wrong', wrong);
  }

  stage(name, proof = 'There is no mask yet.') {
    document.body.dataset.stage = name;
    $('proof').textContent = proof;
    for (const id of ['save-mask', 'save-cutout', 'copy-cutout', 'save'])
      $(id).disabled = !['proved', 'sketched'].includes(name);
  }

  // Shows the original photo while a button or a key is held.
  before(on) {
    if (this.view.before === on || !this.strokes) return;
    for (const view of this.views) view.before = on;
    this.redraw();
  }

  // ---- a photo ----

  async openFile(file) {
    let given = false, wanted = true;
    const may = () => { // asks if the open photo may be replaced
      if (!wanted) this.say(`${file.name} was not opened.`);
      else if (!this.mayLose(`Open ${file.name}?`)) this.say(`${this.name} stays open.`);
      else given = true;
      return given;
    };
    const take = async () => {
      if (this.load) return may() && this.load(file);
      if (SCAN.test(file.name)) {
        if (document.body.dataset.form) throw new Error(`is a scan; the program shows it: tilecut edit ${file.name}`);
        return (await import('./scan/scan_page.js')).openScan(this, file, may);
      }
      const picture = await readPicture(file), area = picture.width * picture.height;
      if (area >= MOST) throw new Error(`has ${Math.round(area / 1e6)} megapixels; ` +
        'this page cuts fewer than 67, tilecut edit more');
      if (!may()) return;
      this.leave?.();
      this.engine ??= await PageEngine.create();
      await this.show(picture, file.name || 'photo.png');
    };
    try {
      await busy(`Opening ${file.name}…`, take(), () => { wanted = given; });
    } catch (error) {
      this.say(`${file.name}: ${error.message}`, true);
    }
  }

  async show(picture, name) {
    this.hand.leave('cancel');
    clearTimeout(this.timer);
    this.step();
    this.stage('empty');
    this.picture = picture;
    this.name = name;
    this.prior = null; // the prior mask that the engine now has
    this.bordered = false; // true if the engine treats the photo's border as background
    this.palette = new Palette(this, picture);
    ({strokes: this.strokes, answer: this.answer} = this.palette.now);
    this.view.setContent(this.strokes, this.answer);
    this.palette.show();
    this.showUnsure(null);
    await this.engine.open(picture);
    await this.view.setPhoto(toImageData(picture));
    $('decoded').hidden = !picture.decoded;
    $('name').textContent = name;
    document.title = `${name} - tilecut`;
    this.fillColors();
    this.stage('open');
    this.say('Click on the object, or paint a stroke on it.');
    this.refresh();
  }

  fillColors() {
    const before = $('colors').value, words = {gmm: 'by groups of colours (usual)', hist: 'by counting colours',
      mixture: 'by soft groups', palette: 'by a palette', none: 'by strokes and edges alone'};
    $('colors').replaceChildren(...this.engine.colors.map(name => new Option(words[name] ?? name, name)));
    if (this.engine.colors.includes(before)) $('colors').value = before;
  }

  get settings() { return options.text(this.strokes); }

  get stem() { return this.name.replace(/\.[^.]*$/, ''); }

  // ---- from a change to a mask ----

  // Begins a stroke; if strokes correct, it starts from the proved mask. Without a radius it is a click.
  beginStroke(label, radius, point) {
    const {strokes, answer} = this;
    let rect = this.palette.meet();
    if (options.corrects() && label !== UNKNOWN && this.isProved && strokes.correctable) {
      rect = union(rect, strokes.keep(new KeptMask(answer.proved, `${this.stem}-previous.png`), options.learns()));
      answer.settle(this.engine.factor);
    }
    return union(rect, radius ? strokes.begin(label, radius, point) : strokes.click(label, point));
  }

  // Handles a change: labels may have changed in `rect`; null: only options have.
  changed(rect) {
    this.step();
    if (rect) this.palette?.touch();
    this.showUnsure(null);
    this.strokes.learns = options.corrects() && options.learns();
    if (this.strokes.bordered !== this.bordered) {
      this.bordered = !this.bordered;
      rect = this.reframed(rect);
    }
    const soft = this.view.softNow();
    this.view.soft = null;
    this.pending = union(this.pending, rect);
    this.due = true;
    this.since ??= performance.now();
    this.redraw(soft ? null : rect);
    this.refresh();
    this.pump();
  }

  // Returns the rectangle to update in addition to `rect`, because the border has become background or no longer is.
  reframed() { return this.strokes.all; }

  pump() { this.pumping ??= this.sketchAll(); }

  // Handles the end of a stroke: the sketch of the whole stroke need not wait for that of its beginning.
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
      const got = await busy('Finding the object…', this.askSketch(rect));
      if (!got || answer !== this.answer) return;
      performance.measure('sketch', {start: performance.now() - got.ms, detail: Number(got.fields.ms)});
      const part = await this.takeSketch(got);
      this.stage('sketched', `A sketch, made in ${Math.round(got.ms)} ms; the full size is being cut.`);
      this.started = start;
      this.redraw(part);
    } catch (error) {
      if (error.lost) this.pending = union(this.pending, rect); // the engine has not received the change
      this.failed(error);
    }
  }

  async askSketch(rect) {
    const {engine, strokes} = this, {prior} = strokes;
    if (prior !== this.prior) await engine.prior(prior);
    this.prior = prior;
    return engine.sketch(rect, rect && strokes.compose(rect), this.settings, strokes.frame);
  }

  // Takes a sketch and returns the rectangle to draw. The first mask changes how everything looks. A sketch without
  // changes still ends the waiting.
  takeSketch(got) {
    const first = this.answer.empty, part = this.answer.takeSketch(got.mask, this.engine.factor);
    return first ? null : part ?? NOWHERE;
  }

  takeProved({mask, map}) {
    this.answer.takeProved(mask);
    if (map) this.palette.take(map);
  }

  // Called when a frame is on the canvas: measures how long the last change took to appear.
  measure() {
    if (!this.started) return;
    performance.measure('change to sketch', {start: this.started});
    this.started = null;
  }

  failed(error) {
    if (!error.lost) this.answer.forget();
    this.redraw();
    if (error.status !== 4) {
      this.stage('failed');
      return this.say(error.message, true);
    }
    this.stage('open');
    const count = this.strokes.count();
    this.say(!count[FOREGROUND] && !this.strokes.box ? 'Click on the object, or paint a stroke on it.'
      : `${error.message}.`);
  }

  // Cuts the photo itself after a pause.
  rest() {
    clearTimeout(this.timer);
    if (!this.held && !this.due && document.body.dataset.stage === 'sketched')
      this.timer = setTimeout(() => this.prove(), REST);
  }

  // Resolves to true when the proved mask is on the screen; to false if another change overtook it or it failed.
  prove() {
    if (this.proving?.version === this.version) return this.proving.work;
    const work = this.cut(this.version, performance.now());
    this.proving = {version: this.version, work};
    return work;
  }

  async cut(version, start) {
    try {
      await this.pumping; // afterwards the engine has all labels
      if (version !== this.version) return false;
      const got = await busy(`Cutting the ${this.what} at full size…`,
        this.engine.cut(() => this.strokes.compose(this.strokes.all), this.settings, this.palette.plan()),
        () => this.giveUpCut());
      if (!got || version !== this.version) return false;
      await this.takeProved(got);
      if (version !== this.version) return false;
      document.body.dataset.proved = version;
      const {flow, cut, certified, foreground} = got.fields;
      const share = (100 * foreground / this.strokes.labels.length).toFixed(1);
      const seconds = ((performance.now() - start) / 1000).toFixed(2), proved = certified === '1' && flow === cut;
      this.stage('proved', `${proved ? 'Certified' : 'NOT CERTIFIED'}: ${this.certificate(got.fields)} ` +
        `${share} % of the ${this.what}, cut at full size in ${seconds} s.`);
      this.say(Number(foreground) ? this.advice
        : 'Nothing is left of the object. Click on it, or undo.');
      performance.measure('full cut', {start});
      this.redraw(this.strokes.all);
      this.soften(version);
      this.doubt(version);
      return proved;
    } catch (error) {
      if (version === this.version) this.failed(error);
      return false;
    }
  }

  certificate({flow, cut}) {
    return this.palette.joint || this.palette.planned ? 'each cut between two of them is a proven minimum.'
      : `flow ${flow} = cut ${cut}, so no other mask fits these strokes and settings better.`;
  }

  get advice() { return 'Missing? Click there with Object. Too much? With Background.'; }

  // Cancels the cut. The sketch stays; Download, Copy and the next change cut again.
  giveUpCut() {
    this.engine.stop();
    this.proving = null;
    this.say('Stopped; what is seen is a sketch.');
  }

  // Finds where a stroke helps most, and if the outline looks like hair.
  async doubt(version) {
    try {
      await this.softening;
      await new Promise(resolve => setTimeout(resolve, REST));
      if (version !== this.version || !this.isProved || this.ending) return;
      const {answer, engine, palette: {now}} = this;
      const mask = this.what === 'scan' ? null : answer.cellsOf(engine.factor);
      const {settings, strokes: {prior}} = this;
      const how = prior ? settings : settings.replace(/--(previous|learn)\b/g, '');
      const found = await engine.unsure(how, mask, now.code);
      if (!found || version !== this.version || now !== this.palette.now) return;
      this.showUnsure(found);
      $('hairy').hidden = this.what === 'scan' || options.isMatted() ||
        !looksHairy(this.view.reduced, mask, Math.ceil(answer.width / engine.factor));
    } catch { /* only advice is lost */ }
    document.body.dataset.doubted = version;
  }

  // Shows the engine's unsure place, or none if `found` is null.
  showUnsure(found) {
    const any = found && found.x >= 0 && found.pixels >= this.least * this.strokes.labels.length;
    this.place = any ? ['x', 'y', 'z'].flatMap(axis => found[axis] ?? []).map(Number) : null;
    this.view.place = this.place;
    this.reach = Math.max(24 * this.engine.factor, 4 * Math.sqrt(found?.pixels));
    $('unsure').hidden = !any;
    $('doubt').textContent = found ? `${found.unsure} % of the outline is unsure.` : '';
    $('unsure').textContent = Number(found?.unsure) ? `Unsure: ${found.unsure} % of the edge` : 'Unsure in one place';
    if (!found) $('hairy').hidden = true;
    this.view.redraw();
  }

  // Moves the view to the place where a stroke helps most, and from there back to the whole photo.
  nextUnsure() {
    const {view} = this, {place} = view;
    if (!place || String(view.cross) === String(place)) {
      view.cross = null;
      return view.fit();
    }
    view.goTo(place, this.reach);
    view.cross = place;
    $('canvas').focus({preventScroll: true});
    this.say('A click helps most here: is it the object? Click with Object or Background.');
  }

  // Returns the cutout as it would be saved; null if a change overtook it or it failed. A current one is not made
  // again.
  async makeCutout() {
    const {settings, version} = this;
    if (this.made?.settings === settings) return this.made.cutout;
    try {
      const hair = options.isMatted();
      const cutout = await busy(hair ? 'Cutting out single hairs…' : 'Softening the edge…',
        this.engine.cutout(settings), hair ? () => this.giveUpHair() : null);
      if (cutout && this.isProved && version === this.version) this.made = {settings, cutout};
      return cutout;
    } catch (error) {
      this.say(error.message, true);
      return null;
    }
  }

  giveUpHair() {
    this.engine.stop();
    options.choose('edge', 'soft');
    this.say('The edge is soft instead.');
  }

  // Makes the cutout that would be saved, with its soft edge, and shows it in the looks that show a cutout.
  soften(version = this.version) { return this.softening = this.makeSoft(version); }

  async makeSoft(version) {
    if (ground.look === 'edit' || !this.isProved) return;
    const {settings} = this, cutout = await this.makeCutout();
    if (!cutout || version !== this.version || settings !== this.settings) return;
    this.view.soft = await createImageBitmap(toImageData(cutout));
    performance.mark('soft edge');
    this.view.redraw();
  }

  // Updates buttons and the command after any change.
  refresh() {
    const {strokes} = this;
    $('undo').disabled = !strokes.done.length;
    $('redo').disabled = !strokes.undone.length;
    $('clear').disabled = !strokes.done.length && !strokes.base && !strokes.prior;
    $('save-previous').hidden = !strokes.prior?.made;
    for (const id of ['save-strokes', 'load-mask', 'load-strokes', 'copy']) $(id).disabled = false;
    $('command').value = this.command;
  }

  get command() {
    const {strokes, stem} = this, painted = strokes.base || strokes.sinceBase().length;
    return options.commandLine({
      photo: this.name, strokes: painted ? `${stem}-strokes.png` : null, mask: `${stem}-mask.png`,
      prior: strokes.prior?.name ?? null, cutout: `${stem}-cutout.png`}, strokes);
  }
}
