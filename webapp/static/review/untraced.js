// Cards of the photo whose dungeon nobody has traced yet: each leads to the page on which it is traced.

import { t } from "../app.js";
import { byId } from "../elements.js";
import { el, fill, icon } from "./dom.js";

/** @param {Api.Review} review */
export function showUntraced(review) {
  const escaped = (/** @type {string} */ id) => encodeURIComponent(encodeURIComponent(id));
  const box = byId("untraced");
  box.hidden = !review.untraced.length;
  fill(
    byId("untraced-cards"),
    ...review.untraced.map((card) =>
      el(
        "a",
        {
          class: "button primary",
          href: `/decks/${escaped(review.deck)}/cards/${escaped(card)}?tableau=${encodeURIComponent(review.id)}`,
        },
        icon("pencil"),
        el("span", {}, t("Trace card %(card)s", { card })),
      ),
    ),
  );
}
