// A photo that waits at a board: what is asked of it, the turn that it shows, taking it or leaving it.

import { api, t, toast } from "../app.js";
import { byId } from "../elements.js";
import { el, fill, icon } from "../review/dom.js";
import { photoPart, pieceImage } from "./draw.js";
import { moreWords, verdict } from "./tell.js";

/** @import { BoardPage } from "./board.js" */

/** With more questions than this another photo is quicker. */
const MANY = 6;

/** @param {BoardPage} page */
export function drawPending(page) {
  const { pending } = page.view;
  const box = byId("pending");
  box.hidden = !pending;
  if (!pending) return fill(box);
  const [question] = pending.questions;
  const turn = (page.telling.open && page.telling.trial?.ruling) || pending.turn;
  const ruled = Boolean(turn && turn.legal !== null);
  const looks = question?.kind === "looked-over" ? question : null;
  // what a ruling does not hang on is asked below it, and need not be answered
  const open = question && !looks && (question.needed || !ruled);
  const unsure = turn && !open && !looks && !pending.sure;
  const words = ruled ? confirmWords(turn?.legal === false, Boolean(question)) : t("The board is as shown");
  const take = open ? null : takes(words, ruled ? (question ? "seen" : "turn") : "board", page);
  fill(
    box,
    ...pending.seen.warnings.map((each) => el("p", { class: "warn" }, each)),
    open ? asks(question, pending, page) : null,
    turn && !open ? verdict(turn) : null,
    unsure
      ? el(
          "p",
          { class: "warn" },
          icon("question"),
          ` ${t("Waymark is not sure of this photo; look at the marked places, or take another one.")}`,
        )
      : null,
    looks ? looksOver(looks, take) : null,
    el(
      "div",
      { class: "row" },
      looks ? null : take,
      turn && !open && !page.telling.open
        ? el(
            "button",
            { type: "button", class: "button", id: "tell-more", onclick: () => page.telling.start() },
            icon("plus"),
            el("span", {}, moreWords(page)),
          )
        : null,
      ruled
        ? el(
            "button",
            {
              type: "button",
              class: "button quiet",
              id: "take-photo-board",
              onclick: () => page.takePhoto(false),
            },
            el("span", {}, t("Not a turn: save this as the current board")),
          )
        : null,
      el(
        "button",
        {
          type: "button",
          class: "button quiet",
          id: "leave-photo",
          onclick: () =>
            page.act(
              () => api("POST", `${page.path}/board/leave`, { version: page.version }),
              t("The photo is not used."),
            ),
        },
        icon("trash"),
        el("span", {}, t("Do not use this photo")),
      ),
    ),
    el("p", { class: "hint" }, t("Tap a tile or a piece in the picture to correct it.")),
    question && !open && !looks
      ? el("section", { class: "unneeded" }, ...alsoUnclear(), asks(question, pending, page))
      : null,
  );
}

/**
 * The button that takes the photo as read: as the turn, or as the board.
 * @param {string} words
 * @param {"seen" | "turn" | "board"} as
 * @param {BoardPage} page
 */
const takes = (words, as, page) =>
  el(
    "button",
    {
      type: "button",
      class: "button primary big",
      id: `take-photo-${as}`,
      onclick: () => page.takePhoto(as !== "board"),
    },
    icon("check"),
    el("span", {}, words),
  );

/**
 * The whole reading is looked over with one tap: what is least certain is marked in the picture.
 * @param {Api.BoardAsked} question
 * @param {HTMLElement | null} take
 */
function looksOver(question, take) {
  if (take) take.dataset.option = "0";
  return el(
    "div",
    { class: "question", id: "question", "data-kind": question.kind },
    el("p", { class: "ask" }, question.words),
    take,
  );
}

/**
 * @param {boolean} broken
 * @param {boolean} unseen whether nobody has looked over what was read
 */
const confirmWords = (broken, unseen) =>
  broken ? t("Allow it anyway") : unseen ? t("It is as shown: confirm this turn") : t("Confirm this turn");

const alsoUnclear = () => [
  el("h3", {}, t("Also unclear")),
  el("p", { class: "hint" }, t("This does not change the turn; you can leave it open.")),
];

/** @param {Api.PendingPhoto} pending */
const hiddenPlaces = ({ questions }) => questions.filter((each) => each.kind === "hidden");

/**
 * The answer that nothing lies in any of the places that nobody sees: one tap for all of them.
 * @param {BoardPage} page
 * @param {Api.PendingPhoto} pending
 */
async function nothingHidden(page, pending) {
  for (const { name, options } of hiddenPlaces(pending)) {
    const question = page.view.pending?.questions.find((each) => each.name === name);
    const nothing = options.findIndex((each) => each.empty);
    if (question && nothing >= 0 && !(await answer(page, question, nothing))) return;
  }
}

/**
 * The answer by its number.
 * @param {BoardPage} page
 * @param {Api.BoardAsked} question
 * @param {number} option
 */
function answer(page, question, option) {
  const body = { version: page.version, question: question.name, option };
  return page.act(() => api("POST", `${page.path}/board/answers`, body));
}

/**
 * The answer that what is asked about stands in a cell.
 * @param {BoardPage} page
 * @param {Api.BoardAsked} question
 * @param {[number, number]} cell
 */
export function answerCell(page, question, cell) {
  const option = question.options.findIndex((each) => String(each.cell) === String(cell));
  return option < 0
    ? page.change({ kind: "piece", piece: question.put, cell })
    : answer(page, question, option);
}

/**
 * The part of the photo that a question, or an answer, is about.
 * @param {BoardPage} page
 * @param {Api.PendingPhoto} pending
 * @param {{ cell?: readonly [number, number] | null, crop_px?: readonly number[] | null }} about
 */
function shown({ view }, { seen }, { cell, crop_px: crop }) {
  const outline = cell ? seen.cells[cell[1] * view.picture.columns + cell[0]] : undefined;
  if (outline) return photoPart(seen, outline);
  const [left, top, right, bottom] = crop ?? [];
  if (left === undefined || top === undefined || right === undefined || bottom === undefined) return null;
  return photoPart(seen, [
    [left, top],
    [right, bottom],
  ]);
}

/**
 * One question about the photo, with its place, what it is about, and its answers.
 * @param {Api.BoardAsked} question
 * @param {Api.PendingPhoto} pending
 * @param {BoardPage} page
 */
function asks(question, pending, page) {
  const offered = new Set(question.options.map((each) => each.art));
  const about = (question.pieces ?? []).filter(({ art }) => !offered.has(art)).slice(0, 4);
  const places = question.places ?? [];
  const buttons = question.options.map((option, number) => choice(question, option, number, pending, page));
  // the pictures of a strip are a row of their own, above what ends it
  const inStrip = buttons.filter((_, number) => places.length && question.options[number]?.art);
  return el(
    "div",
    { class: "question", id: "question", "data-kind": question.kind },
    pending.questions.length > MANY
      ? el(
          "p",
          { class: "warn" },
          icon("camera"),
          " ",
          t(
            "Much of this photo is unclear (%(count)s questions). Another photo, from above and without glare, is quicker.",
            { count: pending.questions.length },
          ),
        )
      : el("p", { class: "hint" }, t("Questions left: %(count)s", { count: pending.questions.length })),
    el(
      "div",
      { class: "question-head" },
      shown(page, pending, question),
      places.length
        ? el(
            "div",
            { class: "places" },
            ...places.slice(0, MANY).map((cell) => shown(page, pending, { cell })),
          )
        : null,
      ...about.map(({ art }) => pieceImage(page.view.art, art)),
      el(
        "div",
        {},
        el("p", { class: "ask" }, question.words),
        question.put
          ? el(
              "p",
              { class: "hint", id: "tap-place" },
              icon("hand"),
              ` ${t("Tap its place in the picture.")}`,
            )
          : null,
      ),
    ),
    inStrip.length ? el("div", { class: "choices" }, ...inStrip) : null,
    el("div", { class: "choices" }, ...buttons.filter((each) => !inStrip.includes(each))),
    question.kind === "hidden" && hiddenPlaces(pending).length > 1
      ? el(
          "button",
          {
            type: "button",
            class: "button",
            id: "nothing-hidden",
            onclick: () => nothingHidden(page, pending),
          },
          icon("check"),
          el(
            "span",
            {},
            t("Nothing is in any of the %(count)s hidden places", { count: hiddenPlaces(pending).length }),
          ),
        )
      : null,
    el("div", { class: "row" }, ...byHand(question, page)),
  );
}

/**
 * The button of an answer.
 * @param {Api.BoardAsked} question
 * @param {Api.AskedOption} option
 * @param {number} number
 * @param {Api.PendingPhoto} pending
 * @param {BoardPage} page
 */
function choice(question, option, number, pending, page) {
  return el(
    "button",
    {
      type: "button",
      class: "choice-button",
      "data-option": number,
      onclick: () => answer(page, question, number),
    },
    option.art ? pieceImage(page.view.art, option.art, option.rotation) : null,
    option.cell && !question.put ? shown(page, pending, option) : null,
    option.cell && question.put
      ? el("span", { "aria-label": option.words, class: "place-mark" }, option.mark)
      : el("span", {}, option.words),
  );
}

/**
 * What else can be said to a question: that it is so, and what is put right by touch.
 * @param {Api.BoardAsked} question
 * @param {BoardPage} page
 */
function* byHand(question, page) {
  const { cell, player } = question;
  if (!question.options.length)
    yield el(
      "button",
      {
        type: "button",
        class: "button",
        "data-option": 0,
        onclick: () => answer(page, question, 0),
      },
      icon("check"),
      el("span", {}, question.kind === "broken-rule" ? t("That is right") : t("It is as shown")),
    );
  const theirs = page.view.players.find((each) => each.name === player);
  const open = cell
    ? () => page.touch.cell(cell)
    : question.about === "spare"
      ? () => page.touch.spare()
      : theirs && question.about === "held"
        ? () => page.touch.player(theirs)
        : question.options.length
          ? null
          : () => toast(t("Tap the place on the board."));
  if (open)
    yield el(
      "button",
      { type: "button", class: "button", "data-put-right": "", onclick: open },
      icon("hand"),
      el("span", {}, theirs ? t("Count by tapping") : t("Correct by tapping")),
    );
}
