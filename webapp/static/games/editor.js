// The dialog in which a round's score is written by hand, opened by any `data-edit` button.
import { api, t, tell, toast } from "../app.js";
import { refresh } from "./live.js";

const dialog = document.getElementById("editor");
const form = dialog.querySelector("form");
const fields = form.elements;
let entry = "";
let before = {};

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-edit]");
  if (opener) open(opener.dataset);
  if (event.target.closest("dialog [data-close]")) event.target.closest("dialog").close();
  // A tap beside the dialog's content closes it.
  if (event.target instanceof HTMLDialogElement) event.target.close();
});

function open(data) {
  entry = data.edit;
  const values = { name: data.name, number: data.round };
  document.getElementById("editor-title").textContent = t("editor_title", values);
  fields.primary_vp.value = data.primary_vp;
  fields.secondary_vp.value = data.secondary_vp;
  fields.coins_received.value = data.coins_received;
  // Setting the group's value leaves it as it was where that is empty.
  for (const choice of fields.escaped) choice.checked = choice.value === data.escaped;
  fields.time_bonus.checked = data.time_bonus === "true";
  fields.primary_vp.dataset.by = data.primary_step;
  fields.secondary_vp.dataset.by = data.secondary_step;
  const typed = data.typed === "true";
  const photo = data.photo === "true";
  form.querySelector("[data-typed-note]").hidden = !(typed && photo);
  form.querySelector("[data-follow]").hidden = !(typed && photo);
  form.querySelector("[data-clear]").hidden = !typed || photo;
  before = read();
  dialog.showModal();
}

function read() {
  const points = (field) => (field.value === "" ? null : Number(field.value));
  return {
    primary_vp: points(fields.primary_vp),
    secondary_vp: points(fields.secondary_vp),
    escaped: fields.escaped.value === "" ? null : fields.escaped.value === "true",
    coins_received: Number(fields.coins_received.value),
    time_bonus: fields.time_bonus.checked,
  };
}

// A step is what one discovery of the round's objective is worth.
form.addEventListener("click", (event) => {
  const step = event.target.closest("[data-step]");
  if (!step) return;
  const field = document.getElementById(step.dataset.for);
  const by = Number(field.dataset.by ?? 1) * Number(step.dataset.step);
  field.value = Math.min(999, Math.max(0, Number(field.value || 0) + by));
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const now = read();
  const changes = Object.fromEntries(Object.entries(now).filter(([key, value]) => value !== before[key]));
  dialog.close();
  if (Object.keys(changes).length === 0) return;
  const id = entry;
  await act(() => api("PATCH", `/entries/${id}`, changes), t("saved"), async () => {
    if ("time_bonus" in changes) await api("PATCH", `/entries/${id}`, { time_bonus: !changes.time_bonus });
    if (Object.keys(changes).some((key) => key !== "time_bonus")) await api("POST", `/entries/${id}/undo`);
  });
});

for (const [selector, words] of [
  ["[data-follow]", "following"],
  ["[data-clear]", "emptied"],
]) {
  form.querySelector(selector).addEventListener("click", async () => {
    const id = entry;
    dialog.close();
    await act(
      () => api("POST", `/entries/${id}/follow-photo`),
      t(words),
      () => api("POST", `/entries/${id}/undo`),
    );
  });
}

/** Do something with the API, show the game anew, and offer to take it back. */
export async function act(run, message = "", undo = null) {
  try {
    const answer = await run();
    await refresh();
    if (message) toast(message, { action: undo && { label: t("undo"), run: () => act(undo) } });
    return answer;
  } catch (error) {
    tell(error);
    return null;
  }
}
