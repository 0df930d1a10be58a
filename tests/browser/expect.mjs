// SPDX-License-Identifier: MIT
//
// expect.mjs - checks for the tests, and their messages.
import {readFileSync} from 'node:fs';
import {decodePng} from '../../src/web/png.js';

export const equal = (what, a, b) => { if (a !== b) throw new Error(`${what}: ${a}, should be ${b}`); };
export const holds = (what, value) => { if (!value) throw new Error(what); };

export async function samePicture(what, a, b) {
  const [x, y] = await Promise.all([a, b].map(path => decodePng(new Uint8Array(readFileSync(path)))));
  equal(`${what}: size`, `${x.width}x${x.height}x${x.channels}`, `${y.width}x${y.height}x${y.channels}`);
  let differs = 0;
  for (let i = 0; i < x.pixels.length; i++) differs += x.pixels[i] !== y.pixels[i];
  equal(`${what}: samples that differ`, differs, 0);
}

export const read = path => decodePng(new Uint8Array(readFileSync(path)));
