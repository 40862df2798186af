// One piece is looked at: what was read is confirmed by one tap, or mended by touch.

import { messageOf, sayIn, t, toast } from "../app.js";
import { byId, closest, must } from "../elements.js";
import { el, fill, icon } from "../review/dom.js";
import { factsForm } from "./piece_facts.js";
import { SIDES, tileLines } from "./tile_lines.js";

const dialog = byId("piece", HTMLDialogElement);
const body = byId("piece-body");
const more = byId("piece-more");
const wrong = byId("piece-wrong");
const right = byId("piece-right");
const SIDE_NAMES = { top: t("Top"), right: t("Right"), bottom: t("Bottom"), left: t("Left") };
/** What is asked of a piece, by what is open about it. @type {Record<string, string>} */
const ASKED = {
  ways: t("Do the lines follow its corridors? Tap a side to open or close it."),
  sort: t("Which of the tiles is it?"),
  sort_and_ways: t(
    "Which of the tiles is it, and do the lines follow its corridors? Tap a side to open or close it.",
  ),
  name: t("Which one is it?"),
  glare: t("There is glare on it. Photograph it once more, or confirm that it is clear enough."),
  facts: t("What is printed on it?"),
};
export const STATE_NAMES = { ink: t("Confirmed"), pencil: t("Draft"), asked: t("To check") };
/** The picture's height before it comes. */
const PICTURE = 260;

/**
 * @typedef {{ said?: string, facts?: Record<string, any> }} Answer
 * @typedef {object} Pieces
 * @property {(id: string) => Api.BoxPiece | undefined} piece
 * @property {(word: string) => Api.AskedSort | undefined} sort
 * @property {(word: string) => Api.BoxPiece[]} alike
 * @property {(after: string) => Api.BoxPiece | undefined} next the one to look at after this
 * @property {(piece: Api.BoxPiece, answer: Answer) => Promise<void>} say
 */

/**
 * Have pieces looked at; gives what opens the dialog on one.
 * @param {Pieces} pieces
 */
export function onPiece(pieces) {
  /** @type {Api.BoxPiece | undefined} */
  let piece;
  /** What the big button says of the piece. @type {() => Answer} */
  let answer = () => ({ said: "right" });
  /** Whether one follows the other until nothing is left to look at. */
  let onward = false;

  /**
   * @param {Api.BoxPiece} here
   * @param {Answer} told
   * @param {boolean} stay
   */
  async function say(here, told, stay = false) {
    sayIn(wrong, "");
    try {
      await pieces.say(here, told);
    } catch (error) {
      const anew = pieces.piece(here.id);
      // what another device changed is looked at before anything more is said of it
      if (anew && anew.version !== here.version) draw(anew);
      sayIn(wrong, messageOf(error));
      return;
    }
    const still = pieces.piece(here.id);
    const next = still?.state === "asked" || stay ? still : onward ? pieces.next(here.id) : undefined;
    if (next) draw(next);
    else {
      dialog.close();
      if (onward) toast(t("Nothing is left to check."));
    }
  }

  /** @param {Api.BoxPiece} here */
  function draw(here) {
    piece = here;
    sayIn(wrong, "");
    const sort = pieces.sort(here.word);
    byId("piece-title").textContent = here.name;
    must(dialog, "details", HTMLDetailsElement).open = false;
    fill(byId("piece-state"), STATE_NAMES[here.state]);
    byId("piece-state").className = `state-${here.state}`;
    const tile = Boolean(sort && (sort.roles.length || here.corridors.length));
    const free = tile && !sort?.lying.length;
    const about = here.about === "sort" && free ? "sort_and_ways" : here.about || (free ? "ways" : "");
    const beside = pieces.piece(here.other)?.name ?? here.other;
    byId("piece-question").textContent =
      about === "same"
        ? t("Is this the same as %(other)s?", { other: beside })
        : (ASKED[about] ?? t("Is everything about it right?"));
    right.hidden = false;
    answer = () => ({ said: "right" });
    if (here.about === "same") drawSame(here);
    else if (here.about === "name" && sort) fill(body, face(here, []), names(here, sort));
    else if (tile && sort) drawTile(here, sort);
    else if (sort?.facts.length) drawFacts(here, sort.facts);
    else fill(body, face(here, []));
    drawMore(here, sort);
    dialog.scrollTo(0, 0);
  }

  /** @param {Api.BoxPiece} here */
  function drawSame(here) {
    const other = pieces.piece(here.other);
    right.hidden = true;
    fill(
      body,
      el(
        "div",
        { class: "row faces" },
        figure(here, t("This one")),
        other ? figure(other, other.name) : null,
      ),
      el(
        "div",
        { class: "trace-actions" },
        button(t("The same"), "check", { "data-same": "" }, () => say(here, { said: here.other })),
        button(t("Another one"), "plus", { "data-another": "" }, () => say(here, { said: "right" })),
      ),
    );
  }

  /**
   * @param {Api.BoxPiece} here
   * @param {Api.AskedSort} sort
   */
  function names(here, sort) {
    return el(
      "div",
      { class: "row", role: "group", "aria-label": t("Which one is it?") },
      ...sort.names.map(({ word, name }) =>
        el(
          "button",
          {
            type: "button",
            class: "chip",
            "data-name": word,
            "aria-pressed": String(word === here.id),
            onclick: () => say(here, { said: word === here.id ? "right" : word }),
          },
          name,
        ),
      ),
    );
  }

  /**
   * A tile: sides that are tapped open and close, or it is one of those that the rules draw.
   * @param {Api.BoxPiece} here
   * @param {Api.AskedSort} sort
   */
  function drawTile(here, sort) {
    let { corridors, role } = here;
    let lying = sort.lying.find(
      (each) =>
        each.answer.startsWith(`${role}@`) &&
        [...each.corridors].sort().join() === [...corridors].sort().join(),
    )?.answer;
    const drawn = sort.lying.length > 0;
    const form = sort.facts.length ? el("div", {}) : null;
    let facts = factsForm(sort.facts, { ...here.told, role }, here.picture);
    const stage = el("div", { class: "piece-stage" });
    const kinds = el("div", {
      class: drawn ? "lying" : "row",
      role: "group",
      "aria-label": t("Which of the tiles is it?"),
    });

    function show() {
      const sides = corridors.reduce((every, each) => every | each, 0);
      fill(
        stage,
        face(here, corridors),
        ...(drawn
          ? []
          : SIDES.map((side, k) => {
              const on = Boolean((sides >> k) & 1);
              return el(
                "button",
                {
                  type: "button",
                  class: `side side-${side}`,
                  "data-side": side,
                  "aria-pressed": String(on),
                  "aria-label": `${SIDE_NAMES[side]}: ${on ? t("open") : t("closed")}`,
                  onclick: () => {
                    corridors = sides ^ (1 << k) ? [sides ^ (1 << k)] : [];
                    show();
                    must(stage, `[data-side=${side}]`).focus();
                  },
                },
                icon(on ? "check" : "plus"),
              );
            })),
      );
      fill(
        kinds,
        ...(drawn
          ? sort.lying.map((each) =>
              el(
                "button",
                {
                  type: "button",
                  class: "chip lying-tile",
                  "data-lying": each.answer,
                  "aria-pressed": String(each.answer === lying),
                  "aria-label": each.name,
                  onclick: () => {
                    lying = each.answer;
                    ({ corridors } = each);
                    show();
                  },
                },
                tileLines(each.corridors),
              ),
            )
          : sort.roles.map((each) =>
              el(
                "button",
                {
                  type: "button",
                  class: "chip",
                  "data-role": each.word,
                  "aria-pressed": String(each.word === role),
                  onclick: () => {
                    role = each.word;
                    facts = factsForm(sort.facts, { ...facts.told(), role }, here.picture);
                    show();
                  },
                },
                each.name,
              ),
            )),
      );
      if (form) fill(form, facts.form);
    }
    show();
    fill(body, stage, kinds, form);
    answer = () => {
      if (drawn) {
        if (!lying) throw new Error(t("Which of the tiles is it?"));
        return { said: lying };
      }
      if (sort.roles.length && !role) throw new Error(t("Which of the tiles is it?"));
      if (facts.left()) throw new Error(t("Still missing: %(name)s", { name: facts.left() }));
      const sides = SIDES.filter((_, k) => ((corridors[0] ?? 0) >> k) & 1).join("+");
      if (!sides) throw new Error(t("Do the lines follow its corridors? Tap a side to open or close it."));
      const said = sort.roles.length ? `${role}+${sides}` : sides;
      return sort.facts.length && Object.keys(facts.told()).length ? { said, facts: facts.told() } : { said };
    };
  }

  /**
   * @param {Api.BoxPiece} here
   * @param {Api.AskedFact[]} asked
   */
  function drawFacts(here, asked) {
    const facts = factsForm(asked, here.told, here.picture);
    fill(body, facts.pictured ? null : face(here, []), facts.form);
    answer = () => {
      if (facts.left()) throw new Error(t("Still missing: %(name)s", { name: facts.left() }));
      return { facts: facts.told() };
    };
  }

  /**
   * What is seldom needed.
   * @param {Api.BoxPiece} here
   * @param {Api.AskedSort | undefined} sort
   */
  function drawMore(here, sort) {
    const others = pieces.alike(here.word).filter((each) => each.id !== here.id);
    const choose = el(
      "select",
      { class: "inline", "aria-label": t("It is the same as") },
      ...others.map((each) => el("option", { value: each.id }, each.name)),
    );
    fill(
      more,
      el(
        "div",
        { class: "row", role: "group", "aria-label": t("How many of it are in the box") },
        el("span", {}, t("How many of it are in the box")),
        el(
          "button",
          {
            type: "button",
            class: "button",
            "data-fewer": "",
            disabled: here.copies < 2,
            "aria-label": t("One fewer"),
            onclick: () => say(here, { said: `x${here.copies - 1}` }, true),
          },
          icon("minus"),
        ),
        el("strong", { id: "piece-copies" }, here.copies),
        el(
          "button",
          {
            type: "button",
            class: "button",
            "data-more": "",
            "aria-label": t("One more"),
            onclick: () => say(here, { said: `x${here.copies + 1}` }, true),
          },
          icon("plus"),
        ),
      ),
      sort?.names.length && here.about !== "name" ? names(here, sort) : null,
      others.length && sort && !sort.names.length && sort.kind !== "board"
        ? el(
            "div",
            { class: "row" },
            el("span", {}, t("It is the same as")),
            choose,
            button(t("The same one twice"), "swap", { "data-merge": "" }, () =>
              say(here, { said: choose.value }),
            ),
          )
        : null,
      here.corridors.length
        ? null
        : button(t("Turn it upside down"), "swap", { "data-turned": "" }, () =>
            say(here, { said: "turned" }, true),
          ),
      button(t("Take it out of the box"), "trash", { "data-out": "", class: "button danger" }, () =>
        say(here, { said: "out" }),
      ),
    );
  }

  right.addEventListener("click", () => {
    if (!piece) return;
    let told;
    try {
      told = answer();
    } catch (error) {
      sayIn(wrong, messageOf(error));
      return;
    }
    say(piece, told);
  });
  dialog.addEventListener("click", (event) => {
    if (closest(event, "[data-close]")) dialog.close();
  });

  /** @param {string} id */
  return (id) => {
    const here = pieces.piece(id);
    if (!here) return;
    onward = here.state === "asked";
    draw(here);
    dialog.showModal();
  };
}

/**
 * @param {Api.BoxPiece} piece
 * @param {number[]} corridors
 */
function face(piece, corridors) {
  return el(
    "div",
    { class: "piece-face large" },
    el("img", { src: `${piece.picture}&large=1`, alt: "", height: PICTURE }),
    corridors.length ? tileLines(corridors, piece.state) : null,
  );
}

/**
 * @param {Api.BoxPiece} piece
 * @param {string} words
 */
function figure(piece, words) {
  return el("figure", {}, el("img", { src: piece.picture, alt: "" }), el("figcaption", {}, words));
}

/**
 * @param {string} words
 * @param {string} sign
 * @param {Record<string, string>} attributes
 * @param {() => unknown} run
 */
function button(words, sign, attributes, run) {
  return el(
    "button",
    { type: "button", class: "button", ...attributes, onclick: run },
    icon(sign),
    el("span", {}, words),
  );
}
