// SPDX-License-Identifier: MIT
//
// scan_page.mjs - a scan in the page without the program: the saved files equal those of the command line byte for
// byte, except for the compression; files that it cannot read are refused with one line.
import {readFileSync, writeFileSync} from 'node:fs';
import {gunzipSync, gzipSync} from 'node:zlib';
import {until} from './browser.mjs';
import {equal, holds, samePicture} from './expect.mjs';
import {stroke} from './hands.mjs';
import {makeScan, numbers, outlined, paint, SIZE, writeScan} from './scan.mjs';

const unpacked = path => gunzipSync(readFileSync(path));

// Writes the scan with another voxel type, big-endian if `big`, and a scale factor; if `flat`, one slice of two axes.
function retyped(path, from, {type, bytes, big, write, slope = 1, flat}) {
  const scan = unpacked(from), count = SIZE[0] * SIZE[1] * SIZE[2], head = Buffer.from(scan.subarray(0, 352));
  const voxels = Buffer.alloc(count * bytes), order = big ? 'BE' : 'LE';
  for (let p = 0; p < count; p++) write(voxels, scan.readInt16LE(352 + 2 * p), p * bytes);
  head.writeInt16LE(type, 70);
  head.writeInt16LE(8 * bytes, 72);
  head.writeFloatLE(slope, 112);
  head.writeFloatLE(slope === 1 ? 0 : -3.5, 116);
  head.write('who it is of', 148);
  if (big) {
    for (const [at, end, size] of [[0, 4, 4], [40, 56, 2], [70, 74, 2], [76, 124, 4], [252, 256, 2], [256, 328, 4]])
      for (let k = at; k < end; k += size) head.subarray(k, k + size).reverse();
    holds(order, head.readInt32BE(0) === 348);
  }
  const slice = SIZE[0] * SIZE[1] * bytes;
  if (flat) head.writeInt16LE(2, 40);
  writeFileSync(path, gzipSync(Buffer.concat([head, flat ? voxels.subarray(11 * slice, 12 * slice) : voxels])));
  return path;
}

const KINDS = [
  {name: 'u8', type: 2, bytes: 1, write: (to, value, at) => to.writeUInt8(Math.max(0, Math.min(255, value + 90)), at)},
  {name: 'i32', type: 8, bytes: 4, big: true, slope: 0.25, write: (to, value, at) => to.writeInt32BE(value * 1000, at)},
  {name: 'f64', type: 64, bytes: 8, missing: '85 voxels are no numbers',
   write: (to, value, at) => to.writeDoubleLE(at % 4000 ? value / 3 : NaN, at)},
];

// Paints, saves, and compares with the command that the page shows.
async function comparesWell(bench, page, name) {
  await bench.download(page, '#save-strokes', `${name}-strokes.nii.gz`);
  const mine = unpacked(await bench.download(page, '#save-cutout', `${name}-mask.nii.gz`));
  await bench.repeat(page);
  equal(`${name}: the file of the command`, Buffer.compare(mine, unpacked(bench.path(`again-${name}-mask.nii.gz`))), 0);
  return mine.subarray(352).filter(label => label).length;
}

export const scanPageTests = {
  'a worker of its own looks for unsure places, and a stroke ends it': async bench => {
    const page = await bench.open(bench.photo('coffee.png'));
    page.size = [600, 400];
    await page.get(`import('./main.js').then(({editor}) => {
      const {engine} = editor, {apart} = engine;
      engine.apart = (...all) => {
        globalThis.found = apart.apply(engine, all);
        globalThis.busy = engine.small.waiting.size;
        globalThis.same = all[1].mask?.join() === editor.answer.cellsOf(engine.factor).join();
        return found;
      };
      globalThis.engine = engine; }), 0`);
    const strokes = [[[290, 270]], [[250, 130]]];
    await stroke(page, 'foreground', strokes[0]);
    await until('a search', () => page.get('globalThis.found !== undefined'));
    equal('the sketch waits', await page.get('busy'), 0);
    equal('what is looked at is the proved mask', await page.get('same'), true);
    await page.doubted();
    await page.get('globalThis.before = found, engine.third = {end() { globalThis.ended = true; }}, 0');
    await stroke(page, 'foreground', strokes[1]);
    await page.stage('proved');
    equal('ended', await page.get('globalThis.ended'), true);
    await page.doubted();
    holds('searched again', await page.get('found !== before'));
    await page.get("globalThis.given = engine.apart('unsure', {options: ''}), engine.third.end(), 0");
    equal('what an ended one finds', await page.get('given'), null);
    bench.quiet(page);
  },

  'scan without the program: strokes, correction, undo, and the files of the command line': async bench => {
    const page = await bench.host(makeScan(bench.path('scan.nii.gz')), {});
    await page.opened();
    await page.set('#size', 12);
    await page.set('#lambda', '20');
    await page.set('#keep-largest', true);
    await paint(page, 'foreground', 0, [[13.5, 20.5], [21, 21]]);
    await page.stage('proved');
    await until('all planes at the stroke', async () => (await numbers(page)).join() === '13 / 24,21 / 40,14 / 44');
    holds(`outlines: ${await outlined(page)}`, (await outlined(page)).every(count => count > 100));
    const first = await comparesWell(bench, page, 'scan');
    await paint(page, 'background', 1, [[33, 6], [33, 40]]);
    await paint(page, 'background', 0, [[30, 3], [37, 8], [37, 15]]);
    await page.stage('proved');
    const second = await comparesWell(bench, page, 'scan');
    holds(`${first} ${second} voxels`, second > 1000 && second < 4000);
    await bench.shot(page, 'scan-without');
    await page.key('z', {ctrl: true});
    await page.stage('proved');
    await page.key('z', {ctrl: true, shift: true});
    await page.stage('proved');
    equal('done again', await comparesWell(bench, page, 'scan'), second);
    bench.quiet(page);
  },

  'a photo after a scan, a scan after that: the page is what it was': async bench => {
    const scan = makeScan(bench.path('scan.nii.gz')), page = await bench.host(bench.photo('coffee.png'), {});
    const words = () => page.get(`[...document.querySelectorAll('button, label, legend, h3, #stage, #keys')].map(each =>
      [each.id, each.title, each.ariaLabel, each.id === 'stage' ? '' : each.textContent].join()).join('; ')`);
    await page.opened();
    const before = await words();
    for (let round = 0; round < 2; round++) {
      await page.get('globalThis.confirm = () => true, 0');
      await page.choose('#open', scan);
      await until('the scan', async () => await page.get('document.title') === 'scan.nii.gz - tilecut');
      await page.opened();
      await page.set('#size', 12);
      await paint(page, 'foreground', 0, [[13.5, 20.5], [21, 21]]);
      await page.stage('proved');
      holds('voxels', await comparesWell(bench, page, 'scan') > 1000);
      await page.click('#another');
      await page.choose('#open', bench.photo('coffee.png'));
      await until('the photo', async () => await page.get('document.title') === 'coffee.png - tilecut');
      await page.opened();
      equal('what is said', await words(), before);
      page.size = [600, 400];
      await stroke(page, 'foreground', [[250.5, 130.5]]);
      await page.stage('proved');
      const mask = await bench.download(page, '#save-mask', 'coffee-mask.png');
      bench.run('segment', 'coffee.png', '--fg', '250,130', '-o', 'wanted.png', '-q');
      await samePicture('a click', mask, bench.path('wanted.png'));
    }
    await bench.shot(page, 'photo-after-scan');
    bench.quiet(page);
  },

  'scan without the program: types, byte orders, scales, voxels that are no number': async bench => {
    makeScan(bench.path('scan.nii.gz'));
    const page = await bench.empty();
    for (const kind of KINDS) {
      const path = retyped(bench.path(`${kind.name}.nii.gz`), bench.path('scan.nii.gz'), kind);
      await page.choose('#open', path);
      await until(kind.name, async () => (await page.text('#name')).startsWith(kind.name));
      await page.opened();
      equal(`${kind.name}: NaN`, (await page.text('#status')).match(/^\d+ voxels are no numbers/)?.[0], kind.missing);
      await page.set('#size', 12);
      await paint(page, 'foreground', 0, [[13.5, 20.5], [21, 21]]);
      await paint(page, 'background', 0, [[30, 3], [37, 8], [37, 15]]);
      await page.stage('proved');
      holds(kind.name, await comparesWell(bench, page, kind.name) > 1000);
    }
    bench.quiet(page);
  },

  'scan without the program: a file of two axes, after a scan; its labels have two': async bench => {
    const page = await bench.open(makeScan(bench.path('scan.nii.gz')));
    await page.choose('#open', retyped(bench.path('slice.nii.gz'), bench.path('scan.nii.gz'),
      {type: 4, bytes: 2, flat: true, write: (to, value, at) => to.writeInt16LE(value, at)}));
    await until('the slice', async () => (await page.text('#name')).startsWith('slice'));
    await page.opened();
    await page.set('#size', 12);
    await paint(page, 'foreground', 0, [[13.5, 20.5], [21, 21]]);
    await page.stage('proved');
    holds('slice', await comparesWell(bench, page, 'slice') > 100);
    bench.quiet(page);
  },

  'scan without the program: what is not read is said in one line': async bench => {
    const page = await bench.empty(), small = makeScan(bench.path('scan.nii.gz'));
    const large = writeScan(bench.path('large.nii.gz'), [129, 128, 128], [1, 1, 1], [[1, 0, 0, 0], [0, 1, 0, 0],
      [0, 0, 1, 0]], new Int16Array(129 * 128 * 128));
    writeFileSync(bench.path('cut.nii'), unpacked(small).subarray(0, 5000));
    writeFileSync(bench.path('cut.nii.gz'), readFileSync(small).subarray(0, 5000));
    writeFileSync(bench.path('scan.nrrd'), 'NRRD0004\n');
    for (const [name, words] of [
      ['large.nii.gz', /is 129 x 128 x 128; .* up to 128 x 128 x 128 .* tilecut edit large\.nii\.gz$/],
      ['cut.nii', /is cut short/], ['cut.nii.gz', /damaged/], ['scan.nrrd', /tilecut edit scan\.nrrd$/]]) {
      await page.choose('#open', bench.path(name));
      await until(name, async () => words.test(await page.text('#status')) && await page.text('#status'));
    }
    holds(large, await page.get("document.querySelector('#welcome').offsetParent !== null")); // nothing is opened
    bench.quiet(page);
  },
};
for (const test of Object.values(scanPageTests)) test.only = 'page';
