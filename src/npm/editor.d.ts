// SPDX-License-Identifier: MIT

/** What `mask` events tell. */
export interface MaskDetail {
  /** Of the photo. */
  name: string;
  width: number;
  height: number;
  /** A byte for each pixel: 0 background, 255 object. */
  mask: Uint8Array;
}

/** What `save` events tell: also the picture that is seen, with transparency or over what was chosen. */
export interface SaveDetail extends MaskDetail { png: Blob }

export interface TilecutEditorEvents {
  /** Something was painted, undone or set; a mask follows. */
  change: CustomEvent<{painted: number}>;
  /** There is a proved mask of all that is painted. */
  mask: CustomEvent<MaskDetail>;
  /** Somebody has pressed *Save*. */
  save: CustomEvent<SaveDetail>;
  error: ErrorEvent;
}

/**
 * `<tilecut-editor src="photo.jpg">`: the editor, in a frame. Give it a height; 30rem is the least.
 *
 * Attributes: `src` is the photo's address, `base` that of the folder `editor` of the package if it is served elsewhere
 * than beside editor.js, and `label` the name of the frame for screen readers.
 */
export class TilecutEditor extends HTMLElement {
  /** Opens a photo: a file, or an address that this page may read. Waits until the editor is there. */
  open(photo: Blob | string | URL, name?: string): Promise<void>;
  /** Another tool's mask of the photo's size, 0 to 255 a pixel, which strokes then correct. */
  setMask(mask: ArrayLike<number>): Promise<void>;
  /** What the last `mask` or `save` event told, or null if something was painted since. */
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
