// SPDX-License-Identifier: MIT
//
// main.js - starts the page, for a photo or a scan. Only the program serves the module that talks to it; the modules
// for scans are loaded when they are needed.
import {wireControls} from './controls.js';
import {Editor} from './editor.js';
import {wirePointer} from './pointer.js';

if (location.search) history.replaceState(null, '', location.pathname); // the token is no longer needed
const {create} = document.body.dataset.of === 'scan' ? await import('./scan/scan_editor.js')
  : {create: () => new Editor()};
export const editor = create();
wireControls(editor);
wirePointer(editor);
addEventListener('beforeunload', event => { if (editor.unsaved) event.preventDefault(); });
const {form} = document.body.dataset; // the program marks the page that it serves
if (form === 'program') await (await import('./engine_program.js')).openProgram(editor);
if (!form && 'serviceWorker' in navigator && isSecureContext)
  navigator.serviceWorker.register('offline.js').catch(() => {}); // without it the page works only online
document.body.dataset.ready = 'yes';
