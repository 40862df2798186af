// A turn is told by taps: one question after the other; what comes of it is shown as it is told.

import { api, t, tell as told } from "../app.js";
import { el, fill, icon } from "../review/dom.js";
import { pieceImage } from "./draw.js";

/** @import { BoardPage } from "./board.js" */
/** @typedef {Record<string, unknown>} Step */

/** @type {Record<string, [number, number]>} */
const BESIDE = { top: [0, -1], right: [1, 0], bottom: [0, 1], left: [-1, 0] };

/** What is told of a turn: steps, the form that is being filled in, and what came of it so far. */
export class Telling {
  /**
   * @param {BoardPage} page
   * @param {HTMLElement} box
   */
  constructor(page, box) {
    this.page = page;
    this.box = box;
    /** @type {Step[]} */
    this.steps = [];
    /** @type {Api.TurnForm | null} */
    this.form = null;
    /** @type {Step} */
    this.filled = {};
    /** @type {Set<string>} */
    this.asked = new Set();
    /** @type {Api.TurnTrial | null} */
    this.trial = null;
    this.open = false;
  }

  /** The field that is asked about now. */
  get field() {
    const due = (/** @type {Api.FormField} */ each) => !each.by || this.choicesOf(each).length > 0;
    return this.form?.fields.find((each) => !this.asked.has(each.id) && due(each)) ?? null;
  }

  /**
   * What a field offers after what was told before it.
   * @param {Api.FormField} field
   */
  choicesOf(field) {
    return field.by ? (field.choices_by[String(this.filled[field.by] ?? "")] ?? []) : field.choices;
  }

  /**
   * The tile that is turned: as the field says, the one that was told, or the one at the cell that was.
   * @param {Api.FormField} field
   */
  tileOf(field) {
    if (field.tile || this.filled.tile) return field.tile ?? String(this.filled.tile);
    const { view } = this.page;
    const { tiles, pieces } = this.trial?.picture ?? view.picture;
    const figure = view.players.find((player) => player.name === view.to_move)?.piece;
    const stands = pieces.find((piece) => piece.art === figure)?.cell;
    /** @type {unknown} */
    let cell = Object.values(this.filled).find((each) => Array.isArray(each) && typeof each[0] === "number");
    if (field.lies) cell = stands;
    if (field.lies === "beyond" && stands) {
      const [right, down] = BESIDE[String(this.filled.to)] ?? [0, 0];
      cell = [stands[0] + right, stands[1] + down];
    }
    return tiles.find((tile) => String(tile.cell) === String(cell))?.art ?? "";
  }

  async start() {
    this.open = true;
    this.steps = [...(this.page.view.pending?.steps ?? [])];
    await this.look();
  }

  stop() {
    this.open = false;
    this.steps = [];
    this.form = null;
    this.trial = null;
    this.page.draw();
  }

  /** Ask what comes of the turn as far as it was told. */
  async look() {
    this.form = null;
    this.filled = {};
    this.asked = new Set();
    try {
      this.trial = await api("POST", `${this.page.path}/board/try`, {
        version: this.page.view.version,
        steps: this.steps,
      });
      for (const form of this.trial.forms) this.page.formLabels.set(form.id, form.label);
      const lead = this.trial.forms.find((form) => form.lead);
      if (lead) this.form = lead;
    } catch (error) {
      told(error);
      this.steps = this.steps.slice(0, -1);
      if (!this.trial) this.open = false;
    }
    this.page.draw();
  }

  /**
   * What was tapped, or chosen, is the answer to what is asked.
   * @param {unknown} value
   */
  answer(value) {
    const field = this.field;
    if (!field || !this.form) return;
    if (value !== null) this.filled[field.id] = value;
    this.asked.add(field.id);
    if (this.field) this.page.draw();
    else this.finish();
  }

  finish() {
    this.steps = [...this.steps, { do: this.form?.id, ...this.filled }];
    this.look();
  }

  /** @param {Api.TurnForm} form */
  choose(form) {
    this.form = form;
    this.filled = {};
    this.asked = new Set();
    if (!form.fields.length) this.finish();
    else this.page.draw();
  }

  back() {
    if (this.asked.size) {
      this.asked = new Set();
      this.filled = {};
      this.page.draw();
      return;
    }
    if (!this.steps.length) return this.stop();
    this.steps = this.steps.slice(0, -1);
    this.look();
  }

  /** Show it. */
  draw() {
    this.box.hidden = !this.open;
    if (!this.open || !this.trial) return fill(this.box);
    const { ruling, forms, done } = this.trial;
    const field = this.field;
    const pending = this.page.view.pending;
    fill(
      this.box,
      el(
        "h2",
        { tabindex: -1 },
        pending ? moreWords(this.page) : t("%(name)s’s turn", { name: this.page.view.to_move ?? "" }),
      ),
      this.steps.length
        ? el("p", { class: "told-steps" }, ...this.steps.map((step) => this.step(step)))
        : null,
      ruling && !pending ? verdict(ruling) : null,
      field ? this.question(field) : null,
      this.others(forms, field),
      el(
        "div",
        { class: "row" },
        !pending && ruling
          ? el(
              "button",
              {
                type: "button",
                class: "button primary big",
                "data-take-turn": "",
                disabled: !done,
                onclick: () => this.page.takeTurn(this.steps),
              },
              icon("check"),
              el("span", {}, t("Confirm this turn")),
            )
          : null,
        el(
          "button",
          { type: "button", class: "button", onclick: () => this.back() },
          icon("undo"),
          el("span", {}, t("One step back")),
        ),
        el(
          "button",
          { type: "button", class: "button quiet", onclick: () => this.stop() },
          icon("close"),
          el("span", {}, pending ? t("Close") : t("Not now")),
        ),
      ),
    );
  }

  /** @param {Step} step */
  step(step) {
    const { do: what, ...rest } = step;
    const known = (/** @type {unknown} */ each) => {
      if (Array.isArray(each) && typeof each[0] === "number") return [cellWords(each)];
      return this.page.pieces.has(String(each)) ? [this.page.called(String(each))] : [];
    };
    const words = [this.page.formLabels.get(String(what)) ?? what, ...Object.values(rest).flatMap(known)];
    return el("span", { class: "chip" }, words.join(" · "));
  }

  /** @param {Api.FormField} field */
  question(field) {
    const box = el(
      "div",
      { class: "asking", role: "group", "aria-label": field.label },
      el("p", { class: "ask" }, field.label),
    );
    if (field.kind === "cell")
      box.append(el("p", { class: "hint" }, icon("hand"), ` ${t("Tap the board.")}`));
    else if (field.kind === "arrow")
      box.append(el("p", { class: "hint" }, icon("hand"), ` ${t("Tap the arrow at the board.")}`));
    else if (field.kind === "rotation") box.append(this.rotations(field));
    else if (field.kind === "choice") box.append(this.choices(field, (id) => this.answer(id)));
    else box.append(this.several(field));
    if (field.optional)
      box.append(
        el(
          "button",
          { type: "button", class: "button", onclick: () => this.answer(null) },
          icon("next"),
          el("span", {}, t("None")),
        ),
      );
    return box;
  }

  /** @param {Api.FormField} field */
  rotations(field) {
    const name = this.tileOf(field);
    return el(
      "div",
      { class: "choices" },
      ...[0, 90, 180, 270].map((turn) =>
        el(
          "button",
          {
            type: "button",
            class: "choice-button",
            "data-turn": turn,
            "aria-label": t("turned by %(degrees)s degrees", { degrees: turn }),
            onclick: () => this.answer(turn),
          },
          name ? pieceImage(this.page.view.art, name, turn) : `${turn}°`,
        ),
      ),
    );
  }

  /**
   * @param {Api.FormField} field
   * @param {(id: string) => unknown} then
   */
  choices(field, then) {
    return el(
      "div",
      { class: "choices" },
      ...this.choicesOf(field).map((id) => this.choice(field, id, () => then(id))),
    );
  }

  /**
   * @param {Api.FormField} field
   * @param {string} id
   * @param {() => unknown} then
   */
  choice(field, id, then) {
    const picture = this.page.pieces.has(id) ? pieceImage(this.page.view.art, id) : null;
    return el(
      "button",
      { type: "button", class: "choice-button", "data-choice": id, onclick: then },
      picture,
      el("span", {}, field.words[id] ?? id),
    );
  }

  /**
   * Several things, or how many of each.
   * @param {Api.FormField} field
   */
  several(field) {
    /** @type {Map<string, number>} */
    const counts = new Map();
    const shown = el("p", { class: "hint" });
    const box = el(
      "div",
      {},
      this.choices(field, (id) => {
        counts.set(id, (counts.get(id) ?? 0) + 1);
        shown.textContent = [...counts]
          .map(([name, count]) => `${field.words[name] ?? name} × ${count}`)
          .join(", ");
      }),
      shown,
    );
    const value = () =>
      field.kind === "count"
        ? Object.fromEntries(counts)
        : [...counts].flatMap(([id, count]) => Array(count).fill(id));
    box.append(
      el(
        "button",
        { type: "button", class: "button", onclick: () => this.answer(value()) },
        icon("check"),
        el("span", {}, t("That is all")),
      ),
    );
    return box;
  }

  /**
   * @param {Api.TurnForm[]} forms
   * @param {Api.FormField | null} field
   */
  others(forms, field) {
    const more = forms.filter((form) => form !== this.form || !field);
    if (!more.length) return null;
    const open = more.filter((form) => form.possible);
    const shut = more.filter((form) => !form.possible);
    return el(
      "div",
      { class: "more-steps" },
      open.length ? el("p", { class: "hint" }, t("You can also enter:")) : null,
      open.length ? this.chips(open) : null,
      shut.length
        ? el(
            "details",
            { open: !open.length },
            el("summary", {}, t("Moves that would break a rule now")),
            this.chips(shut),
          )
        : null,
    );
  }

  /** @param {Api.TurnForm[]} forms */
  chips(forms) {
    return el(
      "div",
      { class: "row" },
      ...forms.map((form) =>
        el(
          "button",
          { type: "button", class: "chip", "data-form": form.id, onclick: () => this.choose(form) },
          form.label,
        ),
      ),
    );
  }
}

/** @param {unknown[]} cell */
const cellWords = (cell) =>
  t("%(column)s, %(row)s", { column: Number(cell[0]) + 1, row: Number(cell[1]) + 1 });

/**
 * What can be told beside a photo: all steps of a turn, or what no photo shows.
 * @param {BoardPage} page
 */
export function moreWords(page) {
  return page.view.picture.arrows.length ? t("Dice, fights, cards") : t("Steps of the turn");
}

/**
 * A ruling in words: whether it goes by the rules, the rule, what was done.
 * @param {Api.RuledTurn} ruling
 */
export function verdict(ruling) {
  const kind = ruling.legal === true ? "legal" : ruling.legal === false ? "illegal" : "open";
  const sign = ruling.legal === true ? "check" : ruling.legal === false ? "close" : "question";
  return el(
    "div",
    { class: `verdict verdict-${kind}`, role: "status" },
    el("p", { class: "verdict-why" }, icon(sign), el("span", {}, ruling.why)),
    ruling.says.length
      ? el("ul", { class: "verdict-says" }, ...ruling.says.map((each) => el("li", {}, each)))
      : null,
    ...ruling.notes.map((each) => el("p", { class: "warn" }, each)),
  );
}
