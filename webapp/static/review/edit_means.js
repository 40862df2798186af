// Means: fairy tokens and spellbooks that the player held for the path, and what was paid with.

import { t } from "../app.js";
import { el, fill, icon } from "./dom.js";
import { payments } from "./edit_payments.js";

export function meansTool(editor) {
  const paid = payments(editor);
  const books = JSON.parse(document.getElementById("path-spellbooks").textContent);
  const send = (changes, words) => {
    const { fairy_tokens, spellbooks } = editor.review.means;
    editor.send({ kind: "means", fairy_tokens, spellbooks, ...changes }, words);
  };
  const setTokens = (tool, count) =>
    send(
      { fairy_tokens: { ...editor.review.means.fairy_tokens, [tool]: count } },
      `${t("edit_tokens", { tool: t(`find_${tool}`) })}: ${count}.`,
    );
  const toggle = (book) => {
    const held = editor.review.means.spellbooks;
    const now = held.includes(book) ? held.filter((each) => each !== book) : [...held, book];
    send({ spellbooks: now }, `${book}: ${t(now.includes(book) ? "edit_held" : "edit_not_held")}.`);
  };

  return {
    hint: () => t("edit_means_hint"),

    render(box) {
      const focused = document.activeElement?.dataset?.means;
      const { fairy_tokens, spellbooks } = editor.review.means;
      const step = (tool, by, name) => {
        const count = fairy_tokens[tool] ?? 0;
        return el(
          "button",
          {
            type: "button",
            class: "button tool",
            "data-means": `${tool}${by}`,
            disabled: count + by < 0,
            "aria-label": `${name}: ${t(by > 0 ? "edit_more" : "edit_fewer")}`,
            onclick: () => setTokens(tool, count + by),
          },
          icon(by > 0 ? "plus" : "minus"),
        );
      };
      fill(
        box,
        ...paid.parts(),
        el("h3", {}, t("edit_fairy")),
        el(
          "ul",
          { class: "edit-list" },
          ...["sword", "key", "rope", "scroll"].map((tool) => {
            const name = t("edit_tokens", { tool: t(`find_${tool}`) });
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
        el("h3", {}, t("edit_books")),
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
      if (focused) box.querySelector(`[data-means="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    },
    draw: paid.draw,
    tap: paid.tap,
  };
}
