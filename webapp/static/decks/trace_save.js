/*
 * What is drawn is sent at once, one thing after the other. What has not been answered yet is kept on this device,
 * and sent when the server answers again, also after the page was closed.
 *
 *   const saver = new Saver(tracing, { show, say });
 *   await saver.edit(edit, reach_mm)      the tracing after it, or null where it was not made (`say` has told why)
 *   await saver.step("undo" | "redo"), saver.copy(card, upside_down), saver.done(anyway)
 *   saver.spent                           taps and seconds since the last time they were told
 *   saver.sendKept()                      what was left of the last time
 */

import { api, ApiError, t, toast } from "../app.js";

/**
 * @typedef {"edits" | "undo" | "redo" | "copy" | "done"} Action
 * @typedef {{ action: Action, body: Record<string, unknown>, version?: number }} Kept
 */

const AGAIN_MS = 2000;

export class Saver {
  /**
   * @param {Api.TracingView} tracing
   * @param {{ show: (tracing: Api.TracingView) => void, say: (words: string) => void }} page
   */
  constructor(tracing, { show, say }) {
    this.tracing = tracing;
    this.show = show;
    this.say = say;
    this.spent = { taps: 0, seconds: 0 };
    // Escaped once more than paths are: an id may have a slash.
    const [deck, card] = [tracing.deck, tracing.card].map((id) => encodeURIComponent(encodeURIComponent(id)));
    /** @type {`/decks/${string}/cards/${string}/tracing`} */
    this.path = `/decks/${deck}/cards/${card}/tracing`;
    this.place = `waymark.tracing ${this.path}`;
    /** @type {Kept[]} */
    this.waiting = this.#kept();
    /** @type {Promise<unknown>} */
    this.last = Promise.resolve();
  }

  /**
   * @param {Record<string, unknown>} edit
   * @param {number} reach
   */
  edit(edit, reach) {
    return this.#send("edits", { edit, reach_mm: reach });
  }

  /** @param {"undo" | "redo"} way */
  step(way) {
    return this.#send(way, {});
  }

  /**
   * @param {string} card
   * @param {boolean} upsideDown
   */
  copy(card, upsideDown) {
    return this.#send("copy", { card, upside_down: upsideDown });
  }

  /** @param {boolean} anyway */
  done(anyway) {
    return this.#send("done", { anyway });
  }

  /** Send what was left when the page was closed. What the server has already is not made twice. */
  async sendKept() {
    const first = this.waiting[0];
    if (first?.version !== undefined && first.version < this.tracing.version) this.waiting.shift();
    this.#keep();
    for (const kept of [...this.waiting]) await this.#inTurn(kept);
  }

  /**
   * @param {Action} action
   * @param {Record<string, unknown>} body
   * @returns {Promise<Api.TracingView | null>}
   */
  #send(action, body) {
    /** @type {Kept} */
    const kept = { action, body };
    this.waiting.push(kept);
    this.#keep();
    return this.#inTurn(kept);
  }

  /**
   * @param {Kept} kept
   * @returns {Promise<Api.TracingView | null>}
   */
  #inTurn(kept) {
    const made = this.last.then(() => this.#post(kept));
    this.last = made;
    return made;
  }

  /**
   * @param {Kept} kept
   * @returns {Promise<Api.TracingView | null>}
   */
  async #post(kept) {
    if (!this.waiting.includes(kept)) return null;
    let away = false;
    for (;;) {
      kept.version = this.tracing.version;
      this.#keep();
      const effort = { taps: this.spent.taps, seconds: Math.round(this.spent.seconds * 10) / 10 };
      /** @type {string} */
      const path = `${this.path}/${kept.action}`;
      try {
        const body = { version: kept.version, effort, ...kept.body };
        const made = /** @type {Api.TracingView} */ (await api("POST", path, body));
        this.spent.taps -= effort.taps;
        this.spent.seconds = Math.max(0, this.spent.seconds - effort.seconds);
        this.#over(kept);
        if (away) toast(t("The server answers again; what you drew is saved."), { about: "away" });
        this.#took(made);
        return made;
      } catch (error) {
        if (error instanceof ApiError && error.status < 500) {
          this.#over(kept);
          this.say(error.message);
          if (error.status !== 409) return null;
          // What comes after it was drawn on what is not there any more.
          this.waiting = [];
          this.#keep();
          const now = await api("GET", this.path).catch(() => null);
          if (now) this.#took(now);
          return null;
        }
        if (!away)
          toast(
            t(
              "The server does not answer. What you drew is kept on this device and sent as soon as it answers.",
            ),
            { kind: "bad", about: "away" },
          );
        away = true;
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
        // It may have been made, and the answer lost.
        const now = await api("GET", this.path).catch(() => null);
        if (now && now.version > kept.version) {
          this.#over(kept);
          toast(t("The server answers again; what you drew is saved."), { about: "away" });
          this.#took(now);
          return now;
        }
      }
    }
  }

  /** @param {Api.TracingView} tracing */
  #took(tracing) {
    this.tracing = tracing;
    this.show(tracing);
  }

  /** @param {Kept} kept */
  #over(kept) {
    this.waiting = this.waiting.filter((each) => each !== kept);
    this.#keep();
  }

  #keep() {
    try {
      if (this.waiting.length) localStorage.setItem(this.place, JSON.stringify(this.waiting));
      else localStorage.removeItem(this.place);
    } catch {
      // No room, or none allowed: it is still on the page.
    }
  }

  /** @returns {Kept[]} */
  #kept() {
    try {
      return JSON.parse(localStorage.getItem(this.place) ?? "[]");
    } catch {
      return [];
    }
  }
}
