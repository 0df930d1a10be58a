// SPDX-License-Identifier: MIT
//
// busy.js - a sign of life for whatever takes longer than a fifth of a second, and a way to give it up.

const $ = id => document.getElementById(id);
const PATIENCE = 200;
const running = new Set();

function show() {
  const last = [...running].filter(each => each.seen).at(-1);
  $('spin').hidden = !last;
  $('cancel').hidden = !last?.cancel;
  document.body.toggleAttribute('data-busy', Boolean(last));
}

// Waits for `work`. `text` is said once it has taken long, and in the end what was said before it again, unless there
// is something new. `cancel`: called when somebody gives it up; without it, that is not offered.
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

// Whether there was something to give up.
export function giveUp() {
  const last = [...running].filter(each => each.cancel).at(-1);
  last?.cancel();
  return Boolean(last);
}

// Lets the browser draw before what would keep it from that.
export const drawn = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
