// The score as it stands, the tally as the path is replayed, and what happened in words.

import { t } from "../app.js";
import { all, may, must } from "../elements.js";
import { el, fill, icon } from "./dom.js";
import { openQuestions } from "./questions.js";
import { namedScore } from "./scores.js";

/** @type {Record<string, string>} */
const END_ICONS = { exit: "check", violation: "warning" };

/**
 * @import { Point } from "./viewer.js"
 * @typedef {{ onPlace: (at: Point) => unknown, onCorrect: () => unknown, onChoose: () => unknown,
 *   onOther: (counts: boolean) => unknown, onAsk: (question: string) => unknown }} ScoreRun
 */

/**
 * The score panel; the tally's numbers are set by `showTally`. `run` has onPlace(at) and onCorrect() for
 * doubts that stay, onAsk(question) for one that was left open, onChoose() for objectives outside a game, onOther(counts) for what `other` photo says.
 * @param {HTMLElement} box
 * @param {Api.Reading} reading
 * @param {Api.ReviewRound | null} round
 * @param {Api.OtherReading | null} other
 * @param {ScoreRun} run
 */
export function showScore(box, reading, round, other, run) {
  box.hidden = false;
  const open = openQuestions(reading).length;
  const badge =
    reading.sure && !other
      ? el("p", { class: "badge sure" }, icon("check"), el("span", {}, sureness(reading)))
      : el(
          "p",
          { class: "badge not-sure" },
          icon("question"),
          el(
            "span",
            {},
            open
              ? [t("Not sure yet"), t("Questions left: %(count)s", { count: open })].join(" · ")
              : t("Not sure yet"),
          ),
        );
  const idle = reading.questions.filter((question) => !question.left).length - open;
  const score = namedScore(reading.score);
  fill(
    box,
    badge,
    other && otherPhoto(other, run),
    ...reading.doubts.map((doubt) =>
      el(
        "div",
        { class: "doubt" },
        el("p", {}, icon("warning"), el("span", {}, doubt.message)),
        el(
          "div",
          { class: "row" },
          el(
            "button",
            { type: "button", class: "button", onclick: () => run.onPlace(doubt.at) },
            icon("zoom-in"),
            el("span", {}, t("Look there")),
          ),
          doubt.question
            ? el(
                "button",
                { type: "button", class: "button", onclick: () => run.onAsk(doubt.question ?? "") },
                icon("question"),
                el("span", {}, t("Answer it now")),
              )
            : el(
                "button",
                { type: "button", class: "button", onclick: () => run.onCorrect() },
                icon("pencil"),
                el("span", {}, t("Correct the path")),
              ),
        ),
      ),
    ),
    el(
      "dl",
      { class: "columns" },
      ...(score ? namedColumns(reading, score, round, run) : reading.score.facts.map(factColumn)),
    ),
    el(
      "ul",
      { class: "tally" },
      ...reading.counts.map((each) =>
        el(
          "li",
          { "data-find": each.id },
          icon(each.icon),
          // Icons are Map Masters'; what another game counts is told by its name.
          el("span", { class: score ? "visually-hidden" : null }, each.name),
          el("span", { class: "numbers", "data-count": each.id }, each.count),
        ),
      ),
    ),
    idle && !reading.sure
      ? el("p", { class: "hint" }, t("Doubts that change nothing here: %(count)s", { count: idle }))
      : null,
    round?.typed
      ? el(
          "p",
          { class: "hint" },
          icon("pencil"),
          t("The score of this round was typed in; the photo does not change it."),
        )
      : null,
  );
}

/**
 * The boxes of Map Masters' sheet.
 * @param {Api.Reading} reading
 * @param {{ coins: number, escaped: boolean }} score
 * @param {Api.ReviewRound | null} round
 * @param {ScoreRun} run
 */
function namedColumns(reading, { coins, escaped }, round, run) {
  return [
    column("primary", t("Primary"), reading.primary ?? null, round, run),
    column("secondary", t("Secondary"), reading.secondary ?? null, round, run),
    el(
      "div",
      { class: "column coins" },
      el("dt", {}, t("Coins")),
      el("dd", {}, el("span", { class: "big", "data-tally": "coins" }, coins)),
    ),
    el(
      "div",
      { class: `column escape ${escaped ? "yes" : "no"}` },
      el("dt", {}, t("Escape")),
      el("dd", { "data-tally": "escape" }, ...howEscaped(escaped)),
    ),
  ];
}

/** @param {Api.ReviewFact} fact */
function factColumn({ about, words }) {
  return el(
    "div",
    { class: "column fact" },
    el("dt", {}, about),
    el("dd", {}, el("span", { class: "big" }, words)),
  );
}

/**
 * Another photo of the same cards scores otherwise: one of the two is wrong, or older than the path.
 * @param {Api.OtherReading} other
 * @param {ScoreRun} run
 */
function otherPhoto(other, run) {
  const words = scoreInWords(other);
  return el(
    "div",
    { class: "doubt", id: "other-photo" },
    el(
      "p",
      {},
      icon("warning"),
      el(
        "span",
        {},
        t("Photo %(number)s gives a different result: %(score)s. Which one counts?", {
          number: other.photo,
          score: words,
        }),
      ),
    ),
    el(
      "div",
      { class: "row" },
      el(
        "button",
        { type: "button", class: "button", onclick: () => run.onOther(true) },
        icon("camera"),
        el("span", {}, t("Let that photo count")),
      ),
      el(
        "button",
        { type: "button", class: "button", onclick: () => run.onOther(false) },
        icon("check"),
        el("span", {}, t("Leave it as it is")),
      ),
    ),
  );
}

/** @param {boolean} escaped */
function howEscaped(escaped) {
  return [
    icon(escaped ? "check" : "close"),
    el("span", { class: "words" }, escaped ? t("Escaped") : t("Not escaped")),
  ];
}

/**
 * @param {"primary" | "secondary"} kind
 * @param {string} name
 * @param {Api.ReviewObjective | null} objective
 * @param {Api.ReviewRound | null} round
 * @param {ScoreRun} run
 */
function column(kind, name, objective, round, run) {
  if (!objective) {
    const choose = round
      ? el(
          "a",
          { class: "button", href: `/games/${round.game_id}/rounds/${round.number}#choose-${kind}` },
          t("Choose"),
        )
      : el("button", { type: "button", class: "button", onclick: () => run.onChoose() }, t("Choose"));
    return el(
      "div",
      { class: `column ${kind}` },
      el("dt", {}, name),
      el("dd", {}, el("span", { class: "words" }, t("none chosen")), choose),
    );
  }
  return el(
    "div",
    { class: `column ${kind}` },
    el("dt", {}, name, el("span", { class: "aim-name" }, icon(objective.objective), objective.name)),
    el(
      "dd",
      {},
      el("span", { class: "big", "data-tally": kind }, objective.vp),
      " ",
      el("span", { class: "unit" }, t("%(vp)s VP", { vp: "" }).trim()),
    ),
  );
}

/**
 * The objectives beside the name.
 * @param {Element} list
 * @param {Pick<Api.Reading, "primary" | "secondary">} reading
 */
export function showAims(list, { primary, secondary }) {
  /**
   * @param {string} kind
   * @param {Api.ReviewObjective | null} asked
   */
  const aim = (kind, asked) =>
    asked && el("li", { class: `aim ${kind}` }, icon(asked.objective), el("span", {}, asked.name));
  // Of another game they stand there as the server made them.
  if (primary === undefined || secondary === undefined) return;
  fill(list, aim("primary", primary), aim("secondary", secondary));
}

/**
 * Whether a score is sure, and if only by what people answered.
 * @param {{ sure: boolean, as_said?: boolean }} reading
 * @returns {string}
 */
function sureness(reading) {
  if (!reading.sure) return t("Not sure yet");
  return reading.as_said ? t("Sure, as you say") : t("Sure");
}

/**
 * The score in one line, for those who hear it.
 * @param {{ score: Api.Score, sure: boolean, as_said?: boolean }} reading
 * @returns {string}
 */
export function scoreInWords(reading) {
  const said = sureness(reading);
  const score = namedScore(reading.score);
  if (!score) return [said, ...reading.score.facts.map((fact) => `${fact.about} ${fact.words}`)].join(" · ");
  /**
   * @param {string} name
   * @param {number | null} vp
   */
  const points = (name, vp) => (vp === null ? [] : [[name, t("%(vp)s VP", { vp })].join(" ")]);
  return [
    said,
    ...points(t("Primary"), score.primary_vp),
    ...points(t("Secondary"), score.secondary_vp),
    `${t("Coins")} ${score.coins}`,
    score.escaped ? t("Escaped") : t("Not escaped"),
  ].join(" · ");
}

/**
 * Set the numbers of the panel to what had come together at a step.
 * @param {HTMLElement} box
 * @param {Api.Reading} reading
 * @param {number} number
 */
export function showTally(box, reading, number) {
  const tally = reading.steps[number - 1]?.tally;
  const score = namedScore(reading.score);
  if (!tally || !score) return;
  /**
   * @param {string} name
   * @param {number | null | undefined} value
   */
  const set = (name, value) => {
    const field = may(box, `[data-tally=${name}]`);
    if (field && value !== undefined && value !== null) field.textContent = String(value);
  };
  set("primary", tally.primary?.vp);
  set("secondary", tally.secondary?.vp);
  set("coins", tally.coins);
  // Who is still on the way has neither escaped nor failed to.
  const there = number >= reading.steps.length;
  must(box, ".column.escape").classList.toggle("on-the-way", !there);
  fill(
    must(box, "[data-tally=escape]"),
    ...(there ? howEscaped(score.escaped) : [el("span", { class: "words" }, "–")]),
  );
  for (const field of all(box, "[data-count]")) {
    const count = tally.discovered[field.dataset.count ?? ""] ?? 0;
    field.textContent = String(count);
    field.parentElement?.classList.toggle("none", count === 0);
  }
}

/**
 * How the path ended and the steps that are worth telling; `onStep(number)` when one is chosen.
 * @param {Element} endBox
 * @param {Element} list
 * @param {Api.Reading} reading
 * @param {(step: number) => unknown} onStep
 */
export function showStory(endBox, list, reading, onStep) {
  const { end } = reading;
  fill(
    endBox,
    el("p", { class: `ended ${end.how}` }, icon(END_ICONS[end.how] ?? "minus"), el("span", {}, end.sentence)),
    end.section ? el("p", { class: "hint" }, end.section) : null,
    reading.direction ? el("p", { class: "hint" }, reading.direction) : null,
  );
  fill(
    list,
    ...reading.steps
      .filter((step) => step.told || step.number === 1)
      .map((step) =>
        el(
          "li",
          { "data-step": step.number },
          el(
            "button",
            { type: "button", class: "told-step", onclick: () => onStep(step.number) },
            el("span", { class: "told-number numbers" }, step.number),
            el("span", {}, step.sentence),
          ),
        ),
      ),
  );
}

/**
 * Mark the told step that a replay has come to.
 * @param {Element} list
 * @param {number} number
 */
export function markStep(list, number) {
  for (const item of all(list, ":scope > *")) {
    const here = Number(item.dataset.step) === number;
    if (here) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  }
}

/**
 * Warnings of the photo, rules of laying that are broken, marks and stated payments that disagree with the path.
 * `run` has onPlace(at), and onWithdraw(place) for what was stated there.
 * @param {HTMLElement} box
 * @param {Element} list
 * @param {Api.Reading} reading
 * @param {{ onPlace: (at: Point) => unknown, onWithdraw: (place: string) => unknown }} run
 */
export function showNotes(box, list, reading, run) {
  const rows = [
    ...reading.laying.map((words) => el("li", {}, icon("warning"), el("span", {}, words))),
    ...reading.notes.map((words) => el("li", {}, icon("question"), el("span", {}, words))),
    ...reading.mark_notes.map((note) =>
      el(
        "li",
        {},
        el(
          "button",
          { type: "button", class: "note", onclick: () => run.onPlace(note.at) },
          icon("pencil"),
          el("span", {}, note.message),
        ),
      ),
    ),
    ...reading.payment_notes.map((note) =>
      el(
        "li",
        { class: "payment-note" },
        el(
          "button",
          { type: "button", class: "note", onclick: () => run.onPlace(note.at) },
          icon("fairy"),
          el("span", {}, note.message),
        ),
        note.about === "stated_twice"
          ? null
          : el(
              "button",
              { type: "button", class: "button", onclick: () => run.onWithdraw(note.place) },
              icon("undo"),
              el("span", {}, t("Take this statement back")),
            ),
      ),
    ),
    ...reading.warnings.map((words) => el("li", {}, icon("camera"), el("span", {}, words))),
  ];
  box.hidden = rows.length === 0;
  fill(list, ...rows);
}
