// SPDX-License-Identifier: MIT
//
// pointer.js - input on the photo by mouse, pen, fingers and keys. One finger or button paints, two fingers zoom and
// move, the wheel zooms; keys can do all of this, too.
import {redo, undo} from './controls.js';
import {choose, chosen} from './options.js';
import {LOOKS} from './looks.js';
import {BACKGROUND, FOREGROUND, UNKNOWN} from './strokes.js';

const $ = id => document.getElementById(id);
const LABELS = {foreground: FOREGROUND, background: BACKGROUND, erase: UNKNOWN};
const TOOLS = ['foreground', 'background', 'erase', 'box', 'pan'];
const RIGHT = 2, ERASER = 5; // the right button paints background; 5 is the other end of a pen
const STILL = 5; // pixels of the screen: a smaller movement counts as a click
const tool = () => chosen('tool');

function boxBetween([ax, ay], [bx, by], {width, height}) {
  const clip = (value, most) => Math.max(0, Math.min(most, Math.round(value)));
  const x = clip(Math.min(ax, bx), width), y = clip(Math.min(ay, by), height);
  return {x, y, width: clip(Math.max(ax, bx), width) - x, height: clip(Math.max(ay, by), height) - y};
}

class Hand {
  constructor(editor) {
    this.editor = editor;
    this.fingers = new Map();
    this.spaced = false; // the space bar is held, so dragging moves the photo
    this.action = null;  // the current action, {move(point), end(), cancel()}; null: none
  }

  get canvas() { return this.editor.view.above; }

  get radius() { return Number($('size').value) / 2 / this.editor.view.cssScale; }

  // ---- what a tool does between down and up; points are of the photo ----

  // A stroke counts as a click until it moves.
  stroke(label, point) {
    const {editor} = this, {strokes, view} = editor, {undone} = strokes, add = rect => rect && editor.changed(rect);
    let begun = false;
    const begin = click => {
      begun = editor.held = true;
      add(editor.beginStroke(label, click ? null : this.radius, point));
    };
    if (label === UNKNOWN) begin(false);
    return {
      move: next => {
        if (!begun && Math.hypot(next[0] - point[0], next[1] - point[1]) * view.cssScale < STILL) return;
        if (!begun) begin(false);
        add(strokes.extend(next));
      },
      end: () => {
        if (!begun) begin(true);
        editor.lift();
      },
      cancel: () => { // as if it had not begun: earlier undone steps can be redone
        if (!begun) return;
        const rect = strokes.undo();
        strokes.undone = undone;
        editor.held = false;
        editor.changed(rect);
      },
    };
  }

  box(point) {
    const {editor} = this, {view, strokes} = editor;
    return {
      move: next => { view.draft = boxBetween(point, next, strokes); view.redraw(); },
      end: () => {
        const box = view.draft;
        view.draft = null;
        if (box && box.width > 1 && box.height > 1) editor.changed(strokes.setBox(box));
        view.redraw();
      },
      cancel: () => { view.draft = null; view.redraw(); },
    };
  }

  // `name`: a tool, or 'shift': the current tool with that key held.
  begin(name, point) {
    const own = this.editor.begin?.(name, point);
    if (own) return own;
    const what = name === 'shift' ? tool() : name;
    return what === 'box' ? this.box(point) : this.stroke(LABELS[what], point);
  }

  // Ends the current action, or cancels it, before something else changes the strokes. Returns false if there is none.
  leave(how) {
    const {action} = this;
    if (!action || action.pans) return false;
    this.action = null;
    action[how]();
    return true;
  }

  // ---- mouse, pen, fingers ----

  down(event) {
    if (!this.editor.strokes) return;
    this.canvas.focus({preventScroll: true});
    this.canvas.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, event);
    this.editor.view.cross = null;
    if (this.fingers.size === 2) {
      this.action?.cancel();
      this.action = null;
      return;
    }
    if (this.fingers.size > 2) return;
    this.leave('end'); // what keys have begun
    if (event.button === 1 || this.spaced || tool() === 'pan') {
      this.action = {move: () => {}, end: () => {}, cancel: () => {}, pans: true};
      this.canvas.classList.add('moving');
    } else if ([0, RIGHT, ERASER].includes(event.button)) {
      const name = {[RIGHT]: 'background', [ERASER]: 'erase'}[event.button] ?? (event.shiftKey ? 'shift' : tool());
      this.action = this.begin(name, this.editor.view.toPhoto(event.clientX, event.clientY));
    }
  }

  move(event) {
    this.showBrush(event);
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const {view} = this.editor, ratio = devicePixelRatio || 1;
    if (this.fingers.size === 2) this.pinch(event, before);
    else if (this.action?.pans)
      view.move((event.clientX - before.clientX) * ratio, (event.clientY - before.clientY) * ratio);
    else {
      const all = event.getCoalescedEvents?.() ?? [];
      for (const each of all.length ? all : [event]) this.action?.move(view.toPhoto(each.clientX, each.clientY));
    }
    this.fingers.set(event.pointerId, event);
  }

  pinch(event, before) {
    const {view} = this.editor, other = [...this.fingers.values()].find(each => each.pointerId !== event.pointerId);
    const span = (a, b) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    const box = this.canvas.getBoundingClientRect(), ratio = devicePixelRatio || 1;
    const middle = axis => (event[axis] + other[axis]) / 2, was = axis => (before[axis] + other[axis]) / 2;
    view.move((middle('clientX') - was('clientX')) * ratio, (middle('clientY') - was('clientY')) * ratio);
    if (span(before, other) > 0)
      view.zoom(span(event, other) / span(before, other), (middle('clientX') - box.left) * ratio,
                (middle('clientY') - box.top) * ratio);
  }

  up(event, finished) {
    if (!this.fingers.delete(event.pointerId) || this.fingers.size) return;
    this.canvas.classList.remove('moving');
    if (finished) this.action?.end();
    else this.action?.cancel();
    this.action = null;
  }

  wheel(event) {
    if (!this.editor.strokes) return;
    event.preventDefault();
    if (this.editor.wheel?.(event)) return;
    const box = this.canvas.getBoundingClientRect(), ratio = devicePixelRatio || 1;
    const lines = event.deltaMode === 1 ? 30 : 1;
    this.editor.view.zoom(Math.exp(-event.deltaY * lines / 400), (event.clientX - box.left) * ratio,
                          (event.clientY - box.top) * ratio);
  }

  showBrush(event) {
    const brush = $('brush'), size = Number($('size').value), box = $('stage').getBoundingClientRect();
    brush.hidden = !this.editor.strokes || event.pointerType === 'touch' || !(tool() in LABELS);
    brush.style.width = brush.style.height = `${size}px`;
    const left = event.clientX - box.left - size / 2, top = event.clientY - box.top - size / 2;
    brush.style.transform = `translate(${left}px, ${top}px)`;
  }

  // ---- keys ----

  // The cross begins in the middle of the last stroke.
  cross() {
    const {view} = this.editor, {width, height} = this.canvas;
    view.cross ??= [(width / 2 - view.left) / view.scaleX, (height / 2 - view.top) / view.scaleY];
    return view.cross;
  }

  arrow(event, dx, dy) {
    const {view} = this.editor, ratio = devicePixelRatio || 1;
    const [x, y] = this.cross(), step = (event.shiftKey ? 40 : 5) / view.cssScale;
    if (event.altKey) return view.move(-dx * 40 * ratio, -dy * 40 * ratio);
    view.cross = [Math.max(0, Math.min(view.width - 1, x + dx * step)),
                  Math.max(0, Math.min(view.height - 1, y + dy * step))];
    this.action?.move(view.cross);
    view.redraw();
  }

  press() {
    const {editor} = this, [x, y] = this.cross().map(Math.round);
    if (tool() === 'pan') return;
    if (!this.leave('end')) {
      this.action = this.begin(tool(), this.cross());
      editor.say(`Down at ${x}, ${y}: Enter again clicks, arrows draw.`);
    }
    editor.view.redraw();
  }

  onCanvas(event) {
    const arrows = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
    if (event.key in arrows) this.arrow(event, ...arrows[event.key]);
    else if (event.key === 'Enter') this.press();
    else if (event.key === 'Escape') this.leave('cancel');
    else if (event.key === ' ') this.spaced = true;
    else return false;
    return true;
  }

  anywhere(event) {
    const {editor} = this, {view} = editor, key = event.key;
    if (event.ctrlKey || event.metaKey) {
      const letter = key.toLowerCase();
      if (letter === 'z' && event.shiftKey || letter === 'y') redo(editor);
      else if (letter === 'z') undo(editor);
      else if (letter === 's') $($('save').hidden ? 'save-cutout' : 'save').click();
      else if (letter === 'c' && !String(getSelection())) $('copy-cutout').click();
      else return false;
    } else if (/^[1-5]$/.test(key)) choose('tool', TOOLS[key - 1]);
    else if (key === '[' || key === ']') {
      $('size').value = Number($('size').value) + (key === ']' ? 4 : -4);
      $('size').dispatchEvent(new Event('input'));
    } else if (editor.key?.(key)) return true;
    else if (key === '+' || key === '=') view.zoom(1.25);
    else if (key === '-') view.zoom(0.8);
    else if (key === '0') view.fit();
    else if (key === '9') $('zoom-one').click();
    else if (key.toLowerCase() === 'v') choose('look', LOOKS[(LOOKS.indexOf(chosen('look')) + 1) % LOOKS.length]);
    else if (key.toLowerCase() === 'b') editor.before(true);
    else if (key.toLowerCase() === 'n') $('unsure').click();
    else return false;
    return true;
  }

  key(event) {
    if (!this.editor.strokes || event.isComposing) return;
    const at = event.target;
    const writes = at.matches?.('textarea, select, input:not([type=radio], [type=checkbox], [type=range])');
    if ((at === this.canvas && this.onCanvas(event)) || (!writes && this.anywhere(event))) event.preventDefault();
  }
}

export function wireView(editor, view) {
  const {hand} = editor, canvas = view.above, mine = () => { if (!hand.action) editor.view = view; };
  canvas.addEventListener('focus', mine);
  canvas.addEventListener('pointerenter', mine);
  canvas.addEventListener('pointerdown', event => {
    mine();
    hand.down(event);
  });
  canvas.addEventListener('pointermove', event => hand.move(event));
  canvas.addEventListener('pointerup', event => hand.up(event, true));
  canvas.addEventListener('pointercancel', event => hand.up(event, false));
  // When the pointer enters the photo, keys act on the photo again instead of on the last tool, button or list.
  canvas.addEventListener('pointerenter', () => {
    const at = document.activeElement;
    if (!hand.action && at !== canvas && !at.matches('textarea, input[type=number], input[type=text]'))
      canvas.focus({preventScroll: true});
  });
  canvas.addEventListener('pointerleave', () => { $('brush').hidden = true; });
  canvas.addEventListener('wheel', event => hand.wheel(event), {passive: false});
  canvas.addEventListener('contextmenu', event => event.preventDefault());
}

export function wirePointer(editor) {
  const hand = editor.hand = new Hand(editor);
  for (const view of editor.views) wireView(editor, view);
  addEventListener('keydown', event => hand.key(event));
  addEventListener('keyup', event => {
    if (event.key === ' ') hand.spaced = false;
    if (event.key.toLowerCase() === 'b') editor.before(false);
  });
  addEventListener('blur', () => { hand.spaced = false; }); // the key may be released elsewhere
}
