// Means: fairy tokens and spellbooks that the player held for the path, and what was paid with.

import { t, thingName } from "../app.js";
import { byId, focusedData, may, there } from "../elements.js";
import { el, fill, icon } from "./dom.js";
import { payments } from "./edit_payments.js";

/** @import { Editor, Tool } from "./editor.js" */

/**
 * @param {Editor} editor
 * @returns {Tool}
 */
export function meansTool(editor) {
  const paid = payments(editor);
  /** @type {{ id: string, words: string }[]} */
  const books = JSON.parse(byId("path-spellbooks").textContent ?? "");
  const means = () => there(editor.review.means, "means");
  const tokenOf = (/** @type {string} */ tool) => t("Fairy token: %(tool)s", { tool: thingName(tool) });
  /** @type {(changes: Partial<Api.ReviewMeans>, words: string) => void} */
  const send = (changes, words) => {
    const { fairy_tokens = {}, spellbooks = [] } = means();
    editor.send({ kind: "means", fairy_tokens, spellbooks, ...changes }, words);
  };
  /**
   * @param {string} tool
   * @param {number} count
   */
  const setTokens = (tool, count) =>
    send({ fairy_tokens: { ...means().fairy_tokens, [tool]: count } }, `${tokenOf(tool)}: ${count}.`);
  /** @param {string} book */
  const toggle = (book) => {
    const held = means().spellbooks ?? [];
    const now = held.includes(book) ? held.filter((each) => each !== book) : [...held, book];
    send({ spellbooks: now }, `${book}: ${now.includes(book) ? t("held") : t("not held")}.`);
  };

  return {
    hint: () =>
      t(
        "Choose what was really used at an obstacle or a circle, and below it what was held besides the items on the path.",
      ),

    render(box) {
      const focused = focusedData("means");
      const { fairy_tokens = {}, spellbooks = [] } = means();
      /**
       * @param {string} tool
       * @param {1 | -1} by
       * @param {string} name
       */
      const step = (tool, by, name) => {
        const count = fairy_tokens[tool] ?? 0;
        return el(
          "button",
          {
            type: "button",
            class: "button tool",
            "data-means": `${tool}${by}`,
            disabled: count + by < 0,
            "aria-label": `${name}: ${by > 0 ? t("one more") : t("one fewer")}`,
            onclick: () => setTokens(tool, count + by),
          },
          icon(by > 0 ? "plus" : "minus"),
        );
      };
      fill(
        box,
        ...paid.parts(),
        el("h3", {}, t("Fairy tokens")),
        el(
          "ul",
          { class: "edit-list" },
          ...["sword", "key", "rope", "scroll"].map((tool) => {
            const name = tokenOf(tool);
            return el(
              "li",
              { class: "edit-count" },
              icon(tool),
              el("span", { class: "edit-row-words" }, name),
              step(tool, -1, name),
              el("output", { class: "numbers" }, fairy_tokens[tool] ?? 0),
              step(tool, 1, name),
            );
          }),
        ),
        el("h3", {}, t("Spellbooks for the path")),
        el(
          "div",
          { class: "edit-books" },
          ...books.map(({ id, words }) =>
            el(
              "button",
              {
                type: "button",
                class: "chip edit-book",
                "data-means": id,
                "aria-pressed": String(spellbooks.includes(id)),
                onclick: () => toggle(id),
              },
              icon(spellbooks.includes(id) ? "check" : "spellbook"),
              el("span", {}, el("strong", {}, id), ` ${words}`),
            ),
          ),
        ),
      );
      if (focused) may(box, `[data-means="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    },
    draw: paid.draw,
    tap: paid.tap,
  };
}
