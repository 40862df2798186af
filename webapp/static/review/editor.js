/*
 * The editor beside a photo: its tools change what is drawn on it, each change is refereed at once.
 *
 *   const editor = new Editor(page, tools, act, restored);
 *     page   viewer, root (an element), review ({ reading, history, rereading }), show(review), closed(), and
 *            `editing`, which the editor sets
 *     tools  { name: (editor) => tool }; the panel is `#editor` (templates/tableaus/editing.html)
 *     act    async (action, body) => { review, error }: does what is asked ("corrections" with { correction },
 *            "answers" with { question, option }, "undo", "redo", "restore-reading"), and says why it was not done
 *
 * Tools are modules of their own. A tool is made by `(editor) => tool` with
 *   hint()           what to do, while there is nothing else to say
 *   render(box)      fill the panel below the tool's button; called when it is chosen and after every change
 *   draw(layer, px)  draw into its layer of the photo; px(n) is n CSS pixels in photo pixels; called on zoom, too
 *   tap, grab, drag, drop   what the Viewer tells (all optional)
 *   release()        let go of what a finger holds, for the tableau has changed under it (optional)
 *   leave()          it is no longer chosen (optional)
 *
 * `editor` gives them
 *   editor.viewer, editor.review, editor.reading
 *   editor.send(correction, words)   have it made; what changed of the score is told after `words` (or what they make
 *                                    of the new reading). True where it was done
 *   editor.answer(question, option)  settle a question; true where it was done
 *   editor.say(words)                one sentence for eyes and screen readers
 *   editor.refresh()                 render and draw the tool again
 */

import { t, toast } from "../app.js";
import { opened } from "../back.js";
import { all, byId, closest, must, there } from "../elements.js";
import { el, fill, icon } from "./dom.js";
import { scoreChange } from "./score_change.js";
import { namedScore } from "./scores.js";

/** @type {Record<string, string>} */
const TOOL_NAMES = {
  path: t("Path"),
  marks: t("Marks"),
  cards: t("Cards"),
  means: t("Means"),
  terms: t("Rules"),
  lines: t("Lines"),
};
/** @type {Record<string, string>} */
const TOOL_ICONS = {
  path: "pencil",
  marks: "check",
  cards: "card",
  means: "fairy",
  terms: "gavel",
  lines: "pencil",
};

/**
 * @import { Drag, Drop, Spot, Tap, Viewer } from "./viewer.js"
 *
 * @typedef {object} EditedPage what the editor needs of the page that it edits
 * @property {Viewer} viewer
 * @property {HTMLElement} root
 * @property {boolean} editing
 * @property {`/tableaus/${string}`} [path] of the tableau in the API, where cards can be corrected
 * @property {EditedReview} review
 * @property {(review: any) => void} show takes what `act` answers with
 * @property {() => void} closed
 *
 * @typedef {Pick<Api.Review, "history" | "rereading"> & { reading: EditedReading | null }
 *   & Partial<Pick<Api.Review, "means">>} EditedReview
 * @typedef {Omit<Api.Reading, "sure"> & { sure: boolean | null }} EditedReading
 *
 * @typedef {object} Tool
 * @property {() => string} hint
 * @property {(box: HTMLElement) => void} render
 * @property {(layer: SVGGElement, px: (length: number) => number) => void} [draw]
 * @property {(point: Spot) => void} [tap]
 * @property {(point: Tap) => boolean} [grab]
 * @property {(point: Drag) => void} [drag]
 * @property {(point: Drop) => void} [drop]
 * @property {() => void} [release]
 * @property {() => void} [leave]
 *
 * @typedef {Api.Correction} Correction
 * @typedef {"corrections" | "answers" | "undo" | "redo" | "restore-reading"} EditAction
 * @typedef {{ correction?: Correction, question?: string, option?: number }} EditBody
 * @typedef {(action: EditAction, body: EditBody) => Promise<{ review?: EditedReview | null, error?: string }>} Act
 */

export class Editor {
  /**
   * @param {EditedPage} page
   * @param {Record<string, (editor: Editor) => Tool>} tools
   * @param {Act} act
   * @param {string} [restored] what is said when the reading is the original one again
   */
  constructor(
    page,
    tools,
    act,
    restored = t("The original reading is restored; Undo brings the corrections back."),
  ) {
    this.page = page;
    this.restored = restored;
    this.act = act;
    this.box = byId("editor");
    this.status = must(this.box, "[data-editor-status]");
    this.tools = Object.fromEntries(Object.entries(tools).map(([name, make]) => [name, make(this)]));
    /** @type {Tap[]} */
    this.waiting = [];
    this.sending = false;
    /** Told when the editor is closed: Back would close it, too. */
    this.closed = () => {};
    /** @type {string | undefined} */
    this.chosen = undefined;
    /** @type {string | undefined} */
    this.told = undefined;
    /** @type {Viewer | undefined} */
    this.listened = undefined;
    this.#buttons();
  }

  get viewer() {
    return this.page.viewer;
  }

  get review() {
    return this.page.review;
  }

  /** @returns {EditedReading} */
  get reading() {
    return there(this.page.review.reading, "reading");
  }

  /** @returns {Tool | undefined} */
  get tool() {
    return this.tools[this.chosen ?? ""];
  }

  /**
   * Begin with the tool of this name; by default the one that was used last.
   * @param {string} [name]
   */
  open(name = this.chosen ?? Object.keys(this.tools)[0]) {
    if (!this.page.editing) this.closed = opened(() => this.close());
    this.page.editing = true;
    if (this.listened !== this.viewer) this.#listen();
    this.viewer.doubleTapZooms = false;
    this.page.root.classList.add("editing");
    this.box.hidden = false;
    this.choose(name);
    this.page.root.scrollIntoView({ block: "start" });
    must(this.box, "h2").focus({ preventScroll: true });
  }

  close() {
    this.closed();
    this.tool?.leave?.();
    this.viewer?.clear("edit");
    if (this.viewer) this.viewer.doubleTapZooms = true;
    this.page.editing = false;
    this.page.root.classList.remove("editing");
    this.box.hidden = true;
    this.page.closed();
  }

  /** @param {string} name */
  choose(name) {
    this.tool?.leave?.();
    this.chosen = name;
    this.say("");
    for (const button of all(this.box, "[data-tool]")) {
      button.setAttribute("aria-pressed", String(button.dataset.tool === name));
    }
    this.page.root.dataset.tool = name;
    this.refresh();
  }

  /** The page shows a newer review: somebody else changed something, or ink has been read again. */
  update() {
    if (!this.page.editing) return;
    if (!this.review.reading) {
      this.close();
      return;
    }
    this.tool?.release?.();
    this.refresh();
  }

  /** Ink is being read again; nothing else has changed. */
  progressed() {
    if (this.page.editing && this.review.reading) this.#showRereading();
  }

  refresh() {
    this.#showScore();
    this.#button("undo").disabled = !this.review.history.undo;
    this.#button("redo").disabled = !this.review.history.redo;
    this.#button("restore").disabled = !this.reading.corrected;
    this.#showRereading();
    this.tool?.render(must(this.box, "[data-tool-box]"));
    this.say(this.told ?? "");
    this.redraw();
  }

  redraw() {
    if (!this.page.editing) return;
    const layer = this.viewer.clear("edit");
    this.tool?.draw?.(layer, (n) => n / this.viewer.scale);
  }

  /**
   * One sentence; without one the tool says what to do.
   * @param {string} words
   */
  say(words) {
    const again = words === this.told;
    this.told = words;
    const shown = words || (this.tool?.hint() ?? "");
    if (this.status.textContent !== shown) this.status.textContent = shown;
    this.status.classList.toggle("told", Boolean(words));
    if (words && !again && !this.#inSight(this.status)) toast(words);
  }

  /**
   * Whether an element can be seen below the photo, which stays at the top of a phone.
   * @param {Element} element
   */
  #inSight(element) {
    const [box, photo] = [element.getBoundingClientRect(), this.viewer.host.getBoundingClientRect()];
    const beside = box.left >= photo.right || box.right <= photo.left;
    return box.bottom > (beside ? 0 : photo.bottom) && box.top < innerHeight;
  }

  /**
   * Send a correction, or one of the actions "undo", "redo", "restore-reading".
   * @param {Correction | "undo" | "redo" | "restore-reading"} correction
   * @param {string | ((reading: EditedReading) => string)} [words]
   */
  async send(correction, words = "") {
    if (typeof correction === "string") return this.#post(correction, {}, words);
    return this.#post("corrections", { correction }, words);
  }

  /**
   * @param {Api.ReviewQuestion} question
   * @param {Api.ReviewOption} option
   */
  async answer(question, option) {
    return this.#post("answers", { question: question.name, option: option.number }, "");
  }

  /**
   * @param {EditAction} action
   * @param {EditBody} body
   * @param {string | ((reading: EditedReading) => string)} words
   */
  async #post(action, body, words) {
    if (this.sending) return false;
    this.sending = true;
    this.box.setAttribute("aria-busy", "true");
    const before = this.reading.score;
    const { review, error } = await this.act(action, body);
    this.sending = false;
    this.box.removeAttribute("aria-busy");
    if (review) this.page.show(review);
    if (error) {
      this.waiting = [];
      this.say(error);
      return false;
    }
    const told = typeof words === "function" ? words(this.reading) : words;
    this.say(
      [told, scoreChange(before, this.reading.score) || t("The score stays the same.")]
        .filter(Boolean)
        .join(" "),
    );
    setTimeout(() => this.#tapOn());
    return true;
  }

  /** @param {string} name */
  #button(name) {
    return must(this.box, `[data-${name}]`, HTMLButtonElement);
  }

  #buttons() {
    /** @type {(name: string, run: () => void) => void} */
    const on = (name, run) => this.#button(name).addEventListener("click", run);
    on("undo", () => this.send("undo", t("Undone.")));
    on("redo", () => this.send("redo", t("Done again.")));
    on("restore", () => this.send("restore-reading", this.restored));
    on("done", () => this.close());
    const buttons = must(this.box, "[data-tools]");
    if (Object.keys(this.tools).length < 2) buttons.hidden = true;
    fill(
      buttons,
      ...Object.keys(this.tools).map((name) =>
        el(
          "button",
          {
            type: "button",
            class: "button edit-tool",
            "data-tool": name,
            "aria-pressed": "false",
            onclick: () => this.choose(name),
          },
          icon(TOOL_ICONS[name]),
          el("span", {}, TOOL_NAMES[name]),
        ),
      ),
    );
    this.box.addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || closest(event, "input"))
        return;
      event.preventDefault();
      this.send(event.shiftKey ? "redo" : "undo", event.shiftKey ? t("Done again.") : t("Undone."));
    });
  }

  #listen() {
    this.listened = this.viewer;
    /** @type {<Detail>(use: (tool: Tool, detail: Detail) => unknown) => (detail: Detail) => unknown} */
    const told = (use) => (detail) =>
      this.page.editing && !this.sending && this.tool ? use(this.tool, detail) : undefined;
    this.viewer.on(
      "grab",
      told((tool, detail) => tool.grab?.(detail)),
    );
    this.viewer.on(
      "drag",
      told((tool, detail) => tool.drag?.(detail)),
    );
    this.viewer.on(
      "drop",
      told((tool, detail) => tool.drop?.(detail)),
    );
    this.viewer.on("tap", (detail) => {
      if (!this.page.editing) return;
      if (this.sending) this.waiting.push(detail);
      else this.tool?.tap?.(detail);
    });
    /** @type {number | null} */
    let frame = null;
    this.viewer.on("view", () => {
      frame ??= requestAnimationFrame(() => {
        frame = null;
        this.redraw();
      });
    });
  }

  /** Taps that came while a correction was on its way. */
  #tapOn() {
    const detail = this.waiting.shift();
    if (detail && this.page.editing && !this.sending) this.tool?.tap?.(detail);
  }

  #showScore() {
    fill(must(this.box, "[data-editor-score]"), ...scoreParts(this.reading));
  }

  #showRereading() {
    const box = must(this.box, "[data-rereading]");
    const { rereading } = this.review;
    box.hidden = !rereading;
    if (!rereading) return;
    must(box, "p").textContent = rereading.error ?? t("The line is being read again on the corrected cards.");
    const progress = must(box, "progress", HTMLProgressElement);
    progress.hidden = rereading.state === "failed";
    progress.value = Math.max(0.05, rereading.progress);
  }
}

/**
 * What a reading scores, as small as it goes; `sure` is null where nobody asks.
 * @param {Pick<EditedReading, "score" | "primary" | "secondary" | "sure">} reading
 */
export function scoreParts({ score, primary, secondary, sure }) {
  const how =
    sure === null
      ? null
      : el("span", { class: `change ${sure ? "" : "warn"}` }, sure ? t("Sure") : t("Not sure yet"));
  const named = namedScore(score);
  if (!named)
    return [
      ...score.facts.map((fact) => el("span", { class: "change" }, `${fact.about} ${fact.words}`)),
      how,
    ];
  /**
   * @param {string} kind
   * @param {string} name
   * @param {number | null} points
   */
  const part = (kind, name, points) =>
    el(
      "span",
      { class: `change ${kind}` },
      points === null ? name : [name, t("%(vp)s VP", { vp: points })].join(" "),
    );
  return [
    primary ? part("primary", t("Primary"), named.primary_vp) : null,
    secondary ? part("secondary", t("Secondary"), named.secondary_vp) : null,
    el("span", { class: "change" }, `${t("Coins")} ${named.coins}`),
    el(
      "span",
      { class: `change escape ${named.escaped ? "yes" : "no"}` },
      icon(named.escaped ? "check" : "close"),
      named.escaped ? t("Escaped") : t("Not escaped"),
    ),
    how,
  ];
}
