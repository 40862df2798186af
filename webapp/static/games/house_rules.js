// The house rules of a game that has begun, and how sure a score has to be: as they stand when the dialog is opened;
// what they change of the game's rulings is changed when they are saved.
import { api, t, toast } from "../app.js";
import { byId, may, must } from "../elements.js";
import { act } from "./act.js";

/**
 * @typedef {HTMLInputElement | HTMLSelectElement} Field
 * @typedef {Record<string, unknown>} Settings
 * @typedef {{ settings?: Settings, certainty?: number | null }} Rules
 */

const PREFIX = "rule-";
const dialog = byId("house-rules", HTMLDialogElement);
const form = must(dialog, "form", HTMLFormElement);
/** @type {Field[]} */
const fields = [...form.querySelectorAll("input"), ...form.querySelectorAll("select")].filter((field) =>
  field.name.startsWith(PREFIX),
);
/** Only in games that are scored from each player's cards. */
const certainty = may(form, "[name=certainty]", HTMLSelectElement);
/** @type {`/games/${string}`} */
const path = `/games/${byId("live").dataset.game}`;
/** @type {Required<Rules>} */
let stood = { settings: {}, certainty: null };

/** @param {Field} field */
const ruleOf = (field) => field.name.slice(PREFIX.length);

/** @param {Required<Rules>} rules */
function fill({ settings, certainty: sure }) {
  if (certainty) certainty.value = String(sure);
  for (const field of fields) {
    const value = settings[ruleOf(field)];
    if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = Boolean(value);
    else field.value = String(value ?? "");
  }
}

/** @param {Field} field */
function valueOf(field) {
  if (field instanceof HTMLSelectElement) return field.value;
  if (field.type === "checkbox") return field.checked;
  if (field.type === "select-one") return field.value;
  return field.value === "" ? null : Number(field.value);
}

/**
 * @param {Rules} seen
 * @param {Rules} rules
 */
const change = (seen, rules) => () => api("PATCH", path, { ...rules, seen });

/** Open the dialog, as the rules stand now. */
export async function open() {
  const game = await act(() => api("GET", path));
  if (!game) return;
  stood = { settings: game.settings, certainty: game.certainty };
  fill(stood);
  if (!dialog.open) dialog.showModal();
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const settings = {
    ...stood.settings,
    ...Object.fromEntries(fields.map((field) => [ruleOf(field), valueOf(field)])),
  };
  /** @type {Rules} */
  const was = {};
  /** @type {Rules} */
  const is = {};
  if (JSON.stringify(settings) !== JSON.stringify(stood.settings)) {
    was.settings = stood.settings;
    is.settings = settings;
  }
  // Nothing is chosen where another page has set a value that is not offered here.
  if (certainty?.value && Number(certainty.value) !== stood.certainty) {
    was.certainty = stood.certainty;
    is.certainty = Number(certainty.value);
  }
  dialog.close();
  if (!Object.keys(is).length) return;
  await act(
    change(was, is),
    t("The house rules are changed."),
    async () => {
      await change(is, was)();
      toast(t("The house rules were changed back."), { about: "rules" });
    },
    "rules",
  );
});
