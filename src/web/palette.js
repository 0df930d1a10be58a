// SPDX-License-Identifier: MIT
//
// palette.js - several objects of one photo. Each has a name, a colour, strokes and a mask of its own, and is sketched
// as if it were the only one; the strokes of the others are its background. Then all objects are cut together. If an
// object is given only by clicks, a box or another tool's mask, each object is cut alone; where masks overlap, the
// object that was changed last gets the pixel, except under strokes.
import {Answer} from './answer.js';
import * as options from './options.js';
import {rgba} from './overlay.js';
import {BACKGROUND, FOREGROUND, Strokes} from './strokes.js';

const $ = id => document.getElementById(id);
const MOST = 254;
// Colours that people who cannot distinguish red and green can tell apart (Okabe and Ito, 2008).
const COLOURS = ['#e69f00', '#56b4e9', '#009e73', '#f0e442', '#0072b2', '#d55e00', '#cc79a7', '#8a8f98'];

const FRESH = 1, CORRECT = 2, TAKE = 3; // how objects are cut together, see edit.h

// Compresses a label map to the positions where its number changes, and the numbers.
function packed(map) {
  const runs = [];
  for (let p = 0; p < map.length; p++) if (map[p] !== map[p - 1]) runs.push(p, map[p]);
  return runs;
}

function unpacked(runs, size) {
  const out = new Uint8Array(size);
  for (let i = 0; i < runs.length; i += 2) out.fill(runs[i + 1], runs[i], runs[i + 2] ?? size);
  return out;
}

export const bytesOf = colour => [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));

export class Palette {
  constructor(editor, {width, height}) {
    // ground: the number that stands for "no object" in files; states: label maps of earlier cuts, each with the number
    // of steps that were done before that cut
    Object.assign(this, {editor, width, height, items: [], turn: 0, ground: 0, states: []});
    this.now = this.create();
  }

  // Adds an object without strokes at the end.
  create(colour) {
    const free = COLOURS.find(each => this.items.every(item => item.colour !== each));
    let number = this.items.length + 1;
    while (this.items.some(item => item.name === `Object ${number}`)) number++;
    const item = {name: `Object ${number}`, colour: colour ?? free ?? COLOURS[this.items.length % COLOURS.length],
                  ...this.content()};
    this.items.push(item);
    return item;
  }

  content() {
    const number = Math.max(this.ground, ...this.items.map(item => item.number)) + 1;
    const {width, height} = this;
    return {strokes: new Strokes(width, height), answer: new Answer(width, height), turn: 0, number};
  }

  get several() { return this.items.length > 1; }

  get others() { return this.items.filter(item => item !== this.now); }

  // Returns the strokes of the other objects as labels; null if there are none.
  paintedByOthers() {
    const painted = this.others.map(item => item.strokes).filter(strokes => strokes.base || strokes.sinceBase().length);
    if (!painted.length) return null;
    const out = new Uint8Array(this.width * this.height);
    for (const {labels} of painted)
      for (let p = 0; p < out.length; p++) if (labels[p] === FOREGROUND) out[p] = BACKGROUND;
    return out;
  }

  // Begins a stroke of the chosen object: new strokes of the others become its background. Returns the rectangle that
  // this changes, or null.
  meet() {
    if (this.met) return null;
    this.met = true;
    const others = this.paintedByOthers();
    return others || this.now.strokes.others ? this.now.strokes.meet(others) : null;
  }

  // Records that the chosen object has changed.
  touch() { if (!this.choosing) this.now.turn = ++this.turn; }

  // Returns the numbers of the objects, a byte a pixel, from their current masks.
  mapOf(items, mask) {
    const out = new Uint8Array(this.width * this.height).fill(this.ground);
    const ordered = [...items].sort((a, b) => a.turn - b.turn);
    for (const item of ordered) {
      const from = mask(item);
      for (let p = 0; from && p < out.length; p++) if (from[p]) out[p] = item.number;
    }
    for (const {strokes: {labels}, number} of ordered)
      for (let p = 0; p < out.length; p++) if (labels[p] === FOREGROUND) out[p] = number;
    return out;
  }

  // ---- cut together; for the engine all numbers are one more ----

  // Returns the strokes of all objects as labels. `framed`: if there is no background, the border of the photo is.
  seeds(framed) {
    const {width, height, ground} = this, out = new Uint8Array(width * height);
    const ordered = [...this.items].sort((a, b) => a.turn - b.turn);
    const every = ordered.map(({number, strokes}) => [number + 1, strokes.lasting]);
    for (const [, labels] of every)
      for (let p = 0; p < out.length; p++) if (labels[p] === BACKGROUND) out[p] = ground + 1;
    framed &&= !out.includes(ground + 1);
    for (const [number, labels] of every)
      for (let p = 0; p < out.length; p++) if (labels[p] === FOREGROUND) out[p] = number;
    for (let p = 0; framed && p < out.length; p++) {
      const x = p % width, y = (p - x) / width;
      if ((width > 2 && (!x || x === width - 1)) || (height > 2 && (!y || y === height - 1))) out[p] ||= ground + 1;
    }
    return out;
  }

  // True if an object has strokes, and not only clicks. With only clicks, a joint cut would know next to nothing about
  // the colours of each object.
  isPlain({strokes: {base, box, done, prior, lasting}}) {
    const painted = base || done.some(({label, click}) => label === FOREGROUND && !click);
    return painted && !box && (!prior || prior.made) && lasting.includes(FOREGROUND);
  }

  get done() { return new Map(this.items.map(item => [item, [...item.strokes.done]])); }

  // Returns how to cut the objects together; null: each alone. First strokes are cut from scratch. Further ones correct
  // the last map; if nothing is new since a map, that map is the result.
  plan() {
    const {items, now, ground, states, done, width, height} = this;
    const words = options.wordsFor(['lambda', 'colors', 'connectivity', 'iterations']).join();
    const past = state => (state.opened || state.words === words) && [...state.done].every(([item, before]) =>
      before.every((entry, i) => done.get(item)?.[i] === entry));
    while (states.length && !past(states.at(-1))) states.pop();
    const last = states.at(-1), known = last?.opened ?? [];
    const said = items.filter(({strokes}) => strokes.done.length || strokes.base || strokes.prior || strokes.box);
    this.planned = null;
    if (said.length < 2) return null;
    if (!said.every(item => known.includes(item) || this.isPlain(item))) return null;
    const grown = items.filter(item => done.get(item).length > (last?.done.get(item)?.length ?? 0));
    const corrects = last && (last.opened || (options.corrects() &&
      (last.firm || grown.every(item => last.done.get(item)?.length))));
    const mode = last && !grown.length ? TAKE : corrects ? CORRECT : FRESH;
    const map = mode !== FRESH && unpacked(last.map, width * height).map(number => number + 1);
    const body = mode === TAKE ? map : mode === FRESH ? this.seeds(true) : new Uint8Array(2 * map.length);
    if (mode === CORRECT) body.set(this.seeds(false)), body.set(map, map.length);
    this.planned = {done, words, mode, firm: mode === CORRECT, opened: corrects && last.opened};
    return {divide: [mode, now.number + 1, ground + 1], body};
  }

  // Takes all masks from the result of a plan.
  take(map) {
    const {planned} = this;
    if (planned.mode !== TAKE) this.states.push({...planned, map: packed(map)});
    planned.map = map;
    for (const item of this.others) {
      item.answer.takeProved(map.map(number => number === item.number ? 255 : 0));
      item.cut = true;
    }
    this.draw();
  }

  // Adds the objects of a label map, [{mask, colour, name, number}], after the existing ones.
  open(list, name) {
    const {editor} = this, alone = !this.several && !this.now.strokes.done.length;
    for (const {mask, ...what} of list) {
      if (this.now.strokes.done.length) this.add();
      for (const [key, value] of Object.entries(what)) this.now[key] = value ?? this.now[key];
      editor.changed(editor.strokes.setPrior({mask, name}));
    }
    this.show();
    if (!alone) return;
    this.states = [{done: this.done, opened: [...this.items],
                    map: packed(this.mapOf(this.items, ({strokes}) => strokes.prior.mask))}];
  }

  // ---- choosing ----

  choose(item) {
    const {editor, now} = this;
    if (item === now) return this.show();
    editor.hand.leave('end');
    now.unsaved = editor.unsavedNow;
    now.cut = editor.isProved;
    if (now.strokes.prior) now.strokes.prior.latest = false; // the engine will have cut another object
    this.now = item;
    Object.assign(editor, {strokes: item.strokes, answer: item.answer});
    editor.view.setContent(item.strokes, item.answer);
    this.met = false;
    this.choosing = true;
    editor.changed(item.strokes.all);
    this.choosing = false;
    if (!item.unsaved) editor.keep();
    this.show();
  }

  add(colour) {
    if (Math.max(...this.items.map(({number}) => number)) >= MOST)
      return this.editor.say(`There are ${MOST} objects, which is the most.`, true);
    const item = this.create(colour);
    this.choose(item);
    return item;
  }

  remove() {
    const {now, items} = this;
    if (now.strokes.done.length && !confirm(`Remove ${now.name} with all that was painted for it?`)) return;
    const at = items.indexOf(now);
    items.splice(at, 1);
    for (const {done, map} of this.states)
      if (done.delete(now)) map.forEach((number, i) => { if (i % 2 && number === now.number) map[i] = this.ground; });
    this.choose(items[Math.min(at, items.length - 1)]);
    $('labels').querySelector(':checked')?.focus();
  }

  // Cuts all masks at full size. Returns false if one was not cut.
  async prove() {
    const {now} = this;
    for (const item of this.items) {
      const {done, base, box, prior} = item.strokes, said = done.length || base || box || prior;
      if (!said || (item !== now && item.cut)) continue;
      this.choose(item);
      await this.editor.prove();
      if (this.now !== item || (!this.editor.isProved && !item.answer.empty)) return false;
    }
    this.choose(now);
    return true;
  }

  // ---- the page ----

  // Updates the list after a change of objects, names, colours or visibility.
  show() {
    const {several, now, items} = this;
    $('objects').hidden = !several;
    $('labels').replaceChildren(...items.map(item => this.chip(item)));
    $('label-name').value = now.name;
    $('label-colour').value = now.colour;
    $('label-eye').setAttribute('aria-pressed', String(!now.answer.hidden));
    this.draw();
  }

  // Prepares the objects that are not chosen for drawing.
  draw() {
    const {editor: {view}, several, now, items} = this;
    const colours = [];
    for (const {colour, number} of items) colours[number] = rgba(...bytesOf(colour), 130);
    view.others = several ? {colours, line: rgba(...bytesOf(now.colour), 255),
      map: this.mapOf(this.others.filter(({answer}) => !answer.hidden), ({answer}) => answer.shown)} : null;
    view.redraw();
  }

  chip(item) {
    const label = document.createElement('label'), input = document.createElement('input');
    const face = document.createElement('span'), swatch = document.createElement('i');
    Object.assign(input, {type: 'radio', name: 'label', checked: item === this.now});
    input.oninput = () => {
      this.choose(item);
      $('labels').querySelector(':checked').focus();
    };
    swatch.style.background = item.colour;
    face.append(swatch, item.name || 'Without a name');
    face.classList.toggle('off', Boolean(item.answer.hidden));
    label.append(input, face);
    return label;
  }
}
