// SPDX-License-Identifier: MIT
//
// mishaps.mjs - what happens to people in the middle of their work, and must not cost them any of it.
import {onScreen, stroke} from './hands.mjs';
import {equal, holds, read} from './expect.mjs';

async function coffee(bench, how) {
  const page = await bench.open(bench.photo('coffee.png'), how);
  page.size = [600, 400];
  return page;
}

const strokesNow = async (bench, page) =>
  Buffer.from((await read(await bench.download(page, '#save-strokes', 'coffee-strokes.png'))).pixels);

// Mouse down, to the second point, `meanwhile`, to the third point, up.
async function interrupted(page, points, meanwhile) {
  const [from, to, end] = await onScreen(page, points);
  await page.at('mouseMoved', ...from);
  await page.at('mousePressed', ...from, {button: 'left', clickCount: 1, buttons: 1});
  await page.at('mouseMoved', ...to, {button: 'left', buttons: 1});
  await meanwhile();
  await page.at('mouseMoved', ...end, {button: 'left', buttons: 1});
  await page.at('mouseReleased', ...end, {button: 'left', clickCount: 1});
}

export const mishapTests = {
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
