// SPDX-License-Identifier: MIT
//
// scan_labels.mjs - several labels of one scan: painted, shown in three planes, corrected and saved, with the same
// result as `tilecut labels` with the same strokes.
import {readFileSync} from 'node:fs';
import {until} from './browser.mjs';
import {equal, holds} from './expect.mjs';
import {axe, onScreens} from './screen.mjs';
import {isObject, isTube, labelsOf, makeMap, open, paint, SIZE} from './scan.mjs';

const [W, H] = SIZE;
const chosen = page => page.get("document.querySelector('input[name=label]:checked + span').textContent");
const choose = (page, n) => page.click(`#labels label:nth-child(${n}) span`);

// Counts the pixels of each plane that have this colour of an outline.
const shown = (page, [r, g, b]) => page.settled(`[...document.querySelectorAll('.plane .above')].map(canvas => {
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});
  copy.drawImage(canvas, 0, 0);
  const {data} = copy.getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4)
    count += data[i] === ${r} && data[i + 1] === ${g} && data[i + 2] === ${b} && data[i + 3] === 255;
  return count;
})`);
const ORANGE = [230, 159, 0], BLUE = [86, 180, 233];

function likeness(labels, number, isTruth) {
  let both = 0, either = 0;
  labels.forEach((label, p) => {
    const truth = isTruth(p % W, Math.floor(p / W) % H, Math.floor(p / W / H));
    both += truth && label === number;
    either += truth || label === number;
  });
  return both / either;
}

// Compares label maps before and after a stroke, which may only add voxels to its label.
function onlyAdds(what, before, after, number) {
  let gained = 0, other = 0;
  after.forEach((label, p) => { if (label !== before[p]) label === number ? gained++ : other++; });
  equal(`${what}: nothing else changes`, other, 0);
  return gained;
}

async function two(bench, how) {
  const page = await open(bench, how);
  await paint(page, 'foreground', 0, [[13.5, 20.5], [21, 21]]);
  await page.stage('proved');
  await page.click('#another');
  await page.stage('proved');
  await paint(page, 'foreground', 0, [[37, 11], [37, 13]]);
  await page.stage('proved');
  await page.set('#further', '');
  await paint(page, 'foreground', 1, [[37, 22], [37, 43], [37, 5]]);
  await page.set('#further', 'learn');
  await page.stage('proved');
  await paint(page, 'background', 0, [[30, 3], [30, 36]]);
  await page.stage('proved');
  return page;
}

const map = async (bench, page) => labelsOf(await bench.download(page, '#save-cutout', 'scan-labels.nii.gz'));

export const scanLabelTests = {
  'scan labels: painted in a plane, the labels of the command, corrections only add, undo': async bench => {
    const page = await two(bench);
    await page.set('#label-name', 'tube');
    equal('renamed', await chosen(page), 'tube');
    const first = await map(bench, page);
    holds(`object ${likeness(first, 2, isObject)}`, likeness(first, 2, isObject) > 0.9);
    holds('both outlines', (await shown(page, ORANGE))[0] > 50 && (await shown(page, BLUE))[0] > 50);
    await paint(page, 'box', 0, [[17.5, 20.5]]);
    await until('the object in three planes', async () => (await shown(page, ORANGE)).every(count => count > 50));
    await bench.download(page, '#save-strokes', 'scan-strokes.nii.gz');
    await bench.repeat(page);
    equal('the labels of the command', Buffer.compare(first, labelsOf(bench.path('again-scan-labels.nii.gz'))), 0);
    await bench.shot(page, 'scan-labels');
    await choose(page, 1);
    await paint(page, 'foreground', 0, [[27, 20], [28, 20]]);
    await page.stage('proved');
    const second = await map(bench, page);
    holds('the stroke is taken', onlyAdds('corrected', first, second, 2) > 0);
    await bench.download(page, '#save-strokes', 'scan-strokes.nii.gz');
    await bench.repeat(page);
    const again = labelsOf(bench.path('again-scan-labels.nii.gz'));
    equal('corrected: those of the command', Buffer.compare(second, again), 0);
    await page.key('z', {ctrl: true});
    await page.stage('proved');
    equal('undone', Buffer.compare(first, await map(bench, page)), 0);
    await page.key('z', {ctrl: true, shift: true});
    await page.stage('proved');
    equal('done again', Buffer.compare(second, await map(bench, page)), 0);
    const slicer = await bench.download(page, '#save-coco', 'scan-labels.seg.nrrd');
    holds('names in the segmentation', /Segment\d+_Name:=tube/.test(readFileSync(slicer).toString('latin1')));
    bench.run('score', slicer, bench.path('scan-labels.nii.gz'), '--labels', '--json', 'score.json', '-q');
    equal('its labels', JSON.parse(readFileSync(bench.path('score.json'))).wrong, 0);
    bench.quiet(page);
  },

  'scan labels: edit --labels opens a map, with names and colours, to correct it': async bench => {
    const page = await two(bench);
    await page.set('#label-name', 'tube');
    const first = await map(bench, page);
    await bench.download(page, '#save-coco', 'scan-labels.seg.nrrd');
    await page.get('onbeforeunload = null, 0');
    const again = await open(bench, {}, ['--labels', 'scan-labels.seg.nrrd']);
    await again.stage('proved');
    equal('names', await again.text('#labels'), 'Object 1tube');
    equal('as it was', Buffer.compare(first, await map(bench, again)), 0);
    await again.get("document.querySelector('#labels input').focus()");
    await again.key('ArrowRight');
    await paint(again, 'foreground', 0, [[30, 24]]);
    await again.stage('proved');
    const second = await map(bench, again);
    holds('a stroke is taken', onlyAdds('tube', first, second, 3) > 0);
    await bench.download(again, '#save-strokes', 'scan-strokes.nii.gz');
    await bench.repeat(again);
    equal('the labels of the command', Buffer.compare(second, labelsOf(bench.path('again-scan-labels.nii.gz'))), 0);
    const zero = makeMap(bench.path('zero.nii.gz'), first.map(label => label === 3 ? 7 : 0));
    const third = await open(bench, {}, ['--labels', zero]);
    await third.stage('proved');
    await paint(third, 'background', 0, [[37, 12], [37, 13]]);
    await third.stage('proved');
    const numbers = new Set(await map(bench, third));
    equal('numbers of the map', [...numbers].sort().join(), '0,7');
    bench.quiet(third);
  },

  'scan labels: strokes on the command line give the same': async bench => {
    const page = await two(bench);
    const strokes = labelsOf(await bench.download(page, '#save-strokes', 'scan-strokes.nii.gz'));
    const points = [[], [], [], []];
    strokes.forEach((label, p) => points[label].push([p % W, Math.floor(p / W) % H, Math.floor(p / W / H)].join()));
    const words = ['background', 'one', 'two'].flatMap((name, i) =>
      ['--label', name, ...points[i + 1].flatMap(point => ['--stroke', point])]);
    bench.run('labels', 'scan.nii.gz', ...words, '--brush', '0.4', '-o', 'line.nii.gz', '-q');
    equal('the same labels', Buffer.compare(await map(bench, page), labelsOf(bench.path('line.nii.gz'))), 0);
  },

  'scan labels: eye, bin, keys': async bench => {
    const page = await two(bench);
    await page.click('#label-eye');
    await until('it to be hidden', async () => (await shown(page, BLUE)).join() === '0,0,0');
    equal('pressed', await page.get("document.querySelector('#label-eye').getAttribute('aria-pressed')"), 'false');
    await page.key(' ');
    await until('Space to show it again', async () => (await shown(page, BLUE))[0] > 50);
    await page.get("document.querySelector('#labels :checked').focus()");
    await page.key('ArrowLeft');
    equal('an arrow chooses', await chosen(page), 'Object 1');
    await page.key('ArrowRight');
    equal('and back', await chosen(page), 'Object 2');
    const before = await map(bench, page);
    await page.get('globalThis.confirm = () => true, 0');
    await page.click('#label-remove');
    await page.stage('proved');
    const after = await map(bench, page);
    equal('gone', after.includes(3), false);
    const kept = likeness(after, 2, isObject), was = likeness(before, 2, isObject);
    holds(`the other one stays: ${kept} of ${was}`, kept > 0.9);
    holds('what is gone was there', before.includes(3));
    equal('one left', await page.get("document.querySelectorAll('#labels input').length"), 1);
    bench.quiet(page);
  },

  'scan labels: three screens, light and dark, and what keeps people out': async bench => {
    const page = await two(bench);
    await paint(page, 'box', 0, [[17.5, 20.5]]);
    await onScreens(page, async (width, theme) => {
      await axe(page, `${width}, ${theme}`);
      await bench.shot(page, `scan-labels-${width}-${theme}`);
    });
    bench.quiet(page);
  },
};
for (const [name, test] of Object.entries(scanLabelTests))
  if (!/painted in a plane|eye, bin, keys/.test(name)) test.only = 'program';
