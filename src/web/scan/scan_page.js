// SPDX-License-Identifier: MIT
//
// scan_page.js - edits a scan in the page without the program: reads the file, and cuts by the page's own module. Of
// the two workers of PageEngine one has planes, strokes and the sketch, and the other cuts the scan; both run the
// program's code (exports_scan.c).
import {fieldsOf, Instance, PageEngine} from '../engine_page.js';
import {wireView} from '../pointer.js';
import {readNifti, writeNifti} from './nifti.js';
import {become} from './scan_editor.js';
import {writeSegments} from './segments.js';

const MOST = 128 ** 3; // voxels
const numbers = text => text.split(' ').map(Number);

class ScanPageEngine extends PageEngine {
  async open(scan) {
    const {size, spacing, known} = scan, [width, height, depth] = size;
    this.end();
    this.small = new Instance(this.module);
    this.scan = scan;
    const {sides, meaning, range, missing} = fieldsOf((await this.begin(this.small)).text);
    this.turn = 0;
    this.picture = {width, height, depth, spacing, millimetres: known, sides: sides ?? '', meaning: numbers(meaning),
                    range: numbers(range), missing: Number(missing), ending: '.nii.gz', given: ''};
  }

  begin(instance) { return instance.call('scan', this.scan); }

  async unsure(options, mask, code) {
    const now = await this.small.call('scanSketched', {code});
    return now && this.apart('scanUnsure', {options, one: now.one}, [now.one.buffer]);
  }

  async keep() { return (await this.small.call('scanKeep')).number; }

  async prior(prior) { await this.small.call('scanPrior', {number: prior ? await prior.number : 0}); }

  // Sets names and colours of labels, see desk_legend.h.
  async legend(text) {
    if (text === this.named) return;
    await this.small.call('scanName', {names: text});
    this.named = text;
  }

  slice(axis, index, grey) { return this.small.call('scanPlane', {axis, index, grey}); }

  async sketch(box, labels, options, framed) {
    const start = performance.now();
    this.third?.end();
    this.turn++;
    const answer = await this.small.call('scanSketch', {box, labels, options, framed});
    return answer && {fields: fieldsOf(answer.text), ms: performance.now() - start};
  }

  ready() {
    if (!this.large) {
      this.large = new Instance(this.module);
      this.large.opened = this.begin(this.large);
    }
    return this.large;
  }

  // Cuts. If strokes were painted meanwhile, the mask lacks them and is not shown in the planes.
  async work(labels, options) {
    this.begun = performance.now();
    const {turn} = this, large = this.ready();
    await large.opened;
    const {labels: all, prior} = await this.small.call('scanLabels');
    const answer = await large.call('scanCut', {labels: all, prior, options, names: this.named});
    if (!answer || turn !== this.turn) return null;
    await this.small.call('scanProved', {mask: answer.mask});
    return {fields: fieldsOf(answer.text), ms: performance.now() - this.begun};
  }

  // what: 0 the mask, 1 the strokes, 2 the mask that they correct. as: 2 a segmentation of 3D Slicer; otherwise NIfTI.
  async file(what, as) {
    const {labels} = await this.small.call('scanFile', {what, joint: Boolean(this.named)});
    if (!this.named) return writeNifti(this.scan.keep, labels);
    const legend = this.named.trimEnd().split('\n').map(line => line.split('\t'));
    const number = Object.fromEntries(legend), numbers = labels.map(code => number[code] ?? 0);
    return as === 2 ? writeSegments(this.scan, numbers, legend) : writeNifti(this.scan.keep, numbers);
  }
}

// Opens the file in place of the current photo or scan; `allowed()` asks if that may be replaced.
export async function openScan(editor, file, allowed) {
  if (!/\.nii(\.gz)?$/i.test(file.name))
    throw new Error(`is no NIfTI, which this page reads; the program reads it: tilecut edit ${file.name}`);
  const scan = await readNifti(file, size => {
    if (size[0] * size[1] * size[2] > MOST)
      throw new Error(`is ${size.join(' x ')}; this page cuts scans of up to 128 x 128 x 128 voxels, ` +
        `the program larger ones: tilecut edit ${file.name}`);
  });
  if (!allowed()) return;
  const engine = await ScanPageEngine.create();
  await engine.open(scan);
  editor.hand.leave('cancel');
  editor.engine?.end();
  if (editor.what !== 'scan') for (const view of become(editor)) wireView(editor, view);
  editor.engine = engine;
  await editor.show(engine.picture, file.name);
}
