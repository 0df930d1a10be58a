// SPDX-License-Identifier: MIT
//
// mishaps.mjs - mishaps in the middle of the user's work, which must not lose any of it.
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {inflateSync} from 'node:zlib';
import {encodePng} from '../../src/web/png.js';
import {until} from './browser.mjs';
import {onScreen, stroke} from './hands.mjs';
import {equal, holds, read, samePicture} from './expect.mjs';

async function coffee(bench, how) {
  const page = await bench.open(bench.photo('coffee.png'), how);
  page.size = [600, 400];
  return page;
}

const strokesNow = async (bench, page, stem = 'coffee') =>
  Buffer.from((await read(await bench.download(page, '#save-strokes', `${stem}-strokes.png`))).pixels);

// Presses the mouse, moves to the second point, calls `meanwhile`, moves to the third point and releases.
async function interrupted(page, points, meanwhile) {
  const [from, to, end] = await onScreen(page, points);
  await page.at('mouseMoved', ...from);
  await page.at('mousePressed', ...from, {button: 'left', clickCount: 1, buttons: 1});
  await page.at('mouseMoved', ...to, {button: 'left', buttons: 1});
  await meanwhile();
  await page.at('mouseMoved', ...end, {button: 'left', buttons: 1});
  await page.at('mouseReleased', ...end, {button: 'left', clickCount: 1});
}

// Tries to leave the page, and answers no to every question. Returns the questions; if there were none, another page is
// open.
async function leaving(page) {
  page.dialogs = [];
  page.yes = false;
  await page.get('globalThis.old = true');
  await page.send('Page.reload').catch(() => {});
  await until('a question, or a new page', async () => page.dialogs.length ||
    await page.get('globalThis.old !== true').catch(() => false));
  return page.dialogs.join();
}

// Returns the colour profile of a PNG file, or null.
function profileOf(path) {
  const bytes = readFileSync(path), at = bytes.indexOf('iCCP');
  if (at < 0) return null;
  const body = bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4));
  return inflateSync(body.subarray(body.indexOf(0) + 2));
}

export const mishapTests = {
  'colours keep their profile: JPEG and WebP in, PNG out': async bench => {
    const maker = await bench.browser.page(), files = [];
    await maker.get("document.body.style.background = 'linear-gradient(90deg, #48c, #c84)'");
    for (const format of ['jpeg', 'webp']) // The screenshots are taken while this page is in the foreground.
      files.push([format, (await maker.send('Page.captureScreenshot', {format, quality: 90})).data]);
    for (const [format, data] of files) {
      const bytes = Buffer.from(data, 'base64'), at = bytes.indexOf('acsp') - 36, name = `made.${format}`;
      // Exchanges red and green in the profile, so that a wrong conversion by it would be visible.
      bytes.write('gXYZ', bytes.indexOf('rXYZ'));
      bytes.write('rXYZ', bytes.lastIndexOf('gXYZ'));
      const profile = bytes.subarray(at, at + bytes.readUInt32BE(at));
      writeFileSync(bench.path(name), bytes);
      const page = await bench.open(bench.path(name));
      page.size = [1280, 800];
      await stroke(page, 'foreground', [[500, 300], [700, 400]]);
      await stroke(page, 'background', [[100, 100], [1200, 100]]);
      await page.stage('proved');
      const made = profileOf(await bench.download(page, '#save-cutout', 'made-cutout.png'));
      holds(`${name}: the profile`, made && profile.equals(made));
      await strokesNow(bench, page, 'made');
      await bench.repeat(page);
      holds(`${name}: that of the command`, profile.equals(profileOf(bench.path('again-made-cutout.png'))));
      if (format === 'jpeg')
        await samePicture(name, bench.path('made-cutout.png'), bench.path('again-made-cutout.png'));
    }
  },

  'what is not saved is not left without a question': async bench => {
    const page = await coffee(bench);
    await page.get('globalThis.stayed = true');
    await stroke(page, 'foreground', [[300, 120], [370, 180]]);
    equal('a stroke', await leaving(page), 'beforeunload');
    await stroke(page, 'background', [[30, 30], [560, 20]]);
    await bench.download(page, '#save-mask', 'coffee-mask.png');
    await stroke(page, 'background', [[30, 30], [30, 220]]);
    equal('a stroke after the mask was saved', await leaving(page), 'beforeunload');
    equal('it is still there', await page.get('stayed'), true);
    await strokesNow(bench, page);
    equal('strokes are saved', await leaving(page), '');
    equal('left', await page.get('globalThis.stayed ?? false'), false);
  },

  'what cannot be cut is refused before anybody paints': async bench => {
    const page = await coffee(bench), picture = {width: 8192, height: 8192, channels: 1, depth: 8};
    const refused = async (name, bytes, why) => {
      writeFileSync(bench.path(name), bytes);
      await page.choose('#open', bench.path(name));
      await until(why, async () => await page.text('#status') === `${name}: ${why}`);
      equal('the photo that is open', await page.get('document.title'), 'coffee.png - tilecut');
      equal('its stage', await page.get('document.body.dataset.stage'), 'open');
    };
    await refused('large.png', await encodePng({...picture, pixels: new Uint8Array(2 ** 26)}),
      'has 67 megapixels; this page cuts fewer than 67, tilecut edit more');
    await refused('empty.jpg', '', 'is empty');
    await refused('text.jpg', 'a text', 'is no picture that this browser can read; a PNG or JPEG would do');
    bench.quiet(page);
  },

  'another photo takes the place of strokes only if somebody says so': async bench => {
    const page = await coffee(bench), name = () => page.get('document.title'), undo = '#undo';
    await stroke(page, 'foreground', [[300, 120], [370, 180]]);
    page.yes = false;
    await page.choose('#open', bench.photo('tulips.png'));
    await until('a question', () => page.dialogs.length);
    equal('it is asked', page.dialogs[0],
          'Open tulips.png? What was painted on coffee.png has not been saved and would be lost.');
    await until('no', async () => await page.text('#status') === 'coffee.png stays open.');
    equal('the stroke', await page.get(`document.querySelector('${undo}').disabled`), false);
    page.yes = true;
    await page.choose('#open', bench.path('tulips.png'));
    await until('yes', async () => await name() === 'tulips.png - tilecut');
    await page.choose('#open', bench.path('coffee.png'));
    await until('nothing to lose', async () => await name() === 'coffee.png - tilecut');
    equal('questions', page.dialogs.length, 2);
    bench.quiet(page);
  },

  'a program that does not answer is told, and misses nothing once it does': async bench => {
    const page = await coffee(bench);
    const lost = async () => (await page.text('#status')).startsWith('The program does not');
    const online = yes => page.send('Network.emulateNetworkConditions',
      {offline: !yes, latency: 0, downloadThroughput: -1, uploadThroughput: -1});
    await stroke(page, 'foreground', [[300, 120], [370, 180]]);
    await stroke(page, 'background', [[30, 30], [560, 20]]);
    await page.stage('proved');
    await online(false);
    await stroke(page, 'foreground', [[100, 200], [110, 260]]);
    await until('it to be told', lost);
    await stroke(page, 'background', [[300, 200], [340, 210]]);
    await online(true);
    await stroke(page, 'background', [[30, 300], [40, 310]]);
    await until('an answer', () => page.get("document.body.dataset.stage !== 'failed'"));
    await page.stage('proved');
    await bench.download(page, '#save-mask', 'coffee-mask.png');
    await strokesNow(bench, page);
    await bench.repeat(page);
    await samePicture('mask', bench.path('coffee-mask.png'), bench.path('again-coffee-mask.png'));
    await online(false);
    await stroke(page, 'foreground', [[200, 250], [220, 300]]);
    await until('it to be told again', lost);
    const strokes = await strokesNow(bench, page);
    equal('strokes are saved', strokes[600 * 270 + 208], 255);
  },

  'the program is not ended without a question': async bench => {
    const page = await coffee(bench, {words: ['-o', 'mask.png']});
    await stroke(page, 'foreground', [[300, 120], [370, 180]]);
    page.yes = false;
    await page.click('#leave');
    await until('a question', () => page.dialogs.length);
    equal('it is asked', page.dialogs[0],
          'Finish without saving? What was painted on coffee.png has not been saved and would be lost.');
    await stroke(page, 'background', [[30, 30], [560, 20]]);
    await page.click('#save');
    await until('it to be saved', async () => (await page.text('#status')).startsWith('Saved mask.png'));
    await page.click('#leave');
    await page.stage('finished');
    equal('questions', page.dialogs.length, 1);
    equal('exit status', await bench.exit, 0);
  },

  'undone in the middle of a stroke: that stroke goes, and no other': async bench => {
    const page = await coffee(bench);
    await stroke(page, 'foreground', [[300, 120], [370, 180]]);
    await stroke(page, 'background', [[30, 30], [560, 20]]);
    const before = await strokesNow(bench, page);
    await interrupted(page, [[100, 300], [120, 300], [500, 350]], () => page.key('z', {ctrl: true}));
    holds('by the mouse', before.equals(await strokesNow(bench, page)));
    await page.get("document.querySelector('#canvas').focus()");
    await page.key('Enter');
    await page.key('ArrowRight', {shift: true});
    await page.key('z', {ctrl: true});
    await page.key('ArrowDown', {shift: true});
    holds('by keys', before.equals(await strokesNow(bench, page)));
    bench.quiet(page);
  },

  'Space moves the photo and keys are for it, whatever was clicked before': async bench => {
    const page = await coffee(bench);
    const space = type => page.send('Input.dispatchKeyEvent',
      {type, key: ' ', code: 'Space', windowsVirtualKeyCode: 32, text: type === 'keyDown' ? ' ' : undefined});
    const undoable = () => page.get("!document.querySelector('#undo').disabled");
    for (const control of ['input[value=background] + span', '#zoom-fit', '#size', 'input[value=edit] + span']) {
      await page.click(control);
      const points = await onScreen(page, [[300, 120], [320, 130]]);
      await page.at('mouseMoved', ...points[0]);
      await space('keyDown');
      await page.drag(points);
      await space('keyUp');
      equal(`painted after ${control}`, await undoable(), false);
    }
    await page.key('4');
    equal('a key after the looks', await page.get("document.querySelector('input[name=tool]:checked').value"), 'box');
    bench.quiet(page);
  },

  'Control+S saves': async bench => {
    const page = await coffee(bench, {words: ['-o', 'mask.png']});
    await stroke(page, 'foreground', [[300, 120], [370, 180]]);
    await stroke(page, 'background', [[30, 30], [560, 20]]);
    await page.stage('proved');
    await page.key('s', {ctrl: true});
    const name = bench.form === 'page' ? 'coffee-cutout.png' : 'mask.png';
    await until(name, () => existsSync(bench.path(name)));
    // the page stops asking once it has learnt that everything is saved
    await until('leave without a question', async () => await leaving(page) === '');
  },

  'the other end of a pen erases': async bench => {
    const page = await coffee(bench), [[x, y], [x2, y2]] = await onScreen(page, [[290, 140], [310, 140]]);
    await stroke(page, 'foreground', [[200, 140], [400, 140]]);
    await page.get(`(() => { const canvas = document.querySelector('#canvas');
      canvas.setPointerCapture = () => {}; // no hand holds this pen
      const pen = (type, x, y) => canvas.dispatchEvent(new PointerEvent(type, {pointerId: 77, pointerType: 'pen',
        button: type === 'pointermove' ? -1 : 5, buttons: 32, clientX: x, clientY: y, bubbles: true}));
      pen('pointerdown', ${x}, ${y}); pen('pointermove', ${x2}, ${y2}); pen('pointerup', ${x2}, ${y2}); })()`);
    const strokes = await strokesNow(bench, page);
    equal('erased', strokes[600 * 140 + 300], 128);
    equal('and no more', strokes[600 * 140 + 220], 255);
    equal('the tool stays', await page.get("document.querySelector('input[name=tool]:checked').value"), 'foreground');
    bench.quiet(page);
  },

  'zooming by two fingers leaves what was undone': async bench => {
    const page = await coffee(bench), [[x, y]] = await onScreen(page, [[300, 200]]);
    await stroke(page, 'foreground', [[300, 120], [370, 180]]);
    const before = await strokesNow(bench, page);
    await page.key('z', {ctrl: true});
    const touch = (type, ...points) => page.send('Input.dispatchTouchEvent',
      {type, touchPoints: points.map(([dx, dy], id) => ({x: x + dx, y: y + dy, id}))});
    await touch('touchStart', [-50, 0]);
    await touch('touchMove', [-45, 0]);
    await touch('touchStart', [-45, 0], [50, 0]);
    await touch('touchMove', [-120, 0], [120, 0]);
    await touch('touchEnd');
    equal('nothing is painted', await page.get("document.querySelector('#undo').disabled"), true);
    await page.key('z', {ctrl: true, shift: true});
    holds('done again', before.equals(await strokesNow(bench, page)));
    bench.quiet(page);
  },
};

mishapTests['what cannot be cut is refused before anybody paints'].only = 'page';
mishapTests['another photo takes the place of strokes only if somebody says so'].only = 'page';
mishapTests['the program is not ended without a question'].only = 'program';
mishapTests['a program that does not answer is told, and misses nothing once it does'].only = 'program';
