// Short notices: one at a time, where no link or button lies, and gone at a tap.

import { all, byId, must } from "./elements.js";
import { t } from "./messages.js";

const SHOWN_MS = 6_000;
const WITH_ACTION_MS = 12_000;
/** One that comes back stays at least so long. */
const AGAIN_MS = 4_000;
const MOST_WAITING = 4;
const PLACE_MS = 400;
/** Notices keep this far from links and from the screen's rim. */
const GAP_PX = 6;
/** What is tapped, and what is to be read next. The photo's frame is not: it is larger than what is left of a phone. */
const TAPPED =
  'a[href], button, input, select, textarea, summary, label, [role="button"], [tabindex="0"]:not(.viewer), :focus :is(h1, h2)';

/**
 * A button of a notice.
 * @typedef {{ label: string, run: () => unknown }} Action
 */

export class Notice {
  /**
   * @param {string} message
   * @param {{ kind: string, action: Action | null, about: string }} options
   */
  constructor(message, { kind, action, about }) {
    this.message = message;
    this.about = about;
    /** Whether it comes back when a newer one has taken its place: there is something to do, or to know. */
    this.lasting = kind === "bad" || action !== null;
    this.left = action ? WITH_ACTION_MS : SHOWN_MS;
    this.since = 0;
    this.box = document.createElement("div");
    this.box.className = `toast ${kind}`;
    const words = document.createElement("span");
    words.textContent = words.title = message;
    this.box.append(words);
    if (action) this.#button(action.label, "button quiet", action.run).textContent = action.label;
    const close = byId("toasts").dataset.dismiss ?? "";
    this.#button(close, "dismiss", () => {}).append("×");
  }

  /**
   * @param {string} name
   * @param {string} kind
   * @param {() => unknown} run
   */
  #button(name, kind, run) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = kind;
    button.setAttribute("aria-label", name);
    button.addEventListener("click", () => {
      this.remove();
      run();
    });
    this.box.append(button);
    return button;
  }

  /** Take it away: it is over. */
  remove() {
    waiting = waiting.filter((each) => each !== this);
    if (shown === this) next();
  }
}

/** @type {Notice | null} */
let shown = null;
/** Those whose place a newer one has taken, the newest last. @type {Notice[]} */
let waiting = [];
/** @type {ReturnType<typeof setInterval> | undefined} */
let ticking;

/**
 * Say something for a few seconds; screen readers hear it. `action` is {label, run} for a button, `undo` what a button
 * "Undo" does. The newest
 * notice takes the place of the one before, which comes back if there is something to do about it; one `about` the same
 * thing, and the same words, replace it for good. Gives the notice back, to be taken away when it is over.
 * @param {string} message
 * @param {{ kind?: string, action?: Action | null, undo?: (() => unknown) | null, about?: string }} [options]
 * @returns {Notice}
 */
export function toast(message, { kind = "info", action = null, undo = null, about = "" } = {}) {
  const notice = new Notice(message, {
    kind,
    action: undo ? { label: t("Undo"), run: undo } : action,
    about,
  });
  const replaced = (/** @type {Notice} */ old) => (about && old.about === about) || old.message === message;
  waiting = waiting.filter((old) => !replaced(old));
  if (shown) {
    shown.left = Math.max(AGAIN_MS, shown.left - (performance.now() - shown.since));
    if (shown.lasting && !replaced(shown)) waiting = [...waiting, shown].slice(-MOST_WAITING);
  }
  show(notice);
  return notice;
}

/**
 * Tell a failure to the person.
 * @param {unknown} error
 * @param {string} [about]
 */
export function tell(error, about = "") {
  toast(messageOf(error), { kind: "bad", about });
}

/**
 * What went wrong, in words.
 * @param {unknown} error
 * @returns {string}
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Say something where it belongs, in a form or a dialog; without words the line is hidden.
 * @param {HTMLElement} line
 * @param {string} words
 */
export function sayIn(line, words) {
  line.textContent = words;
  line.hidden = !words;
}

/**
 * Say something to those who do not see the page change.
 * @param {string} words
 */
export function announce(words) {
  byId("announced").textContent = words;
}

function next() {
  show(waiting.pop() ?? null);
}

/** @param {Notice | null} notice */
function show(notice) {
  clearInterval(ticking);
  shown?.box.remove();
  shown = notice;
  byId("toasts").classList.remove("docked");
  if (!notice) return;
  notice.since = performance.now();
  byId("toasts").append(notice.box);
  place();
  ticking = setInterval(() => {
    // Whoever points at it reads it.
    if (notice.box.matches(":hover, :focus-within")) notice.since = performance.now();
    if (performance.now() - notice.since > notice.left) notice.remove();
    else place();
  }, PLACE_MS);
}

/**
 * Put the notice where it covers nothing that is tapped: on a phone from above (what is tapped next lies below what was
 * tapped last), elsewhere from below. Where links fill the screen it is docked to its lower edge, from side to side: the
 * screen is that much shorter then, all of the page can be scrolled above it, and there it stays.
 */
function place() {
  const notices = byId("toasts");
  if (notices.classList.contains("docked")) return;
  const box = must(notices, ".toast").getBoundingClientRect();
  const taken = all(document, TAPPED)
    .filter((each) => !notices.contains(each))
    .map((each) => each.getBoundingClientRect())
    .filter(
      ({ width, height, left, right, top, bottom }) =>
        width && height && right > box.left && left < box.right && bottom > 0 && top < innerHeight,
    );
  const isFree = (/** @type {number} */ top) =>
    taken.every((each) => each.bottom + GAP_PX <= top || each.top - GAP_PX >= top + box.height);
  const last = Math.max(GAP_PX, innerHeight - box.height - GAP_PX);
  const fromAbove = matchMedia("(max-width: 560px)").matches;
  // It stays where it is for as long as that is free.
  const tops = [Number.parseFloat(notices.style.top)].filter((top) => top >= GAP_PX && top <= last);
  for (let top = GAP_PX; top <= last; top += GAP_PX) tops.push(fromAbove ? top : last + GAP_PX - top);
  const free = tops.find(isFree);
  notices.style.top = free === undefined ? "" : `${free}px`;
  notices.classList.toggle("docked", free === undefined);
}

addEventListener("scroll", () => shown && place(), { passive: true });
addEventListener("resize", () => shown && place());
// What is focused is to be read next.
addEventListener("focusin", () => shown && place());
