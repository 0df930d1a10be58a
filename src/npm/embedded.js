// SPDX-License-Identifier: MIT
//
// embedded.js - the editor's page inside another page: it opens what that page sends, and reports what happens.
// Messages are {tilecut: KIND, ...}. It listens only to the page around it, and answers the origin that sent "hello".
import {editor} from './main.js';
import {resultOf} from './results.js';
import {fromMask} from './strokes.js';

let origin = null; // origin of the page around this one

const say = (kind, more = {}, transfer = []) => {
  if (origin) parent.postMessage({tilecut: kind, ...more}, {targetOrigin: origin, transfer});
};

function sizes() {
  const {width, height} = editor.answer;
  return {name: editor.name, width, height, mask: editor.answer.proved.slice()};
}

const calls = {
  hello() { say('ready'); },

  async open({file, name}) { await editor.openFile(new File([file], name || 'photo.png', {type: file.type})); },

  // Sets another tool's mask for strokes to correct.
  mask({mask}) {
    const {width, height} = editor.strokes;
    const picture = {width, height, channels: 1, depth: 8, pixels: mask};
    editor.changed(editor.strokes.setPrior({mask: fromMask(picture), name: 'mask.png'}));
  },
};

addEventListener('message', async ({source, origin: from, data}) => {
  if (source !== parent || !(data?.tilecut in calls)) return;
  if (data.tilecut === 'hello') origin = from;
  if (from === origin) await calls[data.tilecut](data);
});

// The page marks its changes in attributes, which its own tests also read.
let version, proved;
new MutationObserver(() => {
  const {dataset} = document.body;
  if (dataset.version !== version && editor.strokes) say('change', {painted: editor.strokes.done.length});
  version = dataset.version;
  if (dataset.proved === proved || !editor.isProved) return;
  proved = dataset.proved;
  say('mask', sizes());
}).observe(document.body, {attributes: true, attributeFilter: ['data-version', 'data-proved']});

const button = document.getElementById('save');
button.hidden = false;
document.getElementById('save-cutout').classList.remove('main');
button.addEventListener('click', async () => {
  const {version: of} = editor, png = await resultOf(editor);
  if (!png) return;
  editor.keep(of);
  say('save', {...sizes(), png}, [png.buffer]);
  editor.say('Handed over.');
});
