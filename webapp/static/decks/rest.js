// A long box's page has its first cards; those that follow are taken in from the pages that it names.
import { fetchPage, tell } from "../app.js";
import { all, may, must } from "../elements.js";

const NEXT = "#deck-cards [rel=next]";

/** Take in all cards that follow those shown. */
export async function showRest() {
  for (let link; (link = may(document, NEXT, HTMLAnchorElement)); ) {
    const page = await fetchPage(link.href);
    must(document, "#deck-cards .face-grid").append(...all(page, "#deck-cards .face-item"));
    const next = may(page, NEXT);
    if (next) link.replaceWith(next);
    else link.remove();
  }
}

/** Whether all cards are there: false where the link for the rest is left. */
export const restShown = showRest().then(
  () => true,
  (error) => {
    tell(error);
    return false;
  },
);
