// SPDX-License-Identifier: MIT
//
// minute.mjs - the first minute: five photos, each from the photo that is open to a cutout in the clipboard, by the
// mouse alone. What was copied is compared with the outline of the object; what the hand did is counted: a click, a
// stroke, a box, the choice of another tool, and Copy.
import {writeFileSync} from 'node:fs';
import {decodePng, encodePng} from '../../src/web/png.js';
import {until} from './browser.mjs';
import {holds} from './expect.mjs';
import {isInside, onScreen, truth} from './hands.mjs';

const ENOUGH = 0.93; // intersection over union with the object

// Photos that are made: {width, height, pixels} of what color(x, y, inside) says, with noise.
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

// The object's pixels of the cutout in the clipboard.
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

async function cutOut(bench, {name, size = [480, 360], most, isObject, hand, color}) {
  if (color) writeFileSync(bench.path(name), await encodePng(made(isObject, color, name.length)));
  const start = Date.now(), page = await bench.open(color ? bench.path(name) : bench.photo(name));
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
  await bench.shot(page, `minute-${name.replace('.png', '')}`);
  holds(`${name}: IoU ${like}`, like > ENOUGH);
  holds(`${name}: ${actions} actions`, actions <= most);
  bench.quiet(page);
  await bench.rest();
}

export const minuteTests = {
  'five photos, from the photo to a cutout that is copied': async bench => {
    await bench.browser.send('Browser.grantPermissions',
      {permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite']});
    for (const photo of PHOTOS) await cutOut(bench, photo);
  },
};
minuteTests['five photos, from the photo to a cutout that is copied'].only = 'page';
