// A box's photos: sent one after the other, looked at by the server, and what is asked of them answered by tap.

import { api, t, tell, toast } from "../app.js";
import { all, byId, must } from "../elements.js";
import { el, fill } from "../review/dom.js";
import { PhotoQueue } from "./photo_queue.js";
import { sketch } from "./sketch.js";

const box = byId("enrolment");
const deck = encodeURIComponent(encodeURIComponent(box.dataset.deck ?? ""));

/** @type {Api.Enrolment} */
let now = JSON.parse(byId("enrolment-data", HTMLScriptElement).textContent ?? "null");
/** How many cards the page shows. */
let shown = now.cards;
/** @type {PhotoQueue<Api.Enrolment>} */
const photos = new PhotoQueue(
  { status: "enrolment-status", progress: "enrolment-progress" },
  () => api("GET", `/decks/${deck}/enrolment`),
  show,
);

/** @param {Api.Enrolment} enrolment */
function show(enrolment) {
  now = enrolment;
  const more =
    enrolment.cards > shown
      ? el("button", { type: "button", class: "button primary", onclick: showNew }, t("enrol_more"))
      : null;
  fill(byId("enrolment-questions"), more, ...enrolment.questions.map(question));
  fill(byId("shared-questions"), ...enrolment.shared.map(sharedQuestion));
  fill(byId("enrolment-photos"), ...enrolment.photos.map(photo));
  photos.tell(enrolment);
}

const HEAD = "#deck-far",
  CARDS = "#deck-cards";

/** The cards as the box has them now, those that came since first in sight; questions stay as they are. */
async function showNew() {
  try {
    const reply = await fetch(location.pathname, { credentials: "same-origin" });
    if (!reply.ok) throw new TypeError();
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    const before = new Set(all(document, `${CARDS} [data-card]`).map((face) => face.dataset.card));
    for (const part of [HEAD, CARDS]) must(document, part).replaceWith(must(page, part));
    const faces = all(document, `${CARDS} [data-card]`);
    shown = faces.length;
    const fresh = faces.filter((face) => !before.has(face.dataset.card)).map((face) => face.closest("li"));
    for (const item of fresh) item?.append(el("span", { class: "hint fresh" }, t("fresh")));
    show(now);
    (fresh[0] ?? must(document, CARDS)).scrollIntoView({ block: "start" });
  } catch (error) {
    tell(error instanceof TypeError ? new Error(t("server-away")) : error);
  }
}

/** @param {Api.EnrolledPhoto} seen */
function photo(seen) {
  const wrong = seen.state === "failed" || seen.advice.length > 0;
  return el(
    "li",
    { class: wrong ? "warn" : null },
    el("strong", {}, seen.name),
    ` ${seen.words}`,
    ...seen.advice.map((words) => el("p", { class: "warn" }, words)),
  );
}

/**
 * A card's picture, which has its room before it comes.
 * @param {string} source
 * @param {number} width
 */
function faceOf(source, width) {
  return el("img", { src: source, alt: "", width, height: Math.round(width * Number(box.dataset.slender)) });
}

/** @param {Api.FaceQuestion} asked */
function question(asked) {
  // What is printed on a card is small.
  const width = asked.kind === "reference" ? 280 : 120;
  /** @param {string} choice */
  const words = (choice) => {
    if (asked.kind === "reference") return t(choice === "same" ? "choice_yes" : "choice_no");
    return asked.kind === "removed" && choice === "same" ? t("choice_again") : t(`choice_${choice}`);
  };
  /** @type {(source: string, name: string) => HTMLElement} */
  const face = (source, name) => el("figure", {}, faceOf(source, width), el("figcaption", {}, name));
  return el(
    "div",
    { class: "panel stack face-question" },
    el("h3", {}, t(`enrol_${asked.kind}`, { card: asked.card ?? "", text: asked.text })),
    el(
      "div",
      { class: "row faces" },
      face(asked.picture, t("this_one")),
      asked.card_picture ? face(asked.card_picture, asked.card ?? "") : null,
    ),
    el(
      "div",
      { class: "trace-actions" },
      ...asked.choices.map((choice) =>
        el(
          "button",
          { type: "button", class: "button", "data-choice": choice, onclick: () => answer(asked, choice) },
          words(choice),
        ),
      ),
    ),
  );
}

/**
 * A card of the box beside the dungeons that it may have; one tap tells which.
 * @param {Api.SharedQuestion} asked
 */
function sharedQuestion(asked) {
  /**
   * @param {string} chosen
   * @param {string} words
   * @param {SVGSVGElement | null} picture
   */
  const choice = (chosen, words, picture) =>
    el(
      "button",
      {
        type: "button",
        class: "button",
        "data-candidate": chosen,
        onclick: () => answered(api("POST", `/decks/${deck}/shared/answers`, { card: asked.card, chosen })),
      },
      picture,
      el("span", {}, words),
    );
  return el(
    "div",
    { class: "panel stack face-question" },
    el("h3", {}, asked.words),
    el(
      "div",
      { class: "row faces" },
      el("figure", {}, faceOf(asked.picture, 160), el("figcaption", {}, asked.card)),
    ),
    el(
      "div",
      { class: "candidates" },
      ...asked.candidates.map((each) => choice(each.card, t("is_it", { card: each.card }), sketch(each))),
    ),
    choice("", t("none_of_these"), null),
  );
}

/**
 * @param {Api.FaceQuestion} asked
 * @param {Api.FaceQuestion["choices"][number]} choice
 */
function answer(asked, choice) {
  return answered(api("POST", `/decks/${deck}/answers`, { question: asked.name, choice }));
}

/** @param {Promise<Api.Enrolment>} sent an answer on its way */
async function answered(sent) {
  try {
    show(await sent);
    toast(t("answered"));
  } catch (error) {
    tell(error);
    photos.look();
  }
}

/** @param {File} file */
async function takeIn(file) {
  try {
    const name = new URLSearchParams({ name: file.name });
    const path = /** @type {const} */ (`/api/v1/decks/${deck}/shared?${name}`);
    const headers = { Accept: "application/json", "Content-Type": "application/octet-stream" };
    const reply = await fetch(path, { method: "POST", headers, body: file, credentials: "same-origin" });
    const told = await reply.json();
    if (!reply.ok) throw new Error(told.error.message);
    show(told);
    toast(t("take_in", { name: file.name }));
  } catch (error) {
    tell(error instanceof TypeError ? new Error(t("server-away")) : error);
  }
}

const shared = document.getElementById("shared-file");
if (shared instanceof HTMLInputElement) {
  shared.addEventListener("change", () => {
    const [file] = shared.files ?? [];
    shared.value = "";
    if (file) takeIn(file);
  });
}

for (const id of ["deck-camera", "deck-files"]) {
  const input = byId(id, HTMLInputElement);
  input.addEventListener("change", () => {
    const files = [...(input.files ?? [])];
    input.value = "";
    photos.send(files, (body) => api("POST", `/decks/${deck}/photos`, body));
  });
}
show(now);
box.classList.remove("awaiting");
