// SPDX-License-Identifier: MIT
//
// run.mjs - tests the npm package in node, used as by someone who has installed it: each result is compared with the
// program's, sample by sample. PACKAGE names the .tgz, TILECUT the program. `make check-npm` runs it.
import {execFileSync} from 'node:child_process';
import {copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {brotliCompressSync, constants} from 'node:zlib';

const root = fileURLToPath(new URL('../..', import.meta.url)), {TILECUT, PACKAGE} = process.env;
const folder = mkdtempSync(join(tmpdir(), 'tilecut-npm-')), modules = join(folder, 'node_modules');
process.on('exit', () => rmSync(folder, {recursive: true, force: true}));
mkdirSync(modules);
execFileSync('tar', ['-xzf', PACKAGE, '-C', modules]);
renameSync(join(modules, 'package'), join(modules, 'tilecut'));
writeFileSync(join(folder, 'entry.mjs'), "export * from 'tilecut'; export {TilecutEditor} from 'tilecut/editor';");
const tilecut = await import(pathToFileURL(join(folder, 'entry.mjs')));
const {Session, cutout, labels, readPng, refine, segment, writePng} = tilecut;

let wrong = 0, held = 0;
function expect(what, truth) {
  if (truth) return void held++;
  wrong++;
  console.log(`FAIL  ${what}`);
}

const bytes = file => new Uint8Array(readFileSync(file));
const photo = name => join(root, 'images', `${name}.png`), inFolder = name => join(folder, name);
const read = async file => (await readPng(bytes(file))).pixels;
const program = (...words) => execFileSync(TILECUT, [...words, '-q'], {cwd: folder, stdio: 'pipe'});
const same = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)) === 0;
const save = async (name, {width, height}, pixels) =>
  writeFileSync(inFolder(name), await writePng({width, height, channels: 1, depth: 8, pixels}));

async function refused(what, part, call) {
  try {
    await call();
    expect(`${what} is refused`, false);
  } catch (error) {
    expect(`${what}: "${error.message}" has "${part}"`, error.message.includes(part));
  }
}

// ---- what is in it ----

const wasm = bytes(join(modules, 'tilecut/editor/tilecut.wasm'));
const packed = brotliCompressSync(wasm, {params: {[constants.BROTLI_PARAM_QUALITY]: 11}}).length;
expect(`the engine takes ${packed} bytes with brotli; at most 170000`, packed <= 170000);
const {version} = JSON.parse(readFileSync(join(modules, 'tilecut/package.json')));
expect(`${version} is the program's`, execFileSync(TILECUT, ['--version'], {encoding: 'utf8'}).includes(version));
expect('the element can be imported where there is no browser', tilecut.TilecutEditor);

// ---- the README's first lines, as written ----

const [, lines] = readFileSync(join(modules, 'tilecut/README.md'), 'utf8').match(/```js\n(.*?)```/s);
writeFileSync(inFolder('readme.mjs'), lines);
copyFileSync(photo('coffee'), inFolder('coffee.png'));
const said = execFileSync(process.execPath, ['readme.mjs'], {cwd: folder, encoding: 'utf8'});
expect(`the README says "${said.trim()}"`, / pixels; proved$/.test(said.trim()));
program('segment', 'coffee.png', '--box', '70,12,420,385', '--bg', '130,385 250,393 400,385', '--bg', '485,320 475,370',
  '-o', 'mask.png', '--cutout', 'cutout.png');
expect('the README: the cutout', same(await read(inFolder('cup.png')), await read(inFolder('cutout.png'))));

// ---- drawn strokes, on every photo that can be read here ----

const all = {};
for (const name of ['camera', 'chelsea', 'coffee', 'tulips']) {
  const picture = all[name] = await readPng(bytes(photo(name))), grey = await read(photo(`${name}_seeds`));
  const answer = await segment(picture, {seeds: grey.map(value => value < 32 ? 1 : value > 223 ? 2 : 0)});
  program('segment', photo(name), '-s', photo(`${name}_seeds`), '-o', `${name}.png`);
  expect(`${name}: the program's mask`, same(answer.mask, await read(inFolder(`${name}.png`))));
  expect(`${name}: proved`, answer.certified && answer.flow === answer.cut && answer.flow > 0);
  expect(`${name}: counted`, answer.foreground === answer.mask.reduce((sum, value) => sum + (value > 0), 0));
}

// ---- a click, corrections, another tool's mask, edges ----

const {coffee} = all;
const click = await segment(coffee, {fg: [[230, 280]], brush: 8, effort: 1});
program('segment', photo('coffee'), '--fg', '230,280', '--brush', '8', '--effort', '1', '-o', 'click.png');
expect('a click', same(click.mask, await read(inFolder('click.png'))));

const {width, height} = coffee, rgba = new Uint8ClampedArray(width * height * 4);
for (let p = 0; p < width * height; p++) rgba.set([...coffee.pixels.subarray(3 * p, 3 * p + 3), 255], 4 * p);
const imageData = await segment({width, height, data: rgba}, {fg: '230,280', brush: 8, effort: 1});
expect('the same from an ImageData', same(imageData.mask, click.mask));

const more = await segment(coffee, {previous: click, fg: '180,85 188,150', bg: ['30,30 570,30']});
program('segment', photo('coffee'), '--previous', 'click.png', '--fg', '180,85 188,150', '--bg', '30,30 570,30',
  '-o', 'more.png');
expect('a correction', same(more.mask, await read(inFolder('more.png'))));
expect('which changes something', !same(more.mask, click.mask));

const refined = await refine(coffee, more);
program('refine', photo('coffee'), 'more.png', '-o', 'refined.png');
expect('refine', same(refined.mask, await read(inFolder('refined.png'))));

for (const [how, words] of [[{}, []], [{edge: 'hard'}, ['--edge', 'hard']], [{feather: 2}, ['--feather', '2']],
  [{matte: 'auto'}, ['--matte', 'auto']]]) {
  const {channels, pixels} = await cutout(coffee, refined, how);
  program('refine', photo('coffee'), 'more.png', ...words, '-o', 'mask.png', '--cutout', 'cutout.png');
  expect(['cutout', ...words].join(' '), channels === 4 && same(pixels, await read(inFolder('cutout.png'))));
}

// ---- several labels ----

const {tulips} = all, map = new Uint8Array(tulips.width * tulips.height);
for (const [label, x0, y0] of [[1, 60, 60], [2, 340, 230], [3, 180, 330]])
  for (let y = y0; y < y0 + 25; y++) map.fill(label, y * tulips.width + x0, y * tulips.width + x0 + 25);
await save('map.png', tulips, map);
const divided = await labels(tulips, map, {boundRounds: 0, effort: 1});
program('labels', photo('tulips'), '-s', 'map.png', '--bound-rounds', '0', '--effort', '1', '-o', 'labels.pgm');
expect('labels', same(divided.labels, bytes(inFolder('labels.pgm')).subarray(-map.length)));
expect('three of them, proved', divided.used === 3 && divided.certified && divided.bound <= divided.energy);

// ---- a session ----

const session = await Session.open(coffee, {effort: 1});
expect('nothing is said yet', await session.stroke('bg', '20,20 580,20') === null);
const one = await session.stroke('fg', [[180, 85], [188, 150]]);
const two = await session.stroke('fg', '300,330', {brush: 5});
expect('a stroke of the object only adds', two.mask.every((value, p) => value || !one.mask[p]));
expect('and adds something', two.foreground > one.foreground);
const [back, again] = await Promise.all([session.undo(), session.redo()]);
expect('undo', same(back.mask, one.mask));
expect('redo', same(again.mask, two.mask));
const soft = await session.cutout();
expect('its cutout', same(soft.pixels, (await cutout(coffee, two)).pixels));
expect('clear', await session.clear() === null);
session.close();
await refused('a step after the end', 'closed', () => session.undo());

// ---- what is wrong is said ----

await refused('no hint', 'seed', () => segment(coffee));
await refused('a photo of other bytes', '720000 bytes; there are 5',
  () => segment({width, height, pixels: new Uint8Array(5)}, {fg: '1,1'}));
await refused('an unknown option', 'lamda: is no option here', () => segment(coffee, {fg: '1,1', lamda: 3}));
await refused('an option that makes no sense', 'lambda', () => segment(coffee, {fg: '1,1', lambda: -1}));
await refused('words in an option', 'blank', () => segment(coffee, {fg: '1,1', colors: 'gmm --islands'}));
await refused('a box beside the photo', 'not within the photo', () => segment(coffee, {box: [590, 0, 20, 20]}));
await refused('a stroke that is none', 'no stroke', () => segment(coffee, {fg: '12'}));
await refused('a mask of another size', 'needs a byte', () => refine(coffee, new Uint8Array(3)));
await refused('one label', 'label', () => labels(tulips, new Uint8Array(map.length).fill(1)));

console.log(`npm: ${held} held, ${wrong} wrong`);
process.exitCode = wrong || !held ? 1 : 0;
