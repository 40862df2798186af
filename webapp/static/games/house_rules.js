// The house rules of a game that has begun: as they stand when the dialog is opened; what they change of the game's
// rulings is changed when they are saved.
import { api, t, toast } from "../app.js";
import { act } from "./editor.js";

const PREFIX = "rule-";
const dialog = document.getElementById("house-rules");
const form = dialog.querySelector("form");
const fields = [...form.elements].filter((field) => field.name.startsWith(PREFIX));
const path = `/games/${document.getElementById("live").dataset.game}`;
let stood = {};

const ruleOf = (field) => field.name.slice(PREFIX.length);

function fill(settings) {
  for (const field of fields) {
    const value = settings[ruleOf(field)];
    if (field.type === "checkbox") field.checked = value;
    else field.value = value ?? "";
  }
}

function valueOf(field) {
  if (field.type === "checkbox") return field.checked;
  if (field.type === "select-one") return field.value;
  return field.value === "" ? null : Number(field.value);
}

const change = (seen, settings) => () => api("PATCH", path, { settings, seen: { settings: seen } });

// The button is swapped when the game changes.
document.addEventListener("click", async (event) => {
  if (!event.target.closest("#change-rules")) return;
  const game = await act(() => api("GET", path));
  if (!game) return;
  stood = game.settings;
  fill(stood);
  dialog.showModal();
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const was = stood;
  const is = { ...was, ...Object.fromEntries(fields.map((field) => [ruleOf(field), valueOf(field)])) };
  dialog.close();
  if (JSON.stringify(is) === JSON.stringify(was)) return;
  await act(
    change(was, is),
    t("rules_kept"),
    async () => {
      await change(is, was)();
      toast(t("rules_back"), { about: "rules" });
    },
    "rules",
  );
});
