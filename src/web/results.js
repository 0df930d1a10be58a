// SPDX-License-Identifier: MIT
//
// results.js - saves and copies results: the cutout over the chosen ground; mask, strokes, photo, command.
import {busy, drawn} from './busy.js';
import {composed, isOver} from './looks.js';
import * as options from './options.js';
import {cropped, toImageData} from './photo.js';
import {toCoco, toLabelMap, toLabelMe} from './label_map.js';
import {encodePng} from './png.js';
import {toTrimap} from './strokes.js';

const $ = id => document.getElementById(id);
const LARGE = 4e6; // pixels: from here on encoding a picture takes a while

function download(bytes, name, type = 'image/png') {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Returns the rectangle that results show, as `tilecut segment --crop` chooses it: around the soft edge, plus the
// margin.
function cropOf(editor, cutout) {
  if (!$('crop').checked) return null;
  const margin = Number($('margin').value) || 0, {channels, depth, pixels} = cutout ?? {}, step = depth / 8;
  const size = channels * step, alpha = (channels - 1) * step;
  const seen = p => pixels[p * size + alpha] > 0 || (step > 1 && pixels[p * size + alpha + 1] > 0);
  return options.isSoft() ? editor.answer.bounds(margin, seen) : editor.answer.bounds(margin);
}

async function packed(editor, picture, crop) {
  if (picture.width * picture.height > LARGE) {
    editor.say('Packing the picture…');
    await drawn();
  }
  return busy('Packing the picture…', encodePng(crop ? cropped(picture, crop) : picture));
}

// Returns the PNG as shown: the cutout over its ground. Null if it was overtaken or failed.
export async function resultOf(editor) {
  if (!await editor.prove()) return null;
  const cutout = await editor.makeCutout();
  if (!cutout) return null;
  const over = isOver() ? await composed(editor.view.bitmap, toImageData(cutout), editor.picture.icc) : cutout;
  return packed(editor, over, cropOf(editor, cutout));
}

export async function saveCutout(editor) {
  const {version} = editor, bytes = await resultOf(editor);
  if (!bytes) return;
  const name = `${editor.stem}-${isOver() ? 'result' : 'cutout'}.png`;
  download(bytes, name);
  editor.keep(version);
  editor.say(`Downloaded as ${name}.`);
}

// Copies the cutout. The browser must know at once that something will be copied, so it gets a promise.
export async function copyCutout(editor) {
  const {version} = editor;
  const made = resultOf(editor).then(bytes => {
    if (!bytes) throw new Error('it has changed meanwhile');
    return new Blob([bytes], {type: 'image/png'});
  });
  try {
    await navigator.clipboard.write([new ClipboardItem({'image/png': made})]);
    editor.keep(version);
    editor.say('Copied: paste it anywhere.');
  } catch (error) {
    editor.say(`Not copied: ${error.message}. Download works always.`, true);
  }
}

export async function saveMask(editor) {
  if (!await editor.prove()) return;
  const {width, height, proved} = editor.answer, {version} = editor;
  const wide = $('crop').checked && options.isSoft(), cutout = wide ? await editor.makeCutout() : null;
  if (wide && !cutout) return;
  const picture = {width, height, channels: 1, depth: 8, pixels: proved};
  const name = `${editor.stem}-mask.png`;
  download(await packed(editor, picture, cropOf(editor, cutout)), name);
  editor.keep(version);
  editor.say(`Downloaded as ${name}.`);
}

// Saves all objects in one file: a label map, or the format `what`.
export async function saveLabels(editor, what) {
  const {palette} = editor;
  if (!await palette.prove()) return;
  const map = palette.planned?.map ?? palette.mapOf(palette.items, ({answer}) => answer.proved);
  const write = {coco: toCoco, labelme: toLabelMe}[what];
  if (write) download(await write(palette, map, editor.name), `${editor.stem}.${what}.json`, 'application/json');
  else download(await toLabelMap(palette, map), `${editor.stem}-labels.png`);
  for (const item of palette.items) item.unsaved = false;
  editor.keep();
}

// Saves the mask from which strokes continue, because the command needs it.
export async function savePrevious(editor) {
  const {width, height, prior} = editor.strokes;
  download(await packed(editor, {width, height, channels: 1, depth: 8, pixels: prior.mask}, null), prior.name);
}

export async function saveStrokes(editor) {
  const {version} = editor;
  download(await packed(editor, toTrimap(editor.strokes), null), `${editor.stem}-strokes.png`);
  editor.keep(version);
}

export async function savePhoto(editor) {
  download(await packed(editor, editor.picture, null), `${editor.stem}.png`);
  editor.name = `${editor.stem}.png`;
  editor.refresh();
}

export async function copyCommand(editor) {
  try {
    await navigator.clipboard.writeText($('command').value);
    editor.say('The command is in the clipboard.');
  } catch {
    $('command').select();
    editor.say('Press Control+C to copy the command.');
  }
}
