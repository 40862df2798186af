// Two devices that photograph for one player learn of each other at once: this one tells every second whose cards
// it is about to photograph, and hears who else is, and what has come.
import { api, newKey, t } from "../app.js";
import { all } from "../elements.js";
import { watch } from "../watch.js";
import { listen } from "./queue.js";

const TELL_MS = 1_000;
const device = newKey();

/**
 * Tell it for as long as the page is seen, and show in every `[data-others]` what is heard.
 * @param {{ entry?: string, tableau?: string }} target
 * @param {() => void} [onArrival] a photo of another device has come
 */
export function watchOthers({ entry, tableau }, onArrival = () => {}) {
  if (!entry && !tableau) return;
  const body = { device, entry_id: entry || null, tableau_id: entry ? null : tableau || null };
  /** @type {Set<string> | null} */
  let known = null;
  /** @type {Api.ShotView | null} */
  let arrived = null;
  /** What this device has sent. @type {Set<string>} */
  const own = new Set();
  listen("sent", ({ answer }) => {
    own.add(answer.shot.id);
    if (arrived?.id === answer.shot.id) arrived = null;
  });
  const telling = watch(() => api("POST", "/photographers", body), {
    every: TELL_MS,
    onAnswer: ({ others, shots, tableau_id: at }) => {
      const fresh = known ? shots.filter(({ id }) => !known?.has(id) && !own.has(id)) : [];
      known = new Set(shots.map((shot) => shot.id));
      if (fresh.length) {
        arrived = fresh[fresh.length - 1];
        onArrival();
      }
      show(arrived && known.has(arrived.id) ? at : null, others);
    },
  });
  telling.now();
}

let shown = "";

/**
 * @param {string | null} tableau where a photo has come
 * @param {number} others
 */
function show(tableau, others) {
  const words = tableau
    ? t("A photo of the same cards has just come from another device.")
    : others
      ? t("Another device is about to photograph the same cards.")
      : "";
  if (words + tableau === shown) return;
  shown = words + tableau;
  for (const box of all(document, "[data-others]")) {
    const said = document.createElement("span");
    said.textContent = words;
    box.replaceChildren(said);
    box.hidden = !words;
    if (!tableau) continue;
    const link = document.createElement("a");
    link.className = "button";
    link.href = `/tableaus/${encodeURIComponent(tableau)}`;
    link.textContent = t("Look at it");
    box.append(link);
  }
}
