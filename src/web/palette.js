// SPDX-License-Identifier: MIT
//
// palette.js - several objects of one photo. Each has a name, a colour, strokes and a mask of its own, and is cut like
// the only one; the strokes of the others are its background. Where masks overlap, the object that was changed last has
// the pixel, and strokes have what they were painted on.
import {Answer} from './answer.js';
import {rgba} from './overlay.js';
import {BACKGROUND, FOREGROUND, Strokes} from './strokes.js';

const $ = id => document.getElementById(id);
const MOST = 255;
// Told apart by who does not see red and green (Okabe and Ito, 2008).
const COLOURS = ['#e69f00', '#56b4e9', '#009e73', '#f0e442', '#0072b2', '#d55e00', '#cc79a7', '#8a8f98'];

export const bytesOf = colour => [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));

export class Palette {
  constructor(editor, {width, height}) {
    Object.assign(this, {editor, width, height, items: [], turn: 0});
    this.now = this.create();
  }

  // An object without strokes, the last one of all.
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
    return {strokes: new Strokes(this.width, this.height), answer: new Answer(this.width, this.height), turn: 0};
  }

  get several() { return this.items.length > 1; }

  get others() { return this.items.filter(item => item !== this.now); }

  // What the others have painted, as labels; null: nothing.
  paintedByOthers() {
    const painted = this.others.map(item => item.strokes).filter(strokes => strokes.base || strokes.sinceBase().length);
    if (!painted.length) return null;
    const out = new Uint8Array(this.width * this.height);
    for (const {labels} of painted)
      for (let p = 0; p < out.length; p++) if (labels[p] === FOREGROUND) out[p] = BACKGROUND;
    return out;
  }

  // A stroke of the chosen object begins: what others have painted meanwhile is its background from now on. Returns the
  // rectangle in which that matters, or null.
  meet() {
    if (this.met) return null;
    this.met = true;
    const others = this.paintedByOthers();
    return others || this.now.strokes.others ? this.now.strokes.meet(others) : null;
  }

  // The chosen object has changed.
  touch() { if (!this.choosing) this.now.turn = ++this.turn; }

  // The objects' numbers, from 1, a byte a pixel: of their masks now.
  mapOf(items, mask) {
    const out = new Uint8Array(this.width * this.height);
    const ordered = [...items].sort((a, b) => a.turn - b.turn).map(item => [item, this.items.indexOf(item) + 1]);
    for (const [item, number] of ordered) {
      const from = mask(item);
      for (let p = 0; from && p < out.length; p++) if (from[p]) out[p] = number;
    }
    for (const [{strokes: {labels}}, number] of ordered)
      for (let p = 0; p < out.length; p++) if (labels[p] === FOREGROUND) out[p] = number;
    return out;
  }

  // ---- choosing ----

  choose(item) {
    const {editor, now} = this;
    if (item === now) return this.show();
    editor.hand.leave('end');
    now.unsaved = editor.unsavedNow;
    now.cut = editor.isProved;
    if (now.strokes.prior) now.strokes.prior.latest = false; // the engine will have cut something else
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
    if (this.items.length >= MOST) return this.editor.say(`There are ${MOST} objects, which is the most.`, true);
    const item = this.create(colour);
    this.choose(item);
    return item;
  }

  remove() {
    const {now, items} = this;
    if (now.strokes.done.length && !confirm(`Remove ${now.name} with all that was painted for it?`)) return;
    const at = items.indexOf(now);
    items.splice(at, 1);
    this.choose(items[Math.min(at, items.length - 1)]);
    $('labels').querySelector(':checked')?.focus();
  }

  // All masks cut at full size; false: one was not.
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

  // After a change of objects, names, colours or visibility.
  show() {
    const {several, now, items} = this;
    $('objects').hidden = !several;
    $('labels').replaceChildren(...items.map(item => this.chip(item)));
    $('label-name').value = now.name;
    $('label-colour').value = now.colour;
    $('label-eye').setAttribute('aria-pressed', String(!now.answer.hidden));
    this.draw();
  }

  // The objects that are not chosen.
  draw() {
    const {editor: {view}, several, now, items} = this;
    const colours = items.map(({colour}) => rgba(...bytesOf(colour), 130));
    view.others = several ? {colours: [0, ...colours], line: rgba(...bytesOf(now.colour), 255),
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
