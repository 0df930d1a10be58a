// SPDX-License-Identifier: MIT
//
// browser.mjs - an installed Chromium without a window, controlled by its own protocol through two pipes (no socket, no
// package): pages, real mouse and key events, screenshots, downloads, all network requests and all console messages.
import {spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage',
  '--hide-scrollbars', '--remote-debugging-pipe'];

export const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

// The time limit is only for events that never come, because a busy machine may be slow.
const LIMIT = 120000; // milliseconds

export async function until(what, test) {
  const end = Date.now() + LIMIT;
  for (;;) {
    const value = await test();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited ${LIMIT} ms for ${what}`);
    await sleep(10);
  }
}

// Lists the command lines of all processes that contain `word`, each with a function that reads its files in /proc.
export function processes(word) {
  const found = [];
  for (const name of readdirSync('/proc').filter(each => /^\d+$/.test(each)))
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      if (command.includes(word)) found.push({command, read: file => readFileSync(`/proc/${name}/${file}`, 'utf8')});
    } catch { /* the process has ended */ }
  return found;
}

// Returns the processor time of these processes in milliseconds.
export function processorTime(word) {
  let ticks = 0;
  for (const {read} of processes(word))
    try {
      const fields = read('stat').replace(/.*\) /, '').split(' ');
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch { /* the process has ended */ }
  return ticks * 10;
}

export class Browser {
  constructor(program = process.env.CHROMIUM || 'chromium') {
    this.profile = mkdtempSync(join(tmpdir(), 'tilecut-browser-'));
    this.child = spawn(program, [...FLAGS, `--user-data-dir=${this.profile}`, 'about:blank'],
      {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true});
    this.gone = new Promise(resolve => this.child.on('exit', resolve));
    this.waiting = new Map();
    this.pages = new Map();
    this.count = 0;
    this.downloaded = 0; // number of files
    let rest = '';
    this.child.stdio[4].setEncoding('utf8').on('data', text => {
      const parts = (rest + text).split('\0');
      rest = parts.pop();
      for (const part of parts) this.take(JSON.parse(part));
    });
  }

  take(message) {
    if (message.id) {
      const {resolve, reject} = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.error) reject(new Error(message.error.message));
      else resolve(message.result);
    } else if (message.method === 'Browser.downloadProgress') this.downloaded += message.params.state === 'completed';
    else this.pages.get(message.sessionId)?.event(message.method, message.params);
  }

  send(method, params = {}, sessionId) {
    const id = ++this.count;
    this.child.stdio[3].write(JSON.stringify({id, method, params, sessionId}) + '\0');
    return new Promise((resolve, reject) => this.waiting.set(id, {resolve, reject}));
  }

  async page(url, {width = 1280, height = 800, downloads, dark = false} = {}) {
    const {targetId} = await this.send('Target.createTarget', {url: 'about:blank'});
    const {sessionId} = await this.send('Target.attachToTarget', {targetId, flatten: true});
    const page = new Page(this, targetId, sessionId);
    this.pages.set(sessionId, page);
    for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await page.send(`${domain}.enable`);
    await page.send('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: false});
    await page.send('Emulation.setEmulatedMedia',
      {features: [{name: 'prefers-color-scheme', value: dark ? 'dark' : 'light'}]});
    if (downloads) await this.send('Browser.setDownloadBehavior',
      {behavior: 'allow', downloadPath: downloads, eventsEnabled: true});
    if (url) await page.go(url);
    return page;
  }

  // Closes the pages, even if they are still working.
  async close() {
    for (const {target} of this.pages.values()) await this.send('Target.closeTarget', {targetId: target});
    this.pages.clear();
  }

  // Ends Chromium and its child processes, which are one process group.
  async end() {
    try {
      process.kill(-this.child.pid, 'SIGKILL');
    } catch { /* the process has ended */ }
    await this.gone;
    for (let i = 0; i < 20; i++)
      try {
        return rmSync(this.profile, {recursive: true, force: true});
      } catch { await sleep(50); }
  }
}

class Page {
  constructor(browser, target, session) {
    Object.assign(this, {browser, target, session});
    this.console = [];  // errors and warnings
    this.requests = []; // requested addresses
    this.dialogs = [];  // texts of dialogs, which were answered with `yes`
    this.yes = true;
    this.mouse = [0, 0];
  }

  send(method, params) { return this.browser.send(method, params, this.session); }

  event(method, params) {
    if (method === 'Network.requestWillBeSent') this.requests.push(params.request.url);
    else if (method === 'Runtime.exceptionThrown') this.console.push(params.exceptionDetails.exception?.description ??
      params.exceptionDetails.text);
    else if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(params.type))
      this.console.push(params.args.map(each => each.value ?? each.description).join(' '));
    else if (method === 'Log.entryAdded' && ['error', 'warning'].includes(params.entry.level))
      this.console.push(`${params.entry.text} ${params.entry.url ?? ''}`);
    else if (method === 'Page.fileChooserOpened') this.chooser?.(params);
    else if (method === 'Page.javascriptDialogOpening') {
      this.dialogs.push(params.type === 'beforeunload' ? params.type : params.message);
      this.send('Page.handleJavaScriptDialog', {accept: this.yes}).catch(() => {});
    }
  }

  async go(url) {
    await this.send('Page.navigate', {url});
    await until('the page to be ready', () => this.get("document.body?.dataset.ready === 'yes'"));
  }

  async get(expression) {
    const {result, exceptionDetails} = await this.send('Runtime.evaluate',
      {expression, returnByValue: true, awaitPromise: true});
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description}`);
    return result.value;
  }

  // Waits until one of these stages is reached and stays. A result from before the last change does not count.
  stage(names) {
    const wanted = [names].flat();
    return until(`stage ${wanted.join(' or ')}`, async () => {
      const [stage, proved, version] = await this.get(
        "['stage', 'proved', 'version'].map(name => document.body?.dataset[name])");
      const now = stage === 'proved' && proved !== version ? 'changed' : stage;
      if (now === 'failed' && !wanted.includes(now)) throw new Error(await this.text('#status'));
      return wanted.includes(now);
    });
  }

  // Waits until a file is open. With options such as --box a mask follows without input.
  opened() { return this.stage(['open', 'sketched', 'proved']); }

  // Waits until the page has the confidence of the certified mask.
  doubted() {
    return until('doubts', () => this.get('document.body.dataset.doubted === document.body.dataset.version'));
  }

  // Waits until changes are drawn. A page in the background draws nothing.
  drawn() {
    return this.get('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))');
  }

  // Returns the value of the expression when the page has stopped changing.
  async settled(expression) {
    for (let before = null; ;) {
      await this.drawn();
      const now = await this.get(expression);
      if (String(now) === String(before)) return now;
      before = now;
    }
  }

  text(selector) { return this.get(`document.querySelector('${selector}').textContent`); }

  async shot(path) {
    await sleep(60);
    const {data} = await this.send('Page.captureScreenshot', {format: 'png'});
    writeFileSync(path, Buffer.from(data, 'base64'));
  }

  async choose(selector, path) {
    await this.send('Page.setInterceptFileChooserDialog', {enabled: true});
    let opened = null;
    this.chooser = params => { opened = params; };
    await this.click(selector);
    await until(`${selector} to ask for a file`, () => opened);
    await this.send('DOM.setFileInputFiles', {files: [path], backendNodeId: opened.backendNodeId});
  }

  // ---- mouse and keys ----

  async at(type, x, y, more = {}) {
    this.mouse = [x, y];
    await this.send('Input.dispatchMouseEvent', {type, x, y, button: 'none', ...more});
  }

  // Like a user, waits for a button that is still disabled, and opens the section that hides it.
  async click(selector) {
    await this.get(`(hidden => { if (hidden) hidden.open = true; })(
      document.querySelector('${selector}')?.closest('details:not([open])'))`);
    await until(`${selector} to be enabled`, () => this.get(`!document.querySelector('${selector}').disabled`));
    const [x, y] = await this.get(`(() => { const e = document.querySelector('${selector}');
      e.scrollIntoView({block: 'nearest'}); const b = e.getBoundingClientRect();
      return [b.x + b.width / 2, b.y + b.height / 2]; })()`);
    await this.at('mousePressed', x, y, {button: 'left', clickCount: 1, buttons: 1});
    await this.at('mouseReleased', x, y, {button: 'left', clickCount: 1});
  }

  // Drags the mouse through points of the screen.
  async drag(points, steps = 3) {
    await this.at('mouseMoved', ...points[0]);
    await this.at('mousePressed', ...points[0], {button: 'left', clickCount: 1, buttons: 1});
    for (let i = 1; i < points.length; i++)
      for (let s = 1; s <= steps; s++) {
        const mix = axis => points[i - 1][axis] + (points[i][axis] - points[i - 1][axis]) * s / steps;
        await this.at('mouseMoved', mix(0), mix(1), {button: 'left', buttons: 1});
      }
    await this.at('mouseReleased', ...points.at(-1), {button: 'left', clickCount: 1});
  }

  async key(key, {ctrl = false, shift = false, alt = false} = {}) {
    const modifiers = (alt ? 1 : 0) + (ctrl ? 2 : 0) + (shift ? 8 : 0);
    const text = key === 'Enter' ? '\r' : key.length === 1 && !ctrl ? key : undefined;
    const code = {Enter: 13, Tab: 9, Escape: 27, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40}[key] ??
      key.toUpperCase().charCodeAt(0);
    await this.send('Input.dispatchKeyEvent', {type: 'keyDown', key, modifiers, text, windowsVirtualKeyCode: code});
    await this.send('Input.dispatchKeyEvent', {type: 'keyUp', key, modifiers, windowsVirtualKeyCode: code});
  }

  async set(selector, value) {
    await this.get(`(() => { const e = document.querySelector('${selector}');
      if (e.type === 'checkbox') e.checked = ${JSON.stringify(value)}; else e.value = ${JSON.stringify(value)};
      for (const type of ['input', 'change']) e.dispatchEvent(new Event(type, {bubbles: true})); })()`);
  }
}
