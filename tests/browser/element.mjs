// SPDX-License-Identifier: MIT
//
// element.mjs - <tilecut-editor> of the npm package in the example for Photopea: a page in place of Photopea sends a
// photo, the test clicks on it, and the cutout that is returned equals that of the command line.
import {copyFileSync, mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {until} from './browser.mjs';
import {equal, holds, read, samePicture} from './expect.mjs';
import {host} from './host.mjs';

const PHOTOPEA = `<!doctype html><title>Photopea</title><link rel="icon" href="data:,"><body data-ready="yes"><script>
addEventListener('message', async ({data, source}) => {
  if (data.includes('saveToOE')) source.postMessage(await (await fetch('photopea.png')).arrayBuffer(), '*');
  if (data.startsWith('app.open')) window.opened = JSON.parse(data.slice(9, data.indexOf('",') + 1));
  source.postMessage('done', '*');
});
</script><iframe style="position: fixed; inset: 0; width: 100%; height: 100%; border: 0"></iframe>
<script>frames[0].location = 'plugin.html?host=' + location.origin;</script>`;
const PLUGIN = 'frames[0]', ELEMENT = `${PLUGIN}.document.querySelector('tilecut-editor')`;
const FRAME = `${ELEMENT}.shadowRoot.querySelector('iframe')`, EDITOR = `${FRAME}.contentDocument`;

export const elementTests = {
  'the element cuts for Photopea': async bench => {
    const photo = join(bench.root, 'images/tulips.png');
    copyFileSync(join(bench.root, 'tools/examples/npm/photopea.html'), bench.path('plugin.html'));
    copyFileSync(photo, bench.path('photopea.png'));
    writeFileSync(bench.path('index.html'), PHOTOPEA);
    mkdirSync(bench.path('node_modules'));
    symlinkSync(join(bench.root, 'build/npm/package'), bench.path('node_modules/tilecut'));
    const site = await host(bench.folder);
    bench.ends.push(() => site.end());
    const page = await bench.browser.page(site.url);
    page.origin = site.url;
    await until('a photo', () => page.get(`${EDITOR}.body.dataset.stage === 'open'`).catch(() => false));
    await page.get(`(() => { const all = ${PLUGIN}.told = [];
      for (const kind of ['change', 'mask', 'save'])
        ${PLUGIN}.document.addEventListener(kind, event => all.push([kind, event.detail])); })()`);
    const at = await page.get(`(() => { const c = ${EDITOR}.getElementById('canvas').getBoundingClientRect();
      const scale = Math.min(c.width / 500, c.height / 500) * 0.98;
      return [c.x + c.width / 2 + (180.5 - 250) * scale, c.y + c.height / 2 + (330.5 - 250) * scale]; })()`);
    await page.at('mousePressed', ...at, {button: 'left', clickCount: 1, buttons: 1});
    await page.at('mouseReleased', ...at, {button: 'left', clickCount: 1});
    await until('a mask', () => page.get(`${PLUGIN}.told.some(([kind]) => kind === 'mask')`));
    equal('the first event', await page.get(`${PLUGIN}.told[0][0]`), 'change');
    const mask = await page.get(`Array.from(${ELEMENT}.result.mask).join('')`);
    await page.get(`${EDITOR}.getElementById('save').click()`);
    await until('a layer', () => page.get('window.opened ?? false'));
    const layer = await page.get('window.opened');
    holds('a PNG as data', layer.startsWith('data:image/png;base64,'));
    writeFileSync(bench.path('layer.png'), Buffer.from(layer.split(',')[1], 'base64'));
    await bench.repeat({get: expression => page.get(expression.replace('document', EDITOR))});
    equal('mask', mask, (await read(bench.path('again-photopea-mask.png'))).pixels.join(''));
    await samePicture('layer', bench.path('layer.png'), bench.path('again-photopea-cutout.png'));
    bench.quiet(page);
  },
};
