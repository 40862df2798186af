// Questions, one at a time: each answer with its own picture, and what it would score.

import { t, thingName } from "../app.js";
import { crop, CROP_MARGIN_MM, enlarge, letter, LETTERS, outline, ring } from "./answer_pictures.js";
import { brighten } from "./brightness.js";
import { el, fill, icon } from "./dom.js";
import { changedFacts, namedScore } from "./scores.js";

/**
 * @import { EditedReading } from "./editor.js"
 * @import { Box } from "./viewer.js"
 * @typedef {Api.ReviewQuestion} Question
 * @typedef {(question: Question, option: Api.ReviewOption) => unknown} OnAnswer
 */

/**
 * The questions whose answers can change the score, without those that somebody could not answer.
 * @param {Pick<Api.Reading, "questions">} reading
 */
export function openQuestions(reading) {
  return reading.questions.filter((question) => question.matters && !question.left);
}

/**
 * Fill `box` with the first question that matters, or with the one called `wanted` that somebody left open.
 * `onAnswer(question, option)`, `onCorrect(question)`; `onNew(question)` where the box takes new cards.
 * @param {HTMLElement} box
 * @param {Api.Reading} reading
 * @param {{ onAnswer: OnAnswer, onCorrect: (question: Question) => unknown,
 *   onNew: ((question: Question) => unknown) | null }} run
 * @param {string | null} [wanted]
 * @returns {Question | null}
 */
export function showQuestion(box, reading, { onAnswer, onCorrect, onNew }, wanted = null) {
  const open = openQuestions(reading);
  const question = reading.questions.find((each) => wanted !== null && each.name === wanted) ?? open[0];
  box.hidden = !question;
  if (!question) {
    box.replaceChildren();
    return null;
  }
  const unknown = question.options.find((option) => option.kind === "unknown");
  const byHand = question.options.some((option) => option.kind === "otherwise");
  /**
   * @param {string} name
   * @param {string} words
   * @param {() => unknown} run
   */
  const other = (name, words, run) =>
    el(
      "button",
      { type: "button", class: `button ${name}`, onclick: run },
      icon({ "correct-it": "pencil", "new-card": "plus" }[name] ?? "question"),
      el("span", {}, words),
    );
  const cannotTell = unknown ? other("cannot-tell", unknown.label, () => onAnswer(question, unknown)) : null;
  // Where nothing speaks for an answer, what a finger finds first is the one that settles nothing.
  const leads = question.options[0] === unknown;
  fill(
    box,
    el(
      "p",
      { class: "question-count" },
      icon("question"),
      t("Questions left: %(count)s", { count: open.length }),
    ),
    el("h2", {}, question.prompt),
    el("p", { class: "hint" }, question.reason),
    leads ? el("div", { class: "no-answer" }, cannotTell) : null,
    answers(reading, question, onAnswer),
    el(
      "div",
      { class: "no-answer" },
      question.new_card && onNew
        ? other("new-card", t("This card is new: add it"), () => onNew(question))
        : null,
      leads ? null : cannotTell,
      byHand ? null : other("correct-it", t("Something else: correct it"), () => onCorrect(question)),
    ),
  );
  return question;
}

/**
 * Whether an answer is told by a picture: by what only it has, or leaves out; the others are words.
 * @param {Api.ReviewOption} option
 */
function isPictured({ lines, lacks, start, picture, crop: part }) {
  return Boolean(lines.length || lacks.length || start || picture || part);
}

/**
 * The answers of a question as big buttons, two pictures side by side, each with a magnifier, which answers nothing;
 * answers in words below.
 * @param {EditedReading} reading
 * @param {Question} question
 * @param {OnAnswer} onAnswer
 */
export function answers(reading, question, onAnswer) {
  const size = reading.photo.sizes[Math.min(1, reading.photo.sizes.length - 1)];
  const told = question.options.filter((option) => option.kind !== "unknown");
  const alone = told.filter(isPictured).length === 1;
  const lettered = told.filter((option) => option.kind !== "retake");
  const box = el(
    "div",
    { class: "answers" },
    ...told.map((option) => {
      const k = lettered.indexOf(option);
      const pictured = isPictured(option);
      return el(
        "div",
        { class: `answer-choice${pictured ? (alone ? " alone" : "") : " plain"}` },
        el(
          "button",
          {
            type: "button",
            class: option.kind === "retake" ? "button answer primary" : "button answer",
            "data-option": option.number,
            onclick: () => onAnswer(question, option),
          },
          pictured ? crop(reading, question, option, size, k) : null,
          el(
            "span",
            { class: "answer-words" },
            option.kind === "retake"
              ? icon("camera")
              : lettered.length > 1
                ? el("span", { class: `letter letter-${k}` }, LETTERS[k])
                : null,
            el("span", { class: "answer-label" }, option.label),
            option.detail ? el("span", { class: "answer-detail" }, option.detail) : null,
            // Another tableau's score is no change of this one's.
            ["otherwise", "retake"].includes(option.kind) || option.crop
              ? null
              : el("span", { class: "answer-score" }, ...change(reading.score, option)),
            option.alike > 1
              ? el(
                  "span",
                  { class: "hint" },
                  t("%(count)s readings give this result", { count: option.alike }),
                )
              : null,
          ),
        ),
        pictured
          ? el(
              "button",
              {
                type: "button",
                class: "button tool magnify",
                title: t("Enlarge the picture"),
                "aria-label": `${t("Enlarge the picture")}: ${option.label}`,
                onclick: () => enlarge(reading, question, option, k),
              },
              icon("zoom-in"),
            )
          : null,
      );
    }),
  );
  brighten(box, reading, question.crop);
  return box;
}

/**
 * Mark on the photo where a question is, and nothing of what was read: people see the ink before they see answers. Of
 * ends that a path may have, each has its letter.
 * @param {Element} layer
 * @param {Api.Reading} reading
 * @param {Question | null} question
 */
export function drawQuestion(layer, reading, question) {
  const mm = reading.px_per_mm;
  layer.replaceChildren();
  if (!question) return;
  const lettered = question.options.filter((option) => !["unknown", "retake"].includes(option.kind));
  lettered.forEach((option, k) => option.start && letter(layer, option.start, k, mm));
  if (question.place && question.about !== "card" && question.about !== "direction")
    ring(layer, question.at, mm);
  if (lettered.some((option) => option.crop)) {
    lettered.forEach((option, k) => option.crop && tableau(layer, option.crop, k, mm));
  } else if (question.about === "card") outline(layer, question.crop, mm);
}

/**
 * One of the tableaus between which people choose, with the letter of its answer beside its corner.
 * @param {Element} layer
 * @param {Box} part
 * @param {number} k
 * @param {number} mm
 */
function tableau(layer, part, k, mm) {
  outline(layer, part, mm);
  const aside = CROP_MARGIN_MM * mm;
  letter(layer, [part[0] + aside, part[1] + aside], k, 2 * mm);
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
    told.push(
      el("span", { class: `change ${kind}` }, t("%(name)s: %(old)s → %(new)s", { name, old, new: after })),
    );
  /** @param {number | null} points */
  const vp = (points) => t("%(vp)s VP", { vp: points });
  /** @param {{ escaped: boolean }} score */
  const escape = (score) => (score.escaped ? t("Escaped") : t("Not escaped"));
  if (now.primary_vp !== then.primary_vp)
    line("primary", t("Primary"), vp(now.primary_vp), vp(then.primary_vp));
  if (now.secondary_vp !== then.secondary_vp)
    line("secondary", t("Secondary"), vp(now.secondary_vp), vp(then.secondary_vp));
  if (now.coins !== then.coins) line("coins", t("Coins"), now.coins, then.coins);
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
  // Without its objectives a round has no points yet that could be the same.
  const scored = then.primary_vp !== null && then.secondary_vp !== null;
  const same = [
    option.number === 0
      ? t("As it is now")
      : scored
        ? t("Same points now")
        : t("Coins and escape stay the same"),
  ];
  if (option.number === 0) {
    if (then.primary_vp !== null) same.push(`${t("Primary")} ${vp(then.primary_vp)}`);
    if (then.secondary_vp !== null) same.push(`${t("Secondary")} ${vp(then.secondary_vp)}`);
    same.push(escape(then));
  }
  told.push(el("span", { class: "change" }, same.join(" · ")));
  for (const find of new Set([...Object.keys(now.discovered), ...Object.keys(then.discovered)])) {
    const [old, after] = [now.discovered[find] ?? 0, then.discovered[find] ?? 0];
    if (old !== after) line("find", thingName(find), old, after);
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
  const told = changedFacts(before, option.score).map((fact) => t("%(name)s: %(old)s → %(new)s", fact));
  if (!told.length) {
    const facts = option.number === 0 ? option.score.facts : [];
    const same = option.number === 0 ? t("As it is now") : t("Same points now");
    told.push([same, ...facts.map((fact) => `${fact.about} ${fact.words}`)].join(" · "));
  }
  return told.map((words) => el("span", { class: "change" }, words));
}
