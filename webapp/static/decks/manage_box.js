// A box's name, and whether it is set aside; every change of a box can be undone.

import { api, t, tell, toast } from "../app.js";
import { byId, closest, field } from "../elements.js";
import { restShown } from "./rest.js";

/**
 * @typedef {Api.Body<"PATCH", `/decks/${string}`>} BoxChange
 * @typedef {Api.Body<"PATCH", `/decks/${string}/cards/${string}`>} CardChange
 * What was changed, in words, and what takes it back: of a card, or of the box (`card` null).
 * @typedef {{ words: string, card: string | null, body: BoxChange | CardChange }} Changed
 */

const box = byId("manage");
const name = box.dataset.name ?? "";
/** Escaped once more than paths are: an id may have a slash. @param {string} id */
const escaped = (id) => encodeURIComponent(encodeURIComponent(id));
/** @type {`/decks/${string}`} */
const path = `/decks/${escaped(box.dataset.deck ?? "")}`;
const PLACE = `waymark.changed ${path}`;

/**
 * @param {string | null} of
 * @param {BoxChange | CardChange} body
 */
async function send(of, body) {
  if (of === null) await api("PATCH", path, /** @type {BoxChange} */ (body));
  else await api("PATCH", `${path}/cards/${escaped(of)}`, /** @type {CardChange} */ (body));
}

/**
 * Make a change, and show the page as it then is, with a notice that takes it back.
 * @param {string | null} of
 * @param {BoxChange | CardChange} body
 * @param {Changed | string} then
 */
export async function change(of, body, then) {
  await send(of, body);
  try {
    sessionStorage.setItem(PLACE, JSON.stringify({ then, top: scrollY }));
  } catch {
    // The change is made; it is undone by hand.
  }
  location.reload();
}

/** Tell what was changed before the page was shown anew, and go back to where that was. */
async function tellChanged() {
  /** @type {{ then: Changed | string, top: number } | null} */
  let changed;
  try {
    changed = JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
    sessionStorage.removeItem(PLACE);
  } catch {
    return;
  }
  if (!changed) return;
  const { then, top } = changed;
  if (typeof then === "string") toast(then);
  else {
    const run = () => change(then.card, then.body, t("Undone.")).catch(tell);
    toast(then.words, { undo: run });
  }
  if (await restShown) scrollTo(0, top);
}

/** @param {boolean} aside */
async function setAside(aside) {
  const then = aside
    ? { words: t("The box is set aside."), card: null, body: { set_aside: false } }
    : { words: t("The box is back."), card: null, body: { set_aside: true } };
  try {
    await change(null, { set_aside: aside }, then);
  } catch (error) {
    if (!aside || !(error instanceof Error) || !("status" in error) || error.status !== 409) {
      tell(error);
      return;
    }
    const asked = byId("aside-anyway", HTMLDialogElement);
    byId("aside-words").textContent = error.message;
    asked.returnValue = "";
    asked.showModal();
    await new Promise((closed) => asked.addEventListener("close", closed, { once: true }));
    if (asked.returnValue === "anyway")
      await change(null, { set_aside: true, anyway: true }, then).catch(tell);
  }
}

byId("box-name", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  const wanted = field(byId("box-name", HTMLFormElement), "name").value.trim();
  if (wanted === name || !wanted) return;
  const back = {
    words: t("Renamed to %(name)s.", { name: wanted }),
    card: null,
    body: { name, seen: wanted },
  };
  change(null, { name: wanted, seen: name }, back).catch(tell);
});

document.addEventListener("click", (event) => {
  const aside = closest(event, "[data-aside]");
  if (aside) setAside(aside.dataset.aside === "true");
});

tellChanged();
