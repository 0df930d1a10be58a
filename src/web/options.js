// SPDX-License-Identifier: MIT
//
// options.js - what the panel says, as words of the command line: the engines read those, and the command that is shown
// is made of them. A row is an option of `tilecut segment`: the control's id is its name.

const ROWS = [
  {id: 'lambda', initial: '50'},
  {id: 'colors', initial: null}, // null: the first that there is
  {id: 'connectivity', initial: '4'},
  {id: 'keep-largest'}, {id: 'connected'},
  {id: 'min-area', initial: '0'}, {id: 'fill-holes', initial: '0'},
  {id: 'matte', initial: '', cutout: true}, {id: 'feather', initial: '0', cutout: true, unless: 'matte'},
  {id: 'keep-colors', cutout: true, soft: true},
];

const control = id => document.getElementById(id);

function wordsOf({id, initial, soft, unless}) {
  const input = control(id);
  if (input.type === 'checkbox') return input.checked && (!soft || isSoft()) ? [`--${id}`] : [];
  const value = input.value.trim(), usual = initial ?? input.options[0]?.value;
  if (unless && control(unless).value) return [];
  return value === '' || value === usual || !input.checkValidity() ? [] : [`--${id}`, value];
}

// Whether the cutout's edge is soft.
export const isSoft = () => Boolean(control('matte').value) || Number(control('feather').value) > 0;
// Whether strokes correct the mask that there is; whether all of them teach anew, too.
export const corrects = () => control('further').value !== '';
export const learns = () => control('further').value === 'learn';

export function setFurther(corrects, learns) { control('further').value = !corrects ? '' : learns ? 'learn' : 'keep'; }

const words = () => ROWS.flatMap(wordsOf);

// To learn anew takes strokes of both kinds, or a box; until then a stroke corrects what it touches.
const learning = strokes => learns() && strokes.teach ? ['--learn'] : [];

// For an engine; without a mask to correct it takes no notice of the last words.
export const text = strokes => [...words(), ...corrects() ? ['--previous', ...learning(strokes)] : []].join('\n');

// Calls changed(row) when a control has changed.
export function listen(changed) {
  for (const row of [...ROWS, {id: 'further'}]) control(row.id).addEventListener('input', () => changed(row));
}

// ---- the command ----

const quoted = word => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

// Where the results are cropped, in words: as `tilecut segment` does it.
const crop = () => control('crop').checked ? ['--crop', String(Number(control('margin').value) || 0)] : [];

// names: {photo, strokes, mask, prior, cutout}; null: there is none.
export function commandLine(names, strokes) {
  const {box} = strokes;
  const line = ['tilecut', 'segment', names.photo];
  if (names.strokes) line.push('-s', names.strokes, '--seeds-format', 'trimap');
  if (names.prior) line.push(corrects() ? '--previous' : '--mask', names.prior);
  if (names.prior) line.push(...learning(strokes));
  if (box) line.push('--box', [box.x, box.y, box.width, box.height].join(','));
  if (box && names.strokes) line.push('--seed-conflict', 'fg');
  line.push(...words(), ...crop(), '-o', names.mask, '--cutout', names.cutout);
  return line.map(quoted).join(' ');
}
