// A page of a game, or of all games, stays as they are on every device: its parts (`data-live`) are fetched and
// swapped when the version at `data-watch` grows, without touching what a person is doing. What cannot be swapped because a person or
// a script works with it (`data-fresh`) follows in place.
import { api, ApiError, tell } from "../app.js";

const POLL_MS = 3000;
const root = document.getElementById("live");
let version = Number(root.dataset.version);
let running = null;
let gone = false;
const shown = new Map();
for (const part of parts(document)) shown.set(part.dataset.live, part.outerHTML);
const said = document.createElement("p");
said.className = "visually-hidden";
said.setAttribute("role", "status");
document.getElementById("main").append(said);

function parts(from) {
  return [...from.querySelectorAll("[data-live]")];
}

/** The players' scores in words, by the button that shows each. */
function scores() {
  return new Map(
    [...document.querySelectorAll("[data-edit]")].map((each) => [each.id, each.getAttribute("aria-label")]),
  );
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
  version = Number(fresh.getElementById("live").dataset.version);
  const before = scores();
  for (const part of now) {
    const key = part.dataset.live;
    const html = part.outerHTML;
    if (shown.get(key) === html) continue;
    replace(old.get(key), document.adoptNode(part));
    shown.set(key, html);
  }
  for (const each of fresh.querySelectorAll("[data-fresh]")) {
    const here = document.querySelector(`[data-fresh="${each.dataset.fresh}"]`);
    if (here) follow(here, each);
  }
  // Who does not see the boxes change hears it.
  const changed = [...scores()].filter(([id, words]) => before.get(id) !== words);
  if (changed.length) said.textContent = changed.map(([, words]) => words).join(". ");
}

function replace(old, part) {
  const focused = old.contains(document.activeElement) ? document.activeElement.id : "";
  const scrolled = [...old.querySelectorAll(".scroll-x")].map((box) => box.scrollLeft);
  const open = new Map(
    [...old.querySelectorAll("[data-keep]")].map((each) => [each.dataset.keep, each.open]),
  );
  part.querySelectorAll("[data-keep]").forEach((each) => {
    if (open.has(each.dataset.keep)) each.open = open.get(each.dataset.keep);
  });
  old.replaceWith(part);
  part.querySelectorAll(".scroll-x").forEach((box, index) => {
    box.scrollLeft = scrolled[index] ?? 0;
  });
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** A field that nobody has written into takes the new value; a way to bring photos goes over to whom it is for
 * now. */
function follow(here, fresh) {
  if ("defaultValue" in here) {
    if (here.value === here.defaultValue && here !== document.activeElement)
      here.value = here.defaultValue = fresh.defaultValue;
    return;
  }
  here.hidden = fresh.hidden;
  Object.assign(here.dataset, fresh.dataset);
  const [form, target] = [here, fresh].map((each) => each.querySelector("form[data-capture]"));
  if (!form || !target) return;
  Object.assign(form.dataset, target.dataset);
  for (const name of ["entry_id", "tableau_id", "next"]) {
    if (form.elements[name]) form.elements[name].value = target.elements[name].value;
  }
  form.querySelector("label span").textContent = target.querySelector("label span").textContent;
  form.querySelector("[data-capture-live]").href = target
    .querySelector("[data-capture-live]")
    .getAttribute("href");
}

async function look() {
  if (document.visibilityState !== "visible" || gone) return;
  try {
    const now = await api("GET", root.dataset.watch ?? `/games/${root.dataset.game}/version`);
    if (now.version !== version) await refresh();
  } catch (error) {
    // The server is away for a moment: the next look may find it. A game in the bin is gone from here.
    gone = error instanceof ApiError && error.status === 404;
    if (gone) tell(error);
  }
}

setInterval(look, POLL_MS);
document.addEventListener("visibilitychange", look);
addEventListener("pageshow", (event) => event.persisted && look());
