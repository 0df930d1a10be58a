// SPDX-License-Identifier: MIT
//
// scan_palette.js - several labels of one scan. They are all cut together, so each voxel has one label. Their strokes
// are in one list, each with the code of its label: BACKGROUND for the background, FOREGROUND for the first object. In
// files labels have other numbers (desk_legend.h).
import {choose} from '../options.js';
import {rgba} from '../overlay.js';
import {bytesOf, Palette} from '../palette.js';
import {BACKGROUND, FOREGROUND, OUTSIDE} from '../strokes.js';

const MOST = 254; // codes

export class ScanPalette extends Palette {
  constructor(editor) {
    super(editor, {});
    this.joint = false; // there has been more than one label, so masks hold codes
    this.background = {code: BACKGROUND, number: 1, name: 'background', colour: '#000000'};
  }

  // Codes of deleted labels are not used again, because undo may restore masks that contain them.
  content() {
    this.last = !this.last ? FOREGROUND : this.last === FOREGROUND ? OUTSIDE + 1 : this.last + 1;
    const numbers = this.items.map(item => item.number);
    const number = Math.max(1, this.background?.number ?? 0, ...numbers) + 1;
    return {code: this.last, number, answer: {hidden: false}};
  }

  get several() { return this.joint; }

  // Lines for the program.
  get text() {
    return [this.background, ...this.items]
      .map(({code, number, colour, name}) => `${code}\t${number}\t${colour}\t${name}\n`).join('');
  }

  // Reads the labels from lines of the program.
  load(text) {
    const items = text.trimEnd().split('\n').map(line => line.split('\t')).map(([code, number, colour, name]) =>
      ({code: Number(code), number: Number(number), colour, name, answer: {hidden: false}}));
    [this.background, ...this.items] = items;
    this.joint = this.editor.strokes.joint = true;
    this.last = Math.max(FOREGROUND, ...this.items.map(({code}) => code));
    if (!this.items.length) this.last = 0, this.create();
    [this.now] = this.items;
    this.show();
  }

  touch() {}

  plan() { return null; } // the program has the labels

  choose(item) {
    const {editor} = this;
    editor.hand.leave('end');
    this.now = item;
    choose('tool', 'foreground');
    this.show();
    editor.showUnsure(null);
    editor.doubt(editor.version);
  }

  add() {
    const {editor} = this;
    if (Math.max(this.last, ...this.items.map(({number}) => number)) >= MOST)
      return editor.say(`There have been ${MOST} labels, which is the most.`, true);
    editor.hand.leave('end');
    const first = !this.joint, item = this.create();
    this.joint = editor.strokes.joint = true;
    if (first && editor.strokes.done.length) editor.changed(null);
    this.choose(item);
    editor.refresh();
    editor.say(`Paint a stroke for ${item.name}.`);
    return item;
  }

  remove() {
    const {now, items, editor} = this, {strokes} = editor;
    if (items.length < 2) return editor.say('This is the only label.', true);
    if (!confirm(`Remove ${now.name} with all that was painted for it? This cannot be undone.`)) return;
    editor.hand.leave('end');
    const at = items.indexOf(now);
    items.splice(at, 1);
    strokes.drop(now.code);
    editor.changed(strokes.all);
    this.choose(items[Math.min(at, items.length - 1)]);
    document.querySelector('#labels :checked')?.focus();
  }

  show() {
    super.show();
    document.body.classList.toggle('joint', this.joint);
    document.getElementById('label-remove').disabled = this.items.length < 2;
  }

  draw() {
    const shown = new Uint8Array(256), [lines, insides, strokes] = [255, 60, 130].map(() => new Uint32Array(256));
    for (const {code, colour, answer} of this.items) {
      if (!answer.hidden) shown[code] = code;
      [[lines, 255], [insides, 60], [strokes, 130]].forEach(([to, a]) => { to[code] = rgba(...bytesOf(colour), a); });
    }
    strokes[BACKGROUND] = rgba(235, 60, 50, 120);
    this.look = this.joint ? {edge: true, back: () => 0, shown, lines, insides, strokes} : null;
    this.editor.redraw();
  }
}
