// SPDX-License-Identifier: MIT
//
// pictures.mjs - the page reads PNG files like the program: a cutout of a file and a cutout of the page's own copy of
// that file have the same bytes. Also tests the module without a page.
import {execFileSync, spawnSync} from 'node:child_process';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {decodePng, encodePng} from '../../src/web/png.js';
import {equal, holds, read} from './expect.mjs';

// Loads the WebAssembly module without a page or a worker.
async function loadModule(bench) {
  const {instance} = await WebAssembly.instantiate(readFileSync(join(bench.root, 'build/web/tilecut.wasm')),
    {wasi_snapshot_preview1: new Proxy({}, {get: () => () => 52})});
  instance.exports._initialize();
  return instance.exports;
}

function cutoutOf(bench, path, {width, height}) {
  execFileSync(bench.TILECUT, ['segment', path, '--fg', '0,0', '--bg', `${width - 1},${height - 1}`, '--brush', '0',
    '--colors', 'none', '-q', '-o', bench.path('m.png'), '--no-metadata',
    '--cutout', bench.path('c.png')], {stdio: 'pipe'});
  return readFileSync(bench.path('c.png'));
}

export const pngTests = {
  'PNG of every kind is read sample by sample': async bench => {
    const folder = join(bench.root, 'tests/fuzz/corpus/png');
    let compared = 0;
    for (const name of readdirSync(folder)) {
      const picture = await decodePng(new Uint8Array(readFileSync(join(folder, name)))).catch(() => null);
      const words = ['check', join(folder, name), '--fg', '0,0', '--bg', '1,1', '--brush', '0', '-q'];
      const status = spawnSync(bench.TILECUT, words, {stdio: 'pipe'}).status;
      equal(`${name}: read`, picture !== null, status !== 3);
      if (!picture) continue;
      writeFileSync(bench.path('again.png'), await encodePng(picture));
      if (picture.width * picture.height < 4) continue;
      const [first, again] = [join(folder, name), bench.path('again.png')].map(path => cutoutOf(bench, path, picture));
      equal(name, first.compare(again), 0);
      compared++;
    }
    holds(`${compared} files compared`, compared >= 10);
  },

  'WebAssembly gives the flow and the masks of the command line': async bench => {
    for (const name of ['camera', 'chelsea', 'coffee', 'tulips']) {
      const [photo, seeds] = ['', '_seeds'].map(end => join(bench.root, `images/${name}${end}.png`));
      const wasm = await loadModule(bench), picture = await read(photo), {pixels} = await read(seeds);
      equal('memory', wasm.web_photo(picture.width, picture.height, picture.channels, picture.depth), 0);
      new Uint8Array(wasm.memory.buffer, wasm.web_pixels() >>> 0).set(picture.pixels);
      new Uint8Array(wasm.memory.buffer, wasm.web_labels() >>> 0).set(pixels.map(v => v < 32 ? 1 : v > 223 ? 2 : 0));
      const status = wasm.web_photo_cut(0, 0), text = Buffer.from(wasm.memory.buffer, wasm.web_text() >>> 0, 1024);
      equal(`${name}: ${text.subarray(0, text.indexOf(0))}`, status, 0);
      bench.run('segment', photo, '-s', seeds, '-o', 'm.png', '-q', '--json', 'm.json');
      const flow = JSON.parse(readFileSync(bench.path('m.json'), 'utf8')).flow;
      holds(`${name}: flow ${flow}`, text.includes(`flow\t${flow}\n`));
      const mask = await read(bench.path('m.png')), got = Buffer.from(wasm.memory.buffer, wasm.web_mask() >>> 0);
      equal(`${name}: mask`, got.compare(Buffer.from(mask.pixels), 0, mask.pixels.length, 0, mask.pixels.length), 0);
    }
  },

  'a damaged PNG is refused with a sentence': async bench => {
    const whole = new Uint8Array(readFileSync(join(bench.root, 'images/chelsea.png')));
    const damaged = [whole.subarray(0, 20), whole.subarray(0, 5000),
                     whole.map((value, i) => i === 9000 ? value ^ 255 : value),
                     whole.map((value, i) => i === 25 ? 9 : value)];
    for (const bytes of damaged) {
      const text = await decodePng(bytes).then(() => 'read', error => error.message);
      holds(text, /^is /.test(text));
    }
  },
};
