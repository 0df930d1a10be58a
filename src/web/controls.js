// SPDX-License-Identifier: MIT
//
// controls.js - wires buttons and panel, and opens files.
import {giveUp} from './busy.js';
import {fromLabelMap} from './label_map.js';
import {ground} from './looks.js';
import * as options from './options.js';
import {readPicture} from './photo.js';
import * as results from './results.js';
import {fromMask, fromTrimap} from './strokes.js';

const $ = id => document.getElementById(id);

// ---- coming in ----

function choose(take) {
  const input = $('file');
  input.value = '';
  input.onchange = () => input.files[0] && take(input.files[0]);
  input.click();
}

// take(picture) uses the picture and returns the rectangle that has changed.
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

// Opens a sample photo that belongs to the page.
async function openSample(editor) {
  const response = await fetch('sample.webp');
  editor.openFile(new File([await response.blob()], 'sample.webp', {type: 'image/webp'}));
}

// Chooses the photo behind a cutout.
function choosePicture(editor) {
  choose(async file => {
    try {
      ground.picture = await createImageBitmap(file, {imageOrientation: 'from-image'});
      editor.view.redraw();
    } catch {
      editor.say(`${file.name}: is no picture that this browser can read`, true);
    }
  });
}

const loadMask = editor => choose(file => load(editor, file,
  picture => editor.strokes.setPrior({mask: fromMask(picture), name: file.name})));
const loadStrokes = editor => choose(file => load(editor, file,
  picture => editor.strokes.setBase(fromTrimap(picture))));

// Makes each label an object, to be corrected. Earlier strokes become the first object, if there are any.
const loadLabels = editor => choose(file => load(editor, file, picture => {
  editor.palette.open(fromLabelMap(picture), file.name);
  return editor.strokes.all;
}));

// Wires the list of objects: names, colours and visibility.
function wirePalette(editor) {
  const set = (id, type, take) => $(id).addEventListener(type, event => {
    take(editor.palette.now, event.target.value);
    editor.palette.show();
  });
  set('label-name', 'change', (item, text) => { item.name = text.trim() || item.name; });
  set('label-colour', 'input', (item, text) => { item.colour = text; });
  set('label-eye', 'click', ({answer}) => { answer.hidden = !answer.hidden; });
}

function wireFiles(editor) {
  $('open').onclick = $('open-too').onclick = () => choose(file => editor.openFile(file));
  $('sample').onclick = () => openSample(editor);
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
    if (event.dataTransfer.files[0]) editor.openFile(event.dataTransfer.files[0]);
  });
  addEventListener('paste', event => {
    const [file] = event.clipboardData?.files ?? [];
    if (file) editor.openFile(file);
  });
}

// ---- the panel ----

// The slider of lambda is logarithmic: 0, then 1 to 50 in the middle and to 2500 at the end.
const toLambda = at => at === 0 ? 0 : Number(2500 ** (at / 100)).toPrecision(3) * 1;
const fromLambda = value =>
  value <= 0 ? 0 : Math.max(1, Math.min(100, Math.round(100 * Math.log(value) / Math.log(2500))));

function wireOptions(editor) {
  $('lambda-range').addEventListener('input', () => {
    $('lambda').value = toLambda(Number($('lambda-range').value));
    $('lambda').dispatchEvent(new Event('input'));
  });
  $('lambda').addEventListener('input', () => { $('lambda-range').value = fromLambda(Number($('lambda').value)); });
  for (const id of ['crop', 'margin']) $(id).addEventListener('input', () => editor.strokes && editor.refresh());
  options.listen((id, cutout) => {
    if (!editor.strokes) return;
    editor.refresh();
    if (id === 'further' && !editor.strokes.prior) return; // this option takes effect with the next stroke
    if (!cutout) return void editor.changed(null);
    $('hairy').hidden = $('hairy').hidden || options.isMatted();
    editor.view.soft = null;
    editor.view.redraw();
    editor.soften();
  });
  $('hairy').onclick = () => {
    options.choose('edge', 'hair');
    if (ground.look === 'edit') options.choose('look', 'transparent');
  };
}

// Wires the choice of the background on which the cutout is shown and saved.
function wireLooks(editor) {
  const seen = () => {
    for (const each of document.querySelectorAll('.of-look'))
      each.classList.toggle('now', each.dataset.of === ground.look);
    editor.view.redraw();
    if (editor.strokes) editor.soften();
  };
  for (const input of document.querySelectorAll('input[name=look]'))
    input.addEventListener('input', () => {
      ground.look = input.value;
      if (ground.look === 'picture' && !ground.picture) choosePicture(editor);
      seen();
    });
  for (const id of ['colour', 'blur'])
    $(`ground-${id}`).addEventListener('input', event => {
      ground[id] = id === 'blur' ? Number(event.target.value) : event.target.value;
      editor.view.redraw();
    });
  $('ground-picture').onclick = () => choosePicture(editor);
  const hold = $('before'), letGo = () => editor.before(false);
  hold.addEventListener('pointerdown', () => editor.before(true));
  for (const type of ['pointerup', 'pointerleave', 'pointercancel', 'blur']) hold.addEventListener(type, letGo);
  hold.addEventListener('keydown', event => { if ([' ', 'Enter'].includes(event.key)) editor.before(true); });
  hold.addEventListener('keyup', letGo);
  $('more').onclick = () =>
    $('more').setAttribute('aria-expanded', String(document.body.classList.toggle('settings')));
}

// Undoes the last change; during a stroke, cancels that stroke.
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

export function wireControls(editor) {
  const zoom = by => editor.view.zoom(by), out = () => editor.results ?? results, actions = {
    'undo': () => undo(editor), 'redo': () => redo(editor), 'clear': () => clear(editor),
    'zoom-in': () => zoom(1.5), 'zoom-out': () => zoom(1 / 1.5), 'zoom-fit': () => editor.view.fit(),
    'zoom-one': () => zoom((devicePixelRatio || 1) / editor.view.scale),
    'save-mask': () => out().saveMask(editor), 'save-cutout': () => out().saveCutout(editor),
    'copy-cutout': () => results.copyCutout(editor), 'save-photo': () => results.savePhoto(editor),
    'save-strokes': () => out().saveStrokes(editor), 'save-previous': () => out().savePrevious(editor),
    'copy': () => results.copyCommand(editor), 'unsure': () => editor.nextUnsure(),
    'another': () => editor.palette.add(), 'label-remove': () => editor.palette.remove(),
    'save-labels': () => out().saveLabels(editor), 'save-coco': () => out().saveLabels(editor, 'coco'),
    'save-labelme': () => out().saveLabels(editor, 'labelme'),
    'load-labels': () => loadLabels(editor),
    'load-mask': () => loadMask(editor), 'load-strokes': () => loadStrokes(editor),
  };
  for (const [id, action] of Object.entries(actions))
    $(id).addEventListener('click', () => editor.strokes && action());
  $('cancel').onclick = giveUp;
  $('show-strokes').addEventListener('change', () => {
    for (const view of editor.views) view.strokesShown = $('show-strokes').checked;
    editor.redraw();
  });
  $('size').addEventListener('input', () => { $('size-text').value = $('size').value; });
  wireFiles(editor);
  wirePalette(editor);
  wireOptions(editor);
  wireLooks(editor);
}
