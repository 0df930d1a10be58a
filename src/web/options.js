// SPDX-License-Identifier: MIT
//
// options.js - converts the settings of the panel to words of the command line. The engines read these words, and the
// page shows them as a command. A row is an option of `tilecut segment`: the control's id is its name.

const ROWS = [
  {id: 'lambda', initial: '50'},
  {id: 'colors', initial: null}, // null: the first one available
  {id: 'connectivity', initial: '4'},
  {id: 'iterations', initial: ''},
  {id: 'keep-largest'}, {id: 'connected'},
  {id: 'min-area', initial: '0'}, {id: 'fill-holes', initial: '0'},
];
const EDGE = ['edge', 'matte', 'keep-colors']; // options that affect only the cutout

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
// True if the cutout's edge is soft.
export const isSoft = () => chosen('edge') !== 'hard';

function edgeWords() {
  const keep = control('keep-colors').checked ? ['--keep-colors'] : [];
  return {hard: ['--edge', 'hard'], soft: ['--edge', 'soft', ...keep],
          hair: ['--matte', control('matte').value, ...keep]}[chosen('edge')];
}

// corrects() is true if strokes correct the current mask; learns() if colours are also learnt again from all strokes.
export const corrects = () => control('further').value !== '';
export const learns = () => control('further').value === 'learn';

export function setFurther(corrects, learns) { control('further').value = !corrects ? '' : learns ? 'learn' : 'keep'; }

// Of these options alone.
export const wordsFor = ids => ROWS.filter(({id}) => ids.includes(id)).flatMap(wordsOf);

const words = () => [...ROWS.flatMap(wordsOf), ...edgeWords()];

// Learning again takes strokes of both kinds, or a box; until then a stroke corrects only what it touches.
export const learning = strokes => learns() && strokes.teach ? ['--learn'] : [];

const correction = strokes => corrects() ? ['--previous', ...learning(strokes)] : [];

// The options for an engine. If there is no mask to correct, the engine ignores those of corrections.
export const text = strokes => [...words(), ...correction(strokes)].join('\n');
export const textFor = (ids, strokes) => [...wordsFor(ids), ...correction(strokes)].join(' ');

// Calls changed(id, cutout) when a control has changed; `cutout`: it affects only the cutout, not the mask.
export function listen(changed) {
  for (const id of [...ROWS.map(row => row.id), 'further', ...EDGE])
    for (const input of id === 'edge' ? document.querySelectorAll('input[name=edge]') : [control(id)])
      input.addEventListener('input', () => changed(id, EDGE.includes(id)));
}

// ---- the command ----

export const quoted = word => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

// The option for cropping the results, as `tilecut segment` has it.
const crop = () => control('crop').checked ? ['--crop', String(Number(control('margin').value) || 0)] : [];

// names: {photo, strokes, mask, prior, cutout}; null: there is no such file.
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
