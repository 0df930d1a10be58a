// SPDX-License-Identifier: MIT
//
// offline.js - a service worker that keeps the page for use without its host. It tries the network first, so that a
// newer page is seen at once, and otherwise shows the last one. Photos never pass through here.

const FILES = ['./', 'editor.css', 'icon.svg', 'main.js', 'sample.webp', 'scan/scan.css', 'tilecut.wasm', 'worker.js'];
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
