// SPDX-License-Identifier: MIT
//
// objects.mjs - several objects in one photo: each has its own strokes and mask, and all are saved in one file.
import {readFileSync, writeFileSync} from 'node:fs';
import {until} from './browser.mjs';
import {equal, holds, read} from './expect.mjs';
import {stroke} from './hands.mjs';
import {axe, onScreens} from './screen.mjs';

const counts = pixels => pixels.reduce((sum, value) => { sum[value]++; return sum; }, [0, 0, 0]);

// Returns the numbers of a label map with a palette of three colours, of which black is the first.
async function numbers(path) {
  const {pixels, entries, channels} = await read(path);
  const keys = entries.map(entry => entry.join());
  return Uint8Array.from({length: pixels.length / channels},
    (_, p) => keys.indexOf(pixels.subarray(p * channels, (p + 1) * channels).join()));
}

// Returns the mask that the run lengths of a COCO annotation describe, row by row.
function drawn({segmentation: {size: [height, width], counts: runs}}) {
  const out = new Uint8Array(width * height);
  let at = 0;
  runs.forEach((run, i) => {
    for (const end = at + run; at < end; at++) out[at % height * width + Math.floor(at / height)] = i % 2;
  });
  return out;
}

const chosen = page => page.get("document.querySelector('input[name=label]:checked + span').textContent");
const choose = (page, n) => page.click(`#labels label:nth-child(${n}) span`);

async function two(bench, how) {
  const page = await bench.open(bench.photo('coffee.png'), how);
  page.size = [600, 400];
  equal('one object: no palette', await page.get("document.querySelector('#objects').hidden"), true);
  await stroke(page, 'foreground', [[290.5, 270.5]]);
  await page.stage('proved');
  const alone = how ? null : (await read(await bench.download(page, '#save-mask', 'coffee-mask.png'))).pixels;
  if (how?.width < 500) await page.click('#more');
  await page.click('#another');
  if (how?.width < 500) await page.click('#more');
  await page.stage('open');
  await stroke(page, 'foreground', [[250.5, 130.5]]);
  await page.stage('proved');
  return {page, alone};
}

const strokesOf = async (bench, page) =>
  (await read(await bench.download(page, '#save-strokes', 'coffee-strokes.png'))).pixels;

// Returns the numbers that `tilecut labels` gives for strokes of objects, given as pictures, with the photo's border as
// background, which gets 0.
async function divided(bench, objects) {
  const seeds = Buffer.alloc(240000);
  objects.forEach((pixels, i) => pixels.forEach((value, p) => { if (value === 255) seeds[p] = i + 2; }));
  for (let p = 0; p < seeds.length; p++)
    if (p < 600 || p >= 239400 || p % 600 === 0 || p % 600 === 599) seeds[p] ||= 1;
  writeFileSync(bench.path('seeds.pgm'), Buffer.concat([Buffer.from('P5 600 400 255\n'), seeds]));
  bench.run('labels', 'coffee.png', '-s', 'seeds.pgm', '-o', 'divided.pgm', '-q');
  return readFileSync(bench.path('divided.pgm')).subarray(-240000).map(label => label - 1);
}

const same = async (bench, page, map) => Buffer.compare(Buffer.from(map),
  Buffer.from(await numbers(await bench.download(page, '#save-labels', 'coffee-labels.png')))) === 0;

export const objectTests = {
  'two objects: each keeps its mask; saved as a label map and as COCO, and opened again': async bench => {
    const {page, alone} = await two(bench);
    equal('chosen', await chosen(page), 'Object 2');
    const mask = async () => (await read(await bench.download(page, '#save-mask', 'coffee-mask.png'))).pixels;
    const second = await mask();
    holds('its own', second[130 * 600 + 250] === 255 && second[270 * 600 + 290] === 0);
    await page.set('#label-name', 'Coffee');
    equal('renamed', await chosen(page), 'Coffee');
    const map = await numbers(await bench.download(page, '#save-labels', 'coffee-labels.png'));
    await bench.shot(page, 'objects');
    const [, first, other] = counts(map);
    equal('the second one has what it was given last', other, second.reduce((sum, value) => sum + (value > 0), 0));
    equal('no pixel twice', first, alone.reduce((sum, value, p) => sum + (value > 0 && !second[p]), 0));
    const coco = JSON.parse(readFileSync(await bench.download(page, '#save-coco', 'coffee.coco.json')));
    equal('categories', coco.categories.map(each => each.name).join(), 'Object 1,Coffee');
    for (const each of coco.annotations)
      equal(`COCO ${each.id}`, drawn(each).some((value, p) => Boolean(value) !== (map[p] === each.id)), false);
    const labelme = await bench.download(page, '#save-labelme', 'coffee.labelme.json');
    for (const [i, {label, points: [[x, y], [right]], mask}] of JSON.parse(readFileSync(labelme)).shapes.entries()) {
      writeFileSync(bench.path('one.png'), Buffer.from(mask, 'base64'));
      const one = await read(bench.path('one.png')), inside = p => p % 600 >= x && p % 600 <= right && p >= y * 600 &&
        one.pixels[(Math.floor(p / 600) - y) * one.width + p % 600 - x] > 0;
      equal(`LabelMe ${label}`, map.some((number, p) => (number === i + 1) !== inside(p)), false);
    }
    bench.run('score', labelme, labelme, '-q'); // checks that the program can read the file
    await choose(page, 1);
    await page.stage('proved');
    equal('chosen again, the first is as it was', Buffer.compare(Buffer.from(await mask()), Buffer.from(alone)), 0);
    await stroke(page, 'foreground', [[420.5, 200.5]]);
    await page.stage('proved');
    holds("the other's stroke is background", (await mask())[130 * 600 + 250] === 0);
    await page.key('z', {ctrl: true});
    await page.stage('proved');
    equal('undone', Buffer.compare(Buffer.from(await mask()), Buffer.from(alone)), 0);
    bench.quiet(page);
  },

  'objects painted by strokes: the labels of the command, corrections only add, undo': async bench => {
    const page = await bench.open(bench.photo('coffee.png'));
    page.size = [600, 400];
    await stroke(page, 'foreground', [[210, 60], [375, 90], [300, 180], [345, 300], [180, 345], [120, 240]]);
    await page.stage('proved');
    const strokes = [await strokesOf(bench, page)];
    await page.click('#another');
    await page.stage('open');
    await stroke(page, 'foreground', [[230, 120], [330, 130], [300, 150]]);
    await page.stage('proved');
    strokes.push(await strokesOf(bench, page));
    const first = await numbers(await bench.download(page, '#save-labels', 'coffee-labels.png'));
    const wanted = await divided(bench, strokes);
    equal('the labels of the command', Buffer.compare(Buffer.from(first), wanted), 0);
    const mask = (await read(await bench.download(page, '#save-mask', 'coffee-mask.png'))).pixels;
    equal('the mask is of the same cut', first.some((label, p) => (label === 2) !== mask[p] > 0), false);
    await page.doubted();
    holds('how sure it is', /^\d+ % of the outline is unsure/.test(await page.text('#doubt')));
    await bench.shot(page, 'objects-together');
    await choose(page, 1);
    await page.stage('proved');
    equal('chosen: nothing changes', await same(bench, page, first), true);
    await stroke(page, 'foreground', [[420, 110], [440, 150]]);
    await page.stage('proved');
    const second = await numbers(await bench.download(page, '#save-labels', 'coffee-labels.png'));
    equal('a stroke only adds', second.some((label, p) => label !== first[p] && label !== 1), false);
    equal('and adds', Buffer.compare(Buffer.from(second), Buffer.from(first)) !== 0, true);
    await page.key('z', {ctrl: true});
    await page.stage('proved');
    equal('undone', await same(bench, page, first), true);
    await page.key('z', {ctrl: true, shift: true});
    await page.stage('proved');
    equal('done again', await same(bench, page, second), true);
    bench.quiet(page);
  },

  'edit --labels opens a label map of a photo, with names and numbers': async bench => {
    bench.photo('coffee.png');
    writeFileSync(bench.path('legend.txt'), '1 background #000000\n4 cup #c02010\n7 coffee #20c010\n');
    bench.run('labels', 'coffee.png', '--legend', 'legend.txt',
      '--label', 'background', '--stroke', '20,20 580,20 580,380 20,380 20,20',
      '--label', 'cup', '--stroke', '210,60 375,90 300,180 345,300 180,345 120,240',
      '--label', 'coffee', '--stroke', '230,120 330,130', '-o', 'map.png', '-q');
    const page = await bench.open(bench.path('coffee.png'), {words: ['--labels', 'map.png', '--legend', 'legend.txt']});
    page.size = [600, 400];
    await page.stage('proved');
    equal('names', await page.text('#labels'), 'cupcoffee');
    const grey = async path => { // counts the pixels of each number
      bench.run('labels', 'coffee.png', '--previous', path, '-s', 'nothing.pgm', '-o', 'grey.pgm', '-q');
      return readFileSync(bench.path('grey.pgm')).subarray(-240000);
    };
    writeFileSync(bench.path('nothing.pgm'), Buffer.concat([Buffer.from('P5 600 400 255\n'), Buffer.alloc(240000)]));
    const before = await grey('map.png');
    equal('the same numbers', Buffer.compare(before,
      await grey(await bench.download(page, '#save-labels', 'coffee-labels.png'))), 0);
    await choose(page, 2);
    await page.stage('proved');
    await stroke(page, 'foreground', [[420, 110], [440, 150]]);
    await page.stage('proved');
    const after = await grey(await bench.download(page, '#save-labels', 'coffee-labels.png'));
    equal('the stroke only adds', after.some((label, p) => label !== before[p] && label !== 7), false);
    equal('and adds', Buffer.compare(before, after) !== 0, true);
    bench.quiet(page);
  },

  'a label map becomes objects, which stay as they are until a stroke': async bench => {
    const {page} = await two(bench);
    const saved = await numbers(await bench.download(page, '#save-labels', 'coffee-labels.png'));
    const fresh = await bench.open(bench.photo('coffee.png'));
    await fresh.get("for (const each of document.querySelectorAll('details')) each.open = true; 0");
    await fresh.choose('#load-labels', bench.path('coffee-labels.png'));
    await fresh.stage('proved');
    const again = await numbers(await bench.download(fresh, '#save-labels', 'coffee-labels.png'));
    equal('the same labels', Buffer.compare(Buffer.from(again), Buffer.from(saved)), 0);
  },

  'eye, bin and keys of the palette': async bench => {
    const {page} = await two(bench), pressed = () => page.get("$('label-eye').getAttribute('aria-pressed')");
    await page.get('globalThis.$ = id => document.getElementById(id), globalThis.confirm = () => true, 0');
    await page.doubted();
    const seen = () => page.settled("$('canvas').toDataURL()"), shown = await seen();
    await page.click('#label-eye');
    equal('hidden', await pressed(), 'false');
    await until('another picture', async () => await seen() !== shown);
    await page.key(' ');
    equal('Space shows it', await pressed(), 'true');
    await until('the picture of before', async () => await seen() === shown);
    await page.get("document.querySelector('#labels :checked').focus()");
    await page.key('ArrowLeft');
    equal('an arrow chooses', await chosen(page), 'Object 1');
    await page.key('ArrowRight');
    equal('and another one', await chosen(page), 'Object 2');
    await page.stage('proved');
    await page.click('#label-remove');
    equal('one is left', await page.get("$('objects').hidden && document.querySelectorAll('#labels input').length"), 1);
    await page.stage('proved');
    bench.quiet(page);
  },

  'the palette at three sizes, light and dark: serious faults are not found': async bench => {
    const {page} = await two(bench);
    await onScreens(page, async (width, theme) => {
      await axe(page, `${width}, ${theme}`);
      await bench.shot(page, `objects-${width}-${theme}`);
      if (width < 500) await page.click('#more');
      const [end, next] = await page.get("['objects', 'looks'].map(id => document.getElementById(id)" +
        ".getBoundingClientRect()).map(({top, bottom}, i) => i ? top : bottom)");
      holds(`${width}: the objects end at ${end}, above the looks at ${next}`, end <= next);
      if (width < 500) await page.click('#more');
    });
  },
};
objectTests['a label map becomes objects, which stay as they are until a stroke'].only = 'page';
for (const name of Object.keys(objectTests).filter(each => /edit --labels|palette/.test(each)))
  objectTests[name].only = 'program';
