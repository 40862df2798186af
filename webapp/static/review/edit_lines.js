// The lines of a table that all share: one path of one group at a time, drawn and rubbed out as any path.

import { t } from "../app.js";
import { el, fill, icon } from "./dom.js";
import { pathTool } from "./edit_path.js";

/**
 * @import { EditedReading, Editor, Tool } from "./editor.js"
 * @typedef {{ group: string, path?: string[][] }} GroupPath
 */

/**
 * @param {Pick<Api.Reading, "record">} reading
 * @returns {GroupPath[]}
 */
const pathsIn = (reading) => /** @type {GroupPath[] | undefined} */ (reading.record.paths) ?? [];

/**
 * @param {Editor} editor
 * @returns {Tool}
 */
export function linesTool(editor) {
  const paths = () => pathsIn(editor.reading);
  const groups = () => editor.reading.groups ?? [];
  // What is drawn: a path by its number, or one that the group begins anew.
  let chosen = chosenFirst();

  function chosenFirst() {
    const last = paths().length - 1;
    return last < 0
      ? { path: /** @type {number | null} */ (null), group: groups()[0]?.group ?? "" }
      : { path: /** @type {number | null} */ (last), group: paths()[last].group };
  }

  /**
   * A reading as if it had the chosen path alone.
   * @param {EditedReading} reading
   * @returns {EditedReading}
   */
  function alone(reading) {
    const all = pathsIn(reading);
    const before = all.slice(0, chosen.path ?? 0).reduce((sum, each) => sum + (each.path?.length ?? 0), 0);
    return {
      ...reading,
      record: { ...reading.record, path: (chosen.path === null ? null : all[chosen.path]?.path) ?? [] },
      pieces: reading.pieces
        .filter((piece) => piece.path === chosen.path)
        .map((piece) => ({ ...piece, stroke: piece.stroke - before })),
      questions: [],
    };
  }

  const shown = {
    get viewer() {
      return editor.viewer;
    },
    get reading() {
      return alone(editor.reading);
    },
    say: (/** @type {string} */ words) => editor.say(words),
    refresh: () => editor.refresh(),
    redraw: () => editor.redraw(),
    /**
     * @param {any} correction
     * @param {string | ((reading: EditedReading) => string)} words
     */
    async send(correction, words) {
      const count = paths().length;
      const line = /** @type {any} */ ({ ...chosen, correction });
      const done = await editor.send(line, (reading) => {
        settle(count);
        return typeof words === "function" ? words(alone(reading)) : words;
      });
      editor.refresh();
      return done;
    },
    answer: async () => false,
  };
  const inner = pathTool(/** @type {Editor} */ (/** @type {unknown} */ (shown)));

  /**
   * What is drawn next, after a change: the path that was begun, or a new one where nothing is left of it.
   * @param {number} count how many paths there were before
   */
  function settle(count) {
    const now = paths().length;
    if (chosen.path === null && now > count) chosen = { ...chosen, path: now - 1 };
    else if (chosen.path !== null && now < count) chosen = { ...chosen, path: null };
  }

  /** @param {{ path: number | null, group: string }} next */
  function choose(next) {
    inner.leave?.();
    chosen = next;
    editor.say("");
    editor.refresh();
  }

  /**
   * @param {{ path: number | null, group: string }} line
   * @param {string} words
   */
  function chip(line, words) {
    const colour = groups().find((each) => each.group === line.group)?.colour ?? "";
    const dot = el("span", { class: "dot" });
    dot.style.background = colour;
    return el(
      "button",
      {
        type: "button",
        class: "chip",
        "data-line": line.path ?? `new-${line.group}`,
        "aria-pressed": String(chosen.path === line.path && chosen.group === line.group),
        onclick: () => choose(line),
      },
      line.path === null ? icon("plus") : dot,
      el("span", {}, words),
    );
  }

  const named = (/** @type {string} */ group) => groups().find((each) => each.group === group)?.name ?? group;

  return {
    ...inner,
    render(box) {
      const lines = el("div", { class: "edit-line-tools" });
      fill(
        box,
        el(
          "div",
          { class: "edit-modes", role: "group", "aria-label": t("Lines") },
          ...paths().map((each, k) =>
            chip(
              { path: k, group: each.group },
              t("%(number)s. %(group)s", { number: k + 1, group: named(each.group) }),
            ),
          ),
          ...groups().map(({ group }) =>
            chip({ path: null, group }, t("%(group)s: a new path", { group: named(group) })),
          ),
        ),
        lines,
        el(
          "p",
          { class: "hint" },
          t("Whose line it is, the order, sketches and cards are changed on the game's page."),
        ),
      );
      inner.render(lines);
    },
    release() {
      if (chosen.path !== null && chosen.path >= paths().length) chosen = chosenFirst();
      inner.release?.();
    },
  };
}
