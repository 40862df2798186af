// A photo that was taken for the wrong player goes to the one whose cards it shows.

import { api, t, tell, toast } from "../app.js";
import { asked } from "../games/finished.js";

/** Wait for a player to be chosen. `page` is the review page: `path`, `review`, `show`, `look`. */
export function listenToMoves(page) {
  const box = page.root.querySelector(".move-to");
  box?.addEventListener("click", async (event) => {
    const chosen = event.target.closest("[data-move]");
    if (!chosen) return;
    const before = page.review.round;
    if (!(await move(page, chosen.dataset.move))) return;
    box.open = false;
    toast(t("moved", { name: page.review.round.player }), { action: { label: t("undo"), run: () => move(page, before.entry_id) } });
  });
}

async function move(page, entryId) {
  try {
    const to = { entry_id: entryId, version: page.review.version };
    page.show(await asked(() => api("POST", `${page.path}/move`, to)));
  } catch (error) {
    tell(error);
    await page.look();
    return false;
  }
  const { round } = page.review;
  document.title = round.player;
  const typing = document.getElementById("failed-help").content.querySelector("a");
  if (typing) typing.href = `/games/${round.game_id}/rounds/${round.number}#score-${round.entry_id}`;
  const { refresh } = await import("../games/live.js");
  await refresh();
  return true;
}
