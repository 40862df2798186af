// The dialog in which a round's score is written by hand; loaded when one is opened (dialogs.js).
import { api, ApiError, messageOf, sayIn, t, toast } from "../app.js";
import { all, byId, closest, may, must } from "../elements.js";
import { act, short } from "./act.js";
import { asked } from "./finished.js";
import { refresh } from "./live.js";

/**
 * @typedef {Record<string, number | boolean | null>} Written what the sheet says, by the game's columns
 * @typedef {{ path: `/games/${string}/rounds/${string}`, was: string | null, nobody: boolean, glass: boolean,
 *   is: string | null }} Bonus who had the time bonus before and after
 */

const dialog = byId("editor", HTMLDialogElement);
const form = must(dialog, "form", HTMLFormElement);
/** The boxes of the sheet: fields for numbers, and groups of choices for ticks. */
const numbers = all(form, "input[data-box]", HTMLInputElement);
const ticks = all(form, "[data-kind=tick]");
const columnOf = (/** @type {HTMLElement} */ group) => group.dataset.box ?? "";
/** The tick of whoever was first to finish, where the game has one. */
const once = may(form, "[data-once]", HTMLInputElement);
/** More points, or coins, than a path brings but for a slip of the finger. */
const VERY_MANY = 60;
let entry = "";
let player = "";
/** What was asked about and saved all the same. */
let meant = "";
/** @type {`/games/${string}/rounds/${string}`} */
let round = "/games//rounds/";
/** @type {Written} */
let before = {};
/** Who had the round's time bonus when the sheet was opened, and whether nobody was said to. */
/** @type {string | null} */
let first = null;
let nobody = false;
/** Whether the round had the hourglass then: to give the bonus is to say so. */
let glass = false;

// A tap beside the sheet closes it, unless something written in it would be lost.
dialog.addEventListener("click", (event) => {
  if (event.target === dialog && !Object.keys(changed()).length) dialog.close();
});

/**
 * What a button is about: its player by the card or the column that it is in, its round by what is around it, or by
 * the page.
 * @param {HTMLElement} opener
 */
function aboutOf(opener) {
  const target = { target: opener };
  const column = closest(target, "td", HTMLTableCellElement)?.cellIndex;
  const name =
    column === undefined
      ? closest(target, "[data-player]")?.querySelector("h2")?.textContent.trim()
      : all(document, ".score-board thead th")[column]?.querySelector(".seat-name")?.textContent;
  const around = closest(target, "[data-sheet]", HTMLElement) ?? must(document, "[data-sheet]", HTMLElement);
  /** @type {{ round: number, steps: Record<string, number>, first: string | null, nobody: boolean, glass: boolean }} */
  const facts = JSON.parse(around.dataset.sheet ?? "");
  return { name: name ?? "", ...facts };
}

/**
 * Open the sheet of a `data-edit` button.
 * @param {HTMLElement} opener
 */
export function open(opener) {
  if (dialog.open) return;
  const { edit = "", scores = "{}" } = opener.dataset;
  const about = aboutOf(opener);
  entry = edit;
  player = short(about.name);
  ({ first, nobody, glass } = about);
  round = `/games/${byId("live").dataset.game}/rounds/${about.round}`;
  const title = byId("editor-title");
  title.title = t("%(name)s, round %(number)s", { name: about.name, number: about.round });
  title.textContent = t("%(name)s, round %(number)s", { name: player, number: about.round });
  fill(JSON.parse(scores));
  for (const box of numbers) box.dataset.by = String(about.steps[box.name] ?? 1);
  const typed = "typed" in opener.dataset;
  const photo = "photo" in opener.dataset;
  must(form, "[data-typed-note]").hidden = !(typed && photo);
  must(form, "[data-follow]").hidden = !(typed && photo);
  must(form, "[data-clear]").hidden = !typed || photo;
  before = read();
  say("");
  ask([]);
  dialog.showModal();
}

/** @param {string} words */
const say = (words) => sayIn(must(form, "[data-wrong]"), words);

/**
 * Ask about what can hardly be; whoever saves the same once more means it.
 * @param {string[]} doubtful
 */
function ask(doubtful) {
  sayIn(must(form, "[data-doubtful]"), doubtful.length ? [...doubtful, t("Is that right?")].join(" ") : "");
  must(form, "[data-save]").textContent = doubtful.length ? t("Save it anyway") : t("Save");
  meant = doubtful.join();
}

/**
 * What of this can hardly be, in words.
 * @param {Written} changes
 */
function doubts(changes) {
  /** @type {string[]} */
  const found = [];
  for (const box of numbers) {
    const key = box.name;
    const value = Number(changes[key] ?? 0);
    const each = Number(box.dataset.by ?? 1);
    const words = { what: named(key), value, each };
    if (value > VERY_MANY) found.push(t("%(what)s %(value)s is more than a path usually brings.", words));
    else if (value % each) found.push(t("%(what)s %(value)s is not a multiple of %(each)s.", words));
  }
  return found;
}

/** @param {Written} values */
function fill(values) {
  for (const box of numbers) box.value = String(values[box.name] ?? "");
  // Setting the group's value leaves it as it was where that is empty.
  for (const group of ticks) {
    const value = String(values[columnOf(group)] ?? "");
    for (const choice of all(group, "input", HTMLInputElement)) choice.checked = choice.value === value;
  }
  if (once) once.checked = Boolean(values.time_bonus);
}

/** @returns {Written} */
function read() {
  /** @type {Written} */
  const values = {};
  for (const box of numbers) {
    const empty = box.value === "" && box.dataset.kind === "points";
    values[box.name] = empty ? null : Number(box.value);
  }
  for (const group of ticks) {
    const chosen = all(group, "input", HTMLInputElement).find((choice) => choice.checked)?.value ?? "";
    values[columnOf(group)] = chosen === "" ? null : chosen === "true";
  }
  if (once) values.time_bonus = once.checked;
  return values;
}

/**
 * What was written and is not kept yet.
 * @returns {Written}
 */
function changed() {
  return Object.fromEntries(Object.entries(read()).filter(([key, value]) => value !== before[key]));
}

/**
 * What the API is sent of these rows.
 * @param {Written} changes
 */
function sent({ time_bonus, ...scores }) {
  return {
    ...(Object.keys(scores).length && { scores }),
    ...(time_bonus !== undefined && { time_bonus: Boolean(time_bonus) }),
  };
}

// A step is what one discovery of the round's objective is worth.
form.addEventListener("click", (event) => {
  const step = closest(event, "[data-step]");
  if (!step) return;
  const stepped = byId(step.dataset.for ?? "", HTMLInputElement);
  const by = Number(stepped.dataset.by ?? 1) * Number(step.dataset.step);
  stepped.value = String(Math.min(999, Math.max(0, Number(stepped.value || 0) + by)));
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
  const save = must(form, "[data-save]", HTMLButtonElement);
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
  const given = "time_bonus" in changes && saved.time_bonus_seat !== first;
  const bonus = given ? { path: round, was: first, nobody, glass, is: saved.time_bonus_seat } : null;
  dialog.close();
  const scores = /** @type {Written} */ (saved.scores);
  const points = numbers.filter((box) => box.dataset.kind === "points").map((box) => scores[box.name] ?? "–");
  const words = t("%(name)s: %(points)s entered", { name: player, points: points.join(" / ") });
  await act(async () => null, words, saved.change || bonus ? takeBack(saved, bonus) : null, entry);
});

/**
 * What the sheet showed of these rows; the time bonus is one of the whole round.
 * @param {string[]} keys
 */
function seenOf(keys) {
  const boxes = keys.filter((key) => key !== "time_bonus").map((key) => [key, before[key]]);
  const seen = boxes.length ? { scores: Object.fromEntries(boxes) } : {};
  return keys.includes("time_bonus") ? { ...seen, time_bonus_seat: first, nobody_first: nobody } : seen;
}

/**
 * Take back what was written here, by its name: what another device has written since is not taken.
 * @param {Pick<Api.ChangedEntry, "id" | "change">} entry
 * @param {Bonus | null} [bonus]
 */
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

/**
 * Another device was first: the sheet shows its values, and says which were written here.
 * @param {unknown} error
 * @param {Written} changes
 */
async function wrong(error, changes) {
  const lines = [messageOf(error)];
  if (error instanceof ApiError && error.status === 409) {
    try {
      const answer = await api("GET", `/entries/${entry}`);
      /** @type {Written} */
      const latest = { ...answer.scores, time_bonus: answer.time_bonus };
      const mine = Object.keys(changes).filter(
        (key) => latest[key] !== before[key] && latest[key] !== changes[key],
      );
      for (const key of mine)
        lines.push(t("You had written: %(what)s %(value)s.", { what: named(key), value: shown(key) }));
      fill({ ...read(), ...Object.fromEntries(mine.map((key) => [key, latest[key] ?? null])) });
      before = Object.fromEntries(Object.keys(before).map((key) => [key, latest[key] ?? null]));
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

/**
 * What a person calls one of the sheet's rows, and what it holds.
 * @param {string} key
 */
function named(key) {
  const row = all(form, ".edit-row").find((each) => each.querySelector(`[name="${key}"]`));
  return row?.querySelector("label, legend")?.textContent?.trim();
}

/** @param {string} key */
function shown(key) {
  const box = numbers.find((each) => each.name === key);
  if (box) return box.value || "–";
  const chosen = may(form, `[name="${key}"]:checked`);
  return chosen ? chosen.closest("label")?.textContent?.trim() : "–";
}

for (const [selector, words] of [
  ["[data-follow]", t("The photo counts again.")],
  ["[data-clear]", t("The boxes are empty again.")],
]) {
  must(form, selector).addEventListener("click", async () => {
    const seen = seenOf(Object.keys(before).filter((key) => key !== "time_bonus"));
    dialog.close();
    const [name, about] = [player, entry];
    const followed = await act(() => api("POST", `/entries/${about}/follow-photo`, { seen }));
    if (followed)
      toast(t("%(name)s: %(what)s", { name, what: words }), {
        about,
        undo: followed.change ? () => act(takeBack(followed)) : null,
      });
  });
}
