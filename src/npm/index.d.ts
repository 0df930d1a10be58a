// SPDX-License-Identifier: MIT

/**
 * A photo. An `ImageData` of a canvas is one, and so is what {@link readPng} gives.
 * Rows are packed, samples interleaved: grey, grey and alpha, RGB, RGBA. Alpha takes no part in a cut.
 * Fewer than 67 megapixels.
 */
export interface Picture {
  width: number;
  height: number;
  /** 1 to 4; the default is 3. */
  channels?: number;
  /** Bits of a sample, 8 or 16 (low byte first); the default is that of the array. */
  depth?: number;
  pixels: Uint8Array | Uint8ClampedArray | Uint16Array;
  /** The colour profile as it is in a PNG; {@link writePng} writes it. */
  icc?: Uint8Array;
}

export type Photo = Picture | ImageData;

/** The result of {@link readPng} and {@link cutout}. */
export interface FullPicture extends Picture {
  channels: number;
  depth: 8 | 16;
  pixels: Uint8Array;
}

/** A byte for each pixel, or an earlier result that has one. */
export type Plane = Uint8Array | Uint8ClampedArray | {mask: Uint8Array} | {labels: Uint8Array} | {pixels: Uint8Array};

/**
 * A line through pixels, counted from the upper left corner: `"180,85 188,150"` or `[[180, 85], [188, 150]]`.
 * One point is a click.
 */
export type Stroke = string | readonly (readonly [number, number])[];

/** The options of `tilecut segment` by the same names, `keepLargest` for `--keep-largest`. */
export interface Model {
  /** Weight of the boundary: more makes smoother outlines. The default is 50. */
  lambda?: number;
  /** Weight of a pixel's distances to the strokes; 0: off. */
  spatial?: number;
  /** Contrast scale in grey levels, or `"auto"`. */
  sigma?: number | 'auto';
  /** How to learn colours from the strokes; the first is the default. */
  colors?: 'gmm' | 'hist' | 'none' | (string & {});
  /** The most rounds of learning. */
  iterations?: number;
  /** 1, 2 or 3 (the default): how thoroughly good colours are searched for. 1 is several times as fast. */
  effort?: 1 | 2 | 3;
  /** Keep regions without a stroke of the object. */
  islands?: boolean;
  /** Neighbours of a pixel: 4, or 8 for rounder outlines. */
  connectivity?: 4 | 8;
}

export interface Cleanup {
  /** Keep only the largest piece of the object. */
  keepLargest?: boolean;
  /** Drop pieces of fewer pixels. */
  minArea?: number;
  /** Fill holes of at most this many pixels. */
  fillHoles?: number;
  /** Drop pieces without a stroke of the object. */
  connected?: boolean;
}

export interface Hints {
  /** Strokes on the object, one or several. If there are no others, the photo's border is background. */
  fg?: Stroke | readonly Stroke[];
  /** Strokes on the background. Where both are painted, the object wins. */
  bg?: Stroke | readonly Stroke[];
  /** Radius of the strokes in pixels; the default is 3. */
  brush?: number;
  /** Left, top, width, height: outside of it is background. */
  box?: readonly [number, number, number, number] | {x: number, y: number, width: number, height: number};
  /** Painted labels: 0 unknown, 1 background, 2 object. */
  seeds?: Plane;
  /** Another tool's mask, grey values 0 to 255: a start for the photo's edges and strokes to correct. */
  mask?: Plane;
  /** The last mask: strokes of the object only add to it, strokes of the background only take away. */
  previous?: Plane;
  /** With `previous`: also learn again from all strokes. */
  learn?: boolean;
}

export interface Answer {
  width: number;
  height: number;
  /** A byte for each pixel: 0 background, 255 object. */
  mask: Uint8Array;
  /** The maximum flow and the cost of the cut. They are equal, so no mask costs less. */
  flow: number;
  cut: number;
  certified: boolean;
  /** The cost in the units of the model. */
  energy: number;
  /** Pixels of the object. */
  foreground: number;
  colors: string;
  solver: string;
  /** Milliseconds of the cut itself. */
  ms: number;
}

/** An error. `status` is the exit status of the program: 2 an option, 4 strokes, 5 memory. */
export interface TilecutError extends Error { status?: number }

/**
 * Cuts an object out of a photo, in a worker that ends afterwards. The mask is the one of `tilecut segment` with the
 * same options, bit for bit.
 * @throws TypeError or RangeError if an argument is wrong, {@link TilecutError} if nothing says where the object is.
 */
export function segment(photo: Photo, options?: Hints & Model & Cleanup): Promise<Answer>;

/** Moves the outline of another tool's mask to the edges of the photo: `tilecut refine`. */
export function refine(photo: Photo, mask: Plane, options?: Omit<Hints, 'mask' | 'previous'> & Model & Cleanup):
  Promise<Answer>;

export interface Edge {
  /**
   * `"soft"`, the default, has no stairs and none of the old background's colour; `"matte"` cuts out hair; `"hard"`
   * follows the mask.
   */
  edge?: 'hard' | 'soft' | 'matte';
  /** A soft edge of up to this many pixels on either side of the cut, 0 (hard) to 32. */
  feather?: number;
  /** Matting in a band found around the cut, or in all unpainted pixels, which needs `seeds`. */
  matte?: 'auto' | 'seeds';
  /** Keep the old background's colour in a soft edge. */
  keepColors?: boolean;
}

/** The photo with the mask as its transparency, and the chosen kind of edge. */
export function cutout(photo: Photo, mask: Plane, options?: Edge & {seeds?: Plane}): Promise<FullPicture>;

export interface LabelsAnswer {
  width: number;
  height: number;
  /** A byte for each pixel: one of the labels of the seeds. */
  labels: Uint8Array;
  /** How many labels there are. */
  used: number;
  /** True if every cut was proved. */
  certified: boolean;
  energy: number;
  /** A lower bound: no labelling costs less. */
  bound: number;
  /** How far the energy is above the minimum at most, in percent; 0: the labels are a minimum. */
  gap: number;
  cuts: number;
  moves: number;
  /** Pixels whose label is the same in every minimum. */
  certain: number;
  colors: string;
  ms: number;
}

/**
 * Divides a photo among several labels: `tilecut labels`.
 * @param seeds a label map: 0 unknown, 1 to 255 a label that is given; at least two labels occur
 * @param options `background`: the label that is the background, the least unless it is given; `boundRounds`: rounds
 * for the bound, 0 to 100, 20 unless it is given
 */
export function labels(photo: Photo, seeds: Plane, options?: Model & {background?: number, boundRounds?: number}):
  Promise<LabelsAnswer>;

export interface SessionOptions extends Model, Cleanup {
  /**
   * What a further stroke does: `"learn"` (the default) adds or takes away, and teaches the colours; `"keep"` changes
   * only what it touches; `"anew"` may change all of the mask.
   */
  further?: 'learn' | 'keep' | 'anew';
}

/**
 * A photo on which somebody paints. Steps are done one after the other, whether they are waited for or not; each gives
 * the mask after it, or null while nothing says where the object is.
 *
 * ```js
 * const session = await Session.open(photo);
 * let answer = await session.stroke('fg', '180,85 188,150');
 * answer = await session.stroke('bg', '130,385 250,393');   // only takes away
 * answer = await session.undo();                            // the mask before, bit for bit
 * session.close();
 * ```
 */
export class Session {
  private constructor();
  static open(photo: Photo, options?: SessionOptions): Promise<Session>;
  /** Paints on the object or the background, or erases strokes. */
  stroke(kind: 'fg' | 'bg' | 'erase', stroke: Stroke, options?: {brush?: number}): Promise<Answer | null>;
  box(box: NonNullable<Hints['box']>): Promise<Answer | null>;
  /** Continues from this mask, of another tool or of an earlier session. */
  start(mask: Plane): Promise<Answer | null>;
  undo(): Promise<Answer | null>;
  redo(): Promise<Answer | null>;
  /** Erases all strokes; can be undone. */
  clear(): Promise<Answer | null>;
  /** Changes settings. */
  set(options: Model & Cleanup): Promise<Answer | null>;
  /** The last answer. */
  readonly result: Answer | null;
  cutout(options?: Edge): Promise<FullPicture>;
  /** Ends the workers. */
  close(): void;
}

/** Reads a PNG of any kind, also with 16 bits or a palette, and turns it upright by its EXIF data. */
export function readPng(file: Uint8Array): Promise<FullPicture>;

/** The bytes of a PNG file. */
export function writePng(picture: Picture & {channels: number, depth: number}): Promise<Uint8Array>;
