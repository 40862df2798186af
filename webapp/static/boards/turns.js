// The turns taken at a board, and what people dispute of them.

import { api, t } from "../app.js";
import { byId } from "../elements.js";
import { el, fill, icon } from "../review/dom.js";

/** @import { BoardPage } from "./board.js" */

/** @param {BoardPage} page */
export function drawTurns(page) {
  const { turns } = page.view;
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
                alt: t("Photo after turn %(number)s", { number: turn.number }),
                class: "turn-photo",
                loading: "lazy",
              }),
            )
          : null,
      ),
    ),
  );
}

/**
 * What a turn was, and whose, which is told once.
 * @param {Api.RuledTurn} ruling
 */
function turnWords({ player, says }) {
  const words = says.join(" ");
  return words.startsWith(player) ? [words] : [el("strong", {}, player), ` ${words}`];
}

/** @param {BoardPage} page */
export function drawClaims(page) {
  const { claims } = page.view;
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
          claim.wants === "words"
            ? null
            : el(
                "em",
                {},
                ` ${claim.wants === "back" ? t("wants the turn undone") : t("wants the board corrected")}`,
              ),
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
                  page.act(
                    () =>
                      api("POST", `${page.path}/board/claims/${claim.id}/accept`, {
                        version: page.version,
                      }),
                    t("Noted."),
                  ),
              },
              icon("gavel"),
              el("span", {}, t("Accept it")),
            )
          : null,
        el(
          "button",
          {
            type: "button",
            class: "button quiet",
            onclick: () => page.act(() => api("DELETE", `${page.path}/board/claims/${claim.id}`)),
          },
          icon("undo"),
          el("span", {}, t("Take back")),
        ),
      ),
    ),
  );
}
