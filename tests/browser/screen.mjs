// SPDX-License-Identifier: MIT
//
// screen.mjs - the page's screens: at three sizes, through the keyboard alone, and through axe-core, which finds
// obstacles to accessibility. AXE names axe.min.js (npm install axe-core); otherwise it is searched for in
// node_modules. At its end run.mjs prints how many screens axe-core has checked, or that it is missing, which is a
// failure with TILECUT_REQUIRE_AXE=1.
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {until} from './browser.mjs';
import {equal, holds, read, samePicture} from './expect.mjs';
import {onScreen, stroke} from './hands.mjs';

export const SIZES = [[1280, 800], [1024, 768], [390, 844]];

// Calls act(width, theme) for screens of each size, in the light and the dark theme. The page must fit each of them.
export async function onScreens(page, act) {
  for (const [width, height, theme] of SIZES.flatMap(size => ['light', 'dark'].map(theme => [...size, theme]))) {
    await page.send('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: false});
    await page.send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: theme}]});
    equal(`${width}: scrolls`, await page.get('document.documentElement.scrollHeight > innerHeight ||' +
      ' document.documentElement.scrollWidth > innerWidth'), false);
    await act(width, theme);
  }
}
const ALWAYS = ['#open', '#copy-cutout', '#save-cutout', '#undo', 'input[value=foreground] + span',
  'input[value=background] + span', 'input[value=erase] + span', 'input[value=box] + span', 'input[value=blur] + span'];

const command = page => page.get("document.querySelector('#command').value");
const status = page => page.text('#status');
const pick = (page, value) => page.click(`input[value=${value}] + span`);

async function coffee(bench, how) {
  const page = await bench.open(bench.photo('coffee.png'), how);
  page.size = [600, 400];
  return page;
}

const mayCopy = bench => bench.browser.send('Browser.grantPermissions',
  {permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite']});

// Returns the elements that lie outside of the window or under something else.
const hiddenOf = (page, selectors) => page.get(`${JSON.stringify(selectors)}.filter(each => {
  const element = document.querySelector(each), {x, y, width, height} = element.getBoundingClientRect();
  const at = document.elementFromPoint(x + width / 2, y + height / 2);
  return x < 0 || y < 0 || x + width > innerWidth + 0.5 || y + height > innerHeight + 0.5 || !element.contains(at);
})`);

export const looked = {at: 0, not: 0}; // number of screens

export async function axe(page, where) {
  const places = [process.env.AXE, join(process.cwd(), 'node_modules/axe-core/axe.min.js')];
  const path = places.find(each => each && existsSync(each));
  looked[path ? 'at' : 'not']++;
  if (!path) return;
  await page.get(`${readFileSync(path, 'utf8')}; 0`);
  const found = await page.get(`axe.run(document, {resultTypes: ['violations']}).then(result => result.violations
    .filter(each => ['serious', 'critical'].includes(each.impact))
    .map(each => each.id + ': ' + each.nodes.map(node => node.target.join(' ')).slice(0, 4).join(', ')))`);
  equal(`${where}: axe-core`, found.join('; '), '');
}

// Checks of web audits that need no clock: controls too small for a finger, elements without a name, layout shifts
// without input, and resources that block the first drawing.
const audited = page => page.get(`(async () => {
  const observer = new PerformanceObserver(() => {}), all = what => [...document.querySelectorAll(what)];
  observer.observe({type: 'layout-shift', buffered: true});
  await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  const jumps = observer.takeRecords().filter(each => !each.hadRecentInput);
  observer.disconnect();
  const controls = all('button, a[href]:not(.skip), summary, select, textarea, input')
    .map(each => each.closest('label') ?? each);
  const small = controls.filter(each => {
    const {width, height} = each.getBoundingClientRect();
    return each.checkVisibility() && width && (width < 24 || height < 24);
  });
  const blocking = performance.getEntriesByType('resource').filter(each => each.renderBlockingStatus === 'blocking');
  return {controls: controls.length, small: small.map(each => each.id || each.textContent.trim()).join(', '),
    jumped: jumps.reduce((sum, {value}) => sum + value, 0), blocking: blocking.map(each => each.name).join(' '),
    images: all('img:not([alt], [width][height]), svg:not([aria-hidden], [aria-label], [role])').length,
    head: [document.documentElement.lang, document.characterSet, document.compatMode, all('h1').length,
      all('meta[name=viewport][content*="width=device-width"]:not([content*=scalable], [content*=maximum])').length,
      document.title.length > 10, (all('meta[name=description]')[0]?.content.length ?? 0) > 40,
      all('link[rel=icon]').length].join()};
})()`);

export const screenTests = {
  'one click: the mask of --fg X,Y bit for bit; a second one corrects it': async bench => {
    const page = await coffee(bench);
    for (const [x, y] of [[250, 130], [290, 270]]) {
      await stroke(page, 'foreground', [[x + 0.5, y + 0.5]]);
      await page.stage('proved');
      const mask = await bench.download(page, '#save-mask', 'coffee-mask.png');
      bench.run('segment', 'coffee.png', '--fg', `${x},${y}`, '-o', 'wanted.png', '-q');
      await samePicture(`a click at ${x},${y}`, mask, bench.path('wanted.png'));
      holds(await command(page), (await command(page)).startsWith(`tilecut segment coffee.png --fg ${x},${y} `));
      await page.key('z', {ctrl: true});
      await page.stage('open');
    }
    await stroke(page, 'foreground', [[250.5, 130.5]]);
    await page.stage('proved');
    await stroke(page, 'foreground', [[420.5, 200.5]]);
    await page.stage('proved');
    const mask = await bench.download(page, '#save-mask', 'coffee-mask.png');
    await bench.download(page, '#save-previous', 'coffee-previous.png');
    bench.run('segment', 'coffee.png', '--fg', '250,130', '-o', 'first.png', '-q');
    await samePicture('the mask before', bench.path('first.png'), bench.path('coffee-previous.png'));
    await bench.repeat(page);
    await samePicture('two clicks', mask, bench.path('again-coffee-mask.png'));
    bench.quiet(page);
  },

  'one stroke of the object alone: the mask of the command, with no background painted': async bench => {
    const page = await coffee(bench);
    await stroke(page, 'foreground', [[210, 60], [375, 90], [300, 180], [345, 300], [180, 345], [120, 240]]);
    await page.stage('proved');
    const mask = await bench.download(page, '#save-mask', 'coffee-mask.png');
    await bench.download(page, '#save-strokes', 'coffee-strokes.png');
    await bench.repeat(page);
    await samePicture('mask', mask, bench.path('again-coffee-mask.png'));
    const {pixels} = await read(mask), share = pixels.reduce((sum, v) => sum + (v > 0), 0) / pixels.length;
    holds(`cup and saucer: ${share}`, share > 0.4 && share < 0.55);
    bench.quiet(page);
  },

  'all that is needed is in sight at every size, and serious faults are not found': async bench => {
    for (const dark of [false, true])
      for (const [width, height] of SIZES) {
        const page = await coffee(bench, {width, height, dark});
        equal(`${width}: hidden before`, (await hiddenOf(page, ALWAYS)).join(', '), '');
        await stroke(page, 'foreground', [[210, 60], [375, 90], [300, 180], [345, 300], [180, 345], [120, 240]]);
        await page.stage('proved');
        await page.doubted();
        equal(`${width}: hidden`, (await hiddenOf(page, [...ALWAYS, '#before', '#zoom-fit'])).join(', '), '');
        equal(`${width}: scrolls`, await page.get('document.documentElement.scrollHeight > innerHeight ||' +
          ' document.documentElement.scrollWidth > innerWidth'), false);
        await axe(page, `${width}, ${dark ? 'dark' : 'light'}`);
        if (width < 500) await page.click('#more');
        await page.get("for (const each of document.querySelectorAll('details')) each.open = true; 0");
        await axe(page, `${width}, ${dark ? 'dark' : 'light'}, settings`);
        await bench.shot(page, `screen-${width}-${dark ? 'dark' : 'light'}`);
        await bench.rest();
      }
  },

  'what audits of pages ask: nothing too small for a finger, nothing that jumps, one file before it is seen':
  async bench => {
    for (const [width, height] of SIZES) {
      const page = await bench.empty({width, height});
      const audit = async where => {
        const {controls, small, jumped, blocking, images, head} = await audited(page);
        equal(`${where}: head`, head, 'en,UTF-8,CSS1Compat,1,1,true,true,1');
        holds(`${where}: ${controls} controls`, controls > 40);
        equal(`${where}: too small for a finger`, small, '');
        equal(`${where}: pictures without words or size`, images, 0);
        holds(`${where}: ${jumped} has jumped`, jumped < 0.1);
        equal(`${where}: waited for`, blocking, `${page.origin}editor.css`);
      };
      await audit(`${width}, empty`);
      await page.choose('#open', bench.photo('coffee.png'));
      await page.opened();
      page.size = [600, 400];
      await stroke(page, 'foreground', [[290, 270]]);
      await page.stage('proved');
      await page.doubted();
      await audit(`${width}, a mask`);
      if (width < 500) await page.click('#more');
      await page.get("for (const each of document.querySelectorAll('details')) each.open = true; 0");
      await audit(`${width}, settings`);
      bench.quiet(page);
      await bench.rest();
    }
  },

  'from the first key to a cutout that is copied, without a mouse': async bench => {
    const page = await coffee(bench);
    await mayCopy(bench);
    const at = () => page.get("document.activeElement.id || document.activeElement.value || ''");
    const seen = new Set();
    for (let i = 0; i < 60 && !seen.has('copy'); i++) {
      await page.key('Tab');
      const name = await at();
      if (name) seen.add(name);
    }
    for (const name of ['open', 'foreground', 'canvas', 'before', 'zoom-in', 'edit', 'soft', 'size'])
      holds(`Tab comes to ${name}: ${[...seen]}`, seen.has(name));
    await page.get("document.querySelector('#canvas').focus()");
    await page.key('Enter');
    await page.key('Enter');
    await page.stage('proved');
    await page.key('v');
    await page.key('v');
    equal('over a colour', await page.get("document.querySelector('input[name=look]:checked').value"), 'colour');
    await page.key('c', {ctrl: true});
    await until('a copy', async () => (await status(page)).startsWith('Copied'));
    const type = await page.get('navigator.clipboard.read().then(items => items[0].types.join())');
    equal('the clipboard has', type, 'image/png');
    equal('painted', (await command(page)).split(' ').slice(3, 5).join(' '), '--fg 300,200');
    bench.quiet(page);
  },

  'over a colour, a photo, its own blur; held, the photo as it was': async bench => {
    const page = await coffee(bench);
    await stroke(page, 'foreground', [[210, 60], [375, 90], [300, 180], [345, 300], [180, 345], [120, 240]]);
    await page.stage('proved');
    await page.set('#ground-colour', '#3366cc');
    await pick(page, 'colour');
    const made = async () => (await read(await bench.download(page, '#save-cutout', 'coffee-result.png')));
    const at = ({pixels, width}, x, y) => [...pixels.subarray(3 * (y * width + x), 3 * (y * width + x) + 3)].join();
    const photo = await read(bench.path('coffee.png')), inside = [300, 150], outside = [560, 380];
    let got = await made();
    equal('colour', at(got, ...outside), '51,102,204');
    equal('the object', at(got, ...inside), at(photo, ...inside));
    await page.choose('input[value=picture] + span', bench.photo('tulips.png'));
    await until('a photo behind it', async () => at(got = await made(), ...outside) !== '51,102,204');
    holds('another photo', at(got, ...outside) !== at(photo, ...outside));
    equal('the object', at(got, ...inside), at(photo, ...inside));
    await pick(page, 'blur');
    got = await made();
    equal('the object', at(got, ...inside), at(photo, ...inside));
    const screen = () => page.settled(
      "document.querySelector('#photo').toDataURL() + document.querySelector('#canvas').toDataURL()");
    const [x, y] = await page.get(`(b => [b.x + b.width / 2, b.y + b.height / 2])(
      document.querySelector('#before').getBoundingClientRect())`);
    const result = await screen();
    await page.at('mousePressed', x, y, {button: 'left', clickCount: 1, buttons: 1});
    const before = await screen();
    holds('held', before !== result);
    await page.at('mouseReleased', x, y, {button: 'left', clickCount: 1});
    holds('let go', await screen() === result);
    bench.quiet(page);
  },

  'where the outline is unsure is shown, and a click goes there': async bench => {
    const page = await coffee(bench);
    await stroke(page, 'foreground', [[290, 270]]);
    await page.stage('proved');
    await page.doubted();
    holds('it is said', /^Unsure/.test(await page.text('#unsure')));
    holds('the share', /^\d+ % of the outline is unsure/.test(await page.text('#doubt')));
    await page.click('#unsure');
    await until('the place', async () => (await status(page)).startsWith('A click helps most here'));
    await bench.shot(page, 'unsure');
    await page.key('Enter');
    await page.key('Enter');
    await page.stage('proved');
    await page.key('z', {ctrl: true});
    bench.quiet(page);
  },

  'a sample is there to try it': async bench => {
    const page = await bench.empty();
    await onScreens(page, (width, theme) => axe(page, `${width}, ${theme}, no photo`));
    const [width, height] = SIZES[0];
    await page.send('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: false});
    await page.click('#sample');
    await page.opened();
    page.size = [320, 214];
    await stroke(page, 'foreground', [[112, 32], [200, 48], [160, 96], [184, 160], [96, 184], [64, 128]]);
    await page.stage('proved');
    await bench.download(page, '#save-cutout', 'sample-cutout.png');
    bench.quiet(page);
  },

  'without a photo: one is opened in the page, and another one after it': async bench => {
    const page = await bench.empty();
    await page.choose('#open-too', bench.photo('coffee.png'));
    await page.opened();
    page.size = [600, 400];
    await stroke(page, 'foreground', [[250.5, 130.5]]);
    await page.stage('proved');
    const mask = await bench.download(page, '#save-mask', 'coffee-mask.png');
    bench.run('segment', 'coffee.png', '--fg', '250,130', '-o', 'wanted.png', '-q');
    await samePicture('mask', mask, bench.path('wanted.png'));
    await page.get(`fetch('sample.webp').then(answer => answer.blob()).then(blob => {
      const data = new DataTransfer();
      data.items.add(new File([blob], 'dropped.webp', {type: 'image/webp'}));
      document.querySelector('#stage').dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true})); })`);
    await until('the dropped one', async () => await page.get('document.title') === 'dropped.webp - tilecut');
    await page.opened();
    page.size = [320, 214];
    await page.get(`fetch('sample.webp').then(answer => answer.blob()).then(blob => {
      const data = new DataTransfer();
      data.items.add(new File([blob], 'pasted.webp', {type: 'image/webp'}));
      dispatchEvent(new ClipboardEvent('paste', {clipboardData: data})); })`);
    await until('the pasted one', async () => await page.get('document.title') === 'pasted.webp - tilecut');
    await stroke(page, 'foreground', [[112, 32], [200, 48], [160, 96]]);
    await page.stage('proved');
    bench.quiet(page);
  },

  'what takes long is given up by Cancel': async bench => {
    const page = await coffee(bench);
    await page.get(`import('./busy.js').then(({busy}) => { globalThis.given = 0;
      busy('Something long…', new Promise(done => { globalThis.finish = done; }), () => { given++; finish(); });
      }), 0`);
    await until('a sign of life', () => page.get("!document.querySelector('#cancel').hidden"));
    equal('it is said', await status(page), 'Something long…');
    await page.click('#cancel');
    await until('its end', () => page.get("document.querySelector('#cancel').hidden"));
    equal('given up', await page.get('given'), 1);
    holds('said before', (await status(page)).startsWith('Click on the object'));
  },
};
screenTests['all that is needed is in sight at every size, and serious faults are not found'].only = 'page';
screenTests['what audits of pages ask: nothing too small for a finger, nothing that jumps, one file before it is seen']
  .only = 'page';
// only this form loads its modules as separate files
screenTests['what takes long is given up by Cancel'].only = 'program';
