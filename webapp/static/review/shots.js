// The photos of a tableau: how far each has been read, which one is in use.

import { t } from "../app.js";
import { must } from "../elements.js";
import { el, fill, icon } from "./dom.js";

/** @type {Record<string, string>} */
const STATES = {
  waiting: t("Not read yet"),
  running: t("Not read yet"),
  done: t("Read"),
  failed: t("This photo could not be read"),
};
/** What is being done, by what is done already. @type {Record<string, string>} */
const STAGES = {
  load: t("Loading the cards"),
  start: t("Opening the photo"),
  photo: t("Finding the cards"),
  layout: t("Reading the ink"),
  ink: t("Following the path"),
  path: t("Reading the marks"),
  marks: t("Refereeing"),
};

/**
 * Fill the list. `run` has use(shot), remove(shot), restore(shot).
 * @param {Element} list
 * @param {Api.Review} review
 * @param {Record<"use" | "remove" | "restore", (shot: Api.ReviewShot) => unknown>} run
 */
export function showShots(list, review, run) {
  const told = toldFailure(review);
  fill(
    list,
    ...review.shots.map((shot, k) => {
      const name = t("Photo %(number)s", { number: k + 1 });
      const state = shot.deleted
        ? t("deleted")
        : shot.used
          ? t("In use")
          : shot.late
            ? t("Different result – not used yet")
            : STATES[shot.state];
      return el(
        "li",
        { class: `shot${shot.used ? " used" : ""}${shot.deleted ? " gone" : ""}`, "data-shot": shot.id },
        el("img", { src: shot.photo.sizes[0].url, alt: name, width: 96, height: 72, loading: "lazy" }),
        el(
          "div",
          { class: "shot-words" },
          el("span", { class: "shot-name" }, shot.used ? icon("check") : null, `${name} · ${state}`),
          shot.filename ? el("span", { class: "hint shot-file" }, shot.filename) : null,
          shot.error && shot.id !== told?.id ? el("span", { class: "error" }, shot.error) : null,
        ),
        el(
          "div",
          { class: "row" },
          !shot.deleted && !shot.used && shot.state === "done"
            ? button("check", t("Use this photo"), () => run.use(shot))
            : null,
          shot.deleted
            ? button("undo", t("Bring back"), () => run.restore(shot))
            : button("trash", t("Delete"), () => run.remove(shot), name),
        ),
      );
    }),
  );
}

/**
 * @param {string} name
 * @param {string} words
 * @param {() => unknown} onclick
 * @param {string} [about]
 */
function button(name, words, onclick, about = "") {
  return el(
    "button",
    { type: "button", class: "button", onclick, "aria-label": about ? `${words}: ${about}` : null },
    icon(name),
    el("span", {}, words),
  );
}

/**
 * @param {{ stage: string }} shot
 * @returns {string}
 */
function stageWords(shot) {
  return shot.stage ? (STAGES[shot.stage] ?? "") : t("Waiting for its turn");
}

/**
 * The photo whose failure is told above the list; null where another one can be used.
 * @param {Api.Review} review
 * @returns {Api.ReviewShot | null | undefined}
 */
function toldFailure(review) {
  return review.state === "failed" ? review.shots.filter((shot) => !shot.deleted).at(-1) : null;
}

/**
 * Progress of what is being read; nothing where all is done. The box keeps its elements, so that nothing jumps.
 * @param {HTMLElement} box
 * @param {Api.Review} review
 */
export function showProgress(box, review) {
  const shots = review.shots.filter((shot) => !shot.deleted);
  const busy = [...shots, review.rereading].find(
    (each) => each && ["running", "waiting"].includes(each.state),
  );
  const { errand } = review;
  const adding = errand?.kind === "new-card" && ["running", "waiting"].includes(errand.state);
  box.hidden = !busy && !adding;
  if (busy || adding) {
    if (!box.querySelector("progress")) {
      fill(
        box,
        el("p", { class: "stage-words" }),
        el("progress", { max: 1, value: 0, "aria-label": t("Reading the photo: %(stage)s", { stage: "" }) }),
      );
    }
    const words = must(box, ".stage-words");
    const said = busy ? stageWords(busy) : t("Adding the card to the box");
    if (words.textContent !== said) words.textContent = said;
    must(box, "progress", HTMLProgressElement).value = Math.max(busy?.progress ?? 0, 0.03);
  }
}
