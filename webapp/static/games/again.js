// A rematch is begun once, however often its button is tapped.
import { all, closest } from "../elements.js";

document.addEventListener("submit", (event) => {
  const form = closest(event, "[data-again]", HTMLFormElement);
  if (!form) return;
  if ("sent" in form.dataset) event.preventDefault();
  form.dataset.sent = "";
});
// Back shows the page as it was left.
addEventListener("pageshow", () => all(document, "[data-again]").forEach((form) => delete form.dataset.sent));
