// SPDX-License-Identifier: MIT
//
// minute.mjs - the first minute with the editor: five photos, and three from Debian packages. With the mouse alone,
// each goes from the open photo to a cutout in the clipboard. The cutout is compared with the outline of the object,
// and the user's actions are counted: clicks, strokes, boxes, choices of another tool, and Copy. Then the first two
// minutes with a scan, the aorta in a CT, if it lies in the folder SCANS with its truth.
import {copyFileSync, existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {decodePng, encodePng} from '../../src/web/png.js';
import {processorTime, until} from './browser.mjs';
import {holds} from './expect.mjs';
import {isInside, onScreen, truth} from './hands.mjs';
import {numbers, onPlane} from './scan.mjs';

const ENOUGH = 0.93; // least intersection over union with the object

// Makes a photo {width, height, pixels} with the colours of color(x, y, inside), with noise.
function made(isObject, color, seed) {
  const width = 480, height = 360, pixels = new Uint8Array(width * height * 3);
  let state = seed;
  const noise = () => ((state = Math.imul(state, 1664525) + 1013904223 >>> 0) >>> 16) % 25 - 12;
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (const value of color(x, y, isObject(x, y))) pixels[at++] = Math.max(0, Math.min(255, value + noise()));
  return {width, height, channels: 3, depth: 8, pixels};
}

const ellipse = (cx, cy, a, b) => (x, y) => ((x - cx) / a) ** 2 + ((y - cy) / b) ** 2 < 1;
const pear = (x, y) => ellipse(240, 220, 90, 80)(x, y) || ellipse(245, 140, 50, 70)(x, y);
const head = ellipse(240, 110, 45, 50), body = (x, y) => y > 155 && Math.abs(x - 240) < 40 + (y - 155) * 0.4;
const ring = (x, y) => ellipse(240, 180, 130, 120)(x, y) && !ellipse(240, 180, 60, 55)(x, y);
const wood = (x, y) => 30 * Math.sin(y / 7 + Math.sin(x / 40));

const PHOTOS = [
  {name: 'coffee.png', size: [600, 400], most: 3, isObject: (x, y) => isInside(truth.coffee, x + 0.5, y + 0.5),
   hand: [['foreground', [[210, 60], [375, 90], [300, 180], [345, 300], [180, 345], [120, 240]]]]},
  {name: 'tulips.png', size: [500, 500], most: 8, isObject: (x, y) => isInside(truth.tulip, x + 0.5, y + 0.5),
   hand: [['box', [[288, 135], [408, 312]]], ['foreground', [[345, 152], [370, 158], [388, 172], [391, 220]]]]},
  {name: 'pear.png', most: 3, isObject: pear, hand: [['foreground', [[240, 220]]]],
   color: (x, y, inside) => inside ? [190 - y / 8, 200 - x / 12, 70] : [150 + x / 12, 120 + y / 10, 110]},
  {name: 'figure.png', most: 8, isObject: (x, y) => head(x, y) || body(x, y),
   hand: [['foreground', [[240, 100], [240, 300]]]],
   color: (x, y, inside) =>
     head(x, y) ? [225, 165, 130] : inside ? [50, 70, 150] : [90 + wood(x, y), 140 + wood(y, x), 80]},
  {name: 'ring.png', most: 8, isObject: ring,
   hand: [['foreground', [[240, 90], [335, 180], [240, 270], [145, 180], [230, 92]]], ['background', [[240, 180]]]],
   color: (x, y, inside) => inside ? [200, 60, 60 + x / 8] : [170 + wood(x, y), 130 + wood(x, y), 90]},
];

// Photos of Debian packages, if these are installed, or unpacked in the folder PACKAGES (dpkg-deb -x). The outlines
// were traced by hand.
const PYTHON = 'usr/lib/python3/dist-packages';
const FLOWER = [
  [315, 85], [333, 92], [343, 91], [362, 98], [372, 101], [385, 105], [389, 113], [400, 114], [410, 123], [411, 132],
  [424, 138], [428, 148], [428, 157], [432, 164], [434, 182], [441, 192], [444, 201], [445, 219], [444, 238],
  [441, 250], [437, 260], [431, 272], [425, 285], [418, 297], [413, 304], [407, 315], [402, 328], [393, 333],
  [383, 334], [372, 343], [360, 350], [348, 352], [340, 357], [325, 359], [313, 356], [300, 360], [285, 357],
  [270, 352], [255, 351], [240, 347], [232, 338], [219, 332], [213, 324], [205, 317], [200, 308], [196, 303],
  [188, 296], [183, 286], [178, 275], [172, 262], [170, 250], [171, 240], [169, 230], [169, 213], [170, 202],
  [178, 195], [176, 180], [179, 169], [187, 171], [188, 160], [187, 148], [192, 137], [204, 134], [206, 122],
  [215, 115], [226, 115], [230, 107], [241, 101], [252, 97], [268, 96], [278, 100], [285, 95], [297, 91], [304, 88],
];
const HOPPER = [
  [152, 109], [157, 96], [173, 84], [175, 76], [188, 56], [203, 46], [218, 41], [223, 30], [239, 24], [259, 22],
  [284, 25], [300, 36], [305, 42], [325, 51], [340, 66], [350, 84], [361, 86], [367, 94], [371, 137], [370, 168],
  [367, 179], [375, 188], [375, 203], [371, 229], [362, 249], [362, 269], [358, 287], [350, 305], [335, 307],
  [329, 312], [350, 328], [381, 345], [422, 366], [457, 378], [482, 389], [495, 399], [503, 422], [510, 442],
  [512, 449], [512, 600], [11, 600], [18, 538], [23, 488], [28, 432], [38, 401], [51, 383], [61, 376], [102, 362],
  [147, 350], [178, 335], [198, 320], [203, 310], [201, 300], [190, 292], [175, 282], [163, 269], [163, 254],
  [164, 239], [158, 218], [153, 198], [155, 188], [152, 173], [151, 147], [151, 122],
];
const PACKAGED = [
  {name: 'flower.jpg', path: `${PYTHON}/sklearn/datasets/images/flower.jpg`, size: [640, 427], most: 3,
   isObject: (x, y) => isInside(FLOWER, x + 0.5, y + 0.5),
   hand: [['foreground', [[310, 110], [310, 330], [200, 220]]]]},
  {name: 'coins.png', path: `${PYTHON}/skimage/data/coins.png`, size: [384, 303], most: 8,
   isObject: ellipse(347.5, 187, 32.5, 31), hand: [['box', [[311, 152], [383, 222]]]]},
  {name: 'grace_hopper.jpg', path: 'usr/share/matplotlib/mpl-data/sample_data/grace_hopper.jpg', size: [512, 600],
   most: 8,
   isObject: (x, y) => isInside(HOPPER, x + 0.5, y + 0.5),
   hand: [['foreground', [[200, 55], [310, 55], [250, 110], [250, 200], [250, 420], [90, 420], [430, 430]]],
          ['background', [[60, 20], [60, 330], [10, 400]]], ['background', [[420, 40], [440, 320]]],
          ['background', [[138, 20], [136, 200], [140, 310], [80, 350]]], ['foreground', [[330, 510], [440, 505]]]]},
];

// Returns the object's pixels in the cutout in the clipboard.
async function pasted(page) {
  const text = await page.get(`navigator.clipboard.read().then(all => all[0].getType('image/png')).then(async blob =>
    btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), byte => String.fromCharCode(byte)).join('')))`);
  const {width, pixels, channels} = await decodePng(new Uint8Array(Buffer.from(text, 'base64')));
  return (x, y) => pixels[(y * width + x) * channels + channels - 1] > 127;
}

function likeness(a, b, [width, height]) {
  let both = 0, either = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      both += a(x, y) && b(x, y);
      either += a(x, y) || b(x, y);
    }
  return both / either;
}

async function cutOut(bench, {name, path, size = [480, 360], most, isObject, hand, color}) {
  if (path) copyFileSync(join(process.env.PACKAGES ?? '/', path), bench.path(name));
  if (color) writeFileSync(bench.path(name), await encodePng(made(isObject, color, name.length)));
  const start = Date.now(), page = await bench.open(color || path ? bench.path(name) : bench.photo(name));
  page.size = size;
  let actions = 0, tool = 'foreground';
  for (const [wanted, points] of hand) {
    if (wanted !== tool) {
      await page.click(`input[value=${tool = wanted}] + span`);
      actions++;
    }
    await page.drag(await onScreen(page, points));
    await page.stage('proved');
    actions++;
  }
  await page.click('#copy-cutout');
  actions++;
  await until('a copy', async () => (await page.text('#status')).startsWith('Copied'));
  const seconds = ((Date.now() - start) / 1000).toFixed(1), like = likeness(await pasted(page), isObject, size);
  console.log(`      ${name}: ${actions} actions, ${seconds} s, IoU ${like.toFixed(4)}`);
  await bench.shot(page, `minute-${name.replace(/\..*/, '')}`);
  holds(`${name}: IoU ${like}`, like > ENOUGH);
  holds(`${name}: ${actions} actions`, actions <= most);
  bench.quiet(page);
  await bench.rest();
}

// The aorta, 120 x 126 x 164 voxels of 1.5 mm towards the right, the front and the head, so the axial plane shows rows
// and columns in reverse order. Strokes in its voxels: tool, slice, points. All choices stay as they are at first.
const AORTA = {file: 'ts_aorta_ct', size: [120, 126, 164], side: 1.5, hand: [
  ['foreground', 24, [[44, 79], [48, 79]]], ['foreground', 48, [[53, 81], [55, 85]]],
  ['foreground', 72, [[68, 98], [68, 102]]], ['foreground', 108, [[51, 44], [51, 50]]],
  ['foreground', 108, [[65, 96], [65, 102]]], ['foreground', 140, [[60, 75], [62, 90]]],
  ['background', 24, [[30, 79], [46, 95], [62, 79], [46, 63], [30, 79]]],
  ['background', 48, [[38, 83], [54, 98], [70, 83], [54, 67], [38, 83]]],
  ['background', 56, [[30, 40], [70, 50]]],
  ['background', 72, [[54, 100], [68, 113], [82, 100], [68, 86], [54, 100]]],
  ['background', 72, [[20, 40], [45, 75], [90, 60], [60, 30]]],
  ['background', 92, [[25, 60], [38, 70], [90, 80], [75, 40], [92, 40]]],
  ['background', 108, [[36, 47], [51, 62], [66, 47], [51, 32], [36, 47]]],
  ['background', 108, [[50, 99], [65, 114], [80, 99], [65, 84], [50, 99]]],
  ['background', 140, [[40, 84], [61, 108], [82, 84], [61, 50], [40, 84]]],
  ['background', 156, [[20, 20], [60, 80], [100, 100]]],
  ['foreground', 36, [[45, 83], [47, 81]]], ['foreground', 46, [[53, 83], [56, 86]]],
  ['foreground', 57, [[65, 92], [64, 90]]], ['foreground', 136, [[57, 59], [60, 68]]],
]};

async function labelMap(bench, {file, size, side, hand}) {
  const scan = `${file}.nii.gz`, right = `${file}_gt.nii.gz`;
  for (const name of [scan, right]) copyFileSync(join(process.env.SCANS, name), bench.path(name));
  const start = Date.now(), before = processorTime(bench.browser.profile);
  const page = await bench.serve(bench.path(scan), ['--range', '-100,600'], {});
  await page.opened();
  await page.set('#size', 12);
  const opened = Date.now(), slow = [];
  let actions = 0, tool = 'foreground', slice = -1;
  for (const [wanted, z, points] of hand) {
    if (z !== slice) {
      await page.set('.caption input', (slice = z) + 1);
      await until('that slice', async () => (await numbers(page))[0] === `${z + 1} / ${size[2]}`);
      actions++;
    }
    if (wanted !== tool) await page.click(`input[value=${tool = wanted}] + span`), actions++;
    const shown = points.map(([x, y]) => [(size[0] - x - 0.5) * side, (size[1] - y - 0.5) * side]);
    const where = await onPlane(page, 0, shown, size.map(voxels => voxels * side)), began = Date.now();
    await page.drag(where);
    actions++;
    await page.stage('proved');
    slow.push(Date.now() - began);
    await bench.shot(page, `minute-${file}-${slow.length}`);
  }
  await bench.download(page, '#save-cutout', `${file}-mask.nii.gz`);
  const seconds = (Date.now() - start) / 1000, [own, server] = [bench.browser.profile, bench.folder].map(processorTime);
  const said = bench.run('score', `${file}-mask.nii.gz`, right);
  const like = Number(/%\s+([\d.]+)/.exec(said)[1]);
  console.log(`      ${file}: opened after ${((opened - start) / 1000).toFixed(1)} s, ${actions + 1} actions, ` +
    `${seconds.toFixed(1)} s, slowest stroke ${Math.max(...slow)} ms, IoU ${like}; processor time of the browser ` +
    `${(own - before) / 1000} s, of the program ${server / 1000} s`);
  holds(`${file}: IoU ${like}`, like > 0.7);
  const busy = (own - before + server) / 1000; // on a busy machine the clock says little
  holds(`${file}: ${seconds} s, ${busy} s of them computing`, seconds < 120 || busy < 60);
  bench.quiet(page);
}

export const minuteTests = {
  'the aorta in a CT, from the scan to a label map': async bench => {
    if (existsSync(join(process.env.SCANS ?? '', `${AORTA.file}_gt.nii.gz`))) await labelMap(bench, AORTA);
    else console.log(`      ${AORTA.file}: not here`);
  },

  'five photos, from the photo to a cutout that is copied': async bench => {
    await bench.browser.send('Browser.grantPermissions',
      {permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite']});
    for (const photo of PHOTOS) await cutOut(bench, photo);
  },

  'photos of Debian packages, from the photo to a cutout that is copied': async bench => {
    await bench.browser.send('Browser.grantPermissions',
      {permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite']});
    for (const photo of PACKAGED)
      if (existsSync(join(process.env.PACKAGES ?? '/', photo.path))) await cutOut(bench, photo);
      else console.log(`      ${photo.name}: not here`);
  },
};
minuteTests['photos of Debian packages, from the photo to a cutout that is copied'].only = 'page';
minuteTests['five photos, from the photo to a cutout that is copied'].only = 'page';
minuteTests['the aorta in a CT, from the scan to a label map'].only = 'program';
