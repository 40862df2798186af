// The score board: cells open the editor; what the game is called; the bin.
import { api, t } from "../app.js";
import { all, byId, closest, field } from "../elements.js";
import { begin, saveFields } from "../seen_form.js";
import { act, removeGame } from "./act.js";
import "./again.js";
import { withDialogs } from "./dialogs.js";

const game = byId("live").dataset.game ?? "";
const read = () => api("GET", `/games/${game}`);

const about = byId("about", HTMLFormElement);
about.addEventListener("submit", async (event) => {
  event.preventDefault();
  begin(about);
  const words = [field(about, "title"), field(about, "location"), field(about, "notes", HTMLTextAreaElement)];
  const saving = [saveFields(`/games/${game}`, words, read)];
  for (const name of all(about, "[data-seat]", HTMLInputElement)) {
    const seat = name.dataset.seat;
    saving.push(
      saveFields(`/seats/${seat}`, [name], async () => (await read()).seats.find((each) => each.id === seat)),
    );
  }
  const done = await Promise.allSettled(saving);
  const failed = done.find((each) => each.status === "rejected");
  const kept = done.every((each) => each.status === "fulfilled" && each.value);
  act(
    async () => {
      if (failed) throw failed.reason;
    },
    kept ? t("Saved.") : "",
  );
});

document.addEventListener("click", async (event) => {
  const button = closest(event, "#delete-game, #finish-game");
  if (button?.id === "delete-game") removeGame(game);
  if (button?.id === "finish-game") {
    const over = button.dataset.finished === "true";
    withDialogs(async () => {
      const { howToEnd } = await import("./finish.js");
      await act(async () => {
        const change = over ? { finished: false } : await howToEnd(game);
        if (change) await api("PATCH", `/games/${game}`, change);
      });
    });
  }
});
