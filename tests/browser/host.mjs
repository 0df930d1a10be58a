// SPDX-License-Identifier: MIT
//
// host.mjs - a minimal static web server: files of one folder on the loopback interface.
import {createReadStream, existsSync} from 'node:fs';
import {createServer} from 'node:http';
import {extname, join, normalize} from 'node:path';

const TYPES = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm', '.png': 'image/png', '.jpg': 'image/jpeg', '.webp': 'image/webp'};

export async function host(folder) {
  const server = createServer((request, response) => {
    const path = join(folder, normalize(decodeURIComponent(request.url.split('?')[0])).replace(/\/$/, '/index.html'));
    if (!path.startsWith(folder) || !existsSync(path)) return void response.writeHead(404).end();
    response.writeHead(200, {'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream'});
    createReadStream(path).pipe(response);
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return {url: `http://127.0.0.1:${server.address().port}/`, end: () => server.closeAllConnections() ?? server.close()};
}
