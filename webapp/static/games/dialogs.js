// A game's dialogs and market stalls: few visits open one, so they are no part of its pages. They are fetched once the
// page is there (the service worker keeps them), or with the first that is opened.
import { fetchPage, tell } from "../app.js";
import { byId, closest, may, must } from "../elements.js";

/** @type {Promise<void> | null} */
let fetched = null;

async function bring() {
  const page = await fetchPage(`/games/${byId("live").dataset.game}/dialogs`);
  byId("main").append(must(page, "#dialogs"));
}

function brought() {
  fetched ??= bring().catch((error) => {
    fetched = null;
    throw error;
  });
  return fetched;
}

/**
 * Do what needs the dialogs; what goes wrong is told.
 * @param {() => unknown} run
 */
export async function withDialogs(run) {
  try {
    await brought();
    await run();
  } catch (error) {
    tell(error);
  }
}

document.addEventListener("click", (event) => {
  const opener = closest(event, "[data-edit]");
  if (opener) withDialogs(async () => (await import("./editor.js")).open(opener));
  // The button is swapped when the game changes.
  if (closest(event, "#change-rules")) withDialogs(async () => (await import("./house_rules.js")).open());
  if (closest(event, "dialog [data-close]")) closest(event, "dialog", HTMLDialogElement)?.close();
  // A tap beside a dialog's content closes it; the editor looks first whether something written would be lost.
  if (event.target instanceof HTMLDialogElement && event.target.id !== "editor") event.target.close();
});
addEventListener("load", async () => {
  try {
    await brought();
    if (may(document, "#editor")) await import("./editor.js");
  } catch {
    // What is opened then tries again, and tells.
  }
});
