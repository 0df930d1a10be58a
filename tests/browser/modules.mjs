// SPDX-License-Identifier: MIT
//
// modules.mjs - the modules that need no page: strokes with undo, and the mask on the screen.
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Answer} from '../../src/web/answer.js';
import {encodePng} from '../../src/web/png.js';
import {Overlay, PLAIN} from '../../src/web/overlay.js';
import {BACKGROUND, FOREGROUND, OUTSIDE, Strokes, UNKNOWN, toTrimap} from '../../src/web/strokes.js';
import {equal, holds, read} from './expect.mjs';
import {hands, isInside, truth} from './hands.mjs';

function dice(seed) {
  let state = seed;
  return sides => {
    state = Math.imul(state, 1664525) + 1013904223 >>> 0;
    return (state >>> 8) % sides;
  };
}

const same = (what, a, b) => { if (Buffer.compare(Buffer.from(a), Buffer.from(b))) throw new Error(`${what} differ`); };

// Makes a random change. The rectangle that it returns must contain everything that changes.
function change(strokes, roll) {
  const point = () => [roll(60) - 5 + 0.5 * roll(2), roll(50) - 5];
  const kind = roll(13);
  if (kind === 12) return strokes.keep({});
  if (kind === 0) return strokes.setBox({x: roll(20), y: roll(20), width: 1 + roll(20), height: 1 + roll(15)});
  if (kind === 1) return strokes.setBase(new Uint8Array(50 * 40).map(() => roll(3)));
  if (kind < 5) return strokes.undo();
  if (kind < 7) return strokes.redo();
  let rect = strokes.begin(roll(3), roll(12) / 2, point());
  for (let i = roll(4); i > 0; i--) {
    const next = strokes.extend(point());
    rect = rect && next ? {x: 0, y: 0, width: 50, height: 40} : rect ?? next;
  }
  return rect;
}

// Compares a mask with an outline: intersection over union, and the fraction of wrong pixels.
function likeTruth(pixels, width, outline) {
  let both = 0, either = 0, wrong = 0;
  for (let p = 0; p < pixels.length; p++) {
    const inside = isInside(outline, p % width + 0.5, Math.floor(p / width) + 0.5), cut = pixels[p] > 0;
    both += inside && cut;
    either += inside || cut;
    wrong += inside !== cut;
  }
  return {iou: both / either, wrong: wrong / pixels.length};
}

export const moduleTests = {
  // Cuts from all strokes at once, and as the page does: each further stroke corrects the current mask.
  'coffee.png is cut with six strokes': async bench => {
    const strokes = new Strokes(600, 400), labels = {foreground: FOREGROUND, background: BACKGROUND};
    const photo = join(bench.root, 'images/coffee.png'), seeds = ['-s', 'strokes.png', '--seeds-format', 'trimap'];
    let corrected = null;
    holds('six strokes at most', hands.coffee.length <= 6);
    for (const [n, [tool, size, points]] of hands.coffee.entries()) {
      strokes.begin(labels[tool], size / 2, points[0]);
      points.slice(1).forEach(point => strokes.extend(point));
      writeFileSync(bench.path('strokes.png'), await encodePng(toTrimap(strokes)));
      if (!strokes.has(BACKGROUND)) continue; // without background seeds there is nothing to compare
      const before = corrected ? ['--previous', corrected, '--learn'] : [];
      bench.run('segment', photo, ...seeds, ...before, ...hands.options, '-o', corrected = `mask-${n}.png`, '-q');
    }
    bench.run('segment', photo, ...seeds, ...hands.options, '-o', 'mask.png', '-q');
    for (const name of ['mask.png', corrected]) {
      const {iou, wrong} = likeTruth((await read(bench.path(name))).pixels, 600, truth.coffee);
      console.log(`      ${name}: IoU ${iou.toFixed(4)}, ${(100 * wrong).toFixed(2)} % wrong`);
      holds(`IoU ${iou}`, iou > 0.97);
    }
  },

  'what is undone and done again is what is painted anew': () => {
    for (let seed = 1; seed <= 200; seed++) {
      const roll = dice(seed), strokes = new Strokes(50, 40);
      for (let i = 0; i < 30; i++) {
        const {bordered} = strokes, before = strokes.compose(strokes.all), changed = change(strokes, roll);
        const rect = strokes.bordered === bordered ? changed : strokes.all, after = strokes.compose(strokes.all);
        for (const label of [FOREGROUND, BACKGROUND])
          holds(`seed ${seed}: has ${label}`, strokes.has(label) === strokes.labels.includes(label));
        for (let p = 0; p < after.length; p++) {
          const x = p % 50, y = Math.floor(p / 50);
          if (before[p] !== after[p]) holds(`seed ${seed}: changed outside of its rectangle`, rect && x >= rect.x &&
            y >= rect.y && x < rect.x + rect.width && y < rect.y + rect.height);
        }
        const labels = strokes.labels.slice();
        strokes.repaint(strokes.all);
        same(`seed ${seed}, step ${i}: labels`, labels, strokes.labels);
      }
    }
  },

  'a box tells what is outside, and strokes come first': () => {
    const strokes = new Strokes(10, 10);
    strokes.setBox({x: 2, y: 2, width: 5, height: 5});
    strokes.begin(FOREGROUND, 0.5, [0.5, 0.5]);
    const labels = strokes.compose(strokes.all);
    equal('a stroke', labels[0], FOREGROUND);
    equal('outside', labels[9], OUTSIDE);
    equal('inside', labels[33], UNKNOWN);
    equal('count', strokes.count()[FOREGROUND], 1);
    const all = new Strokes(10, 10);
    all.setBox(all.all);
    equal('around everything: all but the border', Object.values(all.frame).join(), '1,1,8,8');
    equal('the border', all.compose(all.all)[9], OUTSIDE);
  },

  'strokes have a rim of their own, seen on any photo, however much is painted anew': () => {
    const side = 24, labels = new Uint8Array(side * side), mask = new Uint8Array(side * side);
    const all = Int32Array.from({length: side}, (_, i) => i);
    globalThis.ImageData ??= class { // defines the browser's class ImageData, which node lacks
      constructor(width, height) { this.data = new Uint8ClampedArray(4 * width * height); }
    };
    const overlay = new Overlay(side, side), again = new Overlay(side, side);
    for (const each of [overlay, again]) each.place(all, all);
    again.paint(again.all, mask, side, {labels, base: null}, PLAIN);
    for (let y = 4; y < 12; y++) labels.fill(FOREGROUND, y * side + 4, y * side + 12);
    for (let y = 15; y < 21; y++) labels.fill(BACKGROUND, y * side + 3, y * side + 20);
    overlay.paint(overlay.all, mask, side, {labels, base: null}, PLAIN);
    for (const part of [{left: 4, top: 4, right: 12, bottom: 12}, {left: 3, top: 15, right: 20, bottom: 21}])
      again.paint(part, mask, side, {labels, base: null}, PLAIN);
    same('all at once, and in parts', overlay.frame.data, again.frame.data);
    const color = (x, y) => overlay.frame.data.slice(4 * (y * side + x), 4 * (y * side + x) + 3);
    const bright = (x, y) => color(x, y).reduce((a, b) => a + b);
    holds('object: a bright rim', bright(4, 8) > 700 && bright(11, 8) > 700 && bright(8, 8) < 400);
    holds('background: a dark one', bright(10, 15) < 100 && bright(10, 20) < 100 && bright(10, 18) > 300);
    equal('beside them', bright(1, 1), 0);
  },

  'a sketch shows where it differs from the last proved mask, and nothing else': () => {
    for (let seed = 1; seed <= 100; seed++) {
      const roll = dice(seed), answer = new Answer(23, 17), cells = 6 * 5;
      const bits = n => new Uint8Array(n).map(() => roll(2) * 255);
      answer.takeSketch(bits(cells), 4);
      const proved = bits(23 * 17);
      answer.takeProved(proved);
      const anchor = answer.sketch;
      let last;
      for (let i = 0; i < 5; i++) answer.takeSketch(last = bits(cells), 4);
      for (let p = 0; p < proved.length; p++) {
        const cell = (p / 23 >> 2) * 6 + (p % 23 >> 2);
        equal(`seed ${seed}`, answer.shown[p], last[cell] === anchor[cell] ? proved[p] : last[cell]);
      }
    }
  },
};
