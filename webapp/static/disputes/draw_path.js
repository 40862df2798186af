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
import { el, fill } from "../review/dom.js";
import { pathTool } from "../review/edit_path.js";
import { Editor, scoreParts } from "../review/editor.js";
import { drawReading } from "../review/overlay.js";
import { photoBottom } from "../review/photo_bottom.js";
import { comparison, drawLeftOut, drawSquare } from "./comparison.js";

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

export class DrawnPath {
  constructor(page) {
    this.page = page;
    this.root = page.root;
    this.editing = false;
    this.sheet = this.root.querySelector(".sheet");
    this.form = document.getElementById("path-claim-form");
    this.kept = `waymark path ${this.root.dataset.tableau}`;
    this.editor = new Editor(this, { path: pathTool }, (action, body) => this.#act(action, body));
    new ResizeObserver(() => photoBottom(this.root.querySelector(".stage"), this.sheet)).observe(
      this.root.querySelector(".stage"),
    );
    this.form.addEventListener("input", () => this.#keep());
  }

  get viewer() {
    return this.page.viewer;
  }

  /** What the editor sees of a review: the path as it is drawn, and how far it can be gone back. */
  get review() {
    const { path, reading } = this.drawn;
    const questions = same(path, this.apart) ? [] : reading.questions;
    return {
      reading: { ...reading, questions, sure: null, corrected: !same(path, this.#standing) },
      history: { undo: this.at > 0, redo: this.at < this.paths.length - 1 },
      rereading: null,
    };
  }

  get path() {
    return this.drawn.path;
  }

  get #standing() {
    return this.page.review.reading.record.path;
  }

  /** Begin with the path that stands, or with what was drawn here and not written down yet. */
  open() {
    const { review, dispute } = this.page;
    const { reading } = review;
    this.drawn = {
      path: reading.record.path,
      reading,
      outlook: dispute.ruling,
      compared: { parting: null, turn: dispute.turn },
    };
    [this.paths, this.at] = [[this.drawn.path], 0];
    const left = this.#left();
    // It is mostly the one whose cards they are who says so.
    const said = { ...left, who: left.who || review.round?.player };
    for (const name of ["who", "words"]) this.form.elements[name].value ||= said[name] ?? "";
    this.show();
    this.editor.open();
    photoBottom(this.root.querySelector(".stage"), this.sheet);
    this.viewer.fit(cardsBox(reading));
    if (left.path && !same(left.path, this.path)) this.#goOn(left.path);
  }

  async #goOn(path) {
    const { drawn, error, refused } = await this.#ask({ path });
    if (!this.editing) return;
    if (!drawn && !refused) {
      // It stays where it is kept: what is drawn now would take its place.
      this.editor.close();
      toast(error, { kind: "bad" });
      return;
    }
    if (refused) toast(t("path_gone"));
    this.#went(drawn);
    this.show();
  }

  /** Show the path as it is drawn, beside the one that stands. */
  show() {
    const { reading, outlook, compared } = this.drawn;
    const stands = this.page.review.reading;
    drawReading(this.viewer, reading);
    drawLeftOut(this.viewer.clear("left-out"), stands, reading.pieces);
    const layer = this.viewer.clear("turn");
    if (compared.parting?.at) drawSquare(layer, compared.parting.at, reading.px_per_mm);
    fill(this.editor.box.querySelector("[data-score-that-stands]"), ...scoreParts({ ...stands, sure: null }));
    fill(
      this.editor.box.querySelector("[data-compared]"),
      ...(compared.parting
        ? comparison(this.page.dispute, { outlook, compared }, t("as_claimed"))
        : [el("p", { class: "hint" }, t("same_path"))]),
    );
    this.form.querySelector("[type=submit]").disabled = !compared.parting;
    this.editor.update();
    this.#keep();
  }

  closed() {
    this.viewer.clear("left-out");
    this.page.look(null);
    this.root.scrollIntoView({ block: "start" });
    this.root.querySelector("[data-draw-path]").focus({ preventScroll: true });
  }

  /** The claim is written down: the next path is drawn from the one that stands. */
  done() {
    this.editor.close();
    this.form.reset();
    localStorage.removeItem(this.kept);
  }

  async renew() {
    const { path } = this;
    const { drawn, refused } = await this.#ask({ path });
    if (!this.editing || !same(path, this.path)) return;
    if (refused) {
      toast(t("path_gone"));
      this.#went((await this.#ask({ path: this.#standing })).drawn);
      this.show();
    } else if (drawn) {
      this.drawn = drawn;
      this.show();
    }
  }

  async #act(action, body) {
    const path = this.path;
    const step = { undo: -1, redo: 1 }[action];
    if (action === "answers" && body.option === 0) {
      this.apart = path;
      return { review: this.review };
    }
    const asked = {
      corrections: () => ({ path, correction: body.correction }),
      answers: () => ({ path, answer: body }),
      undo: () => ({ path: this.paths[this.at - 1] }),
      redo: () => ({ path: this.paths[this.at + 1] }),
      "restore-reading": () => ({ path: this.#standing }),
    };
    const { drawn, error } = await this.#ask(asked[action]());
    if (!drawn) return { error };
    if (step) [this.at, this.drawn] = [this.at + step, drawn];
    else this.#went(drawn);
    return { review: this.review };
  }

  #went(drawn) {
    if (!drawn) return;
    if (!same(drawn.path, this.path)) {
      this.at += 1;
      this.paths = [...this.paths.slice(0, this.at), drawn.path];
    }
    this.drawn = drawn;
  }

  /** What the referee makes of a path, or why he cannot; `refused`: it does not fit the cards. */
  async #ask(body) {
    try {
      return { drawn: await api("POST", `${this.page.path}/dispute/path`, body) };
    } catch (error) {
      if (!(error instanceof ApiError)) return { error: t("out_of_reach") };
      return { error: error.message, refused: error.status < 500 };
    }
  }

  /** What was drawn and not written down yet: { path, who, words }, or nothing. */
  #left() {
    try {
      return JSON.parse(localStorage.getItem(this.kept)) ?? {};
    } catch {
      return {};
    }
  }

  #keep() {
    if (!this.drawn || !this.editing) return;
    const { who, words } = this.form.elements;
    try {
      localStorage.setItem(
        this.kept,
        JSON.stringify({ path: this.path, who: who.value, words: words.value }),
      );
    } catch {
      // No room, or none allowed: the path is still on the page.
    }
  }
}

/** The part of the photo that the cards take. */
function cardsBox({ cards, photo }) {
  const [xs, ys] = [0, 1].map((k) => cards.flatMap((card) => card.corners.map((corner) => corner[k])));
  return [
    Math.max(0, Math.min(...xs)),
    Math.max(0, Math.min(...ys)),
    Math.min(photo.width, Math.max(...xs)),
    Math.min(photo.height, Math.max(...ys)),
  ];
}
