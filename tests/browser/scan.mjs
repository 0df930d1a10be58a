// SPDX-License-Identifier: MIT
//
// scan.mjs - a scan in the editor of the program, from opening a file to saving a label map, which must equal that of
// the command line; and the page's screens.
import {readFileSync, writeFileSync} from 'node:fs';
import {basename} from 'node:path';
import {gunzipSync, gzipSync} from 'node:zlib';
import {until} from './browser.mjs';
import {equal, holds, samePicture} from './expect.mjs';
import {stroke} from './hands.mjs';
import {axe, onScreens} from './screen.mjs';

export const SIZE = [44, 40, 24], SPACING = [1, 1, 2];
const PLACE = [[-1, 0, 0, 20], [0, -1, 0, 20], [0, 0, 2, -24]];
const WAYS = ['Axial', 'Coronal', 'Sagittal'];

// A bright ellipsoid next to a less bright tube, in noise. Voxels are stored towards the left, the back and the top of
// the patient, so the page shows columns as stored and slices in reverse order.
export const isObject = (x, y, z) => ((x - 17) / 9) ** 2 + ((y - 20) / 10) ** 2 + ((z - 11) / 6) ** 2 < 1;
export const isTube = (x, y) => (x - 37) ** 2 + (y - 12) ** 2 < 12;

export function writeScan(path, size, spacing, rows, voxels) {
  const head = Buffer.alloc(352);
  head.writeInt32LE(348, 0);
  [3, ...size, 1, 1, 1, 1].forEach((value, i) => head.writeInt16LE(value, 40 + 2 * i));
  head.writeInt16LE(4, 70);
  head.writeInt16LE(16, 72);
  [1, ...spacing, 1, 1, 1, 1].forEach((value, i) => head.writeFloatLE(value, 76 + 4 * i));
  head.writeFloatLE(352, 108);
  head.writeUInt8(2, 123); // the unit is millimetres
  head.writeInt16LE(1, 254);
  rows.flat().forEach((value, i) => head.writeFloatLE(value, 280 + 4 * i));
  head.write('n+1', 344);
  writeFileSync(path, gzipSync(Buffer.concat([head, Buffer.from(voxels.buffer)])));
  return path;
}

export function makeScan(path) {
  const [w, h, d] = SIZE, voxels = new Int16Array(w * h * d);
  for (let p = 0, state = 1; p < w * h * d; p++) {
    state = Math.imul(state, 1664525) + 1013904223 >>> 0;
    const x = p % w, y = Math.floor(p / w) % h, z = Math.floor(p / w / h), noise = (state >>> 16) % 61 - 30;
    voxels[p] = (isObject(x, y, z) ? 140 : isTube(x, y) ? 40 : -60) + noise;
  }
  return writeScan(path, SIZE, SPACING, PLACE, voxels);
}

// Writes labels in the same position as the scan.
export const makeMap = (path, labels) => writeScan(path, SIZE, SPACING, PLACE, Int16Array.from(labels));

// Stores the same volume in another order, at the same position in the patient: the first axis runs to the back, the
// second downwards, the third to the right.
function turnScan(path, from) {
  const [w, h, d] = SIZE, scan = gunzipSync(readFileSync(from)), voxels = new Int16Array(w * h * d);
  for (let k = 0, p = 0; k < w; k++)
    for (let j = 0; j < d; j++)
      for (let i = 0; i < h; i++, p++) voxels[p] = scan.readInt16LE(352 + 2 * (((d - 1 - j) * h + i) * w + w - 1 - k));
  return writeScan(path, [h, d, w], [1, 2, 1], [[0, 0, 1, -23], [-1, 0, 0, 20], [0, -2, 0, 22]], voxels);
}

export const labelsOf = path => gunzipSync(readFileSync(path)).subarray(352);

function likeness(labels) {
  const [w, h] = SIZE;
  let both = 0, either = 0;
  labels.forEach((label, p) => {
    const truth = isObject(p % w, Math.floor(p / w) % h, Math.floor(p / w / h));
    both += truth && label > 0;
    either += truth || label > 0;
  });
  return both / either;
}

// Converts points of a plane to screen columns and rows, when the page shows the whole plane and moves no more. `all`
// has the sides of the scan in millimetres.
export function onPlane(page, way, points, all = SIZE.map((side, k) => side * SPACING[k])) {
  const size = [[0, 1], [0, 2], [1, 2]][way].map(k => all[k]);
  return page.settled(`(box => ${JSON.stringify(points)}.map(([x, y]) => {
    const scale = Math.min(box.width / ${size[0]}, box.height / ${size[1]}) * 0.98;
    return [box.x + (box.width - ${size[0]} * scale) / 2 + x * scale,
            box.y + (box.height - ${size[1]} * scale) / 2 + y * scale];
  }))(document.querySelectorAll('.plane .above')[${way}].getBoundingClientRect())`);
}

export async function paint(page, tool, way, points) {
  await page.click(`input[value=${tool}] + span`);
  await page.drag(await onPlane(page, way, points));
}

// Counts the pixels of each plane that have the colour of the outline.
export const outlined = page => page.settled(`[...document.querySelectorAll('.plane .above')].map(canvas => {
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});
  copy.drawImage(canvas, 0, 0);
  const {data} = copy.getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) count += data[i] === 60 && data[i + 1] === 240 && data[i + 2] === 200;
  return count;
})`);

export const numbers = page =>
  page.get("[...document.querySelectorAll('.caption output')].map(each => each.textContent)");

export async function open(bench, how, words = []) {
  const scan = makeScan(bench.path('scan.nii.gz'));
  const page = bench.form === 'page' ? await bench.host(scan, how) : await bench.serve(scan, words, how);
  await page.opened();
  await page.set('#size', 12);
  return page;
}

export const scanTests = {
  'scan: a stroke, the mask at once in three planes, correction, undo, save': async bench => {
    const page = await open(bench), save = () => bench.download(page, '#save-cutout', 'scan-mask.nii.gz');
    const again = async () => {
      await bench.download(page, '#save-strokes', 'scan-strokes.nii.gz');
      await bench.repeat(page);
      return readFileSync(bench.path('again-scan-mask.nii.gz'));
    };
    await page.set('#lambda', '20');
    await page.set('#keep-largest', true);
    equal('outlines before', (await outlined(page)).join(), '0,0,0');
    await paint(page, 'foreground', 0, [[13.5, 20.5], [21, 21]]);
    await page.stage('proved');
    await until('all planes at the stroke', async () => (await numbers(page)).join() === '13 / 24,21 / 40,14 / 44');
    holds(`outlines: ${await outlined(page)}`, (await outlined(page)).every(count => count > 100));
    const first = readFileSync(await save());
    equal('one stroke: the file of the command', Buffer.compare(first, await again()), 0);
    await paint(page, 'background', 1, [[33, 6], [33, 40]]);
    await paint(page, 'background', 0, [[30, 3], [37, 8], [37, 15]]);
    await page.stage('proved');
    const second = readFileSync(await save()), like = likeness(labelsOf(bench.path('scan-mask.nii.gz')));
    equal('two strokes: the file of the command', Buffer.compare(second, await again()), 0);
    holds(`IoU ${like}`, like > 0.95);
    await bench.shot(page, 'scan');
    await page.key('z', {ctrl: true});
    await page.stage('proved');
    equal('undone', Buffer.compare(readFileSync(await save()), first), 0);
    await page.key('z', {ctrl: true, shift: true});
    await page.stage('proved');
    equal('done again', Buffer.compare(readFileSync(await save()), second), 0);
    bench.quiet(page);
  },

  'scan: where the outline is unsure is said, and N goes there': async bench => {
    const page = await open(bench);
    await paint(page, 'foreground', 0, [[37, 11], [37, 13]]); // a stroke on the tube, next to the brighter ellipsoid
    await page.stage('proved');
    await page.doubted();
    equal('how much', await page.text('#doubt'), '8 % of the outline is unsure.');
    equal('a place', await page.get("document.querySelector('#unsure').hidden"), false);
    holds('its words', /^Unsure/.test(await page.text('#unsure')));
    const [place, before] = await page.get("Promise.all([import('./main.js').then(m => m.editor.place), " +
      "document.querySelector('#voxel').textContent])");
    equal(`seen from ${before}`, place.join(), '37,12,2');
    await page.key('n');
    await until('the planes there', async () => await page.text('#voxel') === place.join(', '));
    holds('it is said', (await page.text('#status')).startsWith('A stroke helps most'));
    await bench.shot(page, 'scan-unsure');
    await page.click('#another');
    await page.stage('proved');
    await paint(page, 'foreground', 0, [[13.5, 20.5], [21, 21]]);
    await page.stage('proved');
    await page.doubted();
    holds('of two labels', /^\d+ % of the outline is unsure/.test(await page.text('#doubt')));
    bench.quiet(page);
  },

  'scan: planes lie as the file says; wheel, cross, grey and keys': async bench => {
    const page = await open(bench);
    equal('names', await page.get("[...document.querySelectorAll('.large span')].map(e => e.textContent).join()"),
      WAYS.join());
    equal('ends', await page.get("[...document.querySelectorAll('.end')].map(e => e.textContent).join('')"),
      'RLAPRLSIAPSI');
    equal('slices', (await numbers(page)).join(), '13 / 24,21 / 40,23 / 44');
    const [[x, y]] = await onPlane(page, 0, [[10.5, 30.5]]);
    await page.at('mouseWheel', x, y, {deltaX: 0, deltaY: 80});
    await until('two slices on', async () => (await numbers(page))[0] === '15 / 24');
    await page.key('PageUp');
    await until('one back', async () => (await numbers(page))[0] === '14 / 24');
    await paint(page, 'box', 0, [[5.5, 5.5], [10.5, 30.5]]);
    await until('the cross', async () => (await numbers(page)).join() === '14 / 24,31 / 40,11 / 44');
    equal('voxel', await page.text('#voxel'), '10, 30, 13');
    const scan = gunzipSync(readFileSync(bench.path('scan.nii.gz'))), [w, h] = SIZE;
    equal('value', Number(await page.text('#value')), scan.readInt16LE(352 + 2 * ((13 * h + 30) * w + 10)));
    const grey = () => page.settled("document.querySelector('.plane .below').toDataURL()"), before = await grey();
    await paint(page, 'window', 0, [[10, 10], [30, 10]]);
    await until('less contrast', async () => await grey() !== before);
    await page.click('#auto');
    await until('the contrast of before', async () => await grey() === before);
    await page.key('e');
    equal('large', await page.get("document.querySelector('.plane.now .large').getAttribute('aria-pressed')"), 'true');
    bench.quiet(page);
    // The pages are checked one after the other, because a page in the background draws nothing.
    const seen = async (at, slice) => {
      await paint(at, 'box', 0, [[15.5, 18.5]]);
      await at.set('.caption input', slice);
      await until('that slice', async () => (await numbers(at))[0] === `${slice} / 24`);
      return at.settled("[...document.querySelectorAll('.plane .below')].map(each => each.toDataURL()).join()");
    };
    const straight = await seen(await open(bench), 10);
    const turned = await bench.serve(turnScan(bench.path('turned.nii.gz'), bench.path('scan.nii.gz')), []);
    await turned.opened();
    // slices of the turned scan are counted from its other end
    holds('the same planes', await seen(turned, 15) === straight);
  },

  'scan: one opens where a photo is, and a photo where a scan is; chosen, dropped, pasted': async bench => {
    const page = await bench.serve(null, [], {}), scan = makeScan(bench.path('scan.nii.gz'));
    const is = async name => {
      // waits until the new page has loaded
      await until(name, () => page.get(`document.title === '${name} - tilecut'`).catch(() => false));
      await page.opened();
    };
    const send = (type, path) => page.get(`(() => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob('${readFileSync(path).toString('base64')}'), c => c.charCodeAt())],
        '${basename(path)}'));
      dispatchEvent('${type}' === 'drop' ? new DragEvent('drop', {dataTransfer: data})
        : new ClipboardEvent('paste', {clipboardData: data})); })()`);
    await page.choose('#open-too', scan);
    await is('scan.nii.gz');
    await page.set('#size', 12);
    await paint(page, 'foreground', 0, [[13.5, 20.5], [21, 21]]);
    await page.stage('proved');
    const mask = readFileSync(await bench.download(page, '#save-cutout', 'scan-mask.nii.gz'));
    await bench.download(page, '#save-strokes', 'scan-strokes.nii.gz');
    await bench.repeat(page);
    equal('the file of the command', Buffer.compare(mask, readFileSync(bench.path('again-scan-mask.nii.gz'))), 0);
    writeFileSync(bench.path('cut.nii.gz'), readFileSync(scan).subarray(0, 5000));
    await send('paste', bench.path('cut.nii.gz'));
    await until('it to be refused', async () => (await page.text('#status')).startsWith('cut.nii.gz: packed by gzip'));
    await paint(page, 'background', 0, [[30, 3], [37, 8], [37, 15]]);
    // waits, because otherwise the sketch might be requested after the photo has replaced the scan
    await page.stage('proved');
    page.yes = false;
    await page.choose('#open', bench.photo('coffee.png'));
    await until('no', async () => await page.text('#status') === 'scan.nii.gz stays open.');
    page.yes = true;
    await send('drop', bench.path('coffee.png'));
    await is('coffee.png');
    equal('questions', page.dialogs.length, 2);
    page.size = [600, 400];
    await stroke(page, 'foreground', [[250.5, 130.5]]);
    await page.stage('proved');
    await bench.download(page, '#save-mask', 'coffee-mask.png');
    bench.run('segment', 'coffee.png', '--fg', '250,130', '-o', 'wanted.png', '-q');
    await samePicture('a click', bench.path('coffee-mask.png'), bench.path('wanted.png'));
    await send('paste', scan);
    await is('scan.nii.gz');
    bench.quiet(page);
  },

  'scan: three screens, light and dark, and what keeps people out': async bench => {
    const page = await open(bench);
    await paint(page, 'foreground', 0, [[13.5, 20.5], [21, 21]]);
    await page.stage('proved');
    await onScreens(page, async (width, theme) => {
      await page.get("for (const each of document.querySelectorAll('details')) each.open = true; 0");
      await axe(page, `${width}, ${theme}`);
      await bench.shot(page, `scan-${width}-${theme}`);
    });
    bench.quiet(page);
  },
};
const BOTH = 'scan: where the outline is unsure is said, and N goes there'; // tested in both forms of the editor
for (const [name, test] of Object.entries(scanTests)) if (name !== BOTH) test.only = 'program';
