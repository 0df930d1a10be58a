// SPDX-License-Identifier: MIT
//
// scan_layout.js - changes the page for a scan: three planes in place of the photo, and beside them the position of the
// cross and the grey window. Parts only for photos are hidden (scan.css). Changes it back for a photo.

const $ = id => document.getElementById(id);
const PLANE = `<canvas class="below" aria-hidden="true"></canvas>
<canvas class="above" tabindex="0" role="application" aria-roledescription="painting area"
aria-describedby="keys"></canvas>
<div class="caption"><button type="button" class="large" aria-pressed="false"><svg class="i" aria-hidden="true">
<use href="#i-fit"/></svg><span></span></button><input type="range" min="1" value="1"><output></output></div>
<i class="end"></i><i class="end"></i><i class="end"></i><i class="end"></i>`;
const FACTS = `<h2 class="hidden">Where and how</h2>
<dl><dt>Voxel</dt><dd id="voxel"></dd><dt>Value</dt><dd id="value"></dd></dl>
<fieldset><legend>Grey</legend>
<label class="row">Middle <input id="level" type="number" step="any"></label>
<label class="row">Width <input id="width" type="number" step="any" min="0"></label>
<button id="auto" type="button">As at first</button></fieldset>
<p class="note">Wheel: through the slices. Shift and a click: the other planes come there. Control and wheel: zoom.
Right button: background.</p>`;
const KEYS = `1 to 5: object, background, erase, cross, move; 6: grey
Wheel, Page up, Page down: through the slices
Control and wheel, plus, minus, 0: zoom
Shift, held: click or drag moves the cross
[ and ]: brush size
Control+Z, Control+Shift+Z: undo, redo
Control+S: save
E: this plane large
B, held: without the mask
N: where it is unsure
Arrows on a plane: move a cross, with Shift farther, with Alt the plane
Enter, twice: paint a dot; with arrows in between a stroke
Escape: give up`;
const WINDOW = `<label title="Drag: to the right for less contrast, up for brighter (6)"><input type="radio" name="tool"
value="window"><span><svg class="i" aria-hidden="true"><use href="#i-eye"/></svg>Grey</span></label>`;

function element(tag, className, html) {
  const out = document.createElement(tag);
  out.className = className;
  out.innerHTML = html;
  return out;
}

// Returns [node, property, value] for words that differ on a scan's page; while it is shown, the values are those of a
// photo.
function words() {
  const box = document.querySelector('input[value=box]'), pan = document.querySelector('input[value=pan]');
  return [
    [$('stage').getAttributeNode('aria-label'), 'value', 'Scan'],
    [document.querySelector('.skip'), 'textContent', 'To the scan'],
    [box.parentElement, 'title', 'Click or drag to where all three planes meet (4)'],
    [box.nextElementSibling.lastChild, 'data', 'Cross'],
    [pan.parentElement, 'title', 'Move the plane (5, or hold Space and drag)'],
    [$('keys'), 'textContent', KEYS],
    [$('save-mask'), 'textContent', 'Download the label map'],
    [$('save-strokes'), 'textContent', 'Download the strokes'],
    [$('another'), 'textContent', '+ Another label'],
    [$('save-labels'), 'textContent', 'NIfTI'],
    [$('save-labels'), 'title', 'Download the label map as .nii.gz'],
    [$('save-coco'), 'textContent', '3D Slicer'],
    [$('save-coco'), 'title', 'Download a segmentation with names and colours, .seg.nrrd'],
    [$('objects').firstElementChild, 'textContent', 'Labels'],
    [$('save-previous'), 'textContent', 'Download the mask before'],
    [$('before'), 'title', 'Hold to see the scan without the mask (B)'],
    [$('lambda').parentElement.previousSibling, 'data', 'How smooth the surface is '],
    [$('size').closest('label').nextElementSibling.lastChild, 'data', ' show strokes'],
    ...['min-area', 'fill-holes'].map(id => [$(id).nextSibling, 'data', ' voxels']),
    ...['size', 'size-text'].map(id => [$(id), 'value', 14]),
    [$('command').closest('details'), 'open', matchMedia('(min-width: 52rem)').matches]];
}

let made; // {planes, show(of scan)}, after the first scan

function make() {
  const style = document.createElement('link'), stage = $('stage'), own = [$('photo'), $('canvas')];
  const say = $('say'), corner = $('corner');
  const planes = [0, 1, 2].map(() => element('div', 'plane', PLANE)), facts = element('section', 'facts', FACTS);
  const tool = element('div', 'wide', WINDOW).firstChild, all = words();
  facts.setAttribute('aria-label', 'Where and how');
  planes[0].querySelector('.above').id = 'canvas'; // target of the skip link
  return {planes, show(scan) {
    for (const each of scan ? own : [...planes, facts, tool, style]) each.remove();
    stage.prepend(...scan ? [...planes, facts] : own);
    if (scan) {
      Object.assign(style, {rel: 'stylesheet', href: 'scan/scan.css'});
      document.head.append(style);
      $('tools').append(tool);
      facts.prepend(say);
      facts.append(corner);
    } else $('welcome').before(say, corner);
    for (const each of all) {
      const [node, key, value] = each;
      each[2] = node[key];
      node[key] = value;
    }
  }};
}

// Changes the page for scans. Returns the elements of the planes: axial, coronal, sagittal.
export function layOut() {
  made ??= make();
  made.show(true);
  return made.planes;
}

// Changes the page back for photos.
export const layBack = () => made.show(false);

// Describes a plane, in words around it and for screen readers.
export function describe(plane) {
  const {element: all, name, ends, index, scan, axis} = plane, count = scan.size[axis];
  const [large, slider, number] = ['.large span', 'input', 'output'].map(what => all.querySelector(what));
  large.textContent = name;
  slider.max = count;
  slider.value = index + 1;
  slider.setAttribute('aria-label', `${name}: slice`);
  number.textContent = `${index + 1} / ${count}`;
  plane.above.setAttribute('aria-label', `${name} plane, slice ${index + 1} of ${count}, to paint on`);
  all.querySelectorAll('.end').forEach((end, i) => { end.textContent = ends[i] ?? ''; });
}
