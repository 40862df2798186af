// Questions, one at a time: each answer with its own picture, and what it would score.

import { t } from "../app.js";
import { el, fill, icon } from "./dom.js";
import { ARROW_EVERY_MM, drawArrows } from "./overlay.js";
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
  const answered = reading.asked_before;
  fill(
    box,
    el("p", { class: "question-count" }, icon("question"), t("question_of", { number: answered + 1, count: answered + open.length })),
    el("h2", {}, question.prompt),
    el("p", { class: "hint" }, question.reason),
    answers(reading, question, onAnswer),
    el("button", { type: "button", class: "button correct-it", onclick: () => onCorrect(question) }, icon("pencil"), el("span", {}, t("correct_it"))),
  );
  return question;
}

/** The answers of a question as big buttons, each with its picture. */
export function answers(reading, question, onAnswer) {
  const size = reading.photo.sizes[Math.min(1, reading.photo.sizes.length - 1)];
  return el("div", { class: "answers" }, ...question.options.map((option, k) =>
    el(
      "button",
      { type: "button", class: "button answer", "data-option": option.number, onclick: () => onAnswer(question, option) },
      crop(reading, question, option, size, k),
      el("span", { class: "answer-words" },
        question.options.length > 1 ? el("span", { class: `letter letter-${k}` }, LETTERS[k]) : null,
        el("span", { class: "answer-label" }, option.label),
        option.detail ? el("span", { class: "answer-detail" }, option.detail) : null,
        el("span", { class: "answer-score" }, ...change(reading.score, option)),
        option.alike > 1 ? el("span", { class: "hint" }, t("alike", { count: option.alike })) : null,
      ),
    )));
}

/** Draw the answers of a question over the photo, each with its letter. */
export function drawQuestion(layer, reading, question) {
  const mm = reading.px_per_mm;
  layer.replaceChildren();
  if (!question) return;
  const [left, top, right, bottom] = question.crop;
  layer.append(shape("rect", { x: left, y: top, width: right - left, height: bottom - top, class: "question-frame", "stroke-width": 0.4 * mm, rx: 2 * mm }));
  if (question.about === "direction") {
    question.options.forEach((option, k) => letter(layer, option.start, k, mm));
    return;
  }
  question.options.forEach((option, k) => drawLines(layer, option, k, mm, 0.7));
  if (question.about !== "card" && !question.options.some((option) => option.lines.length)) ring(layer, question.at, mm);
}

/** The path that all answers share, thin; what only other answers have, crossed out. */
function drawRest(layer, option, mm) {
  for (const line of option.rest) layer.append(shape("path", { d: pathOf(line), class: "answer-rest", "stroke-width": 0.7 * mm }));
  for (const line of option.lacks) {
    layer.append(shape("path", { d: pathOf(line), class: "answer-lacks", "stroke-width": 0.9 * mm, "stroke-dasharray": `${1.2 * mm} ${1.4 * mm}` }));
    const [x, y] = middleOf(line);
    const [r, d] = [2.6 * mm, `M${x - 2.6 * mm} ${y - 2.6 * mm}l${5.2 * mm} ${5.2 * mm}m0 ${-5.2 * mm}l${-5.2 * mm} ${5.2 * mm}`];
    layer.append(shape("path", { d, class: "answer-halo", "stroke-width": r }), shape("path", { d, class: "answer-cross", "stroke-width": r * 0.5 }));
  }
}

/** The point half way along a line. */
function middleOf(line) {
  const steps = line.slice(1).map(([x, y], k) => Math.hypot(x - line[k][0], y - line[k][1]));
  let left = steps.reduce((sum, step) => sum + step, 0) / 2;
  for (let k = 0; k < steps.length; k += 1) {
    if (left <= steps[k] && steps[k] > 0) {
      const share = left / steps[k];
      return [0, 1].map((axis) => line[k][axis] + share * (line[k + 1][axis] - line[k][axis]));
    }
    left -= steps[k];
  }
  return line[0];
}

function drawLines(layer, option, k, mm, width = 1.7) {
  for (const line of option.lines) {
    layer.append(
      shape("path", { d: pathOf(line), class: "answer-halo", "stroke-width": (width + 0.8) * mm }),
      shape("path", { d: pathOf(line), class: `answer-line answer-line-${k}`, "stroke-width": width * mm, "stroke-dasharray": k ? `${3 * mm} ${2.4 * mm}` : null }),
    );
  }
  for (const line of option.lines) {
    // One arrow at least, half way along.
    const length = line.slice(1).reduce((sum, [x, y], at) => sum + Math.hypot(x - line[at][0], y - line[at][1]), 0);
    const every = Math.min(mm * 0.8, length / ARROW_EVERY_MM);
    if (every > 0) drawArrows(layer, [{ line, jump: false }], every, (width * 2 * mm * 0.8) / every);
  }
  if (option.start) {
    layer.append(shape("circle", { cx: option.start[0], cy: option.start[1], r: 3.4 * mm, class: "start-dot", "stroke-width": 1.2 * mm }));
  }
}

/** The letter of an answer at a point of the photo. */
function letter(layer, [x, y], k, mm) {
  layer.append(
    shape("circle", { cx: x, cy: y, r: 5 * mm, class: `letter-disc letter-disc-${k}`, "stroke-width": 0.9 * mm }),
    shape("text", { x, y, "font-size": 6.5 * mm, class: "letter-on-photo drawn-text" }, LETTERS[k]),
  );
}

function ring(layer, [x, y], mm) {
  layer.append(
    shape("circle", { cx: x, cy: y, r: 5.5 * mm, class: "ring-halo", "stroke-width": 2 * mm }),
    shape("circle", { cx: x, cy: y, r: 5.5 * mm, class: "ring", "stroke-width": 1 * mm }),
  );
}

/** The part of the photo that a question is about, with what this answer says drawn on it. */
function crop(reading, question, option, size, k) {
  if (option.picture) return cardPicture(option.picture, reading.cards[Number(question.place)]);
  const [left, top, right, bottom] = question.crop;
  const { width, height } = reading.photo;
  // As much more of the photo as makes it 4 to 3, so that nothing of the crop is cut off.
  const wide = Math.max(right - left, ((bottom - top) * 4) / 3);
  const box = [(left + right - wide) / 2, (top + bottom - (wide * 3) / 4) / 2, wide, (wide * 3) / 4];
  const svg = shape("svg", { class: "answer-picture", viewBox: box.join(" "), "aria-hidden": "true" });
  svg.append(shape("image", { href: size.url, x: 0, y: 0, width, height, preserveAspectRatio: "none" }));
  if (question.options.length === 1 || question.about === "mark") ring(svg, question.at, reading.px_per_mm);
  else {
    const mm = Math.max(reading.px_per_mm, wide / 70);
    drawRest(svg, option, mm);
    drawLines(svg, option, k, mm);
  }
  return svg;
}

/** A card's picture, turned by quarters as the card lies in the photo. */
function cardPicture(url, card) {
  const [[x, y], [right, down]] = card.corners;
  const turn = Math.round(Math.atan2(down - y, right - x) / (Math.PI / 2)) * 90;
  const [width, height] = turn % 180 ? [96, 128] : [128, 96];
  return shape("svg", { class: "answer-picture", viewBox: "0 0 128 96", "aria-hidden": "true" },
    shape("image", { href: url, x: 64 - width / 2, y: 48 - height / 2, width, height, transform: `rotate(${turn} 64 48)` }));
}

/** What an answer changes of the score: "Primary: 9 VP → 6 VP", "Escaped → Not escaped"; finds where points stay. */
function change(now, option) {
  const then = option.score;
  const told = [];
  const line = (kind, name, before, after) =>
    told.push(el("span", { class: `change ${kind}` }, t("would_be", { name, old: before, new: after })));
  const vp = (points) => t("vp", { vp: points });
  const escape = (score) => t(score.escaped ? "escaped" : "not_escaped");
  if (now.primary_vp !== then.primary_vp) line("primary", t("primary"), vp(now.primary_vp), vp(then.primary_vp));
  if (now.secondary_vp !== then.secondary_vp) line("secondary", t("secondary"), vp(now.secondary_vp), vp(then.secondary_vp));
  if (now.coins !== then.coins) line("coins", t("coins"), now.coins, then.coins);
  if (now.escaped !== then.escaped) told.push(el("span", { class: "change escape" }, `${escape(now)} → ${escape(then)}`));
  if (told.length) return told;
  const same = [t(option.number === 0 ? "as_it_stands" : "same_points")];
  if (option.number === 0) {
    if (then.primary_vp !== null) same.push(`${t("primary")} ${vp(then.primary_vp)}`);
    if (then.secondary_vp !== null) same.push(`${t("secondary")} ${vp(then.secondary_vp)}`);
    same.push(escape(then));
  }
  told.push(el("span", { class: "change" }, same.join(" · ")));
  for (const find of new Set([...Object.keys(now.discovered), ...Object.keys(then.discovered)])) {
    const [before, after] = [now.discovered[find] ?? 0, then.discovered[find] ?? 0];
    if (before !== after) line("find", t(`find_${find}`), before, after);
  }
  return told;
}
