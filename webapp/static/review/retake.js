// What spoilt a photo that could not be read, with the places in it, or that reading it takes long; beside it stands the
// button that takes it again. Of one that was read it is a small notice below the question, and only what the score may
// hang on is told.

import { t } from "../app.js";
import { byId, must } from "../elements.js";
import { el, fill, icon, shape } from "./dom.js";

/**
 * @import { Viewer } from "./viewer.js"
 * @typedef {{ title: string, words: string, why: readonly Api.Shortcoming[] }} Spoilt
 */

/**
 * Show or hide the panel, and the places on the photo.
 * @param {Api.Review} review
 * @param {Viewer | undefined} viewer
 * @param {boolean} slow whether people have waited long for the reading
 * @returns {boolean} whether the photo should be taken again
 */
export function showRetake(review, viewer, slow) {
  const waiting = newestUnread(review);
  const spoilt =
    waiting && slow
      ? { title: t("This is taking long"), words: t("You can wait, or go on without it."), why: [] }
      : spoiltPhoto(review);
  const box = byId("retake");
  box.hidden = !spoilt;
  box.classList.toggle("small", review.reading !== null || waiting !== undefined);
  // One way to take a photo at a time.
  must(document, ".more-photos").hidden = spoilt !== null;
  byId("retake-help").hidden = review.reading !== null;
  const layer = viewer?.clear("shortcomings");
  if (!spoilt) return false;
  fill(byId("retake-title"), icon("warning"), spoilt.title);
  byId("retake-words").textContent = spoilt.words;
  byId("retake-words").hidden = !spoilt.words;
  const several = spoilt.why.length > 1;
  fill(
    byId("retake-why"),
    ...spoilt.why.map(({ words, box: place }, k) =>
      el(
        "li",
        {},
        place
          ? el(
              "button",
              { type: "button", class: "note", onclick: () => viewer?.fit(place) },
              several ? el("span", { class: "place-number" }, k + 1) : icon("zoom-in"),
              el("span", {}, words),
            )
          : el("span", {}, words),
      ),
    ),
  );
  spoilt.why.forEach(({ box: place }, k) => {
    if (!place) return;
    const [left, top, right, bottom] = place;
    layer?.append(
      shape("rect", { x: left, y: top, width: right - left, height: bottom - top, class: "shortcoming" }),
    );
    if (!several) return;
    const size = Math.max(viewer?.photo.width ?? 0, viewer?.photo.height ?? 0) / 24;
    // Numbers of the same place stand side by side.
    const before = spoilt.why.slice(0, k).filter((each) => String(each.box) === String(place)).length;
    const at = { x: left + size * (0.3 + 0.9 * before), y: top + size, "font-size": size };
    layer?.append(shape("text", { ...at, class: "shortcoming-number" }, `${k + 1}`));
  });
  return true;
}

/**
 * The newest photo that is still to be read where there is no reading yet.
 * @param {Api.Review} review
 * @returns {Api.ReviewShot | undefined}
 */
export function newestUnread({ shots, reading }) {
  if (reading) return undefined;
  return shots.filter((shot) => !shot.deleted && ["waiting", "running"].includes(shot.state)).at(-1);
}

/**
 * The photo that is to be taken again: the latest where none could be read, or the one in use where what spoils it left
 * doubts that nobody has looked into yet.
 * @param {Api.Review} review
 * @returns {Spoilt | null}
 */
function spoiltPhoto({ state, shots, reading, rereading, lead }) {
  if (lead && !reading) return null;
  const shown = shots.filter((shot) => !shot.deleted);
  if ([...shown, rereading].some((each) => ["waiting", "running"].includes(each?.state ?? ""))) return null;
  const last = shown[shown.length - 1];
  if (state === "failed" && last) {
    const why = last.shortcomings;
    return { title: t("This photo could not be read"), words: why.length ? "" : (last.error ?? ""), why };
  }
  if (!reading || reading.sure || reading.corrected) return null;
  const why = reading.shortcomings.filter(({ bears }) => bears);
  return why.length ? { title: t("This photo is hard to read"), words: "", why } : null;
}
