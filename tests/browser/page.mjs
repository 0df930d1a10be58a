// SPDX-License-Identifier: MIT
//
// page.mjs - the actions of a user, in either form of the editor.
import {copyFileSync, writeFileSync} from 'node:fs';
import {encodePng} from '../../src/web/png.js';
import {until} from './browser.mjs';
import {onScreen, stroke} from './hands.mjs';
import {equal, holds, read, samePicture} from './expect.mjs';

const tool = (page, name) => page.click(`input[value=${name}] + span`);
const pick = (page, name, value) =>
  page.click(`input[name=${name}][value=${value}] + span`);
const command = page => page.get("document.querySelector('#command').value");

async function coffee(bench, how) {
  const page = await bench.open(bench.photo('coffee.png'), how);
  page.size = [600, 400];
  return page;
}

// Compares the three exports with those of the command that the page shows.
async function compare(bench, page, stem, cutout) {
  await bench.download(page, '#save-strokes', `${stem}-strokes.png`);
  await bench.download(page, '#save-mask', `${stem}-mask.png`);
  if (cutout) await bench.download(page, '#save-cutout', `${stem}-cutout.png`);
  await bench.repeat(page);
  await samePicture('mask', bench.path(`${stem}-mask.png`), bench.path(`again-${stem}-mask.png`));
  if (cutout) await samePicture('cutout', bench.path(`${stem}-cutout.png`), bench.path(`again-${stem}-cutout.png`));
}

async function maskNow(bench, page) {
  await page.stage('proved');
  return (await read(await bench.download(page, '#save-mask', 'coffee-mask.png'))).pixels;
}

// Counts the pixels that b has and a lacks, and the other way round.
const counts = (a, b) => a.reduce(([more, less], v, p) => [more + (b[p] > v), less + (b[p] < v)], [0, 0]);

// Undoes all corrections and repeats the first one. `masks` holds the mask before them and after each.
async function undoAll(bench, page, masks) {
  for (let n = masks.length - 1; n > 0; n--) {
    await page.key('z', {ctrl: true});
    equal(`undone to ${n - 1}`, counts(masks[n - 1], await maskNow(bench, page)).join(), '0,0');
  }
  await page.key('z', {ctrl: true, shift: true});
  equal('done again', counts(masks[1], await maskNow(bench, page)).join(), '0,0');
}

// Loads a rectangle around the cup as a mask of another tool.
async function loadOther(bench, page) {
  const mask = {width: 600, height: 400, channels: 1, depth: 8, pixels: new Uint8Array(240000)};
  for (let y = 40; y < 360; y++) mask.pixels.fill(255, y * 600 + 120, y * 600 + 480);
  writeFileSync(bench.path('other.png'), await encodePng(mask));
  await page.choose('#load-mask', bench.path('other.png'));
  return mask;
}

export const pageTests = {
  'two strokes, a third, undone, exported: the mask of the command line': async bench => {
    const page = await coffee(bench);
    await bench.shot(page, '1-photo');
    await stroke(page, 'foreground', [[300, 120], [370, 180], [290, 270], [390, 300]]);
    await bench.shot(page, '2-one-stroke');
    await stroke(page, 'background', [[30, 30], [90, 20], [560, 20], [570, 380], [60, 380], [20, 200]]);
    await page.stage('proved');
    const sketches = await page.get("performance.getEntriesByName('change to sketch').map(e => e.duration)");
    console.log(`      a mask after ${Math.round(sketches.at(-1))} ms`);
    await bench.shot(page, '3-two-strokes');
    holds(`proof: ${await page.text('#proof')}`, /^Certified: flow (\d+) = cut \1, /.test(await page.text('#proof')));
    const before = await bench.download(page, '#save-mask', 'coffee-mask.png');
    const kept = await read(before);
    await stroke(page, 'background', [[300, 140], [360, 160]]);
    const [more, less] = counts(kept.pixels, await maskNow(bench, page));
    holds(`the third stroke only takes away: ${more} more, ${less} less`, !more && less > 0);
    await bench.shot(page, '4-third-stroke');
    await page.key('z', {ctrl: true});
    await until('the third stroke to go', async () => !await page.get("document.querySelector('#redo').disabled"));
    await page.stage('proved');
    await bench.shot(page, '5-undone');
    await compare(bench, page, 'coffee');
    writeFileSync(bench.path('kept.png'), await encodePng(kept));
    await samePicture('undone', bench.path('kept.png'), bench.path('coffee-mask.png'));
    bench.quiet(page);
  },

  'a box, options, clean-up, crop': async bench => {
    const page = await coffee(bench);
    await stroke(page, 'box', [[70, 15], [500, 390]]);
    await page.stage('proved');
    await bench.shot(page, '6-box');
    await page.set('#lambda', '120');
    await page.set('#connectivity', '8');
    await page.set('#keep-largest', true);
    await page.set('#fill-holes', '400');
    await pick(page, 'look', 'transparent');
    await page.stage('proved');
    await until('the soft edge', () => page.get("performance.getEntriesByName('soft edge').length"));
    await bench.shot(page, '7-soft');
    await compare(bench, page, 'coffee', true);
    const whole = await read(bench.path('again-coffee-cutout.png'));
    await page.set('#crop', true);
    await page.set('#margin', '3');
    await compare(bench, page, 'coffee', true);
    const cut = await read(bench.path('coffee-cutout.png'));
    holds(`cropped: ${cut.width}x${cut.height}`, cut.width < whole.width && cut.height < whole.height);
    bench.quiet(page);
  },

  'a matte, shown and saved': async bench => {
    const page = await coffee(bench);
    await stroke(page, 'foreground', [[300, 120], [370, 180], [290, 270], [390, 300]]);
    await stroke(page, 'background', [[30, 30], [560, 20], [570, 380], [60, 380]]);
    await pick(page, 'look', 'transparent');
    await pick(page, 'edge', 'hair');
    await page.stage('proved');
    await until('the soft edge', () => page.get("performance.getEntriesByName('soft edge').length"));
    await bench.shot(page, 'matte');
    await page.set('#crop', true);
    await page.set('#margin', '2');
    await compare(bench, page, 'coffee', true);
    holds('one edge', !(await command(page)).includes('--edge'));
    const {pixels, channels} = await read(bench.path('coffee-cutout.png'));
    let soft = 0;
    for (let p = channels - 1; p < pixels.length; p += channels) soft += pixels[p] > 0 && pixels[p] < 255;
    holds(`${soft} soft pixels`, soft > 1000);
    bench.quiet(page);
  },

  'strokes that only correct the mask: nested, undone bit for bit': async bench => {
    const page = await coffee(bench);
    await page.set('#further', ''); // the second stroke may be painted before or after the first one has given a mask
    await stroke(page, 'foreground', [[300, 120], [370, 180], [290, 270], [390, 300]]);
    await stroke(page, 'background', [[30, 30], [560, 20], [570, 380], [60, 380]]);
    const masks = [await maskNow(bench, page)];
    await page.set('#further', 'keep');
    const corrections = [['foreground', [[100, 200], [110, 260]]], ['background', [[300, 200], [340, 210]]],
                         ['foreground', [[520, 30], [530, 60]]]];
    for (const [tool, points] of corrections) {
      await stroke(page, tool, points);
      masks.push(await maskNow(bench, page));
      const [more, less] = counts(...masks.slice(-2));
      holds(`${tool}: ${more} more, ${less} less`, tool === 'foreground' ? more > 0 && !less : less > 0 && !more);
    }
    await bench.shot(page, 'kept');
    await compare(bench, page, 'coffee');
    await undoAll(bench, page, masks);
    bench.quiet(page);
  },

  'clicks that correct and teach: nested, the mask of --learn, undone bit for bit': async bench => {
    const page = await coffee(bench);
    await page.set('#size', 16);
    await page.set('#further', ''); // the second click may be made before or after the first one has given a mask
    await stroke(page, 'foreground', [[290, 270]]);
    await stroke(page, 'background', [[30, 30]]);
    const masks = [await maskNow(bench, page)];
    await page.set('#further', 'learn');
    holds('nothing to correct yet', !(await command(page)).includes('--learn'));
    const clicks = [['foreground', [300, 130]], ['background', [110, 350]], ['foreground', [430, 60]]];
    for (const [tool, point] of clicks) {
      await stroke(page, tool, [point]);
      masks.push(await maskNow(bench, page));
      const [more, less] = counts(...masks.slice(-2));
      holds(`${tool}: ${more} more, ${less} less`, tool === 'foreground' ? !less : !more);
    }
    holds('they change something', counts(masks[0], masks.at(-1)).some(count => count > 0));
    await bench.shot(page, 'clicks');
    await compare(bench, page, 'coffee');
    holds('as --learn does', (await command(page)).includes('--previous coffee-previous.png --learn'));
    const all = (await read(bench.path('coffee-strokes.png'))).pixels;
    holds('all clicks teach', [[290, 270], [300, 130], [430, 60]].every(([x, y]) => all[600 * y + x] === 255));
    await undoAll(bench, page, masks);
    bench.quiet(page);
  },

  'a click on the mask of another tool corrects, and learns as soon as it can': async bench => {
    const page = await coffee(bench);
    await loadOther(bench, page);
    await page.stage('proved');
    await stroke(page, 'background', [[130, 60]]);
    await until('a command that corrects', async () => (await command(page)).includes('-s coffee-strokes.png'));
    await page.stage('proved');
    equal('one kind teaches nothing', (await command(page)).includes('--learn'), false);
    await compare(bench, page, 'coffee');
    await stroke(page, 'foreground', [[300, 380]]);
    await until('a command that learns', async () => (await command(page)).includes('--learn'));
    await page.stage('proved');
    await compare(bench, page, 'coffee');
    bench.quiet(page);
  },

  'the mask of another tool, corrected by a stroke': async bench => {
    const page = await coffee(bench), mask = await loadOther(bench, page);
    equal('it is taken as it is', counts(mask.pixels, await maskNow(bench, page)).join(), '0,0');
    await page.set('#further', '');
    await until('it to be refined', async () => (await command(page)).includes('--mask other.png'));
    await page.stage('proved');
    await bench.shot(page, '8-other-mask');
    await stroke(page, 'background', [[130, 60], [150, 50], [170, 60]]);
    await page.stage('proved');
    await bench.shot(page, '9-corrected');
    await compare(bench, page, 'coffee');
    await page.choose('#load-mask', bench.photo('chelsea.png'));
    await until('a refusal', async () => (await page.text('#status')).includes('is 451x300 but the photo is 600x400'));
    bench.quiet(page);
  },

  '40 megapixels: a sketch first, then all of it, proved': async bench => {
    const width = 8000, height = 5000, radius = 1700, pixels = new Uint8Array(width * height);
    const half = y => Math.round(Math.sqrt(Math.max(0, radius ** 2 - (y + 0.5 - height / 2) ** 2)));
    for (let y = 0; y < height; y++) {
      pixels.fill(60 + (y >> 8), y * width, (y + 1) * width);
      pixels.fill(170 + (y >> 8), y * width + width / 2 - half(y), y * width + width / 2 + half(y));
    }
    writeFileSync(bench.path('large.png'), await encodePng({width, height, channels: 1, depth: 8, pixels}));
    const page = await bench.open(bench.path('large.png'));
    page.size = [width, height];
    await page.set('#colors', 'hist'); // the faster colour model
    await page.get(`globalThis.stages = []; new MutationObserver(() => stages.push(document.body.dataset.stage))
      .observe(document.body, {attributeFilter: ['data-stage']}), 0`);
    await stroke(page, 'foreground', [[3500, 2200], [4500, 2800]]);
    await stroke(page, 'background', [[400, 400], [7600, 400]]);
    await page.stage('proved');
    const stages = await page.get('stages');
    const seconds = await page.get("performance.getEntriesByName('full cut')[0].duration");
    console.log(`      proved after ${(seconds / 1000).toFixed(1)} s`);
    holds(`first a sketch: ${stages}`, stages.indexOf('sketched') >= 0 && stages.at(-1) === 'proved');
    holds(`proof: ${await page.text('#proof')}`, /^Certified: flow (\d+) = cut \1, /.test(await page.text('#proof')));
    const mask = await read(await bench.download(page, '#save-mask', 'large-mask.png'));
    equal('what is said of it', await page.text('#status'), 'Downloaded as large-mask.png.');
    let wrong = 0;
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        wrong += (mask.pixels[y * width + x] > 0) !== (Math.abs(x + 0.5 - width / 2) < half(y));
    equal('pixels that are not the disc', wrong, 0);
    bench.quiet(page);
  },

  'every look, zoomed and moved, dark, large text': async bench => {
    const page = await coffee(bench, {dark: true});
    await stroke(page, 'foreground', [[300, 120], [370, 180], [290, 270], [390, 300]]);
    await stroke(page, 'background', [[30, 30], [560, 20], [570, 380], [60, 380]]);
    await page.stage('proved');
    for (const look of ['transparent', 'colour', 'picture', 'blur', 'edit']) {
      if (look === 'picture') await page.choose('input[value=picture] + span', bench.photo('tulips.png'));
      else await pick(page, 'look', look);
      await bench.shot(page, `look-${look}`);
    }
    await page.at('mouseWheel', 500, 400, {deltaX: 0, deltaY: -400});
    await tool(page, 'pan');
    await page.drag([[500, 400], [600, 450]]);
    await bench.shot(page, 'zoomed');
    await page.get("document.documentElement.style.fontSize = '200%'");
    await page.send('Emulation.setDeviceMetricsOverride',
      {width: 1280, height: 900, deviceScaleFactor: 1, mobile: false});
    await bench.shot(page, 'large-text');
    holds('nothing is wider than the window', await page.get('document.documentElement.scrollWidth <= innerWidth'));
    holds('boxes to tick grow, too', await page.get(`[...document.querySelectorAll('input[type=checkbox]')]
      .filter(each => each.offsetWidth).every(each => each.getBoundingClientRect().width >= 24)`));
    bench.quiet(page);
  },

  'keys alone': async bench => {
    const page = await coffee(bench);
    await page.get("document.querySelector('#canvas').focus()");
    const keys = async text => { for (const key of text.split(' ')) await page.key(...key.startsWith('S')
      ? [key.slice(1), {shift: true}] : [key]); };
    await keys('1 Enter SArrowRight SArrowDown Enter');
    await keys(`2${' SArrowLeft'.repeat(10)}`);
    await keys('Enter SArrowUp SArrowUp SArrowUp SArrowUp Enter');
    await page.stage('proved');
    await bench.shot(page, 'keys');
    await keys('v + ] 0');
    equal('look', await page.get("document.querySelector('input[name=look]:checked').value"), 'transparent');
    await page.key('z', {ctrl: true});
    await page.key('z', {ctrl: true});
    await page.stage('open');
    bench.quiet(page);
  },

  'everything has a name for those who cannot see it': async bench => {
    const page = await coffee(bench);
    const {nodes} = await page.send('Accessibility.getFullAXTree');
    const roles = ['button', 'checkbox', 'radio', 'slider', 'combobox', 'textbox', 'spinbutton', 'application', 'link'];
    const nameless = nodes.filter(node => !node.ignored && roles.includes(node.role?.value) && !node.name?.value);
    equal('controls without a name', nameless.map(node => node.role.value).join(' '), '');
    holds('there are some', nodes.filter(node => roles.includes(node.role?.value)).length > 25);
    holds('what happens is announced', nodes.some(node => node.role?.value === 'status'));
  },

  'two fingers zoom, one paints': async bench => {
    const page = await coffee(bench);
    const touch = (type, points) => page.send('Input.dispatchTouchEvent',
      {type, touchPoints: points.map(([x, y], id) => ({x, y, id}))});
    const [[x, y]] = await onScreen(page, [[300, 200]]);
    await touch('touchStart', [[x, y]]);
    await touch('touchMove', [[x + 30, y + 20]]);
    await touch('touchEnd', []);
    await until('a stroke', async () => !await page.get("document.querySelector('#undo').disabled"));
    const strokes = await page.get("document.querySelector('#save-strokes').disabled");
    equal('strokes can be saved', strokes, false);
    await touch('touchStart', [[x - 50, y]]);
    await touch('touchStart', [[x - 50, y], [x + 50, y]]);
    await touch('touchMove', [[x - 150, y], [x + 150, y]]);
    await touch('touchEnd', []);
    await page.key('z', {ctrl: true});
    equal('the second left no stroke', await page.get("document.querySelector('#undo').disabled"), true);
    bench.quiet(page);
  },

  'goes on without its host': async bench => {
    const page = await coffee(bench);
    await until('the page to be kept', () => page.get("caches.match('tilecut.wasm').then(found => Boolean(found))"));
    await until('somebody to answer', () => page.get('navigator.serviceWorker.ready.then(() => true)'));
    bench.static.end();
    await page.go(page.origin);
    await page.choose('#open', bench.path('coffee.png'));
    await page.opened();
  },

  'nothing can be sent anywhere else': async bench => {
    const page = await coffee(bench);
    const blocked = await page.get(`new Promise(resolve => {
      addEventListener('securitypolicyviolation', event => resolve(event.effectiveDirective), {once: true});
      fetch('http://127.0.0.2:9/').catch(() => {}); setTimeout(() => resolve('nothing'), 30000); })`);
    equal('refused by the policy', blocked, 'connect-src');
  },

  'a JPEG says that it was decoded by the browser; as PNG it gives the same mask': async bench => {
    const {data} = await (await bench.browser.page()).send('Page.captureScreenshot', {format: 'jpeg'});
    writeFileSync(bench.path('made.jpg'), Buffer.from(data, 'base64'));
    const page = await bench.open(bench.path('made.jpg'));
    page.size = [1280, 800];
    holds('it is said', !await page.get("document.querySelector('#decoded').hidden"));
    await bench.download(page, '#save-photo', 'made.png');
    await stroke(page, 'foreground', [[500, 300], [700, 400]]);
    await stroke(page, 'background', [[100, 100], [1200, 100]]);
    await page.stage('proved');
    await compare(bench, page, 'made');
  },

  'saves, goes on, and ends': async bench => {
    const words = ['-o', 'mask.png', '--cutout', 'out.png', '--save-strokes', 'strokes.png'];
    const page = await coffee(bench, {words});
    await page.set('#further', ''); // the second stroke may be painted before or after the first one has given a mask
    await stroke(page, 'foreground', [[300, 120], [370, 180], [290, 270]]);
    await stroke(page, 'background', [[30, 30], [560, 20], [570, 380], [60, 380]]);
    await page.click('#save');
    await until('it to be saved', async () => (await page.text('#status')).startsWith('Saved mask.png, out.png'));
    bench.run('segment', 'coffee.png', '-s', 'strokes.png', '--seeds-format', 'trimap', '-o', 'again.png', '-q');
    await samePicture('mask', bench.path('mask.png'), bench.path('again.png'));
    copyFileSync(bench.path('mask.png'), bench.path('before.png'));
    await page.set('#further', 'learn');
    await page.stage('proved');
    await stroke(page, 'foreground', [[200, 250], [220, 300]]);
    await page.click('#done');
    await page.stage('finished');
    equal('exit status', await bench.exit, 0);
    bench.run('segment', 'coffee.png', '-s', 'strokes.png', '--seeds-format', 'trimap', '--previous', 'before.png',
      '--learn', '-o', 'again.png', '-q');
    await samePicture('last mask', bench.path('mask.png'), bench.path('again.png'));
    bench.quiet(page);
  },

  'a second tab takes the photo over with its strokes': async bench => {
    const first = await coffee(bench, {words: ['--box', '70,15,430,375']});
    await first.stage('proved');
    await stroke(first, 'foreground', [[300, 120], [370, 180]]);
    await first.stage('proved');
    const second = await bench.browser.page(bench.url, {downloads: bench.folder});
    second.origin = first.origin;
    await second.stage('proved');
    await compare(bench, second, 'coffee');
    await first.send('Page.bringToFront');
    await stroke(first, 'foreground', [[200, 120], [210, 180]]);
    await until('the first to be told', async () => (await first.text('#status')).includes('another tab'));
  },
};

pageTests['a matte, shown and saved'].only = 'page';
pageTests['40 megapixels: a sketch first, then all of it, proved'].only = 'page';
pageTests['goes on without its host'].only = 'page';
pageTests['a JPEG says that it was decoded by the browser; as PNG it gives the same mask'].only = 'page';
pageTests['saves, goes on, and ends'].only = 'program';
pageTests['a second tab takes the photo over with its strokes'].only = 'program';
