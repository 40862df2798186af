// The end of a game: finished and reopened, printed; its picture is shared (picture.js).
import { api, t, tell, toast } from "../app.js";
import { byId, closest } from "../elements.js";
import "../games/again.js";
import { howToEnd } from "../games/finish.js";
import "../games/late.js";
import { refresh } from "../games/live.js";
import "../picture.js";

const game = byId("live").dataset.game ?? "";

/** @param {HTMLElement} button */
async function finish(button) {
  const over = button.dataset.finished === "true";
  try {
    const change = over ? { finished: false } : await howToEnd(game);
    if (!change) return;
    await api("PATCH", `/games/${game}`, change);
    toast(
      over
        ? t("The game goes on.")
        : "given_up" in change
          ? t("The game is given up; nobody has won.")
          : t("The game is finished."),
    );
    await refresh();
  } catch (error) {
    tell(error);
  }
}

// The parts of the page are swapped when the game changes: what is tapped is looked for at the tap.
document.addEventListener("click", (event) => {
  const button = closest(event, "#print, #finish");
  if (button?.id === "print") print();
  if (button?.id === "finish") finish(button);
});
