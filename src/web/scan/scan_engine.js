// SPDX-License-Identifier: MIT
//
// scan_engine.js - cuts a scan in the program (desk_scan.c). Masks are not sent whole: the page requests the planes
// that it shows.
import {ProgramEngine} from '../engine_program.js';

const numbers = text => text.split(' ').map(Number);

export class Engine extends ProgramEngine {
  async begin() {
    const {fields, body} = await this.call('api/open');
    this.tab = fields.tab;
    this.fields = fields;
    this.colors = fields.models.split(' ');
    this.picture = {
      width: Number(fields.width), height: Number(fields.height), depth: Number(fields.slices),
      spacing: numbers(fields.spacing), millimetres: fields.millimetres === '1', sides: fields.sides,
      meaning: numbers(fields.meaning), range: numbers(fields.range), missing: Number(fields.missing),
      ending: fields.ending, given: fields.given};
    const named = Number(fields.legend);
    this.named = new TextDecoder().decode(body.subarray(0, named));
    this.labels = body.length > named ? body.slice(named) : null;
  }

  // Keeps the mask of the last cut, and returns its number.
  async keep() { return Number((await this.call('api/prior', [['own', 1]])).fields.number); }

  async prior(prior) { await this.call('api/prior', [['number', prior ? await prior.number : 0]]); }

  // Sends names and colours of labels, see desk_legend.h.
  async legend(text) {
    if (text === this.named) return;
    await this.call('api/legend', [], new TextEncoder().encode(text));
    this.named = text;
  }

  // Returns a plane of the program's scan in rows: {grey: Uint16Array or null, mask}.
  async slice(axis, index, grey) {
    const answer = await this.call('api/slice',
      [['axis', axis], ['index', index], ['scan', grey ? 1 : 0], ['mask', 1]]);
    if (!answer) return {}; // a photo has replaced the scan
    const {fields, body} = answer, count = fields.width * fields.height, at = grey ? 2 * count : 0;
    return {grey: grey ? new Uint16Array(body.slice(0, at).buffer) : null, mask: body.slice(at)};
  }

  async sketch(box, labels, options, framed) {
    const start = performance.now();
    this.turn = (this.turn ?? 0) + 1;
    const where = box ? [['rect', [box.x, box.y, box.z, box.width, box.height, box.depth].join(' ')]] : [];
    const fields = [...where, ['framed', framed ? 1 : 0], ['turn', this.turn], ['options', options]];
    const answer = await this.call('api/sketch', fields, labels ?? undefined);
    return answer && {fields: answer.fields, ms: performance.now() - start};
  }

  async cut(labels, options) {
    const answer = await this.call('api/cut', [['options', options]]);
    return answer && {fields: answer.fields};
  }

  // Returns the bytes of a file; null: overtaken. what: 0 the mask, 1 the strokes, 2 the mask that they correct. as: 0
  // the scan's format, 1 NIfTI, 2 a segmentation of 3D Slicer.
  async file(what, as) { return (await this.call('api/file', [['what', what], ['as', as]]))?.body.slice() ?? null; }
}
