// SPDX-License-Identifier: MIT
//
// run.mjs - tests the editor in a real browser, in both forms: the page with its WebAssembly from a static host, and
// the program's server. What is downloaded or saved is compared with the command line, sample by sample, and every step
// leaves a screenshot in build/browser. `make check-web` runs it. TILECUT names the program; `run.mjs NAME ...` runs
// only tests whose names contain one of the NAMEs.
import {mkdirSync} from 'node:fs';
import {Bench, SHOTS} from './bench.mjs';
import {Browser} from './browser.mjs';
import {elementTests} from './element.mjs';
import {minuteTests} from './minute.mjs';
import {mishapTests} from './mishaps.mjs';
import {moduleTests} from './modules.mjs';
import {objectTests} from './objects.mjs';
import {pageTests} from './page.mjs';
import {pngTests} from './pictures.mjs';
import {scanLabelTests} from './scan_labels.mjs';
import {scanTests} from './scan.mjs';
import {scanPageTests} from './scan_page.mjs';
import {looked, screenTests} from './screen.mjs';
import {seeingTests} from './seeing.mjs';

const wanted = process.argv.slice(2);
const isWanted = name => !wanted.length || wanted.some(each => name.includes(each));
let passed = 0, failed = 0;
mkdirSync(SHOTS, {recursive: true});

async function runTest(browser, form, name, test) {
  const bench = new Bench(browser, form), start = Date.now();
  try {
    await test(bench);
    passed++;
    console.log(`ok    ${form}: ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${form}: ${name}\n      ${error.stack}`);
  }
  await bench.end();
}

async function runForms(forms) {
  const browser = new Browser();
  for (const form of forms)
    for (const [name, test] of Object.entries(form === 'modules' ? {...moduleTests, ...pngTests, ...elementTests}
      : {...minuteTests, ...screenTests, ...objectTests, ...pageTests, ...seeingTests, ...mishapTests, ...scanTests,
        ...scanLabelTests, ...scanPageTests}))
      if (isWanted(`${form}: ${name}`) && (!test.only || test.only === form))
        await runTest(browser, form, name, test);
  await browser.end();
}

// Both run at the same time, each with its own browser, because a test mostly waits.
await Promise.all([runForms(['page']), runForms(['program', 'modules'])]);
if (looked.at) console.log(`axe-core has looked at ${looked.at} screens`);
if (looked.not) console.log(`AXE-CORE IS NOT HERE (npm install axe-core): ${looked.not} screens were not looked at`);
const blind = looked.not && process.env.TILECUT_REQUIRE_AXE === '1';
console.log(`${passed} passed, ${failed} failed; screenshots in build/browser`);
process.exit(failed || !passed || blind ? 1 : 0);
