// SPDX-License-Identifier: MIT

/** The data of a `mask` event. */
export interface MaskDetail {
  /** Of the photo. */
  name: string;
  width: number;
  height: number;
  /** A byte for each pixel: 0 background, 255 object. */
  mask: Uint8Array;
}

/** The data of a `save` event; its picture is the one shown, transparent or over the chosen background. */
export interface SaveDetail extends MaskDetail { png: Blob }

export interface TilecutEditorEvents {
  /** A stroke was painted, undone or set; a mask follows. */
  change: CustomEvent<{painted: number}>;
  /** There is a proved mask for all current strokes. */
  mask: CustomEvent<MaskDetail>;
  /** The user has pressed *Save*. */
  save: CustomEvent<SaveDetail>;
  error: ErrorEvent;
}

/**
 * `<tilecut-editor src="photo.jpg">`: the editor, in a frame. Give it a height of at least 30rem.
 *
 * Attributes: `src` is the photo's address, `base` that of the folder `editor` of the package if it is served elsewhere
 * than beside editor.js, and `label` the name of the frame for screen readers.
 */
export class TilecutEditor extends HTMLElement {
  /** Opens a photo: a file, or an address that this page may read. Resolves when the editor shows it. */
  open(photo: Blob | string | URL, name?: string): Promise<void>;
  /** Sets another tool's mask of the photo's size, 0 to 255 a pixel, for strokes to correct. */
  setMask(mask: ArrayLike<number>): Promise<void>;
  /** The data of the last `mask` or `save` event, or null if a stroke came after it. */
  readonly result: MaskDetail | null;
  /** Resolves when the editor has been loaded. */
  readonly ready: Promise<void>;
  addEventListener<K extends keyof TilecutEditorEvents>(type: K,
    listener: (this: TilecutEditor, event: TilecutEditorEvents[K]) => unknown,
    options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap { 'tilecut-editor': TilecutEditor }
}
