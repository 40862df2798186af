// What is printed on a piece, told by touch: numbers, one or several of a few words, fields of a grid.

import { t } from "../app.js";
import { el, fill } from "../review/dom.js";

/**
 * Marks in a square grid lie where they are printed.
 * @param {Api.AskedFact} fact
 */
const isMap = ({ sort, grid: [columns, rows] }) => sort === "marks" && columns === rows;

/**
 * The form for a piece's facts. What is shown as chosen is what is sent.
 * @param {Api.AskedFact[]} facts
 * @param {Record<string, any>} told what is known of the piece, its role with it
 * @param {string} picture
 */
export function factsForm(facts, told, picture) {
  /** @type {Record<string, any>} */
  const now = { ...told };
  for (const fact of facts)
    if (fact.usual !== null && now[fact.word] === undefined) now[fact.word] = fact.usual;
  const form = el("div", { class: "facts stack" });
  let drawn = "";

  const due = () => facts.filter((fact) => fact.when.every(([word, values]) => values.includes(now[word])));
  function draw() {
    const words = due().map((fact) => fact.word);
    if (words.join() === drawn) return;
    drawn = words.join();
    fill(form, ...due().map((fact) => control(fact)));
  }
  /**
   * @param {string} word
   * @param {any} value
   */
  function tell(word, value) {
    now[word] = value;
    draw();
  }

  /** @param {Api.AskedFact} fact */
  function control(fact) {
    if (fact.sort === "choice" || fact.sort === "several") return chips(fact);
    if (fact.sort === "cells" || fact.sort === "marks") return grid(fact);
    const number = fact.sort === "number";
    /** @type {HTMLInputElement} */
    const field = el("input", {
      class: number ? "short" : null,
      type: number ? "number" : "text",
      inputmode: number ? "numeric" : null,
      min: number ? fact.least : null,
      max: number ? 99 : 200,
      maxlength: number ? null : 200,
      value: now[fact.word] ?? "",
      "data-fact": fact.word,
      oninput: () =>
        tell(fact.word, field.value === "" ? undefined : number ? Number(field.value) : field.value),
    });
    return el("label", { class: "field" }, el("span", {}, fact.name), field);
  }

  /** @param {Api.AskedFact} fact */
  function chips(fact) {
    const several = fact.sort === "several";
    /** @param {string} word */
    const on = (word) => (several ? (now[fact.word] ?? []).includes(word) : now[fact.word] === word);
    const buttons = fact.options.map(({ word, name }) =>
      el(
        "button",
        {
          type: "button",
          class: "chip",
          "data-fact": fact.word,
          "data-value": word,
          "aria-pressed": String(on(word)),
          onclick: () => {
            const kept = (now[fact.word] ?? []).filter((/** @type {string} */ each) => each !== word);
            const chosen = several ? (on(word) ? kept : [...kept, word]) : word;
            tell(fact.word, several && !chosen.length ? undefined : chosen);
            for (const each of buttons)
              each.setAttribute("aria-pressed", String(on(each.dataset.value ?? "")));
          },
        },
        name,
      ),
    );
    return el(
      "div",
      { class: "stack", role: "group", "aria-label": fact.name },
      el("strong", {}, fact.name),
      el("div", { class: "row" }, ...buttons),
    );
  }

  /** @param {Api.AskedFact} fact */
  function grid(fact) {
    const [columns, rows] = fact.grid;
    const marks = fact.sort === "marks";
    const below = el("div", { class: "row" });
    const names = Object.fromEntries(fact.options.map(({ word, name }) => [word, name]));
    /** @type {[number, number][]} */
    const cells = Array.from({ length: columns * rows }, (_, k) => [k % columns, Math.floor(k / columns)]);
    /** @param {[number, number]} cell @returns {string[]} */
    const of = ([column, row]) =>
      marks
        ? (now[fact.word]?.[`${column}.${row}`] ?? [])
        : (now[fact.word] ?? []).some((/** @type {number[]} */ each) => each[0] === column && each[1] === row)
          ? ["on"]
          : [];
    /** @type {HTMLButtonElement[]} */
    const buttons = [];
    function show() {
      cells.forEach((cell, k) => {
        const button = buttons[k];
        if (!button) return;
        const here = of(cell);
        button.setAttribute("aria-pressed", String(here.length > 0));
        fill(button, ...here.map((mark) => el("span", {}, marks ? names[mark] : "●")));
      });
    }
    /** @param {[number, number]} cell */
    function tapped(cell) {
      if (!marks) {
        const others = (now[fact.word] ?? []).filter(
          (/** @type {number[]} */ each) => each[0] !== cell[0] || each[1] !== cell[1],
        );
        const all = of(cell).length ? others : [...others, cell];
        tell(fact.word, all.length ? all : undefined);
        show();
        return;
      }
      buttons.forEach((button, k) => {
        button.toggleAttribute("data-chosen", cells[k]?.[0] === cell[0] && cells[k]?.[1] === cell[1]);
      });
      fill(
        below,
        ...fact.options.map(({ word, name }) =>
          el(
            "button",
            {
              type: "button",
              class: "chip",
              "data-mark": word,
              "aria-pressed": String(of(cell).includes(word)),
              onclick: () => {
                const here = of(cell);
                const then = here.includes(word) ? here.filter((each) => each !== word) : [...here, word];
                const all = { ...(now[fact.word] ?? {}), [cell.join(".")]: then };
                if (!then.length) delete all[cell.join(".")];
                tell(fact.word, all);
                show();
                tapped(cell);
              },
            },
            name,
          ),
        ),
      );
    }
    buttons.push(
      ...cells.map((cell) =>
        el("button", {
          type: "button",
          class: "fact-cell",
          "data-cell": cell.join("."),
          "aria-label": t("Column %(column)s, row %(row)s", { column: cell[0] + 1, row: cell[1] + 1 }),
          "aria-pressed": "false",
          onclick: () => tapped(cell),
        }),
      ),
    );
    show();
    const box = el("div", { class: "fact-grid" }, ...buttons);
    box.style.setProperty("--columns", String(columns));
    // A square map is told where it lies.
    if (isMap(fact)) box.style.backgroundImage = `url("${picture}&large=1")`;
    return el(
      "div",
      { class: "stack", role: "group", "aria-label": fact.name },
      el("strong", {}, fact.name),
      marks ? el("p", { class: "hint" }, t("Tap a field, then what is printed there.")) : null,
      box,
      below,
    );
  }

  draw();
  return {
    form,
    /** Whether a field of the form shows the piece itself. */
    pictured: facts.some(isMap),
    /** What is told now of what is asked. */
    told: () => Object.fromEntries(due().map((fact) => [fact.word, now[fact.word]])),
    /** The first that is still to be told. */
    left: () => due().find((fact) => now[fact.word] === undefined)?.name ?? "",
  };
}
