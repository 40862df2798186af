// Ending a game: where rounds or scores are missing, it is asked first.
import { api, t } from "../app.js";
import { byId } from "../elements.js";

const dialog = byId("finish-early", HTMLDialogElement);

/**
 * How the game is to be ended, as PATCH takes it: at once when it is whole, else as the person says; null: not.
 * @param {string} game
 */
export async function howToEnd(game) {
  const final = await api("GET", `/games/${game}/final`);
  if (final.complete && !final.doubts.length) return { finished: true };
  // A game of one round has it or not: that is told as what is open.
  const few = final.rounds > 1 && final.rounds_written < final.rounds && !final.gaps;
  byId("finish-early-why").textContent =
    final.rounds > 1 && !final.rounds_played
      ? t("No round is entered: nobody can win, and the game does not count in the statistics.")
      : few
        ? t(
            "%(number)s of %(of)s rounds are entered. If you end the game now, they decide who wins. If you give it up, nobody wins.",
            { number: String(final.rounds_written), of: String(final.rounds) },
          )
        : final.complete
          ? t("Something is still open, so the score may still change.")
          : t("Some fields are empty: nobody wins, and the game does not count in the statistics.");
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
  if (dialog.returnValue === "give-up") return { given_up: true };
  return dialog.returnValue === "finish" ? { finished: true } : null;
}
