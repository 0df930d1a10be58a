// SPDX-License-Identifier: MIT
//
// node_worker.js - runs editor/worker.js in a thread of node, with the globals that a browser's worker has.
import {parentPort} from 'node:worker_threads';

globalThis.onmessage = null;
globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
await import('./editor/worker.js');
parentPort.on('message', data => globalThis.onmessage({data}));
