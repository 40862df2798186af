// Questions, one at a time: each answer with its own picture, and what it would score.

import { t } from "../app.js";
import { el, fill, icon } from "./dom.js";
import { drawArrows } from "./overlay.js";
import { pathOf, shape } from "./viewer.js";

const LETTERS = "ABCDEFGH";

/** Fill `box` with the first question that matters. `onAnswer(question, option)`, `onCorrect(question)`. */
export function showQuestion(box, reading, { onAnswer, onCorrect }) {
  const open = reading.questions.filter((question) => question.matters);
  const question = open[0];
  box.hidden = !question;
  if (!question) {
    box.replaceChildren();
    return null;
  }
  const size = reading.photo.sizes[Math.min(1, reading.photo.sizes.length - 1)];
  const answers = question.options.map((option, k) =>
    el(
      "button",
      { type: "button", class: "button answer", "data-option": option.number, onclick: () => onAnswer(question, option) },
      crop(reading, question, option, size, k),
      el("span", { class: "answer-words" },
        question.options.length > 1 ? el("span", { class: `letter letter-${k}` }, LETTERS[k]) : null,
        el("span", { class: "answer-label" }, option.label),
        el("span", { class: "answer-score" }, ...change(reading.score, option.score)),
        option.alike > 1 ? el("span", { class: "hint" }, t("alike", { count: option.alike })) : null,
      ),
    ),
  );
  fill(
    box,
    el("p", { class: "question-count" }, icon("question"), t("question_of", { number: 1, count: open.length })),
    el("h2", {}, question.prompt),
    el("p", { class: "hint" }, question.reason),
    el("div", { class: "answers" }, ...answers),
    el("button", { type: "button", class: "button correct-it", onclick: () => onCorrect(question) }, icon("pencil"), el("span", {}, t("correct_it"))),
  );
  return question;
}

/** Draw the answers of a question over the photo, each with its letter. */
export function drawQuestion(layer, reading, question) {
  const mm = reading.px_per_mm;
  layer.replaceChildren();
  if (!question) return;
  const [left, top, right, bottom] = question.crop;
  layer.append(shape("rect", { x: left, y: top, width: right - left, height: bottom - top, class: "question-frame", "stroke-width": 0.7 * mm, rx: 2 * mm }));
  if (question.about === "direction") return;
  question.options.forEach((option, k) => drawLines(layer, option, k, mm));
  if (!question.options.some((option) => option.lines.length)) ring(layer, question.at, mm);
}

function drawLines(layer, option, k, mm) {
  for (const line of option.lines) {
    layer.append(
      shape("path", { d: pathOf(line), class: "answer-halo", "stroke-width": 3 * mm }),
      shape("path", { d: pathOf(line), class: `answer-line answer-line-${k}`, "stroke-width": 1.7 * mm, "stroke-dasharray": k ? `${3 * mm} ${2.4 * mm}` : null }),
    );
  }
  drawArrows(layer, option.lines.map((line) => ({ line, jump: false })), mm * 0.8, 3.4);
  if (option.start) {
    layer.append(shape("circle", { cx: option.start[0], cy: option.start[1], r: 3.4 * mm, class: "start-dot", "stroke-width": 1.2 * mm }));
  }
}

function ring(layer, [x, y], mm) {
  layer.append(
    shape("circle", { cx: x, cy: y, r: 5.5 * mm, class: "ring-halo", "stroke-width": 2 * mm }),
    shape("circle", { cx: x, cy: y, r: 5.5 * mm, class: "ring", "stroke-width": 1 * mm }),
  );
}

/** The part of the photo that a question is about, with what this answer says drawn on it. */
function crop(reading, question, option, size, k) {
  if (option.picture) return el("img", { class: "answer-picture", src: option.picture, alt: "", width: 96, height: 96 });
  const [left, top, right, bottom] = question.crop;
  const { width, height } = reading.photo;
  const svg = shape("svg", {
    class: "answer-picture", viewBox: `${left} ${top} ${right - left} ${bottom - top}`, "aria-hidden": "true",
    preserveAspectRatio: "xMidYMid slice",
  });
  svg.append(shape("image", { href: size.url, x: 0, y: 0, width, height, preserveAspectRatio: "none" }));
  if (question.options.length === 1 || question.about === "mark") ring(svg, question.at, reading.px_per_mm);
  else drawLines(svg, option, k, Math.max(reading.px_per_mm, (right - left) / 60));
  return svg;
}

/** What an answer changes of the score, in words: "9 VP → 6 VP", "Escaped → Not escaped". */
function change(now, then) {
  const told = [];
  const line = (kind, name, from, to) =>
    told.push(el("span", { class: `change ${kind}` }, t("would_be", { name, old: from, new: to })));
  const escape = (score) => t(score.escaped ? "escaped" : "not_escaped");
  if (now.primary_vp !== then.primary_vp) line("primary", t("primary"), t("vp", { vp: now.primary_vp }), t("vp", { vp: then.primary_vp }));
  if (now.secondary_vp !== then.secondary_vp) line("secondary", t("secondary"), t("vp", { vp: now.secondary_vp }), t("vp", { vp: then.secondary_vp }));
  if (now.coins !== then.coins) line("coins", t("coins"), now.coins, then.coins);
  if (now.escaped !== then.escaped) told.push(el("span", { class: "change escape" }, `${escape(now)} → ${escape(then)}`));
  if (told.length) return told;
  const same = [t("same_points")];
  if (then.primary_vp !== null) same.push(t("vp", { vp: then.primary_vp }));
  same.push(escape(then));
  return [el("span", { class: "change same" }, same.join(" · "))];
}
