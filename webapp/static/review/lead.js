// The game that the photo of a quick look belongs into: a button brings it there, and nothing is lost here.

import { api, t, tell } from "../app.js";
import { byId, may } from "../elements.js";
import { el, fill, icon } from "./dom.js";

/**
 * Show or hide the way to the right game.
 * @param {Api.Review} review
 */
export function showLead({ id, lead }) {
  const box = byId("lead");
  box.hidden = !lead;
  may(document, "#may-together")?.toggleAttribute("hidden", lead !== null);
  if (!lead) return;
  fill(byId("lead-title"), icon("next"), " ", lead.name);
  byId("lead-words").textContent = lead.words;
  const asked = new URLSearchParams({ deck: lead.deck || "open", photo: id });
  if (lead.together) asked.set("mode", "together");
  fill(
    byId("lead-ways"),
    ...lead.games.map((game, k) => {
      const name = game.title || game.players.join(t(", "));
      return el(
        "button",
        { type: "button", class: k ? "button" : "button primary", onclick: () => bring(id, game.id) },
        icon("next"),
        el("span", {}, t("Bring it to %(game)s", { game: name })),
      );
    }),
    el(
      "a",
      { class: lead.games.length ? "button" : "button primary", href: `/games/new?${asked}` },
      icon("plus"),
      el("span", {}, t("Begin a game of it with this photo")),
    ),
  );
}

/**
 * @param {string} id
 * @param {string} game
 */
async function bring(id, game) {
  try {
    await api("POST", `/tableaus/${id}/bring`, { game_id: game });
    location.assign(`/games/${game}`);
  } catch (error) {
    tell(error);
  }
}
