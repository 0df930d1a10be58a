// SPDX-License-Identifier: MIT
//
// main.js - the page begins: a photo is edited, or a scan, whose modules only the program serves.
import {wireControls} from './controls.js';
import {Editor} from './editor.js';
import {openProgram} from './engine_program.js';
import {wirePointer} from './pointer.js';

if (location.search) history.replaceState(null, '', location.pathname); // the token has done its work
const {create} = document.body.dataset.of === 'scan' ? await import('./scan/scan_editor.js')
  : {create: () => new Editor()};
export const editor = create();
wireControls(editor);
wirePointer(editor);
addEventListener('beforeunload', event => { if (editor.unsaved) event.preventDefault(); });
if (!await openProgram(editor) && !document.body.dataset.form && 'serviceWorker' in navigator && isSecureContext)
  navigator.serviceWorker.register('offline.js').catch(() => {}); // without it the page works while it is reachable
document.body.dataset.ready = 'yes';
