// The ruling drawn on the photo: cards, path with arrows, finds and what became of them, start and end.
// Sizes are millimetres on the cards. Every state has a shape of its own beside its colour.

import { t } from "../app.js";
import { all } from "../elements.js";
import { pathOf, shape } from "./viewer.js";

/**
 * @import { Point, Viewer } from "./viewer.js"
 * @typedef {Pick<Api.ReviewPiece, "line"> & Partial<Api.ReviewPiece>} Stretch
 * @typedef {Pick<Api.ReviewStep, "at"> & Partial<Api.ReviewStep>} Reached
 * @typedef {Omit<Api.Reading, "steps"> & { steps: Reached[] }} Drawn a reading, or another path in its place
 */

// From the path's start to its end: dark blue to yellow, monotonous in lightness too (after cividis).
const RAMP = [
  [30, 80, 200],
  [60, 130, 235],
  [86, 180, 233],
  [170, 205, 140],
  [240, 228, 66],
];
const FIND_STATES = { collected: t("collected"), used: t("used"), missed: t("missed") };
export const ARROW_EVERY_MM = 17;

/** @param {number} order */
function colourAt(order) {
  const at = Math.min(Math.max(order, 0), 1) * (RAMP.length - 1);
  const low = Math.min(Math.floor(at), RAMP.length - 2);
  const mixed = RAMP[low].map((value, k) => Math.round(value + (RAMP[low + 1][k] - value) * (at - low)));
  return `rgb(${mixed.join(" ")})`;
}

/**
 * Draw a whole reading into a viewer's layers "cards", "path", "finds", "ends".
 * @param {Viewer} viewer
 * @param {Drawn} reading
 */
export function drawReading(viewer, reading) {
  const mm = reading.px_per_mm;
  viewer.svg.style.setProperty("--mm", `${mm}px`);
  drawCards(viewer.clear("cards"), reading, mm);
  drawPath(viewer.clear("path"), reading, mm);
  drawFinds(viewer.clear("finds"), reading, mm);
  drawEnds(viewer.clear("ends"), reading, mm);
}

/**
 * Show the path as far as step `number`: what comes later is pale.
 * @param {Viewer} viewer
 * @param {Api.Reading} reading
 * @param {number} number
 */
export function showUpTo(viewer, reading, number) {
  const last = number >= reading.steps.length;
  for (const part of all(viewer.svg, "[data-number]", SVGElement)) {
    const own = part.dataset.number;
    part.classList.toggle("later", own === "" ? !last : Number(own) > number);
  }
  const walker = viewer.clear("walker");
  const step = reading.steps[number - 1];
  if (!step?.at || last) return;
  const mm = reading.px_per_mm;
  walker.append(
    shape("circle", {
      cx: step.at[0],
      cy: step.at[1],
      r: 3.4 * mm,
      class: "walker-halo",
      "stroke-width": 1.4 * mm,
    }),
    shape("circle", {
      cx: step.at[0],
      cy: step.at[1],
      r: 3.4 * mm,
      class: "walker",
      "stroke-width": 0.8 * mm,
    }),
  );
}

/**
 * @param {Element} layer
 * @param {Drawn} reading
 * @param {number} mm
 */
function drawCards(layer, reading, mm) {
  for (const card of reading.cards) {
    const outline = `${pathOf(card.corners)}Z`;
    layer.append(
      shape("path", { d: outline, class: "card-halo", "stroke-width": 0.9 * mm }),
      shape("path", { d: outline, class: "card-line", "stroke-width": 0.4 * mm, "data-card": card.index }),
    );
  }
  for (const card of reading.cards) {
    const [x, y] = nameSpot(card, reading, mm);
    label(layer, x, y, card.card, 3.4 * mm, "card-name");
  }
}

/**
 * The corner of a card in which its name covers least of the path and the finds; within the photo.
 * @param {Api.ReviewCard} card
 * @param {Drawn} reading
 * @param {number} mm
 * @returns {Point}
 */
function nameSpot(card, reading, mm) {
  const middle = [0, 1].map((k) => card.corners.reduce((sum, corner) => sum + corner[k], 0) / 4);
  const busy = [...reading.finds.map((find) => find.at), ...reading.pieces.flatMap((piece) => piece.line)];
  const spots = card.corners.map(
    ([x, y]) => /** @type {Point} */ ([x + (middle[0] - x) * 0.2, y + (middle[1] - y) * 0.2]),
  );
  /** @param {Point} spot */
  const covered = (spot) =>
    busy.filter(([x, y]) => Math.abs(x - spot[0]) < 9 * mm && Math.abs(y - spot[1]) < 5 * mm).length;
  const best = spots.reduce((least, spot) => (covered(spot) < covered(least) ? spot : least));
  const { width, height } = reading.photo;
  const half = [(card.card.length * 1.3 + 1) * mm, 3 * mm];
  const keep = (/** @type {0 | 1} */ k, /** @type {number} */ size) =>
    Math.max(half[k], Math.min(size - half[k], best[k]));
  return [keep(0, width), keep(1, height)];
}

/**
 * @param {Element} layer
 * @param {number} x
 * @param {number} y
 * @param {string} words
 * @param {number} size
 * @param {string} kind
 */
export function label(layer, x, y, words, size, kind) {
  const width = [...words].reduce((sum, letter) => sum + (letter.charCodeAt(0) > 255 ? 1 : 0.6), 0) * size;
  layer.append(
    shape("rect", {
      x: x - width / 2 - size * 0.35,
      y: y - size * 0.75,
      width: width + size * 0.7,
      height: size * 1.5,
      rx: size * 0.3,
      class: `${kind}-ground`,
    }),
    shape("text", { x, y, "font-size": size, class: `${kind} drawn-text` }, words),
  );
}

/**
 * @param {Element} layer
 * @param {Drawn} reading
 * @param {number} mm
 */
function drawPath(layer, reading, mm) {
  for (const piece of reading.pieces) {
    if (!piece.jump) {
      layer.append(
        shape("path", {
          d: pathOf(piece.line),
          class: "path-halo",
          "stroke-width": 2.6 * mm,
          "data-number": piece.number ?? "",
        }),
      );
    }
  }
  for (const piece of reading.pieces) layer.append(drawPiece(piece, mm));
  drawArrows(layer, reading.pieces, mm);
}

/**
 * @param {Api.ReviewPiece} piece
 * @param {number} mm
 */
function drawPiece(piece, mm) {
  // Of a table that all share each group has its colour; a path has that of its progress.
  const colour = piece.counted ? (piece.colour ?? colourAt(piece.order)) : (piece.colour ?? null);
  const common = {
    "data-number": piece.number ?? "",
    stroke: colour,
    class: `path-line${piece.counted ? "" : " lost"}`,
  };
  if (piece.jump) {
    return shape("path", {
      ...common,
      d: bow(piece.line, mm),
      "stroke-width": 1.4 * mm,
      "stroke-dasharray": `0 ${2.4 * mm}`,
    });
  }
  const dashed = piece.underground || !piece.counted;
  return shape("path", {
    ...common,
    d: pathOf(piece.line),
    "stroke-width": 1.5 * mm,
    "stroke-dasharray": dashed ? `${2 * mm} ${2.9 * mm}` : null,
  });
}

/**
 * A jump is a bow of dots, so that two between the same places do not hide a corridor.
 * @param {Point[]} line
 * @param {number} mm
 */
function bow(line, mm) {
  const [start, end] = [line[0], line[line.length - 1]];
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
  const length = Math.hypot(dx, dy) || 1;
  const out = Math.min(0.36 * length, 28 * mm) / length;
  const middle = [(start[0] + end[0]) / 2 - dy * out, (start[1] + end[1]) / 2 + dx * out];
  return `M${start.join(" ")}Q${middle.map((value) => value.toFixed(1)).join(" ")} ${end.join(" ")}`;
}

/**
 * Arrow heads at even distances along what was walked; the first soon after the start.
 * @param {Element} layer
 * @param {Stretch[]} pieces
 * @param {number} mm
 * @param {number} [size]
 */
export function drawArrows(layer, pieces, mm, size = 3.2) {
  let untilNext = (ARROW_EVERY_MM * mm) / 2;
  for (const piece of pieces) {
    if (piece.jump) {
      untilNext = (ARROW_EVERY_MM * mm) / 3;
      continue;
    }
    for (let k = 1; k < piece.line.length; k += 1) {
      const [a, b] = [piece.line[k - 1], piece.line[k]];
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
      const turn = (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI;
      let travelled = 0;
      while (length > 0 && untilNext <= length - travelled) {
        travelled += untilNext;
        untilNext = ARROW_EVERY_MM * mm;
        const [x, y] = [0, 1].map((i) => a[i] + ((b[i] - a[i]) * travelled) / length);
        const s = size * mm;
        layer.append(
          shape("path", {
            d: `M${0.75 * s} 0L${-0.55 * s} ${0.6 * s}V${-0.6 * s}Z`,
            transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn.toFixed(1)})`,
            class: `path-arrow${piece.counted === false ? " lost" : ""}`,
            "stroke-width": 0.5 * mm,
            "data-number": piece.number ?? "",
          }),
        );
      }
      untilNext -= length - travelled;
    }
  }
}

/**
 * @param {Element} layer
 * @param {Drawn} reading
 * @param {number} mm
 */
function drawFinds(layer, reading, mm) {
  const toldNumber = new Map(reading.steps.map((step) => [step.number, step]));
  const order = { missed: 0, used: 1, collected: 2 };
  for (const find of [...reading.finds].sort((a, b) => order[a.state] - order[b.state])) {
    const group = shape("g", {
      class: `find ${find.state}`,
      transform: `translate(${find.at.join(" ")})`,
      "data-place": find.place,
      "data-number": find.number,
    });
    const name =
      find.value > 1 ? t("%(name)s, worth %(value)s", { name: find.name, value: find.value }) : find.name;
    group.append(shape("title", {}, `${name}: ${FIND_STATES[find.state]}`));
    const r = 4.3 * mm;
    if (find.state === "missed") {
      const dash = `${(r * Math.PI) / 10} ${(r * Math.PI) / 10}`;
      group.append(
        shape("circle", { r, class: "find-halo", "stroke-width": 1.1 * mm, "stroke-dasharray": dash }),
        shape("circle", { r, class: "find-ring", "stroke-width": 0.5 * mm, "stroke-dasharray": dash }),
      );
    } else {
      group.append(
        shape("circle", { r, class: "find-halo", "stroke-width": 1.6 * mm }),
        shape("circle", { r, class: "find-ring", "stroke-width": 0.9 * mm }),
      );
      if (find.state === "used") {
        const d = `M${-0.72 * r} ${0.72 * r}L${0.72 * r} ${-0.72 * r}`;
        group.append(
          shape("path", { d, class: "find-halo", "stroke-width": 1.6 * mm }),
          shape("path", { d, class: "find-ring", "stroke-width": 0.9 * mm }),
        );
      } else {
        const tick = `M${-0.3 * r} ${-0.95 * r}l${0.22 * r} ${0.24 * r}l${0.42 * r} ${-0.48 * r}`;
        group.append(
          shape("circle", { cx: 0, cy: -r, r: 1.9 * mm, class: "find-tick-ground" }),
          shape("path", { d: tick, class: "find-tick", "stroke-width": 0.8 * mm }),
        );
      }
      if (find.number !== null && toldNumber.has(find.number))
        label(group, r * 0.95, r * 0.85, String(find.number), 3 * mm, "find-number");
    }
    layer.append(group);
  }
}

/**
 * @param {Element} layer
 * @param {Drawn} reading
 * @param {number} mm
 */
function drawEnds(layer, reading, mm) {
  const first = reading.steps[0]?.at ?? reading.pieces[0]?.line[0];
  if (first) {
    layer.append(
      shape("circle", {
        cx: first[0],
        cy: first[1],
        r: 2.6 * mm,
        class: "start-dot",
        "stroke-width": 0.9 * mm,
      }),
    );
  }
  const { end } = reading;
  if (!end.at) return;
  const [x, y] = end.at;
  const group = shape("g", { class: `end ${end.how}`, transform: `translate(${x} ${y})`, "data-number": "" });
  const r = 3.6 * mm;
  group.append(shape("circle", { r, class: "end-ground", "stroke-width": 0.8 * mm }));
  /** @type {Record<string, string>} */
  const signs = {
    exit: `M${-0.5 * r} ${0.05 * r}l${0.35 * r} ${0.4 * r}l${0.65 * r} ${-0.8 * r}`, // a tick
    violation: `M${-0.45 * r} ${-0.45 * r}L${0.45 * r} ${0.45 * r}M${0.45 * r} ${-0.45 * r}L${-0.45 * r} ${0.45 * r}`,
    obstacle: `M${-0.5 * r} 0H${0.5 * r}`,
    dead_end: `M${-0.5 * r} 0H${0.5 * r}`,
  };
  group.append(
    shape("path", { d: signs[end.how] ?? signs.obstacle, class: "end-sign", "stroke-width": 0.9 * mm }),
  );
  layer.append(group);
}
