// The dialog in which a round's score is written by hand, opened by any `data-edit` button.
import { api, ApiError, t, tell, toast } from "../app.js";
import { asked } from "./finished.js";
import { refresh } from "./live.js";

const dialog = document.getElementById("editor");
const form = dialog.querySelector("form");
const fields = form.elements;
/** More points, or coins, than a path brings but for a slip of the finger. */
const VERY_MANY = 60;
let entry = "";
let player = "";
/** What was asked about and saved all the same. */
let meant = "";
let round = "";
let before = {};
/** Who had the round's time bonus when the sheet was opened, and whether nobody was said to. */
let first = null;
let nobody = false;
/** Whether the round had the hourglass then: to give the bonus is to say so. */
let glass = false;

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-edit]");
  if (opener) open(opener.dataset);
  if (event.target.closest("dialog [data-close]")) event.target.closest("dialog").close();
  // A tap beside the dialog's content closes it, unless something written in it would be lost.
  if (
    event.target instanceof HTMLDialogElement &&
    (event.target !== dialog || !Object.keys(changed()).length)
  )
    event.target.close();
});

function open(data) {
  entry = data.edit;
  player = short(data.name);
  round = `/games/${document.getElementById("live").dataset.game}/rounds/${data.round}`;
  first = data.first || null;
  nobody = data.nobody_first === "true";
  glass = data.glass === "true";
  const title = document.getElementById("editor-title");
  title.title = t("editor_title", { name: data.name, number: data.round });
  title.textContent = t("editor_title", { name: short(data.name), number: data.round });
  fill({ ...JSON.parse(data.scores), time_bonus: data.time_bonus === "true" });
  const steps = JSON.parse(data.steps);
  for (const box of numbers()) box.dataset.by = steps[box.name] ?? 1;
  const typed = data.typed === "true";
  const photo = data.photo === "true";
  form.querySelector("[data-typed-note]").hidden = !(typed && photo);
  form.querySelector("[data-follow]").hidden = !(typed && photo);
  form.querySelector("[data-clear]").hidden = !typed || photo;
  before = read();
  say("");
  ask([]);
  dialog.showModal();
}

function say(words) {
  const line = form.querySelector("[data-wrong]");
  line.textContent = words;
  line.hidden = !words;
}

/** Ask about what can hardly be; whoever saves the same once more means it. */
function ask(doubtful) {
  const line = form.querySelector("[data-doubtful]");
  line.textContent = doubtful.length ? [...doubtful, t("is_that_right")].join(" ") : "";
  line.hidden = !doubtful.length;
  form.querySelector("[data-save]").textContent = t(doubtful.length ? "save_anyway" : "save");
  meant = doubtful.join();
}

/** What of this can hardly be, in words. */
function doubts(changes) {
  const found = [];
  for (const { name: key } of numbers()) {
    const value = changes[key];
    const each = Number(fields[key].dataset.by ?? 1);
    const words = { what: named(key), value, each };
    if (value > VERY_MANY) found.push(t("very_many", words));
    else if (value % each) found.push(t("no_multiple", words));
  }
  return found;
}

/** So much of a name that what follows it is seen. */
export function short(name) {
  const letters = [...name];
  return letters.length > 20 ? `${letters.slice(0, 19).join("")}…` : name;
}

/** The boxes of the sheet, by the game's columns: fields for numbers, groups of choices for ticks. */
const boxes = [...form.querySelectorAll("[data-box]")];
const numbers = () => boxes.filter((box) => box.dataset.kind !== "tick");
/** The tick of whoever was first to finish, where the game has one. */
const once = form.querySelector("[data-once]");

function fill(values) {
  for (const box of boxes) {
    const value = values[box.dataset.box] ?? "";
    // Setting the group's value leaves it as it was where that is empty.
    if (box.dataset.kind === "tick") {
      for (const choice of fields[box.dataset.box]) choice.checked = choice.value === String(value);
    } else box.value = value;
  }
  if (once) once.checked = values.time_bonus;
}

function written(box) {
  if (box.dataset.kind === "count") return Number(box.value);
  if (box.dataset.kind === "points") return box.value === "" ? null : Number(box.value);
  const { value } = fields[box.dataset.box];
  return value === "" ? null : value === "true";
}

function read() {
  const scores = Object.fromEntries(boxes.map((box) => [box.dataset.box, written(box)]));
  return once ? { ...scores, time_bonus: once.checked } : scores;
}

/** What the API is sent of these rows. */
function sent({ time_bonus, ...scores }) {
  return { ...(Object.keys(scores).length && { scores }), ...(time_bonus !== undefined && { time_bonus }) };
}

/** What was written and is not kept yet. */
function changed() {
  return Object.fromEntries(Object.entries(read()).filter(([key, value]) => value !== before[key]));
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
  const changes = changed();
  if (Object.keys(changes).length === 0) {
    dialog.close();
    return;
  }
  const doubtful = doubts(changes);
  if (doubtful.length && doubtful.join() !== meant) {
    ask(doubtful);
    return;
  }
  const save = form.querySelector("[data-save]");
  save.disabled = true;
  let saved;
  try {
    saved = await asked(() =>
      api("PATCH", `/entries/${entry}`, { ...sent(changes), seen: seenOf(Object.keys(changes)) }),
    );
  } catch (error) {
    // What was written stays in the sheet until it is kept.
    await wrong(error, changes);
    return;
  } finally {
    save.disabled = false;
  }
  const bonus = "time_bonus" in changes &&
    saved.time_bonus_seat !== first && { path: round, was: first, nobody, glass, is: saved.time_bonus_seat };
  dialog.close();
  const vp = (value) => (value === null ? "–" : String(value));
  const points = boxes.filter((box) => box.dataset.kind === "points").map((box) => vp(saved.scores[box.name]));
  const words = t("written_down", { name: player, points: points.join(" / ") });
  await act(() => null, words, (saved.change || bonus) && takeBack(saved, bonus), entry);
});

/** What the sheet showed of these rows; the time bonus is one of the whole round. */
function seenOf(keys) {
  const shown = keys.filter((key) => key !== "time_bonus").map((key) => [key, before[key]]);
  const seen = shown.length ? { scores: Object.fromEntries(shown) } : {};
  return keys.includes("time_bonus") ? { ...seen, time_bonus_seat: first, nobody_first: nobody } : seen;
}

/** Take back what was written here, by its name: what another device has written since is not taken. */
function takeBack({ id, change }, bonus = null) {
  return async () => {
    if (change) await api("POST", `/entries/${id}/undo`, { change });
    if (!bonus) return;
    const back = bonus.glass
      ? { time_bonus_seat: bonus.was, nobody_first: bonus.nobody }
      : { hourglass: false };
    await api("PATCH", bonus.path, { ...back, seen: { time_bonus_seat: bonus.is } });
  };
}

/** Another device was first: the sheet shows its values, and says which were written here. */
async function wrong(error, changes) {
  const lines = [error.message];
  if (error instanceof ApiError && error.status === 409) {
    try {
      const answer = await api("GET", `/entries/${entry}`);
      const latest = { ...answer.scores, time_bonus: answer.time_bonus };
      const mine = Object.entries(changes).filter(
        ([key, value]) => latest[key] !== before[key] && latest[key] !== value,
      );
      for (const [key] of mine) lines.push(t("yours", { what: named(key), value: shown(key) }));
      fill({ ...read(), ...Object.fromEntries(mine.map(([key]) => [key, latest[key]])) });
      before = Object.fromEntries(Object.keys(before).map((key) => [key, latest[key]]));
      first = answer.time_bonus_seat;
      nobody = answer.nobody_first;
      glass ||= first !== null || nobody;
    } catch {
      // The sentence alone says enough.
    }
    refresh();
  }
  say(lines.join(" "));
}

/** What a person calls one of the sheet's rows, and what it holds. */
function named(key) {
  const row = [...form.querySelectorAll(".edit-row")].find((each) => each.querySelector(`[name="${key}"]`));
  return row.querySelector("label, legend").textContent.trim();
}

function shown(key) {
  if (fields[key].type === "number") return fields[key].value || "–";
  const chosen = form.querySelector(`[name="${key}"]:checked`);
  return chosen ? chosen.closest("label").textContent.trim() : "–";
}

for (const [selector, words] of [
  ["[data-follow]", "following"],
  ["[data-clear]", "emptied"],
]) {
  form.querySelector(selector).addEventListener("click", async () => {
    const seen = seenOf(Object.keys(before).filter((key) => key !== "time_bonus"));
    dialog.close();
    const [name, about] = [player, entry];
    const followed = await act(() => api("POST", `/entries/${about}/follow-photo`, { seen }));
    if (followed)
      toast(t("whose", { name, what: t(words) }), {
        about,
        action: followed.change && undoing(takeBack(followed)),
      });
  });
}

const undoing = (undo) => ({ label: t("undo"), run: () => act(undo) });

/** Do something with the API, show the game anew, and offer to take it back: one notice at a time `about` the same
 * thing. Where another device was first, the game is shown as that left it. */
export async function act(run, message = "", undo = null, about = "") {
  try {
    const answer = await asked(run);
    await refresh();
    if (message) toast(message, { about, action: undo && undoing(undo) });
    return answer;
  } catch (error) {
    tell(error);
    if (error instanceof ApiError) await refresh();
    return null;
  }
}
