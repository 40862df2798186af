// Tracing a card by touch: the card large, what is drawn on it, the tools, what does not hang together, and "the card
// is right", which writes it to the box and goes on to the next card.

import { messageOf, t, thingName, tn, toast } from "../app.js";
import { opened } from "../back.js";
import { all, byId, closest, must } from "../elements.js";
import { circle, el, fill, icon } from "../review/dom.js";
import { distance, FINGER_PX, fromSegment } from "../review/edit_targets.js";
import { Viewer } from "../review/viewer.js";
import { drawTracing, idOf, Scale, spotOf, thingsOf } from "./trace_draw.js";
import { confirmation, GROUPS, questionsOf } from "./trace_groups.js";
import { Saver } from "./trace_save.js";
import {
  button,
  COIN_VALUES,
  corridorTool,
  eraseTool,
  findTool,
  gateTool,
  lookTool,
  roomTool,
  stairsTool,
  wayTool,
} from "./trace_tools.js";

/**
 * @import { Photo, Point } from "../review/viewer.js"
 * @import { Thing } from "./trace_draw.js"
 * @import { GroupName } from "./trace_groups.js"
 * @import { Tool } from "./trace_tools.js"
 */

/** Near to a finger is at most so much, in mm: places of a card lie 8 mm apart and more. */
const LEAST_REACH_MM = 0.8;
const MOST_REACH_MM = 3.6;
const RIM_MM = 3;
/** Who does nothing for longer is not at it, in ms. */
const PAUSE_MS = 20_000;
/** Who taps so soon after he was led to something has not looked at it: the second tap of two, in ms. */
const UNSEEN_MS = 350;
/** So much of the card about a thing is shown to look at it, in mm to each side. */
const NEAR_MM = 16;

const TOOLS = {
  look: lookTool,
  corridor: corridorTool,
  room: roomTool,
  find: findTool,
  gate: gateTool,
  stairs: stairsTool,
  erase: eraseTool,
  way: wayTool,
};

/** @type {Record<string, string>} */
const TOOL_NAMES = {
  look: t("Look"),
  corridor: t("Corridor"),
  room: t("Room"),
  find: t("Find"),
  gate: t("Opening, door"),
  stairs: t("Stairs"),
  erase: t("Erase"),
  way: t("Try a walk"),
};
/** Of edges and of places. @type {Record<string, string>} */
const KIND_NAMES = {
  corridor: t("Corridor"),
  fall: t("Fall"),
  opening: t("Opening"),
  junction: t("Fork"),
  end: t("Dead end"),
  door: t("Door"),
  stairs: t("Stairs"),
};

/** @param {string} id */
const dataOf = (id) => JSON.parse(byId(id, HTMLScriptElement).textContent ?? "null");

export class TracePage {
  constructor() {
    /** @type {Api.TracingView} */
    const tracing = dataOf("trace-data");
    /** @type {Photo} */
    const photo = dataOf("trace-photo");
    /** The finds of this game, each with its icon. @type {[kind: string, sign: string][]} */
    this.finds = dataOf("trace-finds");
    this.icons = new Map(this.finds);
    this.viewer = new Viewer(byId("viewer"), { photo, label: tracing.card });
    this.viewer.tools = must(document, ".viewer-tools", HTMLElement);
    this.scale = new Scale(photo.width / tracing.size_mm[0]);
    this.viewer.svg.style.setProperty("--mm", `${this.scale.mm}px`);
    this.saver = new Saver(tracing, {
      show: (made) => this.show(made),
      say: (words) => this.say(words),
    });
    /** @type {"main" | "underground"} */
    this.level = "main";
    /** @type {Thing | null} */
    this.chosen = null;
    /** The guesses that are asked about together. @type {GroupName | null} */
    this.group = null;
    /** What is asked where it leads to: its place, and how that is over. @type {{ id: string, at: Point, over: () => void } | null} */
    this.leading = null;
    this.hidden = false;
    this.told = "";
    this.lastDone = performance.now();
    this.ledOn = -Infinity;
    /** @type {Record<string, Tool>} */
    this.tools = Object.fromEntries(
      Object.entries(TOOLS)
        .filter(([name]) => name !== "find" || this.finds.length)
        .map(([name, make]) => [name, make(this)]),
    );
    this.name = "look";
    this.#buttons();
    this.#listen();
    this.fit();
    this.show(tracing);
    this.saver.sendKept();
    if (tracing.doubts.length && !tracing.alike.length) this.#lookOn();
  }

  /** Show the whole card, with what lies on its edge. */
  fit() {
    const { width, height } = this.viewer.photo;
    const rim = RIM_MM * this.scale.mm;
    this.viewer.fit([-rim, -rim, width + rim, height + rim]);
  }

  get tracing() {
    return this.saver.tracing;
  }

  get tool() {
    return this.tools[this.name];
  }

  /** How far from something a finger means it at this zoom, in mm. */
  reach() {
    const finger = (0.8 * FINGER_PX) / this.viewer.scale / this.scale.mm;
    return Math.round(10 * Math.min(Math.max(finger, LEAST_REACH_MM), MOST_REACH_MM)) / 10;
  }

  /**
   * The length of a line of the card on the screen, in CSS pixels.
   * @param {Point[]} line
   */
  cssLength(line) {
    const mm = line.slice(1).reduce((sum, point, k) => sum + distance(line[k], point), 0);
    return mm * this.scale.mm * this.viewer.scale;
  }

  /**
   * @param {Point} at
   * @param {Point} one
   * @param {Point} other
   */
  fromLine(at, one, other) {
    return fromSegment(at, one, other);
  }

  /** @param {Record<string, unknown>} edit */
  async edit(edit) {
    this.say("");
    const made = await this.saver.edit(edit, this.reach());
    this.refresh();
    return made;
  }

  /** @param {Thing} thing */
  async erase(thing) {
    const edit =
      thing.sort === "edge"
        ? { kind: "erase-corridor", edge: thing.edge.number }
        : { kind: "erase", place: idOf(thing) };
    if (this.doubtful(thing) && !this.group) {
      await this.settle(thing, edit);
      return;
    }
    this.chosen = null;
    if (await this.edit(edit)) this.say(t("Erased."));
  }

  /**
   * Whether it is a guess that must be looked at before the card is done.
   * @param {Thing} thing
   */
  doubtful(thing) {
    return this.tracing.doubts.includes(idOf(thing));
  }

  /**
   * Say what a thing is, or that it is none. Who looks at what is in doubt is led on to the next of it.
   * @param {Thing} thing
   * @param {Record<string, unknown>} edit
   */
  async settle(thing, edit) {
    const doubtful = this.name === "look" && this.doubtful(thing);
    if (doubtful && performance.now() - this.ledOn < UNSEEN_MS) return;
    const made = await this.edit(edit);
    if (!made || !doubtful) return;
    const pit = edit.find === "pitfall" ? this.unled(made, "pitfall", spotOf(thing)) : null;
    if (pit) this.lead(idOf(pit), spotOf(pit));
    else this.#lookOn();
  }

  /**
   * All guesses that are asked about together are right, without those that were erased.
   * @param {GroupName} group
   */
  async #settleGroup(group) {
    if (performance.now() - this.ledOn < UNSEEN_MS) return;
    const edit = confirmation(this.tracing, group);
    if (!edit || (await this.edit(edit))) this.#lookOn();
  }

  /** Lead to the next question about guesses; back to the whole card when none is left. */
  #lookOn() {
    const { groups, single } = questionsOf(this.tracing);
    const before = single.findIndex((thing) => this.chosen && idOf(thing) === idOf(this.chosen));
    this.ledOn = performance.now();
    this.#use("look");
    if (groups.length) {
      this.group = groups[0];
      this.fit();
      this.show(this.tracing);
    } else if (single.length) {
      const thing = single[(before + 1) % single.length];
      this.choose(thing);
      this.#zoomTo(spotOf(thing));
    } else {
      this.fit();
      this.say(t("Everything is checked. If the card is right, confirm it below."));
    }
  }

  /** No guesses are asked about together any longer. */
  #askedApart() {
    if (!this.group) return;
    this.group = null;
    this.show(this.tracing);
  }

  /** @param {Thing | null} thing */
  choose(thing) {
    this.#askedApart();
    this.chosen = thing;
    this.told = "";
    this.refresh();
  }

  /**
   * Ask where stairs or a pit lead to: the next tap tells.
   * @param {string} id
   * @param {Point} at
   */
  lead(id, at) {
    this.#unlead();
    this.leading = { id, at, over: opened(() => this.#unlead()) };
    this.told = "";
    this.refresh();
  }

  #unlead() {
    this.leading?.over();
    this.leading = null;
    this.refresh();
  }

  /**
   * The stairs or the pit that was just put down near a spot and leads nowhere.
   * @param {Api.TracingView} tracing
   * @param {string} kind
   * @param {Point} at
   */
  unled(tracing, kind, at) {
    const led = new Set(
      tracing.edges.filter((edge) => edge.kind !== "corridor").flatMap((edge) => [edge.a, edge.b]),
    );
    const here = thingsOf(tracing)
      .filter(
        (thing) =>
          (thing.sort === "find" && thing.find.find === kind) ||
          (thing.sort === "node" && (thing.node.kind === kind || thing.node.find === kind)),
      )
      .filter((thing) => !led.has(idOf(thing)))
      .sort((a, b) => distance(spotOf(a), at) - distance(spotOf(b), at));
    return here.length && distance(spotOf(here[0]), at) < 2 * MOST_REACH_MM ? here[0] : null;
  }

  /** @param {Thing} thing */
  nameOf(thing) {
    if (this.doubtful(thing) && (thing.sort === "find" || (thing.sort === "node" && thing.node.find)))
      return t("An unclear find");
    if (thing.sort === "find") return thingName(thing.find.find);
    if (thing.sort === "room") return t("Room");
    if (thing.sort === "edge") return KIND_NAMES[thing.edge.kind];
    const { node } = thing;
    if (node.find) return thingName(node.find);
    const lands = this.tracing.edges.some((edge) => edge.kind === "fall" && edge.b === node.id);
    return lands ? t("Landing") : KIND_NAMES[node.kind];
  }

  /** @param {string} words */
  say(words) {
    this.told = words;
    this.#showStatus();
  }

  /** @param {unknown} error */
  tell(error) {
    this.say(messageOf(error));
  }

  /** @param {Api.TracingView} tracing */
  show(tracing) {
    if (this.chosen) {
      const id = idOf(this.chosen);
      this.chosen =
        thingsOf(tracing).find((thing) => idOf(thing) === id && thing.sort === this.chosen?.sort) ?? null;
    }
    const open = [...tracing.nodes, ...tracing.rooms.flatMap(({ finds }) => finds)];
    if (this.leading && !open.some(({ id }) => id === this.leading?.id)) this.#unlead();
    must(document, "[data-undo]", HTMLButtonElement).disabled = !tracing.undo;
    must(document, "[data-redo]", HTMLButtonElement).disabled = !tracing.redo;
    const done = must(document, ".trace-bar [data-done]", HTMLButtonElement);
    fill(done, ...this.#doneWords(tracing));
    done.disabled = this.#empty(tracing) && !tracing.next_card;
    byId("trace-progress").textContent = t("%(traced)s of %(cards)s traced", {
      traced: tracing.traced,
      cards: tracing.cards,
    });
    this.#showProblems(tracing);
    this.#showThings(tracing);
    this.refresh();
  }

  /**
   * What the big button does next.
   * @param {Api.TracingView} tracing
   */
  #doneWords(tracing) {
    const { groups, single } = questionsOf(tracing);
    if (this.group) return [icon("check"), el("span", {}, GROUPS[this.group].right)];
    const count = groups.length + single.length;
    if (count)
      return [icon("question"), el("span", {}, tn("One thing to check", "%(num)s things to check", count))];
    return [icon("check"), el("span", {}, this.#empty(tracing) ? t("Next card") : t("The card is right"))];
  }

  /** @param {Api.TracingView} tracing */
  #empty(tracing) {
    return !tracing.nodes.length && !tracing.rooms.length;
  }

  refresh() {
    for (const each of all(document, "[data-tool]")) {
      each.setAttribute("aria-pressed", String(each.dataset.tool === this.name));
    }
    for (const each of all(document, "[data-level]")) {
      each.setAttribute("aria-pressed", String(each.dataset.level === this.level));
    }
    const { classList } = byId("trace");
    classList.toggle("looking", Boolean(this.chosen && this.doubtful(this.chosen)));
    for (const name of Object.keys(GROUPS)) classList.toggle(`asked-${name}`, name === this.group);
    fill(
      byId("trace-box"),
      ...(this.leading ? this.#leading() : [...this.#offers(), ...(this.tool.render?.() ?? [])]),
    );
    this.#showStatus();
    this.redraw();
  }

  redraw() {
    const { viewer } = this;
    viewer.doubleTapZooms = this.name === "look" && !this.leading;
    drawTracing(viewer, this.scale, this.tracing, {
      level: this.level,
      chosen: this.chosen,
      icons: this.icons,
      doubts: new Set(this.tracing.doubts),
    });
    const layer = viewer.clear("tool");
    /** @type {(length: number) => number} */
    const px = (length) => length / viewer.scale;
    if (this.leading) {
      const [x, y] = this.scale.px(this.leading.at);
      layer.append(circle([x, y], px(22), "trace-ring", px(4)));
    } else this.tool.draw?.(layer, px);
    viewer.svg.classList.toggle("bare-face", this.hidden);
  }

  #showStatus() {
    const tool = this.name === "look" ? this.tool.hint() : `${TOOL_NAMES[this.name]}: ${this.tool.hint()}`;
    const words = this.told || (this.leading ? this.#leadHint() : tool);
    const status = byId("trace-status");
    if (status.textContent !== words) status.textContent = words;
    status.classList.toggle("told", Boolean(this.told));
  }

  #leadHint() {
    const place = this.leading?.id;
    const stairs = this.tracing.nodes.some((node) => node.id === place && node.kind === "stairs");
    return stairs
      ? t("Now tap where these stairs come out on the other level.")
      : t("Now tap where one lands underground; tap the pit itself if that is straight below.");
  }

  #leading() {
    const stairs = this.#leadHint() === t("Now tap where these stairs come out on the other level.");
    return [
      el(
        "div",
        { class: "trace-actions" },
        stairs
          ? null
          : button("pitfall", t("Straight below"), () => this.leading && this.#led(this.leading.at)),
        button("close", t("Cancel"), () => this.#unlead()),
      ),
    ];
  }

  /** @param {Point} at */
  async #led(at) {
    const place = this.leading?.id;
    this.#unlead();
    if (place) await this.edit({ kind: "lead", place, at });
  }

  /** What one tap may settle before anything is drawn: the dungeon of a twin, or that there is none. */
  #offers() {
    const { alike } = this.tracing;
    if (this.name !== "look" || this.chosen || this.group || this.tracing.done) return [];
    const twins = alike.map((card) =>
      el(
        "button",
        {
          type: "button",
          class: "button trace-alike",
          onclick: async () => {
            if (await this.saver.copy(card.id, card.upside_down))
              this.say(t("Copied from %(card)s. If it is right, confirm it below.", { card: card.id }));
          },
        },
        el("img", { src: card.picture, alt: "", width: 36, height: 50 }),
        el("span", {}, t("Same dungeon as %(card)s", { card: card.id })),
      ),
    );
    const none = button("card", t("There is no dungeon on it"), () => this.#finish(false));
    return this.#empty(this.tracing) ? [...twins, none] : twins;
  }

  /**
   * The finds of the game to choose from, by icon.
   * @param {string} chosen
   * @param {(kind: string) => void} take
   * @param {[kind: string, sign: string][]} finds
   */
  palette(chosen, take, finds = this.finds) {
    return el(
      "div",
      { class: "trace-palette", role: "group", "aria-label": t("Find") },
      ...finds.map(([kind, sign]) =>
        el(
          "button",
          {
            type: "button",
            class: "chip trace-find",
            "data-find": kind,
            "aria-pressed": String(kind === chosen),
            onclick: () => take(kind),
          },
          icon(sign),
          el("span", {}, thingName(kind)),
        ),
      ),
    );
  }

  /**
   * What a coin is worth.
   * @param {number} chosen
   * @param {(value: number) => void} take
   * @param {string} words
   */
  coins(chosen, take, words = t("Worth")) {
    return el(
      "div",
      { class: "row", role: "group", "aria-label": words },
      el("span", {}, words),
      ...COIN_VALUES.map((value) =>
        el(
          "button",
          {
            type: "button",
            class: "chip",
            "data-coin": value,
            "aria-pressed": String(value === chosen),
            onclick: () => take(value),
          },
          String(value),
        ),
      ),
    );
  }

  /** @param {Api.TracingView} tracing */
  #showProblems(tracing) {
    const box = byId("trace-problems");
    if (!tracing.problems.length) {
      const well = !this.#empty(tracing) && !tracing.doubts.length;
      fill(box, well ? el("p", { class: "good" }, icon("check"), " ", t("No problems found.")) : null);
      return;
    }
    fill(
      box,
      el("h2", { class: "warn" }, t("Check these: %(count)s", { count: tracing.problems.length })),
      el(
        "ol",
        { class: "trace-faults" },
        ...tracing.problems.map((problem) =>
          el(
            "li",
            {},
            el(
              "button",
              { type: "button", class: "note", onclick: () => this.#goTo(problem) },
              problem.message,
            ),
          ),
        ),
      ),
    );
  }

  /** @param {Api.TracingProblem} problem */
  #goTo(problem) {
    if (!problem.at) return;
    this.#zoomTo(problem.at);
    const thing = thingsOf(this.tracing).find((each) => idOf(each) === problem.place);
    this.#use("look");
    if (thing) this.choose(thing);
    this.say(problem.message);
  }

  /** @param {Point} at */
  #zoomTo(at) {
    const [x, y] = this.scale.px(at);
    const side = NEAR_MM * this.scale.mm;
    this.viewer.fit([x - side, y - side, x + side, y + side]);
    this.viewer.host.scrollIntoView({ block: "nearest" });
  }

  /** @param {Api.TracingView} tracing */
  #showThings(tracing) {
    fill(
      byId("trace-things"),
      ...thingsOf(tracing).map((thing) =>
        el(
          "li",
          {},
          el(
            "button",
            {
              type: "button",
              class: "button quiet",
              onclick: () => {
                this.#use("look");
                this.choose(thing);
                this.viewer.reveal(...this.scale.px(spotOf(thing)));
                byId("trace-status").scrollIntoView({ block: "center" });
              },
            },
            `${this.nameOf(thing)} ${thing.sort === "edge" ? `${thing.edge.a}–${thing.edge.b}` : idOf(thing)}`,
          ),
        ),
      ),
    );
  }

  /** @param {string} name */
  #use(name) {
    this.#unlead();
    this.tool.release?.();
    this.#askedApart();
    this.name = name;
    this.chosen = null;
    this.told = "";
    this.refresh();
  }

  #buttons() {
    fill(
      byId("trace-tools"),
      ...Object.entries(this.tools).map(([name, tool]) =>
        el(
          "button",
          { type: "button", class: "button trace-tool", "data-tool": name, onclick: () => this.#use(name) },
          icon(tool.icon),
          el("span", {}, TOOL_NAMES[name]),
        ),
      ),
    );
    byId("trace-levels").addEventListener("click", (event) => {
      const chip = closest(event, "[data-level]");
      if (!chip) return;
      this.level = chip.dataset.level === "underground" ? "underground" : "main";
      this.tool.release?.();
      this.refresh();
    });
    document.addEventListener("click", (event) => {
      const zoom = closest(event, "[data-zoom]")?.dataset.zoom;
      if (zoom === "in") this.viewer.zoomBy(1.6);
      else if (zoom === "out") this.viewer.zoomBy(1 / 1.6);
      else if (zoom === "fit") this.fit();
      if (closest(event, "[data-undo]")) this.#step("undo");
      if (closest(event, "[data-redo]")) this.#step("redo");
      if (closest(event, ".trace-bar [data-done]")) this.#done();
      const eye = closest(event, "[data-drawing]");
      if (eye) {
        this.hidden = !this.hidden;
        eye.setAttribute("aria-pressed", String(!this.hidden));
        this.redraw();
      }
    });
  }

  /** @param {"undo" | "redo"} way */
  async #step(way) {
    this.#unlead();
    this.tool.release?.();
    if (await this.saver.step(way)) this.say(way === "undo" ? t("Undone.") : t("Done again."));
  }

  async #done() {
    const { next_card: next } = this.tracing;
    if (this.#empty(this.tracing)) {
      if (next) this.#goOn(next);
      return;
    }
    // What was drawn a moment ago is still on its way.
    await this.saver.last;
    if (this.group) {
      await this.#settleGroup(this.group);
      return;
    }
    if (this.tracing.doubts.length) {
      this.#lookOn();
      return;
    }
    const { problems } = this.tracing;
    if (problems.length && !(await this.#anyway(problems))) return;
    await this.#finish(problems.length > 0);
  }

  /** @param {boolean} anyway although something does not hang together */
  async #finish(anyway) {
    const done = must(document, ".trace-bar [data-done]", HTMLButtonElement);
    done.disabled = true;
    const made = await this.saver.done(anyway);
    done.disabled = false;
    if (!made) return;
    const tableau = new URLSearchParams(location.search).get("tableau");
    if (tableau) location.replace(`/tableaus/${encodeURIComponent(tableau)}`);
    else if (made.next_card) this.#goOn(made.next_card);
    else toast(t("Every card of this box is traced."));
  }

  /** @param {string} card */
  #goOn(card) {
    const deck = encodeURIComponent(encodeURIComponent(this.tracing.deck));
    location.replace(`/decks/${deck}/cards/${encodeURIComponent(encodeURIComponent(card))}`);
  }

  /** @param {readonly Api.TracingProblem[]} problems */
  async #anyway(problems) {
    const dialog = byId("trace-anyway", HTMLDialogElement);
    fill(byId("anyway-list"), ...problems.map((problem) => el("li", {}, problem.message)));
    dialog.returnValue = "";
    dialog.showModal();
    await new Promise((closed) => dialog.addEventListener("close", closed, { once: true }));
    return dialog.returnValue === "anyway";
  }

  #listen() {
    const { viewer } = this;
    viewer.on("tap", (spot) => this.#tapped(this.scale.at(spot)));
    viewer.on("grab", (spot) => !this.leading && (this.tool.grab?.(this.scale.at(spot)) ?? false));
    viewer.on("drag", (spot) => this.tool.drag?.(this.scale.at(spot)));
    viewer.on("drop", (spot) => {
      if (!spot.cancelled) this.saver.spent.taps += 1;
      this.tool.drop?.(this.scale.at(spot), spot.cancelled);
    });
    viewer.on("view", () => this.redraw());
    document.addEventListener(
      "click",
      (event) => {
        if (closest(event, "main button, main a, main summary", Element)) this.saver.spent.taps += 1;
      },
      { capture: true },
    );
    for (const type of ["pointerdown", "pointerup", "keydown"]) {
      document.addEventListener(type, () => this.#clock(), { capture: true });
    }
  }

  /** Seconds at the card: a pause counts as long as one looks. */
  #clock() {
    const now = performance.now();
    this.saver.spent.seconds += Math.min(now - this.lastDone, PAUSE_MS) / 1000;
    this.lastDone = now;
  }

  /** @param {Point} at */
  #tapped(at) {
    this.saver.spent.taps += 1;
    this.told = "";
    if (this.leading) this.#led(at);
    else this.tool.tap(at);
  }
}

/** For tests: what a finger taps is found by it. */
export const page = new TracePage();
