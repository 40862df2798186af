// A player's pen, learned from one tap on its line in the photo, and taken back in one step.

import { api, t, tell, toast } from "../app.js";
import { all, byId, may, must } from "../elements.js";
import { el, fill } from "./dom.js";

/**
 * @import { ReviewPage } from "./main.js"
 * @import { Tap } from "./viewer.js"
 */

/**
 * Wait for somebody to say which line is theirs. `page` is the review page: `path`, `review`, `viewer`, `look`.
 * @param {ReviewPage} page
 */
export function listenToPens(page) {
  const box = may(page.root, "#pen", HTMLDetailsElement);
  if (!box) return;
  const tap = must(box, "[data-pen=tap]", HTMLButtonElement);
  const undo = must(box, "[data-pen=undo]", HTMLButtonElement);
  undo.hidden = "unknown" in box.dataset;
  /** @type {(() => void) | null} */
  let stop = null;

  const rest = () => {
    stop?.();
    stop = null;
    tap.setAttribute("aria-pressed", "false");
    page.root.classList.remove("bare");
  };
  tap.addEventListener("click", () => {
    if (stop) {
      rest();
      say("");
      return;
    }
    if (!page.review.reading) return;
    // The line itself is tapped, not what was read over it.
    page.root.classList.add("bare");
    const { viewer } = page;
    viewer.doubleTapZooms = false;
    const off = viewer.on("tap", (/** @type {Tap} */ at) => {
      rest();
      learn(page, box, at);
    });
    stop = () => {
      off();
      viewer.doubleTapZooms = true;
    };
    tap.setAttribute("aria-pressed", "true");
    say(t("pen_where"));
    viewer.host.scrollIntoView({ block: "nearest" });
    viewer.host.focus({ preventScroll: true });
  });
  undo.addEventListener("click", () => takeBack(page, box));
}

/**
 * @param {ReviewPage} page
 * @param {HTMLElement} box
 * @param {{ x: number, y: number }} at
 */
async function learn(page, box, { x, y }) {
  const changed = await ask(page, box, () => api("POST", `${page.path}/pen`, { at: [x, y] }));
  if (!changed) return;
  const said = t("pen_learned", { count: changed.photos.filter((photo) => photo.changed).length });
  say(said);
  toast(said, { action: { label: t("undo"), run: () => takeBack(page, box) } });
}

/**
 * @param {ReviewPage} page
 * @param {HTMLElement} box
 */
async function takeBack(page, box) {
  const changed = await ask(page, box, () => api("POST", `${page.path}/pen/undo`));
  if (changed) say(t("pen_undone"));
}

/**
 * What comes of a change of the pen, told photo by photo; null where nothing does, which is told.
 * @param {ReviewPage} page
 * @param {HTMLElement} box
 * @param {() => Promise<Api.PenChanged>} asking
 */
async function ask(page, box, asking) {
  const buttons = all(box, "button");
  for (const button of buttons) button.toggleAttribute("disabled", true);
  say(t("pen_reading"));
  fill(byId("pen-changes"));
  try {
    const changed = await asking();
    if (changed.busy) {
      say(t("pen_busy"));
      return null;
    }
    must(box, "[data-pen=undo]").hidden = !changed.kept;
    fill(byId("pen-changes"), ...changed.photos.map((photo) => el("li", {}, told(photo))));
    await page.look();
    return changed;
  } catch (error) {
    say("");
    tell(error);
    return null;
  } finally {
    for (const button of buttons) button.toggleAttribute("disabled", false);
  }
}

/** @param {Api.PenPhoto} photo */
function told({ round, before, after, changed, stays }) {
  const sure = (/** @type {{ sure: boolean }} */ seen) => t(seen.sure ? "sure" : "not_sure");
  const fromTo = { before: before.places, was: sure(before), after: after.places, now: sure(after) };
  const words = [changed ? t("pen_from_to", fromTo) : t("pen_same"), changed && stays ? t("pen_stays") : ""];
  const line = words.filter(Boolean).join(" · ");
  return round === null ? line : t("pen_round", { number: round, words: line });
}

/** @param {string} words */
function say(words) {
  byId("pen-said").textContent = words;
}
