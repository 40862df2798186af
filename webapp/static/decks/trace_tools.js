/*
 * The tools of tracing. Each is made by `(page) => tool`; a tool has
 *   icon, hint()          its sign, and what to do
 *   render()              what is shown below the tools (elements; optional)
 *   draw(layer, px)       what is being drawn, in pixels of the picture (optional)
 *   tap(at)               a tap at a spot of the card, in mm
 *   grab(at)              a finger goes down: true where the tool draws with it; then drag(at), drop(at, cancelled)
 *   release()             let go of what is half drawn
 *
 * Every drag has taps that do the same.
 */

import { api, t, thingName } from "../app.js";
import { circle, el, icon, pathOf, shape } from "../review/dom.js";
import { distance } from "../review/edit_targets.js";
import { idOf, isPlace, levelOf, spotOf, thingAt } from "./trace_draw.js";
import { GROUPS, isTapped } from "./trace_groups.js";

/**
 * @import { Point } from "../review/viewer.js"
 * @import { Thing } from "./trace_draw.js"
 * @import { TracePage } from "./trace.js"
 *
 * @typedef {object} Tool
 * @property {string} icon
 * @property {() => string} hint
 * @property {() => Node[]} [render]
 * @property {(layer: SVGGElement, px: (length: number) => number) => void} [draw]
 * @property {(at: Point) => unknown} tap
 * @property {(at: Point) => boolean} [grab]
 * @property {(at: Point) => void} [drag]
 * @property {(at: Point, cancelled: boolean) => unknown} [drop]
 * @property {() => void} [release]
 */

/** A finger that draws is looked at after so many mm. */
const STEP_MM = 0.6;
/** A finger that has gone less far has tapped, in CSS pixels. */
const SLOP_PX = 10;
const COINS = [1, 2, 3, 4, 5];

/**
 * A button with an icon.
 * @param {string} sign
 * @param {string} words
 * @param {() => unknown} run
 * @param {Record<string, unknown>} [more]
 */
export function button(sign, words, run, more = {}) {
  return el(
    "button",
    { type: "button", class: "button", ...more, onclick: run },
    icon(sign),
    el("span", {}, words),
  );
}

/**
 * Look at what is there, and mend what is chosen.
 * @param {TracePage} page
 * @returns {Tool}
 */
export function lookTool(page) {
  /** @type {{ id: string, corner: number | null, at: Point } | null} */
  let held = null;
  let changing = false;

  /** @param {Point} at */
  function cornerAt(at) {
    const { chosen } = page;
    if (chosen?.sort !== "room") return null;
    const near = chosen.room.outline
      .map((corner, k) => ({ k, far: distance(corner, at) }))
      .filter(({ far }) => far <= page.reach())
      .sort((a, b) => a.far - b.far);
    return near[0]?.k ?? null;
  }

  /** @param {Thing} thing */
  function named(thing) {
    const words = page.nameOf(thing);
    return levelOf(thing) === "underground" ? t("%(what)s, underground", { what: words }) : words;
  }

  /** @param {Thing} thing */
  function confidenceOf(thing) {
    if (thing.sort === "node") return thing.node.confidence;
    if (thing.sort === "find") return thing.find.confidence;
    return thing.sort === "edge" ? thing.edge.confidence : thing.room.confidence;
  }

  /** @param {Thing} thing */
  function findOf(thing) {
    if (thing.sort === "find") return thing.find;
    return thing.sort === "node" && thing.node.find ? { ...thing.node, find: thing.node.find } : null;
  }

  /** @param {Thing} thing */
  function actions(thing) {
    const id = idOf(thing);
    const confidence = confidenceOf(thing);
    const find = findOf(thing);
    const leads = find?.find === "pitfall" || (thing.sort === "node" && thing.node.kind === "stairs");
    const below = levelOf(thing) === "underground";
    const unclear = find !== null && page.doubtful(thing);
    const walked = thing.sort !== "edge" || thing.edge.kind === "corridor";
    const place = thing.sort === "edge" ? thing.edge.a : id;
    return [
      confidence === null || unclear
        ? null
        : button("check", t("This is right"), () =>
            page.settle(thing, {
              kind: "confirm",
              ...(thing.sort === "edge" ? { edge: thing.edge.number } : { place: id }),
            }),
          ),
      button("eraser", page.doubtful(thing) ? t("Nothing is there") : t("Erase"), () => page.erase(thing), {
        "data-key": "erase",
      }),
      unclear
        ? null
        : leads
          ? button("levels", t("It leads somewhere else"), () => page.lead(id, spotOf(thing)))
          : null,
      thing.sort !== "find" && walked && !unclear
        ? button("levels", below ? t("It is on the main level") : t("It is underground"), () =>
            page.edit({ kind: "level", place, level: below ? "main" : "underground" }),
          )
        : null,
      find && !unclear
        ? button("swap", t("It is another find"), () => {
            changing = !changing;
            page.refresh();
          })
        : null,
      page.doubtful(thing) ? button("close", t("Cancel"), () => page.choose(null)) : null,
    ].filter((each) => each !== null);
  }

  return {
    icon: "hand",
    hint: () => {
      const { chosen, group, tracing } = page;
      if (group) return GROUPS[group].asked;
      if (!chosen && tracing.doubts.length)
        return t("The question marks are unclear; the button below leads to one after the other.");
      if (!chosen)
        return tracing.nodes.length || tracing.rooms.length
          ? t("Tap what is wrong to correct it. If everything is right, confirm it below.")
          : t("Begin with the corridors: draw each along its middle, from edge to edge.");
      if (page.doubtful(chosen))
        return findOf(chosen)
          ? t("What is here? Tap what it is.")
          : t("%(what)s: is it really there?", { what: named(chosen) });
      const confidence = confidenceOf(chosen);
      const known =
        confidence === null
          ? t("Drawn by a person")
          : t("A guess: %(percent)s %% sure", { percent: Math.round(100 * confidence) });
      return `${named(chosen)}. ${known}.`;
    },
    render() {
      const { chosen } = page;
      if (!chosen) {
        changing = false;
        return [];
      }
      const find = findOf(chosen);
      const id = idOf(chosen);
      if (find && page.doubtful(chosen)) {
        /** @type {(kind: string, value: number) => unknown} */
        const settle = (kind, value) => page.settle(chosen, { kind: "change", place: id, find: kind, value });
        // One tap tells a coin's worth with it: else each would be worth one.
        const coin = page.finds.some(([kind]) => kind === "coin");
        const others = page.finds.filter(([kind]) => kind !== "coin");
        return [
          coin ? page.coins(0, (value) => settle("coin", value), thingName("coin")) : null,
          page.palette("", (kind) => settle(kind, 1), others),
          el("div", { class: "trace-actions" }, ...actions(chosen)),
        ].filter((each) => each !== null);
      }
      return [
        el("div", { class: "trace-actions" }, ...actions(chosen)),
        ...(find?.find === "coin"
          ? [page.coins(find.value, (value) => page.edit({ kind: "change", place: id, find: "coin", value }))]
          : []),
        ...(find && changing
          ? [
              page.palette(find.find, (kind) => {
                changing = false;
                page.edit({ kind: "change", place: id, find: kind, value: 1 });
              }),
            ]
          : []),
        el(
          "p",
          { class: "hint" },
          chosen.sort === "room"
            ? t("Drag its corners, or the room by its middle.")
            : t("Drag it to where it really is."),
        ),
      ];
    },
    draw(layer, px) {
      if (page.chosen?.sort === "room") {
        for (const corner of page.chosen.room.outline) {
          layer.append(circle(page.scale.px(corner), px(9), "trace-handle", px(3)));
        }
      }
      if (held) {
        layer.append(circle(page.scale.px(held.at), px(16), "trace-ring", px(3)));
      }
    },
    tap(at) {
      changing = false;
      const { group } = page;
      const here = { reach: page.reach(), level: page.level };
      const wrong = group
        ? thingAt(page.tracing, at, { ...here, only: (thing) => isTapped(thing, group) })
        : null;
      if (wrong) page.erase(wrong);
      else page.choose(thingAt(page.tracing, at, here));
    },
    grab(at) {
      const { chosen } = page;
      if (!chosen || chosen.sort === "edge") return false;
      const corner = cornerAt(at);
      const near = thingAt(page.tracing, at, { reach: page.reach(), level: page.level });
      const whole = chosen.sort === "room" && distance(spotOf(chosen), at) <= page.reach();
      if (corner === null && !whole && !(near && chosen.sort !== "room" && idOf(near) === idOf(chosen)))
        return false;
      held = { id: idOf(chosen), corner, at };
      return true;
    },
    drag(at) {
      if (!held) return;
      held.at = at;
      page.redraw();
    },
    drop(at, cancelled) {
      const what = held;
      held = null;
      page.redraw();
      if (!what || cancelled) return;
      if (what.corner !== null) page.edit({ kind: "corner", room: what.id, number: what.corner, at });
      else page.edit({ kind: "move", place: what.id, at });
    },
    release() {
      held = null;
      changing = false;
    },
  };
}

/**
 * Corridors, drawn with a finger or from tap to tap.
 * @param {TracePage} page
 * @returns {Tool}
 */
export function corridorTool(page) {
  /** @type {Point | null} */
  let from = null;
  /** @type {Point[] | null} */
  let drawn = null;

  /** @param {Point[]} points */
  async function send(points) {
    const { level } = page;
    const last = points[points.length - 1];
    const made = await page.edit({ kind: "corridor", points, level });
    from = null;
    if (made) {
      // It goes on from an end that leads nowhere yet.
      const end = thingAt(made, last, { reach: page.reach(), level, only: isPlace });
      if (end?.sort === "node" && end.node.kind === "end" && end.node.level === level) from = end.node.at;
    }
    page.refresh();
  }

  return {
    icon: "corridor",
    hint: () =>
      from
        ? t("Tap on to where the corridor goes; tap a place or the edge to end it.")
        : t("Draw along the middle of the corridor with the finger, or tap its places one after the other."),
    render: () =>
      from
        ? [
            button("check", t("End it here"), () => {
              from = null;
              page.refresh();
            }),
          ]
        : [],
    draw(layer, px) {
      if (drawn && drawn.length > 1) {
        const d = pathOf(drawn.map((at) => page.scale.px(at)));
        layer.append(shape("path", { d, class: `trace-stroke ${page.level}`, "stroke-width": px(6) }));
      }
      if (from) {
        layer.append(circle(page.scale.px(from), px(14), "trace-ring", px(3)));
      }
    },
    tap(at) {
      if (!from) {
        from = at;
        page.refresh();
      } else if (distance(from, at) <= Math.min(2, page.reach())) {
        from = null;
        page.refresh();
      } else {
        send([from, at]);
      }
    },
    grab(at) {
      drawn = [at];
      return true;
    },
    drag(at) {
      if (!drawn || distance(drawn[drawn.length - 1], at) < STEP_MM) return;
      drawn.push(at);
      page.redraw();
    },
    drop(at, cancelled) {
      const line = drawn;
      drawn = null;
      page.redraw();
      if (!line || cancelled) return;
      if (line.length < 2 || page.cssLength(line) < SLOP_PX) this.tap(line[0]);
      else send([...line, at]);
    },
    release() {
      from = drawn = null;
    },
  };
}

/**
 * Rooms, as a rectangle or corner by corner.
 * @param {TracePage} page
 * @returns {Tool}
 */
export function roomTool(page) {
  /** @type {Point[]} */
  let corners = [];
  /** @type {[from: Point, to: Point] | null} */
  let dragged = null;

  /** @param {Point[]} outline */
  function close(outline) {
    corners = [];
    page.edit({ kind: "room", corners: outline, level: page.level });
    page.refresh();
  }

  /** @returns {Point[]} */
  const rectangle = () => {
    if (!dragged) return [];
    const [[x0, y0], [x1, y1]] = dragged;
    return [
      [x0, y0],
      [x1, y0],
      [x1, y1],
      [x0, y1],
    ];
  };

  return {
    icon: "outline",
    hint: () =>
      corners.length
        ? t("Tap the next corner; tap the first one again to close the room.")
        : t("Drag a rectangle over the room, or tap its corners one after the other."),
    render: () =>
      corners.length
        ? [
            el(
              "div",
              { class: "trace-actions" },
              corners.length > 2 ? button("check", t("Close the room"), () => close(corners)) : null,
              button("close", t("Cancel"), () => {
                corners = [];
                page.refresh();
              }),
            ),
          ]
        : [],
    draw(layer, px) {
      const outline = dragged ? rectangle() : corners;
      const d = pathOf(outline.map((at) => page.scale.px(at))) + (dragged ? "Z" : "");
      if (d) layer.append(shape("path", { d, class: "trace-wall", "stroke-width": px(4) }));
      for (const corner of corners) {
        layer.append(circle(page.scale.px(corner), px(8), "trace-handle", px(3)));
      }
    },
    tap(at) {
      if (corners.length > 2 && distance(corners[0], at) <= page.reach()) {
        close(corners);
        return;
      }
      corners.push(at);
      page.refresh();
    },
    grab(at) {
      dragged = [at, at];
      return true;
    },
    drag(at) {
      if (!dragged) return;
      dragged[1] = at;
      page.redraw();
    },
    drop(_at, cancelled) {
      const outline = rectangle();
      const line = dragged;
      dragged = null;
      page.redraw();
      if (cancelled || !line) return;
      if (page.cssLength(line) < SLOP_PX) this.tap(line[0]);
      else close(outline);
    },
    release() {
      corners = [];
      dragged = null;
    },
  };
}

/**
 * Finds, chosen by icon and dropped with a tap; a pit asks where one lands.
 * @param {TracePage} page
 * @returns {Tool}
 */
export function findTool(page) {
  let kind = page.finds[0]?.[0] ?? "";
  let value = 1;
  return {
    icon: page.finds[0]?.[1] ?? "coin",
    hint: () => t("%(find)s. Tap where it is, or choose another kind.", { find: thingName(kind) }),
    render: () => [
      page.palette(kind, (chosen) => {
        kind = chosen;
        page.refresh();
      }),
      ...(kind === "coin"
        ? [
            page.coins(value, (worth) => {
              value = worth;
              page.refresh();
            }),
          ]
        : []),
    ],
    async tap(at) {
      const find = { kind: "find", at, find: kind, value: kind === "coin" ? value : 1, level: page.level };
      const made = await page.edit(find);
      const pit = kind === "pitfall" && made ? page.unled(made, "pitfall", at) : null;
      if (pit) page.lead(idOf(pit), spotOf(pit));
    },
  };
}

/**
 * Openings at the edge and doors in walls: whichever is nearer.
 * @param {TracePage} page
 * @returns {Tool}
 */
export function gateTool(page) {
  /** @param {Point} at */
  function toWall(at) {
    const walls = page.tracing.rooms.flatMap((room) =>
      room.outline.map((corner, k) => page.fromLine(at, corner, room.outline[(k + 1) % room.outline.length])),
    );
    return Math.min(Infinity, ...walls);
  }
  return {
    icon: "opening",
    hint: () => t("Tap the card’s edge for an opening, or a room’s wall for a door."),
    tap(at) {
      const [width, height] = page.tracing.size_mm;
      const toEdge = Math.min(at[0], at[1], width - at[0], height - at[1]);
      // A wall at the edge has a door there.
      if (toWall(at) <= toEdge + 0.5) page.edit({ kind: "door", at });
      else page.edit({ kind: "opening", at, level: page.level });
    },
  };
}

/**
 * Stairs, and where they come out.
 * @param {TracePage} page
 * @returns {Tool}
 */
export function stairsTool(page) {
  return {
    icon: "stairs",
    hint: () => t("Tap the stairs on this level, then where they come out on the other one."),
    async tap(at) {
      const made = await page.edit({ kind: "stairs", at, level: page.level });
      const stairs = made ? page.unled(made, "stairs", at) : null;
      if (stairs) page.lead(idOf(stairs), spotOf(stairs));
    },
  };
}

/**
 * @param {TracePage} page
 * @returns {Tool}
 */
export function eraseTool(page) {
  return {
    icon: "eraser",
    hint: () => t("Tap what is not there."),
    tap(at) {
      const thing = thingAt(page.tracing, at, { reach: page.reach(), level: page.level });
      if (thing) page.erase(thing);
      else page.say(t("There is nothing here."));
    },
  };
}

/**
 * Tap two places: is there a way, and how long is it?
 * @param {TracePage} page
 * @returns {Tool}
 */
export function wayTool(page) {
  /** @type {Thing | null} */
  let from = null;
  /** @type {Point[][]} */
  let lines = [];
  return {
    icon: "walk",
    hint: () =>
      from
        ? t("From %(place)s: now tap where to.", { place: page.nameOf(from) })
        : t("Tap two places: is there a way, and how long is it?"),
    draw(layer, px) {
      for (const line of lines) {
        const d = pathOf(line.map((at) => page.scale.px(at)));
        layer.append(shape("path", { d, class: "trace-way-halo", "stroke-width": px(11) }));
        layer.append(shape("path", { d, class: "trace-way", "stroke-width": px(6) }));
      }
      if (from) {
        layer.append(circle(page.scale.px(spotOf(from)), px(16), "trace-ring", px(3)));
      }
    },
    async tap(at) {
      const place = thingAt(page.tracing, at, { reach: page.reach(), level: page.level, only: isPlace });
      lines = [];
      if (!place) {
        page.say(t("Tap a place: an opening, a fork, a find."));
        page.redraw();
        return;
      }
      if (!from) {
        from = place;
        page.refresh();
        return;
      }
      const ends = new URLSearchParams({ from: idOf(from), to: idOf(place) });
      from = null;
      try {
        const way = await api("GET", `${page.saver.path}/way?${ends}`);
        lines = /** @type {Point[][]} */ (way.lines);
        page.refresh();
        page.say(
          way.mm === null
            ? t("No way leads there.")
            : t("There is a way: %(mm)s mm.", { mm: Math.round(way.mm) }),
        );
      } catch (error) {
        page.tell(error);
      }
    },
    release() {
      from = null;
      lines = [];
    },
  };
}

export const COIN_VALUES = COINS;
