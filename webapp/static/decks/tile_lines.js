// The corridors of a tile as lines over its picture: each from the middles of the sides to which it opens.

import { shape } from "../review/dom.js";

/** Sides as bits, clockwise from the top; where their middles are, in a square of 100. */
export const SIDES = /** @type {const} */ (["top", "right", "bottom", "left"]);
/** @type {[number, number][]} */
const MIDDLES = [
  [50, 0],
  [100, 50],
  [50, 100],
  [0, 50],
];
/** Corridors that do not meet bend so far from the middle. */
const APART = 0.56;

/**
 * The lines of a tile's corridors (bits of the sides of each).
 * @param {number[]} corridors
 * @param {string} state
 * @returns {SVGSVGElement}
 */
export function tileLines(corridors, state = "ink") {
  const lines = corridors.flatMap((sides, number) => {
    const open = MIDDLES.filter((_, side) => (sides >> side) & 1);
    const bend = corridors.length > 1 ? APART / open.length : 0;
    /** @type {[number, number]} */
    const join = [
      50 + bend * open.reduce((sum, [x]) => sum + x - 50, 0),
      50 + bend * open.reduce((sum, [, y]) => sum + y - 50, 0),
    ];
    const way = open.map(([x, y]) => `M${x} ${y}L${join[0]} ${join[1]}`).join("");
    return [
      shape("path", { d: way, class: "line-halo" }),
      shape("path", { d: way, class: `line-way corridor-${number}` }),
    ];
  });
  return shape(
    "svg",
    { viewBox: "0 0 100 100", class: `tile-lines lines-${state}`, "aria-hidden": "true" },
    ...lines,
  );
}
