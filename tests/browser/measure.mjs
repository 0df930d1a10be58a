// SPDX-License-Identifier: MIT
//
// measure.mjs - measures how long a stroke takes to become a mask on the screen, and the resources of the page: the
// server with 12 megapixels, the page with 2 (and with the second argument). Prints medians, for the docs, not for
// tests. With `scan`, measures strokes in a scan with sides of SIDE voxels (default 256), by the program.
//
//   node tests/browser/measure.mjs [STROKES [MEGAPIXELS]]
//   node tests/browser/measure.mjs scan [SIDE]
import {Bench} from './bench.mjs';
import {Browser, processes, processorTime, until} from './browser.mjs';
import {numbers, onPlane} from './scan.mjs';

const strokes = Number(process.argv[2] ?? 50);
const median = all => all.sort((a, b) => a - b)[all.length >> 1];

// Returns the peak memory of the processes that show pages, in MiB.
function pagesMemory(browser) {
  const peaks = processes(browser.profile).filter(({command}) => command.includes('--type=renderer'))
    .map(({read}) => Number(/VmHWM:\s*(\d+)/.exec(read('status'))[1]) / 1024);
  return Math.round(Math.max(...peaks));
}

async function last(page, name, field = 'duration') {
  return page.get(`performance.getEntriesByName('${name}').at(-1)?.${field} ?? 0`);
}

// Paints a stroke of three points. Returns the time from its last change to the mask on the screen, and the shares of
// the engine and of the library in it.
async function paint(page, name, [x, y]) {
  await page.get(`document.querySelector('input[value=${name}]').click()`);
  const before = await page.get("performance.getEntriesByName('change to sketch').length");
  await page.drag([[x, y], [x + 20, y + 10]], 2);
  await until('a mask', () => page.get(`performance.getEntriesByName('change to sketch').length > ${before} &&
    document.body.dataset.stage !== 'open'`)).catch(() => {});
  return {all: await last(page, 'change to sketch'), engine: await last(page, 'sketch'),
          library: await last(page, 'sketch', 'detail')};
}

async function measure(form, megapixels) {
  const browser = new Browser(), bench = new Bench(browser, form), side = Math.round(Math.sqrt(megapixels * 1e6));
  bench.run('make', 'photo', '--image', `${bench.root}/images/dandelion.jpg`, '-s',
    `${bench.root}/images/dandelion_seeds.png`, '--size', String(side), '-o', 'photo.png');
  const page = await bench.open(bench.path('photo.png'));
  await paint(page, 'foreground', [480, 400]);
  const first = await paint(page, 'background', [120, 200]);
  await page.stage('proved');
  const whole = await last(page, 'full cut'), all = [];
  let own = 0, server = 0;
  for (let i = 0; i < strokes; i++) {
    const before = [browser.profile, bench.folder].map(processorTime);
    all.push(await paint(page, i % 2 ? 'foreground' : 'background', i % 2 ? [400 + i * 3, 380] : [100 + i * 12, 180]));
    const after = [browser.profile, bench.folder].map(processorTime);
    own += after[0] - before[0];
    server += after[1] - before[1];
    if (i % 10 === 9) await page.stage('proved');
  }
  const middle = key => Math.round(median(all.map(each => each[key])));
  console.log(`${form}, ${megapixels} Mpx: first mask ${Math.round(first.all)} ms, proved at full size after ` +
    `${Math.round(whole)} ms; ${strokes} strokes: median ${middle('all')} ms, of which ${middle('engine')} until ` +
    `the engine's answer and ${middle('library')} in the library; slowest ` +
    `${Math.round(Math.max(...all.map(each => each.all)))} ms; processor time of a stroke: browser ` +
    `${Math.round(own / strokes)} ms, program ${Math.round(server / strokes)} ms; memory of the page ` +
    `${pagesMemory(browser)} MiB`);
  await bench.end();
  await browser.end();
}

// A drawn ball: a stroke in its middle, one of background, then corrections from slice to slice. Each is timed until
// the whole scan is cut, and until the sketch is there.
async function measureScan(side) {
  const browser = new Browser(), bench = new Bench(browser, 'program'), all = [], third = side / 3;
  bench.run('make', 'ball', '--size', String(side), '-o', 'ball.nrrd');
  const page = await bench.serve(bench.path('ball.nrrd'), [], {});
  await page.opened();
  await page.set('#size', 12);
  for (let i = 0; i < 10; i++) {
    const slice = i ? Math.round(third) + 9 * i : side / 2, x = i % 2 ? third / 4 : side / 2;
    await page.set('.caption input', slice);
    await until('that slice', async () => (await numbers(page))[0].startsWith(`${slice} /`));
    await page.get(`document.querySelector('input[value=${i % 2 ? 'background' : 'foreground'}]').click()`);
    const where = await onPlane(page, 0, [[x, side / 2], [x + 8, side / 2 + 6 + i]], [side, side, side]);
    const before = [browser.profile, bench.folder].map(processorTime), start = Date.now();
    await page.drag(where);
    await page.stage('proved');
    const after = [browser.profile, bench.folder].map(processorTime);
    all.push({all: Date.now() - start, sketch: Math.round(await last(page, 'change to sketch')),
              full: Math.round(await last(page, 'full cut')), own: after[0] - before[0], server: after[1] - before[1]});
  }
  for (const each of all)
    console.log(`${each.all} ms, sketch ${each.sketch}, full cut ${each.full}; processor time: browser ` +
      `${each.own} ms, program ${each.server} ms`);
  await bench.end();
  await browser.end();
}

if (process.argv[2] === 'scan') {
  await measureScan(Number(process.argv[3] ?? 256));
  process.exit(0);
}
await measure('program', 12);
await measure('page', 2);
if (process.argv[3]) await measure('page', Number(process.argv[3]));
process.exit(0);
