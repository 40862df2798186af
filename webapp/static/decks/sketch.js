// A dungeon as lines on a blank card, for where nobody has the card's picture.

import { pathOf, shape } from "../review/dom.js";

const ICONS = new URL("../icons.svg", import.meta.url).pathname;
const ICON_MM = 9;

/**
 * @param {Api.DungeonSketch} dungeon
 * @returns {SVGSVGElement}
 */
export function sketch(dungeon) {
  const [width, height] = dungeon.size_mm;
  const lines = /** @type {const} */ ([
    ["room", dungeon.rooms, "Z"],
    ["below", dungeon.underground, ""],
    ["way", dungeon.corridors, ""],
  ]);
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, class: "sketch", "aria-hidden": "true" });
  for (const [name, paths, end] of lines) {
    for (const points of paths) svg.append(shape("path", { d: pathOf([...points]) + end, class: name }));
  }
  for (const [x, y] of dungeon.openings) svg.append(shape("circle", { cx: x, cy: y, r: 2.6, class: "gate" }));
  for (const [icon, [x, y]] of dungeon.finds) {
    const side = { x: x - ICON_MM / 2, y: y - ICON_MM / 2, width: ICON_MM, height: ICON_MM };
    svg.append(
      shape("circle", { cx: x, cy: y, r: ICON_MM / 2 + 1, class: "ground" }),
      shape("use", { href: `${ICONS}#${icon}`, ...side }),
    );
  }
  return svg;
}
