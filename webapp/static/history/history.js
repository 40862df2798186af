// The history: words are changed in place, deleting can be undone at once and later in the bin.
import { api, t, tell, toast } from "../app.js";
import { begin, saveFields } from "../seen_form.js";

/** Do something with the API; tell what went wrong. True where it worked. */
async function did(work) {
  try {
    await work();
    return true;
  } catch (error) {
    tell(error);
    return false;
  }
}

/** How many were found, one more or less. */
function count(by) {
  const line = document.querySelector("[data-count]");
  const number = Number(line.dataset.count) + by;
  line.dataset.count = number;
  line.textContent = t(number === 1 ? "count_one" : "count_many", { number });
}

/** Hide a row, delete what it shows, and offer to take it back. */
async function remove(row, path) {
  if (!(await did(() => api("DELETE", path)))) return;
  row.hidden = true;
  count(-1);
  toast(t("deleted"), {
    action: {
      label: t("undo"),
      run: async () => {
        if (!(await did(() => api("POST", `${path}/restore`)))) return;
        row.hidden = false;
        count(1);
        toast(t("back"));
        row.querySelector("a, button")?.focus();
      },
    },
  });
}

/** Keep a form's words; `shown` takes what the API has at `path` to what the form's fields are named after. */
async function save(path, form, shown = (value) => value) {
  begin(form);
  const fields = [...form.querySelectorAll("input, textarea")];
  await did(async () => {
    if (!(await saveFields(path, fields, async () => shown(await api("GET", path))))) return;
    toast(t("saved"));
    // What is being written elsewhere on the page stays.
    const others = [...document.querySelectorAll("[data-edit-game], [data-edit-tableau]")].flatMap((each) => [...each.querySelectorAll("input, textarea")]);
    if (others.every((field) => field.value === field.defaultValue)) setTimeout(() => location.reload(), 600);
  });
}

for (const row of document.querySelectorAll("[data-game]")) {
  const path = `/games/${row.dataset.game}`;
  row.querySelector("[data-delete-game]")?.addEventListener("click", () => remove(row, path));
  row.querySelector("[data-edit-game]")?.addEventListener("submit", (event) => {
    event.preventDefault();
    save(path, event.target);
  });
}

for (const row of document.querySelectorAll("[data-tableau]")) {
  const path = `/tableaus/${row.dataset.tableau}`;
  row.querySelector("[data-delete-tableau]")?.addEventListener("click", () => remove(row, path));
  row.querySelector("[data-edit-tableau]")?.addEventListener("submit", (event) => {
    event.preventDefault();
    save(path, event.target);
  });
}

for (const row of document.querySelectorAll("[data-restore]")) {
  row.querySelector("[data-restore-button]").addEventListener("click", async () => {
    const body = row.dataset.body ? JSON.parse(row.dataset.body) : undefined;
    if (!(await did(() => api("POST", row.dataset.restore, body)))) return;
    row.hidden = true;
    toast(t("back"));
  });
}

const person = document.querySelector("[data-person]");
if (person) {
  const path = `/persons/${person.dataset.person}`;
  const undo = { label: t("undo"), run: () => did(() => api("POST", `${path}/restore`)).then((done) => done && location.reload()) };
  person.querySelector("[data-rename]").addEventListener("submit", (event) => {
    event.preventDefault();
    save(path, event.target, (detail) => detail.person);
  });
  person.querySelector("[data-merge]")?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { into } = Object.fromEntries(new FormData(event.target));
    const name = event.target.into.selectedOptions[0].textContent;
    if (await did(() => api("POST", `${path}/merge`, { into }))) {
      event.target.hidden = true;
      toast(t("merged", { name }), { action: undo });
    }
  });
  person.querySelector("[data-delete-person]").addEventListener("click", async () => {
    if (await did(() => api("DELETE", path))) toast(t("deleted"), { action: undo });
  });
}
