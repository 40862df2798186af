// A tracing drawn on its card, and what of it a finger means. Guesses are pencil (dashed), what a person drew is ink;
// the underground is a double line, so that colour is never the only sign.

import { distance, fromSegment, inside } from "../review/edit_targets.js";
import { circle, pathOf, shape } from "../review/dom.js";

/**
 * @import { Point, Viewer } from "../review/viewer.js"
 * @typedef {{ sort: "node", node: Api.TracedNode }
 *   | { sort: "find", find: Api.TracedFind, room: Api.TracedRoom }
 *   | { sort: "edge", edge: Api.TracedEdge }
 *   | { sort: "room", room: Api.TracedRoom }} Thing
 */

const ICONS = new URL("../icons.svg", import.meta.url).pathname;
/* Lines and signs are thinner than a corridor: what is printed there stays in sight. */
const ICON_MM = 3.2;
const BADGE_MM = 3;

/** Millimetres on the card and pixels of its picture. */
export class Scale {
  /** @param {number} pxPerMm */
  constructor(pxPerMm) {
    this.mm = pxPerMm;
  }

  /** @param {Point} at */
  px([x, y]) {
    return /** @type {Point} */ ([x * this.mm, y * this.mm]);
  }

  /** @param {{ x: number, y: number }} spot */
  at({ x, y }) {
    return /** @type {Point} */ ([+(x / this.mm).toFixed(2), +(y / this.mm).toFixed(2)]);
  }
}

/**
 * @param {Viewer} viewer
 * @param {Scale} scale
 * @param {Api.TracingView} tracing
 * @param {{ level: string, chosen: Thing | null, icons: Map<string, string>, doubts: Set<string> }} how `doubts`: what
 *   must be looked at, by its id; it is drawn as a question
 */
export function drawTracing(viewer, scale, tracing, { level, chosen, icons, doubts }) {
  const rooms = viewer.clear("rooms");
  const lines = viewer.clear("lines");
  const places = viewer.clear("places");
  const faults = viewer.clear("faults");
  const mm = scale.mm;
  /** @type {(of: { level?: string | null, confidence: number | null }, id: string) => string} */
  const looks = (of, id) =>
    [
      of.level ?? "",
      of.confidence === null ? "ink" : "guess",
      (of.level ?? level) === level ? "" : "other-level",
      chosen && idOf(chosen) === id ? "chosen" : "",
      doubts.has(id) ? "in-doubt" : "",
    ].join(" ");
  /** @type {(id: string, find: string) => string | null} */
  const sign = (id, find) => (doubts.has(id) ? null : (icons.get(find) ?? find));
  for (const room of tracing.rooms) {
    const d = `${pathOf(room.outline.map((at) => scale.px(at)))}Z`;
    rooms.append(
      shape("path", { d, class: `traced-room ${looks(room, room.id)}`, "stroke-width": 0.6 * mm }),
    );
  }
  for (const edge of tracing.edges) {
    const d = pathOf(edge.line.map((at) => scale.px(at)));
    const id = `edge ${edge.number}`;
    if (edge.kind === "corridor") {
      const state = looks(edge, id);
      lines.append(
        shape("path", { d, class: `traced-halo ${state}`, "stroke-width": 1.2 * mm }),
        shape("path", { d, class: `traced-line ${state}`, "stroke-width": 0.7 * mm }),
      );
      if (edge.level === "underground")
        lines.append(shape("path", { d, class: `traced-middle ${state}`, "stroke-width": 0.25 * mm }));
    } else {
      lines.append(
        shape("path", { d, class: `traced-lead ${looks({ ...edge, level }, id)}`, "stroke-width": 0.5 * mm }),
      );
    }
  }
  for (const node of tracing.nodes) places.append(nodeShape(node, scale, looks(node, node.id), sign));
  for (const room of tracing.rooms) {
    for (const find of room.finds)
      places.append(
        iconShape(
          sign(find.id, find.find),
          find.at,
          scale,
          looks({ ...find, level: room.level }, find.id),
          coins(find.find, find.value),
        ),
      );
  }
  for (const thing of thingsOf(tracing)) {
    const find = thing.sort === "find" || (thing.sort === "node" && thing.node.find);
    if (find || !doubts.has(idOf(thing))) continue;
    const [x, y] = scale.px(spotOf(thing));
    places.append(shape("g", { class: "in-doubt" }, ...question(x + BADGE_MM * mm, y - BADGE_MM * mm, mm)));
  }
  tracing.problems.forEach((problem, k) => {
    if (!problem.at) return;
    const [x, y] = scale.px(problem.at);
    faults.append(
      circle([x, y], 5 * mm, "fault-ring", 0.9 * mm),
      shape("circle", { cx: x + 4 * mm, cy: y - 4 * mm, r: 2.2 * mm, class: "fault-ground" }),
      shape(
        "text",
        { x: x + 4 * mm, y: y - 4 * mm, class: "fault-number", "font-size": 3.2 * mm },
        String(k + 1),
      ),
    );
  });
}

/**
 * @param {Api.TracedNode} node
 * @param {Scale} scale
 * @param {string} looks
 * @param {(id: string, find: string) => string | null} sign
 */
function nodeShape(node, scale, looks, sign) {
  const mm = scale.mm;
  const [x, y] = scale.px(node.at);
  if (node.kind === "find" && node.find)
    return iconShape(sign(node.id, node.find), node.at, scale, looks, coins(node.find, node.value));
  if (node.kind === "stairs") return iconShape("stairs", node.at, scale, looks, "");
  const sizes = { opening: 1.5, door: 1.3, junction: 0.8, end: 1.2 };
  const r = sizes[/** @type {keyof typeof sizes} */ (node.kind)] * mm;
  const common = { class: `traced-place ${node.kind} ${looks}`, "stroke-width": 0.4 * mm };
  if (node.kind === "door")
    return shape("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r, rx: 0.3 * mm, ...common });
  if (node.kind === "end")
    return shape("path", {
      d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}`,
      ...common,
    });
  return shape("circle", { cx: x, cy: y, r, ...common });
}

/**
 * @param {string | null} name the icon's; null: nobody can tell yet
 * @param {Point} at
 * @param {Scale} scale
 * @param {string} looks
 * @param {string} words
 */
function iconShape(name, at, scale, looks, words) {
  const mm = scale.mm;
  const [x, y] = scale.px(at);
  const side = ICON_MM * mm;
  // Beside the place: what is printed there is to be compared with it.
  const [bx, by] = [x + BADGE_MM * mm, y - BADGE_MM * mm];
  const group = shape(
    "g",
    { class: `traced-find ${looks}` },
    circle([x, y], 3.6 * mm, "find-around", 0.4 * mm),
  );
  if (name === null) {
    group.append(...question(bx, by, mm));
    return group;
  }
  group.append(
    circle([bx, by], 2.1 * mm, "find-ground", 0.3 * mm),
    shape("use", { href: `${ICONS}#${name}`, x: bx - side / 2, y: by - side / 2, width: side, height: side }),
  );
  if (words) {
    const corner = { x: bx + 2 * mm, y: by + 1.7 * mm };
    group.append(shape("text", { ...corner, class: "find-value", "font-size": 2.8 * mm }, words));
  }
  return group;
}

/**
 * A question mark for what must be looked at.
 * @param {number} x
 * @param {number} y
 * @param {number} mm
 */
function question(x, y, mm) {
  return [
    circle([x, y], 1.7 * mm, "doubt-ground", 0.3 * mm),
    shape("text", { x, y, class: "doubt-mark", "font-size": 2.7 * mm }, "?"),
  ];
}

/**
 * @param {string} find
 * @param {number} value
 */
function coins(find, value) {
  return find === "coin" && value > 1 ? String(value) : "";
}

/**
 * The id of a thing, as problems name it; an edge's is its number.
 * @param {Thing} thing
 */
export function idOf(thing) {
  if (thing.sort === "node") return thing.node.id;
  if (thing.sort === "find") return thing.find.id;
  if (thing.sort === "room") return thing.room.id;
  return `edge ${thing.edge.number}`;
}

/**
 * Where a thing is, for what is drawn beside it.
 * @param {Thing} thing
 * @returns {Point}
 */
export function spotOf(thing) {
  if (thing.sort === "node") return thing.node.at;
  if (thing.sort === "find") return thing.find.at;
  const points = thing.sort === "room" ? thing.room.outline : thing.edge.line;
  if (thing.sort === "edge") return points[Math.floor(points.length / 2)];
  const middle = [0, 1].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length);
  return /** @type {Point} */ (middle);
}

/**
 * Everything in a tracing, places first.
 * @param {Api.TracingView} tracing
 * @returns {Thing[]}
 */
export function thingsOf(tracing) {
  return [
    ...tracing.nodes.map((node) => /** @type {Thing} */ ({ sort: "node", node })),
    ...tracing.rooms.flatMap((room) =>
      room.finds.map((find) => /** @type {Thing} */ ({ sort: "find", find, room })),
    ),
    ...tracing.edges.map((edge) => /** @type {Thing} */ ({ sort: "edge", edge })),
    ...tracing.rooms.map((room) => /** @type {Thing} */ ({ sort: "room", room })),
  ];
}

/**
 * What a finger at a point of the card means: the nearest place, else a corridor, else the room; of things at one spot
 * those on the level that is drawn on.
 * @param {Api.TracingView} tracing
 * @param {Point} at
 * @param {{ reach: number, level: string, only?: (thing: Thing) => boolean }} how in mm; `only`: which things count
 * @returns {Thing | null}
 */
export function thingAt(tracing, at, { reach, level, only = () => true }) {
  const rank = { node: 0, find: 0, edge: 1, room: 2 };
  const near = thingsOf(tracing)
    .filter(only)
    .map((thing) => ({ thing, far: farFrom(thing, at), other: Number(levelOf(thing) !== level) }))
    .filter(({ far }) => far <= reach)
    .sort((a, b) => {
      const order = rank[a.thing.sort] - rank[b.thing.sort];
      // A fork is smaller than what stands beside it.
      return order || a.far + 0.8 * a.other - b.far - 0.8 * b.other;
    });
  return near[0]?.thing ?? null;
}

/** @param {Thing} thing */
export const isPlace = ({ sort }) => sort === "node" || sort === "find";

/**
 * @param {Thing} thing
 * @returns {string}
 */
export function levelOf(thing) {
  if (thing.sort === "node") return thing.node.level;
  if (thing.sort === "edge") return thing.edge.level ?? "main";
  return thing.room.level;
}

/**
 * @param {Thing} thing
 * @param {Point} at
 */
function farFrom(thing, at) {
  if (thing.sort === "node") return distance(thing.node.at, at);
  if (thing.sort === "find") return distance(thing.find.at, at);
  if (thing.sort === "room") return inside(at, thing.room.outline) ? 0 : Infinity;
  const line = thing.edge.line;
  return Math.min(...line.slice(1).map((end, k) => fromSegment(at, line[k], end)));
}
