// A box's photos: sent one after the other, looked at by the server, and what is asked of them answered by tap.

import { api, fetchPage, t, tell, toast } from "../app.js";
import { all, byId, must } from "../elements.js";
import { el, fill } from "../review/dom.js";
import { PhotoQueue } from "./photo_queue.js";
import { restShown, showRest } from "./rest.js";
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
      ? el(
          "button",
          { type: "button", class: "button primary", onclick: showNew },
          t("There are new cards in the box. Show them"),
        )
      : null;
  fill(byId("enrolment-questions"), more, ...enrolment.questions.map(question));
  fill(byId("shared-questions"), ...enrolment.shared.map(sharedQuestion));
  fill(byId("enrolment-photos"), ...enrolment.photos.map(photo));
  fill(byId("enrolment-missing"), ...enrolment.missing.map((words) => el("li", {}, words)));
  photos.tell(enrolment);
}

const HEAD = "#deck-far",
  CARDS = "#deck-cards";

/** The cards as the box has them now, those that came since first in sight; questions stay as they are. */
async function showNew() {
  try {
    await restShown;
    const page = await fetchPage(location.pathname);
    const before = new Set(all(document, `${CARDS} [data-card]`).map((face) => face.dataset.card));
    for (const part of [HEAD, CARDS]) must(document, part).replaceWith(must(page, part));
    await showRest();
    const faces = all(document, `${CARDS} [data-card]`);
    shown = faces.length;
    const fresh = faces.filter((face) => !before.has(face.dataset.card)).map((face) => face.closest("li"));
    for (const item of fresh) item?.append(el("span", { class: "hint fresh" }, t("Just came in")));
    show(now);
    (fresh[0] ?? must(document, CARDS)).scrollIntoView({ block: "start" });
  } catch (error) {
    tell(error);
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

/** @type {Record<Api.FaceQuestion["choices"][number], string>} */
const CHOICES = {
  same: t("The same card"),
  new: t("Another card"),
  back: t("The back"),
  leave: t("Leave it out"),
};

/**
 * What is asked of a face.
 * @param {Api.FaceQuestion} asked
 */
function asks({ kind, card, text }) {
  if (kind === "back") return t("Is this the back of the cards?");
  if (kind === "removed") return t("This card was taken out of the box. Add it again?");
  if (kind === "reference") return t("Is %(text)s printed on this card?", { text });
  return t("Is this the same card as %(card)s?", { card: card ?? "" });
}

/** @param {Api.FaceQuestion} asked */
function question(asked) {
  // What is printed on a card is small.
  const width = asked.kind === "reference" ? 280 : 120;
  /** @param {Api.FaceQuestion["choices"][number]} choice */
  const words = (choice) => {
    if (asked.kind === "reference") return choice === "same" ? t("Yes") : t("No");
    return asked.kind === "removed" && choice === "same" ? t("Add it again") : CHOICES[choice];
  };
  /** @type {(source: string, name: string) => HTMLElement} */
  const face = (source, name) => el("figure", {}, faceOf(source, width), el("figcaption", {}, name));
  return el(
    "div",
    { class: "panel stack face-question" },
    el("h3", {}, asks(asked)),
    el(
      "div",
      { class: "row faces" },
      face(asked.picture, t("This one")),
      asked.card_picture ? face(asked.card_picture, asked.card ?? "") : null,
    ),
    asked.others.length ? el("p", {}, t("Or is it one of these?")) : null,
    el("div", { class: "row faces" }, ...asked.others.map((other) => offered(asked, other))),
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
 * A further card that a face may be, as a button.
 * @param {Api.FaceQuestion} asked
 * @param {Api.OfferedCard} other
 */
function offered(asked, { card, picture }) {
  return el(
    "button",
    {
      type: "button",
      class: "button offered",
      "data-offered": card,
      onclick: () => answer(asked, "same", card),
    },
    faceOf(picture, 88),
    el("span", {}, t("It is %(card)s", { card })),
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
      ...asked.candidates.map((each) =>
        choice(each.card, t("It is %(card)s", { card: each.card }), sketch(each)),
      ),
    ),
    choice("", t("None of these"), null),
  );
}

/**
 * @param {Api.FaceQuestion} asked
 * @param {Api.FaceQuestion["choices"][number]} choice
 * @param {string} card the chosen card; "": the first one that the question offers
 */
function answer(asked, choice, card = "") {
  return answered(api("POST", `/decks/${deck}/answers`, { question: asked.name, choice, card }));
}

/** @param {Promise<Api.Enrolment>} sent an answer on its way */
async function answered(sent) {
  try {
    show(await sent);
    toast(t("The answer is kept."));
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
    toast(t("Dungeons are being taken in from %(name)s.", { name: file.name }));
  } catch (error) {
    tell(
      error instanceof TypeError
        ? new Error(t("The server cannot be reached; try again in a moment."))
        : error,
    );
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

byId("stated-cards", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  const told = Number(byId("stated-count", HTMLInputElement).value);
  answered(api("PUT", `/decks/${deck}/stated-cards`, { cards: told || null }));
});
