// The house rules of a game that has begun: as they stand when the dialog is opened; what they change of the game's
// rulings is changed when they are saved.
import { api, t, toast } from "../app.js";
import { byId, must } from "../elements.js";
import { act } from "./act.js";

/**
 * @typedef {HTMLInputElement | HTMLSelectElement} Field
 * @typedef {Record<string, unknown>} Settings
 */

const PREFIX = "rule-";
const dialog = byId("house-rules", HTMLDialogElement);
const form = must(dialog, "form", HTMLFormElement);
/** @type {Field[]} */
const fields = [...form.querySelectorAll("input"), ...form.querySelectorAll("select")].filter((field) =>
  field.name.startsWith(PREFIX),
);
/** @type {`/games/${string}`} */
const path = `/games/${byId("live").dataset.game}`;
/** @type {Settings} */
let stood = {};

/** @param {Field} field */
const ruleOf = (field) => field.name.slice(PREFIX.length);

/** @param {Settings} settings */
function fill(settings) {
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
 * @param {Settings} seen
 * @param {Settings} settings
 */
const change = (seen, settings) => () => api("PATCH", path, { settings, seen: { settings: seen } });

/** Open the dialog, as the rules stand now. */
export async function open() {
  const game = await act(() => api("GET", path));
  if (!game) return;
  stood = game.settings;
  fill(stood);
  if (!dialog.open) dialog.showModal();
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const was = stood;
  const is = { ...was, ...Object.fromEntries(fields.map((field) => [ruleOf(field), valueOf(field)])) };
  dialog.close();
  if (JSON.stringify(is) === JSON.stringify(was)) return;
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
