// The ruling on the photo, as the server draws it, and what a page changes of it. Sizes are millimetres on the cards.

import { all } from "../elements.js";
import { circle, shape } from "./dom.js";

/**
 * @import { Viewer } from "./viewer.js"
 * @typedef {Pick<Api.ReviewPiece, "line"> & Partial<Api.ReviewPiece>} Stretch
 */

export const ARROW_EVERY_MM = 17;

/**
 * Show the drawing of a reading, or of another path in its place.
 * @param {Viewer} viewer
 * @param {string} drawing
 * @param {number} mm
 */
export function showDrawing(viewer, drawing, mm) {
  viewer.svg.style.setProperty("--mm", `${mm}px`);
  viewer.clear("drawing").innerHTML = drawing;
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
    circle(step.at, 3.4 * mm, "walker-halo", 1.4 * mm),
    circle(step.at, 3.4 * mm, "walker", 0.8 * mm),
  );
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
