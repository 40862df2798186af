// A finished game: it is taken up again on purpose only, by its banner or when a change is asked for. A tableau
// outside a game has no dialog, and is never refused so.
import { api, ApiError, t, tell, toast } from "../app.js";
import { closest, may } from "../elements.js";

const dialog = may(document, "#change-finished", HTMLDialogElement);
const takeUp = () => api("PATCH", `/games/${dialog?.dataset.game}`, { finished: false });

/**
 * Do something; where the game is finished, the person is asked first. Left as it is, nothing is done and the
 * refusal is thrown.
 * @template T
 * @param {() => T | Promise<T>} run
 * @returns {Promise<T>}
 */
export async function asked(run) {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "game-finished" || !(await meant())) throw error;
    await takeUp();
    return run();
  }
}

async function meant() {
  if (!dialog || dialog.open) return false;
  dialog.returnValue = "";
  dialog.showModal();
  await new Promise((closed) => dialog.addEventListener("close", closed, { once: true }));
  return dialog.returnValue === "change";
}

document.addEventListener("click", async (event) => {
  if (!closest(event, "[data-reopen]")) return;
  try {
    await takeUp();
    // Pages that have the banner follow the game.
    const { refresh } = await import("./live.js");
    await refresh();
    toast(t("The game goes on."));
  } catch (error) {
    tell(error);
  }
});
