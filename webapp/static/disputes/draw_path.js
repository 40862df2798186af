/*
 * A player's own path, drawn on the photo with the tools of the review page. Each touch is refereed at once beside the
 * ruling, which stays as it is; the path is kept when it is written down as a claim. Until then it is kept on this
 * device, so that nothing is drawn twice.
 *
 *   const drawing = new DrawnPath(page);   page: the DisputePage
 *     drawing.open(), drawing.editing
 *     drawing.renew()                      the tableau has changed: the path is refereed anew
 */

import { api, ApiError, t, toast } from "../app.js";
import { byId, field, must, there } from "../elements.js";
import { el, fill } from "../review/dom.js";
import { pathTool } from "../review/edit_path.js";
import { pathIn } from "../review/edit_targets.js";
import { Editor, scoreParts } from "../review/editor.js";
import { showDrawing } from "../review/overlay.js";
import { photoBottom } from "../review/photo_bottom.js";
import { comparison, drawLeftOut, drawSquare } from "./comparison.js";

/**
 * @import { EditAction, EditBody, EditedReview } from "../review/editor.js"
 * @import { Path } from "../review/edit_targets.js"
 * @import { Box } from "../review/viewer.js"
 * @import { DisputePage } from "./dispute.js"
 * @typedef {Omit<Api.DrawnPath, "compared"> & { compared: Api.DisputeComparison }} Drawing
 * @typedef {{ path?: Path, who?: string, words?: string }} Left
 */

/**
 * @param {unknown} one
 * @param {unknown} other
 */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** @type {Partial<Record<EditAction, number>>} */
const STEPS = { undo: -1, redo: 1 };

export class DrawnPath {
  /** @param {DisputePage} page */
  constructor(page) {
    this.page = page;
    this.root = page.root;
    this.editing = false;
    this.sheet = must(this.root, ".sheet");
    this.stage = must(this.root, ".stage");
    this.form = byId("path-claim-form", HTMLFormElement);
    this.words = field(this.form, "words", HTMLTextAreaElement);
    this.who = field(this.form, "who");
    /** @type {Api.DrawnPath | undefined} */
    this.begun = undefined;
    /** @type {Path[]} */
    this.paths = [];
    this.at = 0;
    /** @type {Path | undefined} */
    this.apart = undefined; // to which a line was drawn that is none of it
    this.kept = `waymark path ${this.root.dataset.tableau}`;
    this.editor = new Editor(
      this,
      { path: pathTool },
      (action, body) => this.#act(action, body),
      t("The current path is back; Undo brings yours back."),
    );
    new ResizeObserver(() => photoBottom(this.stage, this.sheet)).observe(this.stage);
    this.form.addEventListener("input", () => this.#keep());
  }

  /** What the referee says of the path as it is drawn. */
  get drawn() {
    return there(this.begun, "drawn path");
  }

  /** What there is to be seen of it on the photo. */
  get viewer() {
    return this.page.viewer;
  }

  /**
   * What the editor sees of a review: the path as it is drawn, and how far it can be gone back.
   * @returns {EditedReview}
   */
  get review() {
    const { path, reading } = this.drawn;
    // A claim brings a path. What was held is none of it: that is supposed, and told, on the page.
    const questions = same(path, this.apart)
      ? []
      : reading.questions.map((question) => ({
          ...question,
          options: question.options.filter((option) => option.kind !== "held"),
        }));
    return {
      reading: { ...reading, questions, sure: null, corrected: !same(path, this.#standing) },
      history: { undo: this.at > 0, redo: this.at < this.paths.length - 1 },
      rereading: null,
    };
  }

  get places() {
    return this.drawn.path;
  }

  get #standing() {
    return pathIn(this.page.reading);
  }

  /** Begin with the path that stands, or with what was drawn here and not written down yet. */
  open() {
    const { review, dispute } = this.page;
    const { reading } = this.page;
    this.begun = {
      path: pathIn(reading),
      reading,
      outlook: dispute.ruling,
      compared: { parting: null, turn: dispute.turn },
    };
    [this.paths, this.at] = [[this.drawn.path], 0];
    const left = this.#left();
    // It is mostly the one whose cards they are who says so.
    const said = { ...left, who: left.who || review.round?.player };
    this.who.value ||= said.who ?? "";
    this.words.value ||= said.words ?? "";
    this.show();
    this.editor.open();
    photoBottom(this.stage, this.sheet);
    this.viewer.fit(cardsBox(reading));
    if (left.path && !same(left.path, this.places)) this.#goOn(left.path);
  }

  /** @param {Path} path */
  async #goOn(path) {
    const { drawn, error, refused } = await this.#ask({ path });
    if (!this.editing) return;
    if (!drawn && !refused) {
      // It stays where it is kept: what is drawn now would take its place.
      this.editor.close();
      toast(error ?? "", { kind: "bad" });
      return;
    }
    if (refused)
      toast(
        t(
          "The cards have changed, so the path that you drew no longer fits. Start again from the current path.",
        ),
      );
    this.#went(drawn);
    this.show();
  }

  /** Show the path as it is drawn, beside the one that stands. */
  show() {
    const { reading, outlook, compared } = this.drawn;
    const stands = this.page.reading;
    showDrawing(this.viewer, reading.drawing, reading.px_per_mm);
    drawLeftOut(this.viewer.clear("left-out"), stands, reading.pieces);
    const layer = this.viewer.clear("turn");
    if (compared.parting?.at) drawSquare(layer, compared.parting.at, reading.px_per_mm);
    fill(must(this.editor.box, "[data-score-that-stands]"), ...scoreParts({ ...stands, sure: null }));
    fill(
      must(this.editor.box, "[data-compared]"),
      ...(compared.parting
        ? comparison(this.page.dispute, { outlook, compared }, t("As claimed"))
        : [
            el(
              "p",
              { class: "hint" },
              t("This is the current path; draw or erase where yours is different."),
            ),
          ]),
    );
    must(this.form, "[type=submit]", HTMLButtonElement).disabled = !compared.parting;
    this.editor.update();
    this.#keep();
  }

  closed() {
    this.viewer.clear("left-out");
    this.page.look(null);
    this.root.scrollIntoView({ block: "start" });
    must(this.root, "[data-draw-path]").focus({ preventScroll: true });
  }

  /** The claim is written down: the next path is drawn from the one that stands. */
  done() {
    this.editor.close();
    this.form.reset();
    localStorage.removeItem(this.kept);
  }

  async renew() {
    const path = this.places;
    const { drawn, refused } = await this.#ask({ path });
    if (!this.editing || !same(path, this.places)) return;
    if (refused) {
      toast(
        t(
          "The cards have changed, so the path that you drew no longer fits. Start again from the current path.",
        ),
      );
      this.#went((await this.#ask({ path: this.#standing })).drawn);
      this.show();
    } else if (drawn) {
      this.begun = drawn;
      this.show();
    }
  }

  /**
   * @param {EditAction} action
   * @param {EditBody} body
   * @returns {Promise<{ review?: EditedReview, error?: string }>}
   */
  async #act(action, body) {
    const path = this.places;
    const step = STEPS[action];
    if (action === "answers" && body.option === 0) {
      this.apart = path;
      return { review: this.review };
    }
    /** @type {Record<EditAction, () => object>} */
    const asked = {
      corrections: () => ({ path, correction: body.correction }),
      answers: () => ({ path, answer: body }),
      undo: () => ({ path: this.paths[this.at - 1] }),
      redo: () => ({ path: this.paths[this.at + 1] }),
      "restore-reading": () => ({ path: this.#standing }),
    };
    const { drawn, error } = await this.#ask(asked[action]());
    if (!drawn) return { error };
    if (step) [this.at, this.begun] = [this.at + step, drawn];
    else this.#went(drawn);
    return { review: this.review };
  }

  /** @param {Api.DrawnPath | undefined} drawn */
  #went(drawn) {
    if (!drawn) return;
    if (!same(drawn.path, this.places)) {
      this.at += 1;
      this.paths = [...this.paths.slice(0, this.at), drawn.path];
    }
    this.begun = drawn;
  }

  /**
   * What the referee makes of a path, or why he cannot; `refused`: it does not fit the cards.
   * @param {Partial<Api.DrawPath>} body
   * @returns {Promise<{ drawn?: Api.DrawnPath, error?: string, refused?: boolean }>}
   */
  async #ask(body) {
    try {
      return { drawn: await api("POST", `${this.page.path}/dispute/path`, body) };
    } catch (error) {
      if (!(error instanceof ApiError))
        return { error: t("The server cannot be reached; the page tries again.") };
      return { error: error.message, refused: error.status < 500 };
    }
  }

  /**
   * What was drawn and not written down yet: { path, who, words }, or nothing.
   * @returns {Left}
   */
  #left() {
    try {
      return JSON.parse(localStorage.getItem(this.kept) ?? "null") ?? {};
    } catch {
      return {};
    }
  }

  #keep() {
    if (!this.begun || !this.editing) return;
    const { who, words } = this;
    try {
      localStorage.setItem(
        this.kept,
        JSON.stringify({ path: this.places, who: who.value, words: words.value }),
      );
    } catch {
      // No room, or none allowed: the path is still on the page.
    }
  }
}

/** The part of the photo that the cards take. */
/**
 * @param {Api.Reading} reading
 * @returns {Box}
 */
function cardsBox({ cards, photo }) {
  const [xs, ys] = [0, 1].map((k) => cards.flatMap((card) => card.corners.map((corner) => corner[k])));
  return [
    Math.max(0, Math.min(...xs)),
    Math.max(0, Math.min(...ys)),
    Math.min(photo.width, Math.max(...xs)),
    Math.min(photo.height, Math.max(...ys)),
  ];
}
