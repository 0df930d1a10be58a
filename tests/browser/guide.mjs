// SPDX-License-Identifier: MIT
//
// guide.mjs - takes the pictures of docs/guide/editor.md anew, from real runs of the page on the photos of images/.
// Strokes are those of hands.mjs.
//
//   make all web && node tests/browser/guide.mjs [FOLDER]
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {encodePng} from '../../src/web/png.js';
import {Bench} from './bench.mjs';
import {Browser, until} from './browser.mjs';
import {hands, onScreen, stroke} from './hands.mjs';

const browser = new Browser(), bench = new Bench(browser, 'page'), program = new Bench(browser, 'program');
const folder = process.argv[2] ?? join(bench.root, 'docs/img');

async function picture(page, name) {
  await page.at('mouseMoved', 5, 795);
  await new Promise(resolve => setTimeout(resolve, 200));
  const {data} = await page.send('Page.captureScreenshot', {format: 'jpeg', quality: 80});
  writeFileSync(join(folder, `editor-${name}.jpg`), Buffer.from(data, 'base64'));
  console.log(`${name}: ${await page.text('#status')} ${await page.text('#proof')}`);
}

async function open(name, width, height, from = bench) {
  const page = await from.open(from.photo(name));
  page.size = [width, height];
  return page;
}

async function paint(page, strokes, each = false) { // each: seen before the next
  for (const [tool, size, points] of strokes) {
    await page.set('#size', String(Math.round(size * await page.get(`Math.min(
      document.querySelector('#canvas').clientWidth / ${page.size[0]},
      document.querySelector('#canvas').clientHeight / ${page.size[1]}) * 0.98`))));
    await stroke(page, tool, points);
    if (each) await page.stage('proved', 120000);
  }
  await page.stage('proved', 120000);
}

// ---- a box, and strokes that correct what it gives ----

let page = await open('coffee.png', 600, 400, program);
await page.set('#look', 'dimmed');
for (const id of ['keep-largest', 'fill-holes']) await page.set(`#${id}`, id === 'fill-holes' ? '300' : true);
await paint(page, hands.cup, true);
await picture(page, 'cup');
page = await open('tulips.png', 500, 500);
await page.set('#look', 'dimmed');
await paint(page, hands.tulips);
await picture(page, 'box');
page = await open('coffee.png', 600, 400);
await page.set('#look', 'dimmed');
await paint(page, hands.coffee.slice(0, 2));
await picture(page, 'stroke');
for (const id of ['keep-largest', 'fill-holes']) await page.set(`#${id}`, id === 'fill-holes' ? '300' : true);
await paint(page, hands.coffee.slice(2), true);
await picture(page, 'correction');
await page.set('#look', 'checker');
await page.set('#feather', '2');
await page.set('#show-strokes', false);
await until('the soft edge', () => page.get("performance.getEntriesByName('soft edge').length"));
await page.get("document.querySelector('#copy').scrollIntoView({block: 'center'})");
await picture(page, 'export');

// ---- the mask of another tool: an ellipse that is not quite the cup ----

page = await open('coffee.png', 600, 400);
const mask = {width: 600, height: 400, channels: 1, depth: 8, pixels: new Uint8Array(240000)};
for (let y = 0; y < 400; y++)
  for (let x = 0; x < 600; x++)
    if (((x - 265) / 190) ** 2 + ((y - 225) / 165) ** 2 < 1) mask.pixels[y * 600 + x] = 255;
writeFileSync(bench.path('other.png'), await encodePng(mask));
await page.set('#look', 'veil');
await page.choose('#load-mask', bench.path('other.png'));
await page.set('#further', '');
await page.stage('proved', 120000);
await paint(page, hands.mask);
await picture(page, 'mask');

await bench.end();
await program.end();
await browser.end();
process.exit(0);
