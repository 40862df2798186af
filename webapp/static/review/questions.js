// Questions, one at a time: each answer with its own picture, and what it would score.

import { t } from "../app.js";
import { crop, drawLines, enlarge, letter, LETTERS, ring } from "./answer_pictures.js";
import { el, fill, icon } from "./dom.js";
import { changedFacts, namedScore } from "./scores.js";
import { shape } from "./viewer.js";

/**
 * @import { EditedReading } from "./editor.js"
 * @typedef {Api.ReviewQuestion} Question
 * @typedef {(question: Question, option: Api.ReviewOption) => unknown} OnAnswer
 */

/**
 * The questions whose answers can change the score.
 * @param {Pick<Api.Reading, "questions">} reading
 */
export function openQuestions(reading) {
  return reading.questions.filter((question) => question.matters);
}

/**
 * Fill `box` with the first question that matters. `onAnswer(question, option)`, `onCorrect(question)`.
 * @param {HTMLElement} box
 * @param {Api.Reading} reading
 * @param {{ onAnswer: OnAnswer, onCorrect: (question: Question) => unknown }} run
 * @returns {Question | null}
 */
export function showQuestion(box, reading, { onAnswer, onCorrect }) {
  const open = openQuestions(reading);
  const question = open[0];
  box.hidden = !question;
  if (!question) {
    box.replaceChildren();
    return null;
  }
  fill(
    box,
    el("p", { class: "question-count" }, icon("question"), t("questions_open", { count: open.length })),
    el("h2", {}, question.prompt),
    el("p", { class: "hint" }, question.reason),
    answers(reading, question, onAnswer),
    el(
      "button",
      { type: "button", class: "button correct-it", onclick: () => onCorrect(question) },
      icon("pencil"),
      el("span", {}, t("correct_it")),
    ),
  );
  return question;
}

/**
 * The answers of a question as big buttons, each with its picture and a magnifier, which answers nothing.
 * @param {EditedReading} reading
 * @param {Question} question
 * @param {OnAnswer} onAnswer
 */
export function answers(reading, question, onAnswer) {
  const size = reading.photo.sizes[Math.min(1, reading.photo.sizes.length - 1)];
  const few = question.options.length <= 3;
  return el(
    "div",
    { class: `answers${few ? " few" : ""}` },
    ...question.options.map((option, k) =>
      el(
        "div",
        { class: "answer-choice" },
        el(
          "button",
          {
            type: "button",
            class: "button answer",
            "data-option": option.number,
            onclick: () => onAnswer(question, option),
          },
          crop(reading, question, option, size, k),
          el(
            "span",
            { class: "answer-words" },
            question.options.length > 1 ? el("span", { class: `letter letter-${k}` }, LETTERS[k]) : null,
            el("span", { class: "answer-label" }, option.label),
            option.detail ? el("span", { class: "answer-detail" }, option.detail) : null,
            el("span", { class: "answer-score" }, ...change(reading.score, option)),
            option.alike > 1 ? el("span", { class: "hint" }, t("alike", { count: option.alike })) : null,
          ),
        ),
        el(
          "button",
          {
            type: "button",
            class: "button tool magnify",
            title: t("enlarge"),
            "aria-label": `${t("enlarge")}: ${option.label}`,
            onclick: () => enlarge(reading, question, option, k),
          },
          icon("zoom-in"),
        ),
      ),
    ),
  );
}

/**
 * Draw the answers of a question over the photo, each with its letter.
 * @param {Element} layer
 * @param {Api.Reading} reading
 * @param {Question | null} question
 */
export function drawQuestion(layer, reading, question) {
  const mm = reading.px_per_mm;
  layer.replaceChildren();
  if (!question) return;
  const [left, top, right, bottom] = question.crop;
  layer.append(
    shape("rect", {
      x: left,
      y: top,
      width: right - left,
      height: bottom - top,
      class: "question-frame",
      "stroke-width": 0.4 * mm,
      rx: 2 * mm,
    }),
  );
  if (question.about === "direction") {
    question.options.forEach((option, k) => option.start && letter(layer, option.start, k, mm));
    return;
  }
  question.options.forEach((option, k) => drawLines(layer, option, k, mm, 0.7));
  if (question.about !== "card" && !question.options.some((option) => option.lines.length))
    ring(layer, question.at, mm);
}

/**
 * What an answer changes of the score: "Primary: 9 VP → 6 VP", "Escaped → Not escaped"; finds where points stay.
 * @param {Api.Score} before
 * @param {Api.ReviewOption} option
 * @returns {HTMLElement[]}
 */
function change(before, option) {
  const [now, then] = [namedScore(before), namedScore(option.score)];
  if (!now || !then) return changeOfFacts(before, option);
  /** @type {HTMLElement[]} */
  const told = [];
  /**
   * @param {string} kind
   * @param {string} name
   * @param {string | number} old
   * @param {string | number} after
   */
  const line = (kind, name, old, after) =>
    told.push(el("span", { class: `change ${kind}` }, t("would_be", { name, old, new: after })));
  /** @param {number | null} points */
  const vp = (points) => t("vp", { vp: points });
  /** @param {{ escaped: boolean }} score */
  const escape = (score) => t(score.escaped ? "escaped" : "not_escaped");
  if (now.primary_vp !== then.primary_vp)
    line("primary", t("primary"), vp(now.primary_vp), vp(then.primary_vp));
  if (now.secondary_vp !== then.secondary_vp)
    line("secondary", t("secondary"), vp(now.secondary_vp), vp(then.secondary_vp));
  if (now.coins !== then.coins) line("coins", t("coins"), now.coins, then.coins);
  if (now.escaped !== then.escaped)
    told.push(
      el(
        "span",
        { class: `change escape ${then.escaped ? "yes" : "no"}` },
        icon(then.escaped ? "check" : "close"),
        `${escape(now)} → ${escape(then)}`,
      ),
    );
  if (told.length) return told;
  const same = [t(option.number === 0 ? "as_it_stands" : "same_points")];
  if (option.number === 0) {
    if (then.primary_vp !== null) same.push(`${t("primary")} ${vp(then.primary_vp)}`);
    if (then.secondary_vp !== null) same.push(`${t("secondary")} ${vp(then.secondary_vp)}`);
    same.push(escape(then));
  }
  told.push(el("span", { class: "change" }, same.join(" · ")));
  for (const find of new Set([...Object.keys(now.discovered), ...Object.keys(then.discovered)])) {
    const [old, after] = [now.discovered[find] ?? 0, then.discovered[find] ?? 0];
    if (old !== after) line("find", t(`find_${find}`), old, after);
  }
  return told;
}

/**
 * The same in another game's words.
 * @param {Api.Score} before
 * @param {Api.ReviewOption} option
 * @returns {HTMLElement[]}
 */
function changeOfFacts(before, option) {
  const told = changedFacts(before, option.score).map((fact) => t("would_be", fact));
  if (!told.length) {
    const facts = option.number === 0 ? option.score.facts : [];
    const same = t(option.number === 0 ? "as_it_stands" : "same_points");
    told.push([same, ...facts.map((fact) => `${fact.about} ${fact.words}`)].join(" · "));
  }
  return told.map((words) => el("span", { class: "change" }, words));
}
