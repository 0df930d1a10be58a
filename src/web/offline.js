// SPDX-License-Identifier: MIT
//
// offline.js - keeps the page for when its host cannot be reached. A service worker: the network first, so that a newer
// page is seen at once, and what was seen last otherwise. Photos never pass through here.

const FILES = ['./', 'answer.js', 'busy.js', 'controls.js', 'editor.css', 'editor.js', 'engine_page.js', 'hair.js',
  'icon.svg', 'label_map.js', 'looks.js', 'main.js', 'options.js', 'overlay.js', 'palette.js', 'photo.js', 'png.js',
  'pointer.js', 'results.js', 'sample.jpg', 'strokes.js', 'tilecut.wasm', 'view.js', 'worker.js',
  ...['nifti.js', 'scan.css', 'scan_editor.js', 'scan_layout.js', 'scan_page.js', 'scan_palette.js', 'scan_plane.js',
    'scan_strokes.js'].map(name => `scan/${name}`)];
const CACHE = 'tilecut';

addEventListener('install', event => {
  event.waitUntil(caches.open(CACHE).then(cache => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

addEventListener('activate', event => event.waitUntil(self.clients.claim()));

addEventListener('fetch', event => {
  const {request} = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  event.respondWith(fetch(request).then(async response => {
    if (response.ok) (await caches.open(CACHE)).put(request, response.clone());
    return response;
  }).catch(async () => await caches.match(request, {ignoreSearch: true}) ?? Response.error()));
});
