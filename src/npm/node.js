// SPDX-License-Identifier: MIT
//
// node.js - index.js for node instead of a browser: workers are threads of node, and the module is a file. A thread
// keeps the process alive only while it works.
import {readFile} from 'node:fs/promises';
import {Worker} from 'node:worker_threads';
import {host} from './editor/engine_page.js';

class Thread {
  constructor() {
    this.busy = 0;
    this.thread = new Worker(new URL('node_worker.js', import.meta.url));
    this.thread.unref();
    this.thread.on('message', data => {
      if (!--this.busy) this.thread.unref();
      this.onmessage({data});
    });
    this.thread.on('error', error => this.onerror(error));
  }

  postMessage(message, transfer) {
    if (!this.busy++) this.thread.ref();
    this.thread.postMessage(message, transfer);
  }

  terminate() { this.thread.terminate(); }
}

host.worker = () => new Thread();
host.module = async () => WebAssembly.compile(await readFile(new URL('editor/tilecut.wasm', import.meta.url)));

export * from './index.js';
