// The path: drawn from place to place, dragged elsewhere, rubbed out, turned round; on the photo or by lists.

import { t } from "../app.js";
import { all, focusedData, may } from "../elements.js";
import { circle, el, fill, icon, pathOf, shape } from "./dom.js";
import { distance, FINGER_PX, follow, pieceAt, pathIn, placeAt, stretchOf, waysOf } from "./edit_targets.js";
import { answers } from "./questions.js";

/**
 * @import { Editor, Tool } from "./editor.js"
 * @import { Path, Ways } from "./edit_targets.js"
 * @import { Point, Spot, Tap } from "./viewer.js"
 * @typedef {"draw" | "drag" | "erase" | "teleport"} Mode
 * @typedef {{ piece: Api.ReviewPiece, end?: "start" | "end" | null }} HeldPiece
 * @typedef {{ drawn: string[], ways: Ways }} HeldStroke
 * @typedef {Spot & { first: Point, far: number }} Finger
 */

/** @type {Mode[]} */
const MODES = ["draw", "drag", "erase", "teleport"];
const MODE_NAMES = { draw: t("Draw"), drag: t("Drag"), erase: t("Erase"), teleport: t("Teleport") };
const MODE_HINTS = {
  draw: t(
    "Tap where the line begins, then where it goes; the way between is filled in. Or draw on from the ringed place with your finger.",
  ),
  drag: t("Drag the line to the place that it really passes, or an end to where it really stops."),
  erase: t("Tap a part of the line, or sweep over it."),
  teleport: t("Tap where the line jumps from, then where it goes on."),
};
const MODE_ICONS = { draw: "pencil", drag: "hand", erase: "eraser", teleport: "magic_circle" };
const SLOP_PX = 10;

/**
 * @param {Editor} editor
 * @returns {Tool}
 */
export function pathTool(editor) {
  /** @type {Mode} */
  let mode = "draw";
  let apart = false; // what is drawn next is a stroke of its own
  /** @type {string | null} */
  let from = null; // the place that the next tap draws on from
  /** @type {HeldPiece | HeldStroke | null} */
  let held = null; // what a finger holds: { piece }, an end of it, or { drawn, ways } where it draws on
  /** @type {Finger | null} */
  let finger = null; // where it is
  /** @type {Map<number, { start: number, end: number }>} */
  let rubbed = new Map(); // stroke to { start, end } under the eraser
  let open = false; // whether the list of steps is unfolded

  /** @param {string | null} name */
  const at = (name) => editor.reading.places.find((place) => place.id === name);
  /** @param {string} name */
  const named = (name) => at(name)?.name ?? name;
  const path = () => pathIn(editor.reading);

  /** @param {Mode} next */
  function choose(next) {
    [mode, from, held, finger, rubbed] = [next, null, null, null, new Map()];
    editor.say("");
    editor.refresh();
  }

  /**
   * @param {Spot} point
   * @param {string} level
   */
  function pick(point, level) {
    const { place, crowded } = placeAt(editor.viewer, editor.reading, point, { level });
    if (crowded) {
      editor.viewer.zoomBy(2.2, editor.viewer.toClient(point.x, point.y));
      editor.say(t("The places are close together here; tap once more in the larger picture."));
      return null;
    }
    if (!place)
      editor.say(
        mode === "drag"
          ? t("Nothing is changed: there is no place of the cards where you let go. Let go on a dot.")
          : t("There is no place here; tap a dot, or choose one from the list."),
      );
    return place ?? null;
  }

  /** @param {string[]} places */
  async function draw(places) {
    const before = path();
    const done = await editor.send({ kind: "draw", places, join: !apart }, (reading) =>
      whereDrawn(before, pathIn(reading), places),
    );
    if (done) {
      apart = false;
      from = places[places.length - 1];
    }
    editor.refresh();
    return done;
  }

  /**
   * Where a stretch was put: after which step of the path, or why it is a line of its own.
   * @param {Path} before
   * @param {Path} after
   * @param {string[]} places
   */
  function whereDrawn(before, after, places) {
    if (after.length > before.length && before.length) {
      if (apart) return t("Drawn as a separate line, walked last.");
      if (joins()) return t("Drawn as a separate line for now: choose below how it joins the path.");
      const walked = new Set(before.flat());
      return places.every((name) => walked.has(name))
        ? t(
            "Drawn as a separate line, because it is not clear where the path turns off to it. To lead the line this way, drag it here instead, or erase the part that is wrong.",
          )
        : t("Drawn as a separate line: nothing joins it to the path. Draw it from the path's end.");
    }
    const now = after.flat();
    // The rules may have turned the path round.
    /** @param {string[]} old */
    const same = (old) => old.findIndex((name, k) => name !== now[k]);
    const shared = [
      before.flat(),
      before
        .map((stroke) => [...stroke].reverse())
        .reverse()
        .flat(),
    ].map((old) => (same(old) < 0 ? old.length : same(old)));
    const step = Math.max(...shared);
    return step > 0 ? t("Inserted after step %(step)s.", { step }) : t("Drawn.");
  }

  /** What is asked of a line that nothing joins: how it does. */
  const joins = () =>
    editor.reading.questions.find(
      (question) => question.joins && question.options.some((option) => option.number > 0),
    );

  /** @param {string} place */
  async function jump(place) {
    const start = from;
    if (!start || start === place) {
      startAt(start ? null : place);
      return;
    }
    from = null;
    await editor.send({ kind: "teleport", start, end: place }, t("The path now teleports here."));
    editor.refresh();
  }

  /** @param {string | null} place */
  function startAt(place) {
    from = place;
    editor.say(place ? t("Start: %(place)s. Now tap where it goes.", { place: named(place) }) : "");
    editor.refresh();
  }

  /**
   * Nothing comes of what a finger held.
   * @param {string} words
   */
  function letGo(words) {
    [held, finger, rubbed] = [null, null, new Map()];
    editor.say(words);
    editor.redraw();
  }

  /**
   * @param {HeldPiece} what
   * @param {Spot} point
   */
  async function lead(what, point) {
    [held, finger] = [null, null];
    editor.redraw();
    const place = pick(point, at(what.piece.b)?.level ?? "main");
    if (!place) return;
    if (what.end)
      await editor.send(
        { kind: "move-end", stroke: what.piece.stroke, end: what.end, place: place.id },
        t("The end is moved."),
      );
    else
      await editor.send(
        { kind: "lead-through", stroke: what.piece.stroke, step: what.piece.step, place: place.id },
        t("The line now takes another way."),
      );
  }

  async function rub() {
    const stretches = [...rubbed].sort(([a], [b]) => b - a);
    rubbed = new Map();
    // Later strokes first: those before them keep their numbers.
    for (const [stroke, { start, end }] of stretches) {
      if (!(await editor.send({ kind: "erase", stroke, start, end }, t("Erased.")))) break;
    }
    editor.redraw();
  }

  /** @param {Spot} point */
  function sweep(point) {
    const piece = pieceAt(editor.viewer, editor.reading, point);
    if (!piece) return;
    const now = rubbed.get(piece.stroke) ?? { start: piece.step - 1, end: piece.step };
    rubbed.set(piece.stroke, {
      start: Math.min(now.start, piece.step - 1),
      end: Math.max(now.end, piece.step),
    });
  }

  return {
    hint: () => MODE_HINTS[mode],

    render(box) {
      const focused = focusedData("key");
      fill(
        box,
        el(
          "div",
          { class: "edit-modes", role: "group", "aria-label": t("Path") },
          ...MODES.map((name) =>
            el(
              "button",
              {
                type: "button",
                class: "chip",
                "data-key": name,
                "data-mode": name,
                "aria-pressed": String(mode === name),
                onclick: () => choose(name),
              },
              icon(MODE_ICONS[name]),
              el("span", {}, MODE_NAMES[name]),
            ),
          ),
        ),
        mode === "draw" ? drawing() : null,
        el(
          "div",
          { class: "row" },
          el(
            "button",
            {
              type: "button",
              class: "button",
              "data-key": "swap",
              disabled: !path().length,
              onclick: () => editor.send({ kind: "swap" }, t("The direction is swapped.")),
            },
            icon("swap"),
            el("span", {}, t("Swap the direction")),
          ),
        ),
        asking(),
        steps(),
      );
      if (focused) may(box, `[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    },

    draw(layer, px) {
      const { reading } = editor;
      // The nearer, the larger: from afar the dots must not hide the line.
      const dot = px(Math.min(6, Math.max(1.4, reading.px_per_mm * editor.viewer.scale * 0.9)));
      if (mode !== "erase") {
        for (const place of reading.places) {
          layer.append(circle(place.at, dot, `edit-place ${place.level}`, dot * 0.4));
        }
      }
      const ringed = (mode === "draw" || mode === "teleport") && at(from);
      if (ringed) {
        const [cx, cy] = ringed.at;
        layer.append(
          shape("circle", { cx, cy, r: px(14), class: "edit-halo", "stroke-width": px(7) }),
          shape("circle", { cx, cy, r: px(14), class: "edit-chosen", "stroke-width": px(4) }),
        );
        if (held && "drawn" in held && finger) {
          const { drawn, ways } = held;
          const line = [
            ringed.at,
            ...drawn.flatMap((name, k) => (k ? (ways.get(drawn[k - 1])?.get(name) ?? []) : [])),
            [finger.x, finger.y],
          ];
          layer.append(
            shape("path", { d: pathOf(line), class: "edit-ghost-halo", "stroke-width": px(9) }),
            shape("path", { d: pathOf(line), class: "edit-ghost", "stroke-width": px(5) }),
          );
        }
      }
      if (mode === "drag") {
        for (const stroke of path()) {
          for (const name of new Set([stroke[0], stroke[stroke.length - 1]])) {
            const place = at(name);
            if (place) layer.append(circle(place.at, px(11), "edit-end", px(3)));
          }
        }
        if (held && "piece" in held && finger) {
          const { piece, end } = held;
          const spots = [
            end === "start" ? null : at(piece.a)?.at,
            [finger.x, finger.y],
            end === "end" ? null : at(piece.b)?.at,
          ];
          const line = spots.flatMap((spot) => (spot ? [spot] : []));
          layer.append(
            shape("path", { d: pathOf(line), class: "edit-ghost-halo", "stroke-width": px(9) }),
            shape("path", { d: pathOf(line), class: "edit-ghost", "stroke-width": px(5) }),
          );
          const { place } = placeAt(editor.viewer, reading, finger);
          if (place) layer.append(circle(place.at, px(16), "edit-chosen", px(4)));
        }
      }
      for (const [stroke, { start, end }] of rubbed) {
        for (const piece of reading.pieces.filter(
          (each) => each.stroke === stroke && each.step > start && each.step <= end,
        )) {
          layer.append(shape("path", { d: pathOf(piece.line), class: "edit-rubbed", "stroke-width": px(9) }));
        }
      }
    },

    tap(point) {
      if (mode === "teleport") {
        const place = pick(point, at(from)?.level ?? "main");
        if (place) jump(place.id);
      }
      if (mode === "draw") {
        const place = pick(point, at(from)?.level ?? "main");
        if (!place) return;
        if (!from || place.id === from) startAt(from ? null : place.id);
        else draw([from, place.id]);
      }
    },

    grab(point) {
      if (mode === "draw") {
        // From the place that is ringed the finger draws on; anywhere else it moves the photo.
        const here = at(from);
        if (!from || !here || distance(here.at, [point.x, point.y]) * editor.viewer.scale > FINGER_PX)
          return false;
        held = { drawn: [from], ways: waysOf(editor.reading) };
        finger = { x: point.x, y: point.y, first: [point.event.clientX, point.event.clientY], far: 0 };
        return true;
      }
      if (mode === "teleport") return false;
      const piece = pieceAt(editor.viewer, editor.reading, point);
      if (!piece) return false;
      finger = { x: point.x, y: point.y, first: [point.event.clientX, point.event.clientY], far: 0 };
      if (mode === "erase") {
        rubbed = new Map();
        sweep(point);
        held = { piece };
      } else {
        const stroke = path()[piece.stroke];
        const near = (/** @type {string} */ name) => {
          const place = at(name);
          return place && distance(place.at, [point.x, point.y]) * editor.viewer.scale < FINGER_PX;
        };
        const end =
          piece.step === stroke.length - 1 && near(stroke[stroke.length - 1])
            ? "end"
            : piece.step === 1 && near(stroke[0])
              ? "start"
              : null;
        held = { piece, end };
      }
      editor.redraw();
      return true;
    },

    drag(point) {
      if (!held || !finger) return;
      const far = Math.max(finger.far, distance(finger.first, [point.event.clientX, point.event.clientY]));
      if ("drawn" in held) follow(editor.viewer, editor.reading, held, finger, point);
      finger = { ...finger, x: point.x, y: point.y, far };
      if (mode === "erase") sweep(point);
      editor.redraw();
    },

    drop({ cancelled, outside }) {
      if (!held || !finger) return;
      const [what, point] = [held, finger];
      const tapped = point.far < SLOP_PX;
      if (cancelled) {
        letGo(t("Nothing is changed: the drag was broken off."));
      } else if (mode === "erase" && "piece" in what) {
        [held, finger] = [null, null];
        const { piece } = what;
        if (tapped) rubbed = new Map([[piece.stroke, stretchOf(editor.reading, piece)]]);
        rub();
      } else if (tapped && "drawn" in what) {
        [held, finger] = [null, null];
        startAt(null);
      } else if (tapped) {
        letGo(t("Hold the line and drag it."));
      } else if (outside) {
        letGo(t("Nothing is changed: your finger left the photo."));
      } else if (!("drawn" in what)) {
        lead(what, point);
      } else if (what.drawn.length < 2) {
        letGo(t("Nothing is changed: there is no place of the cards where you let go. Let go on a dot."));
      } else {
        [held, finger] = [null, null];
        draw(what.drawn);
      }
    },

    release() {
      if (held) letGo(t("Nothing is changed: the drag was broken off."));
    },

    leave() {
      [from, held, finger, rubbed] = [null, null, null, new Map()];
    },
  };

  function drawing() {
    return el(
      "div",
      { class: "row" },
      el(
        "button",
        {
          type: "button",
          class: "chip",
          "data-key": "apart",
          "aria-pressed": String(apart),
          onclick: () => {
            apart = !apart;
            startAt(null);
          },
        },
        icon(apart ? "check" : "plus"),
        el("span", {}, t("As a new line")),
      ),
      from
        ? el(
            "button",
            { type: "button", class: "button", "data-key": "lift", onclick: () => startAt(null) },
            icon("close"),
            el("span", {}, t("Lift the pen")),
          )
        : null,
    );
  }

  /** How a line that nothing joins is part of the path: asked where it was drawn, with pictures. */
  function asking() {
    const question = joins();
    if (!question) return null;
    return el(
      "section",
      { class: "edit-joins", "aria-label": question.prompt },
      el("h3", {}, icon("question"), el("span", {}, question.prompt)),
      answers(editor.reading, question, (asked, option) => editor.answer(asked, option)),
    );
  }

  /** The path as lists: every step with a button that rubs it out, and places to draw between by name. */
  function steps() {
    const places = el(
      "datalist",
      { id: "edit-places" },
      ...editor.reading.places.map((place) => el("option", { value: `${place.name} · ${place.id}` })),
    );
    /**
     * @param {string} key
     * @param {string} label
     * @param {string} value
     */
    const field = (key, label, value) =>
      el(
        "label",
        { class: "field" },
        label,
        el("input", { list: "edit-places", autocomplete: "off", "data-key": key, value }),
      );
    const ends = path().length ? path()[path().length - 1] : [];
    const last = ends.length ? `${named(ends[ends.length - 1])} · ${ends[ends.length - 1]}` : "";
    /** @type {HTMLFormElement} */
    const form = el(
      "form",
      {
        class: "stack",
        onsubmit: async (event) => {
          event.preventDefault();
          const chosen = all(form, "input", HTMLInputElement).map(
            (input) => input.value.split(" · ").at(-1)?.trim() ?? "",
          );
          if (chosen.every((name) => at(name))) await draw(chosen);
          else editor.say(t("There is no place here; tap a dot, or choose one from the list."));
        },
      },
      field("from", t("From"), last),
      field("to", t("To"), ""),
      places,
      el(
        "button",
        { class: "button", "data-key": "list-draw" },
        icon("pencil"),
        el("span", {}, t("Draw between them")),
      ),
    );
    /** @type {HTMLDetailsElement} */
    const box = el(
      "details",
      {
        class: "edit-steps",
        open,
        ontoggle: () => {
          open = box.open;
        },
      },
      el(
        "summary",
        { class: "button" },
        icon("next"),
        el("span", {}, t("All steps, to correct without the photo")),
      ),
      form,
      ...path().map((stroke, k) => strokeList(stroke, k)),
    );
    return box;
  }

  /**
   * @param {string[]} stroke
   * @param {number} k
   */
  function strokeList(stroke, k) {
    /**
     * @param {string} key
     * @param {string} name
     * @param {string} words
     * @param {() => unknown} run
     * @param {boolean} [disabled]
     */
    const button = (key, name, words, run, disabled = false) =>
      el(
        "button",
        {
          type: "button",
          class: "button tool",
          "data-key": `${key}-${k}`,
          "aria-label": words,
          title: words,
          disabled,
          onclick: run,
        },
        icon(name),
      );
    return el(
      "section",
      { class: "edit-stroke", "aria-label": t("Line %(number)s", { number: k + 1 }) },
      el(
        "div",
        { class: "row" },
        el("h3", {}, t("Line %(number)s", { number: k + 1 })),
        button(
          "earlier",
          "up",
          t("Walk this line earlier"),
          () =>
            editor.send(
              { kind: "move-stroke", stroke: k, to: k - 1 },
              t("The order of the lines is changed."),
            ),
          k === 0,
        ),
        button(
          "later",
          "down",
          t("Walk this line later"),
          () =>
            editor.send(
              { kind: "move-stroke", stroke: k, to: k + 1 },
              t("The order of the lines is changed."),
            ),
          k === path().length - 1,
        ),
        button("turn", "swap", t("Swap the direction of this line"), () =>
          editor.send({ kind: "swap", stroke: k }, t("The direction is swapped.")),
        ),
        button("gone", "trash", t("Erase this whole line"), () =>
          editor.send({ kind: "remove-stroke", stroke: k }, t("Erased.")),
        ),
      ),
      el(
        "ol",
        { class: "edit-list" },
        ...stroke.map((name, step) =>
          el(
            "li",
            { class: "edit-step" },
            el("span", { class: "edit-row-words" }, `${step + 1}. ${named(name)}`),
            step > 0
              ? el(
                  "button",
                  {
                    type: "button",
                    class: "button tool",
                    "data-key": `erase-${k}-${step}`,
                    "aria-label": t("Erase from %(from)s to %(to)s", {
                      from: named(stroke[step - 1]),
                      to: named(name),
                    }),
                    onclick: () =>
                      editor.send({ kind: "erase", stroke: k, start: step - 1, end: step }, t("Erased.")),
                  },
                  icon("eraser"),
                )
              : null,
          ),
        ),
      ),
    );
  }
}
