// A photo that was taken for the wrong player, or outside the game, goes to the one whose cards it shows.

import { api, t, tell, toast } from "../app.js";
import { byId, closest, may } from "../elements.js";
import { asked } from "../games/finished.js";

/** @import { ReviewPage } from "./main.js" */

/**
 * Wait for a player to be chosen. `page` is the review page: `path`, `review`, `show`, `look`.
 * @param {ReviewPage} page
 */
export function listenToMoves(page) {
  const box = may(page.root, ".move-to", HTMLDetailsElement);
  box?.addEventListener("click", async (event) => {
    const chosen = closest(event, "[data-move]");
    if (!chosen) return;
    const before = page.review.round;
    const moved = await send(page, chosen.dataset.move || null);
    if (!moved) return;
    if (!before || !moved.round) {
      // What surrounds a tableau in a game is not there outside one.
      location.reload();
      return;
    }
    await follow(page, moved);
    box.open = false;
    const undo = async () => {
      const back = await send(page, before.entry_id);
      if (back) await follow(page, back);
    };
    toast(t("This is %(name)s’s photo now.", { name: moved.round.player }), {
      undo,
    });
  });
}

/**
 * @param {ReviewPage} page
 * @param {string | null} entryId
 */
async function send(page, entryId) {
  try {
    return await asked(() =>
      api("POST", `${page.path}/move`, { entry_id: entryId, version: page.review.version }),
    );
  } catch (error) {
    tell(error);
    await page.look();
    return null;
  }
}

/**
 * @param {ReviewPage} page
 * @param {Api.Review} review
 */
async function follow(page, review) {
  page.show(review);
  const { round } = review;
  if (!round) return;
  document.title = round.player;
  const typing = may(byId("retake-help"), "a", HTMLAnchorElement);
  if (typing) typing.href = `/games/${round.game_id}/rounds/${round.number}#score-${round.entry_id}`;
  const { refresh } = await import("../games/live.js");
  await refresh();
}
