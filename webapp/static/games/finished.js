// A finished game: it is taken up again on purpose only, by its banner or when a change is asked for.
import { api, ApiError, t, tell, toast } from "../app.js";
import { refresh } from "./live.js";

const game = () => document.getElementById("live").dataset.game;
const dialog = document.getElementById("change-finished");
const takeUp = () => api("PATCH", `/games/${game()}`, { finished: false });

/** Do something; where the game is finished, the person is asked first. Left as it is, nothing is done and the
 * refusal is thrown. */
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
  if (dialog.open) return false;
  dialog.returnValue = "";
  dialog.showModal();
  await new Promise((closed) => dialog.addEventListener("close", closed, { once: true }));
  return dialog.returnValue === "change";
}

document.addEventListener("click", async (event) => {
  if (!event.target.closest("[data-reopen]")) return;
  try {
    await takeUp();
    await refresh();
    toast(t("reopened"));
  } catch (error) {
    tell(error);
  }
});
