// A page of a game, or of all games, stays as they are on every device: its parts (`data-live`) are fetched when the
// version at `data-watch` grows, and morphed to what is new, without touching what a person is doing. What a person or a
// script works with (`data-fresh`) follows in its values alone.
import { api, away, tell } from "../app.js";
import { all, byId, closest, may, must, there } from "../elements.js";
import { announce } from "../notices.js";
import { Idiomorph } from "../vendor/idiomorph.js";
import { watch } from "../watch.js";

const POLL_MS = 3000;
const BUSY_MS = 1000;
/** What the server does not know stays: a field being written, what is open. */
const KEPT = {
  callbacks: {
    beforeAttributeUpdated: (/** @type {string} */ name, /** @type {Element} */ here) =>
      !(name === "value" && here === document.activeElement) &&
      !(name === "open" && here.matches("[data-keep]")),
  },
};
const root = byId("live");
let version = Number(root.dataset.version);
/** @type {Promise<void> | null} */
let running = null;
/** @type {Map<string | undefined, string>} */
const shown = new Map();
for (const part of parts(document)) shown.set(part.dataset.live, part.outerHTML);

/** @param {ParentNode} from */
function parts(from) {
  return all(from, "[data-live]");
}

/** The players' scores in words, by the button that shows each. */
function scores() {
  return new Map(all(document, "[data-edit]").map((each) => [each.id, each.getAttribute("aria-label")]));
}

/** Fetch the page again and swap the parts that differ. One at a time; a second call waits for another. */
export function refresh() {
  running = (running ?? Promise.resolve()).then(swap, swap);
  return running;
}

async function swap() {
  const answer = await fetch(root.dataset.parts ?? location.pathname, { credentials: "same-origin" });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const now = parts(fresh);
  const old = new Map(parts(document).map((part) => [part.dataset.live, part]));
  if (now.length !== old.size || now.some((part) => !old.has(part.dataset.live))) {
    location.reload();
    return;
  }
  version = Number(must(fresh, "#live").dataset.version);
  const before = scores();
  for (const part of now) {
    const key = part.dataset.live;
    const html = part.outerHTML;
    if (shown.get(key) === html) continue;
    Idiomorph.morph(there(old.get(key), "part"), part, KEPT);
    shown.set(key, html);
  }
  for (const each of all(fresh, "[data-fresh]")) {
    const here = may(document, `[data-fresh="${each.dataset.fresh}"]`);
    if (here) follow(here, each);
  }
  // Who does not see the boxes change hears it.
  const changed = [...scores()].filter(([id, words]) => before.get(id) !== words);
  if (changed.length) announce(changed.map(([, words]) => words).join(". "));
}

/**
 * A field that nobody has written into takes the new value; a way to bring photos goes over to whom it is for now.
 * @param {HTMLElement} here
 * @param {HTMLElement} fresh
 */
function follow(here, fresh) {
  if (isField(here)) {
    if (here.value === here.defaultValue && here !== document.activeElement && isField(fresh))
      here.value = here.defaultValue = fresh.defaultValue;
    return;
  }
  here.hidden = fresh.hidden;
  Object.assign(here.dataset, fresh.dataset);
  const [form, target] = [here, fresh].map((each) => may(each, "form[data-capture]", HTMLFormElement));
  if (!form || !target) return;
  // The form itself stays: the camera may be open over it, and gives its photo to the field that opened it.
  Object.assign(form.dataset, target.dataset);
  for (const name of ["entry_id", "tableau_id", "next"]) {
    const [mine, wanted] = [form, target].map((each) => may(each, `[name="${name}"]`, HTMLInputElement));
    if (mine && wanted) mine.value = wanted.value;
  }
  must(form, "label span").textContent = must(target, "label span").textContent;
  const [camera, theirs] = [form, target].map((each) => must(each, "[data-capture-live]", HTMLAnchorElement));
  camera.href = theirs.getAttribute("href") ?? "";
}

/**
 * @param {HTMLElement} element
 * @returns {element is HTMLInputElement | HTMLTextAreaElement}
 */
function isField(element) {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}

/** Take in what a page leaves out of its closed `data-rest`, with all that follows. */
function takeRest() {
  root.dataset.parts = "?whole=1";
  refresh().catch(() => tell(away()));
}

const REST = "details[data-rest][open]";
// These events do not bubble.
document.addEventListener("toggle", (event) => closest(event, REST) && takeRest(), true);
if (may(document, REST)) takeRest();

/** Whether a photo of a shared table is being read, which changes no version. */
const isReading = () => may(document, "#table-busy") !== null;

watch(() => api("GET", root.dataset.watch ?? `/games/${root.dataset.game}/version`), {
  every: () => (isReading() ? BUSY_MS : POLL_MS),
  onAnswer: (now) => {
    if (isReading() || /** @type {Api.Version} */ (now).version !== version) return refresh();
  },
});
