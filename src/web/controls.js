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

const stem = editor => editor.name.replace(/\.[^.]*$/, '');

// ---- going out ----

async function saveMask(editor) {
  if (!await editor.prove()) return;
  const {width, height, proved} = editor.answer;
  download(await encodePng({width, height, channels: 1, depth: 8, pixels: proved}), `${stem(editor)}-mask.png`);
}

async function saveCutout(editor) {
  if (!await editor.prove()) return;
  let cutout = await editor.engine.cutout(options.text());
  if (!cutout) return;
  const bounds = $('crop').checked && editor.answer.bounds(Number($('margin').value) || 0);
  if (bounds) cutout = cropped(cutout, bounds);
  download(await encodePng(cutout), `${stem(editor)}-cutout.png`);
}

async function saveStrokes(editor) {
  download(await encodePng(toTrimap(editor.strokes)), `${stem(editor)}-strokes.png`);
}

async function savePhoto(editor) {
  download(await encodePng(editor.picture), `${stem(editor)}.png`);
  editor.name = `${stem(editor)}.png`;
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
    editor.changed(take(picture));
    editor.say(`${file.name}: taken; correct it with strokes.`);
  } catch (error) {
    editor.say(`${file.name}: ${error.message}`, true);
  }
}

const loadMask = editor => choose(file => load(editor, file,
  picture => editor.strokes.setWish({mask: fromMask(picture), name: file.name})));
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
  options.listen(row => {
    if (!editor.strokes) return;
    editor.refresh();
    if (!row.cutout) return void editor.changed(null);
    editor.view.soft = null;
    editor.view.redraw();
    editor.soften();
  });
}

export function undo(editor) { if (editor.strokes?.done.length) editor.changed(editor.strokes.undo()); }
export function redo(editor) { if (editor.strokes?.undone.length) editor.changed(editor.strokes.redo()); }

export function setLook(editor, look) {
  $('look').value = editor.view.look = look;
  editor.view.redraw();
  if (editor.strokes) editor.soften();
}

export function wireControls(editor) {
  const {view} = editor, actions = {
    'undo': () => undo(editor), 'redo': () => redo(editor), 'clear': () => editor.changed(editor.strokes.clear()),
    'zoom-in': () => view.zoom(1.5), 'zoom-out': () => view.zoom(1 / 1.5), 'zoom-fit': () => view.fit(),
    'zoom-one': () => view.zoom((devicePixelRatio || 1) / view.scale),
    'save-mask': () => saveMask(editor), 'save-cutout': () => saveCutout(editor), 'save-photo': () => savePhoto(editor),
    'save-strokes': () => saveStrokes(editor), 'copy': () => copyCommand(editor),
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
