// What an answer says, drawn on the photo: small beside its words, and large to be looked at closely.

import { t } from "../app.js";
import { circle, el, icon, pathOf, shape } from "./dom.js";
import { ARROW_EVERY_MM, drawArrows } from "./overlay.js";
import { Viewer } from "./viewer.js";

/**
 * @import { EditedReading } from "./editor.js"
 * @import { Box, Point } from "./viewer.js"
 * @typedef {Api.ReviewQuestion} Question
 * @typedef {Api.ReviewOption} Option
 */

export const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const BESIDE_MM = 1.5; // a line is drawn so far beside the middle of the ink that it tells of
export const CROP_MARGIN_MM = 6; // what a question's part of the photo shows about what is asked, as the server has it
const CLOSE_MM = 12; // so much of the photo is seen about what an answer says, enlarged

/**
 * The path that all answers share, thin; what only other answers have, crossed out.
 * @param {Element} layer
 * @param {Option} option
 * @param {number} mm
 */
function drawRest(layer, option, mm) {
  for (const line of option.rest)
    layer.append(shape("path", { d: pathOf(line), class: "answer-rest", "stroke-width": 0.4 * mm }));
  for (const line of option.lacks) {
    layer.append(
      shape("path", {
        d: pathOf(line),
        class: "answer-lacks",
        "stroke-width": 0.9 * mm,
        "stroke-dasharray": `${1.2 * mm} ${1.4 * mm}`,
      }),
    );
    const [x, y] = middleOf(line);
    const [r, d] = [
      2.6 * mm,
      `M${x - 2.6 * mm} ${y - 2.6 * mm}l${5.2 * mm} ${5.2 * mm}m0 ${-5.2 * mm}l${-5.2 * mm} ${5.2 * mm}`,
    ];
    layer.append(
      shape("path", { d, class: "answer-halo", "stroke-width": r }),
      shape("path", { d, class: "answer-cross", "stroke-width": r * 0.5 }),
    );
  }
}

/**
 * The point half way along a line.
 * @param {Point[]} line
 * @returns {Point}
 */
function middleOf(line) {
  const steps = line.slice(1).map(([x, y], k) => Math.hypot(x - line[k][0], y - line[k][1]));
  let left = steps.reduce((sum, step) => sum + step, 0) / 2;
  for (let k = 0; k < steps.length; k += 1) {
    if (left <= steps[k] && steps[k] > 0) {
      const share = left / steps[k];
      const [[x, y], [nextX, nextY]] = [line[k], line[k + 1]];
      return [x + share * (nextX - x), y + share * (nextY - y)];
    }
    left -= steps[k];
  }
  return line[0];
}

/**
 * A line led along the right-hand side of another, so that the ink under that one stays in sight.
 * @param {Point[]} line
 * @param {number} aside
 * @returns {Point[]}
 */
function beside(line, aside) {
  return line.map(([x, y], k) => {
    const [before, after] = [line[Math.max(0, k - 1)], line[Math.min(line.length - 1, k + 1)]];
    const [dx, dy] = [after[0] - before[0], after[1] - before[1]];
    const length = Math.hypot(dx, dy) || 1;
    return [x - (dy / length) * aside, y + (dx / length) * aside];
  });
}

/**
 * What only this answer has: a thin line beside the ink, with arrows the way it is walked.
 * @param {Element} layer
 * @param {Option} option
 * @param {number} k
 * @param {number} mm
 * @param {number} [width]
 */
function drawLines(layer, option, k, mm, width = 0.8) {
  const lines = option.lines.map((line) => beside(line, BESIDE_MM * mm));
  for (const line of lines) {
    layer.append(
      shape("path", { d: pathOf(line), class: "answer-halo", "stroke-width": (width + 0.5) * mm }),
      shape("path", {
        d: pathOf(line),
        class: `answer-line answer-line-${k}`,
        "stroke-width": width * mm,
        "stroke-dasharray": k ? `${3 * mm} ${1.6 * mm}` : null,
      }),
    );
  }
  for (const line of lines) {
    // One arrow at least, half way along.
    const length = line
      .slice(1)
      .reduce((sum, [x, y], at) => sum + Math.hypot(x - line[at][0], y - line[at][1]), 0);
    const every = Math.min(mm * 0.8, length / ARROW_EVERY_MM);
    if (every > 0) drawArrows(layer, [{ line, jump: false }], every, (width * 3 * mm * 0.8) / every);
  }
  if (option.start) {
    layer.append(circle(option.start, 3.4 * mm, "start-dot", 1.2 * mm));
  }
}

/**
 * The letter of an answer at a point of the photo.
 * @param {Element} layer
 * @param {Point} at
 * @param {number} k
 * @param {number} mm
 */
export function letter(layer, [x, y], k, mm) {
  layer.append(
    circle([x, y], 5 * mm, `letter-disc letter-disc-${k}`, 0.9 * mm),
    shape("text", { x, y, "font-size": 6.5 * mm, class: "letter-on-photo drawn-text" }, LETTERS[k]),
  );
}

/**
 * A thin ring about the place that is asked about; the ink in it stays in sight.
 * @param {Element} layer
 * @param {Point} at
 * @param {number} mm
 */
export function ring(layer, [x, y], mm) {
  layer.append(circle([x, y], 7 * mm, "ring-halo", 1.3 * mm), circle([x, y], 7 * mm, "ring", 0.7 * mm));
}

/**
 * A thin line about the card, or the place without one, that is asked about.
 * @param {Element} layer
 * @param {Box} crop
 * @param {number} mm
 */
export function outline(layer, [left, top, right, bottom], mm) {
  const aside = CROP_MARGIN_MM * mm;
  const box = {
    x: left + aside,
    y: top + aside,
    width: right - left - 2 * aside,
    height: bottom - top - 2 * aside,
  };
  if (box.width <= 0 || box.height <= 0) return;
  layer.append(
    shape("rect", { ...box, class: "ring-halo", "stroke-width": 1.3 * mm }),
    shape("rect", { ...box, class: "ring", "stroke-width": 0.7 * mm }),
  );
}

/**
 * The part of the photo that a question is about, with what this answer says drawn on it.
 * @param {EditedReading} reading
 * @param {Question} question
 * @param {Option} option
 * @param {Api.PhotoSize} size
 * @param {number} k
 */
export function crop(reading, question, option, size, k) {
  if (option.picture) return cardPicture(option.picture, reading.cards[Number(question.place)]);
  const [left, top, right, bottom] = option.crop ?? question.crop;
  const { width, height } = reading.photo;
  // As much more of the photo as makes it 4 to 3, so that nothing of the crop is cut off.
  const wide = Math.max(right - left, ((bottom - top) * 4) / 3);
  const box = [(left + right - wide) / 2, (top + bottom - (wide * 3) / 4) / 2, wide, (wide * 3) / 4];
  const svg = shape("svg", { class: "answer-picture", viewBox: box.join(" "), "aria-hidden": "true" });
  svg.append(shape("image", { href: size.url, x: 0, y: 0, width, height, preserveAspectRatio: "none" }));
  const mm = Math.max(reading.px_per_mm, wide / 70);
  drawRest(svg, option, mm);
  drawLines(svg, option, k, mm);
  return svg;
}

/**
 * A card's picture, turned by quarters as the card lies in the photo.
 * @param {string} url
 * @param {Api.ReviewCard} card
 */
function cardPicture(url, card) {
  const [[x, y], [right, down]] = card.corners;
  const turn = Math.round(Math.atan2(down - y, right - x) / (Math.PI / 2)) * 90;
  const [width, height] = turn % 180 ? [96, 128] : [128, 96];
  return shape(
    "svg",
    { class: "answer-picture", viewBox: "0 0 128 96", "aria-hidden": "true" },
    shape("image", {
      href: url,
      x: 64 - width / 2,
      y: 48 - height / 2,
      width,
      height,
      transform: `rotate(${turn} 64 48)`,
    }),
  );
}

/**
 * Show an answer's picture as large as the screen; it can be zoomed and moved like the photo itself.
 * @param {EditedReading} reading
 * @param {Question} question
 * @param {Option} option
 * @param {number} k
 */
export function enlarge(reading, question, option, k) {
  const host = el("div", { class: "enlarged-picture" });
  /**
   * @param {string} name
   * @param {string} words
   * @param {() => unknown} run
   */
  const tool = (name, words, run) =>
    el(
      "button",
      { type: "button", class: "button tool", "aria-label": words, title: words, onclick: run },
      icon(name),
    );
  const head = [
    question.options.length > 1 ? el("span", { class: `letter letter-${k}` }, LETTERS[k]) : null,
    el("p", {}, option.label),
  ];
  const dialog = el("dialog", { class: "enlarged", "aria-label": option.label }, host);
  document.body.append(dialog);
  dialog.showModal();
  /** @type {Viewer | null} */
  let viewer = null;
  if (option.picture) {
    host.append(cardPicture(option.picture, reading.cards[Number(question.place)]));
  } else {
    const large = new Viewer(host, { photo: reading.photo, label: option.label });
    viewer = large;
    drawLarge(large, reading, option, k);
    large.fit(closeUp(reading, question, option));
  }
  dialog.prepend(
    el(
      "div",
      { class: "enlarged-head" },
      ...head,
      viewer ? tool("zoom-in", t("Zoom in"), () => viewer.zoomBy(1.5)) : null,
      viewer ? tool("zoom-out", t("Zoom out"), () => viewer.zoomBy(1 / 1.5)) : null,
      tool("close", t("Close"), () => dialog.close()),
    ),
  );
  dialog.addEventListener("close", () => {
    viewer?.destroy();
    dialog.remove();
  });
}

/**
 * Thinner than in the small picture: what is looked at is the ink.
 * @param {Viewer} viewer
 * @param {EditedReading} reading
 * @param {Option} option
 * @param {number} k
 */
function drawLarge(viewer, reading, option, k) {
  const [layer, mm] = [viewer.layer("answer"), reading.px_per_mm];
  drawRest(layer, option, 0.6 * mm);
  drawLines(layer, option, k, mm, 0.4);
}

/**
 * The part of the photo about what tells this answer from the others.
 * @param {EditedReading} reading
 * @param {Question} question
 * @param {Option} option
 * @returns {Box}
 */
function closeUp(reading, question, option) {
  if (option.crop) return option.crop;
  const points = [question.at, ...option.lines.flat(), ...option.lacks.flat()];
  if (question.about === "direction") return question.crop;
  const margin = CLOSE_MM * reading.px_per_mm;
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
  return [
    Math.min(...xs) - margin,
    Math.min(...ys) - margin,
    Math.max(...xs) + margin,
    Math.max(...ys) + margin,
  ];
}
