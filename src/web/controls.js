// SPDX-License-Identifier: MIT
//
// controls.js - buttons, panel, files that come in, pictures that go out.
import * as options from './options.js';
import {cropped, readPicture} from './photo.js';
import {encodePng} from './png.js';
import {fromMask, fromTrimap, toTrimap} from './strokes.js';

const $ = id => document.getElementById(id);

function download(bytes, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], {type: 'image/png'}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// ---- going out ----

// What the results show, as `tilecut segment --crop` decides it: the margin is added around a soft edge, too.
function cropOf(editor, cutout) {
  if (!$('crop').checked) return null;
  const margin = Number($('margin').value) || 0, {channels, depth, pixels} = cutout ?? {}, step = depth / 8;
  const size = channels * step, alpha = (channels - 1) * step;
  const seen = p => pixels[p * size + alpha] > 0 || (step > 1 && pixels[p * size + alpha + 1] > 0);
  if ($('matte').value) return editor.answer.bounds(margin, seen);
  return editor.answer.bounds(margin + Number($('feather').value));
}

const save = async (picture, crop, name) => download(await encodePng(crop ? cropped(picture, crop) : picture), name);

async function saveMask(editor) {
  if (!await editor.prove()) return;
  const {width, height, proved} = editor.answer, {version} = editor;
  const wide = $('crop').checked && $('matte').value, cutout = wide ? await editor.makeCutout() : null;
  if (wide && !cutout) return;
  await save({width, height, channels: 1, depth: 8, pixels: proved}, cropOf(editor, cutout), `${editor.stem}-mask.png`);
  editor.keep(version);
}

async function saveCutout(editor) {
  if (!await editor.prove()) return;
  const {version} = editor;
  if ($('matte').value) editor.say('Matting…');
  const cutout = await editor.makeCutout();
  if (cutout && $('matte').value) editor.say('Matted.');
  if (!cutout) return;
  await save(cutout, cropOf(editor, cutout), `${editor.stem}-cutout.png`);
  editor.keep(version);
}

// The mask that strokes go on from: the command needs it.
async function savePrevious(editor) {
  const {width, height, prior} = editor.strokes;
  await save({width, height, channels: 1, depth: 8, pixels: prior.mask}, null, prior.name);
}

async function saveStrokes(editor) {
  const {version} = editor;
  download(await encodePng(toTrimap(editor.strokes)), `${editor.stem}-strokes.png`);
  editor.keep(version);
}

async function savePhoto(editor) {
  download(await encodePng(editor.picture), `${editor.stem}.png`);
  editor.name = `${editor.stem}.png`;
  editor.refresh();
}

async function copyCommand(editor) {
  try {
    await navigator.clipboard.writeText($('command').value);
    editor.say('The command is in the clipboard.');
  } catch {
    $('command').select();
    editor.say('Press Control+C to copy the command.');
  }
}

// ---- coming in ----

function choose(take) {
  const input = $('file');
  input.value = '';
  input.onchange = () => input.files[0] && take(input.files[0]);
  input.click();
}

// take(picture): the rectangle in which something has changed.
async function load(editor, file, take) {
  try {
    const picture = await readPicture(file), {width, height} = editor.strokes;
    if (picture.width !== width || picture.height !== height)
      throw new Error(`is ${picture.width}x${picture.height} but the photo is ${width}x${height}`);
    editor.hand.leave('end');
    editor.changed(take(picture));
    editor.say(`${file.name}: taken; correct it with strokes.`);
  } catch (error) {
    editor.say(`${file.name}: ${error.message}`, true);
  }
}

const loadMask = editor => choose(file => load(editor, file,
  picture => editor.strokes.setPrior({mask: fromMask(picture), name: file.name})));
const loadStrokes = editor => choose(file => load(editor, file,
  picture => editor.strokes.setBase(fromTrimap(picture))));

function wireFiles(editor) {
  const open = () => choose(file => editor.openFile(file));
  $('open').onclick = $('open-too').onclick = open;
  const here = event => [...event.dataTransfer?.types ?? []].includes('Files');
  addEventListener('dragover', event => {
    if (!here(event)) return;
    event.preventDefault();
    document.body.classList.add('dropping');
  });
  addEventListener('dragleave', event => event.relatedTarget || document.body.classList.remove('dropping'));
  addEventListener('drop', event => {
    if (!here(event)) return;
    event.preventDefault();
    document.body.classList.remove('dropping');
    if (!editor.fixed && event.dataTransfer.files[0]) editor.openFile(event.dataTransfer.files[0]);
  });
  addEventListener('paste', event => {
    const file = [...event.clipboardData?.files ?? []].find(each => each.type.startsWith('image/'));
    if (file && !editor.fixed) editor.openFile(file);
  });
}

// ---- the panel ----

// The slider of lambda is logarithmic: 0, 1 .. 50 in the middle .. 2500.
const toLambda = at => at === 0 ? 0 : Number(2500 ** (at / 100)).toPrecision(3) * 1;
const fromLambda = value =>
  value <= 0 ? 0 : Math.max(1, Math.min(100, Math.round(100 * Math.log(value) / Math.log(2500))));

function wireOptions(editor) {
  $('lambda-range').addEventListener('input', () => {
    $('lambda').value = toLambda(Number($('lambda-range').value));
    $('lambda').dispatchEvent(new Event('input'));
  });
  $('lambda').addEventListener('input', () => { $('lambda-range').value = fromLambda(Number($('lambda').value)); });
  $('feather').addEventListener('input', () => { $('feather-text').value = $('feather').value; });
  for (const id of ['crop', 'margin']) $(id).addEventListener('input', () => editor.strokes && editor.refresh());
  options.listen(row => {
    if (!editor.strokes) return;
    editor.refresh();
    $('feather').disabled = Boolean($('matte').value);
    if (row.id === 'further' && !editor.strokes.prior) return; // it is for the next stroke
    if (!row.cutout) return void editor.changed(null);
    editor.view.soft = null;
    editor.view.redraw();
    editor.soften();
  });
}

// In the middle of a stroke it is that stroke which is taken back.
export function undo(editor) {
  if (!editor.hand.leave('cancel') && editor.strokes?.done.length) editor.changed(editor.strokes.undo());
}

export function redo(editor) {
  if (!editor.hand.action && editor.strokes?.undone.length) editor.changed(editor.strokes.redo());
}

function clear(editor) {
  editor.hand.leave('end');
  editor.changed(editor.strokes.clear());
}

export function setLook(editor, look) {
  $('look').value = editor.view.look = look;
  editor.view.redraw();
  if (editor.strokes) editor.soften();
}

export function wireControls(editor) {
  const {view} = editor, actions = {
    'undo': () => undo(editor), 'redo': () => redo(editor), 'clear': () => clear(editor),
    'zoom-in': () => view.zoom(1.5), 'zoom-out': () => view.zoom(1 / 1.5), 'zoom-fit': () => view.fit(),
    'zoom-one': () => view.zoom((devicePixelRatio || 1) / view.scale),
    'save-mask': () => saveMask(editor), 'save-cutout': () => saveCutout(editor), 'save-photo': () => savePhoto(editor),
    'save-strokes': () => saveStrokes(editor), 'save-previous': () => savePrevious(editor),
    'copy': () => copyCommand(editor),
    'load-mask': () => loadMask(editor), 'load-strokes': () => loadStrokes(editor),
  };
  for (const [id, action] of Object.entries(actions))
    $(id).addEventListener('click', () => (editor.strokes || id === 'open') && action());
  $('look').addEventListener('change', () => setLook(editor, $('look').value));
  $('show-strokes').addEventListener('change', () => {
    view.strokesShown = $('show-strokes').checked;
    view.redraw();
  });
  $('size').addEventListener('input', () => { $('size-text').value = $('size').value; });
  wireFiles(editor);
  wireOptions(editor);
}
