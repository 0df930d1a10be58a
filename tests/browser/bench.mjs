// SPDX-License-Identifier: MIT
//
// bench.mjs - the tools of a test of the editor: a folder of its own, the program, pages of either form with their
// downloads and their network requests.
import {execFileSync, spawn} from 'node:child_process';
import {copyFileSync, existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {until} from './browser.mjs';
import {equal} from './expect.mjs';
import {host} from './host.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const TILECUT = resolve(process.env.TILECUT ?? join(root, 'tilecut'));
export const SHOTS = join(root, 'build/browser');

// The argument of a test: a folder, the program, and pages of either form.
export class Bench {
  constructor(browser, form) {
    Object.assign(this, {browser, form, root, TILECUT});
    this.folder = mkdtempSync(join(tmpdir(), 'tilecut-editor-'));
    this.ends = [];
  }

  path(name) { return join(this.folder, name); }

  run(...words) { return execFileSync(TILECUT, words, {cwd: this.folder, encoding: 'utf8', stdio: 'pipe'}); }

  // Copies a photo of the repository into the folder of the test.
  photo(name) {
    copyFileSync(join(root, 'images', name), this.path(name));
    return this.path(name);
  }

  // Opens the page with the photo. `words` are arguments for the program.
  async open(photo, {words = [], ...how} = {}) {
    const page = this.form === 'program' ? await this.serve(photo, words, how) : await this.host(photo, how);
    await page.opened();
    return page;
  }

  // Opens the page without a photo.
  async empty(how = {}) {
    if (this.form === 'program') return this.serve(null, [], how);
    this.static = await host(this.web ?? join(root, 'build/web'));
    this.ends.push(() => this.static.end());
    const page = await this.browser.page(this.static.url, {downloads: this.folder, ...how});
    page.origin = this.static.url;
    return page;
  }

  async host(photo, how) {
    this.static = await host(this.web ?? join(root, 'build/web'));
    this.ends.push(() => this.static.end());
    const page = await this.browser.page(this.static.url, {downloads: this.folder, ...how});
    page.origin = this.static.url;
    await page.choose('#open', photo);
    return page;
  }

  async start(photo, words) {
    const all = ['edit', ...photo ? [photo] : [], ...words, '--no-browser', '-q'];
    const server = spawn(TILECUT, all, {cwd: this.folder});
    this.ends.push(() => server.kill());
    let url = '';
    this.said = '';
    server.stdout.on('data', text => { url += text; });
    server.stderr.on('data', text => { this.said += text; });
    this.exit = new Promise(done => server.on('exit', done));
    await until('an address', () => url.includes('\n'));
    return url.trim();
  }

  async serve(photo, words, how) {
    this.url = await this.start(photo, words);
    const page = await this.browser.page(this.url, {downloads: this.folder, ...how});
    page.origin = new URL('/', this.url).href;
    return page;
  }

  shot(page, step) { return page.shot(join(SHOTS, `${this.form}-${step}.png`)); }

  async download(page, button, name) {
    rmSync(this.path(name), {force: true});
    const before = this.browser.downloaded;
    await page.click(button);
    await until(name, () => this.browser.downloaded > before && existsSync(this.path(name)));
    return this.path(name);
  }

  // Runs the command that the page shows; the names of its files begin with "again-". Saves the page's mask first, if
  // there is one, because a second stroke is a correction only if the first one was answered before it.
  async repeat(page) {
    const words = (await page.get("document.querySelector('#command').value")).match(/'[^']*'|\S+/g)
      .map(word => word.replaceAll("'", ''));
    const kept = words.find(word => /-previous\.[a-z.]+$/.test(word));
    if (kept) await this.download(page, '#save-previous', kept);
    for (const option of ['-o', '--cutout']) {
      const at = words.indexOf(option);
      if (at > 0) words[at + 1] = `again-${basename(words[at + 1])}`;
    }
    this.run(...words.slice(1), '-q');
  }

  quiet(page) {
    equal('console', page.console.join('; '), '');
    const strangers = page.requests.filter(url => !url.startsWith(page.origin) && !/^(blob|data):/.test(url));
    equal('requests to others', strangers.join(' '), '');
  }

  // Closes pages and servers, but keeps the folder.
  async rest() {
    await this.browser.close();
    for (const end of this.ends) await end();
    this.ends = [];
  }

  async end() {
    await this.rest();
    rmSync(this.folder, {recursive: true, force: true});
  }
}
