// What lies wrong is put right by touch: a cell is tapped, then its tile, how it is turned, the pieces on it; the
// tile beside the board; what a player has.

import { t } from "../app.js";
import { byId, must } from "../elements.js";
import { el, fill, icon } from "../review/dom.js";
import { photoPart, pieceImage } from "./draw.js";

/** @import { BoardPage } from "./board.js" */

const SIDES = /** @type {const} */ (["top", "right", "bottom", "left"]);

const FACINGS = {
  top: t("facing up"),
  right: t("facing right"),
  bottom: t("facing down"),
  left: t("facing left"),
};

/** Dialogs over a board's page. */
export class Touch {
  /** @param {BoardPage} page */
  constructor(page) {
    this.page = page;
    this.dialog = byId("touch", HTMLDialogElement);
    this.title = must(this.dialog, "h2");
    this.box = must(this.dialog, ".touch-box");
  }

  /**
   * @param {string} title
   * @param {(import("../review/dom.js").Child)[]} children
   */
  show(title, ...children) {
    this.title.textContent = title;
    fill(this.box, ...children);
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** By how many quarters clockwise the board is turned in the picture that is shown. */
  quarters() {
    const { pending } = this.page.view;
    return pending && this.page.photo ? (pending.seen.quarters ?? 0) : 0;
  }

  /** @param {Record<string, unknown>} change */
  async change(change) {
    this.dialog.close();
    await this.page.change(change);
  }

  /** @param {[number, number]} cell */
  cell(cell) {
    const { picture, pending } = this.page.view;
    const tile = picture.tiles.find((each) => String(each.cell) === String(cell));
    const here = picture.pieces.filter((each) => String(each.cell) === String(cell));
    const outline = pending?.seen.cells[cell[1] * picture.columns + cell[0]];
    const quarters = this.quarters();
    const turn = (/** @type {number} */ rotation) => () =>
      this.change({
        kind: "tile",
        cell,
        tile: tile?.art ?? null,
        rotation,
        face: tile?.up === false ? "down" : "up",
      });
    this.show(
      t("This place"),
      pending && outline ? photoPart(pending.seen, outline) : null,
      el("h3", {}, t("Tile")),
      tile?.art
        ? el(
            "div",
            { class: "choices" },
            ...[0, 90, 180, 270].map((rotation) =>
              el(
                "button",
                {
                  type: "button",
                  class: "choice-button",
                  "data-turn": rotation,
                  "aria-pressed": String(rotation === tile.rotation),
                  "aria-label": t("turned by %(degrees)s degrees", {
                    degrees: (rotation + 90 * quarters) % 360,
                  }),
                  onclick: turn(rotation),
                },
                pieceImage(this.page.view.art, tile.art ?? "", (rotation + 90 * quarters) % 360),
              ),
            ),
          )
        : el("p", { class: "hint" }, t("The tile here is not known.")),
      el(
        "div",
        { class: "row" },
        el(
          "button",
          {
            type: "button",
            class: "button",
            "data-other-tile": "",
            onclick: () => this.tiles(cell, tile?.rotation ?? 0),
          },
          icon("swap"),
          el("span", {}, t("Another tile")),
        ),
        tile
          ? el(
              "button",
              {
                type: "button",
                class: "button quiet",
                onclick: () => this.change({ kind: "tile", cell, tile: null }),
              },
              icon("trash"),
              el("span", {}, t("There is no tile here")),
            )
          : null,
      ),
      el("h3", {}, t("Pieces")),
      ...here.map((piece) => this.piece(piece, cell)),
      el(
        "button",
        { type: "button", class: "button", "data-put-piece": "", onclick: () => this.put(cell) },
        icon("plus"),
        el("span", {}, t("Put a piece here")),
      ),
    );
  }

  /**
   * @param {Api.StandingPiece} piece
   * @param {[number, number]} cell
   */
  piece(piece, cell) {
    const name = piece.art ?? "";
    return el(
      "div",
      { class: "row piece-row" },
      pieceImage(this.page.view.art, name),
      el("span", {}, this.page.called(name)),
      ...(piece.facing
        ? SIDES.map((side, number) =>
            el(
              "button",
              {
                type: "button",
                class: "chip",
                "data-facing": side,
                "aria-pressed": String(side === piece.facing),
                onclick: () => this.change({ kind: "piece", piece: name, cell, from: cell, facing: side }),
              },
              FACINGS[SIDES[(number + this.quarters()) % 4] ?? side],
            ),
          )
        : []),
      el(
        "button",
        {
          type: "button",
          class: "button quiet",
          "aria-label": t("Take %(name)s away", { name: this.page.called(name) }),
          onclick: () => this.change({ kind: "piece", piece: name, cell: null, from: cell }),
        },
        icon("trash"),
      ),
    );
  }

  /**
   * @param {[number, number]} cell
   * @param {number} rotation
   */
  tiles(cell, rotation) {
    const tiles = [...this.page.pieces.values()].filter((each) => each.kind === "tile");
    this.show(
      t("Which tile?"),
      this.grid(tiles, (rotation + 90 * this.quarters()) % 360, (id) =>
        this.change({ kind: "tile", cell, tile: id, rotation }),
      ),
    );
  }

  /** @param {[number, number]} cell */
  put(cell) {
    const pieces = [...this.page.pieces.values()].filter(
      (each) => each.standing || ["chip", "coin"].includes(each.kind),
    );
    this.show(
      t("Which piece?"),
      this.grid(pieces, 0, (id) => {
        const facing = this.page.view.picture.pieces.find((each) => each.art === id)?.facing;
        this.change({ kind: "piece", piece: id, cell, ...(facing ? { facing } : {}) });
      }),
    );
  }

  spare() {
    const spare = this.page.view.picture.spare[0];
    const tiles = [...this.page.pieces.values()].filter((each) => each.kind === "tile");
    this.show(
      t("The tile beside the board"),
      el("p", { class: "hint" }, t("Which tile?")),
      this.grid(tiles, spare?.rotation ?? 0, (id) =>
        this.change({ kind: "spare", tile: id, rotation: spare?.rotation ?? 0, at: spare?.at ?? null }),
      ),
    );
  }

  /**
   * @param {Api.PieceChoice[]} pieces
   * @param {number} rotation
   * @param {(id: string) => unknown} then
   */
  grid(pieces, rotation, then) {
    return el(
      "div",
      { class: "choices" },
      ...pieces.map((piece) =>
        el(
          "button",
          { type: "button", class: "choice-button", "data-choice": piece.id, onclick: () => then(piece.id) },
          pieceImage(this.page.view.art, piece.id, rotation),
          el("span", {}, piece.name),
        ),
      ),
    );
  }

  /** @param {Api.PlayerOnBoard} player */
  player(player) {
    const counts = new Map(player.holds.map((each) => [each.what, each.count]));
    const things = [...this.page.pieces.values()].filter(
      (each) => ["chip", "coin"].includes(each.kind) || (each.kind === "card" && counts.has(each.id)),
    );
    this.show(
      player.name,
      player.name === this.page.view.to_move
        ? null
        : el(
            "button",
            {
              type: "button",
              class: "button",
              "data-to-move": "",
              onclick: () => this.change({ kind: "to_move", player: player.name }),
            },
            icon("hand"),
            el("span", {}, t("It is %(name)s’s turn", { name: player.name })),
          ),
      el("h3", {}, t("In front of this player")),
      ...things.map((thing) => {
        const count = counts.get(thing.id) ?? 0;
        const hold = (/** @type {number} */ more) => () =>
          this.change({
            kind: "holds",
            player: player.name,
            what: thing.id,
            count: Math.max(0, count + more),
          });
        return el(
          "div",
          { class: "row piece-row" },
          pieceImage(this.page.view.art, thing.id),
          el("span", {}, thing.name),
          el(
            "button",
            {
              type: "button",
              class: "button quiet",
              disabled: !count,
              "aria-label": t("One %(name)s less", { name: thing.name }),
              onclick: hold(-1),
            },
            icon("minus"),
          ),
          el("b", {}, count),
          el(
            "button",
            {
              type: "button",
              class: "button quiet",
              "data-more": thing.id,
              "aria-label": t("One %(name)s more", { name: thing.name }),
              onclick: hold(1),
            },
            icon("plus"),
          ),
        );
      }),
    );
  }
}
