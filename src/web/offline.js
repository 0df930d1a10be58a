// SPDX-License-Identifier: MIT
//
// offline.js - keeps the page for when its host cannot be reached. A service worker: the network first, so that a newer
// page is seen at once, and what was seen last otherwise. Photos never pass through here.

const FILES = ['./', 'editor.css', 'icon.svg', 'main.js', 'sample.jpg', 'scan/scan.css', 'tilecut.wasm', 'worker.js'];
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
