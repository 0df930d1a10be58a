// SPDX-License-Identifier: MIT
//
// node_worker.js - editor/worker.js in a thread of node, with what a worker of a browser finds there.
import {parentPort} from 'node:worker_threads';

globalThis.onmessage = null;
globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
await import('./editor/worker.js');
parentPort.on('message', data => globalThis.onmessage({data}));
