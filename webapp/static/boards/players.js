// Who plays at a board, what each holds and has told; whose turn it is.

import { t } from "../app.js";
import { byId } from "../elements.js";
import { el, fill } from "../review/dom.js";
import { pieceImage } from "./draw.js";

/** @import { BoardPage } from "./board.js" */

/** @param {BoardPage} page */
export function drawPlayers(page) {
  const mover = page.view.over ? null : page.view.to_move;
  fill(
    byId("players"),
    ...page.view.players.map((player) =>
      el(
        "li",
        { class: `player${player.name === mover ? " now" : ""}` },
        el(
          "button",
          {
            type: "button",
            class: "player-button",
            "data-player": player.name,
            onclick: () => page.touch.player(player),
          },
          player.piece ? pieceImage(page.view.art, player.piece) : null,
          el(
            "span",
            { class: "player-name" },
            el("span", { class: `dot colour-${player.colour}` }),
            " ",
            player.name,
            player.name === mover ? el("em", {}, ` ${t("to move")}`) : null,
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
              pieceImage(page.view.art, held.what),
              held.count > 1 ? `× ${held.count}` : null,
              el("span", { class: "visually-hidden" }, held.name),
            ),
          ),
          player.hand !== null && player.hand !== undefined
            ? el("span", { class: "hint" }, t("%(count)s in hand", { count: player.hand }))
            : null,
          ...player.told.map((fact) => told(fact, page)),
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
    // after the end nothing is sought
    ...(page.view.may_deal || page.view.ended ? [] : page.view.facts).flatMap((fact) => [
      el("dt", {}, fact.about),
      el("dd", {}, fact.words),
    ]),
  );
}

/**
 * What is told of a player, in pictures where it has any.
 * @param {Api.ToldFact} fact
 * @param {BoardPage} page
 */
function told({ about, words, art = [] }, page) {
  if (!art.length) return el("span", { class: "hint" }, `${about}: ${words}`);
  return el(
    "span",
    { class: "held hint", title: words },
    `${about}: `,
    ...art.map((each) => pieceImage(page.view.art, each)),
    el("span", { class: "visually-hidden" }, words),
  );
}
