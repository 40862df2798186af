// The page of a board game: how the board stands, a photo that waits, a turn told by taps, who has what, disputes.
// It shows what the API tells; other devices see each change within seconds.

import { api, ApiError, newKey, t, tell, toast } from "../app.js";
import { byId, closest, field, may, must } from "../elements.js";
import { asked } from "../games/finished.js";
import { el, fill, icon } from "../review/dom.js";
import { boardBeside, boardPicture, photoPart, photoPicture, pieceImage } from "./draw.js";
import { Telling, verdict } from "./tell.js";
import { Touch } from "./touch.js";

const POLL_MS = 2500;
const SOON_MS = 700;
/** With more questions than this another photo is quicker. */
const MANY = 6;

/** A board's page. */
export class BoardPage {
  constructor() {
    const root = byId("board-page");
    this.game = root.dataset.game ?? "";
    this.path = /** @type {`/tableaus/${string}`} */ (`/tableaus/${root.dataset.tableau}`);
    /** @type {Api.BoardView} */
    this.view = JSON.parse(byId("board-json").textContent ?? "");
    /** @type {Map<string, Api.PieceChoice>} */
    this.pieces = new Map(this.view.pieces.map((each) => [each.id, each]));
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
      if (said) toast(said, { action: { label: t("undo"), run: () => this.step("undo") } });
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
      t("changed"),
    );
  }

  /** @param {Record<string, unknown>[]} steps */
  async takeTurn(steps) {
    const done = await this.act(
      () => api("POST", `${this.path}/board/turn`, { version: this.version, steps }),
      t("turn_taken"),
    );
    if (done) this.telling.stop();
  }

  /** @param {boolean} turn */
  async takePhoto(turn) {
    const steps = this.telling.steps;
    const body = { version: this.version, turn, steps: turn ? steps : [] };
    const done = await this.act(
      () => api("POST", `${this.path}/board/photo`, body),
      turn ? t("turn_taken") : t("board_taken"),
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
    this.drawPending();
    this.telling.draw();
    this.drawPlayers();
    this.drawTurns();
    this.drawClaims();
    this.drawMore();
  }

  // --- parts of the page

  drawState() {
    const { view } = this;
    const mover = view.players.find((player) => player.name === view.to_move);
    const lines = [];
    if (view.over)
      lines.push(el("p", { class: "turn-who" }, icon("crown"), " ", el("strong", {}, t("over"))));
    else if (mover)
      lines.push(
        el(
          "p",
          { class: "turn-who" },
          icon("hand"),
          " ",
          el("span", { class: `dot colour-${mover.colour}` }),
          " ",
          el("strong", {}, t("turn_of", { name: mover.name })),
        ),
      );
    lines.push(
      el("p", { class: "state-says" }, view.pending ? t("photo_waits") : view.may_deal ? "" : view.says),
    );
    if (view.reading)
      lines.push(
        el("p", { class: "hint", id: "board-busy", role: "status" }, icon("camera"), ` ${t("reading")}`),
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
    byId("capture").hidden = view.over || (this.telling.open && !view.pending);
  }

  drawPicture() {
    const { view, telling } = this;
    const seen = view.pending?.seen;
    const trial = telling.open && !view.pending ? telling.trial : null;
    const asks = telling.open ? telling.field : null;
    const marks = {
      likely: asks?.kind === "cell" ? (asks.likely ?? []) : [],
      asked: (view.pending?.questions ?? []).flatMap((each) => (each.cell ? [each.cell] : [])),
      wrong: trial || view.may_deal ? [] : view.faults.flatMap((fault) => fault.cells),
      traces:
        trial?.ruling?.traces ?? (view.pending?.questions.length ? [] : (view.pending?.turn?.traces ?? [])),
      arrows: asks?.kind === "arrow",
      arrow: String(telling.filled.at ?? ""),
      called: (/** @type {[number, number]} */ cell) => this.cellWords(cell),
    };
    const switches = byId("which-picture");
    switches.hidden = !seen || Boolean(trial);
    for (const button of switches.querySelectorAll("button"))
      button.setAttribute("aria-pressed", String((button.dataset.show === "photo") === this.photo));
    const drawn = trial?.picture ?? view.picture;
    const picture =
      seen && this.photo && !trial
        ? photoPicture(seen, view.picture.columns, marks)
        : boardPicture(drawn, view.art, marks);
    picture.setAttribute("aria-label", t("the_board"));
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
    return [t("cell", { column: column + 1, row: row + 1 }), ...what].join(", ");
  }

  /** What can be told beside a photo: all steps of a turn, or what no photo shows. */
  get moreWords() {
    return this.view.picture.arrows.length ? t("tell_more") : t("tell_steps");
  }

  drawPending() {
    const { pending } = this.view;
    const box = byId("pending");
    box.hidden = !pending;
    if (!pending) return fill(box);
    const [question] = pending.questions;
    const turn = (this.telling.open && this.telling.trial?.ruling) || pending.turn;
    const ruled = turn && turn.legal !== null;
    fill(
      box,
      ...pending.seen.warnings.map((each) => el("p", { class: "warn" }, each)),
      question ? this.question(question, pending) : null,
      turn && !question ? verdict(turn) : null,
      turn && !question && !pending.sure
        ? el("p", { class: "warn" }, icon("question"), ` ${t("unsure")}`)
        : null,
      el(
        "div",
        { class: "row" },
        ruled && !question
          ? el(
              "button",
              {
                type: "button",
                class: "button primary big",
                id: "take-photo-turn",
                onclick: () => this.takePhoto(true),
              },
              icon("check"),
              el("span", {}, turn.legal === false ? t("stands_anyway") : t("this_turn")),
            )
          : null,
        !question && !ruled
          ? el(
              "button",
              {
                type: "button",
                class: "button primary big",
                id: "take-photo-board",
                onclick: () => this.takePhoto(false),
              },
              icon("check"),
              el("span", {}, t("board_is_so")),
            )
          : null,
        turn && !question && !this.telling.open
          ? el(
              "button",
              { type: "button", class: "button", id: "tell-more", onclick: () => this.telling.start() },
              icon("plus"),
              el("span", {}, this.moreWords),
            )
          : null,
        ruled
          ? el(
              "button",
              {
                type: "button",
                class: "button quiet",
                id: "take-photo-board",
                onclick: () => this.takePhoto(false),
              },
              el("span", {}, t("only_board")),
            )
          : null,
        el(
          "button",
          {
            type: "button",
            class: "button quiet",
            id: "leave-photo",
            onclick: () =>
              this.act(() => api("POST", `${this.path}/board/leave`, { version: this.version }), t("left")),
          },
          icon("trash"),
          el("span", {}, t("leave_photo")),
        ),
      ),
      el("p", { class: "hint" }, t("put_right_hint")),
    );
  }

  /**
   * @param {Api.BoardAsked} question
   * @param {Api.PendingPhoto} pending
   */
  question(question, pending) {
    const { columns } = this.view.picture;
    const cell = question.cell;
    const outline = cell ? pending.seen.cells[cell[1] * columns + cell[0]] : undefined;
    const answer = (/** @type {number} */ option) => () =>
      this.act(() =>
        api("POST", `${this.path}/board/answers`, { version: this.version, question: question.name, option }),
      );
    return el(
      "div",
      { class: "question", id: "question" },
      pending.questions.length > MANY
        ? el(
            "p",
            { class: "warn" },
            icon("camera"),
            ` ${t("take_again", { count: pending.questions.length })}`,
          )
        : el("p", { class: "hint" }, t("questions_left", { count: pending.questions.length })),
      el(
        "div",
        { class: "question-head" },
        outline ? photoPart(pending.seen, outline) : null,
        el(
          "div",
          {},
          cell ? el("h3", {}, t("cell", { column: cell[0] + 1, row: cell[1] + 1 })) : null,
          el("p", {}, question.words),
        ),
      ),
      question.options.length
        ? el(
            "div",
            { class: "choices" },
            ...question.options.map((option, number) =>
              el(
                "button",
                { type: "button", class: "choice-button", "data-option": number, onclick: answer(number) },
                option.art ? pieceImage(this.view.art, option.art, option.rotation) : null,
                el("span", {}, option.words),
              ),
            ),
          )
        : el(
            "div",
            { class: "row" },
            el(
              "button",
              { type: "button", class: "button", "data-option": 0, onclick: answer(0) },
              icon("check"),
              el("span", {}, t("as_drawn")),
            ),
          ),
      el(
        "button",
        {
          type: "button",
          class: "button",
          "data-put-right": "",
          onclick: () =>
            cell
              ? this.touch.cell(cell)
              : question.about === "spare"
                ? this.touch.spare()
                : toast(t("tap_cell_right")),
        },
        icon("hand"),
        el("span", {}, t("put_right")),
      ),
    );
  }

  drawPlayers() {
    const mover = this.view.over ? null : this.view.to_move;
    fill(
      byId("players"),
      ...this.view.players.map((player) =>
        el(
          "li",
          { class: `player${player.name === mover ? " now" : ""}` },
          el(
            "button",
            {
              type: "button",
              class: "player-button",
              "data-player": player.name,
              onclick: () => this.touch.player(player),
            },
            player.piece ? pieceImage(this.view.art, player.piece) : null,
            el(
              "span",
              { class: "player-name" },
              el("span", { class: `dot colour-${player.colour}` }),
              " ",
              player.name,
              player.name === mover ? el("em", {}, ` ${t("to_move")}`) : null,
            ),
            el("strong", { class: "player-total" }, player.total ?? "–"),
          ),
          el(
            "div",
            { class: "holds" },
            ...player.holds.map((held) =>
              el(
                "span",
                { class: "held", title: held.name },
                pieceImage(this.view.art, held.what),
                held.count > 1 ? `× ${held.count}` : null,
                el("span", { class: "visually-hidden" }, held.name),
              ),
            ),
            player.hand !== null && player.hand !== undefined
              ? el("span", { class: "hint" }, t("in_hand", { count: player.hand }))
              : null,
            ...player.told.map((fact) => this.told(fact)),
          ),
          el(
            "p",
            { class: "columns hint" },
            player.columns.map((each) => `${each.about} ${each.words}`).join(" · "),
          ),
        ),
      ),
    );
    fill(
      byId("facts"),
      ...(this.view.may_deal ? [] : this.view.facts).flatMap((fact) => [
        el("dt", {}, fact.about),
        el("dd", {}, fact.words),
      ]),
    );
  }

  /** @param {Api.ToldFact} fact */
  told({ about, words, art = [] }) {
    if (!art.length) return el("span", { class: "hint" }, `${about}: ${words}`);
    return el(
      "span",
      { class: "held hint", title: words },
      `${about}: `,
      ...art.map((each) => pieceImage(this.view.art, each)),
      el("span", { class: "visually-hidden" }, words),
    );
  }

  drawTurns() {
    const { turns } = this.view;
    byId("no-turns").hidden = turns.length > 0;
    fill(
      byId("turns"),
      ...turns.map((turn) =>
        el(
          "li",
          { class: turn.ruling.legal === false ? "broken" : "" },
          el("span", { class: "turn-number" }, turn.number),
          el(
            "div",
            {},
            ...turnWords(turn.ruling),
            turn.ruling.legal === false
              ? el("p", { class: "warn" }, icon("warning"), ` ${turn.ruling.why}`)
              : null,
          ),
          turn.photo_id
            ? el(
                "a",
                { href: `/photos/${turn.photo_id}/1600.jpg`, target: "_blank", rel: "noreferrer" },
                el("img", {
                  src: `/photos/${turn.photo_id}/480.jpg`,
                  alt: t("photo_of_turn", { number: turn.number }),
                  class: "turn-photo",
                  loading: "lazy",
                }),
              )
            : null,
        ),
      ),
    );
  }

  drawClaims() {
    const { claims } = this.view;
    byId("no-claims").hidden = claims.length > 0;
    fill(
      byId("claims-list"),
      ...claims.map((claim) =>
        el(
          "li",
          {},
          el(
            "span",
            {},
            el("strong", {}, claim.who),
            `: ${claim.words}`,
            claim.wants === "words" ? null : el("em", {}, ` ${t(`wants_${claim.wants}`)}`),
            claim.accepted ? icon("check") : null,
          ),
          claim.wants !== "words" && !claim.accepted
            ? el(
                "button",
                {
                  type: "button",
                  class: "button",
                  "data-accept": claim.id,
                  onclick: () =>
                    this.act(
                      () =>
                        api("POST", `${this.path}/board/claims/${claim.id}/accept`, {
                          version: this.version,
                        }),
                      t("changed"),
                    ),
                },
                icon("gavel"),
                el("span", {}, t("accept")),
              )
            : null,
          el(
            "button",
            {
              type: "button",
              class: "button quiet",
              onclick: () => this.act(() => api("DELETE", `${this.path}/board/claims/${claim.id}`)),
            },
            icon("undo"),
            el("span", {}, t("take_back")),
          ),
        ),
      ),
    );
  }

  drawMore() {
    const { view } = this;
    must(document, '[data-go="undo"]', HTMLButtonElement).disabled = !view.undo;
    must(document, '[data-go="redo"]', HTMLButtonElement).disabled = !view.redo;
    byId("best").hidden = Boolean(view.pending) || view.over || !view.may_tell;
    const end = byId("end");
    end.hidden = (view.over && !view.ended) || Boolean(view.pending);
    must(end, "span").textContent = view.ended ? t("goes_on") : t("is_over");
  }

  async best() {
    try {
      const { words } = await api("GET", `${this.path}/board/best`);
      this.touch.show(t("best"), el("p", {}, words ?? t("no_best")));
    } catch (error) {
      tell(error);
    }
  }
}

/**
 * What a turn was, and whose, which is told once.
 * @param {Api.RuledTurn} ruling
 */
function turnWords({ player, says }) {
  const words = says.join(" ");
  return words.startsWith(player) ? [words] : [el("strong", {}, player), ` ${words}`];
}

const page = new BoardPage();
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
    page.act(() => api("POST", `${page.path}/board/deal`, { version: page.version }), t("dealt"));
  if (closest(event, "#best")) page.best();
  if (closest(event, "#end"))
    page.act(
      () => api("POST", `${page.path}/board/end`, { version: page.version, ended: !page.view.ended }),
      t("changed"),
    );
  if (closest(event, "[data-close]")) closest(event, "dialog", HTMLDialogElement)?.close();
  if (closest(event, "#delete-game")) remove();
});

async function remove() {
  try {
    await api("DELETE", `/games/${page.game}`);
    location.assign(`/?deleted=${encodeURIComponent(page.game)}`);
  } catch (error) {
    tell(error);
  }
}

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
    toast(t("said"));
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
    toast(t("no_json"), { kind: "bad" });
  }
});

let version = Number(byId("board-page").dataset.version);
async function watch() {
  if (document.visibilityState === "visible" && !page.busy) {
    const now = await api("GET", `/games/${page.game}/version`).catch(() => null);
    const told = /** @type {Api.Version | null} */ (now);
    if (told && told.version !== version) {
      version = told.version;
      await page.look();
    } else if (page.view.reading) await page.look();
  }
  setTimeout(watch, page.view.reading ? SOON_MS : POLL_MS);
}
setTimeout(watch, SOON_MS);
addEventListener("pageshow", (event) => event.persisted && page.look());
