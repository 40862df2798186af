// A box's cards: each is renamed, turned, taken out and put back; every change can be undone.

import { messageOf, sayIn, t, tell } from "../app.js";
import { byId, closest, field, must, there } from "../elements.js";
import { change } from "./manage_box.js";

/**
 * @typedef {import("./manage_box.js").CardChange} CardChange
 * @typedef {import("./manage_box.js").Changed} Changed
 */

const dialog = byId("card-edit", HTMLDialogElement);
const wrong = byId("card-edit-wrong");
let card = "";

/**
 * What is done in the card's dialog; what goes wrong is told there.
 * @param {CardChange} body
 * @param {Changed} then
 */
async function changeCard(body, then) {
  sayIn(wrong, "");
  try {
    await change(card, body, then);
  } catch (error) {
    sayIn(wrong, messageOf(error));
  }
}

byId("card-name", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  const wanted = field(byId("card-name", HTMLFormElement), "name").value.trim();
  if (wanted === card || !wanted) return;
  const back = { words: t("Renamed to %(name)s.", { name: wanted }), card: wanted, body: { name: card } };
  changeCard({ name: wanted }, back);
});

document.addEventListener("click", (event) => {
  const face = closest(event, "[data-card]");
  if (face) {
    card = face.dataset.card ?? "";
    byId("card-edit-title").textContent = card;
    byId("card-edit-picture", HTMLImageElement).src = must(
      there(face.closest("li"), "card"),
      "img",
      HTMLImageElement,
    ).src;
    field(byId("card-name", HTMLFormElement), "name").value = card;
    sayIn(wrong, "");
    dialog.showModal();
    must(dialog, "h2").scrollIntoView();
  }
  if (closest(event, "[data-turn]"))
    changeCard({ turned: true }, { words: t("Turned upside down."), card, body: { turned: true } });
  if (closest(event, "[data-take-out]"))
    changeCard(
      { out: true },
      { words: t("%(card)s is taken out of the box.", { card }), card, body: { out: false } },
    );
  if (closest(event, "dialog [data-close]")) dialog.close();
  const back = closest(event, "[data-put-back]")?.dataset.putBack;
  if (back)
    change(
      back,
      { out: false },
      { words: t("%(card)s is back in the box.", { card: back }), card: back, body: { out: true } },
    ).catch(tell);
});
