// SPDX-License-Identifier: MIT
//
// busy.js - shows that work takes longer than a fifth of a second, and lets the user cancel it.

const $ = id => document.getElementById(id);
const PATIENCE = 200;
const running = new Set();

function show() {
  const last = [...running].filter(each => each.seen).at(-1);
  $('spin').hidden = !last;
  $('cancel').hidden = !last?.cancel;
  document.body.toggleAttribute('data-busy', Boolean(last));
}

// Waits for `work`. Shows `text` if it takes long, and afterwards the earlier message again, unless there is a newer
// one. `cancel` is called when the user cancels; without it, cancelling is not offered.
export async function busy(text, work, cancel) {
  let before;
  const me = {cancel, seen: false};
  running.add(me);
  const timer = setTimeout(() => {
    me.seen = true;
    before = $('status').textContent;
    $('status').textContent = text;
    show();
  }, PATIENCE);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    running.delete(me);
    if (me.seen && $('status').textContent === text) $('status').textContent = before;
    show();
  }
}

// Cancels the latest work that can be cancelled. Returns false if there is none.
export function giveUp() {
  const last = [...running].filter(each => each.cancel).at(-1);
  last?.cancel();
  return Boolean(last);
}

// Lets the browser draw before work that would block it.
export const drawn = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
