// SPDX-License-Identifier: MIT
//
// guide.mjs - takes the pictures of docs/guide/editor.md anew, from real runs of the page. tools/pictures runs it.
//
//   make web && node tests/browser/guide.mjs [FOLDER]
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Bench} from './bench.mjs';
import {Browser, sleep, until} from './browser.mjs';
import {hands, stroke} from './hands.mjs';

const browser = new Browser(), bench = new Bench(browser, 'page');
const folder = process.argv[2] ?? join(bench.root, 'docs/img');
const ACROSS = [[210, 60], [375, 90], [300, 180], [345, 300], [180, 345], [120, 240]]; // the cup and its saucer

async function take(page) {
  await page.at('mouseMoved', 1, 1);
  await sleep(300);
  return (await page.send('Page.captureScreenshot', {format: 'jpeg', quality: 70})).data;
}

async function picture(page, name) {
  writeFileSync(join(folder, `editor-${name}.jpg`), Buffer.from(await take(page), 'base64'));
  console.log(`${name}: ${await page.text('#status')}`);
}

async function coffee(how, look) {
  const page = await bench.open(bench.photo('coffee.png'), how);
  page.size = [600, 400];
  await stroke(page, 'foreground', ACROSS);
  await page.stage('proved', 120000);
  await until('doubts', () => page.get('document.body.dataset.doubted === document.body.dataset.version'));
  if (look) await page.click(`input[value=${look}] + span`);
  await sleep(1500);
  return page;
}

// Pictures side by side.
async function together(name, pictures, width, height) {
  const page = await browser.page('', {width: width * pictures.length + 20 * (pictures.length - 1), height});
  await page.get(`document.body.style.cssText = 'margin:0;display:flex;gap:20px;background:#fff'`);
  for (const data of pictures)
    await page.get(`(async () => { const image = new Image(); image.src = 'data:image/jpeg;base64,${data}';
      document.body.append(image); await image.decode(); })()`);
  await picture(Object.assign(page, {text: () => ''}), name);
}

await picture(await bench.empty(), 'welcome');
await picture(await coffee({}), 'stroke');
await picture(await coffee({width: 1024, height: 768, dark: true}, 'blur'), 'blur');
let page = await bench.open(bench.photo('tulips.png'), {width: 1024, height: 768});
page.size = [500, 500];
for (const [tool, , points] of hands.tulips) await stroke(page, tool, points);
await page.stage('proved', 120000);
await sleep(1500);
await picture(page, 'box');
const phones = [];
for (const [dark, look] of [[false, 'edit'], [true, 'transparent']])
  phones.push(await take(await coffee({width: 390, height: 844, dark}, look)));
await together('phone', phones, 390, 844);

await bench.end();
await browser.end();
process.exit(0);
