// SPDX-License-Identifier: MIT
//
// main.js - the page begins: a photo is edited, or a scan. The module that speaks to the program is served by it alone;
// those of scans are loaded when there is one.
import {wireControls} from './controls.js';
import {Editor} from './editor.js';
import {wirePointer} from './pointer.js';

if (location.search) history.replaceState(null, '', location.pathname); // the token has done its work
const {create} = document.body.dataset.of === 'scan' ? await import('./scan/scan_editor.js')
  : {create: () => new Editor()};
export const editor = create();
wireControls(editor);
wirePointer(editor);
addEventListener('beforeunload', event => { if (editor.unsaved) event.preventDefault(); });
const {form} = document.body.dataset; // the program names itself in the page that it serves
if (form === 'program') await (await import('./engine_program.js')).openProgram(editor);
if (!form && 'serviceWorker' in navigator && isSecureContext)
  navigator.serviceWorker.register('offline.js').catch(() => {}); // without it the page works while it is reachable
document.body.dataset.ready = 'yes';
