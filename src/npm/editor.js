// SPDX-License-Identifier: MIT
//
// editor.js - <tilecut-editor>: the editor's page in a frame of its own, so that its keys and styles are not those of
// the page around it. See editor.d.ts for attributes, methods and events.
const Base = globalThis.HTMLElement ?? class {}; // a stand-in, so that node can import this file

export class TilecutEditor extends Base {
  static observedAttributes = ['src'];

  // The address of the package's folder `editor`, if it is not beside this file, for instance after bundling.
  get base() {
    const beside = new URL(/* @vite-ignore */ 'editor/', import.meta.url);
    return new URL(this.getAttribute('base') ?? beside, document.baseURI);
  }

  connectedCallback() {
    if (this.frame) return;
    const root = this.shadowRoot ?? this.attachShadow({mode: 'open'}), style = document.createElement('style');
    style.textContent = ':host { display: block; min-height: 30rem } iframe { display: block; width: 100%; ' +
      'height: 100%; min-height: inherit; border: 0 }';
    this.frame = document.createElement('iframe');
    this.frame.title = this.getAttribute('label') ?? 'Cut an object out of a photo';
    this.frame.allow = 'clipboard-write';
    this.frame.src = new URL('index.html', this.base);
    this.ready = new Promise(resolve => { this.isReady = resolve; });
    this.listen = event => this.take(event);
    addEventListener('message', this.listen);
    this.frame.onload = () => this.hello();
    root.replaceChildren(style, this.frame);
    if (this.hasAttribute('src')) this.open(this.getAttribute('src'));
  }

  disconnectedCallback() {
    removeEventListener('message', this.listen);
    this.frame?.remove();
    this.frame = null;
  }

  attributeChangedCallback(name, before, now) { if (this.frame && now !== null && now !== before) this.open(now); }

  // Repeats the message, because the page may still be loading its modules.
  hello() {
    const again = setInterval(() => this.send({tilecut: 'hello'}), 100);
    this.ready.then(() => clearInterval(again));
    setTimeout(() => clearInterval(again), 60000);
    this.send({tilecut: 'hello'});
  }

  send(message, transfer) { this.frame?.contentWindow?.postMessage(message, this.base.origin, transfer); }

  take({source, data}) {
    if (!this.frame || source !== this.frame.contentWindow || typeof data?.tilecut !== 'string') return;
    const {tilecut: kind, png, ...detail} = data;
    if (kind === 'ready') return void this.isReady();
    if (png) detail.png = new Blob([png], {type: 'image/png'});
    if (kind === 'mask' || kind === 'save') this.last = detail;
    if (kind === 'change') this.last = null;
    this.dispatchEvent(new CustomEvent(kind, {detail, bubbles: true}));
  }

  async open(photo, name) {
    try {
      const file = photo instanceof Blob ? photo : await this.fetched(photo);
      await this.ready;
      this.last = null;
      const last = String(photo).replace(/[?#].*$/, '').split('/').at(-1);
      this.send({tilecut: 'open', file, name: name ?? file.name ?? last});
    } catch (error) {
      this.dispatchEvent(new ErrorEvent('error', {message: error.message, error}));
      throw error;
    }
  }

  async fetched(address) {
    const response = await fetch(new URL(address, document.baseURI));
    if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
    return response.blob();
  }

  async setMask(mask) {
    await this.ready;
    this.send({tilecut: 'mask', mask: Uint8Array.from(mask)});
  }

  get result() { return this.last ?? null; }
}

globalThis.customElements?.define('tilecut-editor', TilecutEditor);
