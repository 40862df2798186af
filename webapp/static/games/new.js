// The form that begins a game: players added, removed, seated by tap; colours swapped; presets.
import { sayIn, t, toast } from "../app.js";
import { all, byId, closest, may, must } from "../elements.js";

const form = byId("new-game", HTMLFormElement);
const list = byId("players");
const add = byId("add-player");
const min = Number(form.dataset.min);

const rows = () => all(list, ":scope > li");
const seated = () => rows().filter((row) => !row.classList.contains("spare"));
const nameOf = (/** @type {HTMLElement} */ row) => must(row, ".new-name input", HTMLInputElement);
const mover = (/** @type {HTMLElement} */ row, /** @type {string} */ name) =>
  must(row, `[data-move="${name}"]`, HTMLButtonElement);

function show() {
  const players = seated();
  rows().forEach((row) => {
    const index = players.indexOf(row);
    // Who gives no name is called by the seat.
    nameOf(row).placeholder = t("Player %(number)s", { number: index + 1 });
    mover(row, "remove").disabled = players.length <= min;
    mover(row, "up").disabled = index <= 0;
    mover(row, "down").disabled = index === players.length - 1;
  });
  add.hidden = players.length === rows().length;
  const names = players.map((row) => nameOf(row).value.trim());
  const told = may(form, "#who-plays");
  if (told)
    told.textContent = players.map((row) => nameOf(row).value.trim() || nameOf(row).placeholder).join(" · ");
  for (const chip of all(form, "[data-person]"))
    chip.hidden = names.includes(chip.dataset.person ?? "") || (add.hidden && names.every(Boolean));
}

/** One more seat; null where the game has no more. */
function addSeat() {
  const row = rows().find((each) => each.classList.contains("spare"));
  if (!row) return null;
  row.classList.remove("spare");
  list.insertBefore(row, rows().find((each) => each.classList.contains("spare")) ?? null);
  return row;
}

add.addEventListener("click", () => {
  const row = addSeat();
  show();
  // On a touch screen the keyboard would cover the form; a name may stay empty.
  if (row && matchMedia("(pointer: fine)").matches) nameOf(row).focus();
  else row?.scrollIntoView({ block: "nearest" });
});

form.addEventListener("click", (event) => {
  const name = closest(event, "[data-person]")?.dataset.person;
  if (!name) return;
  const row = seated().find((each) => !nameOf(each).value.trim()) ?? addSeat();
  if (row) nameOf(row).value = name;
  show();
});
list.addEventListener("change", show);

list.addEventListener("click", (event) => {
  const button = closest(event, "[data-move]", HTMLButtonElement);
  const row = button?.closest("li");
  if (!button || !row) return;
  if (button.dataset.move === "up") row.previousElementSibling?.before(row);
  else if (button.dataset.move === "down") row.nextElementSibling?.after(row);
  else remove(row);
  show();
  if (!button.disabled && button.dataset.move !== "remove") button.focus();
});

/** @param {HTMLElement} row */
function remove(row) {
  const input = nameOf(row);
  const name = input.value;
  const next = row.nextElementSibling;
  input.value = "";
  row.classList.add("spare");
  list.append(row);
  if (!name.trim()) return;
  const run = () => {
    input.value = name;
    row.classList.remove("spare");
    list.insertBefore(row, next);
    show();
  };
  toast(t("%(name)s was taken off the list.", { name }), { undo: run });
}

// Nobody has the same colour: who had the one that is chosen gets the one that becomes free.
/** @type {Map<HTMLElement, string | undefined>} */
const colours = new Map();
const remember = () =>
  rows().forEach((row) => colours.set(row, may(row, ".swatches input:checked", HTMLInputElement)?.value));
list.addEventListener("change", (event) => {
  const chosen = closest(event, "input[type=radio]", HTMLInputElement);
  const row = chosen?.closest("li");
  if (!chosen || !row) return;
  const other = rows().find((each) => each !== row && colours.get(each) === chosen.value);
  const free = colours.get(row);
  if (other && free) must(other, `.swatches input[value="${free}"]`, HTMLInputElement).checked = true;
  remember();
});

form.addEventListener("click", (event) => {
  const preset = closest(event, "[data-preset]");
  if (!preset) return;
  /** @type {Record<string, string>} */
  const values = JSON.parse(preset.dataset.preset ?? "{}");
  for (const [name, value] of Object.entries(values)) {
    const field = byId(`rule-${name}`);
    if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = value === "true";
    else if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement)
      field.value = value === "none" ? "" : value;
  }
  press(preset);
});
form.addEventListener("change", (event) => {
  if (closest(event, "[id^=rule-]")) press(null);
  // The one that was open before closes, and what is below moves up.
  closest(event, ".mission-choice")?.scrollIntoView({ block: "nearest" });
});
/** @param {HTMLElement | null} preset */
function press(preset) {
  form.querySelectorAll("[data-preset]").forEach((chip) => {
    chip.setAttribute("aria-pressed", String(chip === preset));
  });
}

// Sent without leaving the page: what is wrong is said in the form as it was written, and going back later
// finds no form to be sent again. Without scripts the browser sends it.
const wrong = byId("wrong");
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = must(form, "button.primary", HTMLButtonElement);
  if (button.disabled) return;
  button.disabled = true;
  sayIn(wrong, "");
  try {
    const body = new FormData(form);
    for (const input of seated().map(nameOf))
      if (!input.value.trim()) body.set(input.name, input.placeholder);
    const answer = await fetch(form.action, {
      method: "POST",
      body,
      credentials: "same-origin",
    });
    if (answer.redirected) {
      location.replace(answer.url);
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    say((page.getElementById("wrong") ?? page.querySelector("main"))?.textContent?.trim() ?? "");
  } catch {
    say(t("The server cannot be reached. What you entered is still here; try again."));
  }
  button.disabled = false;
});

/** @param {string} words */
function say(words) {
  sayIn(wrong, words);
  wrong.scrollIntoView({ block: "center" });
}

remember();
show();
