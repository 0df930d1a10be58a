// SPDX-License-Identifier: MIT
//
// options.js - what the panel says, as words of the command line: the engines read those, and the command that is shown
// is made of them. A row is an option of `tilecut segment`: the control's id is its name.

const ROWS = [
  {id: 'lambda', initial: '50'},
  {id: 'colors', initial: null}, // null: the first that there is
  {id: 'connectivity', initial: '4'},
  {id: 'iterations', initial: ''},
  {id: 'keep-largest'}, {id: 'connected'},
  {id: 'min-area', initial: '0'}, {id: 'fill-holes', initial: '0'},
];
const EDGE = ['edge', 'matte', 'keep-colors']; // what only the cutout depends on

const control = id => document.getElementById(id);
export const chosen = name => document.querySelector(`input[name=${name}]:checked`).value;

export function choose(name, value) {
  const input = document.querySelector(`input[name=${name}][value=${value}]`);
  input.checked = true;
  input.dispatchEvent(new Event('input', {bubbles: true}));
}

function wordsOf({id, initial}) {
  const input = control(id);
  if (input.type === 'checkbox') return input.checked ? [`--${id}`] : [];
  const value = input.value.trim(), usual = initial ?? input.options[0]?.value;
  return value === '' || value === usual || !input.checkValidity() ? [] : [`--${id}`, value];
}

export const isMatted = () => chosen('edge') === 'hair';
// Whether the cutout's edge is soft.
export const isSoft = () => chosen('edge') !== 'hard';

function edgeWords() {
  const keep = control('keep-colors').checked ? ['--keep-colors'] : [];
  return {hard: ['--edge', 'hard'], soft: ['--edge', 'soft', ...keep],
          hair: ['--matte', control('matte').value, ...keep]}[chosen('edge')];
}

// Whether strokes correct the mask that there is; whether all of them teach anew, too.
export const corrects = () => control('further').value !== '';
export const learns = () => control('further').value === 'learn';

export function setFurther(corrects, learns) { control('further').value = !corrects ? '' : learns ? 'learn' : 'keep'; }

// Of these options alone.
export const wordsFor = ids => ROWS.filter(({id}) => ids.includes(id)).flatMap(wordsOf);

const words = () => [...ROWS.flatMap(wordsOf), ...edgeWords()];

// To learn anew takes strokes of both kinds, or a box; until then a stroke corrects what it touches.
export const learning = strokes => learns() && strokes.teach ? ['--learn'] : [];

const correction = strokes => corrects() ? ['--previous', ...learning(strokes)] : [];

// For an engine; without a mask to correct it takes no notice of the last words.
export const text = strokes => [...words(), ...correction(strokes)].join('\n');
export const textFor = (ids, strokes) => [...wordsFor(ids), ...correction(strokes)].join(' ');

// Calls changed(id, cutout) when a control has changed; `cutout`: the mask does not depend on it.
export function listen(changed) {
  for (const id of [...ROWS.map(row => row.id), 'further', ...EDGE])
    for (const input of id === 'edge' ? document.querySelectorAll('input[name=edge]') : [control(id)])
      input.addEventListener('input', () => changed(id, EDGE.includes(id)));
}

// ---- the command ----

export const quoted = word => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

// Where the results are cropped, in words: as `tilecut segment` does it.
const crop = () => control('crop').checked ? ['--crop', String(Number(control('margin').value) || 0)] : [];

// names: {photo, strokes, mask, prior, cutout}; null: there is none.
export function commandLine(names, strokes) {
  const box = strokes.frame, {clicks} = strokes, kinds = ['', '--bg', '--fg'];
  const line = ['tilecut', 'segment', names.photo];
  if (clicks) for (const [label, x, y] of clicks) line.push(kinds[label], `${x},${y}`);
  else if (names.strokes) line.push('-s', names.strokes, '--seeds-format', 'trimap');
  if (names.prior) line.push(corrects() ? '--previous' : '--mask', names.prior);
  if (names.prior) line.push(...learning(strokes));
  if (box && !clicks) line.push('--box', [box.x, box.y, box.width, box.height].join(','));
  if (box && !clicks && names.strokes) line.push('--seed-conflict', 'fg');
  line.push(...words(), ...crop(), '-o', names.mask, '--cutout', names.cutout);
  return line.map(quoted).join(' ');
}
