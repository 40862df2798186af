// Ending a game: where rounds or scores are missing, it is asked first.
import { api, t } from "../app.js";
import { byId } from "../elements.js";

const dialog = byId("finish-early", HTMLDialogElement);

/**
 * Whether the game is to be ended: at once when it is whole, else when the person says so.
 * @param {string} game
 */
export async function mayFinish(game) {
  const final = await api("GET", `/games/${game}/final`);
  if (final.complete && !final.doubts.length) return true;
  // A game of one round has it or not: that is told as what is open.
  const few = final.rounds > 1 && final.rounds_written < final.rounds;
  byId("finish-early-why").textContent = few
    ? t("rounds_missing", { number: String(final.rounds_written) })
    : t(final.complete ? "still_open" : "scores_missing");
  byId("finish-early-doubts").replaceChildren(
    ...final.doubts.map((words) => {
      const line = document.createElement("li");
      line.textContent = words;
      return line;
    }),
  );
  dialog.returnValue = "";
  dialog.showModal();
  await new Promise((closed) => dialog.addEventListener("close", closed, { once: true }));
  return dialog.returnValue === "finish";
}
