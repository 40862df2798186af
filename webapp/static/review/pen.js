// A player's pen, learned from one tap on its line in the photo, and taken back in one step. Both are done in the
// background; what came of them is told photo by photo.

import { api, t, tell, toast } from "../app.js";
import { all, byId, may, must } from "../elements.js";
import { el, fill } from "./dom.js";

/**
 * @import { ReviewPage } from "./main.js"
 * @import { Tap } from "./viewer.js"
 */

/**
 * Wait for somebody to say which line is theirs. `page` is the review page: `path`, `review`, `viewer`, `follow`.
 * What it gives shows how far it is that was asked; undefined where there are no pens.
 * @param {ReviewPage} page
 * @returns {((errand: Api.ReviewErrand, now: { busy: boolean, told: boolean }) => void) | undefined}
 */
export function listenToPens(page) {
  const box = may(page.root, "#pen", HTMLDetailsElement);
  if (!box) return undefined;
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
    say(t("Tap the line in the photo, where it is clearest."));
    viewer.host.scrollIntoView({ block: "nearest" });
    viewer.host.focus({ preventScroll: true });
  });
  undo.addEventListener("click", () => takeBack(page, box));
  return (errand, { busy, told }) => {
    if (errand.kind === "new-card") return;
    if (busy) {
      wait(box, true);
      say(t("Learning the pen; the photos are read again."));
    } else if (told) {
      wait(box, false);
      say("");
    }
    if (!errand.pen || !(busy || told)) return;
    const { kept, photos } = errand.pen;
    fill(byId("pen-changes"), ...photos.map((photo) => el("li", {}, words(photo))));
    if (!told) return;
    undo.hidden = !kept;
    if (errand.error) return;
    if (errand.kind === "pen-undo") {
      say(t("The pen is as it was before."));
      return;
    }
    const said = t("The pen is learned. Photos that are read differently: %(count)s.", {
      count: photos.filter((photo) => photo.changed).length,
    });
    say(said);
    toast(said, { undo: () => takeBack(page, box) });
  };
}

/**
 * @param {ReviewPage} page
 * @param {HTMLElement} box
 * @param {{ x: number, y: number }} at
 */
function learn(page, box, { x, y }) {
  return ask(page, box, () => api("POST", `${page.path}/pen`, { at: [x, y] }));
}

/**
 * @param {ReviewPage} page
 * @param {HTMLElement} box
 */
function takeBack(page, box) {
  return ask(page, box, () => api("POST", `${page.path}/pen/undo`));
}

/**
 * Have a pen changed; what comes of it the page tells later.
 * @param {ReviewPage} page
 * @param {HTMLElement} box
 * @param {() => Promise<Api.ReviewErrand>} asking
 */
async function ask(page, box, asking) {
  wait(box, true);
  say(t("Learning the pen; the photos are read again."));
  fill(byId("pen-changes"));
  try {
    page.follow(await asking());
  } catch (error) {
    wait(box, false);
    say("");
    tell(error);
  }
}

/**
 * @param {HTMLElement} box
 * @param {boolean} busy
 */
function wait(box, busy) {
  for (const button of all(box, "button")) button.toggleAttribute("disabled", busy);
}

/** @param {Api.PenPhoto} photo */
function words({ round, before, after, changed, stays }) {
  const sure = (/** @type {{ sure: boolean }} */ seen) => (seen.sure ? t("Sure") : t("Not sure yet"));
  const fromTo = { before: before.places, was: sure(before), after: after.places, now: sure(after) };
  const told = [
    changed ? t("%(before)s places (%(was)s) → %(after)s places (%(now)s)", fromTo) : t("as before"),
    changed && stays ? t("it stays as you corrected it") : "",
  ];
  const line = told.filter(Boolean).join(" · ");
  return round === null ? line : t("Round %(number)s: %(words)s", { number: round, words: line });
}

/** @param {string} sentence */
function say(sentence) {
  byId("pen-said").textContent = sentence;
}
