// The score board: cells open the editor; what the game is called; the bin.
import { api, tell, t } from "../app.js";
import { begin, saveFields } from "../seen_form.js";
import { act } from "./editor.js";
import { mayFinish } from "./finish.js";

const game = document.getElementById("live").dataset.game;
const read = () => api("GET", `/games/${game}`);

document.getElementById("about").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { title, location, notes } = event.target.elements;
  begin(event.target);
  const saving = [saveFields(`/games/${game}`, [title, location, notes], read)];
  for (const field of event.target.querySelectorAll("[data-seat]")) {
    const seat = field.dataset.seat;
    saving.push(
      saveFields(`/seats/${seat}`, [field], async () =>
        (await read()).seats.find((each) => each.id === seat),
      ),
    );
  }
  const done = await Promise.allSettled(saving);
  const failed = done.find((each) => each.status === "rejected");
  const kept = done.every((each) => each.value === true);
  act(
    () => {
      if (failed) throw failed.reason;
    },
    kept && t("kept"),
  );
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("#delete-game, #finish-game");
  if (button?.id === "delete-game") remove();
  if (button?.id === "finish-game") {
    const finished = button.dataset.finished !== "true";
    act(async () => (!finished || (await mayFinish(game))) && api("PATCH", `/games/${game}`, { finished }));
  }
});

async function remove() {
  try {
    await api("DELETE", `/games/${game}`);
    location.assign(`/?deleted=${encodeURIComponent(game)}`);
  } catch (error) {
    tell(error);
  }
}
