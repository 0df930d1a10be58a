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
  {id: 'feather', initial: '0', cutout: true}, {id: 'keep-colors', cutout: true, needs: 'feather'},
];

const control = id => document.getElementById(id);

function wordsOf({id, initial, needs}) {
  const input = control(id);
  if (input.type === 'checkbox') return input.checked && (!needs || wordsOf(ROWS.find(row => row.id === needs)).length)
    ? [`--${id}`] : [];
  const value = input.value.trim(), usual = initial ?? input.options[0]?.value;
  return value === '' || value === usual || !input.checkValidity() ? [] : [`--${id}`, value];
}

export const words = (cutout = true) => ROWS.filter(row => cutout || !row.cutout).flatMap(wordsOf);
export const text = () => words().join('\n');

// Calls changed(row) when a control has changed.
export function listen(changed) {
  for (const row of ROWS) control(row.id).addEventListener('input', () => changed(row));
}

// ---- the command ----

const quoted = word => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

// names: {photo, strokes, mask, wish, cutout}; null: there is none.
export function commandLine(names, box) {
  const line = ['tilecut', 'segment', names.photo];
  if (names.strokes) line.push('-s', names.strokes, '--seeds-format', 'trimap');
  if (names.wish) line.push('--mask', names.wish);
  if (box) line.push('--box', [box.x, box.y, box.width, box.height].join(','));
  if (box && names.strokes) line.push('--seed-conflict', 'fg');
  line.push(...words(names.cutout !== null), '-o', names.mask);
  if (names.cutout) line.push('--cutout', names.cutout);
  return line.map(quoted).join(' ');
}
