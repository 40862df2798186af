// The end of a game: the picture is shared where the device can, else downloaded; finished and reopened.
import { api, t, tell, toast } from "../app.js";
import { byId, closest } from "../elements.js";
import "../games/again.js";
import { howToEnd } from "../games/finish.js";
import "../games/late.js";
import { refresh } from "../games/live.js";
import { drawn, savePicture } from "../picture.js";

const game = byId("live").dataset.game ?? "";
let failed = false;

/** Whether this device shares files (over https only). */
function sharesFiles() {
  const probe = new File([new Blob()], "waymark.png", { type: "image/png" });
  return Boolean(navigator.canShare?.({ files: [probe] }));
}

/** @param {Event} event */
async function share(event) {
  const picture = byId("picture", HTMLAnchorElement);
  event.preventDefault();
  if (failed || !sharesFiles()) {
    savePicture(picture);
    return;
  }
  try {
    await drawn(picture.href, () =>
      toast(t("This takes a moment; it is saved as soon as it is ready."), { about: "picture" }),
    );
    const answer = await fetch(picture.href, { credentials: "same-origin" });
    if (!answer.ok) throw new Error(String(answer.status));
    const file = new File([await answer.blob()], "waymark-final.png", { type: "image/png" });
    await navigator.share({ files: [file], title: picture.dataset.title });
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") return;
    failed = true;
    savePicture(picture);
    toast(t("Sharing did not work; the picture was downloaded instead."));
  }
}

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
  const button = closest(event, "#picture, #print, #finish");
  if (button?.id === "picture") share(event);
  if (button?.id === "print") print();
  if (button?.id === "finish") finish(button);
});
