// The score board: cells open the editor; what the game is called; the bin.
import { api, t, tell } from "../app.js";
import { act } from "./editor.js";
import { mayFinish } from "./finish.js";

const game = document.getElementById("live").dataset.game;

document.getElementById("about").addEventListener("submit", (event) => {
  event.preventDefault();
  const { title, location, notes } = Object.fromEntries(new FormData(event.target));
  const renamed = [...event.target.querySelectorAll("[data-seat]")].filter((field) => field.value !== field.defaultValue);
  act(async () => {
    await api("PATCH", `/games/${game}`, { title, location, notes });
    for (const field of renamed) {
      await api("PATCH", `/seats/${field.dataset.seat}`, { name: field.value });
      field.defaultValue = field.value;
    }
  }, t("kept"));
});

document.getElementById("delete-game").addEventListener("click", async () => {
  try {
    await api("DELETE", `/games/${game}`);
    location.assign(`/?deleted=${encodeURIComponent(game)}`);
  } catch (error) {
    tell(error);
  }
});

document.getElementById("finish-game").addEventListener("click", async (event) => {
  const finished = event.currentTarget.dataset.finished !== "true";
  const done = await act(async () => (!finished || (await mayFinish(game))) && api("PATCH", `/games/${game}`, { finished }));
  if (done) location.reload();
});
