// SPDX-License-Identifier: MIT
//
// types.ts - uses of the package that compile, and others that must not: `tsc --noEmit` says so.
import {Session, cutout, labels, readPng, refine, segment, writePng} from 'tilecut';
import type {Answer, FullPicture} from 'tilecut';
import {TilecutEditor} from 'tilecut/editor';

export async function uses(file: Uint8Array, canvas: CanvasRenderingContext2D): Promise<Uint8Array> {
  const photo: FullPicture = await readPng(file);
  const answer: Answer = await segment(photo, {fg: [[180, 85], [188, 150]], bg: ['1,1 9,9'], lambda: 20, keepLargest: true});
  await segment(canvas.getImageData(0, 0, 9, 9), {box: {x: 0, y: 0, width: 9, height: 9}});
  const refined = await refine(photo, answer, {connectivity: 8});
  const divided = await labels(photo, new Uint8Array(81), {boundRounds: 0});
  const share: number = divided.gap + refined.foreground;
  const session = await Session.open(photo, {further: 'keep'});
  const step: Answer | null = await session.stroke('bg', '1,1', {brush: 1 + share});
  session.close();
  return writePng(await cutout(photo, step ?? answer, {edge: 'soft'}));
}

export function page(element: TilecutEditor): void {
  element.addEventListener('save', ({detail}) => { void detail.png.arrayBuffer(); });
  element.addEventListener('mask', event => { event.detail.mask.fill(0); });
  const made = document.createElement('tilecut-editor');
  void made.open('photo.jpg');
}

export async function wrong(photo: FullPicture): Promise<void> {
  // @ts-expect-error no such option
  await segment(photo, {lamda: 3});
  // @ts-expect-error there is only one of three
  await Session.open(photo, {further: 'never'});
  // @ts-expect-error a photo has pixels
  await segment({width: 3, height: 3}, {fg: '1,1'});
}
