// SPDX-License-Identifier: MIT
//
// seeing.mjs - the size of the page, and that every part of the photo can be reached by wheel, keys and fingers.
import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {until} from './browser.mjs';
import {equal, holds, read} from './expect.mjs';
import {onScreen} from './hands.mjs';

// Returns the photo as currently drawn, without strokes and mask.
const seen = page => page.settled("document.querySelector('#photo').toDataURL()");

// Each step must show something else, and the key 0 the whole photo again, as before. None of this may leave a stroke.
async function goesThere(page, start, steps) {
  const views = [start];
  for (const [name, step] of steps) {
    await step();
    views.push(await seen(page));
    holds(`${name} shows something else`, views.at(-1) !== views.at(-2));
  }
  await page.key('0');
  await until('all of it again', async () => await seen(page) === start);
  equal('a stroke was left', await page.get("document.querySelector('#undo').disabled"), true);
}

// Returns the middle of the pixels painted by a click at a point of the screen.
async function painted(bench, page, x, y) {
  await page.drag([[x, y], [x + 1, y]]);
  const {pixels, width} = await read(await bench.download(page, '#save-strokes', 'coffee-strokes.png'));
  const all = [...pixels.keys()].filter(p => pixels[p] === 255);
  await page.key('z', {ctrl: true});
  const mean = axis => all.reduce((sum, p) => sum + axis(p), 0) / all.length;
  return [mean(p => p % width), mean(p => Math.floor(p / width))];
}

export const seeingTests = {
  'a finer screen shows the same part of the photo in more pixels': async bench => {
    const page = await bench.open(bench.photo('coffee.png'));
    await page.at('mouseWheel', 500, 400, {deltaX: 0, deltaY: -300});
    const before = await painted(bench, page, 300, 300);
    await page.send('Emulation.setDeviceMetricsOverride',
      {width: 1280, height: 800, deviceScaleFactor: 2, mobile: false});
    await painted(bench, page, 200, 200);
    await until('a finer canvas', () => page.get(`(canvas => canvas.width === 2 * canvas.clientWidth)(
      document.querySelector('#canvas'))`));
    const after = await painted(bench, page, 300, 300);
    holds(`${before} ${after}`, before.every((value, i) => Math.abs(value - after[i]) < 1));
    bench.quiet(page);
  },

  'takes at most 250 kB compressed': async bench => {
    const folder = bench.web ?? join(bench.root, 'build/web');
    const names = readdirSync(folder, {recursive: true}).filter(name => name.includes('.'));
    const sizes = names.map(name => gzipSync(readFileSync(join(folder, name))).length);
    const all = sizes.reduce((sum, size) => sum + size, 0);
    console.log(`      ${all} bytes, each file compressed as a host sends it`);
    holds('the WebAssembly is there', names.includes('tilecut.wasm'));
    holds(`${all} bytes`, all <= 250000);
  },

  'zoomed and moved by wheel, keys and fingers': async bench => {
    const page = await bench.open(bench.photo('coffee.png'));
    page.size = [600, 400];
    const [[x, y]] = await onScreen(page, [[300, 200]]);
    await page.get("document.querySelector('#canvas').focus()");
    await page.key('0');
    const start = await seen(page);
    await goesThere(page, start, [
      ['wheel in', () => page.at('mouseWheel', x, y, {deltaX: 0, deltaY: -300})],
      ['wheel out', () => page.at('mouseWheel', x + 50, y, {deltaX: 0, deltaY: 100})],
    ]);
    await goesThere(page, start, [
      ['+', () => page.key('+')], ['Alt and an arrow', () => page.key('ArrowRight', {alt: true})],
      ['-', () => page.key('-')], ['9', () => page.key('9')],
    ]);
    const touch = (type, ...points) => page.send('Input.dispatchTouchEvent',
      {type, touchPoints: points.map(([dx, dy], id) => ({x: x + dx, y: y + dy, id}))});
    await goesThere(page, start, [
      ['fingers apart', async () => {
        await touch('touchStart', [-50, 0]);
        await touch('touchStart', [-50, 0], [50, 0]);
        await touch('touchMove', [-120, 0], [120, 0]);
      }],
      ['fingers along', async () => {
        await touch('touchMove', [-120, 70], [120, 70]);
        await touch('touchEnd');
      }],
    ]);
    bench.quiet(page);
  },
};

seeingTests['takes at most 250 kB compressed'].only = 'page';
