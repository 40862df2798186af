// The page of a board game: how the board stands, a photo that waits, a turn told by taps, who has what, disputes.
// It shows what the API tells; other devices see each change within seconds.

import { api, ApiError, newKey, t, tell, toast } from "../app.js";
import { byId, closest, field, may, must } from "../elements.js";
import { removeGame } from "../games/act.js";
import "../games/dialogs.js";
import { asked } from "../games/finished.js";
import { el, fill, icon } from "../review/dom.js";
import { firstAnswer, watch } from "../watch.js";
import { boardBeside, boardPicture, photoPicture } from "./draw.js";
import { answerCell, drawPending } from "./pending.js";
import { drawPlayers } from "./players.js";
import { Telling } from "./tell.js";
import { Touch } from "./touch.js";
import { drawClaims, drawTurns } from "./turns.js";

const POLL_MS = 2500;
const SOON_MS = 700;

/** @returns {`/tableaus/${string}`} */
const pathHere = () => `/tableaus/${byId("board-page").dataset.tableau}`;

/** A board's page. */
export class BoardPage {
  /** @param {Api.BoardView} view */
  constructor(view) {
    this.game = byId("board-page").dataset.game ?? "";
    this.path = pathHere();
    this.view = view;
    /** @type {Map<string, Api.PieceChoice>} */
    this.pieces = new Map(view.pieces.map((each) => [each.id, each]));
    /** @type {Map<string, string>} */
    this.formLabels = new Map();
    this.telling = new Telling(this, byId("tell"));
    this.touch = new Touch(this);
    this.photo = true;
    this.busy = false;
    this.put = 0;
  }

  /** @param {string} name */
  called(name) {
    return this.pieces.get(name)?.name ?? name;
  }

  /**
   * Do something with the board as it was looked at, and show what became of it.
   * @param {() => Promise<Api.BoardView>} run
   * @param {string} [said]
   */
  async act(run, said = "") {
    if (this.busy) return false;
    this.busy = true;
    try {
      this.show(await asked(run));
      if (said) toast(said, { undo: () => this.step("undo") });
      return true;
    } catch (error) {
      tell(error);
      if (error instanceof ApiError && error.status === 409) await this.look();
      return false;
    } finally {
      this.busy = false;
    }
  }

  get version() {
    return this.view.version;
  }

  /** @param {Record<string, unknown>} change */
  change(change) {
    return this.act(
      () => api("POST", `${this.path}/board/changes`, { version: this.version, change }),
      t("Noted."),
    );
  }

  /** @param {Record<string, unknown>[]} steps */
  async takeTurn(steps) {
    const done = await this.act(
      () => api("POST", `${this.path}/board/turn`, { version: this.version, steps }),
      t("The turn is saved."),
    );
    if (done) this.telling.stop();
  }

  /** @param {boolean} turn */
  async takePhoto(turn) {
    const steps = this.telling.steps;
    const body = { version: this.version, turn, steps: turn ? steps : [] };
    const done = await this.act(
      () => api("POST", `${this.path}/board/photo`, body),
      turn ? t("The turn is saved.") : t("The board is now as in the photo."),
    );
    if (done) this.telling.stop();
  }

  /** @param {"undo" | "redo"} which */
  step(which) {
    return this.act(() => api("POST", `${this.path}/board/${which}`, { version: this.version }));
  }

  async look() {
    try {
      this.show(await api("GET", `${this.path}/board`));
    } catch (error) {
      if (!(error instanceof ApiError)) return;
      tell(error);
    }
  }

  /** @param {Api.BoardView} view */
  show(view) {
    const changed = view.version !== this.view.version;
    this.view = view;
    if (changed && this.telling.open && !view.pending) this.telling.stop();
    if (changed && this.telling.open && view.pending) this.telling.look();
    this.draw();
  }

  draw() {
    this.drawState();
    this.drawPicture();
    drawPending(this);
    this.telling.draw();
    drawPlayers(this);
    drawTurns(this);
    drawClaims(this);
    this.drawMore();
  }

  // --- parts of the page

  drawState() {
    const { view } = this;
    const mover = view.players.find((player) => player.name === view.to_move);
    const lines = [];
    if (view.over)
      lines.push(
        el("p", { class: "turn-who" }, icon("crown"), " ", el("strong", {}, t("The game is over."))),
      );
    else if (mover)
      lines.push(
        el(
          "p",
          { class: "turn-who" },
          icon("hand"),
          " ",
          el("span", { class: `dot colour-${mover.colour}` }),
          " ",
          el("strong", {}, t("%(name)s’s turn", { name: mover.name })),
        ),
      );
    lines.push(
      el(
        "p",
        { class: "state-says" },
        view.pending ? t("A photo has been read: check that it is right.") : view.may_deal ? "" : view.says,
      ),
    );
    if (view.begins && !view.over) lines.push(el("p", { class: "hint", id: "begins" }, view.begins));
    if (view.reading)
      lines.push(
        el(
          "p",
          { class: "hint", id: "board-busy", role: "status" },
          icon("camera"),
          ` ${t("A photo is being read.")}`,
        ),
      );
    if (view.failed) lines.push(el("p", { class: "warn" }, icon("camera"), ` ${view.failed}`));
    if (!view.pending && !view.may_deal)
      for (const fault of view.faults.slice(0, 4))
        if (fault.words !== view.says)
          lines.push(el("p", { class: "warn" }, icon("warning"), ` ${fault.words}`));
    fill(byId("state"), ...lines);
    const begin = byId("begin");
    begin.hidden = !view.may_deal;
    byId("tell-turn").hidden = !view.may_tell || this.telling.open || Boolean(view.pending) || view.over;
    // what players hold at the end may be photographed to be counted
    byId("capture").hidden = (view.over && !view.ended) || (this.telling.open && !view.pending);
  }

  drawPicture() {
    const { view, telling } = this;
    const seen = view.pending?.seen;
    const trial = telling.open && !view.pending ? telling.trial : null;
    const asks = telling.open ? telling.field : null;
    const questions = trial ? [] : (view.pending?.questions ?? []);
    const open = questions[0]?.needed ? questions.slice(0, 1) : questions;
    const question = questions[0];
    const drawn = trial?.picture ?? view.picture;
    const marks = {
      likely: asks?.kind === "cell" ? (asks.likely ?? []) : [],
      asked: open.flatMap(({ cell, places }) => [...(cell ? [cell] : []), ...(places ?? [])]),
      // what is least certain is marked for who looks the whole over
      doubtful: seen && !trial && !asksFirst(question) ? seen.doubtful : [],
      tiles: drawn.tiles,
      answers: (question?.options ?? []).flatMap(({ cell, mark }) => (cell && mark ? [{ cell, mark }] : [])),
      wrong: trial || view.may_deal ? [] : view.faults.flatMap((fault) => fault.cells),
      traces: trial?.ruling?.traces ?? (questions[0]?.needed ? [] : (view.pending?.turn?.traces ?? [])),
      arrows: asks?.kind === "arrow",
      arrow: String(telling.filled.at ?? ""),
      called: (/** @type {[number, number]} */ cell) => this.cellWords(cell),
    };
    const switches = byId("which-picture");
    switches.hidden = !seen || Boolean(trial);
    for (const button of switches.querySelectorAll("button"))
      button.setAttribute("aria-pressed", String((button.dataset.show === "photo") === this.photo));
    const picture =
      seen && this.photo && !trial
        ? photoPicture(seen, view.picture.columns, marks, view.art)
        : boardPicture(drawn, view.art, marks);
    picture.setAttribute("aria-label", t("The board"));
    const focused = may(document, "#picture :focus", SVGElement)?.dataset.cell;
    const beside = seen && this.photo && !trial ? [] : drawn.beside;
    fill(byId("picture"), picture, ...beside.map((each) => boardBeside(each, view.art)));
    if (focused) may(picture, `[data-cell="${focused}"]`, SVGElement)?.focus({ preventScroll: true });
  }

  /** @param {[number, number]} cell */
  cellWords([column, row]) {
    const { tiles, pieces } = this.view.picture;
    const tile = tiles.find((each) => each.cell?.[0] === column && each.cell[1] === row);
    const here = pieces.filter((each) => each.cell[0] === column && each.cell[1] === row);
    const what = [tile?.art, ...here.map((each) => each.art)].flatMap((each) =>
      each ? [this.called(each)] : [],
    );
    return [t("Column %(column)s, row %(row)s", { column: column + 1, row: row + 1 }), ...what].join(", ");
  }

  drawMore() {
    const { view } = this;
    must(document, '[data-go="undo"]', HTMLButtonElement).disabled = !view.undo;
    must(document, '[data-go="redo"]', HTMLButtonElement).disabled = !view.redo;
    byId("best").hidden = Boolean(view.pending) || view.over || !view.may_tell;
    const end = byId("end");
    end.hidden = (view.over && !view.ended) || Boolean(view.pending);
    must(end, "span").textContent = view.ended ? t("The game goes on") : t("The game is over: count up");
  }

  async best() {
    try {
      const { words } = await api("GET", `${this.path}/board/best`);
      this.touch.show(t("Best move"), el("p", {}, words ?? t("There is no move to a treasure now.")));
    } catch (error) {
      tell(error);
    }
  }
}

/**
 * Whether a question comes before the whole is looked over.
 * @param {Api.BoardAsked | undefined} question
 */
function asksFirst(question) {
  return Boolean(question?.needed) && question?.kind !== "looked-over";
}

const page = new BoardPage(await firstAnswer(() => api("GET", `${pathHere()}/board`)));
page.draw();
byId("board-all").hidden = false;

/**
 * What a tap on the picture means now.
 * @param {Event} event
 */
function tapped(event) {
  const asks = page.telling.open ? page.telling.field : null;
  const arrow = closest(event, "[data-arrow]", SVGElement)?.dataset.arrow;
  if (arrow && asks?.kind === "arrow") return page.telling.answer(arrow);
  if (closest(event, "[data-spare]", SVGElement)) return page.touch.spare();
  const told = closest(event, "[data-cell]", SVGElement)?.dataset.cell;
  if (!told) return undefined;
  const [column = 0, row = 0] = told.split(",").map(Number);
  if (asks?.kind === "cell") return page.telling.answer([column, row]);
  if (page.telling.open && !page.view.pending) return undefined;
  const [question] = page.view.pending?.questions ?? [];
  if (question?.put) return answerCell(page, question, [column, row]);
  return page.touch.cell([column, row]);
}

byId("picture").addEventListener("click", tapped);
byId("picture").addEventListener("keydown", (event) => {
  if (!["Enter", " "].includes(event.key)) return;
  event.preventDefault();
  tapped(event);
});

document.addEventListener("click", (event) => {
  const shown = closest(event, "[data-show]")?.dataset.show;
  if (shown) {
    page.photo = shown === "photo";
    page.drawPicture();
  }
  const go = closest(event, "[data-go]")?.dataset.go;
  if (go) page.step(go === "redo" ? "redo" : "undo");
  if (closest(event, "#tell-turn")) page.telling.start();
  if (closest(event, "#deal"))
    page.act(
      () => api("POST", `${page.path}/board/deal`, { version: page.version }),
      t("Set up the board as shown."),
    );
  if (closest(event, "#best")) page.best();
  if (closest(event, "#end"))
    page.act(
      () => api("POST", `${page.path}/board/end`, { version: page.version, ended: !page.view.ended }),
      t("Noted."),
    );
  if (closest(event, "#delete-game")) removeGame(page.game);
});

const claim = byId("claim", HTMLFormElement);
claim.addEventListener("submit", async (event) => {
  event.preventDefault();
  const wants = /** @type {"words" | "back"} */ (must(claim, "[name=wants]:checked", HTMLInputElement).value);
  const said = {
    who: field(claim, "who", HTMLSelectElement).value,
    words: field(claim, "words", HTMLTextAreaElement).value,
    wants,
    client_key: newKey(),
  };
  if (await page.act(() => api("POST", `${page.path}/board/claims`, said))) {
    toast(t("The note is saved."));
    claim.reset();
  }
});

const record = byId("record", HTMLFormElement);
byId("as-record").addEventListener("toggle", async () => {
  const box = field(record, "text", HTMLTextAreaElement);
  if (box.value !== box.defaultValue) return;
  const told = await api("GET", `${page.path}/board/record`).catch(() => null);
  if (told) box.value = box.defaultValue = JSON.stringify(told, null, 1);
});
record.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await page.change({
      kind: "record",
      record: JSON.parse(field(record, "text", HTMLTextAreaElement).value),
    });
  } catch {
    toast(t("This is not valid JSON. Correct it and try again."), { kind: "bad" });
  }
});

let version = Number(byId("board-page").dataset.version);
watch(() => api("GET", `/games/${page.game}/version`), {
  every: () => (page.view.reading ? SOON_MS : POLL_MS),
  onAnswer: (now) => {
    const told = /** @type {Api.Version} */ (now).version;
    if (page.busy || (told === version && !page.view.reading)) return;
    version = told;
    return page.look();
  },
});
