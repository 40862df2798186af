// A photo that says otherwise than the game: its score is taken over, or what the game says is left.
import { api, t, tell, toast } from "../app.js";
import { closest } from "../elements.js";
import { asked } from "./finished.js";
import { refresh } from "./live.js";

document.addEventListener("click", async (event) => {
  const button = closest(event, "[data-late]");
  if (!button) return;
  const { name, late } = button.dataset;
  const shot = /** @type {`/tableaus/${string}/shots/${string}`} */ (button.dataset.shot);
  const tableau = /** @type {`/tableaus/${string}`} */ (shot.replace(/\/shots\/.*/, ""));
  const leave = (/** @type {boolean} */ left) => api("POST", `${shot}/leave`, { left });
  try {
    if (late === "use") {
      const { version } = await asked(() => api("POST", `${shot}/use`));
      await done(t("%(name)s: the photo counts now.", { name }), async () => {
        await api("POST", `${tableau}/undo`, { version });
        await leave(false);
      });
    } else {
      await leave(true);
      await done(t("%(name)s: the score of the game is kept.", { name }), () => leave(false));
    }
  } catch (error) {
    tell(error);
    await refresh();
  }
});

/**
 * @param {string} message
 * @param {() => Promise<unknown>} undo
 */
async function done(message, undo) {
  await refresh();
  const run = async () => {
    try {
      await undo();
    } catch (error) {
      tell(error);
    }
    await refresh();
  };
  toast(message, { undo: run });
}
