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
  const ruled = turn && turn.legal !== null;
  fill(
    box,
    ...pending.seen.warnings.map((each) => el("p", { class: "warn" }, each)),
    question ? asks(question, pending, page) : null,
    turn && !question ? verdict(turn) : null,
    turn && !question && !pending.sure
      ? el("p", { class: "warn" }, icon("question"), ` ${t("unsure")}`)
      : null,
    el(
      "div",
      { class: "row" },
      ruled && !question
        ? el(
            "button",
            {
              type: "button",
              class: "button primary big",
              id: "take-photo-turn",
              onclick: () => page.takePhoto(true),
            },
            icon("check"),
            el("span", {}, turn.legal === false ? t("stands_anyway") : t("this_turn")),
          )
        : null,
      !question && !ruled
        ? el(
            "button",
            {
              type: "button",
              class: "button primary big",
              id: "take-photo-board",
              onclick: () => page.takePhoto(false),
            },
            icon("check"),
            el("span", {}, t("board_is_so")),
          )
        : null,
      turn && !question && !page.telling.open
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
            el("span", {}, t("only_board")),
          )
        : null,
      el(
        "button",
        {
          type: "button",
          class: "button quiet",
          id: "leave-photo",
          onclick: () =>
            page.act(() => api("POST", `${page.path}/board/leave`, { version: page.version }), t("left")),
        },
        icon("trash"),
        el("span", {}, t("leave_photo")),
      ),
    ),
    el("p", { class: "hint" }, t("put_right_hint")),
  );
}

/**
 * One question about the photo, with its place and its answers.
 * @param {Api.BoardAsked} question
 * @param {Api.PendingPhoto} pending
 * @param {BoardPage} page
 */
function asks(question, pending, page) {
  const { columns } = page.view.picture;
  const cell = question.cell;
  const outline = cell ? pending.seen.cells[cell[1] * columns + cell[0]] : undefined;
  const answer = (/** @type {number} */ option) => () =>
    page.act(() =>
      api("POST", `${page.path}/board/answers`, { version: page.version, question: question.name, option }),
    );
  return el(
    "div",
    { class: "question", id: "question" },
    pending.questions.length > MANY
      ? el("p", { class: "warn" }, icon("camera"), ` ${t("take_again", { count: pending.questions.length })}`)
      : el("p", { class: "hint" }, t("questions_left", { count: pending.questions.length })),
    el(
      "div",
      { class: "question-head" },
      outline ? photoPart(pending.seen, outline) : null,
      el(
        "div",
        {},
        cell ? el("h3", {}, t("cell", { column: cell[0] + 1, row: cell[1] + 1 })) : null,
        el("p", {}, question.words),
      ),
    ),
    question.options.length
      ? el(
          "div",
          { class: "choices" },
          ...question.options.map((option, number) =>
            el(
              "button",
              { type: "button", class: "choice-button", "data-option": number, onclick: answer(number) },
              option.art ? pieceImage(page.view.art, option.art, option.rotation) : null,
              el("span", {}, option.words),
            ),
          ),
        )
      : el(
          "div",
          { class: "row" },
          el(
            "button",
            { type: "button", class: "button", "data-option": 0, onclick: answer(0) },
            icon("check"),
            el("span", {}, t("as_drawn")),
          ),
        ),
    el(
      "button",
      {
        type: "button",
        class: "button",
        "data-put-right": "",
        onclick: () =>
          cell
            ? page.touch.cell(cell)
            : question.about === "spare"
              ? page.touch.spare()
              : toast(t("tap_cell_right")),
      },
      icon("hand"),
      el("span", {}, t("put_right")),
    ),
  );
}
