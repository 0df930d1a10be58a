// SPDX-License-Identifier: MIT
//
// guide.mjs - takes the pictures of docs/guide/editor.md and scan.md again, from real runs of the page. tools/pictures
// runs it; `guide.mjs FOLDER scan` takes only those of scan.md. TILECUT names the program.
//
//   make web && node tests/browser/guide.mjs [FOLDER]
import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Bench} from './bench.mjs';
import {Browser, sleep} from './browser.mjs';
import {hands, stroke} from './hands.mjs';
import {onPlane} from './scan.mjs';
import {SIZES} from './screen.mjs';

const browser = new Browser(), bench = new Bench(browser, 'page');
const folder = process.argv[2] ?? join(bench.root, 'docs/img');
// points on the cup and its saucer
const ACROSS = [[210, 60], [375, 90], [300, 180], [345, 300], [180, 345], [120, 240]];

async function take(page, quality = 70) {
  await page.at('mouseMoved', 1, 1);
  await sleep(300);
  return (await page.send('Page.captureScreenshot', {format: 'jpeg', quality})).data;
}

async function picture(page, name) {
  writeFileSync(join(folder, `editor-${name}.jpg`), Buffer.from(await take(page), 'base64'));
  console.log(`${name}: ${await page.text('#status')}`);
}

async function coffee(how, look) {
  const page = await bench.open(bench.photo('coffee.png'), how);
  page.size = [600, 400];
  await stroke(page, 'foreground', ACROSS);
  await page.stage('proved');
  await page.doubted();
  if (look) await page.click(`input[value=${look}] + span`);
  await sleep(1500);
  return page;
}

// Takes the page at three sizes, scaled to half: without a photo, and with a mask.
async function sheet(dark) {
  const rows = [[], []];
  for (const [width, height] of SIZES) {
    const page = await bench.empty({width, height, dark});
    rows[0].push([width, await take(page)]);
    rows[1].push([width, await take(await coffee({width, height, dark}, 'edit'))]);
    await bench.rest();
  }
  const page = await browser.page('', {width: 1387, height: 864});
  await page.get("document.body.style.cssText = 'margin:0;background:#8a9199'");
  for (const row of rows)
    await page.get(`(async () => { const line = document.createElement('div');
      line.style.cssText = 'display:flex;gap:20px;margin-bottom:20px;align-items:start';
      document.body.append(line);
      for (const [width, data] of ${JSON.stringify(row)}) { const image = new Image(width / 2);
        image.src = 'data:image/jpeg;base64,' + data; line.append(image); await image.decode(); } })()`);
  await picture(Object.assign(page, {text: () => ''}), dark ? 'dark' : 'light');
}

// Opens the drawn abdomen in the program: {program, page, paint}.
async function belly() {
  const program = new Bench(browser, 'program'), size = [128, 104, 108];
  execFileSync('python3', [join(program.root, 'tools/phantom'), program.path('belly.nii.gz')]);
  const page = await program.serve(program.path('belly.nii.gz'), ['--range', '-160,400'], {width: 1024, height: 768});
  const paint = async (tool, points) => {
    await page.click(`input[value=${tool}] + span`);
    await page.drag(await onPlane(page, 0, points, size));
    await page.stage('proved');
  };
  await page.opened();
  return {program, page, paint};
}

// Takes both kidneys and the spine as labels, for editor.md.
async function labels() {
  const {program, page, paint} = await belly();
  const objects = [['Left kidney', [[96, 55], [99, 66], [95, 77]]], ['Right kidney', [[32, 55], [29, 66], [33, 77]]],
                   ['Spine', [[64, 72], [64, 80]]]];
  for (const [i, [name, points]] of objects.entries()) {
    if (i) await page.click('#another');
    await paint('foreground', points);
    await page.set('#label-name', name);
  }
  await paint('background', [[54, 60], [56, 51], [82, 50], [84, 30], [110, 38], [118, 62], [112, 88], [90, 96],
    [78, 88], [80, 66], [72, 60]]);
  await paint('background', [[50, 60], [47, 88], [24, 90], [10, 62], [16, 42], [30, 30], [44, 48], [46, 62]]);
  writeFileSync(join(folder, 'editor-labels.jpg'), Buffer.from(await take(page, 50), 'base64'));
  await program.end();
}

// Takes the steps of scan.md, on the drawn abdomen.
async function scan() {
  const {program, page, paint} = await belly();
  const shot = async name =>
    writeFileSync(join(folder, `scan-${name}.jpg`), Buffer.from(await take(page, 50), 'base64'));
  await shot('open');
  await paint('foreground', [[96, 55], [99, 66], [95, 77]]);
  await shot('first');
  await paint('background', [[54, 60], [56, 51], [82, 50]]);
  await page.set('#connected', true);
  await page.stage('proved');
  await shot('corrected');
  await program.end();
}

await scan();
if (process.argv[3] === 'scan') {
  await browser.end();
  process.exit(0);
}
await labels();
await picture(await coffee({width: 1024, height: 768}), 'stroke');
await picture(await coffee({width: 1024, height: 768, dark: true}, 'blur'), 'blur');
const page = await bench.open(bench.photo('tulips.png'), {width: 1024, height: 768});
page.size = [500, 500];
for (const [tool, , points] of hands.tulips) await stroke(page, tool, points);
await page.stage('proved');
await sleep(1500);
await picture(page, 'box');
for (const dark of [false, true]) await sheet(dark);

await bench.end();
await browser.end();
process.exit(0);
