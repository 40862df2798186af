// The form that begins a game: players added, removed, seated by tap; colours swapped; presets.
import { t, toast } from "../app.js";

const form = document.getElementById("new-game");
const list = document.getElementById("players");
const add = document.getElementById("add-player");
const min = Number(form.dataset.min);

const rows = () => [...list.children];
const seated = () => rows().filter((row) => !row.classList.contains("spare"));
const nameOf = (row) => row.querySelector(".new-name input");

function show() {
  const players = seated();
  rows().forEach((row) => {
    const index = players.indexOf(row);
    nameOf(row).required = index >= 0;
    row.querySelector('[data-move="remove"]').disabled = players.length <= min;
    row.querySelector('[data-move="up"]').disabled = index <= 0;
    row.querySelector('[data-move="down"]').disabled = index === players.length - 1;
  });
  add.hidden = players.length === rows().length;
}

add.addEventListener("click", () => {
  const row = rows().find((each) => each.classList.contains("spare"));
  row.classList.remove("spare");
  list.insertBefore(row, rows().find((each) => each.classList.contains("spare")) ?? null);
  show();
  nameOf(row).focus();
});

list.addEventListener("click", (event) => {
  const button = event.target.closest("[data-move]");
  if (!button) return;
  const row = button.closest("li");
  if (button.dataset.move === "up") row.previousElementSibling.before(row);
  else if (button.dataset.move === "down") row.nextElementSibling.after(row);
  else remove(row);
  show();
  if (!button.disabled && button.dataset.move !== "remove") button.focus();
});

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
  toast(t("removed", { name }), { action: { label: t("undo"), run } });
}

// Nobody has the same colour: who had the one that is chosen gets the one that becomes free.
const colours = new Map();
const remember = () =>
  rows().forEach((row) => colours.set(row, row.querySelector(".swatches input:checked")?.value));
list.addEventListener("change", (event) => {
  if (event.target.type !== "radio") return;
  const row = event.target.closest("li");
  const other = rows().find((each) => each !== row && colours.get(each) === event.target.value);
  const free = colours.get(row);
  if (other && free) other.querySelector(`.swatches input[value="${free}"]`).checked = true;
  remember();
});

form.addEventListener("click", (event) => {
  const preset = event.target.closest("[data-preset]");
  if (!preset) return;
  for (const [name, value] of Object.entries(JSON.parse(preset.dataset.preset))) {
    const field = document.getElementById(`rule-${name}`);
    if (field.type === "checkbox") field.checked = value === "true";
    else field.value = value === "none" ? "" : value;
  }
  press(preset);
});
form.addEventListener("change", (event) => {
  if (event.target.id.startsWith("rule-")) press(null);
});
function press(preset) {
  form.querySelectorAll("[data-preset]").forEach((chip) => {
    chip.setAttribute("aria-pressed", String(chip === preset));
  });
}

// Sent without leaving the page: what is wrong is said in the form as it was written, and going back later
// finds no form to be sent again. Without scripts the browser sends it.
const wrong = document.getElementById("wrong");
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button.primary");
  if (button.disabled) return;
  button.disabled = true;
  wrong.hidden = true;
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body: new FormData(form),
      credentials: "same-origin",
    });
    if (answer.redirected) {
      location.replace(answer.url);
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    say((page.getElementById("wrong") ?? page.querySelector("main")).textContent.trim());
  } catch {
    say(t("out_of_reach"));
  }
  button.disabled = false;
});

function say(words) {
  wrong.textContent = words;
  wrong.hidden = false;
  wrong.scrollIntoView({ block: "center" });
}

remember();
show();
